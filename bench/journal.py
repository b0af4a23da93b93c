#!/usr/bin/python3
"""What it costs that no row can be lost: processor time of runs that write many rows to a file, through the journal, against the same run that
writes its CSV to standard output, which goes nowhere else; the least of several, interleaved.

    journal.py [RESULTS]      writes RESULTS/journal.md; fails if a bound of the table does not hold
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from _bounds import bound as judge

HAMEL = os.environ.get("HAMEL", "build/hamel")
REPETITIONS = 5
NPZ_OVER_HDF5 = 2  # at most, in every row
# what is run; the bound for CSV in a file by way of the journal, over CSV to standard output (None: only shown)
RUNS = [
    ("12 library models as they ask to be run", [[name] for name in (
        "sleigh", "rolling_disc", "rattleback", "double_pendulum", "snake", "n_trailer", "chaplygin_ball", "knife_edge", "appell_hamel",
        "ball_on_turntable", "neumann", "gaponov_machine")], 1.02),
    ("sleigh, taylor, 200,001 rows: nothing but rows", [["sleigh", "--until", "2000", "--every", "0.01"]], None),
    ("double pendulum, dop853, 100,001 rows", [["double_pendulum", "--method", "dop853", "--until", "1000", "--every", "0.01"]], None),
    ("rattleback, taylor, 20,001 rows", [["rattleback", "--until", "200", "--every", "0.01"]], 1.02),
]


def seconds(arguments, output):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    target = subprocess.DEVNULL
    with open(output + ".stream", "wb") as stream:
        if output.endswith("-"):
            target = stream
        subprocess.run([HAMEL, "simulate", *arguments, "--exec", "compiled", "-o", "-" if output.endswith("-") else output], stdout=target,
                       stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    table, failed = ["| run | CSV, over standard output | bound | NPZ | HDF5 | holds |", "|---|---|---|---|---|---|"], 0
    with tempfile.TemporaryDirectory() as scratch:
        outputs = {kind: os.path.join(scratch, "out" + kind) for kind in ("-", ".csv", ".npz", ".h5")}
        for what, runs, bound in RUNS:
            times = [{kind: sum(seconds(run, output) for run in runs) for kind, output in outputs.items()} for _ in range(REPETITIONS)]
            least = {kind: min(t[kind] for t in times) for kind in outputs}
            ratio = {kind: least[kind] / least["-"] for kind in outputs}
            holds = (bound is None or ratio[".csv"] <= bound) and ratio[".npz"] <= NPZ_OVER_HDF5 * ratio[".h5"]
            failed += not holds
            if bound is not None:
                judge("rows by way of the journal over standard output, %s" % what, ratio[".csv"], bound)
            print("%-48s %6.2f s to standard output; over it: csv %.3f, npz %.3f, h5 %.3f  %s" % (
                what, least["-"], ratio[".csv"], ratio[".npz"], ratio[".h5"], "" if holds else "OVER %s or npz over %g times h5" % (bound, NPZ_OVER_HDF5)))
            limit, verdict = "-" if bound is None else "%g" % bound, "yes" if holds else "NO"
            table.append("| %s | %.2f | %s | %.2f | %.2f | %s |" % (what, ratio[".csv"], limit, ratio[".npz"], ratio[".h5"], verdict))
    if sys.argv[1:]:
        (pathlib.Path(sys.argv[1]) / "journal.md").write_text("\n".join(table) + "\n")
    return failed


sys.exit(main())
