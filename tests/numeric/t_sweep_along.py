#!/usr/bin/python3
"""Largest, least and mean values along steps do not depend on how long the steps are: sums of bells, of waves, of kinks and jumps at random, along a time-like coordinate, of which any method takes
steps as long as it likes, and along a swing. Against closed forms, and largest values on a fine grid refined by SciPy; one run after the other and in lanes. generated/t_sweep_along_cuda.py has the code for a GPU."""
import csv
import io
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import erf

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "unit"))
from _checks import check, finish, run_cases, run_seed

HAMEL = os.environ["HAMEL"]
CASES = run_cases(2, 60)  # of each kind
RNG = random.Random(run_seed(19))
LENGTH = 10.0
METHODS = ["taylor", "dop853", "tsit5"]
CLOSE = 2e-8  # at a tolerance of 1e-10, of the largest |E|: x is known to some tolerances, and E may change 40 times as fast
CUSPS = 1e-6  # there E changes by the root of a rounding in the time, and of what a bracket is halved to
SAME = 1e-11  # of functions to 1 ulp in their own ways, of arguments up to 500
LEAST = 1e-16  # rounding in the closed forms, of terms that are 1
GRID = np.linspace(0, LENGTH, 200001)


class Quantity:
    """text: in x; f: the same in NumPy; whole: its integral from 0 to x; special: places where it has kinks or jumps"""

    def __init__(self, text, f, whole, special=()):
        self.text, self.f, self.whole, self.special = text, f, whole, list(special)

    def mean(self, a):
        return (self.whole(a + LENGTH) - self.whole(a)) / LENGTH

    def most(self, a, sign):
        beside = [p + d for p in self.special for d in (-1e-11, 0, 1e-11)]  # of jumps
        places = np.concatenate([a + GRID, [p for p in beside if a <= p <= a + LENGTH]])
        values = sign * self.f(places)
        best = float(values.max())
        for i in np.argsort(values[: len(GRID)])[-5:]:
            low, high = a + GRID[max(i - 1, 0)], a + GRID[min(i + 1, len(GRID) - 1)]
            best = max(best, -minimize_scalar(lambda x: -sign * float(self.f(np.float64(x))), bounds=(low, high), method="bounded", options={"xatol": 1e-12}).fun)
        return sign * best

    def size(self, a):
        return max(abs(self.most(a, 1)), abs(self.most(a, -1)))


def number(x):
    return f"({x!r})"


def sum_of(parts):
    return Quantity(" + ".join(p.text for p in parts), lambda x: sum(p.f(x) for p in parts), lambda x: sum(p.whole(x) for p in parts), [s for p in parts for s in p.special])


def constant(c):
    return Quantity(number(c), lambda x: c + 0 * x, lambda x: c * x)


def line(c, d):
    return Quantity(f"{number(c)}*x + {number(d)}", lambda x: c * x + d, lambda x: c * x * x / 2 + d * x)


def bell(a, m, w):
    return Quantity(f"{number(a)}*exp(-((x - {number(m)})/{number(w)})^2)", lambda x: a * np.exp(-((x - m) / w) ** 2), lambda x: a * w * math.sqrt(math.pi) / 2 * erf((x - m) / w))


def wave(a, w, p):
    return Quantity(f"{number(a)}*cos({number(w)}*x + {number(p)})", lambda x: a * np.cos(w * x + p), lambda x: a / w * math.sin(w * x + p))


def kink(a, c):
    return Quantity(f"{number(a)}*abs(x - {number(c)})", lambda x: a * abs(x - c), lambda x: a * (x - c) * abs(x - c) / 2, [c])


def jump(a, c):
    return Quantity(f"{number(a)}*sign(x - {number(c)})", lambda x: a * np.sign(x - c), lambda x: a * abs(x - c), [c])


def cusp(a, c):
    return Quantity(f"{number(a)}*sqrt(abs(x - {number(c)}))", lambda x: a * np.sqrt(abs(x - c)), lambda x: a * math.copysign(abs(x - c) ** 1.5, x - c) * 2 / 3, [c])


def rectified(a, w):
    def whole(x):
        n = math.floor(w * x / math.pi)
        return a / w * (2 * n + 1 - math.cos(w * x - n * math.pi))
    return Quantity(f"{number(a)}*abs(sin({number(w)}*x))", lambda x: a * abs(np.sin(w * x)), whole, [k * math.pi / w for k in range(400)])


def some(make, most):
    return sum_of([make() for _ in range(RNG.randint(1, most))])


def amount():
    return RNG.choice([-1, 1]) * RNG.uniform(0.1, 2)


def place():
    return RNG.uniform(-1, 13)


KINDS = {
    "bells": lambda: some(lambda: bell(amount(), place(), 10 ** RNG.uniform(-1.5, 0.5)), 5),
    "bells on a line": lambda: sum_of([line(amount(), amount()), some(lambda: bell(amount(), place(), 10 ** RNG.uniform(-0.8, 0.5)), 4)]),
    "waves": lambda: some(lambda: wave(amount(), 10 ** RNG.uniform(-1, 1.6), RNG.uniform(-3, 3)), 5),
    "a ripple": lambda: sum_of([wave(1.0, RNG.uniform(0.3, 3), 1.0), wave(10 ** RNG.uniform(-4, -1), RNG.uniform(10, 40), 2.0)]),
    "kinks": lambda: some(lambda: kink(amount(), place()), 4),
    "jumps": lambda: sum_of([some(lambda: jump(amount(), place()), 3), wave(0.3, RNG.uniform(0.2, 2), 0.0)]),
    "cusps": lambda: some(lambda: cusp(amount(), place()), 3),
    "rectified": lambda: rectified(amount(), 10 ** RNG.uniform(-0.5, 1)),
    "lines": lambda: line(amount(), amount()),
    "constants": lambda: constant(amount()),
    "small": lambda: bell(1e-12, place(), RNG.uniform(0.2, 1)),
}
FREE = "system free\ncoord x\nkinetic x'^2/2\ninitial x = 0, x' = 1\nsimulate t = 0 .. 10, tol = 1e-10\n"


def rows(text, collect, folder, *options, environment=None):
    (folder / "m.ham").write_text(text)
    done = subprocess.run([HAMEL, "sweep", "m.ham", "--collect", ", ".join(collect), *options], capture_output=True, text=True, cwd=folder, env=environment)
    check(done.returncode == 0, done.stderr[-2000:])
    return list(csv.DictReader(io.StringIO(done.stdout)))


def collected(quantities):
    return [f"{kind}{i} = {kind}({q.text})" for i, q in enumerate(quantities) for kind in ("max", "min", "mean")]


def compare(row, quantities, kind, method):
    a = float(row["x"])
    close = CUSPS if kind == "cusps" else CLOSE
    for i, q in enumerate(quantities):
        most, least = q.most(a, 1), q.most(a, -1)
        allowed = close * max(abs(most), abs(least)) + LEAST
        for name, wanted in (("max", most), ("min", least), ("mean", q.mean(a))):
            found = row[name + str(i)]
            check(abs(float(found) - wanted) <= allowed, f"{kind}, {method}, from {a}: {name}({q.text}) is {found}, not {wanted!r}")


def along_a_line(folder):
    for kind, make in KINDS.items():
        for first in range(0, CASES, 10):
            quantities = [make() for _ in range(min(10, CASES - first))]
            for method in METHODS:
                for row in rows(FREE + "sweep x in {0, 1.3}\n", collected(quantities), folder, "--method", method):
                    compare(row, quantities, kind, method)


def in_lanes(folder):
    """Each lane divides its steps for itself: so many runs go through lanes, and all digits are those of runs one after the other where both take the same functions."""
    quantities = [KINDS[kind]() for kind in ("bells", "waves", "kinks", "jumps", "rectified")]
    text = FREE + "sweep x = 0 .. 2 count 4096\n"
    for method in METHODS:
        by_lanes = rows(text, collected(quantities), folder, "--method", method)
        check(len(by_lanes) == 4096, f"{len(by_lanes)} runs")
        some = by_lanes[::409]
        alone = rows(FREE + "sweep x in {" + ", ".join(row["x"] for row in some) + "}\n", collected(quantities), folder, "--method", method)
        for row in some[:4]:
            compare(row, quantities, "in lanes", method)
        off = max(abs(float(one[n]) - float(other[n])) / (1 + abs(float(other[n]))) for one, other in zip(some, alone) for n in one if n != "ended")
        check(off <= SAME and len(alone) == len(some), f"{method}: lanes are off by {off}")


SWING = """system swing
coord x
kinetic x'^2/2
potential x^2/2
initial x = 1
simulate t = 0 .. 20, tol = 1e-11
sweep x in {1, 0.7}
"""
SWUNG = [  # of x = a cos t, v = -a sin t
    ("x", lambda x, v: x), ("x'^2", lambda x, v: v * v), ("abs(x')", lambda x, v: abs(v)), ("exp(-((x - 0.4)/0.03)^2)", lambda x, v: np.exp(-(((x - 0.4) / 0.03) ** 2))),
    ("sin(20*x)*x'", lambda x, v: np.sin(20 * x) * v), ("sign(x - 0.3)", lambda x, v: np.sign(x - 0.3)), ("x^2 + x'^2", lambda x, v: x * x + v * v),
]


def along_a_swing(folder):
    t = np.linspace(0, 20, 4000001)
    for method in METHODS:
        for row in rows(SWING, collected([Quantity(text, f, None) for text, f in SWUNG]) + ["drift = max(abs(x^2 + x'^2 - x0^2))".replace("x0", "1"), "slip = mean(x^2 + x'^2 - 1)"], folder, "--method", method):
            a = float(row["x"])
            for i, (text, f) in enumerate(SWUNG):
                values = f(a * np.cos(t), -a * np.sin(t))
                size = abs(values).max()
                for name, wanted, close in (("max", values.max(), 1e-8), ("min", values.min(), 1e-8), ("mean", np.trapezoid(values, t) / 20 if hasattr(np, "trapezoid") else np.trapz(values, t) / 20, 1e-8)):
                    if name == "mean" and text.startswith("sign"):
                        close = 1e-6  # what is jumped over in the sum here
                    check(abs(float(row[name + str(i)]) - wanted) <= close * size, f"{method}, a = {a}: {name}({text}) is {row[name + str(i)]}, not {wanted!r}")
            check(abs(float(row["drift"]) - abs(a * a - 1)) < 1e-8 and abs(float(row["slip"]) - (a * a - 1)) < 1e-8, f"{method}: what is nearly 0: {row['drift']}, {row['slip']}")


def main():
    with tempfile.TemporaryDirectory() as name:
        along_a_line(pathlib.Path(name)), along_a_swing(pathlib.Path(name)), in_lanes(pathlib.Path(name))
    finish()


if __name__ == "__main__":
    main()
