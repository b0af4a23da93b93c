"""Runs of models that are given by name or as a text, and counting what holds: the last line is what tools/run-tests adds up."""
import os
import subprocess
import tempfile

HAMEL = os.environ["HAMEL"]
counted = {True: 0, False: 0}


def run(model, *options, status=0):
    """`hamel simulate` of a model of the library or of a text: standard output, once the exit status is the one expected."""
    with tempfile.NamedTemporaryFile("w", suffix=".ham") as file:
        if "\n" in model:
            file.write(model)
            file.flush()
            model = file.name
        done = subprocess.run([HAMEL, "simulate", model, *options], capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise SystemExit(f"{model} {options}: exit status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done


def check(name, good, what=""):
    counted[bool(good)] += 1
    if not good:
        print("not so:", name, what)


def near(name, value, expected, most):
    """`most`: relative to the larger of 1 and the value"""
    error = abs(value - expected) / max(1, abs(expected))
    check(name, error <= most, f"{value!r}, not {expected!r}: {float(error):.3g}")


def finish():
    print(f"{counted[True]} passed, {counted[False]} failed")
    raise SystemExit(counted[False] > 0)
