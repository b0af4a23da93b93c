#!/usr/bin/env python3
"""A sweep says how wrong its numbers are: what it says is what closed forms say of the same runs."""
import csv
import io
import json
import math
import os
import subprocess
import tempfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.mkdtemp()
NAME = os.path.join(FOLDER, "spring.ham")
RUNS = 4099
LOOKED_AT = [i * (RUNS - 1) // 7 for i in range(8)]
T = 20
with open(NAME, "w", encoding="utf-8") as f:
    f.write("system spring\nparam w = 1\ncoord x\nkinetic x'^2/2\npotential w^2*x^2/2\ninitial x = 1\nsimulate t = 0 .. 20\nevent back: x up\n")


def sweep(count, *words):
    done = subprocess.run([HAMEL, "sweep", NAME, "--vary", f"w=0.5..3 count {count}", "--collect", "e = final(x), n = count(back)", "--json", "-o", "-", *words],
                          capture_output=True, text=True, cwd=FOLDER)
    check(done.returncode == 0, f"{words}: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout))), json.loads(done.stderr)


# options, how exact the second run is beside the first: x(t) = cos(w t); halved steps of a method of order 2 leave a quarter of the error
for words, at_least, at_most in ((["--method", "tsit5", "--tol", "1e-5"], 0.9, 1.1), (["--method", "dop853", "--tol", "1e-6"], 0.9, 1.1),
                                 (["--method", "tsit5", "--tol", "1e-5", "--exec", "interpreted"], 0.9, 1.1),
                                 (["--method", "midpoint", "--step", "0.05"], 0.7, 0.8)):
    rows, told = sweep(RUNS, *words)
    wrong = max(abs(float(rows[i]["e"]) - math.cos(float(rows[i]["w"]) * T)) for i in LOOKED_AT)
    e = [float(row["e"]) for row in rows]
    column = told["collected"][0]
    check(float(column["least"]) == min(e) and float(column["most"]) == max(e), f"{words}: the range of a column is {column}")
    said = {c["name"]: float(c["off_by"]) for c in told["collected"]}
    check(at_least * wrong <= said["e"] <= at_most * wrong, f"{words}: off by {said['e']}, as told, and by {wrong}")
    check(wrong > 1e-9 and said["n"] == 0, f"{words}: {wrong}, {said}")
    check(told["again"]["runs"] == 8 and told["again"]["ended_otherwise"] == 0, f"{words}: {told['again']}")

_, told = sweep(4095)
check("again" not in told and "off_by" not in told["collected"][0], "a short sweep is not looked at again")
finish()
