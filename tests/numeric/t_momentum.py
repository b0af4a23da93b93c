"""`momentum(B, P)` and `inertia(B)*v`: against NumPy at random states, and by proofs that momentum changes by the moment of the forces."""
import json
import random
import subprocess

import numpy

from _checks import check, finish, near
from _rotations import matrix, omega, unit, vector
from _runs import HAMEL, LIMIT, trajectory
from t_symmetries import text_model


def values_are_those_of_the_definition():
    """I omega + m (c - P) x v_c of a body with a full inertia matrix; of a point without the first part."""
    draw = random.Random(31)
    for _ in range(10):
        q, dq = unit([draw.uniform(-1, 1) for _ in range(4)]), numpy.array([draw.uniform(-1, 1) for _ in range(4)])
        dq -= q * (q @ dq)
        place, velocity, about, v = (numpy.array([round(draw.uniform(-2, 2), 3) for _ in range(3)]) for _ in range(4))
        six = [round(draw.uniform(2, 3), 3) for _ in range(3)] + [round(draw.uniform(-0.4, 0.4), 3) for _ in range(3)]
        names = "xyz"
        text = ("coord x, y, z, p[0..3]\nlet R = quat(p[0], p[1], p[2], p[3])\n"
                f"body b: mass 3 at (x, y, z) inertia {vector(six)} rotation R\npoint P: mass 2 at (x^2, y, z)\nkinetic (p[0]'^2 + p[1]'^2 + p[2]'^2 + p[3]'^2)/2\n"
                f"let L = momentum(b, {vector(about)}), K = momentum(P, {vector(about)}), T = inertia(b)*{vector(v)}, S = R*inertia(b)*R*{vector(v)}\n"
                "observe L1 = L.x, L2 = L.y, L3 = L.z, K1 = K.x, K2 = K.y, K3 = K.z, T1 = T.x, T2 = T.y, T3 = T.z, S1 = S.x, S2 = S.y, S3 = S.z\nsimulate t = 0 .. 1\ninitial "
                + ", ".join([f"{names[i]} = {place[i]!r}, {names[i]}' = {velocity[i]!r}" for i in range(3)] + [f"p[{i}] = {q[i]!r}, p[{i}]' = {dq[i]!r}" for i in range(4)]) + "\n")
        row = {name: column[0] for name, column in trajectory(text_model(text), until=0.001).items()}
        R = matrix(q)
        I = R @ numpy.array([[six[0], six[3], six[4]], [six[3], six[1], six[5]], [six[4], six[5], six[2]]]) @ R.T
        at, speed = numpy.array([place[0]**2, place[1], place[2]]), numpy.array([2 * place[0] * velocity[0], velocity[1], velocity[2]])
        for letter, expected in (("L", I @ omega(q, dq) + 3 * numpy.cross(place - about, velocity)), ("K", 2 * numpy.cross(at - about, speed)), ("T", I @ v), ("S", R @ I @ R @ v)):
            for i in range(3):
                near(f"{letter}{i + 1}", row[f"{letter}{i + 1}"], expected[i], 1e-12)


HEAVY = """param m = 1, A = 1, B = 2, C = 3, D = 0.1, g = 9.81
coord x, y, z
{turn}
body b: mass m at (x, y, z) inertia (A, B, C, D, 0, 0){rotation}
point P: mass 2*m at (x + 1, y*z, z)
gravity (0, 0, -g)
let F = (sin(t), x, y), M = (z, cos(t), x*y), O = (1, 2, 3)
force on b = F
torque on b = M
constraint c: y' = x*z'
"""
CLAIMS = {  # of the free body: the point is left out, and the constraint
    "euler": ("ddt(momentum(b, pos(b))) = M", True),
    "fixed": ("ddt(momentum(b, O)) = M + cross(pos(b) - O, F + (0, 0, -m*g))", True),
    "moving": ("ddt(momentum(b, (t, 0, 0))) = M + cross(pos(b) - (t, 0, 0), F + (0, 0, -m*g)) - m*cross((1, 0, 0), vel(b))", True),
    "forgotten": ("ddt(momentum(b, (t, 0, 0))) = M + cross(pos(b) - (t, 0, 0), F + (0, 0, -m*g))", False),
    "tensor": ("inertia(b)*omega(b) = momentum(b, pos(b))", True),
    "acceleration": ("inertia(b)*ddt(omega(b)) + cross(omega(b), inertia(b)*omega(b)) = M", True),
    "gyroscopic": ("inertia(b)*ddt(omega(b)) = M", False),
    "axes": ("transpose(frame(b))*(inertia(b)*(frame(b)*(1, 2, 3))) = (A + 2*D, D + 2*B, 3*C)", True),
}


def momentum_changes_by_the_moment_of_the_forces():
    for turn, rotation in (("orientation p of b", ""), ("coord u, v, w", " rotation rot(z, u)*rot(x, v)*rot(z, w)")):
        text = HEAVY.format(turn=turn, rotation=rotation).replace("constraint c: y' = x*z'\n", "").replace("point P: mass 2*m at (x + 1, y*z, z)\n", "")
        text += "".join(f"claim {name}: {claim}\n" for name, (claim, _) in CLAIMS.items()) + ("initial v = 0.5, u' = 1, v' = 0.4\n" if rotation else "initial p[1]' = 1, p[2]' = 0.3\n")
        done = subprocess.run([HAMEL, "prove", "-", "--json", "--form", "maggi"], input=text, capture_output=True, text=True, timeout=LIMIT)
        verdicts = {v["name"]: v["verdict"] for v in json.loads(done.stdout)["verdicts"] if v["kind"] == "claim"}
        for name, (claim, holds) in CLAIMS.items():
            found = [verdicts[f"{name}.{letter}"] for letter in "xyz"]
            check(f"{claim}, by {turn}", (found == ["proved"] * 3) if holds else "refuted" in found, str(found))


def in_a_constrained_system_the_reaction_has_a_moment():
    text = HEAVY.format(turn="orientation p of b", rotation="") + "claim wrong: ddt(momentum(b, O) + momentum(P, O)) = M + cross(pos(b) - O, F + (0, 0, -m*g)) + cross(pos(P) - O, (0, 0, -2*m*g))\ninitial x = 0.3, z' = 1\n"
    done = subprocess.run([HAMEL, "prove", "-", "--json", "--form", "maggi"], input=text, capture_output=True, text=True, timeout=LIMIT)
    verdicts = [v["verdict"] for v in json.loads(done.stdout)["verdicts"] if v["kind"] == "claim"]
    check("the claim that forgets it is refuted", "refuted" in verdicts, str(verdicts))


values_are_those_of_the_definition()
momentum_changes_by_the_moment_of_the_forces()
in_a_constrained_system_the_reaction_has_a_moment()
finish()
