"""`steady --trim`: the constants with which inputs hold a state, and what is said where they cannot, or need not all.

The second route: closed forms of statics, and `eval` of the same model with the inputs typed as numbers: nothing accelerates there.
"""
import json
import math
import random

from _checks import check, finish
from _runs import RunFailed, call
from t_symmetries import text_model

RNG = random.Random(21)
M, m, l, g, slope = 2, 0.3, 0.6, 9.81, 0.1


def motion(model, *more):
    return json.loads(call("steady", model, "--json", *more))["motions"][0]


def the_cart_is_held_by_its_closed_form():
    for _ in range(4):
        theta = round(RNG.uniform(-1.5, 1.5), 3)
        held = motion("cart_pole", "--trim", "u, w", "--at", f"theta = {theta}, x = 0.7")
        u, w = (float(held["solved"][c]) for c in "uw")
        check(f"theta = {theta}", abs(u - (M + m) * g * math.sin(slope)) < 1e-13 and abs(w + m * g * l * math.sin(theta)) < 1e-13, (u, w))
        check("it is proved, where it was asked for", "radius" in held and float(held["state"]["q"]["theta"]) == theta and float(held["state"]["q"]["x"]) == 0.7)
        check("no input is free, nothing moved but by --at", held["free"] == [] and held["moved"] == [], held)


def b_is_the_inverse_of_the_mass_matrix():
    for theta in (0, 0.4, -1):
        found = json.loads(call("linearise", text_model(
            f"param M = {M}, m = {m}, l = {l}, g = {g}, slope = {slope}\ncoord x, theta\ninput u = (M + m)*g*sin(slope), w = -m*g*l*sin({theta})\n"
            "let track = (cos(slope), sin(slope), 0)\npoint cart: mass M at x*track\npoint bob: mass m at x*track + l*(sin(theta), cos(theta), 0)\n"
            f"gravity (0, -g, 0)\nforce x = u\nforce theta = w\ninitial x = 0, theta = {theta}\n"), "--json"))
        c = math.cos(theta + slope)
        d = (M + m) * l * l - m * l * l * c * c
        expected = [[0, 0], [0, 0], [l * l / d, -l * c / d], [-l * c / d, (M + m) / (m * d)]]
        check(f"B at theta = {theta}", all(abs(float(a) - b) < 1e-13 for row, other in zip(found["B"], expected) for a, b in zip(row, other)), found["B"])


def eval_agrees_with_a_random_arm():
    """Two links with torques at their joints, a spring and gravity: any posture can be held."""
    for _ in range(4):
        a, b = (round(RNG.uniform(-2, 2), 2) for _ in range(2))
        text = ("coord a, b\n{inputs}kinetic a'^2 + a'*b'*cos(a - b) + b'^2/2\npotential -3*cos(a) - 2*cos(b) + (a - b)^2/3\n"
                "force a = {u} - {w}\nforce b = {w}\ninitial a = 0, b = 0\n")
        at = f"a = {a}, b = {b}, a' = 0, b' = 0"
        held = motion(text_model(text.format(inputs="input u = 7*sin(t), w\n", u="u", w="w")), "--trim", "w, u", "--at", at)["solved"]
        typed = text_model(text.format(inputs="", u=f"({held['u']})", w=f"({held['w']})"))
        worst = max(abs(float(v)) for v in json.loads(call("eval", typed, "--json", at=at))["qdd"].values())
        check(f"nothing accelerates at a = {a}, b = {b}", worst < 1e-25, f"{worst:.3g}")


def too_few_inputs_are_told():
    try:
        motion("cart_pole", "--trim", "u", "--at", "theta = 0.2")
        check("a force alone does not hold a pole that leans", False)
    except RunFailed as why:
        check("which value would have to change", "`theta` would have to be 0" in str(why), str(why))
    held = motion("cart_pole", "--trim", "u")
    check("an initial value may move, and is named", held["moved"] == ["theta"] and float(held["state"]["q"]["theta"]) == 0)


def too_many_inputs_are_a_family():
    model = text_model("coord x\ninput u, v = 1/4, z\nkinetic x'^2/2\npotential x^2\nforce x = u + 2*v + x*z\ninitial x = 3\n")
    held = motion(model, "--trim", "u, v, z")
    u, v, z = (float(held["solved"][c]) for c in "uvz")
    check("the balance of forces", abs(u + 2 * v + 3 * z - 6) < 1e-14 and "radius" in held, held)
    check("two of three are free", len(held["free"]) == 2)
    said = call("steady", model, "--trim", "u, v, z")
    check("and it is said how the third follows", said.count("may have any value; with it change") == 2, said)


def a_symmetry_stays_one():
    model = text_model("param c = 0.4\ncoord s, phi\ninput drive\nkinetic s'^2 + (1 + s^2)*phi'^2\npotential 5*s^2\nforce phi = drive - c*phi'\ninitial s = 0, phi' = 2\n")
    held = motion(model, "--trim", "drive", "--at", "phi' = 2")
    check("the torque balances friction at this speed", abs(float(held["solved"]["drive"]) - 0.8) < 1e-15 and "radius" in held, held)


def a_drive_that_follows_the_pole_is_proved():
    # more equations than unknowns: pushing nowhere asks for the angle that gravity asks for
    model = text_model("param m = 1, M = 2, l = 1, g = 9.81\ncoord x, th\ninput u = 50*th + 10*th'\nkinetic (M + m)/2*x'^2 + m*l*x'*th'*cos(th) + m*l^2/2*th'^2\n"
                       "potential m*g*l*cos(th)\nforce x = u\ninitial x = 0, th = 0\n")
    check("at rest and moving", all("radius" in motion(model, "--at", f"x' = {v}") for v in ("0", "0.7")))
    found = json.loads(call("linearise", model, "--json"))
    # M l th'' = (M + m) g th - u: s^2 + 5 s + (50 - 3*9.81)/2
    roots = sorted(float(e["im"]) for e in found["eigenvalues"])
    check("both roots", len(roots) == 2 and abs(roots[1] - math.sqrt((50 - 3 * 9.81) / 2 - 6.25)) < 1e-13, roots)
    check("its stability is decided", found["stable"] == "yes" and found["neutral"] == 2)


def a_rider_holds_the_snakeboard_in_its_turn():
    c, r, k, m0 = 0.15, 0.4, 0.1, 1
    text = call("show", "snakeboard_turn")
    for _ in range(5):
        phi, psi, v = round(RNG.uniform(-1, 1), 3), round(RNG.uniform(-3, 3), 3), round(RNG.uniform(0.3, 4), 3)
        at = f"phi = {phi}, psi = {psi}, x' = {v}, psi' = 0, phi' = 0"
        held = motion("snakeboard_turn", "--trim", "twist, steer", "--at", f"phi = {phi}, psi = {psi}, x' = {v}")
        twist, steer = (float(held["solved"][name]) for name in ("twist", "steer"))
        check(f"steer at phi = {phi}", abs(steer - k * phi) < 1e-15, steer)
        expected = m0 * c * v * v * math.tan(phi) * math.cos(psi) / r
        check(f"twist at {at}", abs(twist - expected) < 1e-13 * (1 + abs(expected)), (twist, expected))
        check("it is proved, on the circle", "radius" in held and abs(float(held["state"]["qd"]["theta"]) - v * math.tan(phi) / r) < 1e-12, held)
        # the same by `eval` with the numbers typed: phi and psi do not accelerate, the speed stays
        typed = text_model(text.replace("input twist, steer\n", "").replace("force psi = twist", f"force psi = {held['solved']['twist']}")
                           .replace("force phi = steer", f"force phi = {held['solved']['steer']}").replace("= twist*psi' + steer*phi'", "= 0")
                           .replace("claim wheels: 2*J1*phi'' + k*phi = steer\n", ""))
        qdd = {name: float(value) for name, value in json.loads(call("eval", typed, "--json", at=at))["qdd"].items()}
        check("nothing but the group accelerates", max(abs(qdd[name]) for name in ("psi", "phi", "theta", "x")) < 1e-22, qdd)
    try:
        motion("snakeboard_turn", "--trim", "steer", "--at", "phi = 0.3, psi = 0.5, x' = 2")
        check("ankles alone do not hold the torso", False)
    except RunFailed as why:
        check("which value would have to change", "would have to be" in str(why), str(why))


if __name__ == "__main__":
    a_rider_holds_the_snakeboard_in_its_turn()
    the_cart_is_held_by_its_closed_form()
    b_is_the_inverse_of_the_mass_matrix()
    eval_agrees_with_a_random_arm()
    too_few_inputs_are_told()
    too_many_inputs_are_a_family()
    a_symmetry_stays_one()
    a_drive_that_follows_the_pole_is_proved()
    finish()
