#!/usr/bin/python3
"""How long the system's compiler takes at -O2 for what `hamel simulate --exec compiled` gives it, by operations of the code.

    compile.py [RESULTS]                    writes RESULTS/compile.md; fails if 10,000 operations take more than 3 s of the processor
    compile.py --compiler LOG ARGUMENTS     cc, which notes what it compiled and how long it took
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from _bounds import bound

HAMEL = os.environ.get("HAMEL", "build/hamel")
BOUND, PER = 3.0, 10000
CHAIN = """system chain "Links that hang on each other"
const N = 20
coord x[1..N]
for i in 1..N {
  let at[i] = (sum(j in 1..i, sin(x[j])), -sum(j in 1..i, cos(x[j])), 0)
  point bob[i]: mass 1 at at[i]
  initial x[i] = i/10
}
potential -9*sum(i in 1..N, sum(j in 1..i, cos(x[j])))
simulate t = 0 .. 1
"""
CASES = [  # what, arguments
    ("rates, snake of 20 links", ["snake", "--set", "N=20", "--method", "dop853"]),
    ("rates, snake of 50 links", ["snake", "--set", "N=50", "--method", "dop853"]),
    ("rates, chain of 20 links", ["CHAIN", "--method", "dop853"]),
    ("Taylor series, snake of 4 links", ["snake", "--method", "taylor"]),
    ("Taylor series, snake of 20 links", ["snake", "--set", "N=20", "--method", "taylor"]),
    ("Taylor series, snake of 50 links", ["snake", "--set", "N=50", "--method", "taylor"]),
    ("Taylor series, chain of 20 links", ["CHAIN", "--method", "taylor"]),
]


def operations(source):
    """Arithmetic of straight code; the rows of the table where series run in loops."""
    if "_steps[] = {" in source:
        return source[source.index("_steps[] = {"):].split("};", 1)[0].count("},")
    return len(re.findall(r" [-+*/] |\b(?:sin|cos|sqrt)\(", source))


def compiler(log, arguments):
    done = subprocess.run(["cc", *arguments], check=False)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    source = next(pathlib.Path(a).read_text() for a in arguments if a.endswith(".c"))
    with open(log, "a") as f:
        print("taylor" if "int hamel_jet(" in source else "rates", operations(source), source.count("\n"), spent.ru_utime + spent.ru_stime, file=f)
    return done.returncode


def measure(arguments):
    """Of the series, or of the largest other thing that was compiled: operations, lines, seconds."""
    kind = "taylor" if "taylor" in arguments else "rates"
    with tempfile.TemporaryDirectory() as scratch:
        model, log = pathlib.Path(scratch, "chain.ham"), os.path.join(scratch, "log")
        model.write_text(CHAIN)
        command = [HAMEL, "simulate", *(str(model) if a == "CHAIN" else a for a in arguments), "--exec", "compiled", "-o", os.path.join(scratch, "out.csv")]
        cc = "%s %s --compiler %s" % (sys.executable, os.path.abspath(__file__), log)
        subprocess.run(command, env=dict(os.environ, CC=cc, XDG_CACHE_HOME=scratch), capture_output=True, check=True)
        runs = [line.split() for line in pathlib.Path(log).read_text().splitlines()]
    return max((int(n), int(lines), float(seconds)) for of, n, lines, seconds in runs if of == kind)


def main():
    table, failed = ["| what | operations | lines of C | at most %g s for %d operations |" % (BOUND, PER), "|---|---|---|---|"], 0
    for what, arguments in CASES:
        count, lines, seconds = measure(arguments)
        print("%-34s %6d operations %6d lines %6.2f s %6.2f s for %d" % (what, count, lines, seconds, seconds * PER / count, PER))
        holds = bound("compiling %s (%d operations)" % (what, count), seconds, BOUND * max(1, count / PER), "s")
        failed += not holds
        table.append("| %s | %d | %d | %s |" % (what, count, lines, "yes" if holds else "NO"))
    if len(sys.argv) > 1:
        text = "# Compiling\n\n`bench/compile.py`; seconds of the compiler at -O2 are only printed.\n\n" + "\n".join(table) + "\n"
        pathlib.Path(sys.argv[1], "compile.md").write_text(text)
    return failed != 0


if __name__ == "__main__":
    sys.exit(compiler(sys.argv[2], sys.argv[3:]) if sys.argv[1:2] == ["--compiler"] else main())
