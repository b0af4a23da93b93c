#!/usr/bin/python3
"""Dimensions of random expressions, against a judge that knows no dimensions: it evaluates each expression in several systems of units.
Where metres, kilograms and seconds are replaced by others, a value with exponents (a, b, c) is multiplied by L^-a M^-b T^-c; an expression
whose terms do not fit is not. What follows that law must be accepted, also where some units are left out and inferred; what does not must be
refused. The values that hamel computes, with units such as ft, g and min in the text, are those of this file."""
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from counting import check, finish, run_seed  # noqa: E402

HAMEL = os.environ["HAMEL"]
ROUNDS = int(os.environ.get("HAMEL_ROUNDS", "60"))
SEED = run_seed(1)
rng = random.Random(SEED)

# exponents of length, mass, time; and what one is in SI units, from the definitions of the units
BASE = [{"m": Fraction(1), "cm": Fraction(1, 100), "km": Fraction(1000), "ft": Fraction(3048, 10000)},
        {"kg": Fraction(1), "g": Fraction(1, 1000), "lb": Fraction(45359237, 10**8)},
        {"s": Fraction(1), "ms": Fraction(1, 1000), "min": Fraction(60), "h": Fraction(3600)}]
SI = ["m", "kg", "s"]

# names of the model: exponents, value in SI units; x is a coordinate, x' its velocity
LEAVES = {"a": ((1, 0, 0), 1.3), "b": ((1, 0, -1), 0.7), "c": ((0, 1, 0), 2.1), "d": ((0, 0, 1), 0.4), "e1": ((0, 1, -2), 3.7),
          "n1": ((0, 0, 0), 0.9), "x": ((1, 0, 0), 0.6), "x'": ((1, 0, -1), -0.8), "th": ((0, 0, 0), 0.35), "th'": ((0, 0, -1), 1.1)}
COORDS = ("x", "th")


def times(d, e, k=1):
    return tuple(p + k * q for p, q in zip(d, e))


def write_unit(d, names):
    if d == (0, 0, 0):
        return "rad"  # behind a name, [1] is an index
    factor = [f"{names[i]}^({p})" if p != 1 else names[i] for i, p in enumerate(d) if p]
    return "*".join(factor)


def literal(d):
    """A number with a unit of these exponents, in any units: its value in SI units is exact."""
    names = [rng.choice(list(units)) for units in BASE]
    number = Fraction(rng.randint(1, 40), rng.choice([1, 2, 4, 5, 10]))
    size = math.prod([float(BASE[i][names[i]]) ** float(d[i]) for i in range(3)])
    shown = f"{float(number)}" if rng.random() < 0.7 else f"{number}"
    if d == (0, 0, 0):
        return ("number", shown if "/" not in shown else f"({shown})", float(number), d)
    if any(Fraction(p).denominator != 1 for p in d):
        names, size = SI, 1.0
    return ("number", f"{shown} [{write_unit(d, names)}]", float(number) * size, d)


def leaf(d):
    found = [name for name, (own, _) in LEAVES.items() if own == d]
    return ("name", rng.choice(found)) if found and rng.random() < 0.8 else literal(d)


def grow(d, depth):
    """An expression of dimension d."""
    if depth == 0:
        return leaf(d)
    kind = rng.choice(["sum", "sum", "product", "quotient", "power", "root", "negate", "abs", "max", "pure", "number"])
    if kind == "sum":
        return ("sum", [grow(d, depth - 1) for _ in range(rng.randint(2, 3))], [rng.choice("+-") for _ in range(3)])
    if kind in ("product", "quotient"):
        own = rng.choice([own for own, _ in LEAVES.values()])
        if kind == "product":
            return ("product", grow(own, depth - 1), grow(times(d, own, -1), depth - 1), "*")
        return ("product", grow(times(d, own), depth - 1), grow(own, depth - 1), "/")
    if kind == "power" and all(Fraction(p).denominator == 1 and p % 2 == 0 for p in d):
        return ("power", grow(tuple(p // 2 for p in d), depth - 1), 2)
    if kind == "root":
        return ("root", ("power", grow(d, depth - 1), 2))
    if kind == "negate":
        return ("negate", grow(d, depth - 1))
    if kind == "abs":
        return ("abs", grow(d, depth - 1))
    if kind == "max":
        return (rng.choice(["max", "min"]), grow(d, depth - 1), grow(d, depth - 1))
    if kind == "pure" and d == (0, 0, 0):
        own = rng.choice([own for own, _ in LEAVES.values()])
        return rng.choice([("sin", grow(d, depth - 1)), ("cos", grow(d, depth - 1)), ("tanh", grow(d, depth - 1)),
                           ("atan2", grow(own, depth - 1), grow(own, depth - 1))])
    return leaf(d)


def text(e):
    kind = e[0]
    if kind == "number":
        return e[1]
    if kind == "name":
        return e[1]
    if kind == "sum":
        return "(" + text(e[1][0]) + "".join(f" {sign} {text(t)}" for sign, t in zip(e[2], e[1][1:])) + ")"
    if kind == "product":
        return f"({text(e[1])}){e[3]}({text(e[2])})"
    if kind == "power":
        return f"({text(e[1])})^{e[2]}"
    if kind == "root":
        return f"sqrt({text(e[1])})"
    if kind == "negate":
        return f"(-({text(e[1])}))"
    return f"{kind}({', '.join(text(a) for a in e[1:])})"


def value(e, names, scale, judged=False):
    """The value where the units of length, mass and time are as large as `scale` says. What is judged by it hides nothing: numbers are of the
    order of 1, terms do not cancel, and of a maximum both sides count."""
    kind = e[0]
    if kind == "number":
        return (1 + math.sin(e[2]) / 2 if judged else e[2]) * math.prod(s ** -float(p) for s, p in zip(scale, e[3]))
    if kind == "name":
        return names[e[1]] * math.prod(s ** -float(p) for s, p in zip(scale, LEAVES[e[1]][0]))
    if kind == "sum":
        total = value(e[1][0], names, scale, judged)
        for j, (sign, t) in enumerate(zip(e[2], e[1][1:])):
            total += (1 if sign == "+" else -1) * ((1.37, 0.71)[j] if judged else 1) * value(t, names, scale, judged)
        return total
    arguments = [value(a, names, scale, judged) for a in e[1:] if isinstance(a, tuple)]
    if kind == "product":
        return arguments[0] * arguments[1] if e[3] == "*" else arguments[0] / arguments[1]
    if kind == "power":
        return arguments[0] ** e[2]
    if judged and kind in ("max", "min"):
        return arguments[0] + 1.7 * arguments[1]
    functions = {"root": math.sqrt, "negate": lambda u: -u, "abs": abs, "sin": math.sin, "cos": math.cos, "tanh": math.tanh, "max": max,
                 "min": min, "atan2": math.atan2}
    return functions[kind](*arguments)


def largest(e):
    """The largest value of any part: a maximum is (u + v + |u - v|)/2, and digits are lost beside large ones."""
    parts = [p for a in e[1:] for p in (a if isinstance(a, list) else [a]) if isinstance(p, tuple) and isinstance(p[0], str)]
    return max([abs(value(e, NAMES, [1, 1, 1]))] + [largest(p) for p in parts])


def follows_the_law(e, d):
    """True or False; None where numbers are too large or cancel too much to say."""
    for _ in range(8):
        names = {name: v * rng.uniform(0.3, 3) * rng.choice([1, -1]) for name, (_, v) in LEAVES.items()}
        scale = [rng.uniform(1.5, 3) for _ in range(3)]
        try:
            value(e, names, scale)  # it may divide by 0 where it is not judged
            here, there = value(e, names, [1, 1, 1], True), value(e, names, scale, True)
        except (ZeroDivisionError, OverflowError, ValueError):
            return None
        expected = here * math.prod(s ** -float(p) for s, p in zip(scale, d))
        size = max(abs(expected), abs(there))
        if not math.isfinite(size) or size > 1e200 or (size and size < 1e-200):
            return None
        if abs(there - expected) > 1e-7 * size:
            return False
    return True


def mutate(e):
    """The same with one thing wrong somewhere, most likely: another name, a lost factor, another power, a number without its unit."""
    places = []

    def visit(node, path):
        places.append(path)
        for i, part in enumerate(node):
            if isinstance(part, tuple) and part and isinstance(part[0], str):
                visit(part, path + [i])
            if isinstance(part, list) and part and isinstance(part[0], tuple):
                for j, term in enumerate(part):
                    visit(term, path + [(i, j)])

    visit(e, [])
    path = rng.choice(places)

    def wrong(node):
        if node[0] == "number":
            return ("number", node[1].split(" [")[0], node[2], (0, 0, 0)) if "[" in node[1] else ("name", rng.choice(list(LEAVES)))
        if node[0] == "product":
            return rng.choice([node[1], node[2], ("product", node[2], node[1], "/"), ("product", node[1], node[2], "*")])
        if node[0] == "power":
            return ("power", node[1], node[2] + 1)
        return ("product", node, ("name", rng.choice(list(LEAVES))), rng.choice("*/"))

    def change(node, path):
        if not path:
            return wrong(node)
        at, rest = path[0], path[1:]
        parts = list(node)
        if isinstance(at, tuple):
            terms = list(parts[at[0]])
            terms[at[1]] = change(terms[at[1]], rest)
            parts[at[0]] = terms
        else:
            parts[at] = change(parts[at], rest)
        return tuple(parts)

    return change(e, path)


def model(observed, hidden=()):
    lines = ["system random_units"]
    for name, (d, v) in LEAVES.items():
        if name in COORDS or name.endswith("'"):
            continue
        lines.append(f"param {name} = {v}" if name in hidden else f"param {name} [{write_unit(d, SI)}] = {v}")
    lines.append("coord x [m], th [rad]")
    lines.append("kinetic 1 [kg]*x'^2/2 + 1 [kg*m^2]*th'^2/2")
    lines.append("initial " + ", ".join(f"{name} = {v}" for name, (_, v) in LEAVES.items() if name in COORDS or name.endswith("'")))
    lines.append("simulate t = 0 .. 1, output = 1")
    lines += [f"observe o{i} [{write_unit(d, SI)}] = {text(e)}" for i, (e, d) in enumerate(observed)]
    return "\n".join(lines) + "\n"


def run(source, *words):
    return subprocess.run([HAMEL, *words[:1], "-", *words[1:]], input=source, capture_output=True, text=True, timeout=120)


def one_dimension():
    return rng.choice([own for own, _ in LEAVES.values()] + [(2, 1, -2), (1, 1, -2), (1, 0, -2), (2, 1, -1)])


NAMES = {name: v for name, (_, v) in LEAVES.items()}

accepted = refused = 0
for _ in range(ROUNDS):
    observed = []
    while len(observed) < 6:
        d = one_dimension()
        e = grow(d, rng.randint(1, 4))
        if follows_the_law(e, d):
            observed.append((e, d))
    hidden = rng.sample(["a", "b", "c", "d", "e1", "n1"], rng.randint(0, 3))
    source = model(observed, hidden)
    done = run(source, "check")
    check(done.returncode == 0, f"fits in every system of units, and is refused:\n{source}{done.stderr}")
    accepted += done.returncode == 0

    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "run.csv")
        done = run(source, "simulate", "-o", file, "--until", "1")
        if done.returncode == 0:
            with open(file) as rows:
                first = next(csv.DictReader(rows))
            for i, (e, _) in enumerate(observed):
                own, theirs = value(e, NAMES, [1, 1, 1]), float(first[f"o{i}"])
                if largest(e) < 1e4:
                    check(abs(own - theirs) <= 1e-14 * (1 + largest(e)) ** 2, f"o{i} = {text(e)} is {own}, not {theirs}")

    for _ in range(4):
        d = one_dimension()
        e = mutate(grow(d, rng.randint(1, 4)))
        truth = follows_the_law(e, d)
        if truth is None:
            continue
        source = model([(e, d)])
        done = run(source, "check")
        if truth:
            check(done.returncode == 0, f"fits in every system of units, and is refused:\n{source}{done.stderr}")
        else:
            check(done.returncode == 2 and done.stderr.count(" error: ") == 1,
                  f"does not fit in other systems of units, and is accepted or answered otherwise:\n{source}{done.stderr}")
            refused += done.returncode == 2

check(accepted >= ROUNDS * 0.9 and refused >= ROUNDS, f"the generator makes enough of both: {accepted} accepted, {refused} refused")
finish()
