#!/usr/bin/python3
"""Proofs: `hamel prove` on every library model, on the snake with 6 links, and with --certify on every model of at most 3 degrees of freedom. Written down:
verdicts, trials, the weakest bound; checked: times (user time of the whole program, least of three) against the bounds of the issue.
Then judging at scale: long chains and the bicycle with all forms, derivations and reports, a row a bound (processor seconds and MB of the whole program).
usage: prove.py BUILD-DIRECTORY [scale]      scale: that table alone"""
import json
import os
import pathlib
import resource
import subprocess
import sys

from _bounds import bound

HERE = os.path.dirname(os.path.abspath(__file__))
HAMEL = os.path.join(sys.argv[1], "hamel")
SECONDS, SLOW_SECONDS, CERTIFY_SECONDS, ALL_SECONDS, WEAKEST = 1.0, 5.0, 10.0, 60.0, -100
SLOW = {"rattleback", "snake N=6"}
# What is run, at most how many seconds, at most how many MB (None: no bound)
SCALE = [("snake of 8 links, all forms", "prove snake --set N=8", 2, 500),
         ("snake of 16 links, all forms", "prove snake --set N=16", 10, 500),
         ("snake of 32 links, all forms", "prove snake --set N=32", 60, 500),
         ("snake of 64 links, two forms", "prove snake --set N=64 --form kane,hamel", None, 500),
         ("8 trailers, all forms", "prove n_trailer --set N=8", 1, 500),
         ("16 trailers, all forms", "prove n_trailer --set N=16", 5, 500),
         ("bicycle, all forms", "prove bicycle", 2, 500),
         ("snake of 4 links, all forms derived", "derive snake --set N=4 --form all", 2, None),
         ("report of a snake of 8 links", "report snake --set N=8 -o -", 2, None),
         ("report of the bicycle", "report bicycle -o -", 2, None)]


def run(*arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    p = subprocess.run([HAMEL, *arguments], capture_output=True, text=True)
    return p, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def judge(arguments, repetitions=3):
    best = None
    for _ in range(repetitions):
        p, seconds = run("prove", *arguments, "--json")
        best = seconds if best is None else min(best, seconds)
    return json.loads(p.stdout).get("verdicts"), best


def everything():
    """Every file below models/, once: what `hamel prove` takes over all of them, and whether each claim of the papers has a verdict."""
    total = count = 0
    for path in sorted(pathlib.Path(HERE).parent.glob("models/**/*.ham")):
        p, seconds = run("prove", str(path), "--json")
        verdicts = json.loads(p.stdout).get("verdicts", [])
        total += seconds
        count += len(verdicts)
        undecided = [v["name"] for v in verdicts if v["verdict"] == "undecided"]
        if not verdicts or undecided:
            failures.append("%s: undecided %s" % (path.name, undecided))
    if total > ALL_SECONDS:
        failures.append("all of models/: %.0f s" % total)
    return total, count


def measured(arguments):
    """Exit status, processor seconds and MB of one run, by itself in a child of its own."""
    child = os.fork()
    if not child:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        os.execv(HAMEL, [HAMEL, *arguments])
    _, status, used = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def processor():
    names = [line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return names[0] if names else "unknown"


def scale():
    """Long chains: each is decided (no exit 4), in time, in little memory."""
    table = ["| what | seconds | bound | MB | bound | verdict |", "|---|--:|--:|--:|--:|---|"]
    for name, command, seconds, memory in SCALE:
        runs = [measured(command.split())]
        while len(runs) < 3 and runs[0][1] < 3:
            runs.append(measured(command.split()))
        status, used, most = runs[0][0], min(r[1] for r in runs), max(r[2] for r in runs)
        held = not status
        held &= seconds is None or bound(name, used, seconds, "s")
        held &= memory is None or bound(name + ", memory", most, memory, "MB")
        table.append("| %s | %.2f | %s | %.0f | %s | %s |" % (name, used, "" if seconds is None else seconds, most, "" if memory is None else memory,
                                                           "holds" if held else "exit %d" % status if status else "missed"))
        print(table[-1], flush=True)
        if not held:
            failures.append("%s: exit %d, %.2f s, %.0f MB" % (name, status, used, most))
    with open(os.path.join(HERE, "results", "prove_scale.md"), "w") as f:
        f.write("Processor: %s; processor seconds, least of three (one where that is more than 3).\n\n" % processor() + "\n".join(table) + "\n")


failures = []
if sys.argv[2:] == ["scale"]:
    scale()
    for x in failures:
        print("FAIL", x)
    sys.exit(bool(failures))
rows = ["| model | freedom | proved | refuted | undecided | trials | weakest bound | certificates |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
models = [m["name"] for m in json.loads(run("models", "--json")[0].stdout)["models"]]
worst = worst_certify = 0
for name, arguments in [(m, [m]) for m in models] + [("snake N=6", ["snake", "--set", "N=6"])]:
    verdicts, seconds = judge(arguments)
    freedom = json.loads(run("check", *arguments, "--json")[0].stdout)["m"]
    count = {w: sum(v["verdict"] == w for v in verdicts) for w in ("proved", "refuted", "undecided")}
    bounds = [int(v["bound"][2:]) for v in verdicts if v["bound"].startswith("2^")]
    limit = SLOW_SECONDS if name in SLOW else SECONDS
    worst = max(worst, seconds / limit)
    printed = name.startswith(("rs_", "t15_")) # what a paper prints may be wrong
    if seconds > limit or (count["refuted"] and not printed) or count["undecided"] or (bounds and max(bounds) > WEAKEST):
        failures.append("%s: %.2f s, %s, bound 2^%s" % (name, seconds, count, max(bounds, default=0)))
    certificates = ""
    if freedom <= 3 and "=" not in name:
        certified, seconds = judge(arguments + ["--certify"], 1)
        worst_certify = max(worst_certify, seconds)
        if seconds > CERTIFY_SECONDS:
            failures.append("%s --certify: %.1f s" % (name, seconds))
        certificates = "%d of %d" % (sum(v["method"] == "certificate" for v in certified), sum(bool(v["method"]) and v["kind"] != "mass" for v in certified))
    rows.append("| %s | %d | %d | %d | %d | %s | 2^%s | %s |" % (name, freedom, count["proved"], count["refuted"], count["undecided"],
                                                              max((v.get("trials", 0) for v in verdicts), default=0), max(bounds, default=0), certificates))
    print(rows[-1], flush=True)
with open(os.path.join(HERE, "results", "prove.md"), "w") as f:
    f.write("\n".join(rows) + "\n")
print("slowest: %.0f %% of its bound (1 s; 5 s for %s); slowest certificate %.1f s of 10 s" % (100 * worst, ", ".join(sorted(SLOW)), worst_certify))
bound("prove, the slowest model, of its time", 100 * worst, 100, "%")
bound("prove --certify, the slowest model", worst_certify, CERTIFY_SECONDS, "s")
total, count = everything()
bound("prove, all of models/", total, ALL_SECONDS, "s")
print("hamel prove over all of models/: %.1f s of 60 s, %d verdicts" % (total, count))
scale()
for x in failures:
    print("FAIL", x)
sys.exit(bool(failures))
