#!/usr/bin/env python3
"""Allocations that fail at a random place of every command on twenty models: status 6 or what the command answers otherwise, in words, and no
half file. That nothing leaks is looked at by unit-t_exhaustion, call by call.

  t_memory_faults.py [SEED [COUNT]]     COUNT failures in all
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

from _checks import check, counted, finish
from _faults import content, hamel

SEED, COUNT = int((sys.argv[1:] or [14])[0]), int((sys.argv[2:] or [80])[0])
RNG = random.Random(SEED)
NUMERICS, LIMIT = 5, 6
MODELS = ["sleigh", "pendulum", "snake", "rolling_disc", "skate", "rattleback", "appell_particle", "vertical_disc", "chaplygin_sphere", "rolling_ball",
          "gaponov_machine", "knife_edge", "double_pendulum", "snakeboard", "roller_racer", "bicycle", "trailer", "unicycle", "particle", "top"]
SHORT = ["--until", "0.2", "--every", "0.1"]
COMMANDS = [["check"], ["check", "--json"], ["describe"], ["describe", "--json"], ["derive"], ["derive", "--format", "latex"], ["eval"], ["forms"], ["transpose"],
            ["prove"], ["show"], ["simulate", *SHORT, "--exec", "interpreted"], ["simulate", *SHORT, "--plot"],
            ["simulate", *SHORT, "-o", "run.csv"], ["simulate", *SHORT, "-o", "run.npz"], ["simulate", *SHORT, "-o", "run.h5"], ["simulate", *SHORT, "-o", "-"],
            ["plot", *SHORT], ["plot", *SHORT, "-o", "run.svg"], ["codegen", "-o", "code"], ["report", *SHORT, "--form", "maggi", "-o", "page.html"]]
ALONE = [["models"], ["models", "--json"], ["help"], ["help", "simulate"], ["help", "--man"], ["completions", "bash"], ["references"], ["forms"],
         ["new", "swing"], ["tour"], ["simulate", "--no-such"], ["chek"], ["--version"]]


def library():
    known = subprocess.run([os.environ["HAMEL"], "models"], capture_output=True, text=True).stdout.split()
    found = [m for m in MODELS if m in known]
    return found + [m for m in known if m.isidentifier() and m not in found and subprocess.run([os.environ["HAMEL"], "show", m], capture_output=True).returncode == 0][:20 - len(found)]


def try_failures(line, count):
    with tempfile.TemporaryDirectory() as folder:
        counts = os.path.join(folder, "counts")
        whole = os.path.join(folder, "whole")
        os.mkdir(whole)
        usual = hamel(whole, line, counts=counts)
        most = dict(words.split() for words in open(counts))["memory"]
        made = sorted(os.listdir(whole))
        for _ in range(count):
            at = RNG.choice([RNG.randint(1, int(most)), RNG.randint(1, min(60, int(most)))])
            where = os.path.join(folder, "part")
            os.mkdir(where)
            fault = f"memory:{at}:ENOMEM{RNG.choice(['', ':on'])}"
            done = hamel(where, line, fault)
            said = done.stderr.decode(errors="replace")
            wrong = []
            unwritten = done.returncode == NUMERICS and "cannot write" in said  # the C library had no memory for the file
            if done.returncode not in (usual.returncode, LIMIT) and not unwritten:
                wrong.append(f"status {done.returncode}")
            if done.returncode == LIMIT and "memory exhausted" not in said:
                wrong.append("it does not say so")
            if done.returncode == LIMIT and any(content(where, f) != content(whole, f) for f in os.listdir(where) if not f.endswith(".journal") and f in made):
                wrong.append("a half file")
            check(not wrong, f"{' '.join(line)}, {fault}: {'; '.join(wrong)} ({said[-200:]!r})")
            shutil.rmtree(where)


if "asan" not in os.path.dirname(os.environ["HAMEL"]):  # there malloc is the sanitizer's
    models = library()
    check(len(models) == 20, "there are twenty models")
    lines = [[c[0], m, *c[1:]] for c in COMMANDS for m in models] + ALONE * 3
    RNG.shuffle(lines)
    for line in lines[:max(1, COUNT // 4)]:
        try_failures(line, 4)
    print(f"net: allocations that fail in commands: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
