#!/usr/bin/python3
"""The bicycle of the library upright at constant speed: its eigenvalues are those that Meijaard, Papadopoulos, Ruina and Schwab print for their benchmark
(Proc. R. Soc. A 463, 2007, table 2), which two groups computed independently. What is looked at is the Jacobian of the generated code."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile

HAMEL = os.environ["HAMEL"]
PRINTED = {"0": (3.13164324790656, -3.13164324790656, 5.53094371765393, -5.53094371765393),
           "5": (-0.77534188219585 + 4.46486771378823j, -0.77534188219585 - 4.46486771378823j, -0.32286642900409, -14.07838969279822)}
CLOSE = 1e-11  # of values below 15 in double, printed with 14 decimals
passed = failed = 0


def check(good, words):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("FAIL " + words)


def jacobian(speed, scratch):
    folder = os.path.join(scratch, "c" + speed)
    subprocess.run([HAMEL, "codegen", "bicycle", "-o", folder, "--at", "phi'=0, delta'=0, tR'=%s/0.3" % speed], check=True, stdout=subprocess.DEVNULL)
    header = open(os.path.join(folder, "bicycle.h")).read()
    sizes = [int(n) for n in re.findall(r"double [pc]\[(\d+)\]", header)]
    n = int(re.search(r"bicycle_state_count = (\d+)", header).group(1))
    library = os.path.join(folder, "bicycle.so")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, os.path.join(folder, "bicycle.c"), "-lm"], check=True)
    code, system, out = ctypes.CDLL(library), (ctypes.c_double * sum(sizes))(), (ctypes.c_double * (n * n))()
    code.bicycle_defaults(system)
    code.bicycle_jacobian(system, ctypes.c_double(0), (ctypes.c_double * n).in_dll(code, "bicycle_initial_state"), out)
    return [list(out[i * n:(i + 1) * n]) for i in range(n)]


def determinant(matrix, shift):
    """det(matrix - shift), by elimination with pivots."""
    a = [[v - (shift if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(matrix)]
    result = 1
    for k in range(len(a)):
        pivot = max(range(k, len(a)), key=lambda i: abs(a[i][k]))
        if pivot != k:
            a[k], a[pivot], result = a[pivot], a[k], -result
        result *= a[k][k]
        for i in range(k + 1, len(a)):
            factor = a[i][k] / a[k][k] if a[k][k] else 0
            a[i] = [u - factor * v for u, v in zip(a[i], a[k])]
    return result


def distance(matrix, value):
    """About how far the value is from an eigenvalue: a step of Newton's method with a difference for the slope."""
    h = 1e-5
    slope = (determinant(matrix, value + h) - determinant(matrix, value - h)) / (2 * h)
    return abs(determinant(matrix, value) / slope)


with tempfile.TemporaryDirectory() as scratch:
    for speed, values in PRINTED.items():
        matrix = jacobian(speed, scratch)
        for value in values:
            check(distance(matrix, value) < CLOSE * abs(value), "speed %s: %s is off by %g" % (speed, value, distance(matrix, value)))
            check(distance(matrix, value + 1e-9) > CLOSE * abs(value), "speed %s: %s + 1e-9 is not noticed" % (speed, value))
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
