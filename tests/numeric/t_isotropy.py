"""Steady motions that a symmetry leaves where they are: their speeds are not determined, and nothing of them is neutral.

The second route is a closed form of the eigenvalues, and equilibria checked by `eval`.
"""
import json
import math
import random

from _checks import check, finish
from _runs import call
from t_symmetries import text_model

RNG = random.Random(16)
CLOSE = 1e-25  # of numbers with 30 digits


def steady(model, *more):
    return json.loads(call("steady", model, "--json", *more))["motions"][0]


def linear(model, *more):
    return json.loads(call("linearise", model, "--json", *more))


def values(found):
    return sorted((complex(float(e["re"]), float(e["im"])) for e in found["eigenvalues"]), key=lambda z: (round(z.real, 9), round(z.imag, 9)))


def agree(found, expected):
    expected = sorted(expected, key=lambda z: (round(z.real, 9), round(z.imag, 9)))
    got = values(found)
    return len(got) == len(expected) and all(abs(a - b) < 1e-13 for a, b in zip(got, expected))


def a_whirling_force_at_the_centre():
    # x'' = -y + O(3), y'' = x + O(3): s^4 + 1 = 0
    for a, b in (("0", "0"), ("1/3", "2/7"), ("-5", "0.01")):
        model = text_model(f"param k = 1, m = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential k*((x - ({a}))^2 + (y - ({b}))^2)^2/4\n"
                           f"force x = -(y - ({b}))\nforce y = x - ({a})\ninitial x = 1 + {a}, y = {b}, x' = 0, y' = 1\n")
        m = steady(model)
        check(f"the centre is at ({a}, {b})", abs(float(m["state"]["q"]["x"]) - eval(a)) < 1e-15 and abs(float(m["state"]["q"]["y"]) - eval(b)) < 1e-15)
        check("no speed is made up", float(m["speeds"][0]) == 0 and m["isotropy"] == 1)
        check("it is proved", "radius" in m and m["family_dimension"] == 0)
        found = linear(model)
        r = math.sqrt(0.5)
        check("four eigenvalues of s^4 + 1", found["neutral"] == 0 and agree(found, [complex(p, q) for p in (-r, r) for q in (-r, r)]), values(found))
        check("it is unstable", found["stable"] == "no")
        at = f"x = {a}, y = {b}, x' = 0, y' = 0"
        check("eval knows it as an equilibrium", all(abs(float(v)) < CLOSE for v in json.loads(call("eval", model, "--json", at=at))["qdd"].values()))


def damped_centres():
    # x'' = -c x' - k x - w y, y'' = -c y' - k y + w x: with z = x + iy, s^2 + c s + k - i w = 0
    for _ in range(4):
        c, k, w = (round(RNG.uniform(0.2, 2), 2) for _ in range(3))
        model = text_model(f"coord x, y\nkinetic (x'^2 + y'^2)/2\npotential {k}*(x^2 + y^2)/2 + (x^2 + y^2)^2\nforce x = -{c}*x' - {w}*y\nforce y = -{c}*y' + {w}*x\n"
                           f"initial x = {RNG.uniform(-1, 1):.3f}, y = 0.2, y' = {RNG.uniform(-1, 1):.3f}\n")
        at = "x = 0, y = 0, x' = 0, y' = 0"
        root = (c * c / 4 - k + 1j * w) ** 0.5
        half = [-c / 2 + root, -c / 2 - root]
        found = linear(model, "--at", at)
        check(f"damping {c}, stiffness {k}, whirl {w}", found["neutral"] == 0 and agree(found, half + [z.conjugate() for z in half]), values(found))
        check("its stability is decided", found["stable"] == ("yes" if max(z.real for z in half) < 0 else "no"))


def no_speed_of_a_frame_shows_in_a_centre():
    """From any guess: either a circle, whose speed is the whirl over the damping, or the centre at rest"""
    model = text_model("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 0.46*(x^2 + y^2)/2 + (x^2 + y^2)^2\nforce x = -0.8*x' - 1.54*y\nforce y = -0.8*y' + 1.54*x\ninitial x = 1\n")
    for _ in range(8):
        at = ", ".join(f"{name} = {RNG.uniform(-1, 1):.2f}" for name in ("x", "y", "x'", "y'"))
        m = steady(model, "--at", at)
        radius = math.hypot(*(float(v) for v in m["state"]["q"].values()))
        speed = 1.54 / 0.8 if radius > 1e-9 else 0
        check(f"{at}: radius {radius:.3g}", abs(float(m["speeds"][0]) - speed) < 1e-13 and m["isotropy"] == (radius < 1e-9), m)
        check("the radius follows from the balance of forces", radius < 1e-9 or abs(speed**2 - 0.46 - 4 * radius**2) < 1e-12)


def three_rotations_at_once():
    model = text_model("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential (x^2 + y^2 + z^2)/2\ninitial x = 0.1, y = 0.2, z = 0.05\n")
    m = steady(model)
    check("all three speeds are 0", [float(v) for v in m["speeds"]] == [0, 0, 0] and m["isotropy"] == 3 and "radius" in m)
    check("six eigenvalues +-i", agree(linear(model), [1j, -1j] * 3))


def a_pendulum_at_its_poles():
    model = text_model("param g = 9.81\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential g*z\nconstraint rod: x^2 + y^2 + z^2 = 1\ninitial x = 0.1, z' = 0, z = -sqrt(0.99)\n")
    for z, roots in ((-1, [1j, -1j] * 2), (1, [1, -1] * 2)):
        at = ("--at", f"x = 0, y = 0, z = {z}, x' = 0, y' = 0, z' = 0")
        m, found = steady(model, *at), linear(model, *at)
        check(f"z = {z} is proved", "radius" in m and m["isotropy"] == 1 and float(m["speeds"][0]) == 0)
        check("both planes swing alike", found["neutral"] == 0 and agree(found, [r * math.sqrt(9.81) for r in roots]), values(found))


def a_sleeping_top_without_a_pole():
    # z = x + iy: z'' + i p z' - k z = 0 with p = c psi'; stable for p^2 > 4 k
    for c, k, spin in ((2, 1, 3), (1, 0.5, 1), (0.7, 1.3, 5)):
        model = text_model(f"coord x, y, psi\nkinetic (x'^2 + y'^2)/2 + {c}/2*(psi' + (x*y' - y*x')/2)^2\npotential -{k}*(x^2 + y^2)/2\ninitial x = 0, y = 0, psi = 0, psi' = {spin}\n")
        m, found = steady(model), linear(model)
        p = c * spin
        root = complex(4 * k - p * p) ** 0.5
        half = [(-1j * p + root) / 2, (-1j * p - root) / 2]
        check(f"psi' = {spin} stays", abs(float(m["state"]["qd"]["psi"]) - spin) < 1e-15 and m["isotropy"] == 1 and "radius" in m, m)
        check("its spin is a family of motions", m["family_dimension"] == 1 and m["parameters"] == ["psi'"])
        check(f"c = {c}, k = {k}, spin {spin}", found["neutral"] == 2 and agree(found, half + [z.conjugate() for z in half]), values(found))


def two_rotations_that_agree():
    # everything turns with x, y: only their difference is left open where x = y = 0
    model = text_model("coord x, y, u, v\nkinetic (x'^2 + y'^2 + u'^2 + v'^2)/2\npotential (x^2 + y^2)/2 + (u^2 + v^2 - 1)^2\ninitial x = 0.1, u = 1.1, v' = 1\n")
    m = steady(model)
    check("the one is determined, the other is not", m["isotropy"] == 1 and float(m["speeds"][0]) == 0 and float(m["speeds"][1]) > 0.5)
    u, v = float(m["state"]["q"]["u"]), float(m["state"]["qd"]["v"])
    check("on the circle the forces balance", abs(v * v / u - 4 * u * (u * u - 1)) < 1e-13)


def a_circle_is_no_centre():
    model = text_model("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2\ninitial x = 1, y = 0, x' = 0, y' = 3\n")
    m = steady(model)
    check("it turns once", m["isotropy"] == 0 and abs(float(m["speeds"][0]) - 1) < 1e-15)
    for size in ("1e-3", "1e-5"):
        small = steady(model, "--at", f"x = {size}, y = 0, x' = 0, y' = {size}")
        check(f"a circle of radius {size} too", small["isotropy"] == 0 and abs(float(small["speeds"][0]) - 1) < 1e-9, small)


def a_small_circle_is_no_point():
    model = text_model("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2\ninitial x = 1, y' = 1\n")
    for radius in ("1e-3", "1e-6", "1e-9"):
        found = json.loads(call("steady", model, "--json", "--at", f"x = {radius}, y = 0, x' = 0, y' = {radius}"))["motions"][0]
        check(f"radius {radius}", float(found["state"]["q"]["x"]) == float(radius) and "radius" in found and found["isotropy"] == 0 and abs(float(found["speeds"][0]) - 1) < 1e-20, found)


if __name__ == "__main__":
    a_small_circle_is_no_point()
    a_whirling_force_at_the_centre()
    damped_centres()
    no_speed_of_a_frame_shows_in_a_centre()
    three_rotations_at_once()
    a_pendulum_at_its_poles()
    a_sleeping_top_without_a_pole()
    two_rotations_that_agree()
    a_circle_is_no_centre()
    finish()
