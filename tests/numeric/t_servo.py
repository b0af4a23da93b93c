"""Servo constraints, N_i = sum lambda_nu b_nu,i with a stated b.
Random models with random directions, against [M, -B^T - C^T; A, 0] made by SymPy and solved by mpmath, by every form; closed forms of the library's models; servos that cannot hold what they prescribe,
with the relative degree that is known of them."""
import json
import math
import random
import re
import subprocess

import mpmath
import sympy

from _checks import HAMEL, check, finish, near
from _reactive import Drawn, evaluate, hamel
from _runs import summary

FORMS = ("maggi", "multipliers", "hamilton", "appell", "ferrers", "voronec", "chaplygin-quasi", "hamel-novoselov", "udwadia", "nielsen", "gauss")
DRAWN = 24


def random_models():
    for seed in range(100, 100 + DRAWN):
        d = Drawn(seed, servo=True)
        text = d.text()
        for form in FORMS:
            e = evaluate(text, "--form", form)
            x = d.solution(e) if form == FORMS[0] else x
            found = [e["qdd"][str(q)] for q in d.q] + [e["lambda"][f"c{nu+1}"] for nu in range(d.k)]
            worst = max(abs(mpmath.mpf(f) - v) / max(1, abs(v)) for f, v in zip(found, x))
            check(f"drawn servo model {seed} by {form}", worst < 1e-23, f"{worst}\n{text}")
        along = sympy.lambdify([d.t, *d.q, *d.v], d.directions(), "mpmath")(*d.values(e))
        for i, q in enumerate(d.q):
            acts = sum(x[d.n + nu] * along[nu][i] for nu in range(d.k))
            check(f"the reaction that acts on {q} of {seed}", abs(mpmath.mpf(e["reaction"][str(q)]) - acts) < 1e-20 * (1 + abs(acts)), f"{e['reaction'][str(q)]} {acts}")
        if seed % 6 == 0:
            verdicts = json.loads(hamel("prove", text, "--json").stdout)["verdicts"]
            check(f"all forms of drawn servo model {seed} agree",
                  all(v["verdict"] == "proved" or (v["name"], v["verdict"]) == ("hamilton", "undecided") for v in verdicts), str(verdicts) + text)


def the_cart():
    """x'' = -g tan(a); the work of the motor is the gain of kinetic energy."""
    draw = random.Random(5)
    for _ in range(6):
        a, m, big = draw.uniform(-1.2, 1.2), draw.uniform(0.1, 3), draw.uniform(0.1, 3)
        f = summary("cart_servo", set=[f"a={a!r}", f"m={m!r}", f"M={big!r}"], until=2)["final"]
        near("the cart", float(f["x"]), 2 - 9.81 * math.tan(a) * 2, 1e-10)
        near("its motor", float(f["force"]), -(m + big) * 9.81 * math.tan(a), 1e-10)
    ideal = subprocess.run([HAMEL, "show", "cart_servo"], capture_output=True, text=True).stdout.replace(" by x: 1", "")
    near("an ideal joint leaves the cart alone", float(evaluate(re.sub(r"^claim.*\n", "", ideal, flags=re.M))["qdd"]["x"]), 0, 1e-20)


def the_gyrocompass_moves_as_without_its_ring():
    text = subprocess.run([HAMEL, "show", "gyrocompass"], capture_output=True, text=True).stdout
    bare = re.sub(r"^(kinetic|dissipation|constraint|claim|observe|draw).*\n", "", text, flags=re.M).replace(", phi\n", "\n")
    ideal = re.sub(r"^(claim|observe|draw).*\n", "", text, flags=re.M).replace(" by phi: 1", "")
    far = [json.loads(hamel("simulate", t, "--json", "--until", "20").stdout)["final"] for t in (text, bare, ideal)]
    for q in ("alpha", "beta", "alpha'", "beta'"):
        near(f"{q} of the compass", float(far[0][q]), float(far[1][q]), 1e-8)
    check("an ideal ring is felt", abs(float(far[0]["alpha"]) - float(far[2]["alpha"])) > 1e-3, str(far[2]))


CHAIN = """coord {names}
kinetic ({kinetic})/2
potential ({potential})/2
constraint hold: q{n} = sin(t) by q1: 1
"""


def what_no_servo_holds():
    for n in (2, 3, 4):  # masses and springs: the force on the first reaches the last after 2 n differentiations
        text = CHAIN.format(names=", ".join(f"q{i+1}" for i in range(n)), n=n, kinetic=" + ".join(f"q{i+1}'^2" for i in range(n)),
                            potential=" + ".join(f"3*(q{i+1} - q{i+2})^2" for i in range(n - 1)))
        for command, status in (("check", 2), ("eval", 5), ("simulate", 5)):
            done = hamel(command, text)
            check(f"a chain of {n}: {command}", done.returncode == status and f"relative degree {2*n}" in done.stderr, done.stderr)
    coupled = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^2\nconstraint hold: y = sin(t) by x: 1\n"
    done = hamel("check", coupled)
    check("what does not feel the servo", done.returncode == 2 and "prescribed twice" in done.stderr, done.stderr)
    twice = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: y = x\nconstraint b: 2*y = 2*x by x: 1\n"
    done = hamel("check", twice)
    check("what is prescribed twice", done.returncode == 2 and "prescribed twice" in done.stderr, done.stderr)
    other = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: z' = 0\nconstraint b: 3*z' = 0\nconstraint c: y = t by y: 1\ninitial x' = 1\n"
    check("ideal constraints may be redundant beside a servo", hamel("eval", other).returncode == 0)
    alike = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: x = t by x: 1, y: 1\nconstraint b: y = t by x: 1, y: 1\n"
    done = hamel("eval", alike)
    check("two servos that act alike", done.returncode == 5 and "act alike" in done.stderr, done.stderr)
    into = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint c: y = 0 by x: 1, y: 1 - x\ninitial x = 0, x' = 1\n"
    done = hamel("simulate", into, "--until", "9")
    check("a run that ends where the servo fails", done.returncode == 5 and "servo" in done.stderr, done.stderr)


random_models()
the_cart()
the_gyrocompass_moves_as_without_its_ring()
what_no_servo_holds()
finish()
