#!/usr/bin/env python3
"""`plot --spectrum` and `--recurrence` against sums written out in Python, closed forms of frequencies, and rows that nothing can be made of."""
import cmath
import json
import math
import os
import random
import subprocess
import tempfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.TemporaryDirectory()


def hamel(*words, status=0):
    done = subprocess.run([HAMEL, *words], capture_output=True, text=True, check=False, cwd=FOLDER.name)
    check(done.returncode == status, f"{' '.join(words)}: status {done.returncode}, not {status}: {done.stderr}")
    return done


def rows(names, values, file="rows.csv"):
    with open(os.path.join(FOLDER.name, file), "w", encoding="utf-8") as out:
        print(names, file=out)
        for row in values:
            print(*["" if v is None else repr(v) for v in row], sep=",", file=out)
    return file


def spectra(file, *words):
    return {s["column"]: s for s in json.loads(hamel("plot", file, *words, "--spectrum", "--json").stdout)["spectra"]}


def near(name, value, expected, most):
    check(abs(value - expected) <= most, f"{name}: {value!r}, not {expected!r}")


def any_number_of_rows_is_transformed():
    """The definition as it stands, term by term, for lengths that are prime, powers of two and others."""
    rng = random.Random(3)
    for n in (16, 17, 31, 64, 97, 100, 128, 211):
        x = [rng.uniform(-1, 1) for _ in range(n)]
        found = spectra(rows("t,x", [(0.25 * j, v) for j, v in enumerate(x)]), "x")["x"]
        mean = sum(x) / n
        for k in range(n // 2 + 1):
            term = sum((v - mean) * (1 - math.cos(2 * math.pi * j / n)) / 2 * cmath.exp(-2j * math.pi * j * k / n) for j, v in enumerate(x))
            near(f"{n} rows, bin {k}", float(found["amplitude"][k]), 4 * abs(term) / n, 1e-13)
            near(f"{n} rows, frequency {k}", float(found["frequency"][k]), k / (n * 0.25), 1e-13)
        near("the mean", float(found["mean"]), mean, 1e-14)


def peaks_lie_between_the_bins():
    """Three cosines with frequencies at no bin: found to a part of a bin that falls as the cube of their distance."""
    wanted = ((1.2345678, 0.7), (3.3333, 2.0), (7.77, 0.01))
    signal = [(j * 0.02, 5 + sum(a * math.cos(2 * math.pi * f * j * 0.02 + f) for f, a in wanted)) for j in range(5001)]
    peaks = spectra(rows("t,x", signal), "x")["x"]["peaks"]
    check(len(peaks) == 3, f"{len(peaks)} peaks")
    for (f, a), p in zip(sorted(wanted, key=lambda w: -w[1]), peaks):
        near("frequency", float(p["frequency"]), f, 2e-6)
        near("amplitude", float(p["amplitude"]), a, 1e-4 * a)
    words = hamel("plot", "rows.csv", "x", "--spectrum", "-o", "made.svg").stdout
    check("5001 rows, 0.02 apart; resolution 0.009998" in words and "3.3333" in words, words)
    check(os.path.getsize(os.path.join(FOLDER.name, "made.svg")) > 1000, "a figure")


def uneven_rows_are_interpolated():
    rng = random.Random(5)
    t = sorted(rng.uniform(0, 100) for _ in range(8000))
    signal = [(s, math.cos(2 * math.pi * 0.4321 * s)) for s in t]
    out = json.loads(hamel("plot", rows("t,x", signal), "x", "--spectrum", "--json").stdout)
    check(out["resampled"] is True, "it says so")
    near("frequency", float(out["spectra"][0]["peaks"][0]["frequency"]), 0.4321, 1e-5)
    even = [(j * 0.1, math.cos(j * 0.1 * 2)) for j in range(600)] + [(59.93, math.cos(59.93 * 2))]
    out = json.loads(hamel("plot", rows("t,x", even), "x", "--spectrum", "--json").stdout)
    check(out["resampled"] is False and out["rows"] == 600, "a last row where an event stopped the run is left out")
    near("frequency", float(out["spectra"][0]["peaks"][0]["frequency"]), 1 / math.pi, 1e-6)


def a_model_has_the_frequencies_of_its_linear_motion():
    """Small swings of the double pendulum: det(K - w^2 M) = 0 with M = ((m1 + m2) l1^2, m2 l1 l2; ., m2 l2^2), K = g diag((m1 + m2) l1, m2 l2)."""
    m1, m2, l1, l2, g = 1, 0.8, 1, 0.7, 9.81
    a, b, c = l1 * l2 * m1, -g * (m1 + m2) * (l1 + l2), g * g * (m1 + m2)
    squares = sorted((-b + s * math.sqrt(b * b - 4 * a * c)) / (2 * a) for s in (1, -1))
    found = {s["column"]: s for s in json.loads(hamel("plot", "double_pendulum", "--spectrum", "--json", "--until", "200", "--at",
                                                      "theta1=0.0001, theta2=0, theta2'=0").stdout)["spectra"]}
    check(set(found) == {"theta1", "theta2"}, "all coordinates where none is named")
    peaks = sorted(float(p["frequency"]) for p in found["theta1"]["peaks"][:2])
    for f, w2 in zip(peaks, squares):
        near("a mode", f, math.sqrt(w2) / (2 * math.pi), 1e-6)
    # the frequency of a large swing of a pendulum, from K(k)
    agm = lambda x, y: x if abs(x - y) < 1e-15 * x else agm((x + y) / 2, math.sqrt(x * y))
    amplitude = math.acos(-(0.5 * (0.4**2 + 0.3**2) - 9.81 * 0.8) / 9.81)
    period = 2 * math.pi / math.sqrt(9.81) / agm(1, math.cos(amplitude / 2))
    peaks = json.loads(hamel("plot", "pendulum", "angle", "--spectrum", "--json", "--until", "300").stdout)["spectra"][0]["peaks"]
    near("a large swing", float(peaks[0]["frequency"]), 1 / period, 1e-7)
    near("its third harmonic", float(peaks[1]["frequency"]), 3 / period, 1e-6)


def what_returns_is_counted():
    """Every pair by hand, for the rows that are looked at."""
    rng = random.Random(9)
    signal = [(0.5 * j, rng.uniform(-1, 1), rng.uniform(-1, 1)) for j in range(150)]
    file = rows("t,x,y", signal)
    for names, e in (("x", 0.2), ("x,y", 0.5)):
        points = [row[1:2] if names == "x" else row[1:] for row in signal]
        pairs = sum(math.dist(p, q) < e for p in points for q in points)
        out = json.loads(hamel("plot", file, names, "--recurrence", "--near", str(e), "--json").stdout)
        check(out["pairs"] == pairs and out["rows"] == 150, f"{names}: {out['pairs']} pairs, not {pairs}")
    largest = max(math.dist(p[1:], q[1:]) for p in signal for q in signal)
    near("a tenth of the largest distance", float(json.loads(hamel("plot", file, "x,y", "--recurrence", "--json").stdout)["near"]), largest / 10, 1e-14)
    turns = [(0.01 * j, math.cos(2 * math.pi * 0.01 * j)) for j in range(1001)]
    words = hamel("plot", rows("t,x", turns), "x", "--recurrence", "-o", "made.svg").stdout
    check("334 of 1001 rows" in words, words)
    figure = open(os.path.join(FOLDER.name, "made.svg"), encoding="utf-8").read()
    check(figure.count("M") > 1000, "lines for each row")


def what_cannot_be_had_is_said():
    def refused(words, *asked, status=5):
        said = hamel("plot", *asked, status=status).stderr
        check(words in said, f"{' '.join(asked)}: `{words}` is not in: {said}")

    huge = rows("t,x", [(j, 1e308 * (-1) ** j) for j in range(32)])
    refused("there is no spectrum of `x`: its values are too large", huge, "x", "--spectrum")
    refused("too large for distances", huge, "x", "--recurrence")
    refused("the times are so close", rows("t,x", [(j * 1e-310, j % 3) for j in range(32)]), "x", "--spectrum")
    many = [(0.1 * j, 1.5, math.sin(j), None if j == 7 else 0.5) for j in range(64)]
    file = rows("t,c,x,g", many)
    refused("there is no spectrum of `c`: it is constant", file, "c", "--spectrum")
    refused("there is no spectrum of `g`: it has no value in row 8", file, "g", "--spectrum")
    refused("there is no recurrence: `g` has no value in row 8", file, "g", "--recurrence")
    refused("there is no recurrence: all rows are the same", file, "c", "--recurrence")
    refused("there is no column `z`", file, "z", "--spectrum", status=1)
    refused("and `x:c` is more than that", file, "x:c", "--spectrum", status=1)
    refused("and `error(x)` is more than that", file, "error(x)", "--recurrence", status=1)
    refused("not both", file, "x", "--recurrence", "--spectrum", status=1)
    refused("no JSON document", file, "x", "--json", status=1)
    refused("only a recurrence asks", file, "x", "--near", "1", status=1)
    refused("a spectrum needs 16 rows, and there are 2", rows("t,x", [(0, 1), (1, 2)]), "x", "--spectrum")
    refused("it takes two rows", rows("t,x", [(0, 1)]), "x", "--recurrence")
    refused("the times do not increase in row 12", rows("t,x", [(min(j, 10), math.sin(j)) for j in range(20)]), "x", "--spectrum")
    huge = [(j, 1e300 * math.cos(j)) for j in range(64)]
    near("huge values", float(spectra(rows("t,x", huge), "x")["x"]["peaks"][0]["frequency"]), 1 / (2 * math.pi), 1e-4)
    long = [(j * 0.001, math.sin(5 * j * 0.001)) for j in range(200_003)]
    near("a long file", float(spectra(rows("t,x", long), "x")["x"]["peaks"][0]["frequency"]), 5 / (2 * math.pi), 1e-7)


any_number_of_rows_is_transformed()
peaks_lie_between_the_bins()
uneven_rows_are_interpolated()
a_model_has_the_frequencies_of_its_linear_motion()
what_returns_is_counted()
what_cannot_be_had_is_said()
finish()
