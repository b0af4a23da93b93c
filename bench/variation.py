#!/usr/bin/python3
"""What the variational equations cost beside the motion: `hamel sensitivity` against `hamel simulate` by Taylor's method, the same run.
Processor time of whole commands less that of a run of no length, the least of several, for interpreted and compiled code; n is the number of columns.
usage: variation.py RESULTS-DIRECTORY"""
import json
import os
import resource
import subprocess
import sys

from _bounds import bound

HAMEL, RESULTS = os.environ["HAMEL"], sys.argv[1]
BOUND, ROUNDS = 1.2, 5
RUNS = {"pendulum": 4000, "sleigh": 4000000, "double_pendulum": 500, "rolling_disc": 5000, "bicycle": 3000}


def seconds(*words):
    """Processor time of a command, the least of several, and its result."""
    least = float("inf")
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([HAMEL, *words, "--json"], capture_output=True, text=True, check=True)
        least = min(least, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return least, json.loads(done.stdout)


def cost(command, model, until, how, *more):
    """Of the run itself"""
    start, _ = seconds(command, model, "--until", "0.01", "--exec", how, *more)
    whole, result = seconds(command, model, "--until", str(until), "--exec", how, *more)
    return whole - start, result


def main():
    lines = ["# Variational equations beside the motion", "", "Processor time over (n + 1) times that of the plain run, n columns.", "",
             "| model | n | steps, plain | interpreted | compiled |", "|---|---|---|---|---|"]
    good = True
    for model, until in RUNS.items():
        ratio = {}
        for how in ("interpreted", "compiled"):
            plain, run = cost("simulate", model, until, how, "--method", "taylor", "--every", str(until))
            all_of_it, found = cost("sensitivity", model, until, how, "--method", "taylor")
            n = len(found["by"])
            ratio[how] = all_of_it / plain / (n + 1)
            good &= bound(f"variational equations over (n + 1) plain runs, {model}, {how}", ratio[how], BOUND)
        lines.append(f"| {model} | {n} | {found['steps']}, {run['steps']} | {ratio['interpreted']:.2f} | {ratio['compiled']:.2f} |")
    lines += ["", f"Bound: {BOUND}. Code is made for z and the entries of df/dz and df/dv, products with columns are loops over four at once."]
    text = "\n".join(lines) + "\n"
    print(text)
    with open(os.path.join(RESULTS, "variation.md"), "w", encoding="utf-8") as file:
        file.write(text)
    return 0 if good else 1


sys.exit(main())
