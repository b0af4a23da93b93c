"""Motion that the constraints prescribe: reactions and required forces.
Random models with as many constraints as coordinates, ideal and servo, against SymPy and mpmath by every form; a weight on two bars; and the drive force and steering torque of car_trailer_path against
NumPy: there the path is followed by its own differential equations, momenta are differentiated by differences of high order, and Newton's and Euler's laws are solved for the five forces."""
import csv
import json
import math
import subprocess

import mpmath
import numpy as np
from scipy.integrate import solve_ivp

from _checks import HAMEL, check, finish, near
from _reactive import Drawn, evaluate, hamel

FORMS = ("maggi", "multipliers", "hamilton", "appell", "ferrers", "voronec", "chaplygin-quasi", "hamel-novoselov", "udwadia", "nielsen", "gauss")


def random_models():
    for seed in range(200, 216):
        d = Drawn(seed, servo=seed % 2, prescribed=True)
        text = d.text()
        for form in FORMS:
            e = evaluate(text, "--form", form)
            x = d.solution(e) if form == FORMS[0] else x
            found = [e["qdd"][str(q)] for q in d.q] + [e["lambda"][f"c{nu+1}"] for nu in range(d.k)]
            worst = max(abs(mpmath.mpf(f) - v) / max(1, abs(v)) for f, v in zip(found, x))
            check(f"prescribed model {seed} by {form}", worst < 1e-23, f"{worst}\n{text}")
        if "sqrt" not in text:  # F_p need not have the roots of several velocities at one point
            verdicts = json.loads(hamel("prove", text, "--json").stdout)["verdicts"]
            check(f"all forms of prescribed model {seed} agree",
                  all(v["verdict"] == "proved" or (v["name"], v["verdict"]) == ("hamilton", "undecided") for v in verdicts), str(verdicts) + text)


BARS = """param m = 3, g = 9.81, l = 2, d = 1
coord x, y
point P: mass m at (x, y, 0)
gravity (0, -g, 0)
constraint left: (x + d)^2 + y^2 = l^2
constraint right: (x - d)^2 + y^2 = l^2
guess y = -1.7
"""


def a_weight_on_two_bars():
    for l, d in ((2, 1), (3, 0.2), (1.5, 1.4)):
        e = evaluate(BARS, "--set", f"l={l}", "--set", f"d={d}")
        # each bar pulls with m g l/(2 sqrt(l^2 - d^2)); dPhi/dq has the length 2 l
        near("the pull of a bar", -2 * l * float(e["lambda"]["left"]), 3 * 9.81 * l / (2 * math.sqrt(l * l - d * d)), 1e-12)
        check("nothing moves", all(float(a) == 0 for a in e["qdd"].values()), str(e["qdd"]))
    done = hamel("stability", BARS, "--vary", "g=1..2")
    check("nothing to be unstable", done.returncode == 2 and "prescribe" in done.stderr, done.stderr)


def the_car():
    m, ic, b, l, j, mt, it, d, h, w = 1200, 1500, 1.3, 2.6, 20, 400, 300, 3, 3, 12
    speed = lambda t: 6 + 2 * np.sin(t / 2)

    def angles(x):
        slope = h / w * np.cos(x / w)
        return np.arctan(slope), np.arctan(-l * h / w**2 * np.sin(x / w) / (1 + slope**2)**1.5)

    def rate(t, z):  # along the path: x, and the heading of the trailer
        theta, _ = angles(z[0])
        return [speed(t) * np.cos(theta), speed(t) * np.sin(theta - z[1]) / d]

    path = solve_ivp(rate, (0, 10), [0, 0.2], method="DOP853", rtol=1e-13, atol=1e-13, dense_output=True).sol

    def place(t):  # q(t)
        x, phi = path(t)
        return np.array([x, h * np.sin(x / w), *angles(x), phi])

    def differentiated(f, t, e):  # central differences of order 8
        c = [4 / 5, -1 / 5, 4 / 105, -1 / 280]
        return sum(c[k] * (f(t + (k + 1) * e) - f(t - (k + 1) * e)) for k in range(4)) / e

    def mass(q):
        _, _, th, _, ph = q
        out = np.zeros((5, 5))
        for weight, jac in ((m, [[1, 0, -b * np.sin(th), 0, 0], [0, 1, b * np.cos(th), 0, 0]]), (mt, [[1, 0, 0, 0, d * np.sin(ph)], [0, 1, 0, 0, -d * np.cos(ph)]]),
                            (ic, [[0, 0, 1, 0, 0]]), (it, [[0, 0, 0, 0, 1]]), (j, [[0, 0, 1, 1, 0]])):
            out += weight * np.transpose(jac) @ np.array(jac)
        return out

    def newton(t):
        velocity = lambda s: differentiated(place, s, 0.02)
        q, v = place(t), velocity(t)
        momentum = differentiated(lambda s: mass(place(s)) @ velocity(s), t, 0.02)
        by_place = np.array([v @ (mass(q + 1e-5 * e) - mass(q - 1e-5 * e)) @ v / 4e-5 for e in np.eye(5)])
        th, de, ph = q[2], q[3], q[4]
        rows = [[-np.sin(th), np.cos(th), 0, 0, 0], [-np.sin(th + de), np.cos(th + de), l * np.cos(de), 0, 0], [-np.sin(ph), np.cos(ph), 0, 0, -d],
                [np.cos(th), np.sin(th), 0, 0, 0], [0, 0, 0, 1, 0]]
        return np.linalg.solve(np.transpose(rows), momentum - by_place)

    rows = list(csv.DictReader(subprocess.run([HAMEL, "simulate", "car_trailer_path", "-o", "-"], capture_output=True, text=True).stdout.splitlines()))
    check("the car stays on its path", max(abs(float(r["off_path"])) for r in rows) < 1e-9)
    for row in rows[20:180:20]:
        expected = newton(float(row["t"]))
        for name, value in zip(("rear", "front", "axle", "drive", "steer"), expected):
            check(f"{name} at {row['t']}", abs(float(row[f"lambda[{name}]"]) - value) < 2e-6 * max(abs(expected)), f"{row[f'lambda[{name}]']} {value}")


random_models()
a_weight_on_two_bars()
the_car()
finish()
