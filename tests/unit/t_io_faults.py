#!/usr/bin/env python3
"""Calls of the system that fail while a command writes: full disks, short writes, interrupts, broken disks, too many files, no permission."""
import os
import random
import sys

from _checks import check, counted, finish, run_cases, run_seed
from _faults import LONGER, RUN, Scenario, hamel, judge_file, judge_lost, judge_recovery, judge_run, rows_of

SEED, COUNT = run_seed(14), run_cases(4, 120)
RNG = random.Random(SEED)


def made_by(*words):
    return lambda folder: check(hamel(folder, list(words)).returncode == 0, f"{words} can be had")


def cut_short(target):
    """A journal with rows, as a full disk leaves it."""
    def make(folder):
        hamel(folder, [*RUN, "-o", target], "pwrite:5:ENOSPC:on")
        check(os.path.exists(os.path.join(folder, target + ".journal")), f"{target} has a journal")
    return make


def try_faults(scenario, judge, faults):
    for fault in faults:
        judge(scenario, fault)
    scenario.remove()


def runs_lose_no_row_and_leave_no_half_file():
    for ending in ["csv", "npz", "h5"]:
        target = "run." + ending
        scenarios = [Scenario(f"simulate -o {target}", [*RUN, "-o", target], target),
                     Scenario(f"simulate -o {target}, over another", [*RUN, "-o", target], target, [made_by(*RUN, "--until", "1", "-o", target)]),
                     Scenario(f"a longer simulate -o {target}", [*RUN, *LONGER, "-o", target], target)]
        for s in scenarios:
            rows = rows_of(s)
            # what fails for good loses what it had not written; what fails once loses nothing
            try_faults(s, lambda s, fault: judge_run(s, fault, rows, not fault.endswith(":on")), s.faults(RNG, COUNT))


def a_full_disk_costs_no_row_that_was_computed():
    for ending in ["csv", "npz", "h5"]:
        s = Scenario(f"simulate -o run.{ending} on a small disk", [*RUN, *LONGER, "-o", "run." + ending], "run." + ending)
        rows = rows_of(s)
        sizes = [RNG.choice([RNG.randint(0, 1000), RNG.randint(0, 5 << 20), RNG.randint(4 << 20, 9 << 20)]) for _ in range(COUNT)]
        try_faults(s, lambda s, fault: judge_run(s, fault, rows, True), [f"disk:{size}:ENOSPC" for size in sizes])


def a_run_that_goes_on_loses_no_row():
    resume = ["simulate", "m.ham", "--exec", "interpreted", "--resume"]
    scenarios = [Scenario("--resume run.h5", [*resume, "run.h5", "--until", "20"], "run.h5", [made_by(*RUN, "--until", "7.005", "-o", "run.h5")])]
    scenarios += [Scenario(f"--resume run.{ending}, from its journal", [*resume, "run." + ending], "run." + ending, [cut_short("run." + ending)])
                  for ending in ["csv", "npz", "h5"]]
    for s in scenarios:
        rows = rows_of(s)
        try_faults(s, lambda s, fault: judge_run(s, fault, rows), s.faults(RNG, COUNT))


def recovering_loses_nothing():
    for ending in ["csv", "npz", "h5"]:
        s = Scenario(f"recover run.{ending}", ["recover", "run." + ending], "run." + ending, [cut_short("run." + ending)])
        try_faults(s, judge_recovery, s.faults(RNG, COUNT))


def other_files_are_whole_or_not_there():
    for s in [Scenario("report", ["report", "m.ham", "--form", "maggi", "--until", "0.1", "-o", "page.html"], "page.html"),
              Scenario("plot, SVG", ["plot", "m.ham", "--until", "1", "-o", "run.svg"], "run.svg"),
              Scenario("plot of CSV", ["plot", "rows.csv", "-o", "run.svg"], "run.svg", [made_by(*RUN, "--until", "1", "-o", "rows.csv")]),
              Scenario("plot of HDF5", ["plot", "rows.h5", "-o", "run.svg"], "run.svg", [made_by(*RUN, "--until", "1", "-o", "rows.h5")]),
              Scenario("plot, PNG", ["plot", "m.ham", "--until", "1", "-o", "run.png"], "run.png"),
              Scenario("plot of HDF5, PDF", ["plot", "rows.h5", "-o", "run.pdf"], "run.pdf", [made_by(*RUN, "--until", "1", "-o", "rows.h5")]),
              Scenario("codegen", ["codegen", "m.ham", "-o", "code"], "code"),
              Scenario("codegen, over another", ["codegen", "m.ham", "-o", "code", "--set", "g=10"], "code", [made_by("codegen", "m.ham", "-o", "code")]),
              Scenario("derive --bib", ["derive", "m.ham", "--format", "latex", "--bib", "m.bib"], "m.bib"),
              Scenario("new", ["new", "swing"], "swing.ham")]:
        try_faults(s, judge_file, s.faults(RNG, COUNT))


def compiled_runs_give_the_same_rows_from_a_new_cache():
    words = ["simulate", "m.ham", "--exec", "compiled", "-o", "run.csv"]
    s = Scenario("a compiled run", words, "run.csv", XDG_CACHE_HOME="FOLDER/cache", TMPDIR="FOLDER")
    rows = rows_of(s)
    try_faults(s, lambda s, fault: judge_run(s, fault, rows), s.faults(RNG, COUNT))


def a_folder_that_is_gone_takes_no_row_with_it():
    lines = [[*RUN, *LONGER, "-o", "sub/run." + ending] for ending in ["csv", "npz", "h5"]]
    lines += [["report", "m.ham", "--form", "maggi", "--until", "0.1", "-o", "sub/page.html"], ["plot", "m.ham", "--until", "1", "-o", "sub/run.svg"],
              ["codegen", "m.ham", "-o", "sub/code"]]
    for words in lines:
        s = Scenario(" ".join(words), words, words[-1], [lambda folder: os.mkdir(os.path.join(folder, "sub"))])
        kinds = [k for k in ["open", "write", "pwrite", "sync", "mkdir", "rename", "close"] if s.counts[k]]
        try_faults(s, judge_lost, [f"{k}:{RNG.randint(1, s.counts[k])}:gone" for k in (kinds * COUNT)[:COUNT]])


for test in [runs_lose_no_row_and_leave_no_half_file, a_full_disk_costs_no_row_that_was_computed, a_run_that_goes_on_loses_no_row,
             recovering_loses_nothing, other_files_are_whole_or_not_there, compiled_runs_give_the_same_rows_from_a_new_cache,
             a_folder_that_is_gone_takes_no_row_with_it]:
    if not sys.argv[1:] or test.__name__ in sys.argv[1:]:
        test()
print(f"net: calls of the system that fail: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
