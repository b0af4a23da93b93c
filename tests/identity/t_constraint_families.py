#!/usr/bin/python3
"""Constraints written with more rows than their rank, as products and as powers, against the same constraints written by hand.

W is a set of r independent constraints; the family is F*W with a random k x r matrix F of functions, k > r, many of which vanish at the start. Both have the same
motion: the same accelerations at the start and along a run, the same number of degrees of freedom, the same verdicts. Products with a factor that does not
vanish at the start, and powers, likewise."""
import json
import math
import os
import random
import subprocess
import sys

HAMEL = os.environ["HAMEL"]
FAMILIES = int(sys.argv[1]) if len(sys.argv) > 1 else 24
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
ALLOWED = 1e-11  # of accelerations, relative to 1 + |value|; computed to 15 digits
names = ["x", "y", "z", "u", "p"]
passed = failed = 0


def hamel(command, text, *options):
    done = subprocess.run([HAMEL, command, "-", *options], input=text, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def check(name, wrong, text=""):
    global passed, failed
    passed, failed = passed + (not wrong), failed + bool(wrong)
    if wrong:
        print("FAIL %s: %s\n%s" % (name, wrong, text))


def accelerations(text):
    code, out, err = hamel("eval", text, "--json", "--digits", "15")
    if code:
        return None, err
    return {q: float(v) for q, v in json.loads(out)["qdd"].items()}, err


def freedom(text):
    code, out, err = hamel("check", text, "--json")
    return json.loads(out)["m"] if not code else err


def verdict(text):
    code, out, err = hamel("prove", text, "--json")
    wanted = ("claim",)
    return [(v["name"], v["verdict"]) for v in json.loads(out)["verdicts"] if v["kind"] in wanted] if out else err


def compare(name, family, plain, judge):
    here, err = accelerations(family)
    there, other = accelerations(plain)
    if here is None or there is None:
        return check(name, "no accelerations: %s %s" % (err, other), family + plain)
    gap = max(abs(here[q] - there[q]) / (1 + abs(there[q])) for q in there)
    check(name, gap > ALLOWED and "accelerations differ by %.2g" % gap, family + plain)
    check(name, freedom(family) != freedom(plain) and "freedom %s instead of %s" % (freedom(family), freedom(plain)), family)
    if judge:
        ours, theirs = verdict(family), verdict(plain)
        check(name, ours != theirs and "verdicts %s instead of %s" % (ours, theirs), family)


# --- constraints -----------------------------------------------------------------------------------------------------------------
def constraints(r, rank):
    """rank constraints x' = .., y' = .. with random coefficients in the other velocities: independent everywhere."""
    functions = ["sin(p)", "cos(p)", "u", "z", "1", "2", "y", "cos(u)", "x*z"]
    rows = []
    for i in range(rank):
        terms = ["%s'" % names[i]]
        for q in names[rank:]:
            if r.random() < 0.7:
                terms.append("%s%s*%s'" % (r.choice(["", "-"]), r.choice(functions), q))
        if r.random() < 0.2:
            terms.append(r.choice(functions))
        rows.append(" + ".join(terms))
    return rows


def system(r):
    mass = [r.randint(1, 4) for _ in names]
    return "coord %s\nkinetic (%s)/2\npotential %s\n" % (
        ", ".join(names), " + ".join("%d*%s'^2" % (m, q) for m, q in zip(mass, names)), r.choice(["x + p", "z*p", "x^2 + u^2 - p", "cos(p) + y"]))


def start(r, rank):
    """Positions where many of the functions vanish; the independent velocities."""
    at = ["%s = %s" % (q, r.choice(["0", "0", "0", "1", "1/2"])) for q in names[:-1]] + ["p = %s" % r.choice(["0", "0", "pi/2", "1"])]
    return "initial " + ", ".join(at + ["%s' = %d" % (q, r.randint(1, 3)) for q in names[rank:]]) + "\n"


def a_family_has_the_motion_of_its_constraints(r, judge):
    rank = r.randint(1, 2)
    rows, count = constraints(r, rank), rank + r.randint(1, 2)
    entries = ["sin(p)", "cos(p)", "u", "z", "1 + x", "p", "sin(u)", "1", "0", "2"]
    while True:
        matrix = [[r.choice(entries) for _ in range(rank)] for _ in range(count)]
        if rank == 1 and ("1" in [m[0] for m in matrix] or "cos(p)" in [m[0] for m in matrix] and "sin(p)" in [m[0] for m in matrix]):
            break
        if rank == 2 and ["1", "0"] in matrix and any(m[1] != "0" for m in matrix):
            break
    text, where = system(r), start(r, rank)
    family = "".join("constraint f%d: %s = 0\n" % (i, " + ".join("(%s)*(%s)" % (f, w) for f, w in zip(m, rows))) for i, m in enumerate(matrix))
    plain = "".join("constraint w%d: %s = 0\n" % (i, w) for i, w in enumerate(rows))
    claims = "claim a: %s = 0\nclaim b: %s' = 0\n" % (rows[0], names[-1])
    compare("a family of %d with rank %d" % (count, rank), text + family + where + claims, text + plain + where + claims, judge)


def a_product_or_power_has_the_motion_of_its_factor(r, judge):
    rows = constraints(r, 1)
    other = r.choice(["(p' - 7)", "(z' - 5*u' + 30)", "(1 + x^2)", "exp(u)", "(p - 9)", "(x'^2 + 1)", "(u' + p' + 20)"])
    product = r.choice(["(%s)*%s" % (rows[0], other), "%s*(%s)" % (other, rows[0]), "(%s)^2" % rows[0], "(%s)^3" % rows[0], "(%s)^2*%s" % (rows[0], other)])
    text, where = system(r), start(r, 1)
    claims = "claim a: %s = 0\nclaim b: %s' = 0\n" % (rows[0], names[-1])
    compare("the product %s" % product, text + "constraint c: %s = 0\n" % product + where + claims,
            text + "constraint c: %s = 0\n" % rows[0] + where + claims, judge)


# --- rolling on curved surfaces ----------------------------------------------------------------------------------------------------
# velat(..) = (0, 0, 0) has three components of rank 2: the one along the normal says nothing. By hand it is projected on the tangents.
def ball(surface, tangents, where):
    head = "param m = 1, a = 1, r = 1/4, g = 9.81\ncoord %s, al, be, ga\nlet n = %s\nlet c = %s\n" % surface
    head += "body ball: mass m at c inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2) rotation rot(z, al)*rot(x, be)*rot(z, ga)\ngravity (0, 0, -g)\nlet v = velat(ball, c + r*n)\n"
    rows = "".join("constraint t%d: dot(v, %s) = 0\n" % (i, t) for i, t in enumerate(tangents))
    return head + "constraint roll: v = (0, 0, 0)\n" + where, head + rows + where


CYLINDER = ("ph, z", "(cos(ph), sin(ph), 0)", "(a - r)*n + (0, 0, z)"), ("(-sin(ph), cos(ph), 0)", "(0, 0, 1)")
BOWL = ("th, ph", "(sin(th)*cos(ph), sin(th)*sin(ph), -cos(th))", "(a - r)*n"), ("(-sin(ph), cos(ph), 0)", "(cos(th)*cos(ph), cos(th)*sin(ph), sin(th))")


def rolling_is_as_exact_as_when_projected_by_hand():
    for angle in ("0", "pi/2", "1", "pi"):
        compare("a ball in a cylinder at ph = " + angle, *ball(*CYLINDER, "initial ph = %s, be = 1, ph' = 2, z' = 1\n" % angle), False)
        for slope in ("pi/2", "1"):
            compare("a ball in a bowl at th = %s, ph = %s" % (slope, angle),
                    *ball(*BOWL, "initial th = %s, ph = %s, be = 1, ph' = 2\n" % (slope, angle)), False)


# z'' = -2/7 ph'^2 (z - z0): with ph' = 2 the ball is back at its height after 2 pi/(2 sqrt(2/7)) = pi sqrt(7/2).
def a_ball_in_a_cylinder_has_its_period():
    period = math.pi * math.sqrt(3.5)
    for text in ball(*CYLINDER, "initial ph = 0, be = 1, ph' = 2, z' = 1\n"):
        code, out, err = hamel("simulate", text, "-o", "-", "--until", repr(2 * period), "--every", repr(period))
        rows = [line.split(",") for line in out.split()]
        z = [float(row[rows[0].index("z")]) for row in rows[1:]] if len(rows) == 4 else []
        check("the period of a ball in a cylinder", (len(z) != 3 or max(map(abs, z)) > 1e-7) and "heights %s\n%s" % (z, err), text)


rolling_is_as_exact_as_when_projected_by_hand()
a_ball_in_a_cylinder_has_its_period()
random_numbers = random.Random(SEED)
for number in range(FAMILIES):
    a_family_has_the_motion_of_its_constraints(random_numbers, number % 8 == 0)
    a_product_or_power_has_the_motion_of_its_factor(random_numbers, number % 8 == 4)
print("%d passed, %d failed (seed %d)" % (passed, failed, SEED))
sys.exit(bool(failed) or not passed)
