#!/usr/bin/env python3
"""Files and journals of sweeps by readers of others: .h5 by h5py, .csv by Python's csv, the journal by struct. All hold the same numbers, those of
runs by `simulate`, and say what they are of; equal sweeps make equal bytes whatever their threads, and end as they should on disks that are full,
folders that cannot be written, and names that are taken."""
import csv
import math
import os
import random
import shutil
import signal
import struct
import subprocess
import time

import h5py
import numpy as np

from _checks import check, finish
from _sweeps import COUNTS, HAMEL, MODEL, RUNS, SWEEP, content, new_folder, pieces, run

RNG = random.Random(7)


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=True)


def table(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    columns = list(zip(*rows[1:]))
    return {name: list(map(float, values)) if name != "ended" else list(values) for name, values in zip(rows[0], columns)}


def a_file_of_one_format_holds_what_one_of_the_other_holds(folder):
    for name in ["x.csv", "x.h5"]:
        assert run(folder, [*SWEEP, "--threads", "2", "-o", name]).returncode == 0
    rows = table(os.path.join(folder, "x.csv"))
    with h5py.File(os.path.join(folder, "x.h5")) as f:
        check(list(f["varied"].attrs["columns"]) == ["th", "g"] and f["varied/g"].attrs["kind"] == "parameter", "what is varied has its names")
        check(list(rows) == [*f["varied"].attrs["columns"], *f["collected"].attrs["columns"], "ended"], "columns are in one order")
        for group in ["varied", "collected"]:
            for name in f[group].attrs["columns"]:
                check(same(f[group][name][:], rows[name]) and f[group][name].chunks, f"{group}/{name}")
        words = f["ended"].attrs["words"]
        check([words[k] for k in f["ended"][:]] == rows["ended"], "how runs ended")
        check(same(f["run"][:], range(RUNS)) and same(f["end"][:], [60] * RUNS), "numbers and ends of runs")
        attributes = dict(f.attrs)
        check(attributes["model"] == MODEL and attributes["runs"] == attributes["rows"] == RUNS and attributes["outcome"] == "finished", f"{attributes}")
        check(f["settings"].attrs["method"] == "dop853" and float(f["settings"].attrs["tolerance"]) == 1e-9, "settings")
    grid = [(a, g) for a in np.linspace(0, 3, COUNTS[0]) for g in np.linspace(5, 15, COUNTS[1])]
    check(np.allclose(list(zip(rows["th"], rows["g"])), grid, rtol=1e-15, atol=0), "values are those of the grid, the last fastest")
    return rows


def runs_are_those_of_simulate(folder, rows):
    for i in RNG.sample(range(RUNS), 4):
        done = run(folder, ["simulate", "m.ham", "--exec", "interpreted", "--set", f"g={rows['g'][i]!r}", "--at", f"th={rows['th'][i]!r}", "-o", "one.csv"])
        assert done.returncode == 0, done.stderr
        last = table(os.path.join(folder, "one.csv"))["th"][-1]
        check(last == rows["last"][i], f"run {i} ends at {rows['last'][i]!r}, by simulate at {last!r}")


def a_journal_holds_the_numbers_of_the_file(folder, rows):
    job = subprocess.Popen([HAMEL, *SWEEP, "--threads", "1", "-o", "y.csv"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = os.path.join(folder, "y.csv.journal")
    while job.poll() is None and (not os.path.exists(journal) or os.path.getsize(journal) < 10_000):
        time.sleep(0.002)
    job.send_signal(signal.SIGKILL)
    job.wait()
    if not os.path.exists(journal):  # it was faster
        return
    with open(journal, "rb") as f:
        (_, head, _), *chunks = [p for p in pieces(f.read()) if p[2]]
    each, runs, varied, collected = struct.unpack("<QQII", head[:24])
    check((runs, varied, collected) == (RUNS, 2, 4), "the head of the journal")
    names = list(rows)[2:6]
    for _, content_, _ in chunks:
        first = each * struct.unpack("<Q", content_[:8])[0]
        count = min(each, runs - first)
        numbers = np.frombuffer(content_, "<f8", count * collected, 8).reshape(count, collected)
        for k, name in enumerate(names):
            check(same(numbers[:, k], rows[name][first:first + count]), f"{name} of runs from {first} on")
    os.remove(journal)


def threads_do_not_show(folder):
    for threads in ["1", "3"]:
        for name in ["z.csv", "z.h5"]:
            assert run(folder, [*SWEEP, "--threads", threads, "-o", name]).returncode == 0
            check(content(folder, name) == content(folder, "x" + name[1:]), f"{threads} threads write another {name}")


def what_cannot_be_written_is_said(folder):
    os.mkdir(os.path.join(folder, "d.csv"))
    with open(os.path.join(folder, "o.csv.journal"), "w") as f:
        f.write("somebody else's")
    cases = [("none/x.csv", 5, "No such file"), ("d.csv", 5, "no regular file"), ("o.csv", 5, "is no journal of a sweep"), ("x.npz", 1, "in which format"),
             ("/proc/x.csv", 5, "/proc/x.csv"), ("/dev/full.csv", 5, "/dev/full.csv") if os.geteuid() else ("/proc/1/x.h5", 5, "/proc/1/x.h5")]
    for name, status, words in cases:
        done = run(folder, [*SWEEP, "-o", name])
        check(done.returncode == status and words in done.stderr.decode(), f"-o {name}: {done.returncode}, {done.stderr!r}")
    check(content(folder, "o.csv.journal") == b"somebody else's" and content(folder, "o.csv") is None, "it is changed")
    plain = run(folder, ["simulate", "m.ham", "-o", "x.h5", "--resume", "x.h5"])  # a file of a sweep is no run to go on with
    check(plain.returncode not in (0, 139) and plain.stderr, f"{plain.returncode}, {plain.stderr!r}")


FOLDER = new_folder()
ROWS = a_file_of_one_format_holds_what_one_of_the_other_holds(FOLDER)
runs_are_those_of_simulate(FOLDER, ROWS)
a_journal_holds_the_numbers_of_the_file(FOLDER, ROWS)
threads_do_not_show(FOLDER)
what_cannot_be_written_is_said(FOLDER)
shutil.rmtree(FOLDER)
check(not math.isnan(ROWS["last"][0]), "there are numbers")
finish()
