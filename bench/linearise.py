#!/usr/bin/python3
"""Whipple's bicycle from its text to the matrices around straight riding: processor time of the whole of `hamel linearise bicycle`, derivation, steady
motion, matrices and eigenvalues in 30 digits, least of five, against that of SymPy's own test of the same bicycle (test_kane3.py of
sympy.physics.mechanics: Kane's equations, linearised, the benchmark's numbers put in and compared), run once in a process of its own.
usage: linearise.py RESULTS-DIRECTORY"""
import os
import resource
import subprocess
import sys

from _bounds import bound

HAMEL = os.environ.get("HAMEL", "build/hamel")
TIMES_FASTER = 300
# Debian's 1.11 imports a function where the test means the module of the same name; and once all is derived, linearised and
# put in, the test ends in an inverse that is refused there. The time until then is taken.
PEER = """import sys
import sympy.physics.mechanics.tests.test_kane3 as test
from sympy.matrices.common import NonInvertibleMatrixError
test.evalf = sys.modules["sympy.core.evalf"]
try:
    test.test_bicycle()
except NonInvertibleMatrixError:
    pass"""


def seconds(arguments):
    """Processor time of a program and what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    ours = min(seconds([HAMEL, "linearise", "bicycle", "--at", "x' = 5", "--json"]) for _ in range(5))
    split = min(seconds([HAMEL, "linearise", "bicycle", "--split", "x', g", "--json"]) for _ in range(5))
    theirs = seconds(["/usr/bin/python3", "-c", PEER])
    print("| the bicycle, linearised | processor seconds |\n|---|---|")
    print("| hamel linearise | %.3f |\n| with --split \"x', g\" | %.3f |\n| SymPy's test_bicycle | %.1f |" % (ours, split, theirs))
    with open(os.path.join(sys.argv[1], "linearise.md"), "w") as out:
        out.write("# The bicycle, derived and linearised\nProcessor time of SymPy's own test over that of hamel (bench/linearise.py).\n\n")
        out.write("| hamel | times faster |\n|---|---|\n| `linearise bicycle` | %.0f |\n| `linearise bicycle --split \"x', g\"` | %.0f |\n" % (theirs / ours, theirs / split))
    return bound("bicycle, derived and linearised, against SymPy", theirs / ours, TIMES_FASTER, "times faster", at_least=True)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
