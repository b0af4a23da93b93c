#!/usr/bin/python3
"""Taylor's method at a tolerance of 1e-15: what ships (a hamel_motion made ready once) against loops written by hand (hand_taylor.h, hand_lanes.h),
by time and by instructions, in one run.
usage: taylor.py BUILD-DIRECTORY RESULTS-DIRECTORY"""
import math
import os
import shutil
import subprocess
import sys
import tempfile

from _bounds import bound

PROGRAM, RESULTS = os.path.join(sys.argv[1], "bench", "taylor"), sys.argv[2]
BOUND, ROUNDS = 1.05, 9
PROBLEMS = ("pendulum", "sleigh", "rolling_disc", "double_pendulum")


def run(problem, side, times):
    words = subprocess.run([PROGRAM, problem, side, str(times)], capture_output=True, text=True, check=True).stdout.split()
    return int(words[0]), float(words[1]), [float(w) for w in words[2:]]


def instructions(problem, side):
    """Of one run more: what is done once cancels. None where valgrind does not know what the loops by hand were compiled for."""
    counts = []
    for times in (1, 4):
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out", PROGRAM, problem, side, str(times)],
                                  capture_output=True, text=True)
        if done.returncode:
            return None
        counts.append(int(next(line for line in done.stderr.splitlines() if "Collected" in line).split(":")[1]))
    return (counts[1] - counts[0]) / 3


def main():
    lines = ["# Taylor's method against loops written by hand", "",
             "Tolerance 1e-15; ratios shipped / by hand for a whole run: the least time of several, taken in turn, and instructions (valgrind).", "",
             "| problem | steps | time | instructions | largest difference at the end |", "|---|---|---|---|---|"]
    good = True
    for problem in PROBLEMS:
        best = {"hand": float("inf"), "shipped": float("inf")}
        for _ in range(ROUNDS):
            for side in best:
                steps, seconds, state = run(problem, side, 30)
                best[side] = min(best[side], seconds * steps)
                if side == "hand":
                    by_hand, hand_steps = state, steps
        gap = max(abs(math.remainder(a - b, 2 * math.pi)) / max(1, abs(a)) for a, b in zip(by_hand, state))  # of angles whole turns are taken off
        time = best["shipped"] / best["hand"]
        counts = [instructions(problem, side) for side in ("shipped", "hand")] if shutil.which("valgrind") else [None, None]
        count = counts[0] / counts[1] if all(counts) else None
        good &= bound(f"taylor at 1e-15 over loops by hand, {problem}: time", time, BOUND)
        lines.append(f"| {problem} | {steps}, {hand_steps} by hand | {time:.2f} | {'' if count is None else f'{count:.2f}'} | {gap:.1e} |")
        print(f"{problem}: {best['shipped'] / steps * 1e9:.0f} ns a step, {best['hand'] / hand_steps * 1e9:.0f} by hand")
    lines += ["", f"Bound: {BOUND} by time. The loops by hand look at nothing: no rows, no drift, no defect at the end of a step."]
    text = "\n".join(lines) + "\n"
    print(text)
    with open(os.path.join(RESULTS, "taylor.md"), "w", encoding="utf-8") as file:
        file.write(text)
    return 0 if good else 1


sys.exit(main())
