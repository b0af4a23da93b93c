"""What `hamel sweep` draws, through the program: values of runs as the rows of its CSV file.

The other routes: SciPy's Sobol sequence bit by bit (the shift falls out between two runs) and its discrepancy, a Latin hypercube counted by strata, the
laws of Kolmogorov and Smirnov, a product grid by itertools, and rows of a file by the csv module. A particle at rest stays where it starts, so that
what is collected of it is its start.
"""
import csv
import io
import itertools
import json
import os
import random
import subprocess
import tempfile
import warnings

import numpy as np
from scipy import stats
from scipy.stats import qmc

from _checks import HAMEL, check, finish

warnings.simplefilter("ignore")  # Sobol's points that are not a power of 2
RNG = random.Random(7)
FOLDER = tempfile.mkdtemp()


def sweep(model, *words, status=0):
    """The columns {name: numbers} of the rows, and the summary."""
    path, made = os.path.join(FOLDER, "m.ham"), os.path.join(FOLDER, "rows.csv")
    with open(path, "w") as out:
        out.write(model)
    done = subprocess.run([HAMEL, "sweep", path, "-o", made, "--json", "--threads", "1", *words], capture_output=True, text=True)
    check(f"{words}: {done.returncode} {done.stderr[:300]}", done.returncode == status)
    with open(made) as rows:
        table = list(csv.DictReader(rows))
    return {name: [row[name] for row in table] for name in table[0]}, json.loads(done.stdout)


def still(count):
    """So many particles that nothing moves."""
    names = [f"q{i}" for i in range(count)]
    return f"coord {', '.join(names)}\nkinetic ({' + '.join(n + chr(39) + '^2' for n in names)})/2\nsimulate t = 0 .. 1\n"


def numbers(column):
    return np.array([float(v) for v in column])


def sobols_points_are_scipys_but_for_a_shift():
    count, runs = 24, 300
    for seed in (0, 5, 2 ** 40 + 1):
        vary = ", ".join(f"q{i} in uniform(0, 1)" for i in range(count))
        rows, told = sweep(still(count), "--vary", vary, "--collect", "a = final(q0)", "--samples", f"{runs} sobol", "--seed", str(seed))
        check("as many runs as samples", told["runs"] == runs)
        points = qmc.Sobol(count, scramble=False, bits=30).random(runs)
        for i in range(count):
            ours = (numbers(rows[f"q{i}"]) * 2.0 ** 52).astype(np.uint64)
            check(f"dimension {i}, seed {seed}", np.array_equal(ours ^ ours[0], (points[:, i] * 2.0 ** 52).astype(np.uint64)))
        check("a particle at rest is where it started", rows["a"] == rows["q0"])
    shifts = {int(numbers(sweep(still(1), "--vary", "q0 in uniform(0, 1)", "--collect", "a = final(q0)", "--samples", "1 sobol", "--seed", str(s))[0]["q0"])[0]
                  * 2.0 ** 52) for s in range(4)}
    check("seeds shift differently", len(shifts) == 4)


def samples_fill_the_cube_as_they_should():
    names, runs, worse = ["q0", "q1", "q2"], 256, {}
    for how in ("random", "latin", "sobol"):
        rows, _ = sweep(still(3), "--vary", ", ".join(f"{n} in uniform(0, 1)" for n in names), "--collect", "a = final(q0)", "--samples", f"{runs} {how} seed 3")
        points = np.array([numbers(rows[n]) for n in names]).T
        worse[how] = qmc.discrepancy(points)
        for i, n in enumerate(names):
            strata = np.bincount((points[:, i] * runs).astype(int), minlength=runs)
            check(f"one in each of {runs} strata: {how}, {n}", (strata.max() == 1) == (how != "random"))
            check(f"uniform: {how}, {n}", stats.kstest(points[:, i], "uniform").pvalue > 1e-4)
        check(f"not correlated: {how}", np.max(np.abs(np.corrcoef(points.T) - np.eye(3))) < 0.3)
    check(f"discrepancies: {worse}", worse["sobol"] < worse["latin"] < worse["random"])


def normal_values_have_their_law():
    rows, _ = sweep("param s = 2\n" + still(2), "--vary", "q0 in normal(-1, s/4), q1 in normal(3, 1e-3)", "--collect", "a = final(q0)", "--samples", "3000 seed 8")
    check("normal(-1, 0.5)", stats.kstest(numbers(rows["q0"]), stats.norm(-1, 0.5).cdf).pvalue > 1e-4)
    check("normal(3, 0.001)", stats.kstest(numbers(rows["q1"]), stats.norm(3, 1e-3).cdf).pvalue > 1e-4)


def grids_are_products_in_order():
    for _ in range(5):
        a, b = sorted(RNG.sample(range(-500, 500), 2))
        n, values = RNG.randrange(2, 9), [RNG.randrange(-99, 99) / 8 for _ in range(RNG.randrange(1, 5))]
        m = RNG.randrange(2, 5)
        vary = f"p = {a / 100} .. {b / 100} count {n}, q0 in {{{', '.join(map(repr, values))}}}, q1 = 1 .. {m} count {m}"
        rows, told = sweep("param p = 1\n" + still(2), "--vary", vary, "--collect", "a = final(q0 + q1), b = final(p)")
        # decimals: (a (n-1-i) + b i)/(100 (n-1)), rounded once
        grid = [(a * (n - 1 - i) + b * i) / (100 * (n - 1)) for i in range(n)]
        want = list(itertools.product(grid, values, range(1, m + 1)))
        check("the product of the counts", told["runs"] == len(want))
        check(f"values of {vary}", [tuple(map(float, row)) for row in zip(rows["p"], rows["q0"], rows["q1"])] == want)
        check(f"runs have them: {vary}", rows["b"] == rows["p"] and [float(v) for v in rows["a"]] == [x + y for _, x, y in want])


def rows_come_from_a_file():
    starts = [(RNG.gauss(0, 1), RNG.gauss(0, 100), k) for k in range(40)]
    with open(os.path.join(FOLDER, "starts.csv"), "w") as out:
        out.write("# starts\nk,q1,q0'\n" + "".join(f"{k},{x!r},{y!r}\n" for x, y, k in starts))
    model = still(2) + "sweep q0', q1 from \"starts.csv\", q0 in { 0, 1 }\ncollect a = final(q1), v = final(q0')\n"
    rows, _ = sweep(model)
    want = [(y, x, z) for x, y, _ in starts for z in (0, 1)]
    check("rows, then the list", [tuple(map(float, row)) for row in zip(rows["q0'"], rows["q1"], rows["q0"])] == want)
    check("runs start there", rows["a"] == rows["q1"] and rows["v"] == rows["q0'"])


def main():
    sobols_points_are_scipys_but_for_a_shift()
    samples_fill_the_cube_as_they_should()
    normal_values_have_their_law()
    grids_are_products_in_order()
    rows_come_from_a_file()
    finish()


main()
