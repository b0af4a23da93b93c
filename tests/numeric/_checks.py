"""Runs of models that are given by name or as a text, and what is expected of them."""
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import counting  # noqa: E402
from counting import finish, in_time, run_cases, run_seed, run_size  # noqa: E402, F401

HAMEL = os.environ["HAMEL"]


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
    counting.check(good, f"{name} {what}" if isinstance(name, str) else name)


def near(name, value, expected, most):
    """`most`: relative to the larger of 1 and the value"""
    error = abs(value - expected) / max(1, abs(expected))
    check(name, error <= most, f"{value!r}, not {expected!r}: {float(error):.3g}")
