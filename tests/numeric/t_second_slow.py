#!/usr/bin/python3
"""hamel against a second source: the systems of tests/numeric/second, whose accelerations and multipliers were computed with SymPy and
mpmath from mechanics written down apart from the models (second/make.py, which says how). Every form that applies to a system has to
give the same accelerations and multipliers, every form that should refuse it (and no other) has to refuse."""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, getcontext

from _checks import run_size

getcontext().prec = 60
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "second")
HAMEL = os.environ["HAMEL"]
TOLERANCE = Decimal("1e-25")  # 30 digits are asked for; the expected values carry 40
EVERY = run_size(3, 1)
PROCESSES = len(os.sched_getaffinity(0))
LIMIT = 60  # seconds for one evaluation
OTHER_MECHANICS = ("vakonomic", "a-model", "voronets-chaplygin-g", "cartesian")  # need not give the classical motion
COINCIDING = ("a-model-b", "chaplygin-g", "routh-chaplygin", "gaponov")  # other mechanics that give it wherever they apply
passed = failed = 0


def near(u, v):
    u, v = Decimal(u), Decimal(v)
    return abs(u - v) <= max(abs(u), abs(v), Decimal(1)) * TOLERANCE


def hamel(*arguments):
    p = subprocess.run([HAMEL, *arguments], capture_output=True, text=True, timeout=LIMIT)
    if p.returncode:
        raise RuntimeError("exit %d: %s" % (p.returncode, p.stderr.strip()[:300]))
    return json.loads(p.stdout)


def compare(e, r):
    """The names whose values differ. A vakonomic entry gives the multipliers, so their rates are compared where they are printed."""
    wrong = []
    for part in ("qdd", "lambda", "lambdad"):
        if part == "lambdad" and part not in r:
            continue
        for name, value in e.get(part, {}).items():
            if not near(r[part][name], value):
                wrong.append("%s %s is %s, expected %s" % (part, name, r[part][name], value))
    return wrong


def evaluate(e, form):
    """One comparison: (label, what is wrong)."""
    try:
        r = hamel("eval", os.path.join(FOLDER, e["model"]), "--json", "--digits", "30", "--form", form, "--at", e["at"])
        wrong = compare(e, r)
        if r["form"] != form:
            wrong.append("the answer is by form %s" % r["form"])
    except Exception as x:  # whatever went wrong is a failure of this comparison, not of the others
        wrong = [repr(x)]
    return "%s %s" % (e["model"], form), wrong


def applying(e):
    """Which forms apply: (label, what is wrong, the forms to compare)."""
    if e["forms"] != "all":
        return e["model"] + " forms", [], [e["forms"]]
    try:
        forms = hamel("forms", os.path.join(FOLDER, e["model"]), "--json")["forms"]
    except Exception as x:
        return e["model"] + " forms", [repr(x)], []
    wrong, applicable = [], []
    known = {f["id"] for f in forms}
    wrong += ["no form %s" % f for f in e["refuses"] if f not in known]
    either = e.get("either", {})
    for f in forms:
        if f["id"] in OTHER_MECHANICS:
            continue
        if f["id"] in COINCIDING:
            applicable += [f["id"]] if f["applies"] else []
            continue
        if f["applies"]:
            applicable.append(f["id"])
            if f["id"] in e["refuses"]:
                wrong.append("%s applies, but should not: %s" % (f["id"], e["refuses"][f["id"]]))
        elif f["id"] not in e["refuses"] and f["id"] not in either:
            wrong.append("%s should apply, but refuses: %s" % (f["id"], f.get("reason")))
    return e["model"] + " forms", wrong, applicable


def count(label, wrong):
    global passed, failed
    if wrong:
        failed += 1
        print("FAIL %s: %s" % (label, "; ".join(wrong)))
    else:
        passed += 1


def check_that_it_can_fail(entries):
    """A value off in its 22nd digit, an acceleration or a multiplier, and a form that is wrongly expected are noticed."""
    e = json.loads(json.dumps(entries[0]))
    for part in ("qdd", "lambda"):
        name, value = next(iter(e[part].items()))
        bad = json.loads(json.dumps(e))
        bad[part][name] = str(Decimal(value) * (1 + Decimal("1e-22")))
        _, wrong = evaluate(bad, "multipliers")
        count("self-check: a wrong value in %s is noticed" % part, [] if len(wrong) == 1 and name in wrong[0] else ["it is not: %s" % wrong])
    bad = json.loads(json.dumps(e))
    bad["refuses"]["maggi"] = "no reason"
    bad["refuses"].pop("lagrange")
    wrong = applying(bad)[1]
    count("self-check: wrong expectations of what applies are noticed", [] if len(wrong) == 2 else ["they are not: %s" % wrong])


def is_sampled(e, form, entries):
    """One form in three on each system, another third on the next one, so that every form is met; all in make test-long."""
    return e["forms"] != "all" or (entries.index(e) + sum(map(ord, form))) % EVERY == 0


entries = json.load(open(os.path.join(FOLDER, "expected.json")))
only = sys.argv[1:]  # names of systems, to look at some of them
with ThreadPoolExecutor(PROCESSES) as pool:
    chosen = [e for e in entries if not only or e["model"][:-4] in only]
    jobs = []
    for e, (label, wrong, applicable) in zip(chosen, pool.map(applying, chosen)):
        count(label, wrong)
        jobs += [(e, form) for form in applicable if is_sampled(e, form, entries)]
    for label, wrong in pool.map(lambda job: evaluate(*job), jobs):
        count(label, wrong)
check_that_it_can_fail(entries)
if not only:
    count("there are enough systems", [] if len(entries) >= 28 else ["%d" % len(entries)])
    files = {f for f in os.listdir(FOLDER) if f.endswith(".ham")}
    count("every model is used", sorted(files ^ {e["model"] for e in entries}))
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
