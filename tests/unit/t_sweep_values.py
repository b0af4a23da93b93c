"""The values of runs of a sweep (src/sweep/values.h), compiled alone as text, as a device gets it.

The other routes: mpmath in 50 digits and SciPy for the quantiles of the normal distribution and the logarithm, SciPy's Kolmogorov and Smirnov for what
is drawn, a table of Python's integers for Philox; and the same bits from two compilers at several levels of optimisation.
"""
import ctypes
import itertools
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

import mpmath
import numpy as np
from scipy import special, stats

from _checks import check, finish

HEADER = pathlib.Path(__file__).resolve().parents[2] / "src" / "sweep" / "values.h"
FOLDER = tempfile.mkdtemp()
RNG = random.Random(19)
SOURCE = """#define HAMEL_VALUES
#include "values.h"
uint64_t philox(const uint32_t *c, const uint32_t *k) { uint32_t o[4]; sweep_philox(c, k, o); return o[0] ^ (uint64_t)o[3] << 32; }
void normals(const double *u, long n, double *x) { for (long i = 0; i < n; i++) x[i] = sweep_normal(u[i]); }
void logs(const double *u, long n, double *x) { for (long i = 0; i < n; i++) x[i] = sweep_log(u[i]); }
void draw(uint32_t kind, double a, double b, uint32_t seed, long n, double *x) {
    const sweep_axis axis = {.kind = kind, .target_count = 1, .first = a, .second = b, .offset = 3};
    const sweep_layout p = {.axis_count = 1, .value_count = 1, .drawn_count = 4, .how = DRAW_RANDOM, .runs = n, .samples = n, .key = {seed, 0}, .axis = &axis};
    for (long i = 0; i < n; i++) sweep_values(&p, i, &x[i]);
}
"""


def library(number, *flags):
    path = os.path.join(FOLDER, f"values{number}.so")
    subprocess.run([*flags, "-std=c11", "-ffp-contract=off", "-shared", "-fPIC", "-o", path, os.path.join(FOLDER, "values.c"), "-lm"], check=True)
    lib = ctypes.CDLL(path)
    lib.philox.restype = ctypes.c_uint64
    return lib


def doubles(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def mapped(lib, name, u):
    x = np.empty_like(u)
    getattr(lib, name)(doubles(u), ctypes.c_long(len(u)), doubles(x))
    return x


def drawn(lib, kind, a, b, seed, n):
    x = np.empty(n)
    lib.draw(ctypes.c_uint32(kind), ctypes.c_double(a), ctypes.c_double(b), ctypes.c_uint32(seed), ctypes.c_long(n), doubles(x))
    return x


def philox(counter, key):
    """Ten rounds in whole numbers, from the paper."""
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & 0xFFFFFFFF, p >> 32 ^ c[3] ^ k[1], p & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0] ^ c[3] << 32


def philox_is_the_generator_of_the_paper(lib):
    words = ctypes.c_uint32 * 4
    for _ in range(2000):
        counter, key = [RNG.getrandbits(32) for _ in range(4)], [RNG.getrandbits(32) for _ in range(2)]
        got = lib.philox(words(*counter), (ctypes.c_uint32 * 2)(*key))
        if got != philox(counter, key):
            check(False, f"philox of {counter}, {key}")
    check(True, "philox")


def quantiles_are_right_to_rounding(lib):
    mpmath.mp.dps = 50
    ends = [0.5 * 2.0 ** -52, 1.5 * 2.0 ** -52, 0.075, 0.0750000001, 0.5, 0.925, 1 - 2.0 ** -53]
    u = np.array(ends + [RNG.random() ** RNG.choice([1, 4, 12]) for _ in range(600)])
    u = u[u > 0]
    worst = {"normals": 0, "logs": 0}
    x, log = mapped(lib, "normals", u), mapped(lib, "logs", u)
    for ui, xi, li in zip(u, x, log):
        exact = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(float(ui)) - 1)
        if ui != 0.5:
            worst["normals"] = max(worst["normals"], float(abs(xi - exact) / abs(exact)))
        if ui < 0.5:
            worst["logs"] = max(worst["logs"], float(abs(li / mpmath.log(mpmath.mpf(float(ui))) - 1)))
    check(worst["normals"] < 1e-15, f"quantiles against mpmath: {worst['normals']:.1e}")
    check(worst["logs"] < 4e-16, f"logarithms against mpmath: {worst['logs']:.1e}")
    many = np.array([RNG.random() for _ in range(100000)])
    error = np.max(np.abs(mapped(lib, "normals", many) - special.ndtri(many)))
    check(error < 4e-15, f"quantiles against SciPy: {error:.1e}")


def draws_have_their_distributions(lib):
    n = 100000
    for seed in range(3):
        for kind, a, b, law in ((2, -3.0, 5.0, stats.uniform(-3, 8)), (3, 1.5, 0.25, stats.norm(1.5, 0.25))):
            x = drawn(lib, kind, a, b, seed, n)
            p = stats.kstest(x, law.cdf).pvalue
            check(p > 1e-5, f"Kolmogorov and Smirnov, kind {kind}, seed {seed}: p = {p:.2g}")
            lag = abs(np.corrcoef(x[:-1], x[1:])[0, 1])
            check(lag < 5 / np.sqrt(n), f"neighbours are not correlated: {lag:.2g}")
    first, second = drawn(lib, 2, 0, 1, 1, n), drawn(lib, 2, 0, 1, 2, n)
    check(abs(np.corrcoef(first, second)[0, 1]) < 5 / np.sqrt(n), "seeds are not correlated")


def every_compiler_makes_the_same_bits(first):
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    u = np.array([RNG.random() for _ in range(20000)])
    want = [mapped(first, "normals", u), drawn(first, 3, 1, 2, 7, 20000)]
    for number, (compiler, level) in enumerate(itertools.product(compilers, ("-O0", "-O3", "-O2 -mavx2 -mfma"))):
        lib = library(10 + number, compiler, *level.split())
        got = [mapped(lib, "normals", u), drawn(lib, 3, 1, 2, 7, 20000)]
        check(all(np.array_equal(a, b) for a, b in zip(want, got)), f"{compiler} {level}")


def main():
    shutil.copy(HEADER, FOLDER)
    pathlib.Path(FOLDER, "values.c").write_text(SOURCE)
    lib = library(0, "cc", "-O2")
    philox_is_the_generator_of_the_paper(lib)
    quantiles_are_right_to_rounding(lib)
    draws_have_their_distributions(lib)
    every_compiler_makes_the_same_bits(lib)
    shutil.rmtree(FOLDER)
    finish()


main()
