"""`hamel assemble`: the completed initial state of linkages, against the law of cosines; what was given, guessed and solved; other assemblies."""
import json
import math
import random
import subprocess

import mpmath

from _checks import check, finish, near
from _linkages import TEXT, closed
from _runs import HAMEL, LIMIT, call


def assemble(text, *more):
    done = subprocess.run([HAMEL, "assemble", "-", "--json", *more], input=text, capture_output=True, text=True, timeout=LIMIT)
    check("it is assembled", done.returncode == 0, done.stderr)
    return json.loads(done.stdout)


def same_angle(name, value, expected, most):
    near(name, math.remainder(value - expected, 2 * math.pi), 0, most)


def linkages(seed, count):
    """Random four-bar linkages that close, not near to where both ways meet."""
    draw = random.Random(seed)
    while count:
        a, b, c, d, p = draw.uniform(0.3, 1), draw.uniform(1.5, 3), draw.uniform(1.5, 3), draw.uniform(1.5, 3), draw.uniform(-3, 3)
        e = math.hypot(d - a * math.cos(p), a * math.sin(p))
        if abs(b - c) + 0.3 < e < b + c - 0.3:
            count -= 1
            yield a, b, c, d, p, draw


def both_ways_in_which_a_linkage_closes_are_found():
    for a, b, c, d, p, draw in linkages(11, 15):
        ways = {side: closed(a, b, c, d, p, side) for side in (1, -1)}
        for side in (1, -1):
            q, r = ways[side]
            found = assemble(TEXT.format(a=a, b=b, c=c, d=d, p=p, q=q + draw.uniform(-0.05, 0.05), r=r + draw.uniform(-0.05, 0.05)))
            near(f"q on side {side}", float(found["q"]["q"]), q, 1e-12)
            near(f"r on side {side}", float(found["q"]["r"]), r, 1e-12)
            check("there is one other way", len(found["branches"]) == 1, str(found["branches"]))
            for other in found["branches"]:
                same_angle("q of the other way", float(other["q"]), ways[-side][0], 1e-9)
                same_angle("r of the other way", float(other["r"]), ways[-side][1], 1e-9)


def velocities_are_those_of_the_differentiated_loop():
    """a p' (-sin p, cos p) + b q' (-sin q, cos q) = c r' (-sin r, cos r): a 2 x 2 system, solved here by Cramer's rule."""
    for a, b, c, d, p, _ in linkages(12, 10):
        q, r = closed(a, b, c, d, p, 1)
        found = assemble(TEXT.format(a=a, b=b, c=c, d=d, p=p, q=q, r=r))
        det = b * c * math.sin(q - r)
        near("q'", float(found["qd"]["q"]), a * c * math.sin(r - p) / det, 1e-10)
        near("r'", float(found["qd"]["r"]), a * b * math.sin(q - p) / det, 1e-10)


def every_name_has_one_origin():
    for model in ("four_bar", "sleigh", "rolling_disc", "tumbling_box", "ball_in_bowl", "spinning_coin", "snakeboard", "pendulum"):
        found = json.loads(call("assemble", model, "--json"))
        names = list(found["q"]) + [name + "'" for name in found["qd"]] + list(found["eta"])
        listed = sum((found[key] for key in ("given", "guessed", "solved", "default")), [])
        check(f"each name of {model} is listed once", sorted(names) == sorted(listed), str(listed))
        for name, value in found["residual"].items():
            near(f"{model}: {name} holds", float(value), 0, 1e-14)


def origins_are_what_the_model_says():
    found = json.loads(call("assemble", "four_bar", "--json"))
    check("given", found["given"] == ["p", "p'"], str(found["given"]))
    check("solved", found["solved"] == ["q", "r", "q'", "r'"], str(found["solved"]))
    text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x^2 + y^2 = 1\ninitial x = 0.6\nguess y = -1, z = 4\n"
    found = assemble(text)
    check("a guess that no constraint changes", found["guessed"] == ["z"] and float(found["q"]["z"]) == 4, str(found))
    check("what nobody states is 0", sorted(found["default"]) == ["x'", "z'"], str(found["default"]))
    near("the branch of the guess", float(found["q"]["y"]), -0.8, 1e-15)
    near("the other one", float(found["branches"][0]["y"]), 0.8, 1e-10)
    moved = assemble(text, "--at", "y = 0.28")
    near("where y is given, x is solved", float(moved["q"]["x"]), 0.96, 1e-15)
    check("y is given then", moved["given"] == ["y"], str(moved["given"]))


def all_digits_are_right():
    with mpmath.workdps(60):
        found = json.loads(call("assemble", "four_bar", "--json", "--digits", "50"))
        a, b, c, d, p = 1, 2, 2, mpmath.mpf("2.2"), mpmath.mpf("0.5")
        x, y = d - a * mpmath.cos(p), -a * mpmath.sin(p)
        e = mpmath.sqrt(x**2 + y**2)
        q = mpmath.atan2(y, x) + mpmath.acos((b**2 + e**2 - c**2) / (2 * b * e))
        check("fifty digits of q", abs(mpmath.mpf(found["q"]["q"]) - q) < mpmath.mpf(10)**-49, found["q"]["q"])


def a_six_bar_linkage_has_as_many_ways_as_its_loops_allow():
    """Two loops in a row: each closes in two ways, so four in all; those of the second depend on the first."""
    text = ("coord p, q, r, u, v\nkinetic (p'^2 + q'^2 + r'^2 + u'^2 + v'^2)/2\n"
            "constraint x1: cos(p) + 2*cos(q) - 2*cos(r) = 2.2\nconstraint y1: sin(p) + 2*sin(q) - 2*sin(r) = 0\n"
            "constraint x2: cos(r) + 2*cos(u) - 2*cos(v) = 2.1\nconstraint y2: sin(r) + 2*sin(u) - 2*sin(v) = 0\n"
            "initial p = 0.5, p' = 1\nguess q = 1, r = 1.6, u = 1, v = 2\n")
    found = assemble(text)
    check("three others", len(found["branches"]) == 3, str(found["branches"]))
    sides = set()
    for q in [found["q"]] + found["branches"]:
        q = {name: float(value) for name, value in {**found["q"], **q}.items()}
        for i, (angle, coupler, rocker, d) in enumerate((("p", "q", "r", 2.2), ("r", "u", "v", 2.1))):
            x = math.cos(q[angle]) + 2 * math.cos(q[coupler]) - 2 * math.cos(q[rocker]) - d
            y = math.sin(q[angle]) + 2 * math.sin(q[coupler]) - 2 * math.sin(q[rocker])
            near(f"loop {i + 1} closes", math.hypot(x, y), 0, 1e-9)
        sides.add((math.sin(q["q"] - q["r"]) > 0, math.sin(q["u"] - q["v"]) > 0))
    check("one for each pair of sides", len(sides) == 4, str(sides))


both_ways_in_which_a_linkage_closes_are_found()
velocities_are_those_of_the_differentiated_loop()
every_name_has_one_origin()
origins_are_what_the_model_says()
all_digits_are_right()
a_six_bar_linkage_has_as_many_ways_as_its_loops_allow()
finish()
