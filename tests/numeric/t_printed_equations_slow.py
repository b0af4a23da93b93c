#!/usr/bin/python3
"""What is printed is what is computed: the equations of library models, read back by SymPy from --format sympy, hold at the initial
state with the accelerations and multipliers that `hamel eval` gives there. One model in six; all in make test-long."""
import json
import os
import re
import subprocess
import sys

import sympy

from _checks import run_size

HAMEL = os.environ["HAMEL"]
FORMS = ("maggi", "multipliers")
# What must be refused, in these words; all else must be printed.
ABSTRACT = ("rs_3_1_printed", "rs_3_2_printed", "rs_3_3_matrices", "rs_3_4_abstract", "rs_3_4_printed", "rs_4_1_forces")
REFUSED = {**{(model, form): "is abstract and has no values" for model in ABSTRACT for form in FORMS},
           ("gentle_lift", "maggi"): "(`maggi`) cannot be used here: constraint `cable` is of order 3"}
# Functions from files, at the first knot, where a spline has the value that is written there
FROM_DATA = {("measured_road", "z"): "0"}
TOLERANCE = sympy.Float("1e-24", 40)  # 30 digits in, a few lost to cancellation
passed = failed = 0


def hamel(*arguments):
    p = subprocess.run([HAMEL, *arguments], capture_output=True, text=True)
    if p.returncode:
        raise RuntimeError("exit %d: %s" % (p.returncode, p.stderr[:400]))
    return p.stdout


def values_at_initial_state(model, form):
    """Every name of the model language with its value."""
    e = json.loads(hamel("eval", model, "--json", "--digits", "34", "--form", form))
    v = {"t": e["t"]}
    v.update(e["q"])
    v.update({k + "'": x for k, x in e["qd"].items()})
    v.update({k + "''": x for k, x in e["qdd"].items()})
    v.update(e["eta"])
    v.update({k + "'": x for k, x in e["etad"].items()})
    v.update({"lambda[%s]" % k: x for k, x in e["lambda"].items()})
    v.update({"lambda[%s]'" % k: x for k, x in e.get("lambdad", {}).items()})
    v.update({"held_%s" % k: x for k, x in e.get("input", {}).items()})  # what a clock holds it at
    return v


def number(expression, table):
    """The value of an expression; entries of the table may be expressions in other entries (parameters, givens)."""
    for _ in range(4):
        expression = expression.xreplace({s: table[s] for s in expression.free_symbols if s in table})
    value = sympy.N(expression, 40)
    if value.free_symbols:
        raise RuntimeError("no value for %s" % value.free_symbols)
    return value


def check(model, form):
    described = json.loads(hamel("describe", model, "--json"))
    parameters = {p["name"]: sympy.sympify(p["sympy"]) for p in described["parameters"]}
    values = values_at_initial_state(model, form)
    numbers = {k: sympy.Float(x, 40) for k, x in values.items()}
    # --- SymPy format: the comments say which name stands for what
    python_names = {}
    equations = []
    for line in hamel("derive", model, "--form", form, "--format", "sympy").splitlines():
        m = re.match(r"# (\S+) = (\S+)$", line)
        if m:
            python_names[m.group(1)] = m.group(2)
        elif line.startswith("Eq("):
            equations.append(line)
    table = {sympy.Symbol(p): numbers[n] for p, n in python_names.items() if n in numbers}
    for name, value in numbers.items():
        table.setdefault(sympy.Symbol(name), value)
    for name, value in parameters.items():
        table[sympy.Symbol(next((p for p, n in python_names.items() if n == name), name))] = value
    givens = {g["name"]: sympy.sympify(g["sympy"]) for g in described["givens"] if (model, g["name"]) not in FROM_DATA}
    for (of, name), value in FROM_DATA.items():
        if of == model:
            table[sympy.Symbol(name)] = sympy.Float(value, 40)
    t = sympy.Symbol("t")
    for name, f in givens.items():
        for order in range(4):
            table[sympy.Symbol(name + ("_" + "t" * order if order else ""))] = f
            f = sympy.diff(f, t)
    for law in described["inputs"]:
        table[sympy.Symbol(law["name"])] = sympy.sympify(law["sympy"])
    worst = judged = 0
    for line in equations:
        left, right = sympy.sympify(line, evaluate=False).args
        if isinstance(left, sympy.Symbol) and left not in table:  # a named common subexpression
            table[left] = number(right, table)
        elif "_ttt" in line:  # third derivatives, which eval does not give
            continue
        else:
            worst = max(worst, abs(number(left - right, table)))
            judged += 1
    if judged < len(described["coords"]):
        raise RuntimeError("%d equations are printed of %d coordinates" % (judged, len(described["coords"])))
    return worst


def wrong_with(model, form):
    """What is wrong with the equations, or nothing."""
    try:
        worst = check(model, form)
    except (RuntimeError, KeyError, TypeError, AttributeError, sympy.SympifyError) as x:
        refused = REFUSED.get((model, form))
        return "" if refused and isinstance(x, RuntimeError) and refused in str(x) else repr(x)[:400]
    if (model, form) in REFUSED:
        return "it has values, and was expected to be refused"
    return "" if worst < TOLERANCE else "residual %s" % worst


models = [m["name"] for m in json.loads(hamel("models", "--json"))["models"]][::run_size(6, 1)]
for model in models:
    for form in FORMS:
        wrong = wrong_with(model, form)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print("FAIL %s %s: %s" % (model, form, wrong))
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
