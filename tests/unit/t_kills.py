#!/usr/bin/env python3
"""Kills at random instants of a run, of going on with it and of recovering it: in the end there are the bytes of the run nobody disturbed."""
import os
import random
import re
import shutil
import signal
import subprocess
import time

from _checks import check, counted, finish, run_cases, run_seed
from _faults import HAMEL, RUN, Scenario, content, hamel, is_same_run, rows_of

SEED, COUNT = run_seed(14), run_cases(4, 120)
RNG = random.Random(SEED)
LENGTH = ["--until", "900"]
GO_ON = ["simulate", "m.ham", "--exec", "interpreted", "--resume"]
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]


def disturbed(folder, words, kill, seconds):
    """The exit status of a command that got this signal after so many seconds; what it said."""
    process = subprocess.Popen([HAMEL, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(seconds)
    process.send_signal(kill)
    said = process.communicate()[1].decode(errors="replace")
    return process.returncode, said


def seconds_of(scenario):
    folder = scenario.copy()
    begin = time.monotonic()
    hamel(folder, scenario.words)
    shutil.rmtree(folder)
    return time.monotonic() - begin


def go_on(scenario, folder, rows):
    """To the end, from whatever was left: words of complaint, or none."""
    target = scenario.target
    if not content(folder, target + ".journal") and is_same_run(scenario, content(folder, target), rows):
        return None
    if not os.path.exists(os.path.join(folder, target)) and not content(folder, target + ".journal"):
        done = hamel(folder, scenario.words)  # it was killed before it began
    else:
        done = hamel(folder, [*GO_ON, target, *LENGTH])
        if b"no state to go on from" in done.stderr or b"before the first row" in done.stderr:
            done = hamel(folder, scenario.words)
    return f"{done.returncode}, {done.stderr!r}" if done.returncode else None


def judge_kill(scenario, rows, kill, seconds):
    s, folder, wrong = scenario, scenario.copy(), []
    status, said = disturbed(folder, s.words, kill, seconds)
    too_early = status == 6 and kill != signal.SIGKILL and content(folder, s.target) == s.old  # before the run began
    if status not in (0, 5, -kill) and not too_early:
        wrong.append("another status than 0, 5 or that of the signal")
    there = content(folder, s.target)
    if status <= 0 and there not in (None, s.new):
        wrong.append("a half file under the asked name")
    copy = s.copy(folder)
    journal = content(copy, s.target + ".journal")
    if journal:
        os.rename(os.path.join(copy, s.target + ".journal"), os.path.join(copy, "x.csv.journal"))
        done = hamel(copy, ["recover", "x.csv"])
        if done.returncode == 0 and not rows.startswith(content(copy, "x.csv")):
            wrong.append("other rows are recovered")
        if done.returncode and not re.search(b"no row|before the first row|no journal of hamel", done.stderr):
            wrong.append(f"nothing is recovered: {done.stderr!r}")
    shutil.rmtree(copy)
    if status == 5 and not s.target.endswith(".h5"):  # Ctrl-C: the file is made of what there is, with a row where the run stopped
        if s.target.endswith(".csv") and not rows.startswith(there[:there.rindex(b"\n", 0, len(there) - 1) + 1]):
            wrong.append("other rows are kept")
    else:
        trouble = go_on(s, folder, rows)
        if trouble:
            wrong.append(f"it does not go on: {trouble}")
        elif not is_same_run(s, content(folder, s.target), rows):
            wrong.append("it goes on to other bytes")
    check(not wrong, f"{s.name}, signal {int(kill)} after {seconds:.3f} s: {'; '.join(wrong)} ({status}, {said[-300:]!r})")
    shutil.rmtree(folder)


def a_run_that_is_killed_goes_on_to_the_bytes_of_one_that_was_not():
    for ending in ["csv", "npz", "h5"]:
        s = Scenario(f"simulate -o run.{ending}", [*RUN, *LENGTH, "-o", "run." + ending], "run." + ending)
        rows, seconds = rows_of(s), seconds_of(s)
        for i in range(COUNT):
            judge_kill(s, rows, SIGNALS[i % 3], RNG.uniform(0, 1.1 * seconds))
        s.remove()


def a_run_that_is_asked_to_end_makes_its_file():
    """Ctrl-C, and SIGTERM as `timeout` sends it: twice."""
    for ending, signals in [("csv", [signal.SIGTERM] * 2), ("h5", [signal.SIGTERM] * 2), ("npz", [signal.SIGINT])]:
        s = Scenario(f"simulate -o run.{ending}", [*RUN, "--until", "2", "-o", "run." + ending], "run." + ending)
        folder = s.copy()
        process = subprocess.Popen([HAMEL, *RUN, "--until", "1e5", "-o", s.target], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        journal = os.path.join(folder, s.target + ".journal")
        while process.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) > 100_000):
            time.sleep(0.005)
        for kill in signals:
            process.send_signal(kill)
        said = process.communicate()[1].decode(errors="replace")
        good = process.returncode == 5 and "what was computed is in" in said and content(folder, s.target) and not os.path.exists(journal)
        check(good, f"{s.name}, {signals}: {process.returncode}, {said!r}, {os.listdir(folder)}")
        shutil.rmtree(folder)
        s.remove()


def a_run_that_is_killed_again_and_again_comes_to_its_end():
    for ending in ["csv", "npz", "h5"]:
        s = Scenario(f"simulate -o run.{ending}, again and again", [*RUN, *LENGTH, "-o", "run." + ending], "run." + ending)
        rows, seconds = rows_of(s), seconds_of(s)
        for _ in range((COUNT + 3) // 4):
            folder = s.copy()
            disturbed(folder, s.words, signal.SIGKILL, RNG.uniform(0, seconds))
            for _ in range(6):
                words = [*GO_ON, s.target, *LENGTH]
                disturbed(folder, words, signal.SIGKILL, RNG.choice([RNG.uniform(0, seconds), RNG.uniform(0, 0.05)]))
            trouble = go_on(s, folder, rows)
            check(not trouble and is_same_run(s, content(folder, s.target), rows), f"{s.name}: {trouble or 'other bytes'}")
            shutil.rmtree(folder)
        s.remove()


def killing_what_recovers_costs_nothing():
    for ending in ["csv", "npz", "h5"]:
        s = Scenario(f"recover run.{ending}", ["recover", "run." + ending], "run." + ending,
                     [lambda folder: hamel(folder, [*RUN, *LENGTH, "-o", "run." + ending], "pwrite:9:ENOSPC:on")])
        seconds = seconds_of(s)
        for _ in range(COUNT):
            folder = s.copy()
            status, said = disturbed(folder, s.words, RNG.choice(SIGNALS), RNG.uniform(0, seconds))
            there = content(folder, s.target)
            check(there in (None, s.new), f"{s.name}: a half file under the asked name")
            again = hamel(folder, s.words)
            check(content(folder, s.target) == s.new, f"{s.name}: it cannot be had again ({again.stderr!r})")
            shutil.rmtree(folder)
        s.remove()


for test in [a_run_that_is_asked_to_end_makes_its_file, a_run_that_is_killed_goes_on_to_the_bytes_of_one_that_was_not, a_run_that_is_killed_again_and_again_comes_to_its_end,
             killing_what_recovers_costs_nothing]:
    test()
print(f"net: kills at random instants: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
