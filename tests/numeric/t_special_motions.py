"""Steady motions in special places: where functions jump or bend, where eigenvalues are equal and have too few eigenvectors, where symmetries
leave the state as it is. Nothing false may be said there, and what can be said is: closed forms, and NumPy's roots of polynomials.
"""
import json
import random

import numpy as np
from _checks import check, finish
from _runs import RunFailed, call
from t_symmetries import text_model

RNG = random.Random(16)


def motions(text, *more):
    return json.loads(call("steady", text_model(text), "--json", *more))


def linear(text, *more):
    return json.loads(call("linearise", text_model(text), "--json", *more))


def refused(name, text, words, command="linearise"):
    try:
        call(command, text_model(text), "--json")
        check(name, False, "it was not refused")
    except RunFailed as why:
        check(name, words in str(why), str(why))


def functions_that_jump_or_bend_prove_nothing():
    friction = "coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -sign(x')\ninitial x = 0.3\n"
    check("dry friction at rest", "radius" not in motions(friction)["motions"][0] and motions(friction)["motions"][0]["kink"])
    refused("it has no linear motion", friction, "jumps or bends")
    ridge = "coord x\nkinetic x'^2/2\npotential min(x^2, (x - 1)^2)\ninitial x = 0.5\n"
    check("a ridge is no equilibrium that is proved", "radius" not in motions(ridge)["motions"][0])
    refused("nor linearised", ridge, "jumps or bends")
    for command in ("stability", "continue"):
        try:
            call(command, text_model("param k = 1\n" + ridge.replace("min", "k*min") + "dissipation x'^2\n"), "--vary", "k = 0.5..2")
            check(f"{command} says nothing of it", False)
        except RunFailed as why:
            check(f"{command} says nothing of it", "no steady motion" in str(why), str(why))
    found = motions(ridge, "--box", "x = -1 .. 2")
    proved = sorted(float(m["state"]["q"]["x"]) for m in found["motions"] if "radius" in m)
    check("both valleys are, and the box is not complete", proved == [0, 1] and not found["complete"], found)
    # beside the kink everything is as it would be without it
    beside = linear("coord x\nkinetic x'^2/2\npotential min(x^2, (x - 1)^2)\ndissipation x'^2\ninitial x = 0.1\n")
    check("a valley", beside["stable"] == "yes" and len(beside["eigenvalues"]) == 2, beside)
    cut = "coord x\nkinetic x'^2/2\nforce x = pi - atan2(x, -1)\ninitial x = 0\n"
    check("the cut of an angle", "radius" not in motions(cut)["motions"][0], motions(cut))


def jordan(block, damping, frequency):
    """x1 follows x2 follows ..: s^2 + damping s + frequency is a factor `block` times, with one eigenvector"""
    names = [f"x{i}" for i in range(block)]
    forces = "".join(f"force {x} = -{damping}*{x}' - {frequency}*{x}{f' + {names[i + 1]}' if i + 1 < block else ''}\n" for i, x in enumerate(names))
    return f"coord {', '.join(names)}\nkinetic {' + '.join(x + chr(39) + '^2/2' for x in names)}\n{forces}initial x0 = 0\n"


def equal_eigenvalues_are_enclosed():
    for block in (2, 3, 4):
        for damping, frequency in ((2, 1), (3, 2), (1, 5), (-1, 3), (4, 4)):
            found = linear(jordan(block, damping, frequency))
            check(f"{block} times s^2 + {damping} s + {frequency}", found["stable"] == ("yes" if damping > 0 else "no"), found["stable"])
            roots = np.roots([1, damping, frequency])
            for e in found["eigenvalues"]:
                z, r = complex(float(e["re"]), float(e["im"])), float(e["radius"])
                check("each is at a root, within its radius", min(abs(z - w) for w in roots) <= r + 1e-7 and r < 1e-3, (z, r, roots))
    never = linear(jordan(2, 0, 1))
    check("on the axis nothing is claimed", never["stable"] == "undecided", never["stable"])


def nearly_equal_eigenvalues_are_told_apart_or_not():
    for power in (5, 12, 20, 30):
        found = linear(f"param e = 1e-{power}\ncoord x, y\nkinetic x'^2/2 + y'^2/2\nforce x = -3*x' - 2*x + y\nforce y = -3*y' - (2 + e)*y\ninitial x = 0\n")
        check(f"1e-{power} apart", found["stable"] == "yes" and all("radius" in e for e in found["eigenvalues"]), found["eigenvalues"])
        # s^2 + 3 s + 2: -1 and -2; with e: -1 - e, -2 + e to first order
        reals = sorted(float(e["re"]) for e in found["eigenvalues"])
        check("the pairs", all(abs(a - b) < 2 * 10.0**-power + 1e-12 for a, b in zip(reals, (-2, -2, -1, -1))), reals)


def a_minimum_of_the_energy_is_marginal():
    check("equal frequencies", linear("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + x^2*y\ninitial x = 0\n")["stable"] == "marginal")
    check("with all rotations", linear("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^2 + y^2 + z^2\ninitial x = 0\n")["stable"] == "marginal")
    check("and Henon and Heiles", linear(call("show", "henon_heiles"))["stable"] == "marginal")
    check("not with a force that follows", linear("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2\nforce x = y/1000\nforce y = -x/1000\ninitial x = 0\n")["stable"] == "no")
    check("nor a saddle", linear("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 - y^2)/2\ninitial x = 0\n")["stable"] == "no")
    check("nor on a blade", linear("coord x, y, th\nkinetic (x'^2 + y'^2 + th'^2)/2\npotential (x^2 + y^2 + th^2)/2\n"
                                   "constraint blade: y'*cos(th) = x'*sin(th)\ninitial x = 0\n")["stable"] != "yes")


def a_free_particle_at_rest_may_move_on():
    for _ in range(4):
        m, y, z = (round(RNG.uniform(0.5, 3), 2) for _ in range(3))
        text = f"coord x, y, z\nkinetic x'^2/2 + y'^2/2 + {m}*z'^2\npotential x^2 + x^4\nforce x = -x'\ninitial x = 0.2, y = {y}, z = {z}\n"
        found = motions(text)["motions"][0]
        check("at rest in the plane", "radius" in found and found["family_dimension"] == 2 and found["parameters"] == ["y'", "z'"], found)
        found = linear(text)
        check("what is left decides", found["stable"] == "yes" and found["neutral"] == 4 and len(found["eigenvalues"]) == 2, (found["stable"], found["neutral"]))


def a_parameter_without_a_value_is_an_error():
    text = "param k\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\ninitial x = 0.1\n"
    for command in ("steady", "linearise"):
        refused(command, text, "`k` has no value", command)
    check("formulas need none", len(motions(text, "--closed")["closed"]) == 1)
    check("nor does what is solved for", float(motions(text, "--solve", "k", "--at", "x = 1")["motions"][0]["solved"]["k"]) == 0)


def rates_have_values_where_the_sleigh_looks_along_an_axis():
    """In plain coordinates the closed form of y'' divided by sin(th), which cancels: it did not run from th = 0."""
    for th in ("0", "1/4"):
        text = ("coord x, y, th\nkinetic x'^2 + y'^2 + th'^2\nforce th = th'/2\nconstraint blade: y'*cos(th) - x'*sin(th) = th'\n"
                f"initial x = 0, y = 0, th = {th}, x' = -cos({th}), y' = -sin({th})\n")
        found = linear(text)
        # (J + m a^2) w' = (1/2 - m a v) w with m = J = 2, a = 1, v = -1
        check(f"th = {th}", found["stable"] == "no" and [float(e["re"]) for e in found["eigenvalues"]] == [0.625], found["eigenvalues"])
        call("simulate", text_model(text), until="1")


if __name__ == "__main__":
    rates_have_values_where_the_sleigh_looks_along_an_axis()
    functions_that_jump_or_bend_prove_nothing()
    equal_eigenvalues_are_enclosed()
    nearly_equal_eigenvalues_are_told_apart_or_not()
    a_minimum_of_the_energy_is_marginal()
    a_free_particle_at_rest_may_move_on()
    a_parameter_without_a_value_is_an_error()
    finish()
