"""All steady motions in a box, families, parameters that are solved for: looked at from outside.

Random pendulum chains with springs are written twice, for hamel and for SymPy; SciPy looks for the zeros of SymPy's gradient from a dense grid.
Closed forms of textbooks stand beside; at every motion `eval`, which knows nothing of symmetries, gives the accelerations of the group.
"""
import json
import math
import random
import subprocess
import time

import numpy
import scipy.optimize
import sympy

from _checks import check, finish, near
from _runs import HAMEL, RunFailed, call
from t_symmetries import Decimal, evaluated, generator, text_model

RNG = random.Random(1616)


def boxed(model, box, at="", *more):
    return json.loads(call("steady", model, "--json", "--box", box, *(["--at", at] if at else []), *more))


def said(*words):
    p = subprocess.run([HAMEL, "steady", *words], capture_output=True, text=True, timeout=120)
    return p.returncode, p.stdout, p.stderr


# --- random systems, two routes ------------------------------------------------------------------

def drawn_chain(links):
    """V = sum c_i cos(q_i) + k_i (q_i - q_(i-1) - a_i)^2/2, once as text for hamel, once for SymPy."""
    q = sympy.symbols(f"q0:{links}")
    terms, before = [], 0
    for i in range(links):
        c, k, a = (sympy.Rational(RNG.randint(lo, hi), 10) for lo, hi in ((-90, 90), (1, 25), (-15, 15)))
        terms += [c * sympy.cos(q[i]), k * (q[i] - before - a) ** 2 / 2]
        before = q[i]
    v = sum(terms)
    text = "system chain\ncoord " + ", ".join(map(str, q)) + "\nkinetic (" + " + ".join(f"{x}'^2" for x in q) + ")/2\n"
    return text + "potential " + str(v).replace("**", "^") + "\n", q, v


def zeros_by_grid(q, v, low, high):
    """From a grid so fine that every basin is met, by SciPy; those inside, each once."""
    gradient = sympy.lambdify(q, [sympy.diff(v, x) for x in q])
    hessian = sympy.lambdify(q, [[sympy.diff(v, x, y) for y in q] for x in q])
    found = []
    side = numpy.linspace(low - 0.2, high + 0.2, 400 if len(q) == 1 else 34)
    for start in numpy.array(numpy.meshgrid(*[side] * len(q))).reshape(len(q), -1).T:
        x, _, status, _ = scipy.optimize.fsolve(lambda z: gradient(*z), start, fprime=lambda z: hessian(*z), full_output=True, xtol=1e-13)
        if status == 1 and max(map(abs, gradient(*x))) < 1e-9 and all(low <= c <= high for c in x):
            if not any(numpy.max(numpy.abs(x - y)) < 1e-6 for y in found):
                found.append(x)
    return sorted(map(tuple, found))


def drawn_chains_have_all_their_equilibria():
    complete = 0
    for i in range(8):
        links = 1 + i % 2
        text, q, v = drawn_chain(links)
        low, high = -3.3, 4.1
        want = zeros_by_grid(q, v, low, high)
        out = boxed(text_model(text), ", ".join(f"{x} = {low} .. {high}" for x in q))
        got = [tuple(float(m["state"]["q"][str(x)]) for x in q) for m in out["motions"]]
        check(f"chain {i}: {len(want)} equilibria", len(got) == len(want), f"{got} are not {want}: {text}")
        if len(got) == len(want):
            worst = max((abs(a - b) for x, y in zip(got, want) for a, b in zip(x, y)), default=0)
            check(f"chain {i}: where they are", worst < 1e-7, f"{worst}")
            check(f"chain {i}: in their order", got == sorted(got), str(got))
        check(f"chain {i}: each is proved", all("radius" in m for m in out["motions"]))
        complete += out["complete"]
    check("all chains are complete", complete == 8, str(complete))


# --- closed forms --------------------------------------------------------------------------------

def the_top_precesses_slowly_and_fast():
    m, l, g, a, c, theta, spin = 1, 0.5, 9.81, 0.5, 0.2, 0.5, 40
    out = boxed("heavy_top", "phi' = -100 .. 500", f"theta = {theta}, psi' = {spin}")
    # (A - C) cos(theta) w^2 - C psi' w + m g l = 0
    want = sorted(numpy.roots([(a - c) * math.cos(theta), -c * spin, m * g * l]))
    got = [float(x["state"]["qd"]["phi"]) for x in out["motions"]]
    check("two precessions and no others", len(got) == 2 and out["complete"], str(got))
    for x, y in zip(got, want):
        near("precession", x, y, 1e-13)
    check("a family of theta and psi'", all((x["family_dimension"], x["parameters"]) == (2, ["theta", "psi'"]) for x in out["motions"]))
    none = boxed("heavy_top", "phi' = -100 .. 500", f"theta = {theta}, psi' = 5")
    check("too slow a spin precesses in no way, and that is proved", not none["motions"] and none["complete"])


def the_bead_has_a_pitchfork():
    for w, count in ((2, 1), (3, 1), (3.5, 3), (8, 3)):
        out = boxed("bead_on_hoop", "theta = -2 .. 2", "", "--set", f"w={w}")
        got = [float(m["state"]["q"]["theta"]) for m in out["motions"]]
        check(f"bead at w = {w}", len(got) == count and out["complete"], str(got))
        if count == 3:
            near(f"bead at w = {w}", got[2], math.acos(9.81 / w**2), 1e-14)
            near(f"bead at w = {w}", got[0], -got[2], 1e-14)
    out = boxed("bead_on_hoop", "theta = -1 .. 1", "", "--set", "w=1", "--set", "g=1", "--set", "r=1")
    check("at the pitchfork 0 is a triple root, exactly, and the only one", out["complete"] and len(out["motions"]) == 1 and out["motions"][0]["exact"], str(out))


def the_conical_pendulum():
    out = boxed("conical_pendulum", "theta = 0.1 .. 1.5", "phi' = 5")
    check("one cone", len(out["motions"]) == 1 and out["complete"])
    near("its angle", float(out["motions"][0]["state"]["q"]["theta"]), math.acos(9.81 / 25), 1e-14)
    # phi'^2 cos(theta) = g/l: d(theta)/d(phi') = 2 cos(theta)/(phi' sin(theta))
    t = float(out["motions"][0]["state"]["q"]["theta"])
    near("how it changes with phi'", float(out["motions"][0]["tangents"][0]["theta"]), 2 * math.cos(t) / (5 * math.sin(t)), 1e-13)


def the_hoop_and_the_sleeping_top_tip_where_books_say():
    for model, at, value in (("hoop", "theta = 0, psi' = 0, phi' = {}", math.sqrt(9.81 / 4 / 0.5)), ("sleeping_top", "a = 0, b = 0, psi' = {}", math.sqrt(4 * 0.5 * 9.81 * 0.5) / 0.2)):
        for factor, grows in ((0.99, True), (1.01, False)):
            out = json.loads(call("linearise", model, "--json", "--at", at.format(value * factor)))
            most = max(float(e["re"]) for e in out["eigenvalues"])
            check(f"{model} at {factor} of its limit", (most > 1e-3) == grows, f"{most}")


# --- the same system, written in several ways ----------------------------------------------------

def with_and_without_quasi_velocities():
    for model, at in (("rolling_disc", "theta = 0.3, psi' = 1"), ("sleigh", ""), ("knife_edge", "phi' = 0, phi = 0"), ("suslov", "")):
        text = call("show", model)
        plain = text_model("\n".join(line for line in text.splitlines() if not line.startswith(("quasi", "claim", "invariant", "observe", "draw"))
                                     and not line.startswith("  ")) + "\n")
        try:
            a, b = (json.loads(call("steady", m, "--json", *(["--at", at] if at else []))) for m in (model, plain))
        except RunFailed as why:
            check(f"{model}: with and without quasi-velocities", "no steady motion" in str(why), str(why))
            continue
        x, y = a["motions"][0]["state"], b["motions"][0]["state"]
        worst = max(abs(Decimal(x[k][c]) - Decimal(y[k][c])) for k in ("q", "qd") for c in x[k])
        check(f"{model}: the same steady motion without quasi-velocities", worst < Decimal("1e-25"), f"{worst}")
        check(f"{model}: the same symmetries", [s["name"] for s in a["symmetries"]] == [s["name"] for s in b["symmetries"]])
        check(f"{model}: the same family", a["motions"][0]["family_dimension"] == b["motions"][0]["family_dimension"])


def symmetries_have_names():
    scale = text_model("system s\ncoord x, y\nkinetic (x'^2/x^2 + y'^2/y^2 + x'*y'/(x*y))/2\ninitial x = 1, y = 2\n")
    names = {s["name"] for s in json.loads(call("check", scale, "--json"))["symmetries"]}
    check("scalings", names == {"scaling of x", "scaling of y"}, str(names))
    screw = text_model("system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x*cos(z) + y*sin(z) + (x^2 + y^2)^2\ninitial x = 1\n")
    facts = json.loads(call("check", screw, "--json"))
    check("a turn and a shift together", [s["generator"] for s in facts["symmetries"]] in ([{"x": "-y", "y": "x", "z": "1"}], [{"x": "y", "y": "-x", "z": "-1"}]), str(facts["symmetries"]))


# --- accelerations at what was found -------------------------------------------------------------

def accelerations_at_all_motions():
    cases = (("rolling_disc", "theta = -1.2 .. 1.2", ""), ("double_pendulum", "theta1 = -1 .. 4, theta2 = -1 .. 4", ""), ("spherical_pendulum", "x = -1 .. 1, y = -1 .. 1, z = -1 .. 1", ""),
             ("hoop", "theta = -1.3 .. 1.3, psi' = 0.5 .. 3", "phi' = 5"), ("n_trailer", "delta = -1 .. 1", ""), ("pendulum", "x = -2 .. 2, y = -2 .. 2", ""))
    for model, box, at in cases:
        out, coords = boxed(model, box, at), json.loads(call("check", model, "--json"))["coords"]
        check(f"{model}: motions in {box}", out["motions"], str(out.get("reason")))
        groups = [generator(s, coords) for s in out["symmetries"]]
        for motion in out["motions"]:
            z = evaluated(model, {**motion["state"]["q"], **{c + "'": v for c, v in motion["state"]["qd"].items()}})
            worst = 0
            for i, c in enumerate(coords):
                pace = sum(Decimal(v) * sum(a[i][j] * z["qd"][e] for j, e in enumerate(coords)) for (a, _), v in zip(groups, motion["speeds"]))
                worst = max(worst, abs(pace - z["qdd"][c]))
            check(f"{model}: accelerations are those of the group", worst < Decimal("1e-22"), f"{worst}")


def tangents_are_differences():
    at, h = {"theta": 0.3, "psi'": 1.0}, 1e-6
    middle = json.loads(call("steady", "rolling_disc", "--json", "--at", ", ".join(f"{k} = {v}" for k, v in at.items())))["motions"][0]
    check("the disc's parameters", middle["parameters"] == ["theta", "psi'"], str(middle["parameters"]))
    for name, tangent in zip(middle["parameters"], middle["tangents"]):
        ends = [json.loads(call("steady", "rolling_disc", "--json", "--at", ", ".join(f"{k} = {v + s * (k == name)}" for k, v in at.items())))["motions"][0]["state"] for s in (h, -h)]
        slope = (float(ends[0]["qd"]["phi"]) - float(ends[1]["qd"]["phi"])) / (2 * h)
        near(f"d phi'/d {name}", float(tangent["phi'"]), slope, 1e-7)


def parameters_are_solved_for():
    out = json.loads(call("steady", "heavy_top", "--json", "--solve", "m", "--at", "theta = 0.5, psi' = 40, phi' = 2"))
    m = float(out["motions"][0]["solved"]["m"])
    # (A1 + m l^2 - C) cos(theta) w^2 - C psi' w + m g l = 0, linear in m
    want = (0.2 * 40 * 2 - 0.05 * math.cos(0.5) * 4) / (0.25 * math.cos(0.5) * 4 + 9.81 * 0.5)
    near("the mass that precesses so", m, want, 1e-14)
    check("and it is proved", "radius" in out["motions"][0])
    out = boxed("bead_on_hoop", "w = 0.1 .. 20", "theta = 1", "--solve", "w")
    check("one speed of the hoop holds it at 1", len(out["motions"]) == 1 and out["complete"])
    near("which", float(out["motions"][0]["solved"]["w"]), math.sqrt(9.81 / math.cos(1)), 1e-14)


# --- what is asked wrongly, or is too much -------------------------------------------------------

def degenerate_boxes():
    well = text_model("system d\ncoord x\nkinetic x'^2/2\npotential x^3/3 - x^2 + x\n")
    out = boxed(well, "x = -3 .. 3")
    check("a double root is found, not proved, and the box around it stays open", len(out["motions"]) == 1 and "radius" not in out["motions"][0]
          and not out["complete"] and float(out["undecided"][0]["x"][0]) < 1 < float(out["undecided"][0]["x"][1]), str(out))
    out = boxed(well, "x = 1.5 .. 3")
    check("nothing there, proved", not out["motions"] and out["complete"])
    edge = text_model("system e\ncoord x\nkinetic x'^2/2\npotential (x - 1)^2\n")
    for box in ("x = 1 .. 2", "x = 0 .. 1", "x = 0 .. 2"):
        check(f"a motion on the edge belongs to it: {box}", len(boxed(edge, box)["motions"]) == 1 and boxed(edge, box)["complete"])
    pole = text_model("system p\ncoord x\nkinetic x'^2/2\npotential x + 1/x\ninitial x = 2\n")
    out = boxed(pole, "x = -3 .. 3")
    check("a box over a pole", [round(float(m["state"]["q"]["x"]), 12) for m in out["motions"]] == [-1, 1], str(out))
    check("and the pole itself is open or excluded, nothing else", all(abs(float(b["x"][0])) < 1e-3 for b in out["undecided"]), str(out["undecided"]))
    flat = text_model("system f\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x*y - 1)^2\ninitial x = 1, y = 0.5\n")
    out = boxed(flat, "x = 0.5 .. 3, y = 0.2 .. 4")
    check("a curve of equilibria is no list of points, and that is said", not out["complete"] and ("not isolated" in out["reason"] or out["motions"]), str(out))
    kink = text_model("system k\ncoord x\nkinetic x'^2/2\npotential abs(x)\n")
    out = boxed(kink, "x = -2 .. 1")
    check("what is said of a box with a held value names that value", out["held"] == ["x"], str(out))
    root = text_model("system r\ncoord x\nkinetic x'^2/2\npotential sqrt(x) - x\ninitial x = 2\n")
    out = boxed(root, "x = -1 .. 3")
    check("where the equations have no value nothing is claimed", not out["complete"] and float(out["undecided"][0]["x"][0]) <= -1
          and float(out["undecided"][-1]["x"][1]) >= 0, str(out))


def a_search_that_is_too_long_ends_and_says_so():
    many = text_model("system m\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential cos(9*x + y) + cos(9*y - z) + cos(7*z + x*y)\n")
    out = boxed(many, "x = -2 .. 2, y = -2 .. 2, z = -2 .. 2")
    check("a box with too many parts", not out["complete"] and "ended" in out["reason"] and out["undecided"] and out["motions"], str(out.get("reason")))


def wrong_boxes_are_refused():
    for box, words in (("", "empty"), ("theta", "no range"), ("theta = 1", "no range"), ("theta = 2 .. 1", "empty"), ("theta = 1 .. 1", "empty"), ("nobody = 0 .. 1", "not known"),
                       ("theta = 0 .. 1e400", "not finite"), ("theta = 0 .. 1, theta = 0 .. 2", "two ranges"), ("theta = 0 .. foo", "unknown name"), ("m = 0 .. 1", "not known")):
        status, out, err = said("rolling_disc", "--box", box)
        check(f"--box {box!r} is refused", status in (1, 2) and words in err and not out, f"{status} {err}")
    status, _, err = said("rolling_disc", "--box", "theta = 0 .. 1", "--at", "theta = 0.3")
    check("a value and a range", status == 1 and "--at" in err, err)
    status, _, err = said("rolling_disc", "--solve", "nothing")
    check("--solve of no parameter", status == 1 and "no parameter" in err, err)
    derived = text_model("system d\nparam a = 2, b = 2*a\ncoord x\nkinetic x'^2/2\npotential b*x^2/2 - x\n")
    status, _, err = said(derived, "--solve", "a")
    check("--solve of a parameter that stands in no equation", status == 1 and "no equation" in err, err)
    status, _, err = said("rolling_disc", "--closed", "--box", "theta = 0 .. 1")
    check("--closed in a box", status == 1 and "--closed" in err, err)


def twenty_unknowns_come_to_an_end():
    n = 20
    coords = ", ".join(f"q{i}" for i in range(n))
    text = (f"system big\ncoord {coords}\nkinetic ({' + '.join(f'q{i}' + chr(39) + '^2' for i in range(n))})/2\n"
            f"potential {' + '.join(f'cos(3*q{i})' for i in range(n))} + {' + '.join(f'(q{i} - q{i + 1})^2/7' for i in range(n - 1))}\n")
    model, box = text_model(text), ", ".join(f"q{i} = -2 .. 2" for i in range(n))
    out = boxed(model, box)
    check("twenty unknowns: motions, and that there may be others", out["motions"] and not out["complete"] and "20 unknowns" in out["reason"], str(out.get("reason")))
    start = time.process_time()
    status, _, err = said(model, "--box", box, "--limit", "time=0.05")
    check("a limit of time is heeded", status == 6 and "time" in err, f"{status} {err}")
    check("and quickly", time.process_time() - start < 5)


if __name__ == "__main__":
    drawn_chains_have_all_their_equilibria()
    the_top_precesses_slowly_and_fast()
    the_bead_has_a_pitchfork()
    the_conical_pendulum()
    the_hoop_and_the_sleeping_top_tip_where_books_say()
    with_and_without_quasi_velocities()
    symmetries_have_names()
    accelerations_at_all_motions()
    tangents_are_differences()
    parameters_are_solved_for()
    degenerate_boxes()
    a_search_that_is_too_long_ends_and_says_so()
    wrong_boxes_are_refused()
    twenty_unknowns_come_to_an_end()
    finish()
