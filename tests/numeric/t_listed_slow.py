#!/usr/bin/python3
"""Every quantity that `derive` lists is what it is called: each is evaluated at random states and set against its definition, computed by
central differences from the plain functions of the model (_listed.py, _quantities.py), and each that may be listed and is not is 0, or is
said to be left out. A name that no definition here knows is a failure. Of the pairs of a system and a form one in three, and the
first system of each form; all of them in make test-long."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import _quantities as by  # noqa: E402
from _listed import Frame, System, mpf, read  # noqa: E402
from counting import check, finish, run_size  # noqa: E402

HAMEL = os.environ["HAMEL"]
NEAR = mpf(10) ** -20  # differences are truncated at 10^-30
STATES = 1
EVERY = run_size(8, 1)
PLAIN = {"newton", "chaplygin", "voronec-linear", "voronec", "voronets-chaplygin-g", "chaplygin-g", "gaponov", "ferrers"}  # in q', whatever `quasi` says
NOTHING = {"maggi", "multipliers", "hamel-novoselov", "udwadia", "vakonomic"}  # list nothing

SYSTEMS = [
    System("sleigh", "x y theta", [("m", "1.5"), ("J", "2"), ("a", "0.5")], kinetic="m/2*(x'^2 + y'^2) + J/2*theta'^2", potential="m*x*y^2/3",
           forces=[("theta", "-0.2*theta' + x")], constraints=[("blade", "y'*cos(theta) - x'*sin(theta) - a*theta'", "0")],
           quasi=[("v", "x'*cos(theta) + y'*sin(theta)"), ("w", "theta'")], start=[("x'", "1"), ("theta'", "0.3")]),
    # affine, rheonomic, with affine quasi-velocities: every drift there is
    System("belt", "x y theta", [("a", "0.3"), ("b", "0.7")], kinetic="(x'^2 + (2 + sin(x))*y'^2)/2 + theta'^2 + t*x*y'", potential="x^2*y",
           constraints=[("blade", "x'*sin(theta) - y'*cos(theta)", "a*y + b*t*x")],
           quasi=[("v", "x'*cos(theta) + y'*sin(theta) + t*x"), ("w", "theta' + y*x - t")], start=[("x'", "1"), ("theta'", "0.3")]),
    # points in moving coordinates, an affine rheonomic constraint
    System("moving_points", "x y z", [("m", "2"), ("k", "0.4")],
           points=[("P", "m", ("x + t^2/3", "y*cos(t) + x*z", "z")), ("Q", "1", ("x*y", "t*z", "0"))], potential="m*z + x^2", forces=[("x", "-0.1*x'*y")],
           constraints=[("c", "z'", "t*y*x' + x + k*z*y'")], start=[("x", "0.3"), ("x'", "1"), ("y'", "0.5")]),
    # points under a stationary constraint: Volterra's coefficients
    System("rail", "x y z", [("m", "0.7")], points=[("P", "m", ("x + y*z/3", "y", "z*x")), ("Q", "2", ("x", "y^2", "z"))], constraints=[("c", "z'", "y*x' - x*z*y'")],
           potential="x*z", start=[("x", "0.5"), ("x'", "1"), ("y'", "0.5")]),
    # points in curved coordinates, a nonlinear homogeneous constraint
    System("cone", "r f z", [("m", "1.3"), ("k", "0.8")], points=[("P", "m", ("r*cos(f)", "r*sin(f)", "z + r^2/5"))], potential="m*z",
           constraints=[("c", "z'", "k*sqrt(r'^2 + r^2*f'^2)")], start=[("r", "1.2"), ("r'", "0.7"), ("f'", "0.9")]),
    # two points, a nonlinear rheonomic constraint that is not homogeneous
    System("speed", "x y z", [("m", "1.1")], points=[("P", "m", ("x*cos(t) - y", "y + x*z", "z")), ("Q", "2", ("x", "y*z", "t*x"))], potential="x*y*z",
           constraints=[("c", "z'^2", "x'^2 + (1 + t)^2 + y'*x")], start=[("x", "0.2"), ("z'", "1.1"), ("x'", "0.3"), ("y'", "0.6")]),
    # a body that rolls, axes of body and of space apart
    System("disc", "x y theta psi phi", [("m", "1"), ("A", "0.3"), ("C", "0.5"), ("r", "0.7")],
           bodies=[("disc", "m", ("x + r*sin(theta)*sin(psi)", "y - r*sin(theta)*cos(psi)", "r*cos(theta)"), ("A", "A", "C"),
                    [("z", "psi"), ("x", "theta"), ("z", "phi")])], potential="m*cos(theta)",
           constraints=[("c1", "x'", "r*cos(psi)*phi'"), ("c2", "y'", "r*sin(psi)*phi'")],
           quasi=[("p", "theta'"), ("q", "psi'*sin(theta)"), ("s", "phi' + psi'*cos(theta)")],
           start=[("theta", "0.4"), ("psi", "0.3"), ("theta'", "0.5"), ("psi'", "0.6"), ("phi'", "1")]),
    # a body with all six moments on an arm that moves, no constraints; a is cyclic
    System("arm", "a b c", [("l", "0.6"), ("g", "2")],
           bodies=[("top", "1.2", ("l*sin(b)*sin(a)", "-l*sin(b)*cos(a)", "l*cos(b)"), ("1", "1.4", "1.7", "0.1", "-0.2", "0.05"), [("z", "a"), ("x", "b"), ("z", "c")])],
           potential="g*cos(b)", quasi=[("p", "a'*sin(b)*sin(c) + b'*cos(c)"), ("q", "a'*sin(b)*cos(c) - b'*sin(c)"), ("s", "a'*cos(b) + c'")],
           start=[("b", "0.8"), ("c", "0.3"), ("a'", "0.4"), ("b'", "0.6"), ("c'", "0.9")]),
    # the dependent coordinate stands in the potential
    System("slope", "x y z", [("g", "3")], kinetic="(x'^2 + y'^2 + (1 + x^2)*z'^2)/2", potential="g*z*x + y^2", constraints=[("c", "z'", "y*x'")],
           start=[("x'", "1"), ("y'", "0.5")]),
    System("bent", "x y z", kinetic="(x'^2 + y'^2 + 3*z'^2)/2 + x'*z'/4", potential="z^2 + x*z*y", constraints=[("c", "z'", "sqrt(1 + x'^2 + y*y'^2)")],
           forces=[("z", "-0.3*z'")], start=[("y", "0.8"), ("x'", "1"), ("y'", "0.5")]),
    # two constraints with coefficients driven in time
    System("machine", "x1 x2 y1 y2", givens=[("u", "sin(t) + 2"), ("w", "t^2 + 1")], kinetic="(x1'^2 + 2*x2'^2 + y1'^2*(1 + y2^2) + 3*y2'^2)/2 + x1'*y1'/3", potential="y1*y2",
           constraints=[("c1", "x1'", "u*y1' + w*y2'"), ("c2", "x2'", "u^2*y1'")], independent=("y1", "y2"), start=[("y1'", "1"), ("y2'", "0.5")]),
    # a field of velocities
    System("field", "x y z", [("k", "0.6")], kinetic="((1 + y^2)*x'^2 + y'^2 + z'^2)/2", constraints=[("c", "z'", "k*y*x'")],
           cartesian=[("x'", "x + y*z"), ("y' - x*z'", "sin(x)*y")], start=[("x'", "1"), ("y'", "0.5")]),
    # not quadratic in the velocities
    System("fast", "x y z", [("c", "3")], lagrangian="-c^2*sqrt(1 - (x'^2 + y'^2 + z'^2)/c^2) - x*y*z", constraints=[("n", "z'", "y*x' + t*y'")],
           start=[("x'", "0.4"), ("y'", "0.5")]),
    # long: coefficients that do not simplify
    System("long", "x y z u", [("a", "0.3"), ("b", "0.7")],
           kinetic="(1 + a*x^2*sin(y) + b*cos(x*y))^2*x'^2/2 + (2 + sin(x + b*y)*exp(a*z))^2*y'^2/2 + (1 + a*x*y*z)^2*z'^2 + u'^2*(3 + cos(u)*x) + x'*y'*sin(z + u)/3 + z'*u'*x/5",
           potential="sin(x*y + z*u)*exp(b*u)", constraints=[("c", "u'", "(x*sin(y + z) + a*exp(b*z))*x' + (y*cos(x*z) + b*sin(u))*y' + (x + sin(x*y*u))^2*z'")],
           quasi=[("v1", "x' + (a + sin(y))*y' + z'*x*u"), ("v2", "y'*exp(a*x) - sin(z + u)*z'"), ("v3", "z'*(2 + cos(x*u)) + y*x'")],
           start=[("x", "0.3"), ("y", "0.4"), ("x'", "0.4"), ("y'", "0.5"), ("z'", "0.2")]),
]
BRACKET = {"sleigh", "disc", "arm", "slope", "field", "rail", "long"}  # q' = B(q) eta: the reduced bracket is there
CYCLIC = {"arm": ["a"]}
NONLINEAR = {"cone", "speed", "bent"}
OFF = [mpf("0.3"), mpf("-0.2")]  # how far from the constraints where a quantity is defined there


def hamel(*arguments):
    p = subprocess.run([HAMEL, *arguments], capture_output=True, text=True)
    if not p.stdout:
        raise RuntimeError(p.stderr)
    return json.loads(p.stdout)


def near_start(s, seed):
    """A position near the start of the model, and velocities of its branch."""
    r = random.Random(f"{s.name} {seed}")
    table = {c: mpf(str(round(r.uniform(-0.2, 0.2), 6))) for c in [*s.coordinates, *(c + "'" for c in s.coordinates), "t"]}
    value = {name: mpf(str(s.start.get(name, "0"))) + table[name] for name in table}
    return [value[c] for c in s.coordinates], [value[c + "'"] for c in s.coordinates], value["t"] + mpf("0.4"), r


def expected(form, x, omega):
    s = x.s
    table = {
        "lagrange": lambda: by.lagrange(x, CYCLIC.get(s.name)), "hamilton": lambda: by.hamilton(x, s.name in BRACKET and (x.frame.k or x.frame.quasi), CYCLIC.get(s.name)),
        "newton": lambda: by.newton(x, s.name not in NONLINEAR), "appell": lambda: by.appell(x), "kane": lambda: by.kane(x), "volterra": lambda: by.volterra(x, s.name == "rail"),
        "ferrers": lambda: {**by.alpha(x), **by.kinetic_star(x)}, "chaplygin-quasi": lambda: by.kinetic_star(x), "chaplygin": lambda: by.chaplygin(x),
        "voronec-linear": lambda: by.voronec_linear(x), "voronec": lambda: by.voronec(x), "hamel": lambda: by.hamel(x, omega), "poincare": lambda: by.poincare(x),
        "talamucci": lambda: by.talamucci(x), "nielsen": lambda: by.nielsen(x), "gauss": lambda: by.gauss(x), "a-model": lambda: by.a_model(x, False),
        "a-model-b": lambda: by.a_model(x, True), "voronets-chaplygin-g": lambda: by.voronets(x, 0), "chaplygin-g": lambda: by.chaplygin_g(x, OFF),
        "gaponov": lambda: by.gaponov(x), "cartesian": lambda: by.cartesian(x), "routh-chaplygin": lambda: by.routh_chaplygin(x, CYCLIC.get(s.name)),
    }
    return {} if form in NOTHING else table[form]()


class Listed(dict):
    """Values of names: those of the state, and definitions, evaluated when they are asked for."""

    def __init__(self, state, definitions):
        super().__init__(state)
        self.definitions = {d["name"]: d["value"] for d in definitions}

    def __missing__(self, name):
        self[name] = read(self.definitions[name])(self)
        return self[name]


def table_of(x, form, omega):
    s, f = x.s, x.frame
    v = s.table(x.q, x.qd, x.t)
    v.update((c + "''", a) for c, a in zip(s.coordinates, x.qdd))
    if form == "chaplygin-g":
        v.update((s.coordinates[i] + "'", x.qd[i] + h) for i, h in zip(f.dependent, OFF))
    if f.quasi:
        v.update(zip(f.names, x.eta))
        v.update((name + "'", a) for name, a in zip(f.names, x.etad))
    v.update((f"omega[{c}]", a) for c, a in zip(s.constraint_names, omega))
    return v


def state_for(s, form, answer, chosen, seed):
    lines = [e["unknown"][:-1] for e in answer["equations"] if e["kind"] == "velocity" and e.get("unknown", "").rstrip("'") in s.coordinates]
    plain = form in PLAIN or not s.psi_functions
    dependent = lines if plain and len(lines) == len(s.phi_functions) else chosen
    q, guess, t, r = near_start(s, seed)
    frame = Frame(s, dependent, not plain)
    frame.guess = guess
    eta = [mpf(str(round(r.uniform(0.3, 0.9), 6))) for _ in range(frame.m)] if not plain else [guess[i] for i in frame.independent]
    etad = [mpf(str(round(r.uniform(-1, 1), 6))) for _ in range(frame.m)]
    return by.State(frame, q, eta, etad, t), [mpf(str(round(r.uniform(-1, 1), 6))) for _ in s.phi_functions]


def is_left_out(name, left_out):
    """By its own name, or by the name of its family."""
    family = re.match(r"[A-Za-z~_]+", name)
    return any(name == o["name"] or (family and family.group() in o["name"].split(", ")) or (name.startswith("[X") and o["name"] == "[Xr,Xs]")
               or (name.startswith("dalpha") and "dalpha/dq'" in o["name"]) for o in left_out)


def compare(s, form, answer, chosen, seed, complete):
    x, omega = state_for(s, form, answer, chosen, seed)
    wanted = expected(form, x, omega)
    listed = Listed(table_of(x, form, omega), answer["definitions"])
    names = {d["name"] for d in answer["definitions"] if not re.fullmatch(r"[wukscb]\d+|sub_\d+", d["name"])}
    wrong = [f"{name} has no definition here" for name in sorted(names - set(wanted))]
    for name, value in wanted.items():
        if name in names:
            said = read(listed.definitions[name])(listed)
            if not abs(said - value) <= NEAR * (1 + abs(value)):
                wrong.append(f"{name} is {complex(value) if isinstance(value, complex) else float(value)}, listed as {float(said)}")
        elif abs(value) > NEAR and not is_left_out(name, answer["left_out"]):
            wrong.append(f"{name} is {float(value)}, and not listed")
    if complete:
        wrong += [f"{o['name']} is left out of a full list: {o['why']}" for o in answer["left_out"] if "too long" in o["why"] or "--full" in o["why"]]
    for sentence in wrong[:6]:
        check(False, f"{s.name}, {form}{' --full' if complete else ''}: {sentence}")
    check(not wrong, f"{s.name}, {form}: all {len(names)} listed quantities are right and none is missing")
    return len(names)


def is_wanted(s, form, only, forms, met):
    """Those asked for; else the first system of a form, and one pair in EVERY."""
    if only or forms:
        return not forms or form in forms
    return form not in met or (SYSTEMS.index(s) + sum(map(ord, form))) % EVERY == 0


def main(only, forms):
    total, met = 0, set()
    told = {f["id"] for f in hamel("forms", "--json")["forms"] if "lists" in f}
    with tempfile.TemporaryDirectory() as folder:
        for s in SYSTEMS:
            if only and s.name not in only:
                continue
            path = os.path.join(folder, s.name + ".ham")
            with open(path, "w") as f:
                f.write(s.text)
            chosen = hamel("check", path, "--json")["dependent"]
            for full in ([], ["--full"]):
                for answer in hamel("derive", path, "--form", "all", "--json", *full)["forms"]:
                    if answer["applies"] and (full or answer["left_out"]) and is_wanted(s, answer["id"], only, forms, met):
                        met.add(answer["id"])
                        count = sum(compare(s, answer["id"], answer, chosen, seed, bool(full)) for seed in range(STATES))
                        total += count
                        check(not count or answer["id"] in told, f"{answer['id']} tells what it lists")
    if not only and not forms:
        check(met == {f["id"] for f in hamel("forms", "--json")["forms"]}, "every form is met")
        check(total > 500 / EVERY, f"{total} quantities are listed")
    finish()


if __name__ == "__main__":
    main([a for a in sys.argv[1:] if not a.startswith("--form=")], [a[7:] for a in sys.argv[1:] if a.startswith("--form=")])
