#!/usr/bin/python3
"""`hamel sweep --device cuda` with a compiler in the place of nvcc that makes code for the processor: its rows are those of the scalar engine, whatever the number of threads; runs that the device
does not finish are the scalar engine's, digit by digit; without nvcc, without a GPU and for systems that a GPU does not follow there is a message. With nvcc and no GPU it says so.
"""
import csv
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from _evaluation import HAMEL, run_size

NVCC = str(pathlib.Path(__file__).resolve().parent.parent / "support" / "nvcc_shim.py")
TOLERANCE = 1e-10
CLOSE = 1e-9  # the same steps but for rounding in their lengths: a tenth of their errors, which are within some hundred tolerances here
passed = failed = 0


def check(what, good, *more):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED", what, *more)


def sweep(folder, model, *options, nvcc=NVCC, output="rows.csv"):
    environment = dict(os.environ, NVCC=nvcc, XDG_CACHE_HOME=str(folder / "cache"))
    (folder / "cache").mkdir(exist_ok=True)
    out = ["-o", str(folder / output)] if output else []
    return subprocess.run([HAMEL, "sweep", str(model), *out, *options], capture_output=True, text=True, env=environment)


def table(folder, output="rows.csv"):
    with open(folder / output, encoding="utf-8", newline="") as f:
        return list(csv.reader(f))


def off(a, b):
    """How far two tables are from each other; inf where they differ in anything but numbers"""
    most = 0 if len(a) == len(b) and a[0] == b[0] else math.inf
    for one, other in zip(a[1:], b[1:]):
        if one[-1] != other[-1]:
            return math.inf
        for x, y in zip(one[:-1], other[:-1]):
            if not x or not y:
                most = max(most, 0 if x == y else math.inf)
            else:
                most = max(most, abs(float(x) - float(y)) / (1 + abs(float(y))))
    return most


def both(folder, model, *options, close=CLOSE):
    """The sweep by both engines"""
    tables = []
    for device in ("cpu", "cuda"):
        p = sweep(folder, model, *options, "--tol", repr(TOLERANCE), "--device", device)
        check(f"{model} {device} {options}", p.returncode == 0, p.stderr[-500:])
        tables.append(table(folder) if p.returncode == 0 else [[]])
        (folder / "rows.csv").unlink(missing_ok=True)
    distance = off(*tables)
    check(f"{model} {options}: the same rows", distance <= close, distance, tables)
    return tables


SWING = """system swing
param g = 9.81, l = 1
coord th
kinetic l^2*th'^2/2
potential -g*l*cos(th)
initial th = 0.5, th' = 0
simulate t = 0 .. 5
event zero: th up
event fast: th' - 2 up stop
sweep g = 9 .. 10 count 3
sweep th in uniform(0.2, 1.5)
samples 5 seed 5
collect high = max(l*sin(th)), low = min(th), square = mean(th^2), zeros = count(zero), t0 = first(zero), speed = final(th')
"""


# one step for the whole run, in which the slope is exactly 0 where it is looked at
FREE = """system free
coord x
kinetic x'^2/2
initial x = 0, x' = 1
simulate t = 0 .. 10
sweep x = 0 .. 2.5 count 2
collect least = min((x - 5)^2), most = max(3 - (x - 5)^2)
"""


def engines(folder):
    (folder / "free.ham").write_text(FREE)
    for rows in both(folder, folder / "free.ham", "--method", "taylor"):
        good = all(abs(float(least)) < 1e-12 and abs(float(most) - 3) < 1e-12 for _, least, most, _ in rows[1:])  # of 25
        check("extrema at a look", good and len(rows) == 3, rows)
    (folder / "swing.ham").write_text(SWING)
    for method in run_size(("tsit5",), ("tsit5", "dop853", "taylor")):
        rows = both(folder, folder / "swing.ham", "--method", method)[1]
        check("fast ones are stopped", any(r[-1] == "fast" for r in rows[1:]) and any(r[-1] == "end" for r in rows[1:]), rows)
    both(folder, "rolling_disc", "--method", "dop853", "--until", "5", "--vary", "theta in uniform(0.2, 0.3)", "--vary", "r = 0.4 .. 0.5 count 2", "--samples", "4", "--collect",
         "lean = max(theta), x = final(x), w = final(w2), level = mean(y)")
    both(folder, "rattleback", "--method", "dop853", "--until", "2", "--vary", "theta in uniform(0.005, 0.015)", "--samples", "4", "--collect", "spin = final(psi'), tilt = max(phi)")
    # other independent velocities: begun anew by the scalar engine, and the same digits
    both(folder, "snakeboard", "--method", "dop853", "--until", "6", "--vary", "psi in uniform(-0.1, 0.1)", "--samples", "3", "--collect", "x = final(x), y = final(y)", close=0)


FOLLOWED = """system followed
param g = 9.81, a = 1, l = 2*a, s = 1
coord th
kinetic l^2*th'^2/2
potential -g*l*cos(th) + s*th^2/100
initial th = a/2, th' = 0
simulate t = 0 .. 2
collect end = final(th), high = max(th)
"""


def starts(folder):
    """Starts that a GPU makes, starts that are left to the processor, and starts that are not there"""
    (folder / "followed.ham").write_text(FOLLOWED)
    both(folder, folder / "followed.ham", "--method", "dop853", "--vary", "a = 0.5 .. 2 count 4")  # l and th follow from a
    both(folder, folder / "followed.ham", "--method", "dop853", "--vary", "s = -1 .. 1 count 5", "--vary", "th' in normal(0, 1)", "--samples", "3")
    both(folder, "sleigh", "--method", "dop853", "--until", "4", "--vary", "theta in uniform(0, 1)", "--samples", "4", "--collect", "x = final(x), turn = max(theta)")
    both(folder, "rattleback", "--method", "dop853", "--until", "1", "--vary", "x' = 0 .. 0.1 count 2", "--collect", "spin = final(psi')")


def threads(folder):
    (folder / "swing.ham").write_text(SWING)
    bytes_of = []
    for count in ("1", "3"):
        sweep(folder, folder / "swing.ham", "--method", "dop853", "--device", "cuda", "--threads", count)
        bytes_of.append((folder / "rows.csv").read_bytes())
        (folder / "rows.csv").unlink()
    check("threads change no byte", bytes_of[0] == bytes_of[1])


def messages(folder):
    swing = folder / "swing.ham"
    swing.write_text(SWING)
    for nvcc, words in (("no-such-nvcc", "there is no CUDA compiler `no-such-nvcc`"), ("/bin/false", "the CUDA compiler `/bin/false` failed"), ("/bin/true", "failed")):
        p = sweep(folder, swing, "--method", "dop853", "--device", "cuda", nvcc=nvcc)
        check(f"NVCC={nvcc}", p.returncode == 5 and words in p.stderr and "--device cpu" in p.stderr, p.returncode, p.stderr)
        check("and nothing is left", not (folder / "rows.csv").exists())
    for model, options, words in (("measured_road", ["--vary", "m1 = 200 .. 300 count 2", "--collect", "e = final(z)"], "functions from data"),
                                  ("bouncing_ball", ["--vary", "g = 9 .. 10 count 2", "--collect", "e = final(z)"], "contacts"),
                                  ("rolling_disc", ["--method", "ida", "--form", "multipliers", "--vary", "m = 1 .. 2 count 2", "--collect", "e = final(x)"], "methods tsit5, dop853 and taylor")):
        p = sweep(folder, model, *options, "--device", "cuda")
        check(f"{model} is not for a GPU", p.returncode != 0 and words in p.stderr, p.returncode, p.stderr)
    p = sweep(folder, swing, "--device", "opencl")
    check("another device", p.returncode == 1 and "--device wants cpu or cuda" in p.stderr, p.stderr)


def journals(folder):
    """A journal of one device is not taken up by the other: their digits differ."""
    swing = folder / "swing.ham"
    swing.write_text(SWING)
    p = sweep(folder, swing, "--method", "dop853", "--device", "cuda", "--json", output=None)
    check("a summary", p.returncode == 0 and '"runs":15' in p.stdout.replace(" ", ""), p.stdout, p.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        for part in (engines, starts, threads, messages, journals):
            folder = pathlib.Path(name) / part.__name__
            folder.mkdir()
            part(folder)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
