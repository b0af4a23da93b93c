"""Forces that hold multipliers, as friction holds the normal reaction.
Closed forms of textbooks; random models whose forces are random and affine in the multipliers, against [M, -A^T - C^T; A, 0] made by SymPy and solved by mpmath, by every form; and Painleve's rod,
whose equations are singular where 1 + 3 cos(th)^2 = 3 mu sin(th) cos(th). No code is shared.
"""
import json
import math
import random

import mpmath

from _checks import check, finish, near, run
from _reactive import Drawn, evaluate, hamel

FORMS = ("maggi", "multipliers", "hamilton", "appell", "ferrers", "voronec", "chaplygin-quasi", "hamel-novoselov", "udwadia", "nielsen", "gauss")
DRAWN = 24


# --- closed forms --------------------------------------------------------------------------------

INCLINE = """param m = 2, g = 9.81, mu = 0.3, a = 0.7
coord x, y
kinetic m/2*(x'^2 + y'^2)
potential m*g*(y*cos(a) - x*sin(a))
constraint floor: y = 0
force x = -mu*lambda[floor]*sign(x')
initial x' = 1
claim slides: x'' = g*(sin(a) - mu*cos(a)*sign(x'))
claim normal: lambda[floor] = m*g*cos(a)
"""


def a_block_slides_down():
    """x'' = g (sin(a) - mu cos(a)), and the energy that is lost is mu m g cos(a) x."""
    draw = random.Random(1)
    for _ in range(6):
        m, mu, a = draw.uniform(0.1, 5), draw.uniform(0, 0.5), draw.uniform(0.6, 1.5)
        sets = [f for v in (("m", m), ("mu", mu), ("a", a)) for f in ("--set", "%s=%r" % v)]
        out = json.loads(run(INCLINE, "--json", "--until", "2", *sets).stdout)
        x = 2 + 9.81 * (math.sin(a) - mu * math.cos(a)) * 2
        near("the block", float(out["final"]["x"]), x, 1e-9)
        near("its energy", float(out["final"]["energy"]), m / 2 - mu * m * 9.81 * math.cos(a) * x, 1e-9)
    done = hamel("prove", INCLINE, "--certify", "--json")
    verdicts = json.loads(done.stdout)["verdicts"]
    check("the block is proved", done.returncode == 0 and all(v["verdict"] == "proved" for v in verdicts), done.stdout)


WIRE = """param m = 1, w = 2, mu = 0.25
coord r, th
kinetic m/2*(r'^2 + r^2*th'^2)
constraint turns: th' = w
force r = -mu*lambda[turns]/r
initial r = 1, th = 0, r' = 0.5
claim bead: r'' = w^2*r - 2*mu*w*r'
"""


def a_bead_on_a_turning_wire():
    """The wire pushes with 2 m w r', friction opposes r': r'' + 2 mu w r' - w^2 r = 0."""
    draw = random.Random(2)
    for _ in range(6):
        w, mu, v = draw.uniform(0.5, 2), draw.uniform(0, 0.9), draw.uniform(0.1, 2)
        root = math.sqrt(mu**2 + 1)
        p, q = w * (root - mu), -w * (root + mu)
        a = (v - q) / (p - q)
        out = json.loads(run(WIRE, "--json", "--until", "1.5", "--set", f"w={w!r}", "--set", f"mu={mu!r}", "--at", f"r'={v!r}").stdout)
        near("the bead", float(out["final"]["r"]), a * math.exp(1.5 * p) + (1 - a) * math.exp(1.5 * q), 1e-9)
    check("the bead is proved", hamel("prove", WIRE).returncode == 0)


SPHERE = """param m = 2, R = 1.5, g = 9.81, mu = 0.2
coord x, y, z
point P: mass m at (x, y, z)
gravity (0, 0, -g)
constraint s: (x^2 + y^2 + z^2 - R^2)/(2*R) = 0
force on P = -mu*lambda[s]*vel(P)/norm(vel(P))
initial x = 0.9, y = 0, z = 1.2, x' = 0.3, y' = 0.5
event leaves: lambda[s] down stop
claim normal: lambda[s] = m*g*z/R - m*(x'^2 + y'^2 + z'^2)/R
"""


def a_particle_on_a_rough_sphere():
    """Without side velocity, u = v^2 as a function of the angle from the top: u' = 2 g R sin - 2 mu (g R cos - u), a linear equation."""
    g, radius, mu, th0 = 9.81, 1.5, 0.2, 0.3
    u0 = 1.0
    # u = a cos + b sin + c exp(2 mu th): -a = 2 g R + 2 mu b ; b = -2 mu g R + 2 mu a
    a = -2 * g * radius * (1 - 2 * mu**2) / (1 + 4 * mu**2)
    b = -2 * mu * g * radius + 2 * mu * a
    c = (u0 - a * math.cos(th0) - b * math.sin(th0)) / math.exp(2 * mu * th0)
    u = lambda th: a * mpmath.cos(th) + b * mpmath.sin(th) + c * mpmath.exp(2 * mu * th)
    leaves = float(mpmath.findroot(lambda th: u(th) - g * radius * mpmath.cos(th), (0.5, 1.2), solver="anderson"))
    at = (f"x={radius*math.sin(th0)!r}, y=0, z={radius*math.cos(th0)!r}, x'={math.cos(th0)!r}, y'=0")
    for options in ([], ["--form", "multipliers"], ["--form", "udwadia"], ["--form", "multipliers", "--method", "ida"], ["--method", "taylor"]):
        out = json.loads(run(SPHERE, "--json", "--until", "5", "--at", at, *options).stdout)
        near(f"it leaves the sphere {options}", float(out["final"]["z"]), radius * math.cos(leaves), 1e-7 if "ida" in options else 1e-9)
    check("the normal force is proved", hamel("prove", SPHERE).returncode == 0)


def solutions_are_judged():
    """r'' = 4 r - 3 r' for w = 2, mu = 3/4: exp(t) is a solution, exp(2 t) none; and a motion that is prescribed."""
    wire = WIRE.replace("w = 2, mu = 0.25", "w = 2, mu = 3/4").replace("th' = w", "th = w*t").replace("r' = 0.5", "r' = 1")
    path = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint a: x = sin(t)\nconstraint b: y' = x'\ninitial y = 0\n"
    for text, right, wrong in ((wire, "r = exp(t), th = 2*t", "r = exp(2*t), th = 2*t"), (path, "x = sin(t), y = sin(t)", "x = sin(t), y = cos(t)")):
        done = hamel("prove", text + f"claim right: solution {right}\nclaim wrong: solution {wrong}\n", "--json")
        verdicts = {v["name"]: v["verdict"] for v in json.loads(done.stdout)["verdicts"]}
        check("solutions", (verdicts["right"], verdicts["wrong"]) == ("proved", "refuted"), str(verdicts))


# --- Painleve's rod ------------------------------------------------------------------------------

ROD = """param m = 1, l = 1, g = 9.81, mu = 5/3
coord x, y, th
point end: mass 0 at (x - l*cos(th), y - l*sin(th), 0)
kinetic m/2*(x'^2 + y'^2) + m*l^2/6*th'^2
potential m*g*y
constraint floor: y - l*sin(th) = 0
force on end = (-mu*lambda[floor]*sign(x' + l*sin(th)*th'), 0, 0)
initial th = 1.2, x' = -3
"""


def the_rod():
    """lambda (1 + 3 cos^2 - 3 mu sin cos) = m (g - l sin th'^2) while its end slides to the left."""
    draw = random.Random(3)
    for _ in range(8):
        mu, th, rate = draw.uniform(0, 3), draw.uniform(0.2, 1.5), draw.uniform(-1, 1)
        e = evaluate(ROD, "--set", f"mu={mu!r}", "--at", f"th={th!r}, x'=-9, th'={rate!r}")
        divisor = 1 + 3 * math.cos(th)**2 - 3 * mu * math.sin(th) * math.cos(th)
        near("the rod's reaction", float(e["lambda"]["floor"]) * divisor, 9.81 - math.sin(th) * rate**2, 1e-11)
    at_once = hamel("eval", ROD, "--at", "th=pi/4, x'=-3")
    check("a state of Painleve has no acceleration", at_once.returncode == 5 and "Painleve" in at_once.stderr and "th = 0.785398" in at_once.stderr, at_once.stderr)
    begun = hamel("simulate", ROD, "--at", "th=pi/4, x'=-3")
    check("no run begins there", begun.returncode == 5 and "Painleve" in begun.stderr, begun.stderr)
    looked = hamel("check", ROD.replace("th = 1.2", "th = pi/4"))
    check("check says so", looked.returncode == 2 and "Painleve" in looked.stderr, looked.stderr)
    for form in ("maggi", "multipliers", "hamilton"):
        into = hamel("simulate", ROD, "--json", "--form", form, "--set", "mu=1.8", "--until", "5")
        end = json.loads(into.stdout)["final"]
        tangent = (3 * 1.8 - math.sqrt(9 * 1.8**2 - 16)) / 2  # t^2 - 3 mu t + 4 = 0, the lower root
        check(f"a run by {form} that gets there says so", into.returncode == 5 and "Painleve" in into.stderr, into.stderr)
        near(f"it ends where the equations are singular, {form}", float(end["th"]), math.atan(tangent), 1e-4)


# --- random models -------------------------------------------------------------------------------

def random_models():
    for seed in range(DRAWN):
        d = Drawn(seed)
        text = d.text()
        for form in FORMS:
            e = evaluate(text, "--form", form)
            x = d.solution(e) if form == FORMS[0] else x
            found = [e["qdd"][str(q)] for q in d.q] + [e["lambda"][f"c{nu+1}"] for nu in range(d.k)]
            worst = max(abs(mpmath.mpf(f) - v) / max(1, abs(v)) for f, v in zip(found, x))
            check(f"drawn model {seed} by {form}", worst < 1e-24, f"{worst}\n{text}")
        if seed % 6 == 0:
            # F_p has no roots of p = dL/dq' where a square root holds a velocity: hamilton may stay undecided
            verdicts = json.loads(hamel("prove", text, "--json").stdout)["verdicts"]
            check(f"all forms of drawn model {seed} agree",
                  all(v["verdict"] == "proved" or (v["name"], v["verdict"]) == ("hamilton", "undecided") for v in verdicts), str(verdicts) + text)


a_block_slides_down()
a_bead_on_a_turning_wire()
a_particle_on_a_rough_sphere()
solutions_are_judged()
the_rod()
random_models()
finish()
