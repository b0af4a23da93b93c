#!/usr/bin/python3
"""From the start of the program to the finished CSV: `hamel simulate`, with an empty cache and with one that holds the code; the least of several.
Before that, processor time of commands that do little, over that of C programs that do nothing: one that links the libraries which the program has
(what the loader takes for FLINT and those below it), and one that links the C library alone.

    start.py [RESULTS]      writes RESULTS/start.md; fails if a bound of the table does not hold
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

from _bounds import bound as judge

HAMEL = os.environ.get("HAMEL", "build/hamel")
REPETITIONS = 5
COLD, WARM = "empty", "holds the code"
# what is run, its arguments, the state of the cache, the bound in seconds (None: only shown)
CASES = [
    ("sleigh, t = 0..20", ["sleigh", "--until", "20"], COLD, 0.150),
    ("sleigh, t = 0..20", ["sleigh", "--until", "20"], WARM, 0.030),
    ("sleigh, t = 0..20", ["sleigh", "--until", "20", "--exec", "compiled"], COLD, 0.150),
    ("sleigh, t = 0..20", ["sleigh", "--until", "20", "--exec", "compiled"], WARM, 0.030),
    ("snake of 20 links, t = 0..10", ["snake", "--set", "N=20"], COLD, 1.0),
    ("snake of 20 links, t = 0..10", ["snake", "--set", "N=20"], WARM, 1.0),
    ("snake of 20 links, t = 0..10", ["snake", "--set", "N=20", "--exec", "compiled"], COLD, 2.0),
    ("snake of 50 links, t = 0..10", ["snake", "--set", "N=50"], COLD, None),
    ("snake of 50 links, t = 0..10", ["snake", "--set", "N=50", "--exec", "compiled"], COLD, None),
]
# a command that does little; the bound in processor time over an empty program with the same libraries, and in milliseconds, which
# FLINT's own loading alone is above
LITTLE = [(["--version"], 1.25, 2.0), (["derive", "sleigh"], 2.0, 4.0)]
ROUNDS = 40


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def empty_program(path, libraries):
    subprocess.run(["cc", "-O2", "-xc", "-", "-o", path, "-Wl,--no-as-needed", *("-l:" + name for name in libraries)], input=b"int main(void) { return 0; }",
                   check=True)
    return [path]


def little():
    """Rows of a table, and how many bounds do not hold."""
    told = subprocess.run(["readelf", "-d", HAMEL], capture_output=True, text=True, check=True).stdout
    libraries = [name for name in re.findall(r"NEEDED.*\[(.*)\]", told) if not name.startswith("ld-")]
    with tempfile.TemporaryDirectory() as scratch:
        bare, same = empty_program(os.path.join(scratch, "bare"), []), empty_program(os.path.join(scratch, "same"), libraries)
        commands = [bare, same] + [[HAMEL, *words] for words, *_ in LITTLE]
        least = [min(times) for times in zip(*([processor_time(c) for c in commands] for _ in range(ROUNDS)))]
    rows, failed = [], 0
    for (words, bound, most), seconds in zip(LITTLE, least[2:]):
        over, what = seconds / least[1], "hamel " + " ".join(words)
        holds = judge(what + ", over an empty program with its libraries", over, bound)
        failed += not holds
        failed += not judge(what + ", processor time", 1000 * seconds, most, "ms")
        print("%-30s %5.2f ms of processor time; nothing takes %.2f ms, with the same libraries %.2f ms: %.2f times  %s" % (
            "hamel " + " ".join(words), 1000 * seconds, 1000 * least[0], 1000 * least[1], over, "" if holds else "OVER %g" % bound))
        rows.append("| `hamel %s` | %.1f | %.2f | %g | %s |" % (" ".join(words), seconds / least[0], over, bound, "yes" if holds else "NO"))
    return rows, failed


def simulate(arguments, cache, output):
    """Seconds, and the summary."""
    start = time.perf_counter()
    command, environment = [HAMEL, "simulate", *arguments, "-o", output], dict(os.environ, XDG_CACHE_HOME=cache)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return time.perf_counter() - start, done.stdout


def measure(arguments, state):
    with tempfile.TemporaryDirectory() as scratch:
        output = os.path.join(scratch, "out.csv")
        filled = os.path.join(scratch, "filled")
        if state == WARM:
            simulate([*(a for a in arguments if a not in ("--exec", "compiled")), "--exec", "compiled"], filled, output)
        runs = [simulate(arguments, filled if state == WARM else os.path.join(scratch, str(i)), output) for i in range(REPETITIONS)]
    return min(r[0] for r in runs), runs[0][1]


def main():
    small, failed = little()
    small = ["| command | over an empty program | over one with the same libraries | bound | holds |", "|---|---|---|---|---|", *small]
    table = ["| run | options | cache | executed | rows | bound | holds |", "|---|---|---|---|---|---|---|"]
    for what, arguments, state, bound in CASES:
        seconds, summary = measure(arguments, state)
        how = summary.splitlines()[0].split(", ", 3)[-1]
        rows = re.search(r"rows (\d+)", summary).group(1)
        holds = bound is None or judge("simulate %s, cache %s" % (" ".join(arguments), state), seconds, bound, "s")
        failed += not holds
        asked = " ".join(a for a in arguments if a in ("--exec", "compiled")) or "-"
        print("%-30s %-16s %-15s %-28s %8.1f ms  %s" % (what, asked, state, how, 1000 * seconds, "" if holds else "OVER %.0f ms" % (1000 * bound)))
        limit, verdict = ("-", "-") if bound is None else ("%g s" % bound, "yes" if holds else "NO")
        table.append("| %s |" % " | ".join([what, asked, state, how, rows, limit, verdict]))
    if len(sys.argv) > 1:
        text = "# From the start to the finished CSV\n\n`bench/start.py`; seconds are only printed.\n\n" + "\n".join([*small, "", *table]) + "\n"
        pathlib.Path(sys.argv[1], "start.md").write_text(text)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
