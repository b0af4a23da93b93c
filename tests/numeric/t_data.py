"""Functions from data: `given f from "file" column NAME [linear]`.

The other routes: SciPy's CubicSpline (not-a-knot) and numpy.interp for values and derivatives of random tables, all coefficients of a small spline at once
from one dense system in 50 digits, double integrals of splines (SciPy's antiderivatives are exact) for motions, SciPy's integrator piece by piece for an
oscillator, and code that `codegen` writes.
"""
import ctypes
import json
import os
import random
import subprocess
import tempfile
import time

import mpmath
import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from _checks import HAMEL, check, finish
from _runs import call, trajectory

RNG = random.Random(17)
FOLDER = tempfile.mkdtemp()
ROUNDING = 2.0 ** -52


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as out:
        out.write(text)
    return path


def table(t, y, name="data.csv", column="f"):
    """A file with another column beside, comments and quotes."""
    lines = ["# measured\n", f't, "other, one", "{column}"\n']
    lines += [f"{a!r}, -1e3, {b!r}\n" for a, b in zip(t, y)]
    return write(name, "".join(lines))


def drawn(count, clustered):
    """Increasing times, perhaps in clusters, and values."""
    gaps = [RNG.choice([1e-3, 1]) * RNG.uniform(0.2, 1) if clustered else RNG.uniform(0.2, 1) for _ in range(count - 1)]
    t = np.round(np.cumsum([RNG.uniform(-1, 1)] + gaps), 9)
    return [float(x) for x in t], [round(RNG.uniform(-2, 2), 6) for _ in range(count)]


def observer(t, linear):
    """Columns f, f' (and f'') at 200 times."""
    more = "" if linear else "observe f2 = f''\n"
    end = t[-1]
    return write("observe.ham", f'coord x\ngiven f from "data.csv" column f{" linear" if linear else ""}\nkinetic x\'^2/2\ninitial x = 0\n'
                 f"observe f0 = f\nobserve f1 = f'\n{more}simulate t = {t[0]!r} .. {end!r}, output = {(end - t[0]) / 199!r}\n")


def splines_are_those_of_scipy():
    for count in [2, 3, 4, 5, 6, 9, 30, 200, 1000]:
        t, y = drawn(count, False)
        table(t, y)
        got = trajectory(observer(t, False))
        spline = CubicSpline(t, y)
        at = np.array(got["t"][1:-1])
        for order, name in enumerate(("f0", "f1", "f2")):
            worst = np.max(np.abs(np.array(got[name][1:-1]) - spline(at, order)))
            # a rounded t moves a derivative by the next one, a rounded value by its difference quotients
            most = 16 * ROUNDING * (max(map(abs, t)) * np.max(np.abs(spline(at, order + 1))) + 100 * max(map(abs, y)))
            check(f"{name} of {count} points", worst <= most, f"off by {worst:.3g}, {most:.3g} allowed")


def clusters_of_points_lose_nothing():
    """Pieces 1/1000 as long as others: against 50 digits, since SciPy loses as many as the ratio has."""
    mpmath.mp.dps = 50
    for count in [4, 5, 8, 20]:
        t, y = drawn(count, True)
        table(t, y)
        got = trajectory(observer(t, False))
        c = all_coefficients_at_once([mpmath.mpf(repr(a)) for a in t], [mpmath.mpf(repr(b)) for b in y])
        worst = 0
        for at, f in list(zip(got["t"], got["f0"]))[1:-1]:
            i = min(max(np.searchsorted(t, at, side="right") - 1, 0), count - 2)
            k, x = [c[int(4 * i + j)] for j in range(4)], mpmath.mpf(at) - mpmath.mpf(repr(t[i]))
            size = sum(abs(k[j] * x ** j) for j in range(4)) + abs(at) * abs(k[1] + 2 * k[2] * x + 3 * k[3] * x ** 2)
            worst = max(worst, float(abs(f - (k[0] + x * (k[1] + x * (k[2] + x * k[3])))) / size))
        check(f"{count} points", worst < 8 * ROUNDING, f"off by {worst:.3g} of its terms")


def straight_lines_are_those_of_numpy():
    for count in [2, 3, 7, 300]:
        t, y = drawn(count, count == 7)
        table(t, y)
        got = trajectory(observer(t, True))
        at = np.array(got["t"][1:-1])
        worst = np.max(np.abs(np.array(got["f0"][1:-1]) - np.interp(at, t, y)))
        check(f"{count} points", worst < 1e-11, f"off by {worst:.3g}")
        slope = np.diff(y) / np.diff(t)
        piece = np.clip(np.searchsorted(t, at, side="right") - 1, 0, count - 2)
        clear = np.min(np.abs(at[:, None] - np.array(t)[None, :]), axis=1) > 1e-9
        worst = np.max(np.abs((np.array(got["f1"][1:-1]) - slope[piece])[clear]) / (1 + np.abs(slope[piece])[clear]))
        check(f"slopes of {count} points", worst < 1e-11, f"off by {worst:.3g}")


def all_coefficients_at_once(t, y):
    """c[4 i + j]: every condition a row of one dense system."""
    n = len(t)
    rows, right = [], []

    def row(entries, value):
        line = [mpmath.mpf(0)] * (4 * (n - 1))
        for where, number in entries:
            line[where] += number
        rows.append(line), right.append(value)
    for i in range(n - 1):
        h = t[i + 1] - t[i]
        row([(4 * i, 1)], y[i])
        row([(4 * i + j, h ** j) for j in range(4)], y[i + 1])
        if i < n - 2:
            row([(4 * i + 1, 1), (4 * i + 2, 2 * h), (4 * i + 3, 3 * h ** 2), (4 * i + 5, -1)], 0)
            row([(4 * i + 2, 2), (4 * i + 3, 6 * h), (4 * i + 6, -2)], 0)
    row([(3, 1), (7, -1)], 0)
    row([(4 * n - 9, 1), (4 * n - 5, -1)], 0)
    return mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(right))


def eval_has_all_digits():
    mpmath.mp.dps = 60
    for count in (4, 5, 7, 11):
        t = sorted(RNG.sample(range(-500, 500), count))
        y = [RNG.randint(-9999, 9999) for _ in t]
        write("data.csv", "t,f\n" + "".join(f"{a / 100:.2f},{b}e-3\n" for a, b in zip(t, y)))
        model = write("digits.ham", 'coord a, b, c\ngiven f from "data.csv" column f\nkinetic (a\'^2 + b\'^2 + c\'^2)/2\nforce a = f\nforce b = f\'\n'
                      f"force c = f''\ninitial a = 0\nsimulate t = {t[0]}/100 .. {t[-1]}/100\nclaim typed: f*a'' + f'*b'' + f''*c'' = f^2 + f'^2 + f''^2\n")
        exact_t, exact_y = [mpmath.mpf(a) / 100 for a in t], [mpmath.mpf(b) / 1000 for b in y]
        c = all_coefficients_at_once(exact_t, exact_y)
        for _ in range(3):
            i = RNG.randrange(count - 1)
            at = RNG.randint(t[i] * 1000 + 1, t[i + 1] * 1000 - 1)
            x = mpmath.mpf(at) / 100000 - exact_t[i]
            k = [c[4 * i + j] for j in range(4)]
            want = {"a": k[0] + x * (k[1] + x * (k[2] + x * k[3])), "b": k[1] + x * (2 * k[2] + 3 * x * k[3]), "c": 2 * k[2] + 6 * x * k[3]}
            got = json.loads(call("eval", model, "--json", "--digits", "40", "--at", f"t = {at}/100000"))["qdd"]
            worst = max(abs(mpmath.mpf(got[q]) - want[q]) / (1 + abs(want[q])) for q in want)
            check(f"{count} points at t = {at}/100000", worst < mpmath.mpf(10) ** -38, f"off by {mpmath.nstr(worst, 3)}")
        verdict = [v for v in json.loads(call("prove", model, "--json"))["verdicts"] if v["kind"] == "claim"][0]
        check("both evaluators agree on it", verdict["verdict"] == "proved" and "by algebra alone" not in json.dumps(verdict), verdict)


METHODS = {"taylor": 1e-11, "dop853": 1e-10, "tsit5": 1e-10, "adams": 1e-8, "bdf": 1e-8}


def motions_are_double_integrals():
    """x'' = f: x = x0 + v0 t + the second antiderivative, for every method that controls its error, compiled and interpreted, in all precisions."""
    for count, clustered in ((12, False), (25, True)):
        t, y = drawn(count, clustered)
        table(t, y)
        model = write("drive.ham", 'coord x\ngiven f from "data.csv" column f\nkinetic x\'^2/2\nforce x = f\ninitial x = 0.3, x\' = -0.2\n'
                      f"simulate t = {t[0]!r} .. {t[-1]!r}, tol = 1e-12, output = {(t[-1] - t[0]) / 37!r}\n")
        twice = CubicSpline(t, y).antiderivative(2)

        def off(**options):
            got = trajectory(model, **options)
            at = np.array(got["t"])
            want = 0.3 - 0.2 * (at - t[0]) + twice(np.minimum(at, t[-1])) - twice(t[0]) - twice(t[0], 1) * (at - t[0])
            return np.max(np.abs(np.array(got["x"]) - want)) / (1 + np.max(np.abs(want)))
        for method, most in METHODS.items():
            check(f"{method}, {count} points", off(method=method) < most, off(method=method))
        for options in ({"exec": "compiled"}, {"exec": "interpreted"}, {"exec": "compiled", "method": "tsit5"}, {"precision": "long"}, {"precision": "quad"}):
            check(f"{options}, {count} points", off(**options) < 1e-11, off(**options))
        check(f"midpoint, {count} points", off(method="midpoint", step="1e-3") < 1e-5, off(method="midpoint", step="1e-3"))
        check(f"dla, {count} points", off(method="dla", step="1e-3") < 1e-5, off(method="dla", step="1e-3"))


def an_oscillator_follows_measured_data():
    t, y = drawn(30, False)
    table(t, y)
    spline = CubicSpline(t, y)
    model = write("shaken.ham", 'param k = 7, c = 0.3\ncoord x\ngiven f from "data.csv" column f\nkinetic x\'^2/2\npotential k*(x - f)^2/2\nforce x = -c*(x\' - f\')\n'
                  f"initial x = 0.1, x' = 0\nevent top: x' stop\nsimulate t = {t[0]!r} .. {t[-1]!r}, tol = 1e-12, output = {(t[-1] - t[0]) / 50!r}\n".replace(" stop", ""))
    got = trajectory(model)
    at, z, want = got["t"], np.array([0.1, 0.0]), [0.1]
    ends = sorted(set(list(t) + at))
    for a, b in zip(ends, ends[1:]):  # from point to point, where the equations are smooth
        z = solve_ivp(lambda s, v: [v[1], -7 * (v[0] - spline(s)) - 0.3 * (v[1] - spline(s, 1))], (a, b), z, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
        if b in at:
            want.append(z[0])
    worst = max(abs(a - b) for a, b in zip(got["x"], want))
    check("x", len(want) == len(at) and worst < 1e-9, f"off by {worst:.3g}")


def a_constraint_follows_a_road():
    """y = z(t): its reaction is m (g + z''), with two continuous derivatives."""
    t, y = drawn(15, False)
    table(t, y, column="z")
    road = CubicSpline(t, y)
    model = write("road.ham", 'param m = 3, g = 9.81\ncoord x, y\ngiven z from "data.csv" column z\nkinetic m/2*(x\'^2 + y\'^2)\npotential m*g*y\nconstraint road: y = z\n'
                  f"initial x = 0, x' = 1\nsimulate t = {t[0]!r} .. {t[-1]!r}, output = {(t[-1] - t[0]) / 40!r}\n")
    for form in ("maggi", "multipliers", "udwadia"):
        got = trajectory(model, form=form)
        at = np.array(got["t"][1:-1])
        worst = np.max(np.abs(np.array(got["lambda[road]"][1:-1]) - 3 * (9.81 + road(at, 2)))) / np.max(np.abs(road(at, 2)))
        check(f"lambda by {form}", worst < 1e-10, f"off by {worst:.3g}")
        worst = np.max(np.abs(np.array(got["y"][1:-1]) - road(at)))
        check(f"y by {form}", worst < 1e-9, f"off by {worst:.3g}")
    refused = write("bent.ham", open(model).read().replace("column z", "column z linear"))
    said = subprocess.run([HAMEL, "simulate", refused], capture_output=True, text=True)
    check("straight lines have no second derivative", said.returncode == 2 and "derivative 2 of `z`" in said.stderr, said.stderr)


def generated_code_has_the_data_and_takes_inputs():
    t, y = drawn(40, False)
    table(t, y)
    model = write("made.ham", 'system made\nparam k = 4, c = 0.2\ncoord x, q\ngiven f from "data.csv" column f\ninput u = -k*q + f\', w from "data.csv" column f linear\n'
                  'input v\nkinetic x\'^2/2 + (1 + x^2)*q\'^2/2\npotential k*x^2/2\nforce x = f - c*x\' + w\nforce q = u + v*x\n'
                  f"initial x = 0.2, q = 0.1\nobserve work = u*q'\nsimulate t = {t[0]!r} .. {t[-1]!r}, tol = 1e-12\n")
    code = os.path.join(FOLDER, "made-c")
    subprocess.run([HAMEL, "codegen", model, "-o", code], check=True, capture_output=True)
    built = subprocess.run(["make", "-s", "-C", code, "CFLAGS=-std=c99 -O2 -Wall -Wextra -Wpedantic -Werror"], capture_output=True, text=True)
    check("it compiles without a warning", built.returncode == 0, built.stderr)
    end = t[0] + 0.8 * (t[-1] - t[0])
    rows = subprocess.run([os.path.join(code, "made"), repr(end), "10", "40000"], capture_output=True, text=True, check=True).stdout.splitlines()
    got = trajectory(model, until=end, every=(end - t[0]) / 10)
    last = dict(zip(rows[0].split(","), map(float, rows[-1].split(","))))
    for name in ("x", "q", "work"):
        check(f"{name} of main", abs(last[name] - got[name][-1]) < 1e-6 * (1 + abs(last[name])), f"{last[name]} and {got[name][-1]}")
    beyond = subprocess.run([os.path.join(code, "made"), repr(t[-1] + 1), "10", "10"], capture_output=True, text=True)
    check("it stops where the data end", beyond.returncode == 5, beyond.stderr)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", os.path.join(code, "made.so"), os.path.join(code, "made.c"), "-lm"], check=True)
    library = ctypes.CDLL(os.path.join(code, "made.so"))
    system, z, u, out = (ctypes.c_double * 2)(), (ctypes.c_double * 4)(), (ctypes.c_double * 3)(), (ctypes.c_double * 4)()
    library.made_defaults(system)
    for _ in range(5):
        at = RNG.uniform(t[0], t[-1])
        z[:] = [RNG.uniform(-1, 1) for _ in range(4)]
        state = f"t = {at!r}, x = {z[0]!r}, q = {z[1]!r}, x' = {z[2]!r}, q' = {z[3]!r}"
        library.made_inputs(system, ctypes.c_double(at), z, u)
        stated = json.loads(call("eval", model, "--json", "--at", state))
        for i, name in enumerate("uwv"):
            check(f"input {name} as stated", abs(u[i] - float(stated["input"][name])) < 1e-9 * (1 + abs(u[i])), f"{u[i]} and {stated['input'][name]}")
        u[:] = [RNG.uniform(-3, 3) for _ in range(3)]
        library.made_rate(system, ctypes.c_double(at), z, u, out)
        held = json.loads(call("eval", model, "--json", "--at", state + f", u = {u[0]!r}, w = {u[1]!r}, v = {u[2]!r}"))["qdd"]
        for i, name in ((2, "x"), (3, "q")):
            check(f"{name}'' for other inputs", abs(out[i] - float(held[name])) < 1e-11 * (1 + abs(out[i])), f"{out[i]} and {held[name]}")


def a_run_goes_on_with_the_same_data_only():
    t, y = drawn(60, False)
    table(t, y)
    model = write("half.ham", 'coord x\ngiven f from "data.csv" column f\nkinetic x\'^2/2\npotential x^2\nforce x = f\ninitial x = 0.3\n'
                  f"simulate t = {t[0]!r} .. {t[-1]!r}, output = {(t[-1] - t[0]) / 64!r}\n")
    middle = t[0] + 0.43 * (t[-1] - t[0])
    for method in ("taylor", "dop853"):
        half = os.path.join(FOLDER, f"half-{method}.h5")
        whole = json.loads(call("simulate", model, "--json", method=method))["final"]
        call("simulate", model, "-o", half, method=method, until=t[20])  # a point: steps end there in both
        both = json.loads(call("simulate", model, "--json", "--resume", half, until=t[-1]))["final"]
        check(f"two halves by {method} are the whole run", whole == both, (whole, both))
    part = os.path.join(FOLDER, "part.h5")
    call("simulate", model, "-o", part, until=middle)
    y[-1] += 1
    table(t, y)
    said = subprocess.run([HAMEL, "simulate", model, "--resume", part, "--until", repr(t[-1])], capture_output=True, text=True)
    check("other data are another model", said.returncode == 2 and "differs" in said.stderr, said.stderr)


def a_quarter_car_feels_its_road():
    """The model of the library, by SciPy's integrator from point to point."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models", "measured_road.csv")) as data:
        rows = np.array([[float(v) for v in line.split(",")] for line in data if line[0] in "0123456789"])
    road, z, last = CubicSpline(rows[:, 0], rows[:, 1]), np.zeros(4), 0
    got = trajectory("measured_road", tol=1e-12, every=0.25)

    def rate(t, v):
        tyre, spring = 180000 * (road(t) - v[0]), 16000 * (v[0] - v[1]) + 1400 * (v[2] - v[3])
        return [v[2], v[3], (tyre - spring) / 40, spring / 280]
    for a, b in zip(rows, rows[1:]):
        z = solve_ivp(rate, (a[0], b[0]), z, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
        for i, at in enumerate(got["t"]):
            if abs(at - b[0]) < 1e-12:
                worst = max(abs(got["y1"][i] - z[0]), abs(got["y2"][i] - z[1]), abs(got["y1'"][i] - z[2]) / 10)
                check(f"y1, y2 at t = {at}", worst < 1e-9, f"off by {worst:.3g}")
                last = at
    check("up to the end", last == 5, last)
    same = json.loads(call("sensitivity", "measured_road", "--json"))
    check("derivatives pass the points", "y1" in json.dumps(same))
    check("exponents too", "exponents" in call("lyapunov", "measured_road"))


def points_a_rounding_apart_are_one():
    """Two files whose points differ in the last place, and an end that does."""
    t = [i / 10 for i in range(11)]
    table(t, [(-1) ** i for i in range(11)])
    write("beside.csv", "t,g\n" + "".join(f"{float(np.nextafter(a, 2)) if i else 0.0!r},{i % 3}\n" for i, a in enumerate(t)))
    model = write("both.ham", 'coord x\ngiven f from "data.csv" column f\ngiven g from "beside.csv" column g linear\nkinetic x\'^2/2\nforce x = f + g\ninitial x = 0\n'
                  "simulate t = 1/1000 .. 9/10, tol = 1e-12\n")
    for method in METHODS:
        for end in (0.3, float(np.nextafter(0.3, 0)), float(np.nextafter(0.3, 1)), 0.9):
            got = trajectory(model, method=method, until=end)
            check(f"{method} to {end!r}", abs(got["t"][-1] - end) < 1e-15, got["t"][-1])


def a_blade_is_turned_by_data():
    """x' = u cos a, y' = u sin a, u' = w cos a: independent velocities are chosen anew on the way, also where a piece ends."""
    t = [round(0.11 * i, 2) for i in range(60)]
    a, w = [round(np.sin(0.4 * i) + RNG.uniform(-0.1, 0.1), 4) for i in range(60)], [round(RNG.uniform(-0.3, 0.3), 4) for _ in range(60)]
    write("blade.csv", "t,a,w\n" + "".join(f"{p},{q},{r}\n" for p, q, r in zip(t, a, w)))
    model = write("blade.ham", 'coord x, y\ngiven a from "blade.csv" column a\ngiven w from "blade.csv" column w linear\nkinetic (x\'^2 + y\'^2)/2\nforce x = w\n'
                  "constraint blade: y'*cos(5*a) - x'*sin(5*a) = 0\ninitial x = 0, y = 0, x' = 1\nsimulate t = 0 .. 6.05, tol = 1e-11, output = 0.55\n")
    angle, z, want = CubicSpline(t, a), np.array([0.0, 0.0, 1 / np.cos(5 * a[0])]), [0.0]

    def rate(s, v):
        phi = 5 * angle(s)
        return [v[2] * np.cos(phi), v[2] * np.sin(phi), np.interp(s, t, w) * np.cos(phi)]
    for i in range(55):
        z = solve_ivp(rate, (t[i], t[i + 1]), z, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
        if (i + 1) % 5 == 0:
            want.append(z[0])
    for options in ({}, {"method": "dop853"}, {"method": "tsit5"}, {"exec": "compiled"}, {"precision": "long"}, {"precision": "quad"}, {"form": "multipliers"},
                    {"form": "hamilton"}, {"form": "multipliers", "method": "ida", "tol": 1e-9}):
        got = trajectory(model, **options)
        worst = max(abs(p - q) for p, q in zip(got["x"], want))
        check(f"{options}", len(got["x"]) == len(want) and worst < (1e-6 if "ida" in str(options) else 1e-8), f"off by {worst:.3g}")


WAYS = ["", "when bounce: z/10 - y { y' = -0.8*y' + z' }", "every 1/7 { u = -x - z' }", "constraint c: y = 1 + z*x", "event up: x - z up stop",
        "force y = z''*x - z'*y'", "quasi v = x' + z*y'\nquasi w = y'", "force x = -z''' * 1000/(1 + x^2)"]


def data_of_a_cubic_are_the_cubic():
    """Not-a-knot: a spline through points of a cubic is that cubic, so that a model with the formula typed has the same motion, whatever else is in it."""
    t = sorted(RNG.sample(range(1, 40), 8)) + [40]
    c = [RNG.randint(-9, 9) for _ in range(4)]
    rows = [(a / 10, sum(k * (a / 10) ** j for j, k in enumerate(c)) / 100) for a in [0] + t]
    write("cubic.csv", "t,z\n" + "".join(f"{a:.1f},{b:.7f}\n" for a, b in rows))
    typed = "given z = (" + " + ".join(f"({k})*t^{j}" for j, k in enumerate(c)) + ")/100\n"
    body = ("param g = 9.81\ncoord y, x\ninput u = 0\npoint P: mass 2 at (x, y, 0)\ngravity (0, -g, 0)\nforce x = 3*z + u\ninitial y = 1, x = 0, x' = 0.3\n"
            "simulate t = 0 .. 3, tol = 1e-11, output = 0.25\nobserve h = z*x\n")
    for way in WAYS:
        for options in ({}, {"method": "dop853"}):
            a = trajectory(write("typed.ham", typed + body + way + "\n"), **options)
            b = trajectory(write("data.ham", 'given z from "cubic.csv" column z\n' + body + way + "\n"), **options)
            worst = max((abs(p - q) / (1 + abs(p)) for name in a for p, q in zip(a[name], b[name])), default=1)
            check(f"{way or 'nothing else'} {options}", worst < 1e-8 and len(a["t"]) == len(b["t"]) > 1, f"off by {worst:.3g}, {len(a['t'])} and {len(b['t'])} rows")


def many_data_take_no_time():
    rows = 100001
    at = np.arange(rows) / 10000
    write("many.csv", "t,z\n" + "".join(f"{a:.4f},{v:.9f}\n" for a, v in zip(at, 0.02 * np.sin(9 * at) + 0.003 * np.cos(77 * at))))
    model = write("many.ham", 'param k = 40\ncoord x\ngiven z from "many.csv" column z\nkinetic x\'^2/2\npotential k*(x - z)^2/2\nforce x = -x\'\ninitial x = 0\nsimulate t = 0 .. 10\n')
    begun = time.time()
    got = trajectory(model)
    took = time.time() - begun
    check("100001 points", took < 20 * float(os.environ.get("HAMEL_PATIENCE", "1")), f"took {took:.3g} s")
    z = solve_ivp(lambda s, v: [v[1], -v[1] - 40 * (v[0] - 0.02 * np.sin(9 * s) - 0.003 * np.cos(77 * s))], (0, 10), [0, 0], method="DOP853", rtol=1e-11, atol=1e-12)
    check("the motion", abs(got["x"][-1] - z.y[0, -1]) < 1e-7, f"{got['x'][-1]} and {z.y[0, -1]}")


if __name__ == "__main__":
    splines_are_those_of_scipy()
    clusters_of_points_lose_nothing()
    straight_lines_are_those_of_numpy()
    eval_has_all_digits()
    motions_are_double_integrals()
    an_oscillator_follows_measured_data()
    a_constraint_follows_a_road()
    generated_code_has_the_data_and_takes_inputs()
    a_run_goes_on_with_the_same_data_only()
    a_quarter_car_feels_its_road()
    points_a_rounding_apart_are_one()
    a_blade_is_turned_by_data()
    data_of_a_cubic_are_the_cubic()
    many_data_take_no_time()
    finish()
