#!/usr/bin/python3
"""Accelerations and multipliers against values computed independently of hamel (tests/numeric/reference.json: 40 digits, by Newton-Euler
in space, by hand-written energies, or by SymPy; the forms of hamel took no part). Where the folder ../shared/cases lies beside the
project its reference values are checked too."""
import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext

getcontext().prec = 60
HERE = os.path.dirname(os.path.abspath(__file__))
HAMEL = os.environ["HAMEL"]
FORMS = ("multipliers", "maggi")
TOLERANCE = Decimal("1e-28")  # 30 digits are asked for; the references carry 40
passed = failed = 0


def near(u, v):
    u, v = Decimal(u), Decimal(v)
    return abs(u - v) <= max(abs(u), abs(v), Decimal(1)) * TOLERANCE


def evaluate(model, form, at):
    p = subprocess.run([HAMEL, "eval", model, "--json", "--digits", "30", "--form", form, "--at", at], capture_output=True, text=True)
    if p.returncode:
        raise RuntimeError("exit %d: %s" % (p.returncode, p.stderr.strip()[:300]))
    return json.loads(p.stdout)


def check(entries, folder, forms):
    global passed, failed
    for e in entries:
        for form in forms:
            model = os.path.join(folder, e["model"]) if folder else e["model"]
            try:
                r = evaluate(model, form, e["at"])
                wrong = [k for k, v in e["qdd"].items() if not near(r["qdd"][k], v)]
                wrong += ["lambda[%s]" % k for k, v in e.get("lambda", {}).items() if not near(r["lambda"][k], v)]
            except (RuntimeError, KeyError, ValueError) as x:
                wrong = [repr(x)]
            if wrong:
                failed += 1
                print("FAIL %s %s: %s" % (e["model"], form, ", ".join(wrong)))
            else:
                passed += 1


def check_that_it_can_fail(entries):
    global passed, failed
    e = entries[0]
    name, value = next(iter(e["qdd"].items()))
    r = evaluate(e["model"], FORMS[0], e["at"])
    if near(r["qdd"][name], Decimal(value) + Decimal("1e-20")):
        failed += 1
        print("FAIL a value off by 1e-20 was not noticed")
    else:
        passed += 1


# A particle of mass m: what moves it beyond its weight and the given force is the reaction.
PARTICLE = """param m = 2, g = 9
coord x, y, z
kinetic m/2*(x'^2 + y'^2 + z'^2)
potential m*g*z
force x = 3*y
constraint bent: z' = y*x'
constraint tied: x' + 2*y' = (1 + t)*z
initial x = 1, y = 1/3, z = 1/4, x' = 1
"""


def check_reactions():
    global passed, failed
    with tempfile.NamedTemporaryFile("w", suffix=".ham") as file:
        file.write(PARTICLE)
        file.flush()
        for form in (*FORMS, "vakonomic"):
            r = evaluate(file.name, form, "x=1" if form in FORMS else "x=1, lambda[bent]=3, lambda[tied]=5")
            given = {"x": 3 * Decimal(r["q"]["y"]), "y": Decimal(0), "z": Decimal(-18)}
            wrong = [k for k in given if not near(r["reaction"][k], 2 * Decimal(r["qdd"][k]) - given[k])]
            rows = {"x": -Decimal(r["q"]["y"]) * Decimal(r["lambda"]["bent"]) + Decimal(r["lambda"]["tied"]),
                    "y": 2 * Decimal(r["lambda"]["tied"]), "z": Decimal(r["lambda"]["bent"])}
            if form in FORMS:  # vakonomic reactions have lambda' in them, and no such formula
                wrong += [k for k in rows if not near(r["reaction"][k], rows[k])]
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print("FAIL reactions of a particle by %s: %s" % (form, wrong))


entries = json.load(open(os.path.join(HERE, "reference.json")))
check(entries, None, FORMS)
check_that_it_can_fail(entries)
check_reactions()
shared = os.path.join(HERE, "..", "..", "..", "shared", "cases")
if os.path.exists(os.path.join(shared, "expected.json")):
    outside = json.load(open(os.path.join(shared, "expected.json")))
    check([e for e in outside if e["form"] == "multipliers"], shared, FORMS)
if passed + failed < 2 * len(entries) or len(entries) < 20:
    failed += 1
    print("FAIL only %d of 20 references, %d comparisons" % (len(entries), passed + failed))
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
