"""Rotations by quaternions: `quat`, `transpose` of a rotation, `orientation`. Against elliptic functions, the same bodies in angles, and rotations of NumPy."""
import json
import math
import random
import subprocess

import mpmath
import numpy
from scipy.integrate import solve_ivp

from _checks import check, finish, near
from _runs import HAMEL, LIMIT, summary, trajectory
from t_symmetries import text_model


def evaluate(text, at=""):
    done = subprocess.run([HAMEL, "eval", "-", "--json", *(["--at", at] if at else [])], input=text, capture_output=True, text=True, timeout=LIMIT)
    check("it is evaluated", done.returncode == 0, done.stderr)
    return json.loads(done.stdout)


def matrix(q):
    """Of a quaternion, by the product q v q*, column by column."""
    def times(a, b):
        return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])
    q = numpy.array(q) / numpy.linalg.norm(q)
    back = (q[0], -q[1], -q[2], -q[3])
    return numpy.array([times(times(q, (0, *numpy.eye(3)[i])), back)[1:] for i in range(3)]).T


def a_quaternion_turns_vectors():
    """quat(..)*v and transpose(quat(..))*v, of any norm, observed along a motion that does not matter."""
    draw = random.Random(7)
    for _ in range(10):
        q, v = [draw.uniform(-2, 2) for _ in range(4)], [draw.uniform(-2, 2) for _ in range(3)]
        words = ", ".join(map(repr, q))
        text = (f"coord x\nkinetic x'^2/2\nlet R = quat({words})\nlet u = R*({v[0]!r}, {v[1]!r}, {v[2]!r})\n"
                f"let b = transpose(R)*({v[0]!r}, {v[1]!r}, {v[2]!r})\nlet s = transpose(rot(z, 0.3)*R)*u\n"
                "observe u1 = u.x, u2 = u.y, u3 = u.z, b1 = b.x, b2 = b.y, b3 = b.z, s1 = s.x, s2 = s.y, s3 = s.z\nsimulate t = 0 .. 1\ninitial x' = 1\n")
        final = summary(text_model(text))["final"]
        c, s = math.cos(0.3), math.sin(0.3)
        turn = numpy.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        R = matrix(q)
        for name, expected in (("u", R @ v), ("b", R.T @ v), ("s", (turn @ R).T @ R @ v)):
            for i in range(3):
                near(f"{name}{i + 1}", float(final[f"{name}{i + 1}"]), expected[i], 1e-12)


def angular_velocity_is_that_of_the_quaternion():
    """omega of a body against R' R^T of NumPy, by a central difference in 50 digits."""
    draw = random.Random(8)
    for _ in range(6):
        q = [draw.uniform(-1, 1) for _ in range(4)]
        dq = [draw.uniform(-1, 1) for _ in range(4)]
        text = ("coord p[0..3]\nbody b: mass 1 at (0, 0, 0) inertia (1, 2, 3) rotation quat(p[0], p[1], p[2], p[3])\n"
                "kinetic (p[0]'^2 + p[1]'^2 + p[2]'^2 + p[3]'^2)/2\n"
                "let w = omega(b)\nobserve w1 = w.x, w2 = w.y, w3 = w.z\nsimulate t = 0 .. 1\n"
                "initial " + ", ".join(f"p[{i}] = {q[i]!r}, p[{i}]' = {dq[i]!r}" for i in range(4)))
        row = {k: v[0] for k, v in trajectory(text_model(text), until=0.001).items()}
        h = 1e-6
        ahead, behind = (matrix([a + s * h * b for a, b in zip(q, dq)]) for s in (1, -1))
        spin = (ahead - behind) / (2 * h) @ matrix(q).T
        for name, expected in (("w1", spin[2, 1]), ("w2", spin[0, 2]), ("w3", spin[1, 0])):
            near(name, row[name], expected, 1e-8)


def the_box_turns_over_in_the_period_of_elliptic_functions():
    draw = random.Random(9)
    for _ in range(4):
        A, B, C = sorted(draw.uniform(0.5, 4) for _ in range(3))
        w = [draw.uniform(0.05, 0.3), draw.uniform(1, 2), draw.uniform(0.05, 0.3)]
        h2, l2 = A * w[0]**2 + B * w[1]**2 + C * w[2]**2, (A * w[0])**2 + (B * w[1])**2 + (C * w[2])**2
        if l2 < h2 * B:  # the axes 1 and 3 change places
            k = math.sqrt((B - A) * (h2 * C - l2) / (A * B * C))
            m = (C - B) * (l2 - h2 * A) / ((B - A) * (h2 * C - l2))
        else:
            k = math.sqrt((C - B) * (l2 - h2 * A) / (A * B * C))
            m = (B - A) * (h2 * C - l2) / ((C - B) * (l2 - h2 * A))
        period = float(4 * mpmath.ellipk(m) / k)
        out = summary("tumbling_box", set=[f"A={A!r}", f"B={B!r}", f"C={C!r}"], at="p[0]=1, w1={!r}, w2={!r}, w3={!r}".format(*w), until=period)
        for i, name in enumerate(("w1", "w2", "w3")):
            near(f"{name} after a period", float(out["final"][name]), w[i], 1e-8)


def a_free_body_turns_alike_from_any_orientation():
    """Euler's equations do not know where the body points: from starts with some of the four numbers 0, too, on which they do not depend one by one."""
    A, B, C, w0 = 1, 2, 3, (0.3, 0.1, -0.28)
    euler = solve_ivp(lambda t, w: [(B - C) * w[1] * w[2] / A, (C - A) * w[2] * w[0] / B, (A - B) * w[0] * w[1] / C], (0, 5), w0, method="DOP853", rtol=1e-12, atol=1e-14)
    for start in ((1, 0, 0, 0), (0.8, 0, 0.6, 0), (0.6, 0.8, 0, 0), (0, 0, 0.6, 0.8), (0, 0, 0, 1), (0.5, -0.5, 0.5, 0.5)):
        text = (f"param A = {A}, B = {B}, C = {C}\norientation p of box\nbody box: mass 1 at (0, 0, 0) inertia (A, B, C)\nlet w = transpose(quat(p[0], p[1], p[2], p[3]))*omega(box)\n"
                "quasi w1 = w.x\nquasi w2 = w.y\nquasi w3 = w.z\nsimulate t = 0 .. 5, tol = 1e-12\n"
                "initial " + ", ".join(f"p[{i}] = {start[i]}" for i in range(4)) + ", " + ", ".join(f"w{i + 1} = {w0[i]}" for i in range(3)))
        model = text_model(text)
        for form in ("maggi", "hamel", "poincare", "kane"):
            final = summary(model, form=form)["final"]
            for i in range(3):
                near(f"w{i + 1} by {form} from {start}", float(final[f"w{i + 1}"]), euler.y[i][-1], 1e-9)


def a_top_in_angles_and_as_a_quaternion():
    """The same heavy top; the quaternion of rot(z, phi)*rot(x, theta)*rot(z, psi) at the start. Also straight through the vertical, where angles fail."""
    common = "param m = 1, g = 9.81, l = 0.5, A = 0.25, C = 0.2\ngravity (0, 0, -g)\nsimulate t = 0 .. 2, tol = 1e-12, output = 0.25\n"
    angles = (common + "coord phi, theta, psi\nlet R = rot(z, phi)*rot(x, theta)*rot(z, psi)\nbody top: mass m at R*(0, 0, l) inertia (A, A, C) rotation R\n"
              "observe X = pos(top).x, Y = pos(top).y, Z = pos(top).z\ninitial phi = 0.3, theta = 0.5, psi = -0.4, phi' = 1, theta' = 0.7, psi' = 20\n")
    half = [math.cos(0.15), math.sin(0.15), math.cos(0.25), math.sin(0.25), math.cos(0.2), -math.sin(0.2)]
    # products of half turns: (a, 0, 0, d) (e, f, 0, 0) (g, 0, 0, h)
    a, d, e, f, g, h = half
    q = (a * e * g - d * e * h, a * f * g + d * f * h, d * f * g - a * f * h, a * e * h + d * e * g)
    body = "orientation p of top\nlet R = quat(p[0], p[1], p[2], p[3])\nbody top: mass m at R*(0, 0, l) inertia (A, A, C)\n"
    omega = "let w = transpose(R)*omega(top)\nquasi w1 = w.x\nquasi w2 = w.y\nquasi w3 = w.z\nobserve X = pos(top).x, Y = pos(top).y, Z = pos(top).z\n"
    s, c, ps, pc = math.sin(0.5), math.cos(0.5), math.sin(-0.4), math.cos(-0.4)
    w = (s * ps + 0.7 * pc, s * pc - 0.7 * ps, c + 20)  # Euler's kinematic equations
    quaternion = common + body + omega + "initial " + ", ".join(f"p[{i}] = {q[i]!r}" for i in range(1, 4)) + f", w1 = {w[0]!r}, w2 = {w[1]!r}, w3 = {w[2]!r}\nguess p[0] = {q[0]!r}\n"
    one, other = trajectory(text_model(angles)), trajectory(text_model(quaternion))
    for name in ("X", "Y", "Z"):
        near(f"{name} all along", max(abs(x - y) for x, y in zip(one[name], other[name])), 0, 1e-8)
    through = summary(text_model(common + body + omega + f"initial p[1] = {math.sin(0.1)!r}, w1 = -4\n"), until=0.2)
    check("it swings through the vertical", float(through["final"]["Y"]) > 0 and through["outcome"] == "the end was reached", str(through["final"]))
    near("with its energy", float(through["drift"]["energy"]), 0, 1e-9)


a_quaternion_turns_vectors()
angular_velocity_is_that_of_the_quaternion()
the_box_turns_over_in_the_period_of_elliptic_functions()
a_free_body_turns_alike_from_any_orientation()
a_top_in_angles_and_as_a_quaternion()
finish()
