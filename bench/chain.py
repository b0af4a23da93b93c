#!/usr/bin/python3
"""How a chain grows with its length: the snake of N links, by processor time.

    chain.py RESULTS      derivation, all that is done before the first step, a step, and memory, from one length to the next

The exponents p of t ~ N^p are taken between the two longest chains; a step is the difference of two runs over that of their steps.
"""
import json
import math
import os
import sys

HAMEL = os.environ["HAMEL"]
LENGTHS = (12, 25, 50)
BOUNDS = {"derivation": 1.2, "start": 1.2, "step": 1.1, "memory": 1.0}
REPETITIONS = 3
SHORT, LONG = "0.02", "8"  # ends of the two runs


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


def least(*arguments):
    return min((spent(*arguments) for _ in range(REPETITIONS)), key=lambda run: run[0])


def measure(model, n):
    chain = [model, "--set", "N=%d" % n]
    derivation = least("derive", *chain, "--form", "maggi", "--format", "json")[0]
    short, memory, first = least("simulate", *chain, "--exec", "interpreted", "--method", "taylor", "--json", "--until", SHORT, "--every", SHORT)
    whole, _, second = least("simulate", *chain, "--exec", "interpreted", "--method", "taylor", "--json", "--until", LONG, "--every", LONG)
    steps = [json.loads(text[text.index('{"form"'):])["steps"] for text in (first, second)]
    step = (whole - short) / (steps[1] - steps[0])
    return {"derivation": derivation, "start": max(short - derivation - steps[0] * step, 1e-3), "step": max(step, 1e-7), "memory": memory}


def main(results):
    lines = ["# The snake of N links", "", "| what | exponent | bound | |", "|---|---|---|---|"]
    missed = 0
    found = {n: measure("snake", n) for n in LENGTHS}
    for n, m in found.items():
        print("N = %3d  derivation %.3f s  start %.3f s  step %.0f us  memory %.0f MB"
              % (n, m["derivation"], m["start"], 1e6 * m["step"], m["memory"]))
    a, b = LENGTHS[-2:]
    for what, bound in BOUNDS.items():
        p = math.log(found[b][what] / found[a][what]) / math.log(b / a)
        missed += p > bound
        print("bound: snake, exponent of %s: %.1f, at most %.1f: %s" % (what, p, bound, "MISSED" if p > bound else "holds"))
        lines.append("| %s | %.1f | %.1f | %s |" % (what, p, bound, "missed" if p > bound else "holds"))
    print("\n".join(lines))
    with open(os.path.join(results, "chain.md"), "w") as f:
        f.write("\n".join(lines) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
