#!/usr/bin/python3
"""What it costs to spread a sweep over ranks of an MPI job instead of threads: the same sweep by two threads and by two ranks, interleaved. The
processor's time does not depend on other programs much; the time on the clock does, and counts where the machine is quiet. What MPI and the
second reading of the model take before the first run, as a sweep of two runs shows it, is listed apart.

    mpi.py BUILD [RUNS]      fails if a bound does not hold
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from _bounds import bound

REPETITIONS = 5
MODEL = """system pendulum
param g = 9.81
coord th
kinetic th'^2/2
potential g*(1 - cos(th))
initial th = 1
simulate t = 0 .. 20, tol = 1e-10, method = dop853
collect top = max(th), last = final(th)
"""


def measure(command, folder):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - begin


def main():
    build = os.path.abspath(sys.argv[1] if sys.argv[1:] else "build")
    runs = int(sys.argv[2]) if sys.argv[2:] else 400_000
    if not shutil.which("mpirun") or not os.path.exists(build + "/hamel-mpi"):
        print("mpi: hamel-mpi is not built, or there is no mpirun: nothing to compare")
        return 0
    ranks = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", "2", build + "/hamel-mpi"]
    ways = {"threads": [build + "/hamel"], "ranks": ranks}
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/m.ham", "w") as f:
            f.write(MODEL)

        def sweep(way, count, file):
            threads = ["--threads", "2"] if way == "threads" else []
            return measure([*ways[way], "sweep", "m.ham", "--vary", f"th=0..3 count {count}", *threads, "-o", file], folder)

        for way in ways:
            sweep(way, 2, "warm.csv")  # its code is in the cache from here on
        idle = {way: [min(t) for t in zip(*[sweep(way, 2, f"{way}.csv") for _ in range(3)])] for way in ways}
        times = {way: [] for way in ways}
        for _ in range(REPETITIONS):
            for way in ways:
                times[way].append(sweep(way, runs, f"{way}.csv"))
        with open(folder + "/threads.csv", "rb") as a, open(folder + "/ranks.csv", "rb") as b:
            assert a.read() == b.read(), "ranks and threads give other bytes"
    good = True
    for k, what in [(0, "processor's time"), (1, "time on the clock")]:
        least = {way: min(t[k] for t in times[way]) for way in ways}
        for way in ways:
            print(f"{what}, {way}: {least[way]:.2f} to {max(t[k] for t in times[way]):.2f} s; of two runs {idle[way][k]:.2f} s")
        net = {way: least[way] - idle[way][k] for way in ways}
        good = bound(f"two ranks over two threads, {what} behind the start", net["ranks"] / net["threads"], 1.05) and good
    return not good


sys.exit(main())
