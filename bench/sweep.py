#!/usr/bin/python3
"""Sweeps by the scalar engine: what threads gain, what a start costs beside its run, and the memory of ten million runs.

  bench/sweep.py BUILD [RUNS]      RUNS of the row about memory: 10^7, else as many

A machine that others use has no two free processors: where the processor time that two threads got is much less than twice the wall's,
the gain is that of processor time, which two threads must not take more of than one.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from _bounds import bound

BUILD = os.path.abspath(sys.argv[1])
HAMEL = os.path.join(BUILD, "hamel")
RUNS = int(float((sys.argv[2:] or ["1e7"])[0]))
FOLDER = tempfile.mkdtemp()


def measured(*words):
    """Seconds of the wall and of the processor, and the largest memory in MB, of a command."""
    begin = time.monotonic()
    process = subprocess.Popen([HAMEL, *words], cwd=FOLDER, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"hamel {' '.join(words)}: status {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def threads():
    words = ["sweep", "double_pendulum", "--vary", "theta1=-1..1 count 20000", "--collect", "e = final(theta1), top = max(theta2)", "--tol", "1e-9", "-o", "rows.csv"]
    best = {}
    for _ in range(3):
        for count in (1, 2):
            found = measured(*words, "--threads", str(count))
            best[count] = min(best.get(count, found), found, key=lambda f: f[0])
    share = best[2][1] / best[2][0]
    print(f"double pendulum, 20000 runs: {best[1][0]:.2f} s and {best[2][0]:.2f} s of the wall, {best[1][1]:.2f} s and {best[2][1]:.2f} s of the processor; "
          f"two threads had {share:.2f} processors")
    bound("processor time of two threads over one", best[2][1] / best[1][1], 1.03)
    if share > 1.9:
        bound("wall of one thread over two", best[1][0] / best[2][0], 1.9, at_least=True)
    else:
        print("the machine has no two free processors: the wall says nothing")


def instructions(function, *words):
    """Instructions inside of a function and in all, by callgrind."""
    file = os.path.join(FOLDER, "callgrind.out")
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", HAMEL, *words], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    lines = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", file], capture_output=True, text=True, check=True).stdout
    found = re.search(rf"([\d,]+) \([^)]*\)\s+\S*:{function} ", lines)
    return int(found[1].replace(",", "")) if found else 0


def starts():
    for name, vary in (("pendulum", "g=5..15 count 400"), ("pendulum", "x'=-0.5..0.5 count 400"), ("rolling_disc", "theta=0.25..0.5 count 400"),
                       ("double_pendulum", "theta1=-1..1 count 400")):
        words = ["sweep", name, "--vary", vary, "--collect", "e = final(" + {"pendulum": "x", "rolling_disc": "x"}.get(name, "theta1") + ")", "--tol", "1e-8", "--until", "10",
                 "--threads", "1"]
        subprocess.run([HAMEL, *words], cwd=FOLDER, check=True, capture_output=True)  # its code is in the cache
        start, run = instructions("sweep_start_find", *words), instructions("run_integrate", *words)
        bound(f"{name}, {vary.split('=')[0]}: instructions of starts over those of integrations", start / run, 0.05)


def memory():
    _, processor, megabytes = measured("sweep", "pendulum", "--vary", f"g=1..20 count {RUNS}", "--collect", "e = final(x)", "--until", "0.001", "--tol", "1e-6", "--method",
                                          "tsit5", "-o", "rows.csv", "--threads", "2")
    print(f"pendulum, {RUNS} runs of one step: {processor:.0f} s of the processor, {1e6 * processor / RUNS:.2f} microseconds a run")
    bound(f"memory of {RUNS} runs of the pendulum, MB", megabytes, 500)


threads()
starts()
memory()
