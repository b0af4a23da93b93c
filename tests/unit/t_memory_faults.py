#!/usr/bin/env python3
"""Allocations that fail at a random place of every command on twenty models: status 6 with words about it, or what the command answers
otherwise; no half file, and nothing left behind. In the build with sanitizers a leak ends the command with another status.

  t_memory_faults.py [COMMAND..]     only these commands
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

from _checks import check, counted, finish, run_cases, run_seed, run_size
from commands import MODELS, commands, lines, on_model
from _faults import HAMEL, LIMIT, NUMERICS, content, hamel, is_whole_picture

SEED, COUNT = run_seed(14), run_cases(1, 25)
IS_SAMPLED = run_size(True, False)  # one case of every command
RNG = random.Random(SEED)


def make_file(folder, model, file):
    """rows.*: a run; cut.*: the journal of one that could not make its file."""
    run = ["simulate", model, "--until", "0.2", "--every", "0.1", "--exec", "interpreted", "-o", file]
    if file.startswith("rows."):
        return hamel(folder, run).returncode == 0
    return hamel(folder, run, "rename:1:EACCES:on").returncode == NUMERICS


def is_left_behind(ready, whole, part, file):
    """Neither from before, nor what the command was to make, nor the journal of a run."""
    there = content(part, file)
    if file.endswith((".png", ".pdf")) and is_whole_picture(there):
        return False
    return there not in (content(ready, file), content(whole, file)) and not file.endswith(".journal")


def judge(done, usual, ready, whole, part):
    said, wrong = done.stderr.decode(errors="replace"), []
    if done.returncode not in (usual.returncode, LIMIT):
        wrong.append(f"status {done.returncode} and not {usual.returncode}")
    if done.returncode == LIMIT != usual.returncode and "memory exhausted" not in said:
        wrong.append("it does not say so")
    finished = "are finished" in said and done.returncode == LIMIT  # a sweep keeps the runs that it made
    left = [f for f in sorted({*os.listdir(part), *os.listdir(ready)}) if not finished and is_left_behind(ready, whole, part, f)]
    if left:
        wrong.append(f"{left} is half a file, or left behind")
    return wrong


def run_in(folder, line, *fault, **more):
    return hamel(folder, line, *fault, **more, XDG_CACHE_HOME="/dev/null", TMPDIR=folder)


def try_failures(command, words, count):
    model = RNG.choice(MODELS)
    line = on_model([command, *words], model)
    with tempfile.TemporaryDirectory() as folder:
        ready, whole, part, counts = (os.path.join(folder, name) for name in ["ready", "whole", "part", "counts"])
        os.mkdir(ready)
        for file in words:
            if file.startswith(("rows.", "cut.")):
                check(make_file(ready, model, file), f"{file} of {model} can be made")
        shutil.copytree(ready, whole)
        usual = run_in(whole, line, counts=counts)
        check(0 <= usual.returncode <= 6, f"{' '.join(line)}: {usual.returncode} {usual.stderr!r}")
        most = int(dict(words.split() for words in open(counts))["memory"])
        for _ in range(count):
            at = RNG.choice([RNG.randint(1, most), RNG.randint(1, min(60, most)), most - RNG.randint(0, min(60, most - 1))])
            fault = f"memory:{at}:ENOMEM{RNG.choice(['', ':on'])}"
            shutil.copytree(ready, part)
            try:
                done = run_in(part, line, fault)
                wrong = judge(done, usual, ready, whole, part)
                check(not wrong, f"{' '.join(line)}, {fault}: {'; '.join(wrong)} ({done.stderr[-1500:].decode(errors='replace')})")
            except subprocess.TimeoutExpired:
                check(False, f"{' '.join(line)}, {fault}: it did not end")
            shutil.rmtree(part)


def the_nets_know_every_command_and_model():
    known = subprocess.run([HAMEL, "models"], capture_output=True, text=True).stdout.split()
    check(len(set(MODELS)) == 20 and not set(MODELS) - set(known), f"twenty models of the library, not {set(MODELS) - set(known)}")
    check(commands().keys() == lines().keys(), f"a line of every command: {commands().keys() ^ lines().keys()}")


the_nets_know_every_command_and_model()
for command, of_command in lines().items():
    for words in RNG.sample(of_command, 1) if IS_SAMPLED else of_command:
        if not sys.argv[1:] or command in sys.argv[1:]:
            try_failures(command, words, COUNT)
print(f"net: allocations that fail in commands: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
