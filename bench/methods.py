#!/usr/bin/python3
"""Taylor's method against CVODE's Adams and against what people have: scipy's DOP853 on a right-hand side lambdified by SymPy.
usage: methods.py BUILD-DIRECTORY RESULTS

The sleigh, the double pendulum and the rolling disc, each to the same end. For each program the error at the end (against a run of taylor in long double at 1e-19) and the
user time are taken at several tolerances; times are compared at equal error, by interpolation on a log-log scale, at 1e-9 and 1e-11. Times of hamel are those of the whole
program less those of a run of one step. scipy (python3-scipy) is left out where it is not installed. Ratios are written down, seconds are printed."""
import json
import math
import os
import resource
import subprocess
import sys
import time

HAMEL = os.path.join(sys.argv[1], "hamel")
RUNS = {"sleigh": 2000, "double_pendulum": 60, "rolling_disc": 400}  # end of each: long enough that steps, not the start of the program, take the time
TOLERANCES = {"taylor": [1e-10, 1e-12, 1e-14], "adams": [1e-8, 1e-10, 1e-12, 1e-13]}
AT = (1e-9, 1e-11)
WANTED = {"adams": 10, "scipy": 100}  # how many times faster taylor must be


def simulate(model, until, method, tolerance, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    p = subprocess.run([HAMEL, "simulate", model, "--json", "--until", repr(until), "--every", repr(until), "--method", method, "--tol", repr(tolerance), *more],
                       capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return {k: float(v) for k, v in json.loads(p.stdout)["final"].items()}, seconds


def coordinates(model):
    return json.loads(subprocess.run([HAMEL, "check", model, "--json"], capture_output=True, text=True).stdout)["coords"]


def distance(names, a, b):
    return max(abs(a[n] - b[n]) / (1 + abs(b[n])) for n in names)


def at_error(points, error):
    """Seconds at this error, from (error, seconds) at several tolerances; nan beyond them."""
    points = sorted(points)
    for (e0, s0), (e1, s1) in zip(points, points[1:]):
        if e0 <= error <= e1 and e0 < e1:
            f = math.log(error / e0) / math.log(e1 / e0)
            return math.exp(math.log(s0) * (1 - f) + math.log(s1) * f)
    return points[0][1] if error < points[0][0] and points[0][0] < 3 * error else float("nan")


def sleigh(sympy):
    x, y, theta, v, w = z = sympy.symbols("x y theta v w")
    m, J, a = 1, 2, sympy.Rational(1, 2)
    f = [v * sympy.cos(theta) - a * w * sympy.sin(theta), v * sympy.sin(theta) + a * w * sympy.cos(theta), w, a * w**2, -m * a * v * w / (J + m * a**2)]
    return z, f, [0, 0, 0, 1, 0.3], ["x", "y", "theta"]


PEERS = {"sleigh": sleigh}


def scipy_points(model, until, reference, names):
    """(error, seconds) of scipy's DOP853 on the lambdified right-hand side; None where scipy is not installed or nothing was written for the model."""
    try:
        import scipy.integrate
        import sympy
    except ImportError:
        return None
    if model not in PEERS:
        return None
    z, f, start, order = PEERS[model](sympy)
    rate = sympy.lambdify(z, f)
    points = []
    for tolerance in (1e-9, 1e-11, 1e-13):
        begin = time.process_time()
        end = scipy.integrate.solve_ivp(lambda t, y: rate(*y), (0, until), start, method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]
        seconds = time.process_time() - begin
        points.append((max(distance(names, dict(zip(order, end)), reference), 1e-16), seconds))
    return points


def main():
    rows = ["| model | error | adams / taylor | at least | scipy / taylor | at least |", "|---|--:|--:|--:|--:|--:|"]
    failures = 0
    for model, until in RUNS.items():
        names = coordinates(model)
        reference, _ = simulate(model, until, "taylor", 1e-19, "--precision", "long")
        start = min(simulate(model, until * 1e-6, "taylor", 1e-10)[1] for _ in range(3))
        points = {}
        for method, tolerances in TOLERANCES.items():
            points[method] = []
            for tolerance in tolerances:
                runs = [simulate(model, until, method, tolerance, "--exec", "compiled") for _ in range(2)]
                points[method].append((max(distance(names, runs[0][0], reference), 1e-16), max(min(r[1] for r in runs) - start, 1e-4)))
            print(model, method, " ".join("%.1e: %.3f s" % p for p in points[method]), flush=True)
        points["scipy"] = scipy_points(model, until, reference, names)
        for error in AT:
            cells = []
            for peer, wanted in WANTED.items():
                ratio = at_error(points[peer], error) / at_error(points["taylor"], error) if points[peer] else float("nan")
                cells.append("%s | %d" % ("" if not points[peer] else "not reached" if math.isnan(ratio) else "%.0f" % ratio, wanted))
                failures += ratio < wanted
            rows.append("| %s | %.0e | %s |" % (model, error, " | ".join(cells)))
            print(rows[-1], flush=True)
    with open(os.path.join(sys.argv[2], "methods.md"), "w") as f:
        f.write("\n".join(rows) + "\n")
    sys.exit(bool(failures))


main()
