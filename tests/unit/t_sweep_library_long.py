#!/usr/bin/env python3
"""Every model of the library that has one smooth motion, swept over its first parameter: each run ends where `simulate` ends with that value."""
import csv
import fractions
import io
import json
import os
import subprocess

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FACTORS = (0.75, 1.25)
# Rounding of what a start is computed from, grown over the run; forms and pivots are chosen at the start of the model, not of the run.
CLOSE = 1e-6


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True)


def sweep(name):
    shape = json.loads(hamel("describe", name, "--json").stdout)
    numbers = []
    for p in shape.get("parameters", []):
        try:
            numbers.append((p["name"], float(fractions.Fraction(p["text"]))))
        except ValueError:
            pass
    numbers = [(n, v) for n, v in numbers if v]
    if not numbers:
        return None
    parameter, value = numbers[0]
    coordinate = json.loads(hamel("check", name, "--json").stdout)["coords"][0]
    values = [repr(f * value) for f in FACTORS]
    words = ["--until", "1"]
    done = hamel("sweep", name, "--vary", f"{parameter} in {{{', '.join(values)}}}", "--collect", f"last = final({coordinate})", *words)
    if done.returncode == 1 and "contacts, `when` and `every`" in done.stderr:
        return None
    if done.returncode == 2 and "needs" in done.stderr:
        return None
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    check(len(rows) == len(values), f"{name}: status {done.returncode}, {done.stderr}")
    exact = 0
    for row, given in zip(rows, values):
        alone = hamel("simulate", name, "--set", f"{parameter}={given}", "-o", "-", "--every", "1e9", *words)
        if row["ended"] in ("no start", "other failure"):
            check(alone.returncode != 0, f"{name} {parameter}={given}: `{row['ended']}` in the sweep, but `simulate` goes")
            continue
        if not alone.stdout.strip():
            check(False, f"{name} {parameter}={given}: {row} in the sweep, and `simulate` says {alone.stderr}")
            continue
        last = list(csv.DictReader(io.StringIO(alone.stdout)))[-1][coordinate]
        exact += last == row["last"]
        check(abs(float(last) - float(row["last"])) <= CLOSE * (1 + abs(float(last))), f"{name} {parameter}={given}: {row['last']} in the sweep, {last} alone")
    return exact


names = [line.split()[0] for line in hamel("models").stdout.splitlines() if line.strip()]
results = [sweep(name) for name in names if os.path.exists(os.path.join(os.path.dirname(__file__), "..", "..", "models", name + ".ham"))]  # not those of papers
swept = [r for r in results if r is not None]
print(f"{len(swept)} models, {sum(swept)} of {len(FACTORS) * len(swept)} runs to the last digit")
check(len(swept) > 30, f"{len(swept)} models were swept")
finish()
