#!/usr/bin/env python3
"""Where the model says when runs begin and end, and that changes with what is varied: against `simulate` one by one, and periods that are known."""
import csv
import io
import json
import math
import os
import random
import subprocess
import tempfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.mkdtemp()
RNG = random.Random(6)


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as f:
        f.write(text)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def sweep(model, vary, collect, *words):
    done = hamel("sweep", model, *(w for v in vary for w in ("--vary", v)), "--collect", collect, *words)
    check(done.returncode == 0, f"{model} {vary}: {done.stderr}")
    return rows_of(done.stdout)


OSCILLATOR = """param w = 2, a = 0, n = 1
param period = 2*pi/w, other = 3
coord x
kinetic x'^2/2
potential w^2*x^2/2
initial x = 1
event low: x down
simulate t = a .. END
"""


def periods():
    """x = cos(w (t - a)): at a + n periods it is at 1 again, has passed 0 downwards n times, and its mean square is 1/2."""
    for end in ("a + n*period", "a + 2*pi*n/w", "n*period + a"):
        write("o.ham", OSCILLATOR.replace("END", end))
        rows = sweep("o.ham", ["w in uniform(0.3, 9)", "a in uniform(-5, 5)", "n in uniform(0.1, 6)"], "T = final(t), x_ = final(x), m = mean(x^2), k = count(low), from = min(t)", "--samples", "40")
        for row in rows:
            w, a, n = (float(row[k]) for k in "wan")
            t = 2 * math.pi * n
            what = f"{end}: w = {w}, a = {a}, n = {n}"
            check(row["ended"] == "end" and abs(float(row["T"]) - (a + t / w)) < 1e-13 * (10 + t / w) and float(row["from"]) == a, f"{what}: {row}")
            check(abs(float(row["x_"]) - math.cos(t)) < 1e-8 and abs(float(row["m"]) - (1 / 2 + math.sin(2 * t) / (4 * t))) < 1e-7, f"{what}: {row}")
            check(int(row["k"]) == math.floor(n + 0.75), f"{what}: {row['k']} crossings")
            alone = hamel("simulate", "o.ham", "--set", f"w={w!r}", "--set", f"a={a!r}", "--set", f"n={n!r}", "-o", "-").stdout.splitlines()[-1].split(",")
            check(abs(float(alone[0]) - float(row["T"])) <= 4e-16 * (10 + abs(float(alone[0]))) and abs(float(alone[1]) - float(row["x_"])) < 1e-12, f"{what}: simulate ends at {alone}, not {row}")


def one_end_for_all():
    write("o.ham", OSCILLATOR.replace("END", "2*pi/w"))
    check({r["T"] for r in sweep("o.ham", ["w in {1, 2, 3}"], "T = final(t)", "--until", "3")} == {"3"}, "--until is the end of all")
    check({r["T"] for r in sweep("o.ham", ["other in {1, 2, 3}"], "T = final(t)")} == {repr(math.pi)}, "what the end does not follow from leaves it")
    lanes = sweep("o.ham", ["w = 1 .. 8 count 4096"], "T = final(t), x_ = final(x)")  # as many as go side by side
    check(len(lanes) == 4096 and all(abs(float(r["T"]) - 2 * math.pi / float(r["w"])) < 1e-14 * 10 and abs(float(r["x_"]) - 1) < 1e-8 for r in lanes), "many runs")


def what_cannot_be():
    write("o.ham", OSCILLATOR.replace("END", "2*pi/w"))
    rows = sweep("o.ham", ["w in {0, -1, 1e-310, 2}"], "T = final(t)")
    check([r["ended"] for r in rows] == ["no start"] * 2 + [rows[2]["ended"], "end"] and rows[2]["ended"] in ("no start", "step too small"), f"{[r['ended'] for r in rows]}")
    check([r["T"] for r in rows] == ["nan"] * 3 + [repr(math.pi)], f"{rows}")
    done = hamel("sweep", "o.ham", "--vary", "w in {1, 2}", "--collect", "T = final(t)", "--device", "cuda")
    check(done.returncode and "runs to t = 2*pi/w, which varies, are not made on a GPU" in done.stderr, done.stderr)
    done = hamel("sweep", "o.ham", "--vary", "w in {1, 2}", "--collect", "T = final(t)", "--json")
    check(json.loads(done.stdout)["until"] == "2*pi/w", done.stdout)
    check("to t = 2*pi/w\n" in hamel("sweep", "o.ham", "--vary", "w in {1, 2}", "--collect", "T = final(t)").stderr, "the summary says so")


def in_pieces_too():
    """A ball until it lands for the second time, at sqrt(2h/g) (1 + 2e)"""
    write("b.ham", "param h = 1, e = 0.5, g = 9.81\ncoord z\nkinetic z'^2/2\npotential g*z\ncontact floor: gap z, restitution e\ninitial z = h\nsimulate t = 0 .. sqrt(2*h/g)*(1 + e)\n")
    rows = sweep("b.ham", ["h in uniform(0.1, 4)", "e in uniform(0.1, 0.9)"], "T = final(t), top = final(z), v = final(z'), n = count(floor.lands)", "--samples", "25", "--threads", "3")
    for row in rows:
        h, e = float(row["h"]), float(row["e"])
        check(abs(float(row["T"]) - math.sqrt(2 * h / 9.81) * (1 + e)) < 1e-14 and row["n"] == "1", f"{row}")
        check(abs(float(row["top"]) - e * e * h) < 1e-9 and abs(float(row["v"])) < 1e-9, f"{row}")
        alone = hamel("simulate", "b.ham", "--set", f"h={row['h']}", "--set", f"e={row['e']}", "-o", "-").stdout.splitlines()[-1].split(",")
        check(alone[:3] == [row["T"], row["top"], row["v"]], f"{row}, simulate {alone}")


def kept_and_taken_up():
    write("o.ham", OSCILLATOR.replace("END", "2*pi/w"))
    command = ["sweep", "o.ham", "--vary", "w in uniform(1, 3)", "--samples", "64", "--collect", "T = final(t)", "-o", "k.csv", "--keep", "2"]
    check(hamel(*command).returncode == 0, "kept")
    with open(os.path.join(FOLDER, "k.csv"), encoding="utf-8") as f:
        rows = rows_of("".join(line for line in f if not line.startswith("#")))
    for k in (0, 32):
        with open(os.path.join(FOLDER, f"k-{k}.csv"), encoding="utf-8") as f:
            last = f.read().splitlines()[-1].split(",")
        check(abs(float(last[0]) - float(rows[k]["T"])) < 1e-14, f"run {k} is kept to {last[0]}, not {rows[k]['T']}")


if __name__ == "__main__":
    periods()
    one_end_for_all()
    what_cannot_be()
    in_pieces_too()
    kept_and_taken_up()
    finish()
