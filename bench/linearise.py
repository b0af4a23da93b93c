#!/usr/bin/python3
"""Whipple's bicycle from its text to the matrices around straight riding: processor time of the whole of `hamel linearise bicycle`, derivation, steady
motion, matrices and eigenvalues in 30 digits, least of five, against SymPy's own test of the same bicycle (test_kane3.py of sympy.physics.mechanics).

Of the test its own lines are run, read from the file that is installed: Kane's equations, their linearisation, the benchmark's numbers put in. Processor
time is taken of these alone, without the import of SymPy. What follows in the test, the inverse of the mass matrix and the comparison with stored
digits, is run behind that and is not in the time; what comes of it is said, since in Debian's 1.11.1 it fails: the matrices hold NaN once the numbers are in.
usage: linearise.py RESULTS-DIRECTORY"""
import json
import os
import resource
import subprocess
import sys

from _bounds import bound

HAMEL = os.environ.get("HAMEL", "build/hamel")
TIMES_FASTER = 300
# Debian's 1.11 imports a function where the test means the module of the same name.
PEER = """import inspect, json, sys, textwrap, time
import sympy
import sympy.physics.mechanics.tests.test_kane3 as test
words = inspect.getsource(test.test_bicycle)
words = words[words.index("    # Declare Coordinates"):]
begin, end = words.split('    # Finally, we construct an "A" matrix')
scope = {**vars(test), "evalf": sys.modules["sympy.core.evalf"]}
before = time.process_time()
exec(textwrap.dedent(begin), scope)
seconds = time.process_time() - before
numbers = not (scope["MM_full_s"].has(sympy.nan) or scope["forcing_lin_s"].has(sympy.nan))
try:
    exec(textwrap.dedent("    #" + end), scope)
    check = "passes"
except Exception as why:
    check = "fails: %s: %s" % (type(why).__name__, str(why).splitlines()[0] if str(why) else "")
print(json.dumps({"version": sympy.__version__, "seconds": seconds, "numbers": numbers, "check": check}))"""


def seconds(arguments):
    """Processor time of a program and what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peer():
    done = subprocess.run(["/usr/bin/python3", "-c", PEER], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    ours = min(seconds([HAMEL, "linearise", "bicycle", "--at", "x' = 5", "--json"]) for _ in range(5))
    split = min(seconds([HAMEL, "linearise", "bicycle", "--split", "x', g", "--json"]) for _ in range(5))
    theirs = peer()
    outcome = "Its comparison with stored digits, left out of the time, %s%s." % (
        theirs["check"].rstrip("."), "" if theirs["numbers"] else "; its matrices hold NaN once the numbers are put in")
    print("| the bicycle, linearised | processor seconds |\n|---|---|")
    print("| hamel linearise | %.3f |\n| with --split \"x', g\" | %.3f |\n| the lines of SymPy %s's test_bicycle | %.1f |" % (ours, split, theirs["version"], theirs["seconds"]))
    print(outcome)
    with open(os.path.join(sys.argv[1], "linearise.md"), "w") as out:
        out.write("# The bicycle, derived and linearised\nProcessor time of the lines of SymPy %s's own test, Kane's equations, their linearisation and numbers put in, over that of\n"
                  "the whole of hamel (bench/linearise.py). %s\n\n" % (theirs["version"], outcome))
        out.write("| hamel | times faster |\n|---|---|\n| `linearise bicycle` | %.0f |\n| `linearise bicycle --split \"x', g\"` | %.0f |\n" % (theirs["seconds"] / ours, theirs["seconds"] / split))
    return bound("bicycle, derived and linearised, against SymPy", theirs["seconds"] / ours, TIMES_FASTER, "times faster", at_least=True)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
