#!/usr/bin/python3
"""How chains grow with their length, by processor time: the snake of N links, and the pendulum of N masses, which has no constraints.

    chain.py RESULTS      derivation, all that is done before the first step, a step, and memory, from one length to the next

The exponents p of t ~ N^p are taken between the two longest chains; a step is the difference of two runs over that of their steps. A snake of 1000 links
is derived, and begins to run.
"""
import json
import math
import os
import sys
import tempfile

HAMEL = os.environ["HAMEL"]
LENGTHS = (50, 100, 200)
BOUNDS = {"derivation": 1.2, "start": 1.2, "step": 1.1, "memory": 1.0}
LONGEST, SECONDS = 1000, 3
REPETITIONS = 3
PENDULUM = """
system pendulum_chain "Pendulum of N point masses"
const N = 10
param m = 1, l = 0.1, g = 9.81
coord theta[1..N]
for i in 1..N {
  point P[i]: mass m at (l*sum(j in 1..i, sin(theta[j])), -l*sum(j in 1..i, cos(theta[j])), 0)
  initial theta[i] = 1 + 0.1*sin(i), theta[i]' = 0
}
gravity (0, -g, 0)
"""
ENDS = {"snake": ("0.02", "40"), "pendulum": ("0.002", "1")}  # of the two runs


def spent(*arguments):
    """Processor seconds and peak memory in MB of one command, and its output."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv(HAMEL, [HAMEL, *arguments])
    os.close(writer)
    with os.fdopen(reader) as f:
        text = f.read()
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit("hamel %s: status %d" % (" ".join(arguments), status))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, text


def least(*arguments, repetitions=REPETITIONS):
    return min((spent(*arguments) for _ in range(repetitions)), key=lambda run: run[0])


def run_until(chain, end, repetitions=REPETITIONS):
    seconds, memory, text = least("simulate", *chain, "--exec", "interpreted", "--method", "dop853", "--tol", "1e-9", "--json", "--until", end, "--every", end,
                                  repetitions=repetitions)
    return seconds, memory, json.loads(text[text.index('{"form"'):])["steps"]


def measure(model, n, ends):
    chain = [model, "--set", "N=%d" % n]
    derivation = least("derive", *chain, "--form", "maggi", "--format", "json")[0]
    short, memory, few = run_until(chain, ends[0])
    whole, _, many = run_until(chain, ends[1])
    step = (whole - short) / (many - few)
    return {"derivation": derivation, "start": max(short - derivation - few * step, 1e-3), "step": max(step, 1e-7), "memory": memory}


def report(lines, what, figure, bound, form):
    missed = figure > bound
    print("bound: %s: %s, at most %s: %s" % (what, form % figure, form % bound, "MISSED" if missed else "holds"))
    lines.append("| %s | %s | %s | %s |" % (what, form % figure, form % bound, "missed" if missed else "holds"))
    return missed


def grow(lines, name, model):
    found = {n: measure(model, n, ENDS[name]) for n in LENGTHS}
    for n, m in found.items():
        print("%s, N = %3d  derivation %.3f s  start %.3f s  step %.0f us  memory %.0f MB"
              % (name, n, m["derivation"], m["start"], 1e6 * m["step"], m["memory"]))
    a, b = LENGTHS[-2:]
    return sum(report(lines, "%s, exponent of %s" % (name, what), math.log(found[b][what] / found[a][what]) / math.log(b / a), bound, "%.1f")
               for what, bound in BOUNDS.items())


def main(results):
    lines = ["# Chains of N links", "", "| what | figure | bound | |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        pendulum = os.path.join(folder, "pendulum.ham")
        with open(pendulum, "w") as f:
            f.write(PENDULUM)
        missed = grow(lines, "snake", "snake") + grow(lines, "pendulum", pendulum)
    chain = ["snake", "--set", "N=%d" % LONGEST]
    missed += report(lines, "snake of %d links, seconds of derivation" % LONGEST, least("derive", *chain, repetitions=1)[0], SECONDS, "%.1f")
    print("snake of %d links: made ready and run for a step in %.1f s" % (LONGEST, run_until(chain, "0.001", repetitions=1)[0]))
    print("\n".join(lines))
    with open(os.path.join(results, "chain.md"), "w") as f:
        f.write("\n".join(lines) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
