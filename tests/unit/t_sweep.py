#!/usr/bin/env python3
"""Sweeps: each run is the one that `simulate` makes, whatever is collected agrees with closed forms and with SciPy, and nothing depends on threads.

  t_sweep.py [SEED [COUNT]]     COUNT random models
"""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import numpy
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
SEED, COUNT = int((sys.argv[1:] or [19])[0]), int((sys.argv[2:] or [4])[0])
RNG = random.Random(SEED)
FOLDER = tempfile.mkdtemp()


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def model(text):
    name = os.path.join(FOLDER, f"m{len(os.listdir(FOLDER))}.ham")
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)
    return name


def sweep(name, vary, collect, *words):
    """The rows of a sweep, as dictionaries; numbers as they are written."""
    done = hamel("sweep", name, *[w for v in vary for w in ("--vary", v)], "--collect", collect, *words)
    check(done.returncode == 0, f"{name}: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def final_of(name, column, *words):
    """What `simulate` writes in the last row, where there is no row between."""
    done = hamel("simulate", name, "-o", "-", "--every", "1e9", *words)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    return rows[-1][column], done.returncode


# --- run by run, as `simulate` ------------------------------------------------------------------------------------------------------------

# model, what is varied (dyadic: the same number as text and as double), columns, options
AS_SIMULATE = [
    ("pendulum", ["g=2..10 count 5"], "x", []),
    ("pendulum", ["x'=-0.5..0.5 count 5"], "y", ["--method", "dop853"]),
    ("double_pendulum", ["theta1=-1..1 count 5", "theta2=0.25..0.5 count 2"], "theta2", ["--until", "4"]),
    ("sleigh", ["a=-0.5..1 count 4"], "theta", ["--method", "tsit5"]),  # the sign of a decides
    ("rolling_disc", ["theta=0.25..0.75 count 3"], "phi", ["--until", "4"]),
    ("rolling_disc", ["theta=0.25..0.75 count 2", "psi'=-1..1 count 2"], "theta", ["--until", "4"]),  # quasi-velocities follow
    ("rattleback", ["psi'=-6..-4 count 3"], "x", ["--until", "2"]),
    ("henon_heiles", ["y0=0.125..0.25 count 3"], "x", ["--method", "bdf", "--until", "5"]),
]


def same_as_simulate():
    for name, vary, column, words in AS_SIMULATE:
        known = set(json.loads(hamel("check", name, "--json").stdout)["coords"])
        for row in sweep(name, vary, f"end = final({column})", *words):
            given = {k: v for k, v in row.items() if k not in ("end", "ended")}
            state = ", ".join(f"{k}={v}" for k, v in given.items() if k.rstrip("'") in known)
            put = [w for k, v in given.items() if k.rstrip("'") not in known for w in ("--set", f"{k}={v}")]
            alone, _ = final_of(name, column, *put, *(["--at", state] if state else []), *words)
            check(alone == row["end"], f"{name} {given}: {row['end']} in the sweep, {alone} alone")


# --- closed forms -------------------------------------------------------------------------------------------------------------------------

PENDULUM = """system p
param l = 1, g = 9.81
coord th
lagrangian l^2*th'^2/2 + g*l*cos(th)
initial th = 0.5
simulate t = 0 .. 5, tol = 1e-12
event down: th down
event up: th up
"""


def pendulum_at_rest():
    """th(t) = 2 asin(k sn(K - w t)), k = sin(a/2): amplitude, speed at the bottom, times and numbers of passages."""
    name = model(PENDULUM)
    collect = "top = max(th), low = min(th), v = max(th'), e = final(th), d = first(down), u = count(up), c = count(down), m = mean(th^2)"
    for row in sweep(name, ["th=0.25..2.5 count 7", "l=0.5..2 count 3"], collect):
        a, l = float(row["th"]), float(row["l"])
        w, k = math.sqrt(9.81 / l), math.sin(a / 2)
        quarter = ellipk(k * k)
        first = quarter / w
        now = 2 * math.asin(k * ellipj(quarter - w * 5, k * k)[0])
        check(abs(float(row["top"]) - a) < 1e-9, f"amplitude {row}")
        check(abs(float(row["low"]) - (-a if 2 * first < 5 else now)) < 1e-9, f"lowest {row}")
        speed = 2 * k * w
        check(abs(float(row["v"]) - (speed if 3 * first < 5 else 0)) < 1e-8, f"speed {row} {speed}")
        check(abs(float(row["e"]) - now) < 1e-9, f"end {row} {now}")
        check(abs(float(row["d"]) - first) < 1e-10, f"first passage {row} {first}")
        passages = math.floor((5 / first - 1) / 2) + 1
        check(int(float(row["c"])) == (passages + 1) // 2 and int(float(row["u"])) == passages // 2, f"passages {row}")
        t = numpy.linspace(0, 5, 20001)
        square = (2 * numpy.arcsin(k * ellipj(quarter - w * t, k * k)[0]))**2
        mean = numpy.sum((square[1:] + square[:-1]) / 2) * (t[1] - t[0]) / 5
        check(abs(float(row["m"]) - mean) < 1e-6, f"mean {row} {mean}")


PROJECTILE = """system shot
param g = 9.81, u = 3, w = 4
coord x, y
point p: mass 1 at (x, y, 0)
gravity (0, -g, 0)
initial x' = u, y' = w
simulate t = 0 .. 10, tol = 1e-12
event ground: y down stop
"""


def projectile():
    """It falls back at t = 2 w/g, at x = u t, from the height w^2/2g; its mean height is two thirds of that."""
    name = model(PROJECTILE)
    rows = sweep(name, ["w=1..9 count 5", "u in {0, 1.5}"], "top = max(y), wide = final(x), t = first(ground), m = mean(y), n = count(ground)")
    for row in rows:
        w, u = float(row["w"]), float(row["u"])
        check(row["ended"] == "ground", f"ended {row}")
        check(abs(float(row["top"]) - w * w / 2 / 9.81) < 1e-11, f"height {row}")
        check(abs(float(row["t"]) - 2 * w / 9.81) < 1e-11, f"time {row}")
        check(abs(float(row["wide"]) - u * 2 * w / 9.81) < 1e-10, f"range {row}")
        check(abs(float(row["m"]) - w * w / 3 / 9.81) < 1e-11, f"mean {row}")
        check(float(row["n"]) == 1, f"count {row}")
    check(len(rows) == 10 and rows[0]["u"] == "0" and rows[1]["u"] == "1.5" and rows[0]["w"] == rows[1]["w"], "the last varies fastest")


# --- SciPy --------------------------------------------------------------------------------------------------------------------------------


def random_model():
    """Two masses on springs, with a quartic, damping and a force: coefficients by chance."""
    a, b, c, d, f = (round(RNG.uniform(0.3, 2), 3) for _ in range(5))
    text = f"""system r
param k = {a}
coord p, q
lagrangian (p'^2 + q'^2)/2 - k*p^2/2 - {b}*(p - q)^2/2 - {c}*q^4/4
dissipation {d}*0.05*q'^2
force p = {f}*sin(1.5*t)
initial p = 0.5, q' = 0.25
simulate t = 0 .. 6, tol = 1e-11
event cross: p - q
"""
    return text, (b, c, d, f)


def right_side(k, b, c, d, f):
    def rate(t, z):
        p, q, u, v = z
        return [u, v, -k * p - b * (p - q) + f * math.sin(1.5 * t), b * (p - q) - c * q**3 - 2 * d * 0.05 * v]
    return rate


def against_scipy():
    for _ in range(COUNT):
        text, (b, c, d, f) = random_model()
        name = model(text)
        low, high = RNG.uniform(-1, 0), RNG.uniform(0.5, 1)
        rows = sweep(name, [f"k=0.5..2 count 2, p={low!r}..{high!r} count 2"],
                     "m = max(p - q), n = min(p'), a = mean(p*q), e = final(q'), t = first(cross), c = count(cross)", "--method", RNG.choice(["dop853", "taylor", "tsit5"]))
        for row in rows:
            k, p = float(row["k"]), float(row["p"])
            out = solve_ivp(right_side(k, b, c, d, f), (0, 6), [p, 0, 0, 0.25], method="DOP853", rtol=1e-12, atol=1e-12,
                            dense_output=True, events=lambda t, z: z[0] - z[1])
            t = numpy.linspace(0, 6, 60001)
            z = out.sol(t)
            said = f"{text}{row}"
            check(abs(float(row["m"]) - (z[0] - z[1]).max()) < 1e-7, "max of " + said)
            check(abs(float(row["n"]) - z[2].min()) < 1e-7, "min of " + said)
            check(abs(float(row["a"]) - numpy.trapezoid(z[0] * z[1], t) / 6 if hasattr(numpy, "trapezoid") else float(row["a"]) - numpy.trapz(z[0] * z[1], t) / 6) < 1e-7,
                  "mean of " + said)
            check(abs(float(row["e"]) - z[3, -1]) < 1e-8, "end of " + said)
            crossings = out.t_events[0]
            check(int(float(row["c"])) == len(crossings) and abs(float(row["t"]) - crossings[0]) < 1e-8, f"crossings {crossings} of " + said)


# --- what does not matter, and what fails -------------------------------------------------------------------------------------------------


def threads_do_not_matter():
    words = ["sweep", "double_pendulum", "--vary", "theta1=-1..1 count 40, theta2=0..1 count 8", "--collect", "m = max(theta1), e = final(theta2), a = mean(theta1')",
             "--until", "2"]
    one = hamel(*words, "--threads", "1")
    for count in ("2", "5"):
        check(hamel(*words, "--threads", count).stdout == one.stdout and len(one.stdout) > 10000, f"{count} threads write other bytes than one")


def failures():
    """Starts that the constraint does not allow, an end where the force has no value, and neither ends the sweep."""
    name = model("""system f
param c = 1
coord x, y
lagrangian (x'^2 + y'^2)/2 - c*sqrt(1 - x^2)
constraint h: x*x + y*y*0 - x*x + y = c*c
initial x' = 0.5, y = 1
simulate t = 0 .. 4
""")
    done = hamel("sweep", name, "--vary", "x=0..1.5 count 4", "--collect", "e = final(x), m = max(y)", "--json", "-o", "-")
    check(done.returncode == 0, f"a sweep with failures: {done.stderr}")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    for row in rows:
        bad = float(row["x"]) > 0.4
        check((row["ended"] != "end") == (row["e"] == "nan"), f"{row}")
    told = json.loads(done.stderr)
    check(told["runs"] == 4 and told["failed"] == sum(r["ended"] != "end" for r in rows) > 0, f"{told}")
    rows = sweep("pendulum", ["l=0.5..2 count 4"], "e = final(x)")
    check([r["ended"] for r in rows] == ["no start", "end", "no start", "no start"], f"{rows}")


same_as_simulate()
pendulum_at_rest()
projectile()
against_scipy()
threads_do_not_matter()
failures()
finish()
