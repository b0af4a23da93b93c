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
from _commands import choices, commands, names, options
from _faults import HAMEL, LIMIT, NUMERICS, content, hamel, is_whole_picture

SEED, COUNT = run_seed(14), run_cases(1, 25)
IS_SAMPLED = run_size(True, False)  # one case of every command
RNG = random.Random(SEED)
MODELS = ["sleigh", "pendulum", "snake", "rolling_disc", "rattleback", "vertical_disc", "chaplygin_ball", "ball_on_turntable", "gaponov_machine", "knife_edge",
          "double_pendulum", "snakeboard", "roller_racer", "n_trailer", "appell_hamel", "constant_speed", "gentle_lift", "neumann", "suslov", "skier"]
SHORT = ["--until", "0.2", "--every", "0.1"]
INTERPRETED = [*SHORT, "--exec", "interpreted"]
CROSSED = ["--until", "0.2", "--exec", "interpreted"]


def values_of(command, option):
    """What an option of the program can be: the cases grow with it."""
    shown = next(o for o in options(command) if option in names(o))
    return choices(shown) or [shown.split()[-1]]


def cases():
    """{command: [words behind it]}; MODEL is one of the twenty, and a file is made beforehand where FILES knows it."""
    targets = values_of("codegen", "--target")
    return {
        "check": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--long"]],
        "describe": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--set", "g=1"]],
        "derive": [["MODEL", "--format", f] for f in values_of("derive", "--format")] + [["MODEL", "--form", "all", "--stats"], ["MODEL", "--raw"],
                   ["MODEL", "--full", "--form", "hamel"], ["MODEL", "--format", "latex", "--bib", "m.bib"]],
        "prove": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--certify", "--form", "maggi,multipliers"], ["MODEL", "--seed", "3"]],
        "assemble": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--at", "t=0", "--digits", "60"]],
        "eval": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--digits", "60"], ["MODEL", "--at", "t=0", "--form", "multipliers"], ["snake", "--double", "N", "--digits", "5"]],
        "transpose": [["MODEL", "--format", f] for f in values_of("transpose", "--format")],
        "steady": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--closed"], ["bead_on_hoop", "--box", "theta = -2 .. 2", "--solve", "w"], ["cart_pole", "--trim", "u, w"]],
        "linearise": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--symbolic"]],
        "matrices": [["MODEL"], ["MODEL", "--json"]],
        "stability": [["MODEL", "--vary", "m=1..2"]],
        "continue": [["MODEL", "--vary", "m=1..2", "--steps", "20"], ["bead_on_hoop", "--vary", "w=1..6", "--json"],
                     ["pendulum", "--orbit", "--vary", "energy=-8..-7", "--plot"]],
        "sensitivity": [["MODEL", "--until", "0.2"], ["MODEL", "--until", "0.2", "--json", "--exec", "interpreted"]],
        "lyapunov": [["MODEL", "--until", "0.2", "--exec", "interpreted"], ["MODEL", "--until", "0.2", "--json", "--exec", "interpreted"]],
        "orbit": [["MODEL", "--until", "0.2", "--exec", "interpreted"], ["MODEL", "--period", "0.1", "--json", "--exec", "interpreted"]],
        "simulate": [["MODEL", *INTERPRETED, "-o", "run." + e] for e in ["csv", "npz", "h5"]] + [["MODEL", *SHORT], ["MODEL", *SHORT, "--json"],
                     ["MODEL", *INTERPRETED, "-o", "-"], ["MODEL", *INTERPRETED, "--plot"], ["MODEL", *INTERPRETED, "--verify"],
                     ["MODEL", *SHORT, "--exec", "compiled", "-o", "run.csv"], ["MODEL", *SHORT, "--precision", "quad", "--tol", "1e-20", "-o", "run.csv"],
                     ["MODEL", *INTERPRETED, "--method", "bdf", "-o", "run.h5"], ["MODEL", *INTERPRETED, "--project", "--method", "dop853"],
                     ["MODEL", "--exec", "interpreted", "--resume", "rows.h5", "--until", "0.4"], ["MODEL", "--exec", "interpreted", "--resume", "cut.csv"]],
        "recover": [["cut.csv"], ["cut.npz"], ["cut.h5"], ["cut.csv", "--json"]],
        "plot": [["MODEL", *INTERPRETED]] + [["MODEL", *INTERPRETED, "-o", "run." + e] for e in ["svg", "png", "pdf"]] + [["MODEL", *INTERPRETED, "-o", "-"], ["rows.csv"],
                 ["rows.csv", "-o", "run.svg", "--grid", "--marks", "--title", "a"], ["rows.h5", "-o", "run.svg", "--events"], ["rows.h5", "-o", "run.pdf"],
                 ["MODEL", "--until", "0.2", "--every", "0.01", "--exec", "interpreted", "--spectrum", "-o", "run.svg"], ["MODEL", *INTERPRETED, "--recurrence", "--json"]],
        "sweep": [["MODEL", "--vary", "m = 1..2 count 2", "--collect", "a = max(t)", "--until", "0.2", *more]
                  for more in [[], ["--json"], ["-o", "run.csv"], ["-o", "run.h5", "--samples", "2 latin", "--vary", "g in normal(9, 1)"], ["--plot"],
                               ["--figure", "run.svg"]]],
        "basin": [["double_pendulum", "--vary", "theta1 = -3..3", "--vary", "theta2 = -3..3", "--by", "theta2", "--cells", "3", "--depth", "1", "--until", "0.2", *more]
                  for more in [[], ["--json"], ["-o", "run.csv"], ["--plot"], ["--figure", "run.svg"]]],
        "map": [["double_pendulum", "--vary", "m1 = 1..3", "--vary", "m2 = 1..3", "--by", "theta2", "--cells", "3", "--depth", "1", "--until", "0.2", "--json"]],
        "section": [["MODEL", "t - 0.05", *CROSSED], ["MODEL", "t - 0.05", "--json", *CROSSED], ["MODEL", "t - 0.05", *CROSSED, "-o", "run.csv"],
                    ["MODEL", "sin(300*t)", *CROSSED, "-o", "run.svg"]],
        "compare": [["MODEL", "maggi", "multipliers", *INTERPRETED], ["MODEL", "maggi", "gauss", *INTERPRETED, "--json"]],
        "report": [["MODEL", *SHORT, "--form", "maggi", "-o", "page.html"], ["MODEL", *SHORT, "--json"], ["MODEL", *SHORT, "--form", "maggi,hamel", "-o", "-"]],
        "film": [["MODEL", "--until", "0.1", "--fps", "10", "--size", "64x48", "-o", "film%d.png"], ["MODEL", "--until", "0.1", "--fps", "10", "--size", "64x48", "-o", "film.mp4"]],
        "codegen": [["MODEL", "--target", target, "-o", "code"] for target in targets] + [["MODEL", "--form", "multipliers", "-o", "code"]],
        "forms": [[], ["MODEL"], ["MODEL", "--json"]],
        "references": [["--format", f] for f in values_of("references", "--format")],
        "models": [[], ["--json"]],
        "show": [["MODEL"], ["MODEL", "--json"]],
        "new": [["swing"], ["swing", "--json"]],
        "fmt": [["--check", "rows.csv"], ["--json", "rows.csv"]],
        "lsp": [[]],
        "tour": [[]],
        "help": [[], ["--json"], ["simulate"], ["no_such"]],
        "completions": [["bash"], ["zsh"], ["fish"], ["no_such"]],
        "manual": [[]],
    }


def make_file(folder, model, file):
    """rows.*: a run; cut.*: the journal of one that could not make its file."""
    run = ["simulate", model, *INTERPRETED, "-o", file]
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
    line = [command, *(model if w == "MODEL" else w for w in words)]
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
    check(commands().keys() == cases().keys(), f"a case of every command: {commands().keys() ^ cases().keys()}")


the_nets_know_every_command_and_model()
for command, lines in cases().items():
    for words in RNG.sample(lines, 1) if IS_SAMPLED else lines:
        if not sys.argv[1:] or command in sys.argv[1:]:
            try_failures(command, words, COUNT)
print(f"net: allocations that fail in commands: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
