"""Random expressions against SymPy: x'' of a unit mass under `force x = E`, by `hamel eval` to 30 digits, is E.

$HAMEL_SEED and $HAMEL_CASES ask for others, or more of them."""
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

import mpmath
import sympy

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from counting import check, finish  # noqa: E402

HAMEL = os.environ["HAMEL"]
SEED = int(os.environ.get("HAMEL_SEED") or 12)
CASES = int(os.environ.get("HAMEL_CASES") or 400)
DIGITS = 30
WIDE = 120  # evalf() to 40 loses digits of nested functions, tan of 10^19
UNLIMITED = (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2
PATIENCE = 20  # seconds: what SymPy cannot evaluate in them is left out

# name in the language: (SymPy's name, value), all exact
STATE = {"t": "7/8", "x": "5/4", "y": "-3/8", "z": "9/4", "x'": "1/2", "y'": "-7/4", "z'": "3/8"}
PARAMETERS = {"a": "3/2", "b": "-2", "n": "3"}
FUNCTIONS = ["sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "exp", "abs", "sign", "sqrt", "log"]
NUMBERS = ["2", "3", "0.1", "1/3", "17", "1e-3", "12345678901234567890", "pi", "0.75"]
EXPONENTS = ["2", "3", "(-1)", "(-2)", "(1/2)", "(3/2)", "(-1/2)", "(1/3)", "(2/3)", "0", "n"]


def expression(draw, depth, kept):
    """A random expression as text; parts that were written come again, so that like bases and terms meet."""
    if kept and draw.random() < 0.15:
        return draw.choice(kept)
    kind = draw.random()
    inner = lambda: expression(draw, depth - 1, kept)  # noqa: E731
    if depth <= 0 or kind < 0.1:
        return draw.choice(list(STATE) + list(PARAMETERS) + NUMBERS)
    if kind < 0.3:
        text = "(" + draw.choice([" + ", " - "]).join(inner() for _ in range(draw.randint(2, 3))) + ")"
    elif kind < 0.5:
        text = "(" + draw.choice(["*", "*", "/"]).join(inner() for _ in range(draw.randint(2, 3))) + ")"
    elif kind < 0.55:
        text = f"(-{inner()})"
    elif kind < 0.7:
        base = draw.choice([inner(), f"exp({inner()})", f"(1 + {inner()}^2)", f"abs({inner()})"])
        text = f"({base}^{draw.choice(EXPONENTS)})"
    elif kind < 0.78:
        base = draw.choice([f"({inner()}*exp({inner()}))", f"(2 + {inner()}^2)", f"abs({inner()})"])
        text = f"({base}^{draw.choice(EXPONENTS)}*{base}^{draw.choice(EXPONENTS)})"
    elif kind < 0.92:
        text = f"{draw.choice(FUNCTIONS)}({inner()})"
    elif kind < 0.95:
        text = f"{draw.choice(['asin', 'acos'])}(tanh({inner()}))"
    elif kind < 0.97:
        text = f"atan2({inner()}, {inner()})"
    else:
        text = f"{draw.choice(['min', 'max'])}({inner()}, {inner()})"
    if len(text) < 80:
        kept.append(text)
    return text


def agrees(found, expected):
    return abs(sympy.Float(found, 40) - expected) <= (abs(expected) + 1) * sympy.Float(10) ** (2 - DIGITS)


def by_mpmath(text):
    """The same without SymPy, which takes acos(tanh(exp(4))) for 0: a second opinion where the first differs."""
    with mpmath.workdps(WIDE):
        number = re.sub(r"(?<![\w.])(\d+(?:\.\d+)?(?:e-?\d+)?)", r"mpf('\1')", text.replace("'", "_t").replace("^", "**"))
        names = {name: getattr(mpmath, name, None) for name in "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt sign mpf pi e".split()}
        names.update({"abs": abs, "min": min, "max": max})
        for name, value in {**STATE, **PARAMETERS}.items():
            exact = sympy.Rational(value)
            names[name.replace("'", "_t")] = mpmath.mpf(exact.p) / exact.q
        return sympy.Float(eval(number, {"__builtins__": {}}, names), 40)  # an expression that this script made


def by_sympy(text):
    """The value to 40 digits; None where there is no real one."""
    names = {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "pi": sympy.pi, "e": sympy.E}
    values = {name.replace("'", "_t"): sympy.Rational(value) for name, value in {**STATE, **PARAMETERS}.items()}
    names.update({name: sympy.Symbol(name, real=True) for name in values})
    signal.alarm(PATIENCE)
    try:
        parsed = sympy.sympify(text.replace("'", "_t").replace("^", "**"), locals=names, rational=True)
        value = parsed.subs({names[name]: value for name, value in values.items()}).evalf(WIDE, maxn=1000)
    except (OverflowError, ValueError, TypeError, ZeroDivisionError, RecursionError, AttributeError, MemoryError, TimeoutError):
        return None
    finally:
        signal.alarm(0)
    return value if value.is_Float or value.is_Integer or value.is_Rational else None


def by_hamel(text):
    """x'' to 30 digits; None where the model or its value is refused."""
    model = (f"param {', '.join(f'{name} = {value}' for name, value in PARAMETERS.items())}\ncoord x, y, z\n"
             f"kinetic (x'^2 + y'^2 + z'^2)/2\nforce x = {text}\n")
    with tempfile.NamedTemporaryFile("w", suffix=".ham") as file:
        file.write(model)
        file.flush()
        at = ", ".join(f"{name} = {value}" for name, value in STATE.items())
        done = subprocess.run([HAMEL, "eval", file.name, "--at", at, "--digits", str(DIGITS), "--json"], capture_output=True,
                              text=True, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, UNLIMITED))
    if done.returncode < 0 or done.returncode > 6:
        check(False, f"{text}: exit status {done.returncode}")
    return json.loads(done.stdout)["qdd"]["x"] if done.returncode == 0 else None


def give_up(_signal, _frame):
    raise TimeoutError


def main():
    signal.signal(signal.SIGALRM, give_up)
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))  # exp(10^19) in SymPy
    print(f"seed {SEED}")
    compared = 0
    for case in range(CASES):
        draw = random.Random(f"{SEED} {case}")
        text = expression(draw, draw.randint(2, 4), [])
        expected = by_sympy(text)
        if expected is None or not -300 < (sympy.log(abs(expected), 10) if expected else 0) < 300:
            continue
        found = by_hamel(text)
        if found is None:
            continue
        compared += 1
        if not agrees(found, expected):
            expected = by_mpmath(text)
        check(agrees(found, expected), f"case {case}: {text}: {found}, SymPy and mpmath {expected}")
    check(compared > CASES // 2, f"{compared} of {CASES} were compared")
    finish()


main()
