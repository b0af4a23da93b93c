"""Steady motions that are proved though equations depend on one another there, or though the search ended where the velocities chosen at its
start do not do: what follows is compared with closed forms.
"""
import json
import math
import random

import numpy as np
from _checks import check, finish
from _runs import RunFailed, call
from t_symmetries import text_model

RNG = random.Random(7)


def motion(model, *more):
    return json.loads(call("steady", model, "--json", *more))["motions"][0]


def linear(model, *more):
    return json.loads(call("linearise", model, "--json", *more))


def spectrum(found):
    return sorted((complex(float(e["re"]), float(e["im"])) for e in found["eigenvalues"]), key=lambda s: (round(s.real, 9), s.imag))


def same(name, mine, theirs, most=1e-11):
    theirs = sorted(map(complex, theirs), key=lambda s: (round(s.real, 9), s.imag))
    check(name, len(mine) == len(theirs) and all(abs(a - b) < most * (1 + abs(b)) for a, b in zip(mine, theirs)), f"{mine} {theirs}")


def neumann_is_linearised_at_every_axis():
    """On the unit sphere in the field sum c_i x_i^2/2, at the end of axis i: s^2 = c_i - c_j for the other j."""
    for _ in range(3):
        c = [round(RNG.uniform(0.5, 5), 2) for _ in range(4)]
        text = ("coord x[1..4]\n" + "kinetic " + " + ".join(f"x[{i}]'^2/2" for i in range(1, 5)) + "\npotential " + " + ".join(f"{c[i - 1]}*x[{i}]^2/2" for i in range(1, 5)) +
                "\nconstraint sphere: " + " + ".join(f"x[{i}]^2" for i in range(1, 5)) + " = 1\ninitial x[1] = 0.6, x[2] = 0.5, x[3] = 0.5, x[1]' = 0.3, x[2]' = -0.2\n")
        model = text_model(text)
        for axis in range(4):
            at = ", ".join(f"x[{i + 1}] = {int(i == axis)}, x[{i + 1}]' = 0" for i in range(4))
            found = linear(model, "--at", at)
            # from a state beside it, where another velocity is eliminated
            beside = ", ".join(f"x[{i + 1}] = {0.9 if i == axis else 0.25}, x[{i + 1}]' = 0" for i in range(4) if i != (axis + 1) % 4)
            expected = [z for i in range(4) if i != axis for z in (np.sqrt(complex(c[axis] - c[i])), -np.sqrt(complex(c[axis] - c[i])))]
            same(f"c = {c}, axis {axis + 1}", spectrum(found), expected)
            check("its stability", found["stable"] == ("no" if c[axis] > min(c) else "marginal"), (c, axis, found["stable"]))
            other = linear(model, "--at", beside)
            at_axis = [abs(abs(float(v)) - 1) < 1e-20 for v in motion(model, "--at", beside)["state"]["q"].values()]
            if any(at_axis):
                i = at_axis.index(True)
                same("from beside", spectrum(other), [z for k in range(4) if k != i for z in (np.sqrt(complex(c[i] - c[k])), -np.sqrt(complex(c[i] - c[k])))])
    check("and the library's", linear("neumann")["stable"] == "marginal")


def a_segway_that_rolls_on_is_proved():
    m, length, inertia, mw, r, g, kp, kd, kv = 50, 0.8, 12, 5, 0.25, 9.81, 250, 60, 20
    total, about_axle, ml = m + 3 * mw, inertia + m * length**2, m * length
    polynomial = [total * about_axle - ml**2, 2 * (kd * (total + ml / r) - kv * (about_axle / r + ml)), 2 * kp * (total + ml / r) - total * ml * g, 2 * kv * ml * g / r]
    for v in (0, 0.3, 1, 2.5):
        at = f"theta = 0, psi' = 0, left' = {v / r}"
        found = motion("segway", "--set", f"v0 = {v}", "--at", at)
        check(f"straight on at {v}", "radius" in found and found["family_dimension"] == 1 and abs(float(found["state"]["qd"]["x"]) - v) < 1e-20, found)
        found = linear("segway", "--set", f"v0 = {v}", "--at", at)
        check(f"stable at {v}, turning is neutral", found["stable"] == "yes" and found["neutral"] == 6, (found["stable"], found["neutral"]))
        same(f"eigenvalues at {v}", spectrum(found), np.roots(polynomial))
    turning = motion("segway", "--at", "theta = 0, psi' = 0.7")
    check("turning on the spot as it rolls", "radius" in turning and turning["family_dimension"] == 1, turning)


def rows_with_a_common_factor_are_one():
    for phi in (-1.1, 0.4, 0.9):
        found = motion("roller_racer", "--at", f"phi = {phi}, theta' = 0.5")
        w, v = float(found["state"]["eta"]["w"]), float(found["state"]["eta"]["v"])
        # the hinge goes along the bar: v sin(phi) = (d1 cos(phi) + d2) w for phi' = 0
        check(f"a circle with phi = {phi}", "radius" in found and abs(v * math.sin(phi) - (0.5 * math.cos(phi) + 0.2) * w) < 1e-12 and found["family_dimension"] == 2, found)
    found = motion("parallel_velocities")
    q = {name: float(value) for name, value in found["state"]["q"].items()}
    check("two particles at the length of the spring", "radius" in found and abs(math.hypot(q["x2"] - q["x1"], q["y2"] - q["y1"]) - 1) < 1e-20, found)


def what_does_not_exist_is_not_proved():
    """Equations that hold nearly, to 60 digits and more, but not exactly."""
    for power in (20, 40):
        model = text_model(f"param e = 1e-{power}\ncoord x, y\nkinetic x'^2/2 + y'^2/2\nforce x = -x\nforce y = -x - e\ninitial x = 0.3, y = 0\n")
        try:
            found = motion(model)
            check(f"the force is never 0, by 1e-{power}", "radius" not in found, found)
        except RunFailed as why:
            check("none is found", "no steady motion" in str(why), str(why))
    # with e = 0 both ask for x = 0
    found = motion(text_model("coord x, y\nkinetic x'^2/2 + y'^2/2\nforce x = -x\nforce y = -x*(1 + y)\ninitial x = 0.3, y = 0\n"))
    check("the line of equilibria x = 0", "radius" in found and found["family_dimension"] == 1 and float(found["state"]["q"]["x"]) == 0, found)


def values_that_need_not_move_stay():
    found = motion("snakeboard_turn")
    check("the speed stays where the wheels are straightened", float(found["state"]["qd"]["x"]) == 2 and float(found["state"]["q"]["phi"]) == 0 and "radius" in found, found)
    found = motion("snakeboard")
    check("from a state off the family", float(found["state"]["q"]["phi"]) == 0 and float(found["state"]["qd"]["psi"]) == 2 and "radius" in found, found)


def nothing_is_found_at_infinity():
    model = text_model("coord x\nkinetic x'^2/2\npotential -1/(1 + x^2)^4\nforce x = 1/(1 + x^2)^6\ninitial x = 3\n")
    try:
        x = float(motion(model)["state"]["q"]["x"])
        check("a force that fades away", abs(x) < 100, x)
    except RunFailed as why:
        check("none is found", "no steady motion" in str(why), str(why))


if __name__ == "__main__":
    neumann_is_linearised_at_every_axis()
    a_segway_that_rolls_on_is_proved()
    rows_with_a_common_factor_are_one()
    what_does_not_exist_is_not_proved()
    values_that_need_not_move_stay()
    nothing_is_found_at_infinity()
    finish()
