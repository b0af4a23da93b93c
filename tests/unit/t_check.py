#!/usr/bin/env python3
"""What `hamel check` says of constraints, against what is known of hand-made ones: kind, integrability alone and beside the others, growth,
what can be reached, and all that again at the values the model states."""
import json
import os
import subprocess
import tempfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
SPACE = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
FOUR = "coord x, y, z, u\nkinetic (x'^2 + y'^2 + z'^2 + u'^2)/2\n"


def classify(model, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.ham")
        with open(path, "w") as f:
            f.write(model)
        p = subprocess.run([HAMEL, "check", path, *arguments], capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    return p.stdout


def facts(model):
    return json.loads(classify(model, "--json"))


def alone(model):
    return [(c["integrable"], c["integrable_with_others"]) for c in facts(model)["constraints"]]


# --- kind -------------------------------------------------------------------------------------------------------------------------------

FORK = """param r = 1, tilt = 0.3, w = 1.02, c = 0.08
coord x, y, z, yaw, roll, pitch, steer, spin
let frame_rotation = rot(z, yaw)*rot(x, roll)*rot(y, pitch)
let fork = frame_rotation*rot(y, tilt)*rot(z, steer)
kinetic (x'^2 + y'^2 + z'^2 + yaw'^2 + roll'^2 + pitch'^2 + steer'^2 + spin'^2)/2
body wheel: mass 3 at (x, y, z) + frame_rotation*((w, 0, 0) + rot(y, tilt)*rot(z, steer)*(c, 0, 0)) inertia (1, 2, 1) rotation fork*rot(y, spin)
let axle = frame(wheel)*(0, 1, 0)
let down = (0, 0, 1) - axle.z*axle
constraint roll: velat(wheel, pos(wheel) - r*down/norm(down)) = (%s, 0, 0)
"""
for speed, homogeneous in (("0", True), ("1/10", False)):
    c = facts(FORK % speed)["constraints"]
    check(c[0]["linear"] and c[0]["homogeneous"] == homogeneous, f"rolling of a wheel in a fork on a floor of speed {speed}")
for text, rheonomic in (("x'' = sin(t)*y'", True), ("x'' = y'*z'", False), ("x'' = y' + (t + 1)^2 - t^2 - 2*t - 1", False),
                        ("x' = (sin(t)^2 + cos(t)^2)*y*z'", False), ("x' = (sin(t)^2 + 2*cos(t)^2)*y*z'", True)):
    said = facts(SPACE + f"constraint {text}\n")
    check(said["constraints"][0]["rheonomic"] == rheonomic and said["rheonomic"] == rheonomic, f"{text}: time counts ({rheonomic})")
check("type           rheonomic" in classify(SPACE + "constraint x'' = sin(t)*y'\n"), "an order-2 rheonomic constraint makes the system rheonomic")
given = "given f = t^2\n" + SPACE + "constraint x'' = f'*y'\n"
check(facts(given)["rheonomic"], "a given in a constraint of order 2 makes the system rheonomic")

# --- one constraint, alone and beside the others ----------------------------------------------------------------------------------------

# omega ^ d omega = 0 by hand
for text, integrable in (
        ("z' = y*x'", False), ("z' = y*x' + x*y'", True), ("y*z' = z*y'", True), ("x*x' + y*y' = 0", True), ("z' = x", False), ("z' = t", True),
        ("z' = t*x'", False), ("z' = t*x' + x", True), ("z' = z", True), ("z' = x*z + t*z*x'", True), ("z' = x*z + 2*t*z*x'", False),
        ("exp(x)*(z' - y*x' - x*y') = 0", True), ("y*x' - x*y' + 0*z' = 0", True), ("y*x' - x*y' + z' = 0", False), ("z' = y^2*y'", True)):
    expected = (integrable, integrable)
    check(alone(SPACE + f"constraint {text}\ninitial x = 1, y = 2, z = 3\n") == [expected], f"{text} alone: integrable is {integrable}")
check(alone(SPACE + "constraint z' = y*x'\nconstraint y' = 0\n") == [(False, True), (True, True)], "z' = y x' is integrable only beside y' = 0")
check(alone(FOUR + "constraint z' = y*x'\nconstraint u' = x*y'\n") == [(False, False)] * 2, "two forms, neither alone, one combination: z + u - x y")
check(facts(FOUR + "constraint z' = y*x'\nconstraint u' = x*y'\n")["integral_count"] == 1, "z + u - x y is constant")
check(alone(FOUR + "constraint x'^2 + y'^2 = 1\nconstraint z' = 2*x'\nconstraint u' = x*y'\ninitial x' = 1\n")
      == [(None, None), (True, True), (False, None)], "beside a nonlinear constraint a linear one is still judged alone")
check(alone(FOUR + "constraint z = 0\nconstraint x' = z*u*y'\n") == [(True, True), (False, True)], "x' = z u y' is integrable on z = 0 only")
check(alone(FOUR + "constraint x = 0\nconstraint y' = x^2*u*z'\n") == [(True, True), (False, True)], "y' = x^2 u z', on x = 0, not alone")
many = "coord q[1..14]\nkinetic sum(i in 1..14, q[i]'^2)/2\nconstraint q[1]' = q[2]*q[3]'\nconstraint q[4]' = q[5]*q[6]' + q[6]*q[5]'\n"
check([c["integrable"] for c in facts(many)["constraints"]] == [False, True], "one constraint alone is judged in any number of coordinates")
words = classify(SPACE + "constraint c: z' = y*x'\nconstraint y' = 0\n")
check("scleronomic, integrable with the others, not by itself\n" in words, "the words tell alone from beside")

# --- what can be reached ----------------------------------------------------------------------------------------------------------------

for text, verdict in (
        ("z' = y*x'", "every position"),             # Heisenberg
        ("z' = y^2*x'/2", "every position"),         # Martinet: the brackets of length 2 fail on y = 0, those of length 3 do not
        ("z' = z*y*x'", "near"),                     # z keeps its sign
        ("x'*sin(z) = y'*cos(z)", "every position"),  # a skate; no choice of two velocities is good for all z
        ("z' = x", "every position"),                # linear and controllable (Kalman)
        ("z' = x + z", "every position"), ("z' = t*x'", "every position"), ("z' = x + t*y", "every position"), ("z' = t^2*x'", "open set"),
        ("z' = x^2", "open set"),                    # z never falls
        ("z' = x^3", "every position"), ("z' = sin(x)", "open set"), ("z' = x*z", "open set"), ("z' = exp(x)", "open set"),
        ("z' = y*x' + 5", "every position"),         # Chow, whatever the drift
        ("z' = 1", "leaf"), ("z' = 2*t*x + t^2*x'", "leaf"), ("z' = y*x' + x*y'", "leaf")):
    said = facts(SPACE + f"constraint {text}\n")
    controllable = {"every position": True, "near": True, "open set": None, "leaf": False}[verdict]
    check((said["reach"], said["controllable"]) == (verdict, controllable), f"{text}: {verdict}, not {said['reach']}")
check(facts(FOUR + "constraint z' = y*x'\nconstraint u' = z*x'\n")["reach"] == "every position", "Engel's distribution is controllable")
check(facts(FOUR + "constraint z' = x\nconstraint u' = z\n")["reach"] == "every position", "a chain of integrators is controllable")
check(facts(FOUR + "constraint z' = x\nconstraint u' = x\n")["reach"] == "leaf", "z - u is constant")

# --- at the values of the model ---------------------------------------------------------------------------------------------------------


def stated(model):
    v = facts(model)["at_stated_values"]
    return v and (v["different"], v["integrable"], v["integral_count"], v["growth_vector"], v["reach"])


PENCIL = "param a = %s\n" + SPACE + "constraint c: z' = a*y*x' + x*y'\n"
check(stated(PENCIL % "1") == (True, True, 1, [2], "leaf"), "a y dx + x dy is exact at a = 1")
check(stated(PENCIL % "2") == (False, False, 0, [2, 3], "every position"), "and not at a = 2")
check(stated(PENCIL % "cos(pi/3)*2") == (True, True, 1, [2], "leaf"), "values are exact")
check(stated("param b = 1/2, a = 2*b\n" + (PENCIL % "1").split("\n", 1)[1]) == (True, True, 1, [2], "leaf"), "a value may use parameters")
words = classify(PENCIL % "1")
check("not integrable in general, integrable at the stated values" in words and "values of the model (a = 1): integrable\n" in words
      and "z - x*y is constant" in words and "distribution   not integrable\n" in words, "both are said: in general, and at a = 1")
check("stated" not in classify(PENCIL % "2"), "nothing is said of values that change nothing")
check(stated(SPACE + "constraint z' = y*x'\n") is None, "without parameters there is nothing to say of values")
check(stated("given f = 0\n" + SPACE + "constraint z' = f*y*x'\n")[:3] == (True, True, 1), "a given that is 0 makes it integrable")
check(stated("given f = 1\n" + SPACE + "constraint z' = f*x'\n")[:3] == (True, True, 1), "a given that is constant does, too")
check(stated("param a = 0\n" + SPACE + "constraint z' = a*x\n")[:3] == (True, True, 1), "no drift at a = 0")
two = "param a = %s\n" + FOUR + "constraint x' = a*y*u'\nconstraint z' = y*u'\ninitial y = 1\n"
check(stated(two % 1)[:3] == (False, False, 1), "x - a z is constant for every a")
check(stated(two % 0)[:3] == (True, False, 1), "at a = 0 it is x, and the first constraint is integrable by itself")

# --- growth, special values, closed forms ----------------------------------------------------------------------------------------------

GOURSAT = "coord x[1..6]\nkinetic sum(i in 1..6, x[i]'^2)/2\n" + "".join(f"constraint x[{i}]' = x[{i + 1}]*x[1]'\n" for i in range(2, 6))
said = facts(GOURSAT)
check((said["growth_vector"], said["reach"]) == ([2, 3, 4, 5, 6], "every position"), "Goursat's flag")
check(facts("param a = sqrt(2)\n" + SPACE + "constraint z' = (a^2 - 2)*y*x'\n")["growth_vector_initial"] == [2], "levels that bring nothing do not count")
# A ball of radius r on one of radius R, frames turned by c: (2, 3, 5) unless the curvatures agree
ROLL = """param R = %s, r = 1
coord u, v, a, b, c
kinetic (u'^2 + v'^2 + a'^2 + b'^2 + c'^2)/2
constraint R*u' = r*(cos(c)*a' - sin(c)*sin(a)*b')
constraint R*sin(u)*v' = r*(sin(c)*a' + cos(c)*sin(a)*b')
constraint c' = cos(a)*b' - cos(u)*v'
initial u = 1, a = 0.7, c = 0.3
"""
for R, growth in (("3", [2, 3, 5]), ("1/3", [2, 3, 5]), ("1", [2])):
    said = facts(ROLL % R)
    check(said["growth_vector"] == [2, 3, 5] and said["at_stated_values"]["growth_vector"] == growth, f"rolling without spin, ratio {R}: {growth}")
PENCIL = "param a = %s, b = %s, c = %s\n" + FOUR + "constraint u' = a*y*z*x' + b*x*z*y' + c*x*y*z'\n"
check(stated(PENCIL % (1, 1, 1))[:3] == (True, True, 1), "three parameters at once")
check(stated(PENCIL % (1, 1, 2))[:3] == (False, False, 0), "two of them are not enough")
check("the same for every value of a alone, b alone, c alone" in classify(PENCIL % (1, 1, 1)), "a parameter alone is called so")
turning = "param w = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x'*cos(w*t) + y'*sin(w*t) = w*(x*sin(w*t) - y*cos(w*t))\ninitial x = 1\n"
check(facts(turning)["constraints"][0]["integral"] == "x*cos(w*t) + y*sin(w*t)", "an exact form in a turning frame")
for text, algebraic in (("z' = y*x'", True), ("(1 + x^2)*z' = y*x'", False)):
    cases = [c["case"] for c in facts(SPACE + f"constraint {text}\n")["special"]]
    check(("algebraic" in cases) == algebraic, f"{text}: all fields of the frame make a Lie algebra: {algebraic}")
finish()
