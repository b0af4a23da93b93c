#!/usr/bin/python3
"""Claims that are made to mislead `hamel prove`, by family; each says which verdicts are right. Every refutation is checked from its own words:
the state satisfies the constraints to 30 digits by `hamel eval`, and the enclosure of the residual excludes 0."""
import json
import os
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

HAMEL = os.environ["HAMEL"]
CONSTRAINT_DIGITS = Decimal("1e-30")  # of a witness on the constraints

PROVED, REFUTED, UNDECIDED = {"proved"}, {"refuted"}, {"undecided"}
NOT_REFUTED = {"proved", "undecided"}  # true, and it is enough not to deny it
NOT_PROVED = {"refuted", "undecided"}  # false somewhere, and it is enough not to assert it

PARTICLE = """
param m = 1, k = 2, a = 3/2, b
coord x, y, z
function f(u)
function g(u, v)
function h(u) = u^2
given s = t^2
given open
kinetic m/2*(x'^2 + y'^2 + z'^2)
constraint c: z' = y*x'
initial x = 0.3, y = 0.7, z = 0.1, x' = 1, y' = -0.4
"""

CONE = """
param a = 2
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential z
constraint c: z'^2 = {factor}*(x'^2 + y'^2)
initial x = 0, y = 0, z = 0, x' = 0.6, y' = 0.8, z' = {start}
"""

THREE_PLANES = """
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential z
constraint c: (z' - x')*(z' - 2*x')*(z' - 3*x' - y') = 0
initial x = 0, y = 0, z = 0, x' = 0.6, y' = 0.8, z' = 0.6
"""

CIRCLE = """
param l = 2
coord x, y
kinetic (x'^2 + y'^2)/2
potential x
constraint c: x^2 + y^2 = l^2
initial x = 1, x' = 0.5
"""

LINES = """
coord x, y
kinetic (x'^2 + y'^2)/2
potential x
constraint c: x^2 = y^2
initial x = 1, y = 1, x' = 0.5
"""

RHEONOMIC = """
coord x, y
kinetic (x'^2 + y'^2)/2
constraint c: y' = t*x' + t
initial x = 1, y = 1, x' = 0.5
"""

SINGULAR = """
coord x, y
kinetic x'^2/2
potential x^2 + y^2
initial x = 1, y = 1
"""

# family: (model, [(claim, right verdicts), ...]); a fourth word: what the remark must say
FAMILIES = {
    "what holds on the constraints only is proved": (PARTICLE, [
        ("z' = y*x'", PROVED, "every acceleration"),
        ("z'^2 + sin(z') = y^2*x'^2 + sin(y*x')", NOT_REFUTED),
        ("z'' = y'*x' + y*x''", PROVED, "every acceleration"),
        ("x'*z' = y*x'^2", PROVED),
        ("(z' - y*x')*exp(x'') = 0", PROVED, "every acceleration"),
    ]),
    "what holds off the constraints only is refuted": (PARTICLE, [
        ("z' = y*x' + 1", REFUTED),
        ("z' = 2*y*x'", REFUTED),
        ("z'' = 0", REFUTED),
        ("(z' - y*x')*x = 1", REFUTED),
        ("x'' = 0", REFUTED),
    ]),
    "the motion is told from its near misses": (PARTICLE, [
        ("x''*(1 + y^2) = -y*y'*x'", PROVED),
        ("x''*(1 + y^2) = y*y'*x'", REFUTED),
        ("x''*(1 + y^2) = -y*y'*x'*(1 + 1e-30)", REFUTED),
        ("x''*(1 + y^2) + y*y'*x' = x*1e-40", REFUTED),
        ("y'' = 0", PROVED),
    ]),
    "a statement about the branch of the initial state says where it holds": (CONE.format(factor="a^2", start=2), [
        ("z' = a*sqrt(x'^2 + y'^2)", PROVED, "a > 0"),
        ("z' = -a*sqrt(x'^2 + y'^2)", REFUTED),
        ("z'^2 = a^2*(x'^2 + y'^2)", PROVED),
        ("abs(z') = abs(a)*sqrt(x'^2 + y'^2)", NOT_REFUTED),
        ("z'*z'' = a^2*(x'*x'' + y'*y'')", PROVED),
        ("2*lambda*z' = z'' + 1", PROVED),
    ]),
    "on the branch of the initial state a root has one sign": (CONE.format(factor="1", start=1), [
        ("z' = sqrt(x'^2 + y'^2)", PROVED, "on this branch"),
        ("z' = -sqrt(x'^2 + y'^2)", REFUTED),
        ("z'*z'' = x'*x'' + y'*y''", PROVED),
    ]),
    "and so on the other branch": (CONE.format(factor="a^2", start=-2), [
        ("z' = a*sqrt(x'^2 + y'^2)", REFUTED),
        ("z' = -a*sqrt(x'^2 + y'^2)", PROVED, "a > 0"),
        ("z'*z'' = a^2*(x'*x'' + y'*y'')", PROVED),
    ]),
    "a constraint that falls apart is read on the branch of the initial state": (THREE_PLANES, [
        ("z' = x'", PROVED, "on this branch"),
        ("z' = 2*x'", REFUTED),
        ("z' = 3*x' + y'", REFUTED),
        ("(z' - x')*(z' - 2*x')*(z' - 3*x' - y')*x = 0", PROVED),
    ]),
    "positions on a constraint have two signs": (CIRCLE, [
        ("y = sqrt(l^2 - x^2)", NOT_PROVED),
        ("y = -sqrt(l^2 - x^2)", REFUTED),
        ("sqrt(x^2 + y^2) = l", NOT_REFUTED),
        ("sqrt(x^2 + y^2) = -l", REFUTED),
        ("x^2 + y^2 = l^2", PROVED),
        ("x*x' + y*y' = 0", PROVED),
        ("x*x'' + y*y'' + x'^2 + y'^2 = 0", PROVED),
    ]),
    "positions on two crossing lines are on that of the initial state": (LINES, [
        ("x = y", PROVED, "on this branch"),
        ("x = -y", REFUTED),
        ("x' = y'", PROVED, "on this branch"),
        ("x*x' = y*y'", PROVED),
    ]),
    "the root of a square is an absolute value": (PARTICLE, [
        ("sqrt(x^2) = abs(x)", NOT_REFUTED),
        ("sqrt(x^2) = x", REFUTED),
        ("sqrt(y^2) = -y", REFUTED),
        ("sqrt(x^2 + 2*x*y + y^2) = x + y", REFUTED),
        ("sqrt(x^2 - 2*x*y + y^2) = x - y", REFUTED),
        ("sqrt((x^2 + 1)^2) = x^2 + 1", NOT_REFUTED),
        ("sqrt((x^2 + 1)^2) = -x^2 - 1", REFUTED),
        ("sqrt(x^4) = x^2", NOT_REFUTED),
        ("(x^4)^(1/4) = x", REFUTED),
        ("(x^2)^(1/6) = x^(1/3)", NOT_REFUTED),
        ("sqrt(x)*sqrt(y) = sqrt(x*y)", NOT_REFUTED),
        ("sqrt(3 + 2*sqrt(2)) = 1 + sqrt(2)", NOT_REFUTED),
        ("sqrt(3 + 2*sqrt(2)) = -1 - sqrt(2)", REFUTED),
        ("sqrt(2)*sqrt(3) = sqrt(6)", NOT_REFUTED),
        ("sqrt(2)*sqrt(3) = -sqrt(6)", REFUTED),
        ("sqrt(1 + x^2)^2 = 1 + x^2", PROVED),
        ("1/(sqrt(1 + x^2) - x) = sqrt(1 + x^2) + x", PROVED),
    ]),
    "signs that are wrong in one orthant only are not proved": (PARTICLE, [
        ("abs(x) = x", REFUTED),
        ("abs(x + y) = x + y", REFUTED),
        ("abs(x)*abs(y) = abs(x*y)", NOT_REFUTED),
        ("abs(x)^2 = x^2", PROVED),
        ("(abs(x) - x)*(abs(y) - y) = 0", NOT_PROVED),
        ("(abs(x) - x)*(abs(y) - y)*(abs(z) - z) = 0", NOT_PROVED),
        ("(abs(x) - x)*(abs(y) - y)*(abs(z) - z)*(abs(x') - x') = 0", NOT_PROVED),
        ("(abs(x) - x)*(abs(y) - y)*(abs(z) - z)*(abs(x') - x')*(abs(y') - y') = 0", NOT_PROVED),
        ("(abs(x) - x)*(abs(x) + x) = 0", PROVED),
        ("(abs(x) - x)*(abs(y) - y)*(abs(z) - z)*(sqrt(x^2) + x)*(sqrt(y^2) + y)*(abs(y') - y')*(abs(x') - x') = 0", NOT_REFUTED),
        ("sign(x) = 1", REFUTED),
        ("sign(x)*abs(x) = x", PROVED),
        ("sign(x)^2 = 1", PROVED),
        ("(sign(x) - 1)*(sign(y) - 1)*(sign(z) - 1)*(sign(y') - 1) = 0", NOT_PROVED),
    ]),
    "the lesser and the greater": (PARTICLE, [
        ("min(x, y) + max(x, y) = x + y", PROVED),
        ("min(x, y)*max(x, y) = x*y", PROVED),
        ("max(x, y) - min(x, y) = abs(x - y)", PROVED),
        ("min(x, y) = x", REFUTED),
        ("max(x, y) - min(x, y) = x - y", REFUTED),
        ("min(x, y, z) = min(x, min(y, z))", NOT_REFUTED),
        ("max(x, -x) = abs(x)", NOT_REFUTED),
        ("max(x, -x) = x", REFUTED),
    ]),
    "multiples of angles": (PARTICLE, [
        ("sin(3*x) = 3*sin(x) - 4*sin(x)^3", PROVED),
        ("sin(3*x) = 3*sin(x) - 4*sin(x)^2", REFUTED),
        ("sin(3*x) = 3*sin(x) - 3*sin(x)^3", REFUTED),
        ("cos(2*x) = 2*cos(x)^2 - 1", PROVED),
        ("cos(2*x) = 2*cos(x)^2 + 1", REFUTED),
        ("cos(2*x) = 1 - 2*cos(x)^2", REFUTED),
        ("cos(5*x) = 16*cos(x)^5 - 20*cos(x)^3 + 5*cos(x)", PROVED),
        ("cos(5*x) = 16*cos(x)^5 - 20*cos(x)^3 + 4*cos(x)", REFUTED),
        ("sin(x + 2*pi) = sin(x)", PROVED),
        ("sin(x + pi) = sin(x)", REFUTED),
        ("sin(x + pi/2) = cos(x)", PROVED),
        ("tan(x + pi) = tan(x)", PROVED),
        ("tan(x/2) = sin(x)/(1 + cos(x))", PROVED),
        ("tan(x/2) = sin(x)/(1 - cos(x))", REFUTED),
        ("sin(pi/7 + x) = sin(pi/7)*cos(x) + cos(pi/7)*sin(x)", NOT_REFUTED),
        ("sin(pi/7 + x) = sin(pi/7)*cos(x) - cos(pi/7)*sin(x)", REFUTED),
        ("cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) = 1/8", NOT_REFUTED),
        ("cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) = 1/9", REFUTED),
        ("sin(x)*sin(y) = (cos(x - y) - cos(x + y))/2", PROVED),
        ("sin(x)*sin(y) = (cos(x - y) + cos(x + y))/2", REFUTED),
        ("sin(x*(y + 1)) = sin(x*y)*cos(x) + cos(x*y)*sin(x)", NOT_REFUTED),
        ("sin(x)^2 = sin(x^2)", REFUTED),
        ("sin(1000*x) = 1000*sin(x)", REFUTED),
    ]),
    "angles that differ by next to nothing": (PARTICLE, [  # apart: its denominators are those of every other claim beside it
        ("sin(x + 1e-12) = sin(x)", REFUTED),
        ("sin(x + 1e-12 - 1e-12) = sin(x)", PROVED),
        ("sin(x) = sin(x*(1 + 1e-12))", REFUTED),
    ]),
    "inverse functions have branches": (PARTICLE, [
        ("atan2(y, x) = atan(y/x)", REFUTED),
        ("asin(sin(x)) = x", REFUTED),
        ("tan(atan(x)) = x", NOT_REFUTED),
        ("sin(asin(x/10)) = x/10", NOT_REFUTED),
        ("acos(x/10) + asin(x/10) = pi/2", NOT_REFUTED),
        ("acos(x/10) - asin(x/10) = pi/2", REFUTED),
    ]),
    "exponentials and logarithms": (PARTICLE, [
        ("log(x*y) = log(x) + log(y)", NOT_REFUTED),
        ("log(x*y) = log(x)*log(y)", REFUTED),
        ("log(x^2) = 2*log(x)", NOT_REFUTED),
        ("log(exp(x)) = x", NOT_REFUTED),
        ("exp(log(x)) = x", NOT_REFUTED),
        ("exp(x)^2 = exp(2*x)", PROVED),
        ("exp(x)^2 = exp(x^2)", REFUTED),
        ("exp(x + y) = exp(x)*exp(y)", PROVED),
        ("exp(x + y) = exp(x) + exp(y)", REFUTED),
        ("cosh(x)^2 - sinh(x)^2 = 1", PROVED),
        ("cosh(x)^2 + sinh(x)^2 = 1", REFUTED),
        ("tanh(x) = (exp(2*x) - 1)/(exp(2*x) + 1)", PROVED),
        ("x^y*x^z = x^(y + z)", NOT_REFUTED),
        ("(x^3)^(1/3) = x", NOT_REFUTED),
        ("exp(pi) = 23.1406926327792690057290863679", REFUTED),
        ("e^pi - pi = 20", REFUTED),
    ]),
    "parameters that cancel": (PARTICLE, [
        ("(m*x'' + m*k)/m = x'' + k", PROVED),
        ("(m*x'' + k)/m = x'' + k", PROVED, "parameter values"),
        ("m*z'' = lambda", PROVED),
        ("m^2*z''/m = lambda", PROVED),
        ("b*(x + 1)/b = x + 1", PROVED),
    ]),
    "coincidences of parameter values are named": (PARTICLE, [
        ("m*x' = x'", PROVED, "parameter values"),
        ("a + 1/2 = k", PROVED, "parameter values"),
        ("k^2 = 2*k", PROVED, "parameter values"),
        ("z'' = lambda", PROVED, "parameter values"),
        ("a = k", REFUTED),
        ("b = 1", NOT_PROVED),
        ("b = 3/4", NOT_PROVED),
        ("abs(m) = m", NOT_REFUTED),
        ("sqrt(k^2) = -k", REFUTED),
    ]),
    "abstract functions: what holds for all of them, and what for some": (PARTICLE, [
        ("ddt(f(x)) = diff(f(x), x)*x'", PROVED, "every acceleration"),
        ("ddt(f(x)) = -diff(f(x), x)*x'", REFUTED),
        ("f(x + y) = f(y + x)", PROVED),
        ("f(x + y) = f(x) + f(y)", NOT_PROVED),
        ("f(x)^2 = f(x)", NOT_PROVED),
        ("f(-x) = f(x)", NOT_PROVED),
        ("f(sin(x)^2 + cos(x)^2) = f(1)", PROVED),
        ("f((x + 1)^2) = f(x^2 + 2*x + 1)", PROVED),
        ("diff(diff(g(x, y), x), y) = diff(diff(g(x, y), y), x)", PROVED),
        ("diff(g(x, y), x) = diff(g(x, y), y)", NOT_PROVED),
        ("g(x, y) = g(y, x)", NOT_PROVED),
        ("f(z') = f(y*x')", PROVED),
    ]),
    "givens: what needs the definition says so": (PARTICLE, [
        ("s = t^2", PROVED, "given functions"),
        ("s' = 2*t", PROVED, "given functions"),
        ("s'' = 2", PROVED, "given functions"),
        ("s'' = 3", REFUTED),
        ("ddt(s) = s'", PROVED, "every acceleration"),
        ("s*s'' = s'^2/2", PROVED, "given functions"),
        ("s*s'' = s'^2", REFUTED),
        ("open' = 0", NOT_PROVED),
        ("ddt(open^2) = 2*open*open'", PROVED),
        ("h(x + 1) = x^2 + 2*x + 1", PROVED),
    ]),
    "division by what vanishes on the constraints is not refuted into a number": (PARTICLE, [
        ("1/(z' - y*x') = 0", NOT_PROVED),
        ("1/(z' - y*x') = 1/(z' - y*x') + 1", NOT_PROVED),
        ("x/(z'^2 - y^2*x'^2) = 1", UNDECIDED),
        ("(z' - y*x')/(z'^2 - y^2*x'^2) = 1/(z' + y*x')", UNDECIDED),
    ]),
    "nothing at all": (PARTICLE, [
        ("0 = 0", PROVED),
        ("1 = 1", PROVED),
        ("x = x", PROVED),
        ("0 = 1", REFUTED),
        ("x - x = 1e-100", REFUTED),
        ("0*x'' = 0", PROVED),
    ]),
    "reactions": (PARTICLE, [
        ("m*z'' = lambda", PROVED),
        ("m*z'' = -lambda", REFUTED),
        ("m*x'' = -lambda*y", PROVED),
        ("m*x'' = lambda*y", REFUTED),
        ("lambda = m*x'*y'/(1 + y^2)", PROVED),
        ("lambda = m*x'*y'/(1 - y^2)", REFUTED),
        ("lambda*x' = 0", REFUTED),
        ("lambda[c] = lambda", PROVED),
    ]),
    "what is true at the initial time only is refuted later": (RHEONOMIC, [
        ("y' = 0", REFUTED),
        ("t*x = 0", REFUTED),
        ("y' = t*x' + t", PROVED),
        ("y'' = x' + t*x'' + 1", PROVED),
        ("y'' = x' + 1", REFUTED),
        ("x''*(1 + t^2) = -t*(x' + 1)", PROVED),
        ("x''*(1 + t) = -t*(x' + 1)", REFUTED),
    ]),
    "a singular mass matrix proves nothing and ends": (SINGULAR, [
        ("x'' = -2*x", NOT_REFUTED),
        ("x'' = 2*x", NOT_PROVED),
    ]),
}


def run(*arguments):
    return subprocess.run([HAMEL, *arguments], capture_output=True, text=True, timeout=100)


def witness_fault(path, verdict):
    """None if the witness stands: on the constraints to 30 digits, the enclosure without 0."""
    middle, _, radius = verdict["residual"].strip("[]").partition(" +/- ")
    if not abs(Decimal(middle)) > Decimal(radius or "0"):
        return f"the enclosure {verdict['residual']} does not exclude 0"
    state = dict(verdict["witness"])
    parameters = [name for name in state if name in ("m", "k", "a", "b", "l")]
    sets = [word for name in parameters for word in ("--set", f"{name}={state.pop(name)}")]
    at = ", ".join(f"{name}={value}" for name, value in state.items())
    result = run("eval", path, *sets, "--at", at, "--digits", "40", "--json")
    if result.returncode:
        return "eval: " + result.stderr.strip() + result.stdout.strip()
    evaluated = json.loads(result.stdout)
    if not evaluated["residual"]:
        return "eval gives no residuals"
    for name, value in evaluated["residual"].items():
        if abs(Decimal(value)) > CONSTRAINT_DIGITS:
            return f"constraint {name} is {value} at the witness"
    for name, value in state.items():  # eval may move what does not fit: then the witness was none
        there = evaluated["t"] if name == "t" else evaluated["qd"][name[:-1]] if name.endswith("'") else evaluated["q"][name]
        if abs(Decimal(there) - Decimal(value)) > CONSTRAINT_DIGITS * max(1, abs(Decimal(value))):
            return f"{name} = {value} was moved to {there}"
    return None


def judge(model, claims, scratch, *options):
    path = os.path.join(scratch, "claims.ham")
    with open(path, "w") as file:
        file.write(model + "".join(f"claim c{i}: {claim[0]}\n" for i, claim in enumerate(claims)))
    result = run("prove", path, "--json", "--form", "maggi", *options)
    if result.returncode not in (0, 3, 4):
        return [f"exit status {result.returncode}: {result.stderr}"]
    verdicts = {v["name"]: v for v in json.loads(result.stdout)["verdicts"] if v["kind"] == "claim"}
    faults = []
    for i, (claim, right, *remark) in enumerate(claims):
        verdict = verdicts[f"c{i}"]
        if verdict["verdict"] not in right:
            faults.append(f"`{claim}` is {verdict['verdict']}, not {' or '.join(sorted(right))}")
        said = " ".join([verdict.get("remark", ""), *verdict.get("scope", []), verdict.get("place", ""), "every acceleration" if verdict.get("identity") else ""])
        if remark and remark[0] not in said:
            faults.append(f"`{claim}`: the remark `{said}` does not speak of {remark[0]}")
        if verdict["verdict"] == "proved" and not remark and "of the model" in verdict.get("remark", "") and right == PROVED:
            faults.append(f"`{claim}` is proved {verdict['remark']}")
        functions_open = re.search(r"\b[fg]\(|\bopen|\bb\b", claim)  # stand-ins were used: eval has no values for them
        if verdict["verdict"] == "refuted" and not functions_open:
            fault = witness_fault(path, verdict)
            if fault:
                faults.append(f"`{claim}`: {fault}")
    return faults


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for family, (model, claims) in FAMILIES.items():
            for options in ((), ("--certify",)):
                faults = judge(model, claims, scratch, *options)
                passed += not faults
                failed += bool(faults)
                if faults:
                    print(" ".join((family, *options)), *faults, sep="\n  ")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
