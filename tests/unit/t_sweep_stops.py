#!/usr/bin/env python3
"""Sweeps that are stopped: by Ctrl-C, by a limit of time or of memory, by a kill. What is finished is in a valid file, and --resume comes to
the bytes of the sweep nobody disturbed."""
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
RNG = random.Random(int((sys.argv[1:] or [3])[0]))
FOLDER = tempfile.mkdtemp()
RUNS = 6000
WORDS = ["sweep", "double_pendulum", "--vary", f"theta1=-1..1 count {RUNS}", "--collect", "e = final(theta1), m = max(theta2)", "--until", "4", "--tol", "1e-8"]


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def content(name):
    with open(os.path.join(FOLDER, name), "rb") as f:
        return f.read()


def rows_are_whole(name):
    """How many rows a file of finished chunks has; each has four cells, and stands in the undisturbed file."""
    lines = content(name).decode().splitlines()
    known = set(content("whole.csv").decode().splitlines())
    check(lines[0] == "theta1,e,m,ended" and all(line in known for line in lines), f"{name} has rows of the sweep only")
    return len(lines) - 1


def resumed(name, how):
    done = hamel(*WORDS, "-o", name, "--resume")
    check(done.returncode == 0, f"after {how}: {done.stderr}")
    check(content(name) == content("whole.csv"), f"after {how} the file is that of the sweep nobody disturbed")
    check(not os.path.exists(os.path.join(FOLDER, name + ".journal")), f"after {how} the journal is gone")


def stopped_by(number, name):
    """A sweep that a signal ends after some chunks were finished; one that was finished before the signal is run again."""
    journal = os.path.join(FOLDER, name + ".journal")
    for attempt in range(1, 100):
        process = subprocess.Popen([HAMEL, *WORDS, "-o", name], cwd=FOLDER, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) > 20000):
            time.sleep(0.002)
        time.sleep(RNG.uniform(0, 0.05 / attempt))
        process.send_signal(number)
        said = process.communicate()[1].decode()
        if process.returncode:
            return process.returncode, said
        os.remove(os.path.join(FOLDER, name))
    raise SystemExit(f"{name}: 99 sweeps were finished before the signal")


def ctrl_c():
    status, said = stopped_by(signal.SIGINT, "c.csv")
    check(status == 5 and "--resume goes on" in said, f"Ctrl-C: status {status}, {said}")
    check(0 < rows_are_whole("c.csv") < RUNS, "Ctrl-C leaves what is finished")
    resumed("c.csv", "Ctrl-C")


def kills():
    for i in range(3):
        status, _ = stopped_by(signal.SIGKILL, f"k{i}.csv")
        check(status == -signal.SIGKILL, f"killed: {status}")
        check(not os.path.exists(os.path.join(FOLDER, f"k{i}.csv")), "there is no file before the end")
        resumed(f"k{i}.csv", "a kill")


def limits():
    done = hamel(*WORDS, "-o", "t.csv", "--limit", "time=0.02")
    check(done.returncode == 6 and "limit reached" in done.stderr and "time (at most 0.02 s)" in done.stderr, f"a limit of time: {done.returncode}, {done.stderr}")
    resumed("t.csv", "a limit of time")
    for size in ("1", "300k", "1M", "3M", "8M"):
        done = hamel(*WORDS, "--limit", f"memory={size}")
        check(done.returncode == 6 and "memory" in done.stderr or done.returncode == 0 and len(done.stdout) == len(content("whole.csv")),
              f"a limit of {size} bytes: {done.returncode}, {done.stderr}")


def another_sweep_is_refused():
    stopped_by(signal.SIGINT, "a.csv")
    other = [w if w != "1e-8" else "1e-7" for w in WORDS]
    done = hamel(*other, "-o", "a.csv", "--resume")
    check(done.returncode != 0 and "tolerance" in done.stderr, f"the journal of another tolerance: {done.returncode}, {done.stderr}")


def runs_are_kept():
    done = hamel(*WORDS[:2], "--vary", "theta1=-1..0.5 count 4", *WORDS[4:], "-o", "kept.csv", "--keep", "2", "--every", "1")
    check(done.returncode == 0, f"--keep: {done.stderr}")
    rows = list(csv.DictReader(content("kept.csv").decode().splitlines()))
    for i in (0, 2):
        kept = list(csv.DictReader(content(f"kept-{i}.csv").decode().splitlines()))
        check(len(kept) == 5 and kept[0]["theta1"] == rows[i]["theta1"] and kept[-1]["theta1"] == rows[i]["e"], f"run {i} in full: {kept[-1]} of {rows[i]}")
    check(not os.path.exists(os.path.join(FOLDER, "kept-1.csv")), "others are not kept")


whole = hamel(*WORDS, "-o", "whole.csv")
check(whole.returncode == 0, whole.stderr)
ctrl_c()
kills()
limits()
another_sweep_is_refused()
runs_are_kept()
finish()
