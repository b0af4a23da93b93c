#!/usr/bin/python3
"""Proofs: `hamel prove` on every library model, on the snake with 6 links, and with --certify on every model of at most 3 degrees of freedom. Written down:
verdicts, trials, the weakest bound; checked: times (user time of the whole program, least of three) against the bounds of the issue.
usage: prove.py BUILD-DIRECTORY"""
import json
import os
import pathlib
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HAMEL = os.path.join(sys.argv[1], "hamel")
SECONDS, SLOW_SECONDS, CERTIFY_SECONDS, ALL_SECONDS, WEAKEST = 1.0, 5.0, 10.0, 60.0, -100
SLOW = {"rattleback", "snake N=6"}


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


failures = []
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
total, count = everything()
print("hamel prove over all of models/: %.1f s of 60 s, %d verdicts" % (total, count))
for x in failures:
    print("FAIL", x)
sys.exit(bool(failures))
