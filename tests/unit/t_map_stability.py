#!/usr/bin/env python3
"""Maps of stability over two parameters: against closed forms (a rolling disc, a sleeping top), and against NumPy's eigenvalues of matrices written down
here (Ziegler's pendulum, random gyroscopic systems with friction). What is not on a boundary is what all its corners are."""
import csv
import json
import math
import os
import random
import subprocess
import tempfile

import numpy as np

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.mkdtemp()
RNG = random.Random(19)


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def compare(what, verdict, *words, least=20):
    """All cells against `verdict` at their corners, None where it is too near to call."""
    done = hamel("map", *words, "--stability", "-o", "cells.csv", "--json")
    check(done.returncode == 0, f"{what}: {done.stderr}")
    if done.returncode:
        return None
    told = json.loads(done.stdout)
    with open(os.path.join(FOLDER, "cells.csv"), encoding="utf-8") as f:
        rows = [tuple(map(float, r[:4])) + (r[4],) for r in list(csv.reader(f))[1:]]
    wrong = mixed = 0
    for x0, x1, y0, y1, kind in rows:
        corners = {verdict(x, y) for x in (x0, x1) for y in (y0, y1)}
        mixed += kind == "boundary"
        wrong += None not in corners and (len(corners) < 2 if kind == "boundary" else corners != {kind})
    check(wrong == 0, f"{what}: {wrong} of {len(rows)} cells")
    check(mixed == told["boundary"] >= least, f"{what}: {mixed} cells on boundaries")
    check(told["motions"] < told["points"], f"{what}: few points are looked at, {told['motions']} of {told['points']}")
    check(abs(sum(float(c["share"]) for c in told["classes"]) - 1) < 1e-12, f"{what}: all of the rectangle has a class")
    return told


def of_matrices(mass, damping, stiffness):
    """By NumPy: the largest real part of the eigenvalues of M x'' + D x' + K x = 0."""
    n = len(mass)
    inverse = np.linalg.inv(np.array(mass, float))
    a = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ np.array(stiffness, float), -inverse @ np.array(damping, float)]])
    most = max(np.linalg.eigvals(a).real)
    return None if abs(most) < 1e-8 else "unstable" if most > 0 else "stable"


def closed_forms():
    def disc(rate, r):  # falls where 3 v^2 < g r
        return "unstable" if 3 * r * rate * rate < 9.81 else "marginal"
    told = compare("a rolling disc", disc, "rolling_disc", "--vary", "phi'=0.5..4", "--vary", "r=0.5..2", "--at", "theta=0, theta'=0, psi'=0", least=300)
    check(told["eigenvalues"] == 2 and told["neutral"] == 6, "its eigenvalues are counted")

    def top(spin, l):  # C^2 spin^2 > 4 A m g l
        return "marginal" if (0.2 * spin) ** 2 > 4 * (0.25 + l * l) * 9.81 * l else "unstable"
    compare("a sleeping top", top, "sleeping_top", "--vary", "psi'=5..40", "--vary", "l=0.1..0.8", "--cells", "8", "--depth", "4", least=100)


def eigenvalues():
    def ziegler(load, friction):
        return of_matrices([[3, 1], [1, 1]], [[2 * friction, -friction], [-friction, friction]], [[2 - load, -1 + load], [-1, 1]])
    compare("Ziegler's pendulum", ziegler, "ziegler", "--vary", "P=1..4", "--vary", "b=0.02..1", "--cells", "8", "--depth", "4", least=30)
    for i in range(6):
        k1, k2, k3, d, n = (RNG.uniform(-1, 2), RNG.uniform(-1, 2), RNG.uniform(-1, 1), RNG.uniform(0.01, 0.5), RNG.uniform(-1, 1))
        model = (f"param p = 0.5, w = 1\ncoord x, y\nkinetic (x'^2 + 2*y'^2)/2\npotential ({k1}*x^2 + p*y^2)/2 + {k3}*x*y + x^4/4\n"
                 f"force x = -w*y' - {d}*x' + {n}*y\nforce y = w*x' - {d}*y' - {n}*x\ninitial x = 0, y = 0\n")
        with open(os.path.join(FOLDER, f"r{i}.ham"), "w", encoding="utf-8") as f:
            f.write(model)

        def random_one(p, w):
            return of_matrices([[1, 0], [0, 2]], [[d, w], [-w, d]], [[k1, k3 - n], [k3 + n, p]])
        compare(f"random {i}: {model}", random_one, f"r{i}.ham", "--at", "x = 0, y = 0", "--vary", "p=-2..2", "--vary", "w=-3..3", "--cells", "8", "--depth", "3", least=0)


def there_may_be_none():
    with open(os.path.join(FOLDER, "fold.ham"), "w", encoding="utf-8") as f:
        f.write("param p = 1, d = 0.3\ncoord x\nkinetic x'^2/2\npotential x^3/3 - p*x\nforce x = -d*x'\ninitial x = 1\n")

    def fold(p, d):  # at x = sqrt(p) in equilibrium, where x'' = -2 sqrt(p) x - d x'
        return None if abs(p) < 0.02 else "no steady motion" if p < 0 else "marginal" if d == 0 else "stable" if d > 0 else "unstable"
    compare("beyond a fold", fold, "fold.ham", "--vary", "p=-1..2", "--vary", "d=-1..1", "--cells", "12", "--depth", "3")


def what_makes_no_sense_is_refused():
    over = ["--vary", "phi'=0.5..4", "--vary", "r=0.5..2"]
    for words, said in [(["--by", "x"], "--by is for runs"), (["--until", "3"], "--until is for runs"), (["--threads", "1"], "--threads is for runs")]:
        done = hamel("map", "rolling_disc", "--stability", *over, *words)
        check(done.returncode == 1 and said in done.stderr, f"{words}: {done.stderr}")
    done = hamel("map", "rolling_disc", "--stability", "--vary", "phi'=0.5..4", "--vary", "q=1..2")
    check(done.returncode != 0 and "q" in done.stderr, done.stderr)
    done = hamel("basin", "rolling_disc", "--stability", *over)
    check(done.returncode == 1, "a basin is of runs")
    shown = hamel("map", "rolling_disc", "--stability", *over, "--at", "theta=0, theta'=0, psi'=0", "--plot").stdout
    check("steady motion over r against phi'" in shown and "a marginal  b unstable" in shown, shown)


def main():
    closed_forms()
    eigenvalues()
    there_may_be_none()
    what_makes_no_sense_is_refused()
    finish()


main()
