#!/usr/bin/env python3
"""Kills at random instants of a sweep and of going on with it: no finished chunk is computed again, and in the end there are the bytes of the
sweep nobody disturbed."""
import os
import random
import shutil
import signal
import subprocess
import time

from _checks import check, counted, finish, run_cases, run_seed
from _faults import ERRORS, hamel as hamel_with_faults
from _sweeps import HAMEL, RUNS, SWEEP, Whole, content, new_folder, resumed, run, runs_in

SEED, COUNT = run_seed(19), run_cases(2, 50)
RNG = random.Random(SEED)
ENDINGS = ["csv", "h5"]
MADE = {}  # calls of the system, by file and kind
WHOLE = Whole(ENDINGS)


def words(target, *more):
    return [*SWEEP, "--threads", "2", "-o", target, *more]


def seconds_of_a_sweep():
    folder, begin = new_folder(), time.monotonic()
    run(folder, words("x.csv"))
    shutil.rmtree(folder)
    return time.monotonic() - begin


def disturbed(folder, options, kill, seconds):
    process = subprocess.Popen([HAMEL, *options], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(seconds)
    process.send_signal(kill)
    said = process.communicate()[1].decode(errors="replace")
    return process.returncode, said


def go_on(folder, target, what):
    """To the end, and the runs that the journal held count."""
    journal = os.path.join(folder, target + ".journal")
    there, is_new = runs_in(journal), not os.path.exists(journal) and content(folder, target) is None
    if not os.path.exists(journal) and content(folder, target) is not None:  # killed when all was done
        check(content(folder, target) == WHOLE.bytes[target[2:]], f"{what}: other bytes in a finished file")
        return
    done = run(folder, words(target, "--resume", "--json"))
    good = done.returncode == 0 and content(folder, target) == WHOLE.bytes[target[2:]] and not os.path.exists(journal)
    check(good, f"{what}: it does not go on to the same bytes ({done.returncode}, {done.stderr!r})")
    check(resumed(done) == there or is_new, f"{what}: {there} runs were there, {resumed(done)} were taken from there")


def a_sweep_that_is_killed_goes_on_to_the_same_bytes():
    seconds = seconds_of_a_sweep()
    for i in range(COUNT):
        target, folder, kills = "x." + ENDINGS[i % 2], new_folder(), 1 + i % 3
        before = 0
        for k in range(kills):
            status, said = disturbed(folder, words(target, *["--resume"] * bool(k)), signal.SIGKILL, RNG.uniform(0, 1.1 * seconds / (k + 1)))
            there = content(folder, target)
            check(there in (None, WHOLE.bytes[target[2:]]), "a half file under the asked name")
            runs = runs_in(os.path.join(folder, target + ".journal"))
            check(runs >= before or there is not None, f"{before} runs were kept, and {runs} are left")
            check(status in (-9, 0) or there is not None, f"status {status}: {said}")
            before = runs
        go_on(folder, target, f"kill {i}")
        shutil.rmtree(folder)


def a_sweep_that_is_asked_to_end_makes_its_file():
    seconds = seconds_of_a_sweep()
    for kill, target in [(signal.SIGINT, "x.csv"), (signal.SIGTERM, "x.h5"), (signal.SIGINT, "x.h5")]:
        folder, journal = new_folder(), target + ".journal"
        process = subprocess.Popen([HAMEL, *words(target)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and runs_in(os.path.join(folder, journal)) < RUNS / 10:
            time.sleep(seconds / 200)
        process.send_signal(kill)
        said = process.communicate()[1].decode(errors="replace")
        runs, there = runs_in(os.path.join(folder, journal)), content(folder, target)
        if process.returncode == 0:
            check(there == WHOLE.bytes[target[2:]], f"{target}: it ended before the signal came, with other bytes")
        else:
            check(process.returncode == 5 and there is not None and 0 < runs < RUNS, f"{target}: {process.returncode}, {runs} runs, {said}")
            check(f"{runs} of {RUNS} runs" in said, f"{target}: it does not say how many runs are finished: {said}")
            if target == "x.csv":
                rows, lines = WHOLE.bytes["csv"].splitlines(), there.splitlines()
                check(len(lines) == runs + 1 and lines[0] == rows[0] and lines == [r for r in rows if r in set(lines)], "the file holds other rows")
            else:
                check_partial(os.path.join(folder, target), runs)
        go_on(folder, target, f"asked to end, {target}")
        shutil.rmtree(folder)


def check_partial(path, runs):
    import h5py
    with h5py.File(path) as f:
        numbers = f["run"][:]
        good = len(numbers) == runs and f.attrs["outcome"] == "unfinished" and all(a < b for a, b in zip(numbers, numbers[1:]))
    check(good, f"{path} holds {len(numbers)} runs, not {runs}")


def a_full_disk_costs_no_finished_chunk():
    for i in range(max(2, COUNT // 4)):
        target, folder = "x." + ENDINGS[i % 2], new_folder()
        size = RNG.randint(0, 6 << 20)
        done = hamel_with_faults(folder, words(target), f"disk:{size}:ENOSPC")
        if done.returncode:
            said = done.stderr.decode(errors="replace")
            check(done.returncode == 5 and "No space left" in said, f"a disk of {size} bytes: {done.returncode}, {said}")
            check(content(folder, target) in (None, WHOLE.bytes[target[2:]]) or b"," in content(folder, target), "a half file")
        go_on(folder, target, f"a disk of {size} bytes")
        shutil.rmtree(folder)


def a_call_of_the_system_that_fails_costs_no_finished_chunk():
    """Each kind of call that a sweep makes, the k-th of them refused, cut short or interrupted, once or from there on."""
    for i in range(2 * COUNT):
        target, folder = "x." + ENDINGS[i % 2], new_folder()
        if i < 2:
            counts = os.path.join(folder, "counts")
            assert hamel_with_faults(folder, words(target), counts=counts).returncode == 0
            with open(counts) as f:
                MADE[target] = {kind: int(n) for kind, n in map(str.split, f) if int(n) and kind in ERRORS}
            os.remove(counts), os.remove(os.path.join(folder, target))
        kind = RNG.choice(sorted(MADE[target]))
        error = RNG.choice(ERRORS[kind])
        fault = f"{kind}:{RNG.randint(1, MADE[target][kind])}:{error}{RNG.choice(['', ':on']) if error != 'EINTR' else ''}"
        done = hamel_with_faults(folder, words(target), fault)
        there, said = content(folder, target), done.stderr.decode(errors="replace")
        whole = there == WHOLE.bytes[target[2:]]
        check(whole or done.returncode, f"{fault}: status 0, and other bytes")
        check(done.returncode in (0, 5, 6) and (not done.returncode or "error: " in said), f"{fault}: {done.returncode}, {said}")
        strange = set(os.listdir(folder)) - {"m.ham", target, target + ".journal"}
        check(not strange, f"{fault}: {strange} is left behind")
        if there is None or os.path.exists(os.path.join(folder, target + ".journal")):
            go_on(folder, target, fault)
        shutil.rmtree(folder)


def two_sweeps_do_not_write_one_file():
    folder = new_folder()
    first = subprocess.Popen([HAMEL, *words("x.csv", "--until", "60000")], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while first.poll() is None and not content(folder, "x.csv.journal"):  # behind its lock it has a head
        time.sleep(0.002)
    first.send_signal(signal.SIGSTOP)
    second = run(folder, words("x.csv", "--resume"))
    check(second.returncode == 5 and b"another run is writing it" in second.stderr, f"{second.returncode}, {second.stderr!r}")
    first.kill()
    first.wait()
    third = run(folder, words("x.csv", "--resume"))
    check(third.returncode == 5 and b"is of another sweep: its until" in third.stderr, f"{third.returncode}, {third.stderr!r}")
    shutil.rmtree(folder)


def a_sweep_in_lanes_does_not_go_on_one_by_one():
    """Functions in lanes differ by the last bits, so that the file would be none that an undisturbed sweep makes."""
    folder = new_folder()
    many = ["sweep", "m.ham", "--vary", "th=0..3 count 5000", "--until", "2000", "-o", "x.csv"]
    job = subprocess.Popen([HAMEL, *many], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = os.path.join(folder, "x.csv.journal")
    while job.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) > 3000):
        time.sleep(0.002)
    job.kill()
    job.wait()
    if b"lanes, " in (content(folder, "x.csv.journal") or b""):  # there are none under the sanitizers
        done = run(folder, [*many, "--resume", "--exec", "interpreted"])
        check(done.returncode == 5 and b"its arithmetic is `lanes" in done.stderr, f"in lanes: {done.returncode}, {done.stderr!r}")
    shutil.rmtree(folder)


for test in [a_sweep_that_is_killed_goes_on_to_the_same_bytes, a_sweep_that_is_asked_to_end_makes_its_file, a_full_disk_costs_no_finished_chunk,
             a_call_of_the_system_that_fails_costs_no_finished_chunk,
             two_sweeps_do_not_write_one_file, a_sweep_in_lanes_does_not_go_on_one_by_one]:
    test()
print(f"net: kills of sweeps: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
