#!/usr/bin/python3
"""A constraint and its time derivatives. Constraint by constraint replaced by ddt(..) = 0, a model has the same motion at every state on
the old constraints: the same accelerations and multipliers where the new ones are of order 2, and of order 3 if the multipliers, which are then
state, have the values they had; their rates must be the derivatives of those along the motion."""
import json
import os
import re
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext

getcontext().prec = 90
HAMEL = os.environ["HAMEL"]
SECOND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "second")
DIGITS = 30
TOLERANCE = Decimal("1e-28")  # of numbers printed with 30 digits
STEP = Decimal("1e-20")  # of a central difference: its error is of the size 1e-40
HIGHER = ("maggi", "multipliers", "gauss", "udwadia", "appell")  # forms that treat order 2
passed = failed = 0


def hamel(*arguments):
    p = subprocess.run([HAMEL, *arguments], capture_output=True, text=True, timeout=60)
    if p.returncode:
        raise RuntimeError("exit %d: %s" % (p.returncode, p.stderr.strip()[:300]))
    return p.stdout


def evaluate(file, form, at, digits=DIGITS):
    return json.loads(hamel("eval", file, "--json", "--digits", str(digits), "--form", form, "--at", at))


def state_of(r, shift=Decimal(0)):
    """What --at reads: the state of an evaluation, moved along its motion by a small time."""
    parts = ["t=%s" % (Decimal(r["t"]) + shift)]
    for x in r["q"]:
        parts.append("%s=%s" % (x, Decimal(r["q"][x]) + shift * Decimal(r["qd"][x])))
        parts.append("%s'=%s" % (x, Decimal(r["qd"][x]) + shift * Decimal(r["qdd"][x])))
    return ", ".join(parts)


def differentiated(text, times):
    """The model with ddt(..) = 0 in the place of each constraint, without what speaks of its initial state or of its quasi-velocities."""
    def change(m):
        left, right = m.group(3).split("=")
        return "%sconstraint %s: %s%s - (%s)%s = 0" % (m.group(1), m.group(2), "ddt(" * times, left.strip(), right.strip(), ")" * times)
    text = re.sub(r"(?m)^(claim|invariant|initial|simulate|observe|draw|event|quasi|independent)\b.*(\n[ \t]+.*)*\n?", "", text)
    text, count = re.subn(r"(?m)^(\s*)constraint (\w+): ([^=\n#]*=[^=\n#]*)(#.*)?$", change, text)
    assert count, "no constraint was found"
    return text


def near(u, v):
    u, v = Decimal(u), Decimal(v)
    return abs(u - v) <= max(abs(u), abs(v), Decimal(1)) * TOLERANCE


def differences(part, got, expected):
    return ["%s %s is %s, expected %s" % (part, name, got[part][name], value) for name, value in expected[part].items()
            if not near(got[part][name], value)]


def count(label, wrong):
    global passed, failed
    if wrong:
        failed += 1
        print("FAIL %s: %s" % (label, "; ".join(wrong)))
    else:
        passed += 1


def multiplier_rates(file, old):
    """d/dt of the multipliers of the old motion, by a central difference with many digits."""
    ahead, behind = (evaluate(file, "multipliers", state_of(old, shift), 80) for shift in (STEP, -STEP))
    return {name: (Decimal(ahead["lambda"][name]) - Decimal(behind["lambda"][name])) / (2 * STEP) for name in old["lambda"]}


def compare(name, text, order, start, folder):
    """A model whose constraints are of this order (1 or 2) against itself with their derivatives."""
    files = []
    for times in range(3 - order + 1):
        files.append(os.path.join(folder, "%s_%d.ham" % (name, order + times)))
        open(files[-1], "w").write(differentiated(text, times) if times else text)
    at = state_of(evaluate(files[0], "multipliers", start, 80))
    old = evaluate(files[0], "multipliers", at, 80)
    for times, file in enumerate(files[1:], start=1):
        third = order + times == 3
        state = at + "".join(", lambda[%s]=%s" % item for item in old["lambda"].items()) if third else at
        for form in ("multipliers",) if third else HIGHER:
            new = evaluate(file, form, state)
            wrong = differences("qdd", new, old) + differences("lambda", new, old)
            if third:
                wrong += differences("lambdad", new, {"lambdad": multiplier_rates(files[0], old)})
            count("%s as a constraint of order %d, by %s" % (name, order + times, form), wrong)


states = {e["model"]: e["at"] for e in json.load(open(os.path.join(SECOND, "expected.json")))}
with tempfile.TemporaryDirectory() as folder:
    for model, order in (("sleigh", 1), ("constant_speed", 1), ("vertical_disc", 1), ("rs_3_3_appell", 1), ("tangential_acceleration", 2)):
        compare(model, hamel("show", model), order, "t=2/7", folder)
    for model, order in (("belt_sleigh", 1), ("cubic", 1), ("quasi_affine", 1), ("two_thrusts", 2)):
        compare(model, open(os.path.join(SECOND, model + ".ham")).read(), order, states[model + ".ham"], folder)
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
