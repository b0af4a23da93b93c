#!/usr/bin/python3
"""How generated Python is called: one state or many, times, parameters and inputs as numbers or arrays, against formulas written here; what is wrong is said. And programs whose names, and
the names in them, mean something to the languages still start."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from _evaluation import HAMEL, run

MODEL = """system calls
param k = 2, m = 1
coord x, y
input u = -x, w = t
kinetic m*(x'^2 + y'^2)/2
potential k*x^2/2 + 1/y
force x = u
force y = w*sqrt(x)
initial x = 1, y = 1
"""
LONG = "y" * 69
STRANGE = "system %s\ncoord q, %s\nparam %s = 2\nkinetic (q'^2 + %s'^2)/2\nforce q = -%s*q\ninitial q = 1, %s = 0.5\n"
failed = passed = 0


def check(what, holds, said=""):
    global failed, passed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print("FAIL %s: %s" % (what, said))


def rhs(t, z, k=2, m=1, u=None, w=None):
    x, y, vx, vy = z
    u, w = -x if u is None else u, t if w is None else w
    return np.stack(np.broadcast_arrays(vx, vy, (u - k * x) / m, (1 / y**2 + w * np.sqrt(x)) / m))


def same(a, b):
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-14, atol=1e-14, equal_nan=True)


def complaint(call):
    try:
        return "no complaint, but %r" % (call(),)
    except ValueError as error:
        return str(error)


def python_takes_numbers_and_arrays(folder):
    (folder / "calls.ham").write_text(MODEL)
    run(HAMEL, "codegen", "--target", "python", "-o", str(folder / "calls"), str(folder / "calls.ham"))
    spec = importlib.util.spec_from_file_location("calls", folder / "calls" / "calls.py")
    s = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(s)
    rng = np.random.default_rng(5)
    one, many, grid = 0.5 + rng.random(4), 0.5 + rng.random((4, 7)), 0.5 + rng.random((4, 2, 3))
    times, ks, us = rng.random(7), 1 + rng.random(7), rng.random((2, 7))
    check("one state", same(s.rhs(0.3, one), rhs(0.3, one)))
    check("many states", same(s.rhs(0.3, many), rhs(0.3, many)))
    check("a grid of states", same(s.rhs(0.3, grid), rhs(0.3, grid)))
    check("many times", same(s.rhs(times, many), rhs(times, many)) and same(s.rhs(times, one), rhs(times, one[:, None])))
    check("a parameter by name", same(s.rhs(0.3, one, {"k": 3}), rhs(0.3, one, k=3)) and same(s.rhs(0.3, one, s.parameters(m=5)), rhs(0.3, one, m=5)))
    check("all parameters in order", same(s.rhs(0.3, one, [3, 5]), rhs(0.3, one, 3, 5)))
    check("many values of a parameter", same(s.rhs(0.3, many, {"k": ks}), rhs(0.3, many, k=ks)) and same(s.rhs(0.3, one, {"k": ks}), rhs(0.3, one[:, None], k=ks)))
    check("parameters that are kept do not go stale", all(same(s.rhs(0.3, one, s.parameters(k=v)), rhs(0.3, one, k=v)) for v in (1, 4, 1)))
    check("inputs", same(s.rhs(0.3, one, u=[5, 1]), rhs(0.3, one, u=5, w=1)) and same(s.rhs(0.3, many, u=us), rhs(0.3, many, u=us[0], w=us[1])))
    check("inputs as stated", same(s.inputs(0.3, many), np.stack([-many[0], np.full(7, 0.3)])))
    check("an energy is a number", np.ndim(s.energy(0, one)) == 0 and s.energy(0, many).shape == (7,))
    check("matrices", s.jacobian(0, one).shape == (4, 4) and s.jacobian(0, grid).shape == (4, 4, 2, 3) and s.mass(0, many).shape == (2, 2, 7))
    long, moments, pushes = 0.5 + rng.random((4, 9001)), rng.random(9001), rng.random((2, 9001))
    check("states in blocks", same(s.rhs(moments, long), rhs(moments, long)) and same(s.rhs(0.3, long, u=pushes), rhs(0.3, long, u=pushes[0], w=pushes[1])))
    check("states in blocks with one input, and with a parameter each", same(s.rhs(0.3, long, u=[5, 1]), rhs(0.3, long, u=5, w=1)) and same(s.rhs(0, long, {"k": moments}), rhs(0, long, k=moments)))
    check("matrices and numbers in blocks", same(s.jacobian(0, long)[:, :, 7000], s.jacobian(0, long[:, 7000])) and same(s.energy(0, long)[8999], s.energy(0, long[:, 8999])))
    check("no state at all", s.rhs(0, many[:, :0]).shape == (4, 0))
    outside = np.array([-1.0, 0.0, 0.0, 0.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a, b = s.rhs(1.0, outside), s.rhs(1.0, np.stack([outside, one], 1))
    check("where there is no value, others stay", np.isnan(a[3]) and a[2] == 3 and np.isnan(b[3, 0]) and same(b[:, 1], rhs(1.0, one)))
    for what, call, said in (("a state too short", lambda: s.rhs(0, one[:2]), "first come 4 entries, x, y, x', y'"), ("a number for a state", lambda: s.rhs(0, 1.0), "shape ()"),
                             ("a parameter that is none", lambda: s.rhs(0, one, {"q": 1}), "they are: k, m"), ("too few parameters", lambda: s.rhs(0, one, [1]), "1 values for the 2"),
                             ("too few inputs", lambda: s.rhs(0, one, u=[1]), "2 entries, u, w")):
        check(what, said in complaint(call), complaint(call))


def names_that_mean_something_are_changed(folder):
    for name in ("random", "numpy", "zeros", "rhs", "main", "state", "energy", "x" * 80):
        model = folder / "strange.ham"
        model.write_text(STRANGE % (name, LONG + "y", LONG + "z", LONG + "y", LONG + "z", LONG + "y"))
        for target in ("python", "matlab", "julia", "modelica", "latex"):
            made = run(HAMEL, "codegen", "--target", target, "-o", str(folder / (name[:9] + target)), str(model))
            check("%s for %s" % (target, name), made.returncode == 0, made.stderr)
        p = subprocess.run(["/usr/bin/python3", "main.py", "1", "2"], cwd=folder / (name[:9] + "python"), capture_output=True, text=True)
        check("python runs %s" % name, p.returncode == 0 and len(p.stdout.splitlines()) == 4, p.stderr)
        source = next(p for p in (folder / (name[:9] + "matlab")).glob("*.m") if p.name != "main.m")
        code = "".join(re.sub(r"'[^']*'", "", line.split("%")[0]) for line in source.read_text().splitlines(True))
        check("MATLAB has no longer names than it reads", max(map(len, re.findall(r"\w+", code))) <= 63 and len(source.stem) <= 63)
        if name in ("zeros", "rhs"):
            p = subprocess.run(["octave", "--no-gui", "--norc", "--quiet", "main.m", "0.1", "2"], cwd=source.parent, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            check("octave runs %s" % name, p.returncode == 0 and len(p.stdout.splitlines()) == 4, p.stderr)


with tempfile.TemporaryDirectory() as scratch:
    python_takes_numbers_and_arrays(pathlib.Path(scratch))
    names_that_mean_something_are_changed(pathlib.Path(scratch))
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
