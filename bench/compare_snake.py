#!/usr/bin/python3
"""The snake: hamel against SymPy, and growth with the number of links.

    compare_snake.py DERIVE_SNAKE [RESULTS]      writes RESULTS/snake.md; fails if a bound does not hold
"""
import math
import pathlib
import re
import shutil
import subprocess
import sys

from _bounds import bound as judge

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # the one that sees Debian's SymPy
PEER_LINKS = (2, 4, 6, 8)
PEER_LIMIT = 600  # seconds SymPy is given for one N, twice
GROWTH = (8, 64)
FORMS = ("multipliers", "maggi")
STAGES = ("residuals", "affine")
RATIO_BOUND = 300
EXPONENT_BOUND = 2.5


def peer_seconds(links):
    """SymPy's seconds, and whether that is only a lower bound."""
    try:
        done = subprocess.run([PYTHON, HERE / "snake.py", str(links), "2"], capture_output=True, text=True, timeout=PEER_LIMIT, check=True)
        return float(done.stdout.split()[1]), False
    except subprocess.TimeoutExpired:
        return PEER_LIMIT / 2, True


def hamel_seconds(program, form, stage, links, repetitions=7):
    """Seconds in all, seconds of the derivation alone, nodes."""
    words = [program, form, stage, str(links), str(repetitions)]
    answer = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return float(answer[1]), float(answer[2]), int(answer[3])


def instructions(program, form, stage, links):
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, form, stage, str(links), "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def exponent(small, large):
    return math.log(large / small) / math.log(GROWTH[1] / GROWTH[0])


def two_digits(value):
    return "%d" % round(value, 1 - int(math.floor(math.log10(value)))) if value >= 10 else "%.2g" % value


def against_sympy(program, say):
    say("| links | SymPy/hamel, text to matrix and right-hand side | SymPy/hamel, derivation alone |")
    say("|--:|--:|--:|")
    last = 0
    for links in PEER_LINKS:
        theirs, bound = peer_seconds(links)
        whole, alone, _ = hamel_seconds(program, "multipliers", "affine", links)
        print("  N = %d: SymPy %.2f s, hamel %.2f ms in all, %.2f ms the derivation" % (links, theirs, 1e3 * whole, 1e3 * alone))
        more = "over " if bound else ""
        say("| %d | %s%s | %s%s |" % (links, more, two_digits(theirs / whole), more, two_digits(theirs / alone)))
        last = theirs / whole
    return judge("derivation of a snake of %d links, SymPy over hamel" % PEER_LINKS[-1], last, RATIO_BOUND, at_least=True)


def growth(program, say):
    say("| form, up to | nodes N = %d | nodes N = %d | exponent, instructions in all | derivation alone |" % GROWTH)
    say("|---|--:|--:|--:|--:|")
    valgrind = shutil.which("valgrind")
    holds = True
    for form in FORMS:
        model = [instructions(program, form, "model", n) for n in GROWTH] if valgrind else None
        for stage in STAGES:
            timed = [hamel_seconds(program, form, stage, n) for n in GROWTH]
            by_time = [exponent(timed[0][i], timed[1][i]) for i in (0, 1)]
            counted = by_time
            if valgrind:
                count = [instructions(program, form, stage, n) for n in GROWTH]
                counted = [exponent(*count), exponent(count[0] - model[0], count[1] - model[1])]
                print("  %s, %s: %.1f and %.1f million instructions" % (form, stage, count[0] / 1e6, count[1] / 1e6))
            print("  %s, %s: by time %.2f in all, %.2f the derivation alone; N = %d takes %.1f ms" % (form, stage, *by_time, GROWTH[1], 1e3 * timed[1][0]))
            say("| %s, %s | %d | %d | %.1f | %.1f |" % (form, stage, timed[0][2], timed[1][2], *counted))
            holds &= judge("growth of %s up to %s, exponent" % (form, stage), max(counted), EXPONENT_BOUND)
    return holds


def main():
    lines = []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    program = sys.argv[1]
    fast = against_sympy(program, say)
    say("")
    slow_growth = growth(program, say)
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2], "snake.md").write_text("\n".join(lines) + "\n")
    if not fast:
        print("NOT %dx faster than SymPy" % RATIO_BOUND)
    if not slow_growth:
        print("grows FASTER than N^%g" % EXPONENT_BOUND)
    return 0 if fast and slow_growth else 1


if __name__ == "__main__":
    sys.exit(main())
