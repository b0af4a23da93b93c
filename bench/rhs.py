#!/usr/bin/python3
"""The generated right-hand side against one written by hand (bench/rhs/hand.c), by instructions (callgrind) and by time, in one run.

    rhs.py [--results DIRECTORY] [MODEL...]      writes DIRECTORY/rhs.md; fails where a ratio is above the bound or the two disagree

Instructions are those of the function and of libm below it. Times are processor time, the least of several interleaved runs, with the loop around the call.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import _peer
from _bounds import bound

HERE = pathlib.Path(__file__).resolve().parent
MODELS = ("sleigh", "rolling_disc", "t15_3_1_pendulum_on_skate", "rattleback", "snake")
BOUND = 1.15
FLAGS = ("-std=c99", "-O2")
CALLS, ROUNDS = 400000, 40


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def build(model, folder):
    status, _, errors = _peer.hamel("codegen", model, "-o", str(folder))
    if status:
        raise SystemExit(errors)
    driver = folder / "driver"
    run("gcc", *FLAGS, "-I", HERE / "rhs", "-I", folder, "-DMODEL=%s" % model, '-DHEADER="%s.h"' % model, "-o", driver, HERE / "rhs/driver.c", HERE / "rhs/hand.c",
        folder / (model + ".c"), "-lm")
    return driver


def instructions(driver, which, model):
    """Per call, without the loop around it."""
    calls = 1000
    out = driver.parent / "callgrind.out"
    function = "hand_%s" % model if which == "hand" else "%s_rate" % model
    run("valgrind", "--tool=callgrind", "--callgrind-out-file=%s" % out, "--toggle-collect=%s" % function, driver, which, calls)
    total = int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))
    return total / calls


def seconds(driver, which):
    """Of the processor, so that other processes on the machine count for little."""
    command = [str(driver), which, str(CALLS)]
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    _, status, used = os.wait4(os.posix_spawn(command[0], command, os.environ, file_actions=quiet), 0)
    if status:
        raise SystemExit("%s failed" % " ".join(command))
    return used.ru_utime + used.ru_stime


def compare(model):
    with tempfile.TemporaryDirectory() as scratch:
        driver = build(model, pathlib.Path(scratch) / "made")
        difference = run(driver, "compare", 0).strip()
        counts = {which: instructions(driver, which, model) for which in ("hand", "generated")}
        times = {"hand": [], "generated": []}
        for _ in range(ROUNDS):
            for which in times:
                times[which].append(seconds(driver, which))
        return difference, counts, {which: min(t) / CALLS * 1e9 for which, t in times.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--results", type=pathlib.Path)
    options.add_argument("models", nargs="*", default=MODELS)
    o = options.parse_args()
    lines = ["| model | instructions by hand | generated | generated/hand | time, generated/hand |", "|---|--:|--:|--:|--:|"]
    holds = True
    for model in o.models:
        difference, counts, times = compare(model)
        ratios = counts["generated"] / counts["hand"], times["generated"] / times["hand"]
        holds &= bound("generated rate over one by hand, %s: instructions" % model, ratios[0], BOUND)
        holds &= bound("generated rate over one by hand, %s: time" % model, ratios[1], BOUND)
        lines.append("| %s | %.0f | %.0f | %.2f | %.2f |" % (model, counts["hand"], counts["generated"], *ratios))
        print("%s %.0f ns by hand, %.0f ns generated; the results differ by %s" % (lines[-1], times["hand"], times["generated"], difference), flush=True)
    text = "\n".join(lines) + "\n"
    if o.results:
        (o.results / "rhs.md").write_text(text)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
