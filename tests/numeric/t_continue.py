"""Continuation of steady motions, against closed forms and against roots that numpy finds.

Equilibria of one coordinate with a polynomial potential are real roots of a polynomial: for each p of a grid numpy has all of them, and the branches must
pass each once. The first Lyapunov coefficient is compared with the formula for planar systems of Guckenheimer and Holmes (3.4.11), which shares no step
with Kuznetsov's, for random quadratic and cubic terms.
"""
import json
import math
import random

import mpmath
import numpy as np
from _checks import check, finish, near
from _runs import RunFailed, call
from t_symmetries import text_model

mpmath.mp.dps = 40


def follow(model, vary, *more):
    """What is found, with numbers as floats; values and radii of special points keep their digits."""
    found = json.loads(call("continue", model, "--json", "--vary", vary, *more))
    for branch in found["branches"]:
        for point in branch["points"] + branch["special"]:
            point["state"] = {name: float(v) for name, v in point["state"].items()}
            for key in ("frequency", "l1"):
                if key in point:
                    point[key] = float(point[key])
        for point in branch["points"]:
            point["value"] = float(point["value"])
    return found


def special(found, kind):
    """Special points of a kind on all branches, each once."""
    seen = {}
    for branch in found["branches"]:
        for point in branch["special"]:
            if point["kind"] == kind:
                seen[point["value"], json.dumps(point["state"])] = point
    return sorted(seen.values(), key=lambda p: float(p["value"]))


def enclosed(name, point, exact):
    check(f"{name} is proved", "radius" in point, str(point))
    value, radius = mpmath.mpf(point["value"]), mpmath.mpf(point.get("radius", 0))
    check(f"{name} is in its ball", abs(value - exact) <= radius + mpmath.mpf(10) ** -28 * (1 + abs(exact)), f"{value} {exact}")


def system(potential, rest, start, extra=""):
    return text_model(f"system s\nparam p = {rest}\ncoord x\nkinetic x'^2/2\npotential {potential}\ndissipation x'^2/5\n{extra}initial x = {start}\n")


def crossings(found, p):
    """Values of x where the branches pass p, between neighbouring points."""
    values = []
    for branch in found["branches"]:
        points = [(q["value"], q["state"]["x"]) for q in branch["points"]]
        for (a, x), (b, y) in zip(points, points[1:]):
            if (a <= p) != (b <= p):
                values.append(x + (p - a) / (b - a) * (y - x))
    return sorted(values)


def real_roots(coefficients):
    roots = np.roots(coefficients)
    return sorted(r.real for r in roots if abs(r.imag) < 1e-9)


def cubics_pass_all_roots():
    source = random.Random(3)
    for _ in range(6):
        a, b = source.randint(-6, 6) / 4, -source.randint(1, 12) / 4
        # x^3 + a x^2 + b x = p: folds where 3 x^2 + 2 a x + b = 0
        found = follow(system(f"x^4/4 + ({a})*x^3/3 + ({b})*x^2/2 - p*x", 9, 3), "p = -9..9")
        folds = special(found, "fold")
        exact = sorted(x**3 + mpmath.mpf(a) * x**2 + mpmath.mpf(b) * x for x in mpmath.polyroots([3, 2 * mpmath.mpf(a), mpmath.mpf(b)], extraprec=200))
        check("a cubic has two folds", len(folds) == 2, str([f["value"] for f in folds]))
        for point, value in zip(folds, exact):
            enclosed(f"the fold of x^3 + {a} x^2 + {b} x", point, value)
        for p in np.linspace(-8.7, 8.7, 41):
            mine, roots = crossings(found, p), real_roots([1, a, b, -p])
            check(f"all roots at p = {p:.3f} are passed", len(mine) == len(roots), f"{mine} {roots}")
            for x, y in zip(mine, roots):
                near("a root", x, y, 2e-2)
        for branch in found["branches"]:
            worst = max(abs(q["state"]["x"] ** 3 + a * q["state"]["x"] ** 2 + b * q["state"]["x"] - q["value"]) for q in branch["points"])
            check("each point is an equilibrium", worst < 1e-9, str(worst))
            for q in branch["points"]:
                slope = 3 * q["state"]["x"] ** 2 + 2 * a * q["state"]["x"] + b  # stable where the potential is convex
                if "stable" in q and abs(slope) > 1e-4:
                    check("stability is that of the potential", q["stable"] == ("yes" if slope > 0 else "no"), str(q))


def branches_that_cross():
    # x (x^2 + a x - p) = 0: the line x = 0 and the parabola p = x^2 + a x
    for a in (0, 0.5, -1):
        found = follow(system(f"x^4/4 + ({a})*x^3/3 - p*x^2/2", -0.7, 0), "p = -1..2")
        check("two branches", len(found["branches"]) == 2, str(len(found["branches"])))
        branch = special(found, "branch")
        check("one branch point", len(branch) == 1, str(branch))
        near("it is at p = 0", float(branch[0]["value"]), 0, 1e-25)
        folds = special(found, "fold")
        check("a fold where the parabola turns, beside the crossing", len(folds) == (1 if a else 0), str(folds))
        for point in folds:
            enclosed("the fold of the parabola", point, -mpmath.mpf(a) ** 2 / 4)
        for p in np.linspace(-0.95, 1.9, 23):
            check("all roots are passed", len(crossings(found, p)) == len(real_roots([1, a, -p, 0])), f"{a} {p} {crossings(found, p)}")


def the_bead_leaves_the_lowest_point():
    found = follow("bead_on_hoop", "w = 1..6")
    branch = special(found, "branch")
    check("one branch point", len(branch) == 1, str(branch))
    enclosed("w = sqrt(g/r)", branch[0], mpmath.sqrt(mpmath.mpf("9.81")))
    other = found["branches"][1]["points"]
    check("on the other branch cos(theta) = g/(r w^2)", max(abs(math.cos(q["state"]["theta"]) - 9.81 / q["value"] ** 2) for q in other) < 1e-9)
    check("to both sides", min(q["state"]["theta"] for q in other) < -1.29 and max(q["state"]["theta"] for q in other) > 1.29)
    again = follow("bead_on_hoop", "w = 1..6", "--at", "theta = 1.2")
    check("the same from the other branch", len(again["branches"]) == 2 and not special(again, "fold"), str([b["special"] for b in again["branches"]]))
    near("with the same branch point", float(special(again, "branch")[0]["value"]), math.sqrt(9.81), 1e-15)


def two_coordinates():
    text = "system s\nparam p = -1\ncoord x, y\nkinetic x'^2/2 + y'^2/2\npotential x^4/4 - x^2/2 - p*x + y^2/2*(1.5 - x) + y^4/4\ndissipation x'^2/5 + y'^2/5\ninitial x = -1.3\n"
    found = follow(text_model(text), "p = -1..3")
    for point, sign in zip(special(found, "fold"), (-1, 1)):
        enclosed("a fold of the strut", point, sign * 2 / (3 * mpmath.sqrt(3)))
    enclosed("y becomes unstable where x = 3/2", special(found, "branch")[0], mpmath.mpf("1.875"))
    worst = max(abs(q["state"]["y"] ** 2 - (q["state"]["x"] - 1.5)) for q in found["branches"][1]["points"])
    check("then y^2 = x - 3/2", worst < 1e-9, str(worst))


def the_bicycle_tips_into_turns():
    found = follow("bicycle", "x' = 5..7")
    branch = special(found, "branch")
    check("one branch point", len(branch) == 1, str(branch))
    enclosed("the capsize speed, as published and as stability has it", branch[0], mpmath.mpf("6.02426201538835888987386065301"))
    turning = max(abs(q["state"]["psi'"]) if "psi'" in q["state"] else 0 for q in found["branches"][1]["points"])
    check("steady turns leave it", len(found["branches"]) == 2 and turning > 0.01, str(turning))


def the_gyrostat_leaves_its_axis():
    for vary in ("B = 0.6..5", "B = 1.5..4"):  # whatever the lengths of steps over it are
        branch = special(follow("gyrostat", vary), "branch")
        check(f"one branch point for {vary}", len(branch) == 1, str(branch))
        enclosed("where it is", branch[0], mpmath.mpf("2.5"))


def loops():
    found = follow(system("x^4/4 + (p^2 - 1)*x^2/2", -1.5, 0), "p = -2..2")
    check("the circle is followed once", [b["closed"] for b in found["branches"]] == [False, True], str([b["closed"] for b in found["branches"]]))
    check("it crosses the line twice", [round(float(b["value"]), 9) for b in special(found, "branch")] == [-1, 1])
    found = follow(system("x^3/3 + (p^2 - 1)*x", 0, 1), "p = -2..2")
    check("a branch that closes ends", len(found["branches"]) == 1 and found["branches"][0]["closed"])
    for point, value in zip(special(found, "fold"), (-1, 1)):
        enclosed("where the circle turns", point, value)


def hopf_points():
    hopf = special(follow("ziegler", "P = 1..2", "--set", "b = 0.1"), "hopf")
    check("one Hopf point", len(hopf) == 1, str(hopf))
    enclosed("Ziegler's load", hopf[0], mpmath.mpf(41) / 28 + mpmath.mpf("0.1") ** 2 / 2)
    source = random.Random(11)
    for trial in range(6):
        w2 = source.randint(2, 12) / 4
        a20, a11, a02, a30, a21, a12, a03 = (source.randint(-8, 8) / 8 if trial else 0 for _ in range(7))
        if not trial:
            w2, a21 = 1, -1  # van der Pol: l1 = -1/4
        terms = f"p*x' + ({a20})*x^2 + ({a11})*x*x' + ({a02})*x'^2 + ({a30})*x^3 + ({a21})*x^2*x' + ({a12})*x*x'^2 + ({a03})*x'^3"
        text = f"system s\nparam p = -0.3\ncoord x\nkinetic x'^2/2\npotential {w2}*x^2/2\nforce x = {terms}\ninitial x = 0\n"
        hopf = [h for h in special(follow(text_model(text), "p = -0.5..0.4"), "hopf") if abs(h["state"]["x"]) < 1e-9]
        check("one Hopf point in 0", len(hopf) == 1, str(hopf))
        enclosed("the Hopf point", hopf[0], 0)
        w = math.sqrt(w2)
        near("its frequency", hopf[0]["frequency"], w, 1e-12)
        # with x' = -w y: y' = w x + g(x, y), r' = a r^3 in (x, y); |(x, x')| of the eigenvector is 1 in l1
        g_xxy, g_yyy, g_xy, g_xx, g_yy = 2 * a21, 6 * a03 * w2, a11, -2 * a20 / w, -2 * a02 * w
        a = (g_xxy + g_yyy) / 16 - g_xy * (g_xx + g_yy) / (16 * w)
        near("its first Lyapunov coefficient", hopf[0]["l1"], 4 * a / (w * (1 + w2)), 1e-11)
    near("of van der Pol's equation", special(follow(text_model("system v\nparam p = -1\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (p - x^2)*x'\ninitial x = 0\n"),
                                                    "p = -1..1"), "hopf")[0]["l1"], -0.25, 1e-12)
    # eigenvalues a and -a have the sum 0 too: a saddle with p = 0 is no Hopf point
    saddle = follow(text_model("system n\nparam p = -1\ncoord x\nkinetic x'^2/2\npotential -x^2/2\nforce x = p*x'\ninitial x = 0\n"), "p = -1..1.1")
    check("a neutral saddle is no Hopf point", not special(saddle, "hopf"), str(special(saddle, "hopf")))


def branches_that_pass_close_by_are_told_apart():
    for e in ("1e-6", "1e-12"):  # x^3 - p x = e: a fold at p = 3 (e/2)^(2/3) on the other branch
        text = f"system i\nparam p = -0.5\ncoord x\nkinetic x'^2/2\npotential x^4/4 - p*x^2/2 - {e}*x\ndissipation x'^2/5\ninitial x = "
        found = follow(text_model(text + "0\n"), "p = -1..1")
        check("an imperfect pitchfork has no branch point", not special(found, "branch") and not special(found, "fold"), str(found["branches"][0]["special"]))
        check("its upper branch is followed", found["branches"][0]["points"][-1]["state"]["x"] > 0.99)
        found = follow(text_model(text.replace("p = -0.5", "p = 0.5") + "-0.7\n"), "p = -1..1")
        check("the lower branch has a fold", len(special(found, "fold")) == 1 and not special(found, "branch"), str(found["branches"][0]["special"]))
        enclosed("the fold", special(found, "fold")[0], 3 * (mpmath.mpf(e) / 2) ** (mpmath.mpf(2) / 3))
    text = "system t\nparam T = 0.2\ncoord th\nkinetic th'^2/2\npotential -cos(th)\nforce th = T - th'/5\ninitial th = 0.2\n"
    found = follow(text_model(text), "T = -2..2")  # sin(th) = T winds for ever
    angles = sorted(p["state"]["th"] for p in found["branches"][0]["special"] if p["kind"] == "fold")
    check("no fold is left out", len(angles) > 40 and max(abs(b - a - math.pi) for a, b in zip(angles, angles[1:])) < 1e-9, str(angles))


def refused(model, vary, words, *more):
    try:
        found = follow(model, vary, *more)
        check(f"{vary} is refused", False, str(found)[:200])
    except RunFailed as why:
        check(f"{vary}: {words}", words in str(why), str(why))


def degenerate_input():
    fold = system("x^3/3 - p*x", 1, 1)
    refused(fold, "p = 2..1", "nothing from 2 to 1")
    refused(fold, "q = 1..2", "no `q`")
    refused(fold, "x = 0..1", "cannot be varied")
    refused(system("x^3/3 - p*x", 0, 0), "p = -1..0.001", "lose rank")  # the start is the fold itself, and there is nothing else
    enclosed("the fold, found from a motion beside it,", special(follow(system("x^3/3 - p*x", 0, 0), "p = -1..1"), "fold")[0], 0)
    refused(system("x^2/2", 1, 0), "p = 0..1", "nothing depends on `p`")
    refused(system("x^3/3 + (p + 1)*x", 1, 0), "p = 1..2", "no steady motion")
    refused(fold, "p = 0..1", "does not come near to it again", "--orbit")
    found = follow(system("x^4/4 - p*x^2/2", 0, 0), "p = -1..1")
    check("a start in a branch point is moved", len(found["branches"]) == 2, str(len(found["branches"])))
    found = follow(system("(p - 1)*x^2/2", 0.5, 0), "p = 0..2")
    check("an upright branch ends in infinity", [s["why"] for s in found["branches"][1]["special"] if s["kind"] == "end"] == ["infinity"] * 2)
    check("at one p", all(abs(q["value"] - 1) < 1e-9 for q in found["branches"][1]["points"]))
    found = follow(system("x^2/2 - x*sqrt(p)", 1, 1), "p = -1..2")
    end = found["branches"][0]["special"][0]
    check("where a domain ends the branch does", end["why"] == "lost" and abs(float(end["value"])) < 1e-9, str(end))
    found = follow(system("x^4/4 - p*x^2/2", -0.5, 0), "p = -1..1", "--branches", "1")
    check("no more branches than asked for", len(found["branches"]) == 1 and not found["complete"])
    found = follow(fold, "p = -1..2", "--steps", "5")
    check("no more steps than asked for", len(found["branches"][0]["points"]) <= 11 and found["branches"][0]["special"][0]["why"] == "steps")


def two_at_once():
    """Two equal modes that buckle, or flutter, together: no special point, but the verdict changes where it does."""
    both = "system p\nparam p = -1/2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential %s*(x^2 + y^2)/2 + x^4 + y^4\nforce x = -%s*x'\nforce y = -%s*y'\n"
    for name, words in (("buckling", ("(1/3 - p)", "1/4", "1/4")), ("flutter", ("1", "(1/3 - p)", "(1/3 - p)"))):
        found = json.loads(call("continue", text_model(both % words), "--json", "--vary", "p = -1..2"))
        (low, high), = found["branches"][0]["stable"]
        near(f"{name}: stable from -1", float(low), -1, 1e-15)
        near(f"{name}: to 1/3", float(high), 1 / 3, 1e-9)


if __name__ == "__main__":
    cubics_pass_all_roots()
    branches_that_cross()
    the_bead_leaves_the_lowest_point()
    two_coordinates()
    the_bicycle_tips_into_turns()
    the_gyrostat_leaves_its_axis()
    loops()
    hopf_points()
    branches_that_pass_close_by_are_told_apart()
    degenerate_input()
    two_at_once()
    finish()
