#!/usr/bin/python3
"""The target cuda of `hamel codegen`, compiled as C++ with a shim of the words of CUDA: its runs end where those of `hamel simulate` end, for each method, from starts and with parameters that
are varied; what it collects of a pendulum and where a thrown ball lands is what closed forms and SciPy say; in float32 runs are off by as much as float32 asks for. make test-long takes more
models. A GPU is not asked for; where there is nvcc, it has to take the code.
"""
import itertools
import math
import pathlib
import random
import shutil
import sys
import tempfile

import numpy as np
import scipy.integrate

from _cuda import CXX, SHIM, build, last_row, rows
from _evaluation import HAMEL, run, run_size

MOST_RANDOM = run_size(1, 12)
TOLERANCE = 1e-9
# The steps of a pair are those of simulate but for rounding in the control of their lengths, which is done in float: both are off by the same error, to a part of 1e-7 each step, and where an
# attempt is just good enough for one of them only.
SAME_STEPS = 0.1
# Taylor's method takes another order than simulate where that is less work for a processor: errors of its runs are as small, and not the same.
SAME_ORDER = 20
ROUNDING = 2e-11  # of some hundred steps, in motions that amplify it by some hundred times
SINGLE = 3e-4  # of some hundred steps of float32, 6e-8 each, in motions that amplify it by some ten times
RNG = random.Random(19)
passed = failed = 0


def check(what, good, *more):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED", what, *more)


def distance(a, b):
    """Between two rows, by the columns of the first that the other has: relative where values are large"""
    return max((abs(v - b[n]) / (1 + abs(b[n])) for n, v in a.items() if n in b and n != "ended"), default=math.nan)


def finals(row):
    return {n[6:-1]: v for n, v in row.items() if n.startswith("final(")}


# --- runs of the library, and random ones --------------------------------------------------------

# model, how long, what is varied: values of (name, is a parameter)
LIBRARY = [("rolling_disc", 4, {"theta": [0.2, 0.3]}, {"r": [0.4, 0.5]}), ("sleigh", 5, {}, {"m": [1.0, 1.5]}), ("rattleback", 2, {}, {}), ("double_pendulum", 3, {"theta1": [0.5, 1.0]}, {})]
MORE = [("bicycle", 2, {}, {}), ("henon_heiles", 5, {"y": [0.1, 0.2]}, {}), ("heavy_top", 2, {}, {}), ("crane", 3, {}, {}), ("suslov", 3, {}, {}), ("tippe_top", 1, {}, {}),
        ("roller_racer", 4, {}, {}), ("snakeboard", 4, {}, {}), ("vertical_disc", 4, {}, {})]
LEAVES_ITS_CHART = ["snakeboard"]  # simulate goes on with other independent velocities
TERMS = ["sin({a})*{b}", "atan2({a}, 3 + {b}^2)", "sqrt(1 + {a}^2)", "exp(-{a}^2)*{b}", "log(2 + {b}^2)*{a}", "tanh({a})*cos({b})", "(1 + {a}^2)^(3/2)/(2 + sin({b}))",
         "sinh({a}/4) - cosh({b}/3)", "asin({a}/9)", "(1 + {a}^2)^(1/3)", "{a}*tan({b}/7)"]


def random_model(folder, number):
    q, p = ["a", "b", "c"], ["k", "l", "t_"]
    term = lambda: RNG.choice(TERMS).format(a=RNG.choice(q), b=RNG.choice(q + p))
    lines = [f"system random_{number}", "coord a, b, c", "param " + ", ".join("%s = %.3f" % (n, RNG.uniform(0.5, 2)) for n in p),
             "kinetic (1 + k^2)/2*a'^2 + b'^2*(2 + sin(c))/2 + (l^2 + a^2 + 1)*c'^2/2", "potential 2*a^2 + 2*b^2 + 2*c^2 + " + term(), "potential " + term(), "force a = %s*t/9" % term()]
    if number % 2:
        lines.append("constraint roll: a'*cos(c)/2 + b' - c'*sin(b)/3 = 0")
        lines.append("independent a, c")
    lines += ["event hits: a - 0.1", "initial " + ", ".join("%s = %.3f" % (n, RNG.uniform(-0.5, 0.5)) for n in q) + ", a' = 0.25, c' = -0.5", "simulate t = 0 .. 3", ""]
    path = folder / f"random_{number}.ham"
    path.write_text("\n".join(lines))
    return path


def grids(varied):
    return [w for n, (a, b) in varied.items() for w in ("--vary", f"{n}={a!r}..{b!r}:2")]


def starts(row, initial, parameters):
    at = ["--at", ", ".join(f"{n}={row[n]!r}" for n in initial)] if initial else []
    return at + [w for n in parameters for w in ("--set", f"{n}={row[n]!r}")]


def compare(model, until, initial, parameters, methods, folder):
    program = build(model, folder)
    check(f"{model} compiles", program)
    if not program:
        return
    for method in methods:
        found = rows(program, "--method", method, "--tolerance", repr(TOLERANCE), "--until", str(until), *grids(initial), *grids(parameters))
        check(f"{model}: {method} gives a row for each run", len(found) == 2 ** (len(initial) + len(parameters)), found)
        for row in found:
            how = ["--until", str(until), *starts(row, initial, parameters)]
            if row["ended"].startswith("other independent") and model in LEAVES_ITS_CHART:
                continue
            usual = last_row(model, folder, "--method", method, "--tol", repr(TOLERANCE), *how)
            close = last_row(model, folder, "--method", "taylor", "--tol", "1e-14", *how) or last_row(model, folder, "--method", "dop853", "--tol", "1e-14", *how)
            if not usual or not close:
                check(f"{model}: {method} is simulated", False)
                continue
            ends = finals(row)
            error, off = distance({n: usual[n] for n in ends if n in usual}, close), distance(ends, usual)
            most = SAME_ORDER * max(error, TOLERANCE / 10) if method == "taylor" else SAME_STEPS * error + ROUNDING
            check(f"{model}: {method} ends where simulate ends", off <= most, off, error, row)


def in_single(model, until, folder):
    program = build(model, folder, "-DHAMEL_REAL=float")
    check(f"{model} compiles in float32", program)
    close = last_row(model, folder, "--tol", "1e-13", "--until", str(until))
    for method in ("tsit5", "dop853", "taylor") if program else ():
        row, = rows(program, "--method", method, "--tolerance", "1e-5", "--until", str(until))
        check(f"{model}: {method} in float32", row["ended"] == "end" and distance(finals(row), close) <= SINGLE, distance(finals(row), close))


# Attempts of steps know angles up to 1e5, and are made once more where one is farther away: discs that head for the first and the last of these cross that place.
HEADINGS = [1e5 + 0.2, -1e5 - 0.1, 3e6, 1e5 - 0.2]
HEADING_ROUNDING = 1e-8  # of a hundred steps of an angle of 3e6, whose last digit is 5e-10


def far_angles(folder):
    program = build("rolling_disc", folder)
    check("the disc compiles", program)
    for method in ("tsit5", "dop853") if program else ():
        for heading, own in itertools.product(HEADINGS, ([], ["--vary", "r=0.5..0.5:1"])):  # also with parameters of its own
            row, = rows(program, "--method", method, "--tolerance", repr(TOLERANCE), "--until", "2", "--vary", f"psi={heading!r}..{heading!r}:1", *own)
            usual = last_row("rolling_disc", folder, "--method", method, "--tol", repr(TOLERANCE), "--until", "2", "--at", f"psi={heading!r}")
            check(f"{method}: a disc that heads for {heading}", row["ended"] == "end" and distance(finals(row), usual) <= HEADING_ROUNDING, distance(finals(row), usual), row["ended"])
    # sign() makes a number of what is none: such rates keep their branches
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    (folder / "sign.ham").write_text("system signs\nparam k = 1\ncoord a, b\nkinetic (a'^2 + b'^2)/2\nforce a = sign(k*sin(b) + cos(b) + 3)\ninitial a = 0, b = 100001.1, a' = 0, b' = -1/3\nsimulate t = 0 .. 2\n")
    program = build(folder / "sign.ham", folder)
    row, = rows(program, "--method", "dop853", "--tolerance", "1e-9") if program else [{"ended": "?"}]
    usual = last_row(folder / "sign.ham", folder, "--method", "dop853", "--tol", "1e-9")
    check("the sign of an angle that is far", row["ended"] == "end" and distance(finals(row), usual) <= HEADING_ROUNDING, row, usual)


# --- what is collected ---------------------------------------------------------------------------

PENDULUM = """system swing
param g = 9.81, l = 1
coord th
kinetic l^2*th'^2/2
potential -g*l*cos(th)
initial th = 0.5, th' = 0
simulate t = 0 .. 5
event zero: th up
event slow: th' - 0.001 down
sweep g = 9 .. 10 count 2
sweep th in uniform(0.4, 1)
samples 3 seed 5
collect high = max(l*sin(th)), low = min(th), square = mean(th^2), first_zero = first(zero), zeros = count(zero), speed = final(th'), turns = first(slow)
"""
THROWN = """system thrown
param g = 9.81, v = 5
coord x, z
kinetic (x'^2 + z'^2)/2
potential g*z
initial x = 0, z = 0.25, x' = 2, z' = v
simulate t = 0 .. 5
event lands: z down stop
event ground: -z up stop
event top: z' down
collect range = final(x), height = max(z), t_top = first(top), level = mean(z), touches = count(ground)
"""


def mean_of(a, b):  # arithmetic and geometric, until they are one
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


def pendulum(folder):
    (folder / "swing.ham").write_text(PENDULUM)
    program = build(folder / "swing.ham", folder)
    check("the pendulum compiles", program)
    for method in ("tsit5", "dop853", "taylor") if program else ():
        found = rows(program, "--method", method, "--tolerance", "1e-11")
        check("six runs, three of each g", [r["g"] for r in found] == [9] * 3 + [10] * 3 and [r["th"] for r in found[:3]] == [r["th"] for r in found[3:]])
        for r in found:
            period = 2 * math.pi / math.sqrt(r["g"]) / mean_of(1, math.cos(r["th"] / 2))
            check(f"{method}: the first zero is after 3/4 of the period", abs(r["first_zero"] - 0.75 * period) < 1e-9, r, period)
            check(f"{method}: zeros are counted", r["zeros"] == math.floor(5 / period + 0.25), r)
            check(f"{method}: extremes", abs(r["high"] - math.sin(r["th"])) < 1e-10 and abs(r["low"] + r["th"]) < 1e-10, r)
            s = scipy.integrate.solve_ivp(lambda t, y, g=r["g"]: [y[1], -g * math.sin(y[0]), y[0] ** 2], (0, 5), [r["th"], 0, 0], method="DOP853", rtol=1e-12, atol=1e-13)
            check(f"{method}: mean and end", abs(r["square"] - s.y[2][-1] / 5) < 1e-9 and abs(r["speed"] - s.y[1][-1]) < 1e-9, r)
            check(f"{method}: a crossing upwards is none downwards", abs(r["turns"] - period) < 0.01, r)


def thrown(folder):
    (folder / "thrown.ham").write_text(THROWN)
    program = build(folder / "thrown.ham", folder)
    check("the ball compiles", program)
    for method in ("tsit5", "dop853", "taylor") if program else ():
        found = rows(program, "--method", method, "--tolerance", "1e-10", "--vary", "v=3..7:5")
        check(f"{method}: five throws", len(found) == 5)
        for r in found:
            v, g = r["v"], 9.81
            end = (v + math.sqrt(v * v + 2 * g * 0.25)) / g
            level = 0.25 + v * end / 2 - g * end * end / 6
            good = abs(r["range"] - 2 * end) < 1e-9 and abs(r["height"] - 0.25 - v * v / 2 / g) < 1e-9 and abs(r["t_top"] - v / g) < 1e-9 and abs(r["level"] - level) < 1e-9
            # two events at one instant: the first of them ends the run, and both are counted
            check(f"{method}: the ball lands where it has to", good and r["ended"] == "lands" and r["touches"] == 1, r)


# --- numbers -------------------------------------------------------------------------------------

# Against long double and double: places near zeros and elsewhere. Prints the largest errors in units in the last place.
NUMBERS = """#include <random>
typedef double real;
#define R(x) ((real)(x))
#include "number.cuh"
template <class T> static double units(T found, long double exact) {
    const T size = fabs((T)exact);
    return (double)(fabsl(found - exact) / (std::nextafter(size, (T)INFINITY) - size));
}
int main() {
    std::mt19937_64 g(19);
    double most[5] = {0};
    for (long i = 0; i < 1000000; i++) {
        const double u = (double)(g() >> 11) * 0x1p-53 - 0.5, b = (double)(g() >> 11) * 0x1p-52 - 1;
        const double x = i % 4 == 0 ? 20 * u : i % 4 == 1 ? 2e5 * u : i % 4 == 2 ? 1e-3 * u : 1.5707963267948966 * floor(1000 * u) + 1e-6 * b;
        double s, c;
        float t, d;
        hamel_sincos(x, &s, &c), hamel_sincos((float)x, &t, &d);
        const double error[] = {units(s, sinl(x)), units(c, cosl(x)), units(t, sinl((float)x)), units(d, cosl((float)x)), units(hamel_over(x, b), (long double)x / b)};
        for (int k = 0; k < 5; k++) most[k] = error[k] > most[k] ? error[k] : most[k];
    }
    for (double e : most) printf("%.3f ", e);
}
"""
UNITS = [1.5, 1.5, 1.6, 1.6, 0.501]  # reduced angles and results are rounded, each by half a unit, which may be a unit of a result that is a little smaller


def numbers(folder):
    (folder / "numbers.cpp").write_text(NUMBERS)
    p = run(*CXX, "-O2", "-ffp-contract=off", "-include", str(SHIM), "-I", str(SHIM.parents[2] / "cuda"), str(folder / "numbers.cpp"), "-o", str(folder / "numbers"))
    check("numbers compile", p.returncode == 0, p.stderr[:1000])
    found = [float(w) for w in run(str(folder / "numbers")).stdout.split()]
    check("sine, cosine and quotients", len(found) == 5 and all(e <= most for e, most in zip(found, UNITS)), found)


# --- the program ---------------------------------------------------------------------------------

def options(folder):
    (folder / "thrown.ham").write_text(THROWN)
    program = build(folder / "thrown.ham", folder)
    check("the ball compiles", program)
    if not program:
        return
    for wrong in (["--method", "euler"], ["--vary", "y=1..2"], ["--vary", "v=1"], ["--tolerance", "0"], ["--count", "x"], ["--nothing", "1"], ["-o"], ["--vary", "v=1..2:0"], ["--vary", "v=1..2:1.5"], ["--vary", "v=nan..1"]):
        p = run(str(program), *wrong)
        check(f"{wrong} is refused", p.returncode == 2 and "usage" in p.stderr, p.returncode)
    p = run(str(program), "-o", str(folder / "no" / "where.csv"))
    check("a file that cannot be made", p.returncode == 2 and "where.csv" in p.stderr, p.stderr)
    drawn = [rows(program, "--vary", "v=3..7", "--vary", "z=0.2+-0.01", "--count", "50", "--seed", seed, "--chunk", chunk) for seed, chunk in (("1", "50"), ("1", "7"), ("2", "50"))]
    same = lambda a, b: [list(r.values()) for r in a] == [list(r.values()) for r in b]
    check("chunks change nothing, seeds do", same(drawn[0], drawn[1]) and not same(drawn[0], drawn[2]))
    check("draws are spread", len(drawn[0]) == 50 and 3 < min(r["v"] for r in drawn[0]) < 3.5 and 6.5 < max(r["v"] for r in drawn[0]) < 7 and 0.005 < np.std([r["z"] for r in drawn[0]]) < 0.015)
    run(str(program), "-o", str(folder / "all"), "--vary", "v=3..7:5")
    table = np.fromfile(folder / "all").reshape(5, 1 + 5 + 2)
    check("doubles row by row", list(table[:, 0]) == [3, 4, 5, 6, 7] and list(table[:, 6]) == [1] * 5)


ON_A_CURVE = """system curve
param c = 0.5, k = 1
coord x, y
kinetic (x'^2 + y'^2)/2
potential k*y
constraint rail: y = c*x^2
initial x = 1, x' = 0.5
simulate t = 0 .. 2
"""


def starts_that_are_solved(folder):
    """y = c x^2 at the start is found by solving, once: with another x or c a program would begin beside the rail."""
    (folder / "curve.ham").write_text(ON_A_CURVE)
    program = build(folder / "curve.ham", folder)
    check("the curve compiles", program)
    for wrong in ("x", "y", "c") if program else ():
        p = run(str(program), "--vary", f"{wrong}=1..2:3")
        check(f"{wrong} is not varied beside the rail", p.returncode == 2 and "usage" in p.stderr, p.returncode)
    for name, values in (("k", ("1", "2")), ("x'", ("0.5", "0.75"))) if program else ():
        found = rows(program, "--tolerance", "1e-10", "--vary", f"{name}={values[0]}..{values[1]}:2")
        for row, value in zip(found, values):
            usual = last_row(folder / "curve.ham", folder, "--tol", "1e-12", *(("--set", f"{name}={value}") if name == "k" else ("--at", f"{name}={value}")))
            check(f"{name} = {value} is varied", distance(finals(row), usual) < 1e-7, row, usual)
    for varied, good in (("x in {1, 2}", False), ("c in {1, 2}", False), ("k in {1, 2}", True), ("x' in {1, 2}", False)):
        (folder / "own.ham").write_text(ON_A_CURVE + f"sweep {varied}\ncollect e = final(x)\n")
        p = run(HAMEL, "codegen", str(folder / "own.ham"), "--target", "cuda", "-o", str(folder / "own"))
        check(f"sweep {varied}", p.returncode == 0 if good else p.returncode and "cannot begin runs from other values" in p.stderr, p.returncode, p.stderr)


def names_with_commas(folder):
    (folder / "indexed.ham").write_text("system indexed\ncoord q[1..2,1..2]\nkinetic q[1,1]'^2/2 + q[1,2]'^2/2 + q[2,1]'^2/2 + q[2,2]'^2/2\n"
                                        "event far[1,2]: q[1,2] - 2 up stop\ninitial q[1,2]' = 1\nsimulate t = 0 .. 1.5\n")
    program = build(folder / "indexed.ham", folder)
    found = rows(program, "--vary", "q[1,2]=0..1:2") if program else []
    good = [(r["q[1,2]"], r["ended"]) for r in found] == [(0, "end"), (1, "far[1,2]")]
    check("cells of CSV are quoted", good and all(abs(r["final(q[1,2])"] - end) < 1e-12 for r, end in zip(found, (1.5, 2))), found)


def compiled_by_nvcc(folder):
    if not shutil.which("nvcc"):
        return
    (folder / "swing.ham").write_text(PENDULUM)
    build(folder / "swing.ham", folder)
    p = run("nvcc", "-arch=sm_90", "-Werror", "all-warnings", "-ptx", str(folder / "project" / "swing.cu"), "-o", str(folder / "swing.ptx"))
    check("nvcc takes it", p.returncode == 0, p.stderr[:2000])


def main():
    with tempfile.TemporaryDirectory() as name:
        folders = (lambda root: lambda: pathlib.Path(tempfile.mkdtemp(dir=root)))(name)
        methods = ("tsit5", "dop853", "taylor")
        for number, (model, until, initial, parameters) in enumerate(LIBRARY + run_size([], MORE)):
            tried = run_size(methods[number % 3:number % 3 + 1], methods)
            compare(model, until, initial, parameters, tried, folders())
        for number in range(MOST_RANDOM):
            folder = folders()
            compare(random_model(folder, number), 1.5, {"a": [-0.25, 0.375]}, {"k": [0.75, 1.25]}, ("tsit5", "dop853"), folder)
        in_single("rolling_disc", 4, folders())
        far_angles(folders()), numbers(folders()), pendulum(folders()), thrown(folders()), options(folders()), starts_that_are_solved(folders()), names_with_commas(folders()), compiled_by_nvcc(folders())
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
