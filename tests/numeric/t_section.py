"""Poincare's sections, looked at from outside: closed forms, and random models run by another integrator.

The other integrator is RK4 in Python at steps so short that its error is below 1e-10; a crossing is where a part of a step, bisected, ends at zero.
"""
import csv
import json
import math
import os
import random
import subprocess
import tempfile

import mpmath

from _checks import HAMEL, check, finish, near


def hamel(*words, status=0):
    done = subprocess.run([HAMEL, *words], capture_output=True, text=True, check=False)
    check(" ".join(words[:3]), done.returncode == status, f"status {done.returncode}, not {status}: {done.stderr}")
    return done


def section(model, event, *words):
    with tempfile.NamedTemporaryFile("w", suffix=".ham") as file:
        if "\n" in model:
            file.write(model)
            file.flush()
            model = file.name
        out = json.loads(hamel("section", model, event, "--json", *words).stdout)
    return [{name: float(value) for name, value in row.items()} for row in out["rows"]], out


def a_pendulum_hangs_straight_down_every_half_period():
    """T = 4 K(sin(a/2))/sqrt(g/l); the amplitude a from the energy of the model."""
    rows, out = section("pendulum", "x", "--count", "9")
    energy = 0.5 * (0.4**2 + (0.4 * 0.6 / 0.8) ** 2) - 9.81 * 0.8
    amplitude = math.acos(-energy / 9.81)
    period = 4 * float(mpmath.ellipk(math.sin(amplitude / 2) ** 2)) / math.sqrt(9.81)
    check("nine", out["count"] == 9 and len(rows) == 9)
    for one, other in zip(rows, rows[1:]):
        near("half a period", other["t"] - one["t"], period / 2, 1e-12)
    check("x is zero to rounding", max(abs(r["x"]) for r in rows) < 1e-14)
    up, _ = section("pendulum", "x", "--until", "9.4", "--direction", "up")
    down, _ = section("pendulum", "x", "--until", "9.4", "--direction", "down")
    check("up and down take turns", all(r["x'"] > 0 for r in up) and all(r["x'"] < 0 for r in down) and len(up) + len(down) == 9)


def step(f, t, z, h):
    k1 = f(t, z)
    k2 = f(t + h / 2, [a + h / 2 * b for a, b in zip(z, k1)])
    k3 = f(t + h / 2, [a + h / 2 * b for a, b in zip(z, k2)])
    k4 = f(t + h, [a + h * b for a, b in zip(z, k3)])
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(z, k1, k2, k3, k4)]


def crossings(f, event, z, end, h=2e-3):
    found, t = [], 0.0
    for _ in range(round(end / h)):
        there = step(f, t, z, h)
        before, after = event(t, z), event(t + h, there)
        if before != 0 and (before > 0) != (after > 0):
            low, high = 0.0, h
            for _ in range(60):
                middle = (low + high) / 2
                if (event(t + middle, step(f, t, z, middle)) > 0) == (before > 0):
                    low = middle
                else:
                    high = middle
            found.append((t + high, step(f, t, z, high)))
        t, z = t + h, there
    return found


def random_models_cross_where_another_integrator_says():
    """Two coordinates in a random quartic well, with friction, a periodic force and an event that is linear in the state and in a sine of time."""
    rng = random.Random(7)
    for number in range(4):
        c = [rng.randint(-9, 9) / 10 for _ in range(8)]
        start = [rng.randint(-9, 9) / 10 for _ in range(4)]
        model = f"""coord x, y
kinetic (x'^2 + y'^2)/2
potential (x^2 + y^2)/2 + (x^4 + y^4)/4 + {c[0]}*x*y + {c[1]}*x^2*y
force x = -{abs(c[2]) / 5}*x' + {c[3]}*cos(2*t)
initial x = {start[0]}, y = {start[1]}, x' = {start[2]}, y' = {start[3]}
event plane: {c[4]}*x + {c[5]}*y' + {c[6]}*sin(3*t) + {c[7] / 10}
simulate t = 0 .. 5, tol = 1e-13
"""

        def rate(t, z):
            x, y, v, w = z
            return [v, w, -x - x**3 - c[0] * y - 2 * c[1] * x * y - abs(c[2]) / 5 * v + c[3] * math.cos(2 * t), -y - y**3 - c[0] * x - c[1] * x * x]

        def event(t, z):
            return c[4] * z[0] + c[5] * z[3] + c[6] * math.sin(3 * t) + c[7] / 10

        expected = crossings(rate, event, start, 5)
        rows, _ = section(model, "plane")
        check(f"model {number}: as many crossings", len(rows) == len(expected) > 0, f"{len(rows)}, not {len(expected)}")
        for row, (t, z) in zip(rows, expected):
            near(f"model {number}: time", row["t"], t, 1e-9)
            for name, value in zip(("x", "y", "x'", "y'"), z):
                near(f"model {number}: {name}", row[name], value, 1e-8)


def thousands_of_crossings_are_rows_of_a_file_and_nothing_else():
    """Every k-th crossing of sin(50*t) is at k pi/50, whatever the motion is."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rows.csv")
        said = hamel("section", "pendulum", "sin(50*t)", "--count", "4000", "--tol", "1e-8", "-o", file).stdout
        check("no table beside the file", len(said.splitlines()) == 2, said)
        with open(file, encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        check("all of them", len(rows) == 4000)
        worst = max(abs(float(row["t"]) - k * math.pi / 50) for k, row in enumerate(rows, 1))
        check("at their times", worst < 1e-12 * 4000 * math.pi / 50, f"off by {worst}")
        for ending in ("h5", "npz", "svg", "png", "pdf"):
            made = os.path.join(folder, "made." + ending)
            hamel("section", "double_pendulum", "theta1", "--count", "20", "-o", made)
            check(f"a file .{ending}", os.path.getsize(made) > 500)
        refused = hamel("simulate", "double_pendulum", "--resume", os.path.join(folder, "made.h5"), status=1)
        check("a section is no run that goes on", "are a section" in refused.stderr, refused.stderr)
        figure = open(os.path.join(folder, "made.svg"), encoding="utf-8").read()
        check("the figure has points that nothing connects", figure.count("h0") == 20, f"{figure.count('h0')} dots")


def what_cannot_be_had_is_said():
    never = hamel("section", "pendulum", "y - 2", status=5).stderr
    check("no crossing", "`y - 2` does not cross zero from t = 0 to 10" in never, never)
    check("no crossing in this direction", "upwards" in hamel("section", "pendulum", "5 - t", "--direction", "up", status=5).stderr)
    touched = hamel("section", "pendulum", "x^2", status=5).stderr
    check("what is only touched is no crossing", "only touched" in touched, touched)
    few = hamel("section", "pendulum", "t - 1", "--count", "3", "--until", "2").stderr
    check("fewer than were asked for", "crosses zero 1 times, and 3 were asked for" in few, few)
    check("no such event", "did you mean `fallen`?" in hamel("section", "bicycle", "falen", status=1).stderr)
    check("no value anywhere", "does not cross" in hamel("section", "pendulum", "sqrt(-1 - x^2)", status=5).stderr)
    column = hamel("section", "pendulum", "x", "--plot", "x:no", status=1).stderr
    check("no such column", "there is no column `no`" in column, column)
    spring = "coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\nevent home: x stop\nevent far: x + 0.5 stop\nsimulate t = 0 .. 20\n"
    rows, _ = section(spring.replace("event far: x + 0.5 stop\n", ""), "home")
    check("an event with stop does not end its own section", len(rows) == 6, f"{len(rows)} rows")
    for k, row in enumerate(rows):
        near("cos t = 0", row["t"], (k + 0.5) * math.pi, 1e-11)
    rows, out = section(spring, "home")
    check("another one does", len(rows) == 1 and out["outcome"] == "stopped by an event")
    before, _ = section("double_pendulum", "theta1", "--count", "3")
    again, _ = section("double_pendulum", "theta1", "--count", "3", "--exec", "interpreted", "--method", "dop853")
    for one, other in zip(before, again):
        near("another method", one["t"], other["t"], 1e-9)


a_pendulum_hangs_straight_down_every_half_period()
random_models_cross_where_another_integrator_says()
thousands_of_crossings_are_rows_of_a_file_and_nothing_else()
what_cannot_be_had_is_said()
finish()
