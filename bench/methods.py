#!/usr/bin/python3
"""Taylor's method against CVODE's Adams and against what people have: scipy's DOP853 on a right-hand side lambdified by SymPy.
usage: methods.py BUILD-DIRECTORY RESULTS

A pendulum in the plane and one in space and the rolling disc, each to the same end. For each program the error at the end (against a run of taylor in long double at 1e-19) and the
user time are taken at several tolerances; compared are the fastest runs that err by no more than 1e-8 and 1e-10. Times of hamel are those of the whole
program less those of a run of one step. scipy (python3-scipy) is left out where it is not installed. Ratios are written down, seconds are printed."""
import json
import math
import os
import resource
import subprocess
import sys
import time

from _bounds import bound

HAMEL = os.path.join(sys.argv[1], "hamel")
RUNS = {"pendulum": 2000.0, "spherical_pendulum": 2000.0, "rolling_disc": 2000.0}  # end of each: long enough that steps, not the start of the program, take the time
TOLERANCES = {"taylor": [1e-8, 1e-10, 1e-12, 1e-14, 1e-16], "adams": [1e-8, 1e-10, 1e-12, 1e-13, 1e-14]}
AT = (1e-8, 1e-10)
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
    """Seconds of the fastest run that is at least so exact; nan if none is."""
    return min([seconds for e, seconds in points if e <= error], default=float("nan"))


def pendulum(sympy):
    """With one angle, which is less work than hamel's two Cartesian coordinates."""
    theta, w = z = sympy.symbols("theta w")
    l, g = 1, sympy.Rational(981, 100)
    start = json.loads(subprocess.run([HAMEL, "eval", "pendulum", "--json", "--digits", "20"], capture_output=True, text=True).stdout)
    x, y, speed = float(start["q"]["x"]), float(start["q"]["y"]), float(start["qd"]["x"])
    angle = math.atan2(x, -y)
    return z, [w, -g / l * sympy.sin(theta)], [angle, speed / math.cos(angle)], lambda end: {"x": math.sin(end[0]), "y": -math.cos(end[0])}


PEERS = {"pendulum": pendulum}


def scipy_points(model, until, reference, names):
    """(error, seconds) of scipy's DOP853 on the lambdified right-hand side; None where scipy is not installed or nothing was written for the model."""
    try:
        import scipy.integrate
        import sympy
    except ImportError:
        return None
    if model not in PEERS:
        return None
    z, f, start, places = PEERS[model](sympy)
    rate = sympy.lambdify(z, f)
    points = []
    for tolerance in (1e-9, 1e-11, 1e-13):
        begin = time.process_time()
        end = scipy.integrate.solve_ivp(lambda t, y: rate(*y), (0, until), start, method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]
        seconds = time.process_time() - begin
        points.append((max(distance(names, places(end), reference), 1e-16), seconds))
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
                if math.isinf(ratio) or not math.isnan(ratio):
                    failures += not bound("%s to 1e%d, %s over taylor" % (model, round(math.log10(error)), peer), ratio, wanted, at_least=True)
                cells.append("%s | %d" % ("" if not points[peer] else "not reached" if math.isnan(ratio) else "%.0f" % ratio, wanted))
            rows.append("| %s | %.0e | %s |" % (model, error, " | ".join(cells)))
            print(rows[-1], flush=True)
    with open(os.path.join(sys.argv[2], "methods.md"), "w") as f:
        f.write("\n".join(rows) + "\n")
    sys.exit(bool(failures))


main()
