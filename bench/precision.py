#!/usr/bin/python3
"""Work against precision of the integrators: instructions spent inside the integration for the error at the end of a run, tolerance by tolerance.
usage: precision.py BUILD-DIRECTORY RESULTS [STRIDE]      takes each STRIDE-th tolerance; above 1 it writes and draws nothing

Instructions are counted by callgrind while run_integrate() is active, compiled code, so they hold on any machine; the error is the largest scaled difference of a coordinate
or velocity at the end from a run of taylor in long double. RESULTS/precision_MODEL.csv has columns METHOD_error and METHOD_work, drawn in docs/pictures/precision_MODEL.svg; docs/integrators.md shows them."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

from _bounds import bound

PICTURES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "pictures")
HAMEL, RESULTS = os.path.join(sys.argv[1], "hamel"), sys.argv[2]
STRIDE = int(sys.argv[3]) if len(sys.argv) > 3 else 1
RUNS = {"sleigh": 20, "rolling_disc": 10, "double_pendulum": 10}
ERROR, AGAINST_CVODE = 1e-10, 0.1  # the methods written here do at most a tenth of the work
METHODS = {"taylor": range(3, 16), "dop853": range(3, 15), "tsit5": range(3, 13), "adams": range(3, 14), "bdf": range(3, 11)}


def final(model, *options):
    done = subprocess.run([HAMEL, "simulate", model, "--json", *options], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return {k: float(v) for k, v in json.loads(done.stdout)["final"].items()}


def instructions(model, until, *options):
    options = (*options, "--until", repr(until), "--every", repr(until))
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", "--toggle-collect=run_integrate", HAMEL, "simulate", model, *options],
                       check=True, capture_output=True)
        return int(re.search(r"^(?:summary|totals): (\d+)", open(out.name).read(), re.M)[1])


def error(state, exact, names):
    return max(abs(state[n] - exact[n]) / (1 + abs(exact[n])) for n in names)


def measure(model, until):
    names = [c for c in json.loads(subprocess.run([HAMEL, "check", model, "--json"], capture_output=True, text=True).stdout)["coords"]]
    names += [n + "'" for n in names]
    whole = ("--until", repr(until), "--every", repr(until))
    exact = final(model, "--method", "taylor", "--precision", "long", "--tol", "1e-19", *whole)
    options = lambda method, d: ("--method", method, "--tol", f"1e-{d}", "--exec", "compiled")
    cases = [(method, d) for method, digits in METHODS.items() for d in sorted(digits[::-STRIDE])]
    # what is done once, such as loading the code, is all there is in a run of one step
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        once = dict(zip(METHODS, pool.map(lambda method: instructions(model, 1e-9 * until, *options(method, METHODS[method][0])), METHODS)))
        spent = list(pool.map(lambda case: instructions(model, until, *options(*case)) - once[case[0]], cases))
        wrong = list(pool.map(lambda case: error(final(model, *options(*case), *whole), exact, names), cases))
    columns = {method: [] for method in METHODS}
    for (method, d), worked, erred in zip(cases, spent, wrong):
        print(f"{model} {method} 1e-{d}: error {erred:.1e}, {worked} instructions", flush=True)
        if erred > 0:
            columns[method].append((erred, worked))
    return columns


def least_work(column, wanted):
    """Instructions of the cheapest run that errs by no more; infinite if none does."""
    return min((worked for erred, worked in column if erred <= wanted), default=float("inf"))


def write(file, columns):
    rows = max(len(c) for c in columns.values())
    with open(file, "w") as out:
        out.write(",".join(f"{m}_error,{m}_work" for m in columns) + "\n")
        for i in range(rows):
            out.write(",".join("%.3g,%d" % c[i] if i < len(c) else "," for c in columns.values()) + "\n")


def draw(file, picture):
    curves = ",".join(f"{m}_error:{m}_work={m}" for m in METHODS)
    subprocess.run([HAMEL, "plot", file, curves, "--log", "xy", "--marks", "--xlabel", "error at the end", "--ylabel", "instructions", "-o", picture], check=True)


os.makedirs(PICTURES, exist_ok=True)
good = True
for model, until in RUNS.items():
    table = os.path.join(RESULTS, f"precision_{model}.csv")
    columns = measure(model, until)
    if STRIDE == 1:
        write(table, columns)
        draw(table, os.path.join(PICTURES, f"precision_{model}.svg"))
    best = min(least_work(columns[m], ERROR) for m in ("adams", "bdf"))
    ours = min(least_work(columns[m], ERROR) for m in ("taylor", "dop853"))
    good &= bound(f"{model} to 1e-10: instructions of taylor or dop853 over those of CVODE", ours / best, AGAINST_CVODE)
sys.exit(not good)
