#!/usr/bin/env python3
"""Maps of what becomes of runs: against the separatrix of the pendulum in closed form, a full raster, a mirror, and other numbers of threads."""
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


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def cells(*words):
    """The cells of a map, and its JSON."""
    done = hamel(*words, "-o", "cells.csv", "--json")
    check(done.returncode == 0, f"{words}: {done.stderr}")
    with open(os.path.join(FOLDER, "cells.csv"), encoding="utf-8") as f:
        rows = [tuple(map(float, r[:4])) + (r[4],) for r in list(csv.reader(f))[1:]]
    return rows, json.loads(done.stdout)


def separatrix():
    """A pendulum goes over the top where th'^2/2 - cos(th) > 1: |th'| > 2 cos(th/2). The rest of -pi < th < pi has the area 16."""
    with open(os.path.join(FOLDER, "p.ham"), "w", encoding="utf-8") as f:
        f.write("coord th\nlagrangian th'^2/2 + cos(th)\nsimulate t = 0 .. 40, tol = 1e-10\n"
                "event over: th - 3.14159265358979 up stop\nevent under: th + 3.14159265358979 down stop\n")
    rows, told = cells("basin", "p.ham", "--vary", "th=-3..3", "--vary", "th'=-3..3", "--cells", "12", "--depth", "4")
    wrong = mixed = area = 0
    for x0, x1, y0, y1, kind in rows:
        area += (x1 - x0) * (y1 - y0)
        corners = {("over" if y > 0 else "under") if abs(y) > 2 * math.cos(x / 2) else "end" for x in (x0, x1) for y in (y0, y1)}
        if kind == "boundary":
            mixed += 1
            wrong += len(corners) < 2
        else:
            wrong += corners != {kind}
    check(wrong == 0, f"{wrong} of {len(rows)} cells are not those of the separatrix")
    check(abs(area - 36) < 1e-9 and mixed == told["boundary"] > 100, "the cells cover the rectangle")
    step = 6 / (12 * 16)
    stays = 2 * sum(4 * math.sin(1.5) for _ in (0,))  # 2 * integral of 2 cos(th/2) from -3 to 3, within |th'| < 3
    shares = {c["name"]: float(c["share"]) for c in told["classes"]}
    check(abs(shares["end"] - 2 * stays / 36) < mixed * step * step / 36, f"shares {shares}, {2 * stays / 36}")
    check(abs(shares["over"] - shares["under"]) < 1e-12, "the mirror image has the same share")
    check(told["runs"] < 0.25 * told["points"], f"few runs: {told['runs']} of {told['points']}")


def full_raster():
    """Every point of a cell that has one class has it in a full raster, too, and points that were looked at are the runs of `sweep`."""
    name, n = "magnetic_pendulum", 64
    words = ["--until", "12", "--tol", "1e-6"]
    over = ["--vary", "x=-1..1", "--vary", "y=-1..1"]
    rows, told = cells("basin", name, *over, "--by", "3*atan2(y, x)/(2*pi)", "--cells", "16", "--depth", "2", *words)
    done = hamel("sweep", name, "--vary", f"x=-1..1 count {n + 1}", "--vary", f"y=-1..1 count {n + 1}", "--collect", "e = final(3*atan2(y, x)/(2*pi))", *words)
    raster = {}
    for row in csv.DictReader(io.StringIO(done.stdout)):
        raster[round((float(row["x"]) + 1) / 2 * n), round((float(row["y"]) + 1) / 2 * n)] = str(round(float(row["e"])))
    check(len(raster) == (n + 1)**2, "the raster is full")
    wrong = inside = 0
    for x0, x1, y0, y1, kind in rows:
        i0, i1, j0, j1 = (round((v + 1) / 2 * n) for v in (x0, x1, y0, y1))
        corners = {raster[i, j] for i in (i0, i1) for j in (j0, j1)}
        check(corners == {kind} if kind != "boundary" else len(corners) > 1, f"corners {corners} of a cell `{kind}`")
        if kind == "boundary":
            continue
        points = [raster[i, j] for i in range(i0, i1 + 1) for j in range(j0, j1 + 1)]
        inside += len(points)
        wrong += sum(p != kind for p in points)
    check(wrong <= 0.01 * inside, f"{wrong} of {inside} points in cells of one class are of another: islands that the first cells miss")
    whole, all_told = cells("basin", name, *over, "--by", "3*atan2(y, x)/(2*pi)", "--cells", "16", "--depth", "2", "--whole", *words)
    check(all_told["runs"] == (n + 1)**2 and len(whole) == n * n, f"--whole looks at every point: {all_told['runs']}")
    for a, b in zip(all_told["classes"], told["classes"]):
        check(a["name"] == b["name"] and abs(float(a["share"]) - float(b["share"])) < 0.01, f"shares {a} of the full raster, {b}")
    again = hamel("basin", name, *over, "--by", "3*atan2(y, x)/(2*pi)", "--cells", "8", "--depth", "2", "--json", "--threads", "1", *words).stdout
    for threads in ("2", "3"):
        check(hamel("basin", name, *over, "--by", "3*atan2(y, x)/(2*pi)", "--cells", "8", "--depth", "2", "--json", "--threads", threads, *words).stdout == again,
              f"{threads} threads")


def figures():
    words = ["map", "double_pendulum", "--vary", "m2=1..3", "--vary", "g=5..10", "--by", "sign(theta1)", "--until", "3", "--cells", "8", "--depth", "2"]
    done = hamel(*words, "--figure", "map.svg")
    with open(os.path.join(FOLDER, "map.svg"), encoding="utf-8") as f:
        drawn = f.read()
    check(done.returncode == 0 and "<svg" in drawn and len(drawn) > 3000, f"a figure: {done.stderr}")
    check("class over g against m2" in hamel(*words, "--plot").stdout, "a figure in characters")


def wrong():
    for said, *words in [("over two parameters", "--vary", "x=-1..1"), ("has no `count`", "--vary", "x=-1..1 count 3", "--vary", "y=1..2"),
                         ("unknown name", "--vary", "zz=-1..1", "--vary", "y=1..2"), ("too fine", "--vary", "x=-1..1", "--vary", "y=1..2", "--cells", "4096"),
                         ("more than 256 classes", "--vary", "x=-1..1", "--vary", "y=1..2", "--by", "1e9*x", "--until", "0.1"),
                         *(("two ranges, by one expression", "--vary", first, "--vary", "y=1..2", "--by", by, "--until", "0.1")
                           for first, by in (("x=-1..1", "x), b = max(x"), ("x=-1..1", "1), b = max(x), c = final(y), d = final(x"), ("x' in {1, 2}, x=-1..1", "x"))),
                         *(("comma-separated values", "--vary", "x=-1..1", "--vary", "y=1..2", "--until", "0.1", "-o", name) for name in ("cells.h5", "cells", "-")),
                         ("is not a file", "--vary", "x=-1..1", "--vary", "y=1..2", "--figure", "map.txt", "--until", "0.1")]:
        done = hamel("basin", "magnetic_pendulum", *words)
        check(done.returncode in (1, 2) and said in done.stderr or said == "is not a file" and done.returncode == 1, f"{words}: {done.returncode}, {done.stderr}")


def there_is_one_zero():
    """What is rounded to 0 from below is the class 0 as well, whichever point is looked at first."""
    with open(os.path.join(FOLDER, "rest.ham"), "w", encoding="utf-8") as f:
        f.write("coord x, y\nkinetic (x'^2 + y'^2)/2\ninitial x = 0, y = 0, x' = 0, y' = 0\n")
    for over in (["x=-0.4..0.4", "y=0..1"], ["x=-0.4..-0.1", "y=0..1"], ["x=0..0.4", "y=0..1"]):
        rows, told = cells("basin", "rest.ham", "--vary", over[0], "--vary", over[1], "--by", "x", "--cells", "2", "--depth", "1", "--until", "0.1")
        check([c["name"] for c in told["classes"]] == ["0"] and {r[4] for r in rows} == {"0"}, f"{over}: {told['classes']}")


def a_name_that_begins_with_count():
    with open(os.path.join(FOLDER, "counter.ham"), "w", encoding="utf-8") as f:
        f.write("coord counter, y\nkinetic (counter'^2 + y'^2)/2\nsimulate t = 0 .. 1\n")
    rows, told = cells("basin", "counter.ham", "--vary", "counter=-1..1", "--vary", "y=0..1", "--by", "sign(counter)", "--cells", "2", "--depth", "1")
    check({c["name"] for c in told["classes"]} == {"-1", "0", "1"}, f"{told}")


separatrix()
a_name_that_begins_with_count()
there_is_one_zero()
full_raster()
figures()
wrong()
finish()
