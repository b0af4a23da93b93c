"""Stability along a parameter, against closed forms and against eigenvalues that numpy finds.

Random systems M q'' + (C + p G) q' + K q = 0 are written as models; numpy has their eigenvalues from the matrices, without hamel. Where numpy's largest
real part changes its sign there must be a critical value, and within proved intervals numpy must agree.
"""
import json
import math
import pathlib
import random
import tempfile

import numpy as np
from _checks import check, finish, near
from _runs import RunFailed, call
from t_symmetries import text_model


def stability(model, vary, *more):
    return json.loads(call("stability", model, "--json", "--vary", vary, *more))


def growth(m, c, g, k, p):
    n = len(m)
    inverse = np.linalg.inv(m)
    a = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ k, -inverse @ (c + p * g)]])
    return max(np.linalg.eigvals(a).real)


def written(m, c, g, k):
    n = len(m)
    names = [f"q{i}" for i in range(n)]
    def form(a, x, y):
        return " + ".join(f"({a[i][j]})*{x[i]}*{y[j]}/2" for i in range(n) for j in range(n))
    rates = [q + "'" for q in names]
    forces = "".join(f"force {names[i]} = -(" + " + ".join(f"(({c[i][j]}) + p*({g[i][j]}))*{rates[j]}" for j in range(n)) + ")\n" for i in range(n))
    return f"system r\nparam p = 0.5\ncoord {', '.join(names)}\nkinetic {form(m, rates, rates)}\npotential {form(k, names, names)}\n{forces}"


def random_systems_agree_with_numpy():
    source = random.Random(7)
    changes = 0
    for trial in range(6):
        n = 2
        a = np.array([[source.randint(-4, 4) / 4 for _ in range(n)] for _ in range(n)])
        m = a @ a.T + np.eye(n)
        k = np.diag([source.randint(2, 9) / 2 for _ in range(n)])
        c = np.array([[source.randint(-4, 4) / 4 for _ in range(n)] for _ in range(n)])
        g = np.diag([source.randint(1, 8) / 4 for _ in range(n)])
        found = stability(text_model(written(m, c, g, k)), "p = 0..3")
        values = [float(v["value"]) for v in found["critical"] if v["kind"] in ("hopf", "zero")]
        for low, high in found["stable"]:
            check(f"system {trial}: numpy says stable too", all(growth(m, c, g, k, p) < 1e-9 for p in np.linspace(float(low), float(high), 40)), f"{low} {high}")
        for low, high in found["unstable"]:
            check(f"system {trial}: numpy says unstable too", all(growth(m, c, g, k, p) > -1e-9 for p in np.linspace(float(low), float(high), 40)), f"{low} {high}")
        check(f"system {trial}: everything is decided", not found["undecided"], str(found["undecided"]))
        grid = np.linspace(0, 3, 301)
        signs = [growth(m, c, g, k, p) > 0 for p in grid]
        for left, right, a_sign, b_sign in zip(grid, grid[1:], signs, signs[1:]):
            if a_sign != b_sign:
                changes += 1
                check(f"system {trial}: a critical value where numpy changes sign", any(left - 1e-9 <= v <= right + 1e-9 for v in values), f"{left} {right} {values}")
    check("some of them change", changes >= 2, str(changes))


HOOP = "system hoop\nparam w = 1, g = 9.81, r = 0.5\ncoord th\nkinetic r^2*(th'^2 + w^2*sin(th)^2)/2\npotential -g*r*cos(th)\ninitial th = 0\n"


def closed_forms():
    found = stability(text_model(HOOP), "w = 1..6")
    near("bead on a hoop, w^2 = g/r", float(found["critical"][0]["value"]), math.sqrt(9.81 / 0.5), 1e-15)
    check("it is marginal below and unstable above", len(found["marginal"]) == len(found["unstable"]) == 1 and not found["stable"] and "radius" in found["critical"][0])
    check("and at an end of the interval", len(stability(text_model(HOOP), "g = 0.5..2")["critical"]) == 1)
    found = stability("rolling_disc", "phi' = 0.5..6", "--at", "theta = 0, theta' = 0, psi' = 0")
    near("a disc rolls upright where 3 v^2 > g r", 3 * (0.5 * float(found["critical"][0]["value"])) ** 2, 9.81 * 0.5, 1e-14)
    check("the disc is marginal above it, proved", found["marginal"][0][0] == found["critical"][0]["value"] and float(found["critical"][0]["radius"]) < 1e-30)
    gyro = "system g\nparam w = 5\ncoord x, y\nkinetic (x'^2 + y'^2)/2 + w*(x*y' - y*x')/2\npotential -(x^2 + y^2)/2\n"
    found = stability(text_model(gyro), "w = 1..5")
    check("gyroscopic stabilisation where w > 2", [(v["kind"], float(v["value"])) for v in found["critical"]] == [("double", 2.0)], str(found["critical"]))


def two_critical_values_within_a_step_are_found():
    pair = "system p\nparam p = 0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -((p - 1.2345)^2 - 1/1000000)*x'\n"
    found = stability(text_model(pair), "p = 0..3")
    values = [float(v["value"]) for v in found["critical"] if v["kind"] == "hopf"]
    check("a gap of 1/1500 of the interval", values == [1.2335, 1.2355] and not found["undecided"], str(found))
    found = stability(text_model(pair.replace(" - 1/1000000", "").replace("(p - 1.2345)^2", "(p - 1.2345)*(p - 1.234500000001)")), "p = 0..3")
    values = [v["value"][:16] for v in found["critical"] if v["kind"] == "hopf" and "radius" in v]
    check("a gap of 1e-12: both are found and enclosed", values == ["1.23450000000000", "1.23450000000100"], str(found))
    check("and nothing is said of what is between", not any(float(a) < 1.2345000000005 < float(b) for a, b in found["stable"]), str(found))


def short(found):
    return sum(float(b) - float(a) for a, b in found["undecided"])


def tests_that_touch_0():
    """Even multiplicities, from construction: a pair touches the axis at 1.2345; two equal modes buckle, or flutter, together at 1; frequencies of a conservative system that pass
    each other without meeting."""
    found = stability(text_model("system p\nparam p = 0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -(p - 1.2345)^2*x'\n"), "p = 0..3")
    check("a pair touches the axis", [(v["kind"], float(v["value"]), v.get("touches"), v["stable_above"], "radius" in v) for v in found["critical"][:1]]
          == [("hopf", 1.2345, True, True, False)], str(found))
    check("it is stable on both sides of a short gap", len(found["stable"]) == 2 and len(found["undecided"]) == 1 and 0 < short(found) < 1e-10
          and float(found["undecided"][0][0]) < 1.2345 < float(found["undecided"][0][1]) and not found["breaks"], str(found))
    both = "system p\nparam p = 0.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential %s*(x^2 + y^2)/2\nforce x = -%s*x'\nforce y = -%s*y'\n"
    for kind, words in (("zero", ("(1 - p)", "1/4", "1/4")), ("hopf", ("1", "(1 - p)", "(1 - p)"))):
        found = stability(text_model(both % words), "p = 0..3")
        check(f"two at once, {kind}", [(v["kind"], float(v["value"]), v["stable_above"]) for v in found["critical"]] == [(kind, 1.0, False)]
              and float(found["critical"][0]["radius"]) < 1e-30, str(found))
        check(f"stable below, unstable above, {kind}", short(found) < 1e-10 and [[float(x) for x in p] for p in found["stable"]][0][0] == 0
              and float(found["unstable"][0][1]) == 3 and "ends" not in found, str(found))
    found = stability(text_model("system p\nparam p = 0.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + p*y^2\n"), "p = 1/4..3")
    check("frequencies that pass each other", [(v["kind"], float(v["value"]), v["stable_above"]) for v in found["critical"]] == [("double", 1.0, True)]
          and len(found["marginal"]) == 2 and short(found) < 1e-10, str(found))


def motions_are_not_mixed_up():
    """x^3 - x = p has three motions for |p| < 2/sqrt(27): from the outer one on the right the path ends in the fold, where Newton's method would jump to the other side; two branches
    that cross in p = 0 are not joined without a word."""
    fold = "system f\nparam p = 1\ncoord x\nkinetic x'^2/2\npotential x^4/4 - x^2/2 - p*x\nforce x = -x'/3\ninitial x = 1\n"
    found = stability(text_model(fold), "p = -2..2")
    near("the path ends in the fold", float(found["begins"]["value"]), -2 / math.sqrt(27), 1e-15)
    check("which is enclosed", found["begins"]["why"] == "fold" and float(found["begins"]["radius"]) < 1e-30, str(found))
    check("and nothing is said beyond it", all(float(a) > -0.3850 for key in ("stable", "unstable", "marginal", "undecided") for a, _ in found[key]), str(found))
    cross = "system c\nparam p = 0.5\ncoord x\nkinetic x'^2/2\npotential x^3/3 - p*x^2/2\nforce x = -x'\ninitial x = 0.5\n"
    found = stability(text_model(cross), "p = -1..1")
    check("a crossing is told", len(found["breaks"]) == 1 and 0 < float(found["breaks"][0]) < 1e-9, str(found))


def a_jump_between_motions_is_no_critical_value():
    found = stability("bead_on_hoop", "w = 1..6", "--at", "theta = 1")
    near("the path begins in the pitchfork", float(found["begins"]["value"]), math.sqrt(9.81), 1e-15)
    check("which is a crossing", found["begins"]["why"] == "branch" and "radius" not in found["begins"], str(found))
    check("and nothing is called unstable, nor critical", not found["unstable"] and not found["critical"], str(found))


def nothing_is_proved_across_a_bend():
    """Damping |p - 2| + 1: stable on both sides of p = 2, where the equations have no derivative; no piece that is proved holds 2."""
    bend = "system p\nparam p = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -(abs(p - 2) + 1)*x'\n"
    found = stability(text_model(bend), "p = 0..4")["stable"]
    check("both sides are decided", len(found) == 2 and float(found[0][0]) == 0 and float(found[-1][1]) == 4, str(found))
    check("the bend is in neither", float(found[0][1]) < 2 < float(found[-1][0]) < 2 + 1e-6 and float(found[0][1]) > 2 - 1e-6, str(found))


def bounds_are_expressions():
    found = stability(text_model(HOOP), "w = sqrt(g/r)/2..2*pi")
    near("from sqrt(g/r)/2", float(found["interval"][0]), math.sqrt(9.81 / 0.5) / 2, 1e-15)
    near("to 2 pi", float(found["interval"][1]), 2 * math.pi, 1e-15)


def reversible_or_not():
    """z'' = -K z - (G + D) z' in two coordinates, with entries that random signs of coordinates and time allow or forbid: marginal is said only where numpy's eigenvalues
    lie on the axis, and never with damping."""
    source = random.Random(61)
    said = 0
    for trial in range(24):
        k = [[source.randint(1, 5), 0], [0, source.randint(1, 5)]]
        w, damped, follower = source.randint(0, 2), trial % 3 == 0, source.choice([0, 0, 1, -2])
        d = source.choice([-1, 1]) * 0.25 if damped else 0
        k[0][1] = k[1][0] = source.choice([0, 1]) if not w else 0
        text = (f"system r\nparam p = 1\ncoord x, y, s\nkinetic (x'^2 + y'^2 + s'^2)/2\npotential ({k[0][0]}*x^2 + {k[1][1]}*y^2)/2 + {k[0][1]}*x*y\n"
                f"force x = {w}*p*s'*y' + ({follower})*y - ({d})*x'\nforce y = -{w}*p*s'*x' - ({follower})*x\ninitial s' = 1, x = 0, y = 0\n")
        found = stability(text_model(text), "p = 0.5..2") if w else None
        if not found:
            continue
        for low, high in found["marginal"]:
            said += 1
            for p in np.linspace(float(low) + 1e-6, float(high) - 1e-6, 9):
                stiff = np.array([[k[0][0], k[0][1] - follower], [k[1][0] + follower, k[1][1]]], float)
                rate = np.array([[d, -w * p], [w * p, 0]], float)
                e = np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [-stiff, -rate]]))
                check(f"trial {trial}: marginal at {p:.3f}", max(abs(e.real)) < 1e-6, f"{e} {text}")
        check(f"trial {trial}: nothing damped is marginal", not (damped and found["marginal"]), str(found))
    check("some are marginal", said >= 3, str(said))


def formulas():
    """The closed form beside the numbers: at the critical value one of its sides is 0."""
    found = stability("rolling_disc", "phi' = 0.5..6", "--at", "theta = 0, theta' = 0, psi' = 0")
    check("the disc's 3 v^2 > g r", found["conditions"]["of"] == "marginal" and found["conditions"]["positive"] == ["3*r*w2**2 - g"], str(found.get("conditions")))
    found = stability("ziegler", "P = 1..2")
    value, (formula,) = found["critical"][0]["value"], found["conditions"]["positive"]
    left = eval(formula, {"b": 0.1, "m": 1, "l": 1, "c": 1, "P": float(value)})
    check("Ziegler's load", found["conditions"]["of"] == "stable" and abs(left) < 1e-12, f"{formula} = {left}")
    check("none where the motion is not known in general", "conditions" not in stability("bead_on_hoop", "w = 4..6", "--at", "theta = 1"))


def pages_have_their_sliders():
    """A parameter that nothing depends on, as the mass of the bead, leaves the others their sliders."""
    for model in ("bead_on_hoop", "rolling_disc", "ziegler"):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"
            call("report", model, "-o", str(page))
            words = page.read_text()
            check(f"{model}: eigenvalues along something", '"sweeps":[{' in words)
            check(f"{model}: a verdict", "do not decide" not in words)


CONTRACT = {"parameter": str, "critical": list, "stable": list}


def keys_are_those_of_the_contract():
    for model, vary in (("bicycle", "x' = 4..5"), ("rolling_disc", "phi' = 5..6"), ("ziegler", "P = 1..2"), ("bead_on_hoop", "w = 1..6"), ("double_pendulum", "l1 = 1..2"),
                        ("gyrostat", "J = 0.1..1"), ("segway", "g = 9..10"), ("heavy_top", "psi' = 1..2"), ("conical_pendulum", "g = 9..10"), ("rattleback", "g = 9..10"),
                        ("sleigh", "a = 0.1..0.5"), ("cart_pole", "g = 9..10")):
        try:
            found = stability(model, vary)
        except RunFailed as why:
            check(f"{model}: an error that says what to do", "error" in str(why), str(why))
            continue
        check(f"{model}: keys", all(isinstance(found.get(key), kind) for key, kind in CONTRACT.items()), str(found))
        for value in found["critical"]:
            check(f"{model}: critical", value["kind"] in ("zero", "hopf", "double") and isinstance(value["stable_above"], bool) and math.isfinite(float(value["value"]))
                  and float(value.get("radius", 0)) >= 0, str(value))
        for low, high in found["stable"] + found["unstable"] + found["marginal"] + found["undecided"]:
            check(f"{model}: an interval", float(low) < float(high), f"{low} {high}")


def the_bicycle_is_stable_between_weave_and_capsize():
    found = stability("bicycle", "x' = 4..6.2")
    weave, capsize = found["critical"]
    near("weave speed (Meijaard et al. 2007)", float(weave["value"]), 4.29238253634111, 1e-14)
    near("capsize speed", float(capsize["value"]), 6.02426201538837, 1e-14)
    check("kinds", weave["kind"] == "hopf" and weave["stable_above"] and capsize["kind"] == "zero" and not capsize["stable_above"])
    check("30 digits", float(weave["radius"]) < 1e-30 and float(capsize["radius"]) < 1e-30)
    check("it rides by itself between", found["stable"] == [[weave["value"], capsize["value"]]] and not found["undecided"], str(found["stable"]))


def refused(model, vary, words):
    try:
        stability(model, vary)
        check(f"{vary} is refused", False)
    except RunFailed as why:
        check(f"{vary}: {words}", words in str(why), str(why))


def degenerate_input():
    hoop = text_model(HOOP)
    refused(hoop, "v = 1..2", "no `v`")
    refused(hoop, "w = 2..1", "nothing from 2 to 1")
    refused(hoop, "w = 2..2", "nothing from 2 to 2")
    refused(hoop, "w = a..2", "not a number")
    refused(hoop, "w", "does not say")
    refused(text_model(HOOP.replace("param w", "param idle = 2, w")), "idle = 1..3", "nothing depends on `idle`")
    fold = "system f\nparam p = -1\ncoord x\nkinetic x'^2/2\npotential x^3/3 + p*x\nforce x = -x'\ninitial x = 1\n"
    found = stability(text_model(fold), "p = -2..1")
    check("a fold is found, and enclosed", found["ends"]["why"] == "fold" and abs(float(found["ends"]["value"])) < 1e-30 and float(found["ends"]["radius"]) < 1e-30, str(found))
    near("where the spiral becomes a node: 2 sqrt(-p) = 1/4", float(found["critical"][0]["value"]), -1 / 64, 1e-14)
    refused(text_model("system n\nparam p = 1\ncoord x\nkinetic x'^2/2\npotential p*x\nforce x = -1\n"), "p = 1..2", "no steady motion")


if __name__ == "__main__":
    random_systems_agree_with_numpy()
    closed_forms()
    degenerate_input()
    two_critical_values_within_a_step_are_found()
    tests_that_touch_0()
    motions_are_not_mixed_up()
    a_jump_between_motions_is_no_critical_value()
    nothing_is_proved_across_a_bend()
    bounds_are_expressions()
    reversible_or_not()
    the_bicycle_is_stable_between_weave_and_capsize()
    formulas()
    pages_have_their_sliders()
    keys_are_those_of_the_contract()
    finish()
