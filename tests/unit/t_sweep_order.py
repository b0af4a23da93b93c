#!/usr/bin/env python3
"""A run of a sweep comes out the same, to the last bit, whatever runs were before it: forwards and backwards, alone, by several threads. Signs of
parameters take other equations, and motions leave poor choices of independent velocities, for which systems and charts that runs before have made
are used again; which ones are used must follow from the run alone."""
import csv
import io
import os
import random
import subprocess
import tempfile

from _checks import check, finish, run_cases

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.mkdtemp()
RNG = random.Random(1909)

MODELS = {  # text, what is varied and between which values, what is collected
    "pivots": ("""system pivots
param a = 1, b = 1, c = 0.3
coord x, y, z
kinetic (x'^2 + 2*y'^2 + z'^2)/2
potential x^2/2 + sin(y) + x*z
constraint k: a*x' + b*y' + c*sin(x)*z' = 0
initial x = 1, z' = 0.3
guess y' = 0.1
simulate t = 0 .. 3
""", {"a": (-1, 1), "b": (-1, 1), "c": (-1, 1)}, "f = final(x), g = final(y), h = max(y')"),
    "two constraints": ("""system two
param a = 1, b = 1
coord x, y, z, u
kinetic (x'^2 + 2*y'^2 + z'^2 + u'^2)/2 + x'*u'/3
potential x^2/2 + sin(y) + x*z + u^2
constraint k: a*x' + b*y' + sin(x)*z' = 0
constraint l: b*u' + cos(y)*x' - a*z' = 0
initial x = 1, z' = 0.3
simulate t = 0 .. 3
""", {"a": (-1, 1), "b": (-1, 1), "x": (-2, 2)}, "f = final(x), g = final(u), h = mean(y*z)"),
    "ellipsoid": ("""system ellipsoid
param a = 1, b = 1
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 9.81*z
constraint k: a*x^2 + b*y^2 + z^2 = 1
initial x = 0.1, y = 0.2, x' = 2, y' = 1
guess z = -1
simulate t = 0 .. 3
""", {"a": (0.2, 2), "b": (-1, 1), "x'": (-3, 3)}, "f = final(x), g = final(y), h = max(y')"),
    "a sign that follows": ("""system follows
param a = 3, b = a - 2, c = 1
coord x, y
kinetic (x'^2 + y'^2)/2
potential x^2/2
constraint k: b*x' + c*cos(x)*y' = sin(x)
initial x = 1, y' = 0.2
simulate t = 0 .. 2
""", {"a": (1, 3), "c": (-1, 1)}, "f = final(x), g = final(y)"),
    "a value that decides": ("""system decides
param a = 1, b = 1, s = 1
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential sqrt(s^2)*x^2/2 + z
constraint k: z' = a*x'*y + b*x*y'
initial x = 0.1, y = 0.2, x' = 0.3, y' = 0.1
simulate t = 0 .. 2
""", {"a": [-1, 0, 1, 2], "b": [-1, 0, 1, 2], "s": [-1, 0, 2]}, "f = final(x), g = final(z)"),
    "a constant first integral": ("""system root
param m = 2
coord x
kinetic x'^2/2
potential m*x^2/2
initial x = sqrt(m + 1)
simulate t = 0 .. 1
""", {"m": (-2, 2)}, "f = final(x)"),
}


def sweep(model, columns, collect, *words):
    """The rows of these values, all of one run in a line."""
    names = list(columns)
    data = "\n".join([",".join(names), *(",".join(repr(v) for v in row) for row in zip(*columns.values()))]) + "\n"
    with open(os.path.join(FOLDER, "starts.csv"), "w", encoding="utf-8") as f:
        f.write(data)
    with open(os.path.join(FOLDER, "m.ham"), "w", encoding="utf-8") as f:
        f.write(model)
    done = subprocess.run([HAMEL, "sweep", "m.ham", "--vary", f'{", ".join(names)} from "starts.csv"', "--collect", collect, *words],
                          capture_output=True, text=True, cwd=FOLDER)
    check(done.returncode == 0, f"{words}: {done.returncode} {done.stderr}")
    return list(csv.reader(io.StringIO(done.stdout)))[1:]


def draw(how):
    return RNG.choice(how) if isinstance(how, list) else RNG.uniform(*how)


def the_same_however_it_is_run(name, model, varied, collect, count):
    columns = {v: [draw(how) for _ in range(count)] for v, how in varied.items()}
    plain = ["--threads", "1", "--exec", "interpreted"]
    rows = sweep(model, columns, collect, *plain)
    check(len(rows) == count and len({row[-1] for row in rows} - {"end", "no start", "not finite"}) == 0, f"{name}: {rows[:3]}")
    check(sum(row[-1] == "end" for row in rows) > count // 4, f"{name}: most do not run")
    order = RNG.sample(range(count), count)
    shuffled = sweep(model, {v: [c[i] for i in order] for v, c in columns.items()}, collect, *plain)
    wrong = [rows[i] for k, i in enumerate(order) if shuffled[k] != rows[i]]
    check(not wrong, f"{name}: in another order {len(wrong)} runs are others, such as {wrong[:1]}")
    several = sweep(model, columns, collect, "--threads", "3", "--exec", "interpreted")
    check(several == rows, f"{name}: by three threads")
    for i in RNG.sample(range(count), 5):
        alone = sweep(model, {v: c[i:i + 1] for v, c in columns.items()}, collect, *plain)
        check(alone == rows[i:i + 1], f"{name}: alone {alone}, among others {rows[i]}")


# At the start of the model y' is divided by x, on the sphere by y; both are 0 in a grid around 0, and small beside it.
SINGULAR = {
    "x": ("""system blade
coord x, y, z
kinetic (x'^2 + y'^2 + 2*z'^2)/2
potential x^2/2 + sin(y)
constraint k: x*y' = z*x' + sin(y)*z'
initial x = 1, y = 0.4, z = 0.2, y' = 0.3, z' = 0.5
simulate t = 0 .. 1
""", ["taylor", "dop853"]),
    "y": ("""system sphere
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential (x^2 + 2*y^2 + 4*z^2)/2
constraint k: x^2 + y^2 + z^2 = 1
initial x = 2/3, y = 2/3, z = 1/3, x' = 0.5, y' = -0.8, z' = 0.6
simulate t = 0 .. 1
""", ["taylor", "tsit5"]),
}
NEAR = 1e-9  # a method's own steps from the same start; z loses as many digits as x or y is small


def starts_where_velocities_do_not_follow(name, model, methods):
    for method in methods:
        for count in (5, 4097):  # one by one, and in lanes
            small = [0.0, 1e-13, -1e-10, 1e-6, 0.01]
            values = small + [(i - count / 2) / count / 4 for i in range(count - len(small))]
            rows = sweep(model, {name: values}, "f = final(x), g = final(y'), h = final(x')", "--method", method)
            for row in rows[:5] + RNG.sample(rows[5:], 3 if count > 5 else 0):
                words = ["simulate", "m.ham", "--at", f"{name}={row[0]}", "--method", method, "--every", "1e9", "-o", "-"]
                done = subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)
                check(done.returncode == 0 and row[-1] == "end", f"{words}: {row} {done.stderr}")
                last = list(csv.DictReader(io.StringIO(done.stdout)))[-1]
                off = max(abs(float(a) - float(last[k])) for a, k in zip(row[1:], ("x", "y'", "x'")))
                check(off <= NEAR, f"{method}, {count} runs, {name} = {row[0]}: {off} from `simulate`")


for _name, (_model, _methods) in SINGULAR.items():
    starts_where_velocities_do_not_follow(_name, _model, _methods)
for _name, (_model, _varied, _collect) in MODELS.items():
    the_same_however_it_is_run(_name, _model, _varied, _collect, run_cases(100, 1000))
finish()
