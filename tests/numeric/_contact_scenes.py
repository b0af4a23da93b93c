"""Random scenes with contacts, for the simulator beside hamel (_rigid_contacts.py) and as models."""
import csv
import json
import math
import os
import subprocess
import tempfile

from _rigid_contacts import Body, Contact, Run, Scene

TOLERANCE = 2e-7  # two integrations, carried through up to 24 impacts and changes
FAMILIES = ("disc", "box", "wedge", "mote", "ball", "pair", "post", "shaker", "belt")


def number(x):
    return "(%r)" % float(x) if x < 0 else repr(float(x))


def vector(v):
    return "(%s)" % ", ".join(v if isinstance(v, str) else number(v) for v in v)


def tilted(angle):
    return (math.sin(angle), 0.0, math.cos(angle))


# --- drawing --------------------------------------------------------------------------------------

def law(draw, bounce=True):
    mu = draw.choice([0.0, draw.uniform(0.05, 0.8), draw.uniform(0.05, 0.8)])
    friction = (mu, mu if draw.random() < 0.6 else mu * draw.uniform(0.4, 1))
    return {"friction": friction, "restitution": draw.choice([0.0, draw.uniform(0.2, 0.95)]) if bounce else 0.0}


def draw_disc(draw):
    m, r = draw.uniform(0.3, 3), draw.uniform(0.1, 0.5)
    angle = draw.uniform(-0.5, 0.5)
    n = tilted(angle)
    height = draw.choice([0.0, draw.uniform(0.05, 0.8)])
    speed = draw.choice([0.0, draw.uniform(-2, 2)])
    belt = [speed * b for b in (math.cos(angle), 0.0, -math.sin(angle))]
    q = [(r + height) * n[0], (r + height) * n[2], draw.uniform(-1, 1)]
    v = [draw.uniform(-3, 3), draw.uniform(-2, 0.5), draw.uniform(-15, 15)]
    if height == 0:
        along = v[0] * n[0] + v[1] * n[2]
        v[0], v[1] = v[0] - along * n[0], v[1] - along * n[2]
    body = Body("disc", m, m * r * r * draw.uniform(0.3, 1), r)
    return [body], [Contact("floor", 0, base=(0, 0, 0), normal=n, belt=belt, **law(draw))], q, v


def draw_box(draw):
    m, a, b = draw.uniform(0.5, 3), draw.uniform(0.2, 0.6), draw.uniform(0.1, 0.5)
    th = draw.choice([0.0, draw.uniform(-0.7, 0.7)])
    rules = law(draw)
    if th == 0 and rules["restitution"]:
        rules["restitution"] = 0.0
    corners = [(-a, -b), (a, -b), (a, b)][:draw.choice([2, 3]) if th else 2]
    low = min(-x * math.sin(th) + z * math.cos(th) for x, z in corners)
    q = [0.0, -low + draw.choice([0.0 if th == 0 else 0.1, draw.uniform(0.05, 0.4)]), th]
    v = [draw.uniform(-2, 2), 0.0 if th == 0 else draw.uniform(-1, 0), 0.0 if th == 0 else draw.uniform(-2, 2)]
    body = Body("box", m, m * (a * a + b * b) / 3)
    return [body], [Contact("c%d" % i, 0, base=(0, 0, 0), normal=(0, 0, 1), corner=c, **rules) for i, c in enumerate(corners)], q, v


def draw_wedge(draw):
    walls = [tilted(draw.uniform(0.2, 1.2)), tilted(draw.uniform(-1.2, -0.2))]
    contacts = [Contact("w%d" % i, 0, base=(0, 0, 0), normal=n, **law(draw)) for i, n in enumerate(walls)]
    if draw.random() < 0.5:
        contacts.append(Contact("roof", 0, base=(0, 0, 2), normal=(0, 0, -1), **law(draw)))
    spring = (draw.uniform(1, 10), (draw.uniform(-0.3, 0.3), 0.0, 1.0)) if draw.random() < 0.5 else None
    return [Body("point", draw.uniform(0.5, 2), spring=spring)], contacts, [0.0, draw.uniform(0.5, 1.5)], [draw.uniform(-2, 2), draw.uniform(-2, 4)]


def draw_mote(draw):
    axis = [draw.uniform(-0.4, 0.4), draw.uniform(-0.4, 0.4), 1.0]
    size = math.sqrt(sum(a * a for a in axis))
    n = [a / size for a in axis] if draw.random() < 0.6 else [0.0, 0.0, 1.0]
    height = draw.choice([0.0, draw.uniform(0.05, 0.6)])
    v = [draw.uniform(-2, 2) for _ in range(3)]
    along = sum(a * b for a, b in zip(v, n))
    v = [a - along * b for a, b in zip(v, n)] if height == 0 else v
    push = ([draw.uniform(0, 4), draw.uniform(0, 4), 0.0], draw.uniform(2, 6)) if draw.random() < 0.4 else None
    contacts = [Contact("floor", 0, base=(0, 0, 0), normal=n, **law(draw))]
    if draw.random() < 0.4:
        contacts.append(Contact("wall", 0, base=(-1, 0, 0), normal=(1, 0, 0), **law(draw)))
    return [Body("mote", draw.uniform(0.5, 2), push=push)], contacts, [height * a for a in n], v


def draw_ball(draw):
    m, r = draw.uniform(0.5, 2), draw.uniform(0.1, 0.4)
    height = draw.choice([0.0, draw.uniform(0.05, 0.5)])
    v = [draw.uniform(-2, 2), draw.uniform(-2, 2), 0.0 if height == 0 else draw.uniform(-1, 1)] + [draw.uniform(-8, 8) for _ in range(3)]
    return [Body("ball", m, 0.4 * m * r * r, r)], [Contact("floor", 0, base=(0, 0, 0), normal=(0, 0, 1), **law(draw))], [0.0, 0.0, r + height], v


def draw_pair(draw):
    bodies = []
    for _ in range(2):
        m, r = draw.uniform(0.5, 2), draw.uniform(0.1, 0.3)
        bodies.append(Body("disc", m, 0.5 * m * r * r, r))
    contacts = [Contact("hit", 0, b=1, **law(draw)), Contact("floor", 0, base=(0, 0, 0), normal=(0, 0, 1), **law(draw)), Contact("ground", 1, base=(0, 0, 0), normal=(0, 0, 1), **law(draw))]
    q = [-0.6, bodies[0].radius + draw.choice([0.0, 0.2]), 0.0, 0.6, bodies[1].radius + draw.choice([0.0, 0.2]), 0.0]
    return bodies, contacts, q, [draw.uniform(1, 4), 0.0, draw.uniform(-9, 9), draw.uniform(-3, 0), 0.0, draw.uniform(-9, 9)]


def draw_post(draw):
    m, r = draw.uniform(0.5, 2), draw.uniform(0.05, 0.3)
    posts = [((draw.uniform(-0.4, 0.4), 0.0, -0.5), draw.uniform(0.2, 0.4)), ((draw.uniform(-1, 1), 0.0, -1.5), draw.uniform(0.2, 0.4))]
    contacts = [Contact("post%d" % i, 0, post=p, **law(draw)) for i, p in enumerate(posts)]
    return [Body("disc", m, 0.5 * m * r * r, r)], contacts, [draw.uniform(-0.2, 0.2), 0.7, 0.0], [draw.uniform(-0.3, 0.3), draw.uniform(-1, 1), draw.uniform(-9, 9)]


def draw_shaker(draw):
    rules = law(draw)
    contacts = [Contact("floor", 0, base=(0, 0, 0), normal=(0, 0, 1), shake=(draw.uniform(0.02, 0.2), draw.uniform(3, 12)), **rules)]
    return [Body("point", draw.uniform(0.5, 2))], contacts, [0.0, draw.uniform(0.1, 0.5)], [draw.uniform(-2, 2), 0.0]


def draw_belt(draw):
    mu = draw.uniform(0.2, 0.8)
    contacts = [Contact("belt", 0, base=(0, 0, 0), normal=(0, 0, 1), friction=(mu, mu * draw.uniform(0.4, 0.9)), belt=(draw.uniform(0.1, 1), 0, 0))]
    return [Body("point", draw.uniform(0.5, 2), spring=(draw.uniform(5, 40), (0.0, 0.0, 0.0)))], contacts, [draw.uniform(-0.1, 0.1), 0.0], [draw.uniform(-0.5, 0.5), 0.0]


def draw_scene(draw, family):
    bodies, contacts, q, v = globals()["draw_" + family](draw)
    return Scene(bodies, contacts, (0.0, 0.0, -draw.uniform(2, 10)), q, v)


# --- as a model -----------------------------------------------------------------------------------

def names(body, i):
    letters = ["x", "y", "z"]
    return ["%s%d" % (letters[k], i) for k in body.linear] + (["th%d" % i] if body.coordinates > len(body.linear) else [])


def place_words(body, i):
    at = ["0", "0", "0"]
    for k, axis in enumerate(body.linear):
        at[axis] = names(body, i)[k]
    return at


def body_words(body, i):
    at = vector(place_words(body, i))
    if body.kind in ("point", "mote"):
        return ["point b%d: mass %r at %s" % (i, body.mass, at)]
    words = "body b%d: mass %r at %s inertia %s" % (i, body.mass, at, vector([body.inertia] * 3))
    return [words + " rotation rot(y, th%d)" % i] if body.kind != "ball" else [words, "orientation p%d of b%d" % (i, i)]


def contact_words(scene, c):
    body, at = scene.bodies[c.a], place_words(scene.bodies[c.a], c.a)
    sides = [c.a, c.b]
    if c.corner is not None:
        cx, cz, th = number(c.corner[0]), number(c.corner[1]), "th%d" % c.a
        at = ["%s + %s*cos(%s) + %s*sin(%s)" % (at[0], cx, th, cz, th), "0", "%s - %s*sin(%s) + %s*cos(%s)" % (at[2], cx, th, cz, th)]
    if c.base is not None:
        normal, spread = vector(c.normal), 0.0 if c.corner is not None else body.radius
        gap = "dot(%s, %s - %s) - %r" % (normal, vector(at), vector(c.base), spread)
        place = "%s - %r*%s" % (vector(at), spread, normal)
    else:
        other = vector(c.post[0]) if c.post else vector(place_words(scene.bodies[c.b], c.b))
        normal = "%s - %s" % (vector(at), other)
        gap = "norm(%s) - %r" % (normal, body.radius + (c.post[1] if c.post else scene.bodies[c.b].radius))
        place = "%s - %r/norm(%s)*(%s)" % (vector(at), body.radius, normal, normal)
    parts = []
    surface = [number(b) for b in c.belt]
    if c.shake:
        gap += " - %r*sin(%r*t)" % c.shake
        surface = ["%s + %s*%r*cos(%r*t)" % (s, number(n), c.shake[0] * c.shake[1], c.shake[1]) for s, n in zip(surface, c.normal)]
    parts.append("gap " + gap)
    parts.append("at b%d %s" % (c.a, place))
    parts.append("normal " + normal)
    if c.mu_s or c.mu_k:
        parts.append("friction %r, %r" % (c.mu_s, c.mu_k))
    if c.e:
        parts.append("restitution %r" % c.e)
    if c.shake or any(c.belt):
        parts.append("moving (%s)" % ", ".join(surface))
    if sides[1] is not None:
        parts.append("against b%d" % c.b)
    return "contact %s: %s" % (c.name, ", ".join(parts))


def model_text(scene, until, count):
    lines, initial = [], []
    for i, b in enumerate(scene.bodies):
        lines.append("coord " + ", ".join(names(b, i)))
    for i, b in enumerate(scene.bodies):
        lines += body_words(b, i)
        for k, name in enumerate(names(b, i)):
            initial.append("%s = %s" % (name, number(scene.q[scene.at_q[i] + k])))
            initial.append("%s' = %s" % (name, number(scene.v[scene.at_v[i] + k])))
        if b.kind == "ball":
            spin = scene.v[scene.at_v[i] + 3:scene.at_v[i] + 6]
            initial += ["p%d[0] = 1" % i, "p%d[0]' = 0" % i] + ["p%d[%d] = 0" % (i, k) for k in (1, 2, 3)]
            initial += ["p%d[%d]' = %s" % (i, k + 1, number(w / 2)) for k, w in enumerate(spin)]
            lines += ["observe w%d%s = dot(omega(b%d), %s)" % (i, letter, i, vector([1.0 * (k == j) for j in range(3)])) for k, letter in enumerate("xyz")]
        if b.spring:
            lines.append("potential %r/2*dot(%s - %s, %s - %s)" % (b.spring[0], vector(place_words(b, i)), vector(b.spring[1]), vector(place_words(b, i)), vector(b.spring[1])))
        if b.push:
            lines.append("force on b%d = sin(%r*t)*%s" % (i, b.push[1], vector(b.push[0])))
    lines.append("gravity " + vector(scene.gravity))
    lines += [contact_words(scene, c) for c in scene.contacts]
    lines.append("initial " + ", ".join(initial))
    lines.append("simulate t = 0 .. %r, output = %r" % (until, until / count))
    return "\n".join(lines) + "\n"


# --- side by side ---------------------------------------------------------------------------------

def hamel_run(text, *options, limit=120):
    """(status, summary, rows as dictionaries, what it said)"""
    with tempfile.TemporaryDirectory() as folder:
        model, out = os.path.join(folder, "scene.ham"), os.path.join(folder, "out.csv")
        with open(model, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([os.environ["HAMEL"], "simulate", model, "--json", "-o", out, *options], capture_output=True, text=True, timeout=limit, check=False)
        rows = []
        if os.path.exists(out):
            with open(out, encoding="utf-8") as file:
                rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else {}, rows, done.stderr


def columns(scene):
    q, v = [], []
    for i, b in enumerate(scene.bodies):
        q += names(b, i)
        v += [n + "'" for n in names(b, i)] + (["w%d%s" % (i, letter) for letter in "xyz"] if b.kind == "ball" else [])
    return q + v


def changes_of(summary):
    # resting: sticking, where another contact of the body holds it in the same direction
    plain = {"sliding-": "sliding", "resting": "sticking"}
    out = []
    for c in summary["changes"]:
        word = plain.get(c.get("from"), c.get("from", "")) + ">" + plain.get(c.get("to"), c.get("to", ""))
        out.append((float(c["t"]), c["kind"], c["name"], word if c["kind"] == "mode" else -float(c["speed"])))
    return out


def ordered(changes):
    """Those of one moment in one order; that a contact slides the other way is no change here."""
    out, group = [], []
    for c in changes:
        if c[3] in ("sliding>sliding", "sticking>sticking"):  # resting>sticking is the second
            continue
        if group and c[0] - group[0][0] > 1e-6:
            out += sorted(group, key=lambda x: (x[1], x[2]))
            group = []
        group.append(c)
    return out + sorted(group, key=lambda x: (x[1], x[2]))


def compare(scene, until, *options, count=20):
    """(what is wrong, or "", number of changes compared, how far). One answer of the second simulator against hamel."""
    run = Run(scene)
    comparable = run.go(until, [until * (k + 1) / count for k in range(count)])
    text = model_text(scene, until, count)
    status, summary, rows, said = hamel_run(text, "--tol", "1e-12", *options)
    end = comparable - (1e-5 if comparable < until else -1e-9)
    if status and comparable >= until:
        return "exit status %d: %s" % (status, said.strip()), 0, comparable
    if "changes" not in summary:
        return ("no summary: " + said.strip()) if comparable > 1e-5 else "", 0, comparable
    mine = ordered([c for c in run.changes if c[0] < end])
    theirs = ordered([c for c in changes_of(summary) if c[0] < end])
    for a, b in zip(mine, theirs):
        if abs(a[0] - b[0]) > TOLERANCE * 10 or a[1:3] != b[1:3] or (a[1] == "mode" and a[3] != b[3]) or (a[1] == "impact" and abs(a[3] - b[3]) > 100 * TOLERANCE * (1 + a[3])):
            if a[1] == b[1] == "mode" and abs(a[0] - b[0]) <= TOLERANCE * 10 and a[0] >= run.shared_from:
                break  # the same rest under other names: states are compared below
            return "change %s, hamel has %s" % (a, b), 0, comparable
    else:
        if len(mine) != len(theirs) and not (run.shared_from < end and all(c[1] == "mode" for c in mine[len(theirs):] + theirs[len(mine):])):
            return "changes %s, hamel has %s" % (mine[len(theirs):], theirs[len(mine):]), 0, comparable
    for t, q, v in run.rows:
        if t >= end:
            continue
        near = [r for r in rows if abs(r["t"] - t) < 1e-9]
        if not near:
            return "no row at t = %r" % t, 0, comparable
        for name, value in zip(columns(scene), list(q) + list(v)):
            if min(abs(r[name] - value) for r in near) > TOLERANCE * (1 + abs(value)):
                return "%s at t = %r is %r, hamel has %r" % (name, t, value, [r[name] for r in near]), 0, comparable
    return "", len(mine), comparable
