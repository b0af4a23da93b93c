#!/usr/bin/env python3
"""hamel-mpi: over any number of ranks the bytes of one process; a rank that is killed ends the job, and --resume goes on."""
import os
import random
import re
import shutil
import signal
import subprocess
import time

from _checks import check, counted, finish, in_time, run_cases, run_seed
from _sweeps import PATIENCE, RUNS, SWEEP, Whole, content, new_folder, resumed, run, runs_in

SEED, COUNT = run_seed(19), run_cases(3, 50)
RNG = random.Random(SEED)
MPI = os.environ.get("HAMEL_MPI", "")
WHOLE = Whole(["csv", "h5"])
# more ranks than processors, as root, and none of them bound to one that the machine has not got
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]


def over(ranks, *options):
    return [*MPIRUN, "-n", str(ranks), MPI, *options]


def words(target, *more):
    return [*SWEEP, "-o", target, *more]


def ranks_give_the_bytes_of_one_process():
    for ranks, threads, target in [(1, 1, "x.csv"), (2, 1, "x.h5"), (3, 1, "x.csv"), (2, 2, "x.csv")]:
        folder = new_folder()
        done = run(folder, words(target, "--threads", str(threads), "--json"), over(ranks))
        good = done.returncode == 0 and content(folder, target) == WHOLE.bytes[target[2:]] and sorted(os.listdir(folder)) == ["m.ham", target]
        check(good, f"{ranks} ranks with {threads} threads: {done.returncode}, {done.stderr!r}")
        check(b'"runs"' in done.stdout, f"{ranks} ranks say nothing: {done.stdout!r}")
        shutil.rmtree(folder)


def runs_are_kept_in_full_and_drawn():
    files = []
    for command in [over(2), [os.environ["HAMEL"]]]:
        folder = new_folder()
        done = run(folder, words("x.csv", "--keep", "2", "--figure", "x.svg", "last"), command)
        check(done.returncode == 0, f"{command}: {done.returncode}, {done.stderr!r}")
        files.append({name: content(folder, name) for name in sorted(os.listdir(folder))})
        shutil.rmtree(folder)
    check(files[0] == files[1] and len(files[0]) == 5, f"{[sorted(f) for f in files]}")


def a_limit_of_time_ends_it():
    folder = new_folder()
    done = run(folder, words("x.csv", "--until", "1e5", "--limit", "time=1"), over(2))  # hours
    check(done.returncode == 6 and b"limit reached: time (at most 1 s)" in done.stderr, f"{done.returncode}, {done.stderr!r}")
    check(content(folder, "x.csv.journal") is None or b"--resume" in done.stderr, f"{done.stderr!r}")
    shutil.rmtree(folder)


def rows_go_to_standard_output():
    folder = new_folder()
    done = run(folder, words("-"), over(2))
    check(done.returncode == 0 and done.stdout == WHOLE.bytes["csv"], f"{done.returncode}, {done.stdout[:200]!r}, {done.stderr!r}")
    shutil.rmtree(folder)


def what_is_wrong_is_said_once():
    folder = new_folder()
    cases = [(["sweep", "none.ham", "-o", "x.csv"], b"none.ham"), (words("x.csv", "--bogus"), b"--bogus"), (words("x.txt"), b"in which format"),
             (words("none/x.csv"), b"No such file"), (["simulate", "m.ham"], b"usage: mpirun")]
    for options, said in cases:
        done, alone = run(folder, options, over(3)), run(folder, options)
        lines = [line for line in done.stderr.splitlines() if said in line]
        check(len(lines) == 1, f"{options}: said {len(lines)} times: {done.stderr!r}")
        check(done.returncode and (done.returncode == alone.returncode or options[0] != "sweep"), f"{options}: {done.returncode}, alone {alone.returncode}")
    check(os.listdir(folder) == ["m.ham"], f"{os.listdir(folder)} is left")
    shutil.rmtree(folder)


def ranks_that_read_other_models_are_refused():
    folder = new_folder()
    with open(os.path.join(folder, "m.ham")) as f, open(os.path.join(folder, "other.ham"), "w") as g:
        g.write(f.read().replace("1 - cos(th)", "2 - cos(th)"))
    other = [":", "-n", "1", MPI, "sweep", "other.ham", *SWEEP[2:], "-o", "x.csv"]
    done = run(folder, [*over(2), *words("x.csv"), *other], ())
    check(done.returncode and b"rank 2 reads another model" in done.stderr, f"{done.returncode}, {done.stderr!r}")
    shutil.rmtree(folder)


def ranks_of(mpirun):
    """Process ids, by rank; fewer while they begin."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as f:
                parent = int(f.read().rsplit(")", 1)[1].split()[1])
            if parent == mpirun:
                with open(f"/proc/{pid}/environ", "rb") as f:
                    rank = re.search(rb"\0OMPI_COMM_WORLD_RANK=(\d+)", f.read())
                if rank:
                    found[int(rank[1])] = int(pid)
        except OSError:
            pass
    return found


def start(folder, ranks, options):
    return subprocess.Popen([*over(ranks), *options], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for_runs(job, journal, runs):
    end = time.monotonic() + PATIENCE
    while job.poll() is None and runs_in(journal) < runs and time.monotonic() < end:
        time.sleep(0.005)


def go_on(folder, target, command, what):
    journal = os.path.join(folder, target + ".journal")
    there = runs_in(journal)
    if not os.path.exists(journal) and content(folder, target) is not None:  # killed when all was done
        check(content(folder, target) == WHOLE.bytes[target[2:]], f"{what}: other bytes in a finished file")
        return
    done = run(folder, words(target, "--resume", "--json"), command)
    good = done.returncode == 0 and content(folder, target) == WHOLE.bytes[target[2:]] and not os.path.exists(journal)
    check(good, f"{what}: it does not go on to the same bytes ({done.returncode}, {done.stderr!r})")
    check(resumed(done) == there, f"{what}: {there} runs were there, {resumed(done)} were taken from there")


def a_killed_rank_costs_no_finished_chunk():
    for i in in_time(range(COUNT)):
        folder, target, ranks = new_folder(), ["x.csv", "x.h5"][i % 2], 2 + i % 2
        journal, victim = os.path.join(folder, target + ".journal"), RNG.randrange(ranks)
        job = start(folder, ranks, words(target))
        wait_for_runs(job, journal, RNG.choice([0, 1, RUNS // 4, RUNS // 2, RUNS - 50]))
        pids = {}
        while job.poll() is None and victim not in pids:
            pids = ranks_of(job.pid)
        if victim in pids:
            try:
                os.kill(pids[victim], signal.SIGKILL)
            except ProcessLookupError:
                pass
        job.communicate(timeout=PATIENCE)
        there = content(folder, target)
        check(there in (None, WHOLE.bytes[target[2:]]), f"kill {i}, rank {victim}: a half file")
        check(job.returncode or there is not None, f"kill {i}: status 0 and no file")
        go_on(folder, target, over(2) if i % 3 else [os.environ["HAMEL"]], f"kill {i}, rank {victim} of {ranks}")
        shutil.rmtree(folder)


def a_job_that_is_asked_to_end_makes_its_file():
    folder, target = new_folder(), "x.csv"
    journal = os.path.join(folder, target + ".journal")
    job = start(folder, 2, words(target))
    wait_for_runs(job, journal, RUNS // 10)
    if job.poll() is None:
        job.send_signal(signal.SIGUSR1)  # mpirun hands it on
    said = job.communicate(timeout=PATIENCE)[1].decode(errors="replace")
    if job.returncode:
        there, runs = content(folder, target), runs_in(journal)
        rows, lines = WHOLE.bytes["csv"].splitlines(), (there or b"").splitlines()
        check(job.returncode == 5 and "--resume goes on" in said, f"{job.returncode}, {said}")
        check(len(lines) == runs + 1 and lines == [r for r in rows if r in set(lines)], f"{runs} runs, {len(lines)} lines")
    go_on(folder, target, over(2), "asked to end")
    shutil.rmtree(folder)


for test in [ranks_give_the_bytes_of_one_process, runs_are_kept_in_full_and_drawn, a_limit_of_time_ends_it, rows_go_to_standard_output, what_is_wrong_is_said_once, ranks_that_read_other_models_are_refused,
             a_killed_rank_costs_no_finished_chunk, a_job_that_is_asked_to_end_makes_its_file]:
    test()
print(f"net: sweeps over ranks: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
