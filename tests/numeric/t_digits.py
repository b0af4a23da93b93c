#!/usr/bin/python3
"""`eval --digits 40` agrees with `eval --digits 60` in all 40 digits, on the library models that have values (one in three, all in make test-long), by every form that applies; and the
forms agree with each other in all 40."""
import json
import os
import subprocess
import sys
from decimal import Decimal, getcontext

from _checks import run_size

getcontext().prec = 80
HAMEL = os.environ["HAMEL"]
FORMS = ("maggi", "multipliers", "lagrange")
WITHOUT_VALUES = "is abstract and has no values"  # models about arbitrary functions
passed = failed = 0


def evaluate(model, form, digits):
    """The numbers, or the reason why there are none: of two that are good reasons."""
    p = subprocess.run([HAMEL, "eval", model, "--json", "--form", form, "--digits", str(digits)], capture_output=True, text=True)
    if p.returncode == 0:
        return json.loads(p.stdout), None
    if p.returncode == 2 and WITHOUT_VALUES in p.stderr:
        return None, WITHOUT_VALUES
    if p.returncode == 2 and f"(`{form}`) cannot be used here: " in p.stderr:
        return None, "does not apply"
    report("%s %s, %d digits" % (model, form, digits), ["exit status %d: %s" % (p.returncode, p.stderr.strip()[:300])])
    return None, "failed"


def numbers(result):
    for group in ("qdd", "eta", "etad", "lambda", "reaction"):
        for name, value in result[group].items():
            yield "%s[%s]" % (group, name), value
    yield "energy", result["energy"]


def same_digits(short, long):
    """Equal to within one unit of the 40th digit of the number (of 1 where the number is 0)."""
    a, b = Decimal(short), Decimal(long)
    unit = Decimal(1).scaleb((a.adjusted() if a else 0) - 39)
    return abs(a - b) <= unit


def report(name, wrong):
    global passed, failed
    passed, failed = passed + (not wrong), failed + bool(wrong)
    if wrong:
        print("FAIL %s: %s" % (name, ", ".join(wrong)))


evaluated, abstract = set(), set()
models = [m["name"] for m in json.loads(subprocess.run([HAMEL, "models", "--json"], capture_output=True, text=True).stdout)["models"]][::run_size(3, 1)]
for model in models:
    first = None
    for form in FORMS:
        (short, reason), (long, same) = evaluate(model, form, 40), evaluate(model, form, 60)
        if short is None or long is None:
            if reason != same:
                report("%s %s" % (model, form), ["%s with 40 digits, %s with 60" % (reason or "values", same or "values")])
            if reason == WITHOUT_VALUES:
                abstract.add(model)
            continue
        evaluated.add(model)
        fine = dict(numbers(long))
        report("%s %s, 40 digits against 60" % (model, form), [k for k, v in numbers(short) if not same_digits(v, fine[k])])
        if first is None:
            first = (form, dict(numbers(short)))
        else:
            report("%s %s against %s" % (model, form, first[0]), [k for k, v in numbers(short) if not same_digits(v, first[1][k])])
if same_digits("0.1", "0.1000000000000000000000000000000000000002"):
    report("a difference in the 40th digit is noticed", ["it was not"])
if len(abstract) > 6 or evaluated | abstract != set(models):
    report("the library was evaluated", ["abstract: %s; not evaluated: %s" % (sorted(abstract), sorted(set(models) - evaluated - abstract))])
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
