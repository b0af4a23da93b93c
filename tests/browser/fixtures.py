#!/usr/bin/python3
"""Report pages made by hand, as docs/page.md describes them, with motions that closed formulas give.

  tests/browser/fixtures.py SCRIPT STYLE FOLDER
"""
import cmath
import html
import json
import math
import pathlib
import sys

HOSTILE = "</script><b>bold</b> & \"quoted\" <!-- title"
ITEM_SAMPLES = 201


def column(name, kind, values, label=None):
    return {"name": name, "kind": kind, "label": label or f"<math><mi>{html.escape(name)}</mi></math>", "values": values}


def rate(name):
    return f"<math><mover><mi>{name}</mi><mo>˙</mo></mover></math>"


def run(columns, errors, events=()):
    return {"form": "chaplygin", "method": "taylor", "outcome": "reached t = 10", "digits": 12, "count": len(columns[0]["values"]),
            "columns": columns, "errors": errors, "events": list(events)}


def times(count, last):
    return [last * i / (count - 1) for i in range(count)]


def sleigh(count=ITEM_SAMPLES):
    """A blade at constant speed on a circle that widens: flat, with a body, a point, trails, a line, a box and an arrow."""
    t = times(count, 10)
    theta = [0.9 * u - 0.02 * u * u for u in t]
    x = [2 * math.sin(angle) + 0.1 * u for angle, u in zip(theta, t)]
    y = [2 - 2 * math.cos(angle) for angle in theta]
    theta_rate = [0.9 - 0.04 * u for u in t]
    x_rate = [2 * math.cos(angle) * w + 0.1 for angle, w in zip(theta, theta_rate)]
    y_rate = [2 * math.sin(angle) * w for angle, w in zip(theta, theta_rate)]
    reaction = [3 * w for w in theta_rate]
    columns = [
        column("t", "time", t), column("x", "coordinate", x), column("y", "coordinate", y), column("theta", "coordinate", theta, "<math><mi>θ</mi></math>"),
        column("x'", "velocity", x_rate, rate("x")), column("y'", "velocity", y_rate, rate("y")), column("theta'", "velocity", theta_rate, rate("θ")),
        column("v", "quasi", [2 * w for w in theta_rate]), column("lambda_blade", "multiplier", reaction, "<math><msub><mi>λ</mi><mi>blade</mi></msub></math>"),
        column("energy", "energy", [0.6] * count), column("speed", "observable", [math.hypot(a, b) for a, b in zip(x_rate, y_rate)]),
    ]
    columns[1]["unit"] = "m"
    columns[10]["unit"] = "<b>km/h</b>"  # text, whatever stands in it
    errors = [{"name": "energy", "scale": 0.6, "values": [0] + [1e-16 * (1 + i % 7) * (1 + i) ** 0.5 for i in range(1, count)]}]
    cosine, sine = [math.cos(a) for a in theta], [math.sin(a) for a in theta]
    scene = {
        "space": "physical", "axes": ["x", "y", "z"], "flat": True, "low": [-2.4, -0.6, 0], "high": [3.4, 4.6, 0], "times": t,
        "tracks": [x, y, cosine, sine, [-s for s in sine], [-3 * w * s for w, s in zip(theta_rate, sine)], [3 * w * c for w, c in zip(theta_rate, cosine)],
                   [a + 0.5 * c for a, c in zip(x, cosine)], [b + 0.5 * s for b, s in zip(y, sine)]],
        "items": [
            {"kind": "body", "name": "sleigh", "at": [[0], [1], 0], "rotation": [[2], [4], 0, [3], [2], 0, 0, 0, 1], "size": [0.35, 0.16, 0.05]},
            {"kind": "trail", "at": [[0], [1], 0]},
            {"kind": "point", "name": "C", "at": [[7], [8], 0]},
            {"kind": "line", "from": [[0], [1], 0], "to": [[7], [8], 0]},
            {"kind": "arrow", "name": "blade", "at": [[0], [1], 0], "vector": [[5], [6], 0]},
            {"kind": "curve", "points": [[-1, -0.5, 0], [0, -0.4, 0], [1, -0.5, 0], [2, -0.4, 0]]},
        ]}
    return {"name": "sleigh", "title": "Chaplygin–Carathéodory sleigh", "version": "0.1.0",
            "run": run(columns, errors, [{"name": "turn", "t": 4.2, "direction": 1}]), "scene": scene}


def disc():
    """A disc rolls upright on a circle: in space, with a body, a disk, a sphere, a box, a trail and two arrows."""
    count, r, big = 301, 0.5, 2.0
    t = times(count, 12)
    psi = [0.7 * u for u in t]
    phi = [-big / r * a for a in psi]
    x, y = [big * math.sin(a) for a in psi], [-big * math.cos(a) for a in psi]
    rotation = []
    for a, b in zip(psi, phi):  # rot(z, psi) rot(y, phi)
        ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
        rotation.append([ca * cb, -sa, ca * sb, sa * cb, ca, sa * sb, -sb, 0, cb])
    tracks = [x, y] + [[row[i] for row in rotation] for i in range(9)] + [[-math.sin(a) for a in psi], [math.cos(a) for a in psi]]
    tracks.append([4.9 + 0.8 * math.sin(3 * u) for u in t])
    rows = [[i + 2] for i in range(9)]
    columns = [column("t", "time", t), column("x", "coordinate", x), column("y", "coordinate", y), column("psi", "coordinate", psi, "<math><mi>ψ</mi></math>"),
               column("phi", "coordinate", phi, "<math><mi>φ</mi></math>"), column("psi'", "velocity", [0.7] * count, rate("ψ")),
               column("phi'", "velocity", [-2.8] * count, rate("φ"))]
    columns += [column(f"lambda_{i}", "multiplier", [math.sin(u + i) for u in t], f"<math><msub><mi>λ</mi><mn>{i}</mn></msub></math>") for i in range(1, 10)]
    scene = {
        "space": "physical", "axes": ["x", "y", "z"], "flat": False, "low": [-2.5, -2.5, 0], "high": [2.5, 2.5, 1.2], "times": t, "tracks": tracks,
        "items": [
            {"kind": "body", "name": "disc", "at": [[0], [1], r], "rotation": rows, "size": [0.3, 0.12, 0.3]},
            {"kind": "disk", "centre": [[0], [1], r], "normal": [[11], [12], 0], "radius": r},
            {"kind": "trail", "at": [[0], [1], 0]},
            {"kind": "arrow", "name": "roll", "at": [[0], [1], 0], "vector": [0, 0, [13]]},
            {"kind": "arrow", "name": "side", "at": [[0], [1], 0], "vector": [[11], [12], 0]},
            {"kind": "sphere", "centre": [0, 0, 0.4], "radius": 0.4},
            {"kind": "box", "at": [-1, 1, 0.2], "rotation": rows, "size": [0.6, 0.3, 0.2]},
            {"kind": "point", "name": "P", "at": [[0], [1], 2 * r]},
        ]}
    return {"name": "disc", "title": "Rolling disc", "version": "0.1.0", "run": run(columns, []), "scene": scene}


def pendulum():
    """A motion in configuration space: one coordinate against its rate and time, and values that are missing."""
    count = 401
    t = times(count, 40)
    theta = [1.2 * math.cos(u) for u in t]
    columns = [column("t", "time", t), column("theta", "coordinate", theta, "<math><mi>θ</mi></math>"),
               column("theta'", "velocity", [-1.2 * math.sin(u) for u in t], rate("θ")),
               column("tension", "observable", [None if 100 < i < 140 else 2 + math.cos(2 * u) for i, u in enumerate(t)])]
    scene = {"space": "configuration", "axes": ["theta", "", ""], "flat": True, "low": [-1.2, 0, 0], "high": [1.2, 0, 0], "times": t, "tracks": [theta],
             "items": [{"kind": "point", "name": "theta", "at": [[0], 0, 0]}, {"kind": "trail", "at": [[0], 0, 0]}]}
    return {"name": "pendulum", "title": "Pendulum", "version": "0.1.0", "run": run(columns, []), "scene": scene}


def speeds():
    """Not run, but with steady motions: lambda^2 + (1 - v) lambda + 1 = 0 over the speed v, stable for v < 1, and -v, 3 - v over a parameter k."""
    values = [i / 50 for i in range(151)]
    pair = [[root_of(1, 1 - v, 1, sign) for v in values] for sign in (1, -1)]
    sweeps = [{"name": "v", "label": "<math><mi>v</mi></math>", "at": 0.5, "values": values,
               "eigenvalues": [{"re": [z.real for z in branch], "im": [z.imag for z in branch]} for branch in pair],
               "critical": [{"kind": "hopf", "value": 1}]},
              {"name": "k<i>", "at": 1, "values": [1, 2, 3, 4], "eigenvalues": [{"re": [-1, -2, -3, -4], "im": [0] * 4}, {"re": [2, 1, 0, -1], "im": [0] * 4}],
               "critical": []}]
    return {"name": "speeds", "title": "A motion that loses its stability", "version": "0.1.0", "run": None, "scene": None, "steady": {"sweeps": sweeps}}


def root_of(a, b, c, sign):
    """A root of a x^2 + b x + c; sign = 1: the one with the greater imaginary part, or else the greater one."""
    return (-b + sign * cmath.sqrt(b * b - 4 * a * c)) / (2 * a)


def extremes():
    """Columns that hardly change, or not at all, of sizes at the ends of what a double holds; sixty coordinates; six digits only."""
    count = 101
    t = times(count, 10)
    wave = [math.sin(u) for u in t]
    coordinates = [column(f"q[{i}]", "coordinate", [i + 0.1 * w for w in wave]) for i in range(1, 61)]
    rates = [column(f"q[{i}]'", "velocity", [0.1 * math.cos(u) for u in t]) for i in range(1, 61)]
    observed = {"zero": [0] * count, "seven": [7] * count, "huge": [1e300 * w for w in wave], "beyond": [1.7e308 * (-1) ** i for i in range(count)],
                "tiny": [1e-300 * w for w in wave], "shifted": [2.15793 + 3e-9 * w for w in wave], "large": [123456 + w for w in wave],
                "rounded": [2.15793 + 1e-5 * (i % 2) for i in range(count)], "missing": [None] * count}
    columns = [column("t", "time", t), *coordinates, *rates, column("energy", "energy", [2.15793 + 1e-9 * w for w in wave]),
               *(column(name, "observable", values) for name, values in observed.items())]
    errors = [{"name": "energy", "scale": 2.15793, "values": [abs(1e-9 * w) for w in wave]}]
    scene = {"space": "physical", "axes": ["x", "y", "z"], "flat": True, "low": [0.8, 0.9, -0.05], "high": [1.2, 1.1, 0.05], "times": t, "tracks": [],
             "items": [{"kind": "point", "name": "still", "at": [1, 1, 0]},
                       {"kind": "ellipsoid", "at": [1, 1, 0], "rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1], "size": [0.2, 0.1, 0.05]}]}
    return {"name": "extremes", "title": "Constants, small and large", "version": "0.1.0", "run": run(columns, errors), "scene": scene}


def bounces():
    """A ball that is dropped, bounces twice, then slides to the left and sticks: rows before and after a change have the same t."""
    g, h, e, r = 9.81, 0.5, 0.5, 0.1
    rows, impacts = [], []
    start, height, speed = 0.0, h, 0.0  # of a flight: when, from where, with what speed upwards
    for flight in range(3):
        length = (speed + math.sqrt(speed * speed + 2 * g * height)) / g
        for i in range(21):
            u = length * i / 20
            rows.append((start + u, r + height + speed * u - g * u * u / 2, speed - g * u, 0, 0.0, 0.0))
        start, height, speed = start + length, 0.0, e * (g * length - speed)
        impacts.append({"name": "floor", "t": start})
    slides, sticks = start, start + 0.4
    for i in range(21):
        rows.append((slides + 0.4 * i / 20, r, 0.0, -1, g, 0.3 * g))
    for i in range(21):
        rows.append((sticks + 0.5 * i / 20, r, 0.0, 2, g, 0.0))
    t, z, rate_z, mode, normal, friction = ([row[k] for row in rows] for k in range(6))
    columns = [column("t", "time", t), column("z", "coordinate", z), column("z'", "velocity", rate_z, rate("z")), column("mode[floor]", "contact", mode),
               column("gap[floor]", "contact", [each - r for each in z]), column("normal[floor]", "contact", normal), column("friction[floor]", "contact", friction),
               column("slip[floor]", "contact", [-v for v in rate_z])]
    made = run(columns, [])
    made["pieces"] = {"contacts": [{"name": "floor", "modes": [{"t": 0, "mode": "free"}, {"t": slides, "mode": "sliding-"}, {"t": sticks, "mode": "sticking"}], "left_out": 0},
                                   {"name": "wall <b>", "modes": [{"t": 0, "mode": "free"}], "left_out": 3}],
                      "impacts": impacts, "resets": [{"name": "kick", "t": sticks}]}
    scene = {"space": "physical", "axes": ["x", "y", "z"], "flat": False, "low": [-0.1, -0.1, 0], "high": [0.1, 0.1, h + 2 * r], "times": t, "tracks": [z, mode, [each - r for each in z]],
             "items": [{"kind": "sphere", "centre": [0, 0, [0]], "radius": r}, {"kind": "contact", "name": "floor", "at": [0, 0, [2]], "mode": [1]}]}
    return {"name": "bounces", "title": "A ball that bounces", "version": "0.1.0", "run": made, "scene": scene}


def one_row():
    """A run that did not leave its start."""
    data = sleigh()
    data["name"] = "row"
    for each in data["run"]["columns"] + data["run"]["errors"]:
        each["values"] = each["values"][:1]
    data["scene"]["times"] = data["scene"]["times"][:1]
    data["scene"]["tracks"] = [track[:1] for track in data["scene"]["tracks"]]
    return data


def far():
    """A way of a thousand, gone by things that are small beside it: a point, a sphere, a disk, a body and a rod, at the left end when it begins."""
    t = times(101, 10)
    x, high = [100 * u - 500 for u in t], [3 * u for u in t]
    rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    scene = {"space": "physical", "axes": ["x", "y", "z"], "flat": False, "low": [-501, -1, -1], "high": [501, 1, 31], "times": t, "tracks": [x, high],
             "items": [{"kind": "sphere", "centre": [[0], 0, [1]], "radius": 0.5}, {"kind": "disk", "centre": [[0], 0, [1]], "normal": [0, 1, 0], "radius": 0.5},
                       {"kind": "ellipsoid", "at": [[0], 0, [1]], "rotation": rotation, "size": [0.3, 0.2, 0.1]},
                       {"kind": "line", "from": [[0], 0, [1]], "to": [[0], 0, 31]}]}
    columns = [column("t", "time", t), column("x", "coordinate", x), column("z", "coordinate", high)]
    return {"name": "far", "title": "Small things far away", "version": "0.1.0", "run": run(columns, []), "scene": scene}


def without_run():
    return {"name": "still", "title": "A model that was not run", "version": "0.1.0", "run": None, "scene": None}


def hostile():
    """Names and titles that would be markup if anything took them for it."""
    data = sleigh()
    data["name"], data["title"] = "hostile", HOSTILE
    data["run"]["columns"][1]["name"] = "<img src=x onerror=alert(1)>"
    data["run"]["columns"][1]["label"] = "<math><mi onclick=\"alert(1)\">x</mi><script>alert(1)</script></math><b>no</b>"
    data["run"]["columns"][2]["name"] = "a,\"b\""
    data["scene"]["items"][0]["name"] = "<b>sleigh</b></script>"
    return data


def json_in_html(data):
    """JSON that may stand in a script element: no < at all."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def equation(mathml, latex):
    return (f'<div class="equation"><math display="block">{mathml}</math>'
            f'<button class="copy" type="button" data-latex="{html.escape(latex)}">LaTeX</button></div>')


def ddot(symbol):
    return f"<mover><mi>{symbol}</mi><mo>¨</mo></mover>"


def long_sum(terms):
    parts = [f"<msub><mi>m</mi><mn>{i}</mn></msub><msup><mi>cos</mi><mn>2</mn></msup><mo>(</mo><mi>θ</mi><mo>)</mo>" for i in range(terms)]
    return "<mrow>" + "<mo>+</mo>".join(parts) + f"<mo>=</mo><mfrac><mi>J</mi><mrow><mi>J</mi><mo>+</mo><mi>m</mi></mrow></mfrac>{ddot('θ')}</mrow>"


FORMS = ["Lagrange", "Voronec", "Chaplygin", "Appell", "Hamel", "Kane", "Maggi", "Gibbs–Appell", "Udwadia–Kalaba", "Vakonomic"]


def equations_section():
    tabs = "".join(f'<button role="tab" type="button" id="tab-{i}" aria-controls="form-{i}" aria-selected="{"true" if i == 0 else "false"}">{name}</button>'
                   for i, name in enumerate(FORMS))
    panels = "".join(
        f'<div role="tabpanel" class="form" id="form-{i}" aria-labelledby="tab-{i}"><h3>Equations of motion</h3>'
        + equation(f"<mrow><mi>m</mi>{ddot('x')}<mo>=</mo><mo>−</mo><mi>λ</mi><mi>sin</mi><mi>θ</mi></mrow>", "m \\ddot{x} = -\\lambda \\sin\\theta")
        + equation(long_sum(4 + 3 * i), "\\sum m_i") + "<h4>Where</h4>"
        + equation("<mrow><msup><mi>T</mi><mo>*</mo></msup><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>m</mi><msup><mi>v</mi><mn>2</mn></msup></mrow>",
                   "T^* = \\tfrac12 m v^2")
        + "</div>" for i, name in enumerate(FORMS))
    return f'<section id="equations"><h2>Equations</h2><div class="tabs"><div role="tablist" aria-label="Formalisms">{tabs}</div>{panels}</div></section>'


MARKS = {
    "proved": '<circle cx="8" cy="8" r="6.5"/><path d="M5 8.2 7.2 10.5 11 6"/>',
    "refuted": '<rect x="1.5" y="1.5" width="13" height="13"/><path d="M5 5 11 11 M11 5 5 11"/>',
    "undecided": '<path d="M8 1 15 8 8 15 1 8Z"/><path d="M6.5 6.5a1.5 1.5 0 1 1 1.5 1.6V9.4 M8 11v.4"/>',
}


def proofs_section():
    rows = [("proved", "Voronec and Chaplygin agree", "random points of the constraint manifold in F_p", "error below 2⁻¹⁰⁰"),
            ("refuted", "momentum p_x is constant", "a ball that excludes 0", "at x = 1/3, y = 2/7, theta = 1.5: gap 0.25"),
            ("undecided", "Jacobi's last multiplier exists", "no decision within the budget", "–")]
    body = "".join(f'<tr class="{verdict}"><td><svg class="mark" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true">'
                   f"{MARKS[verdict]}</svg> {verdict}</td>" + "".join(f"<td>{text}</td>" for text in rest) + "</tr>" for verdict, *rest in rows)
    return ('<section id="proofs"><h2>Proofs</h2><table class="verdicts"><thead><tr><th>Verdict</th><th>Claim</th><th>Method</th><th>Bound or witness</th></tr></thead>'
            f"<tbody>{body}</tbody></table></section>")


SOURCE = """<span class="comment"># Chaplygin's sleigh</span>
<span class="keyword">system</span> <span class="name">sleigh</span> <span class="string">"Chaplygin–Carathéodory sleigh"</span>
<span class="keyword">param</span> m <span class="operator">=</span> <span class="number">1</span>, J <span class="operator">=</span> <span class="number">2</span>, a <span class="operator">=</span> <span class="number">0.5</span>
<span class="keyword">coord</span> x, y, theta

<span class="keyword">kinetic</span> m/<span class="number">2</span>*(x'^<span class="number">2</span> + y'^<span class="number">2</span>) + J/<span class="number">2</span>*theta'^<span class="number">2</span>
<span class="keyword">constraint</span> blade: y'*cos(theta) - x'*sin(theta) - a*theta' = <span class="number">0</span>  <span class="comment"># the blade does not slip sideways, whatever the speed</span>
"""


def page(data, script, style):
    title = html.escape(data["title"])
    summary = ('<table class="run-summary"><tr><th scope="row">form</th><td>chaplygin</td></tr><tr><th scope="row">method</th><td>taylor, tol 1e-12</td></tr>'
               '<tr><th scope="row">outcome</th><td>reached t = 10</td></tr></table>') if data["run"] else "<p>The model says nothing about a run.</p>"
    contents = "".join(f'<li><a href="#{name}">{name.capitalize()}</a></li>' for name in ("motion", "model", "classification", "equations", "proofs"))
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title><style>{style}</style></head>
<body>
<header><h1>{title}</h1><p class="subtitle">Three coordinates, one linear constraint on velocities, two degrees of freedom.</p></header>
<nav class="contents" aria-label="Contents"><ul>{contents}</ul></nav>
<main>
<section id="motion"><h2>Motion</h2><div id="animation"></div><div id="plots"></div>{summary}<div id="downloads"></div></section>
{'<section id="steady"><h2>Steady motions</h2><div id="stability"></div></section>' if data.get("steady") else ""}
<section id="model"><h2>Model</h2><pre class="source">{SOURCE}</pre>
<table class="parameters"><thead><tr><th>Parameter</th><th>Value</th></tr></thead><tbody><tr><td><math><mi>m</mi></math></td><td class="number">1</td></tr>
<tr><td><math><mi>J</mi></math></td><td class="number">2</td></tr></tbody></table></section>
<section id="classification"><h2>Classification</h2><ul class="facts"><li>3 coordinates, 1 constraint, 2 degrees of freedom</li><li>nonholonomic, linear and homogeneous in the velocities</li></ul>
<table class="constraints"><thead><tr><th>Constraint</th><th>Character</th><th>Equation</th></tr></thead><tbody><tr><td>blade</td><td>nonholonomic, order 1</td>
<td><math><mrow><mover><mi>y</mi><mo>˙</mo></mover><mi>cos</mi><mi>θ</mi><mo>−</mo><mover><mi>x</mi><mo>˙</mo></mover><mi>sin</mi><mi>θ</mi><mo>=</mo><mi>a</mi><mover><mi>θ</mi><mo>˙</mo></mover></mrow></math></td></tr></tbody></table></section>
{equations_section()}
{proofs_section()}
</main>
<script type="application/json" id="hamel-data">{json_in_html(data)}</script>
<script>{script}</script>
</body>
</html>
"""


def long_run():
    data = sleigh(10_000)
    data["name"] = "long"
    for each in data["run"]["columns"]:
        each["values"] = [float(f"{value:.7g}") for value in each["values"]]
    every = 20
    scene = data["scene"]
    kept = list(range(0, 10_000, every)) + [9_999]
    scene["times"] = [scene["times"][i] for i in kept]
    scene["tracks"] = [[float(f"{track[i]:.7g}") for i in kept] for track in scene["tracks"]]
    return data


def main():
    script, style = (pathlib.Path(path).read_text() for path in sys.argv[1:3])
    folder = pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for data in (sleigh(), disc(), pendulum(), without_run(), hostile(), long_run(), extremes(), one_row(), far(), speeds(), bounces()):
        (folder / f"{data['name']}.html").write_text(page(data, script, style))


main()
