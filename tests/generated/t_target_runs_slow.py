#!/usr/bin/python3
"""The programs that `hamel codegen` writes beside the functions: trajectories of main.py (SciPy) and main.m (GNU Octave) are those of `hamel simulate`, with events, inputs, functions from
data, contacts in a named mode; motions end where an event says so."""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

from _evaluation import HAMEL, run

# SciPy and Octave keep their own estimate of the error below 1e-10 a step; over a hundred steps of motions that are not chaotic this much is left.
TOLERANCE = 1e-6
CASES = [("sleigh", [], 5), ("rolling_disc", [], 2), ("measured_road", [], 2), ("crane", [], 3), ("cart_pole", [], 2), ("heavy_top", [], 1), ("ball_on_incline", ["--set", "mode[slope]=sliding"], 0.5),
         ("ball_in_cylinder", [], 1)]
STOPS = """system drop
param g = 9.81, end = 2
coord in, lambda
input der = -0.5*in'
kinetic (in'^2 + lambda'^2)/2
potential g*in
force in = der
event ground: in stop
event top: in'
observe function = abs(lambda) + max(in, 1/2)
initial in = end, in' = 1, lambda = 0.3, lambda' = -1
simulate t = 0 .. 5
"""


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return dict(zip(rows[0], zip(*[[float(v) for v in row] for row in rows[1:]])))


def simulated(model, options, until, folder):
    path = folder / "run.csv"
    p = run(HAMEL, "simulate", model, "--until", str(until), "--every", repr(until / 8), "--tol", "1e-12", "-o", str(path), *options)
    return table(path.read_text()) if p.returncode == 0 else p.stderr


def program(target, folder, until):
    command = ["/usr/bin/python3", "main.py"] if target == "python" else ["octave", "--no-gui", "--norc", "--quiet", "main.m"]
    p = subprocess.run([*command, str(until), "8"], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout, p.stderr


def differences(found, right):
    wrong = []
    if not set(found) <= set(right):
        wrong.append("columns %s" % (set(found) - set(right)))
    for name in set(found) & set(right):
        size = 1 + max(abs(v) for v in right[name])
        if len(found[name]) != len(right[name]) or not all(abs(a - b) <= TOLERANCE * size for a, b in zip(found[name], right[name])):
            wrong.append("%s: %s for %s" % (name, found[name], right[name]))
    return wrong


def a_run_is_that_of_simulate(target, model, options, until, folder):
    made = run(HAMEL, "codegen", "--target", target, "-o", str(folder / target), model, *options)
    right = simulated(model, options, until, folder)
    if made.returncode or isinstance(right, str):
        return [made.stderr or right]
    status, out, errors = program(target, folder / target, until)
    return differences(table(out), right) if status == 0 else ["status %d: %s" % (status, errors)]


def a_motion_ends_where_an_event_says_so(target, folder):
    model = folder / "drop.ham"
    model.write_text(STOPS)
    run(HAMEL, "codegen", "--target", target, "-o", str(folder / target), str(model))
    path = folder / "drop.csv"
    run(HAMEL, "simulate", str(model), "--until", "5", "--every", "0.25", "--tol", "1e-12", "-o", str(path))
    right = table(path.read_text())
    status, out, errors = program(target, folder / target, 5)
    found = table(out)
    wrong = []
    if status or not 0.5 < right["t"][-1] < 2 or found["t"][-1] > right["t"][-1] + 1e-9:
        wrong.append("status %d, ends at %s for %s" % (status, found["t"][-1], right["t"][-1]))
    if target == "python":
        time = float(errors.split("ground at t = ")[1].split()[0])
        if abs(time - right["t"][-1]) > 1e-8 or "top at t = " not in errors:
            wrong.append("event at %s for %s: %s" % (time, right["t"][-1], errors))
    return wrong


def main():
    failed = count = 0
    for target in ("python", "matlab"):
        # ode45 of Octave takes seconds for what the others do in a moment
        for model, options, until in CASES if target == "python" else CASES[:4:3]:
            with tempfile.TemporaryDirectory() as folder:
                wrong = a_run_is_that_of_simulate(target, model, options, until if target == "python" else until / 5, pathlib.Path(folder))
            failed, count = failed + bool(wrong), count + 1
            if wrong:
                print("FAIL %s %s: %s" % (target, model, "; ".join(wrong)[:800]))
        with tempfile.TemporaryDirectory() as folder:
            wrong = a_motion_ends_where_an_event_says_so(target, pathlib.Path(folder))
        failed, count = failed + bool(wrong), count + 1
        if wrong:
            print("FAIL %s drop: %s" % (target, "; ".join(wrong)[:800]))
    print("%d passed, %d failed" % (count - failed, failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
