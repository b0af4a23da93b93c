#!/usr/bin/python3
"""The Python package: load and derive after import, a run against the program, a million rows, right-hand sides against SymPy's lambdify.

    python.py BUILD RESULTS      writes RESULTS/python.md; fails if a bound does not hold

Processor times, the least of several runs that take turns. SymPy's side is in _sympy_rates.py.
"""
import os
import pathlib
import resource
import subprocess
import sys
import time

BUILD, RESULTS = map(pathlib.Path, sys.argv[1:3])
os.environ["HAMEL_LIBRARY"] = str((BUILD / "libhamel.so.0").resolve())
os.environ.setdefault("HAMEL", str(BUILD / "hamel"))
os.environ["PYTHONPATH"] = str(pathlib.Path(__file__).resolve().parent.parent / "python")
os.environ["XDG_CACHE_HOME"] = "/dev/null"
sys.path.insert(0, os.environ["PYTHONPATH"])

import numpy as np  # noqa: E402
from scipy.integrate import solve_ivp  # noqa: E402

import _sympy_rates  # noqa: E402
import hamel  # noqa: E402
from _bounds import bound  # noqa: E402

LOAD_MILLISECONDS, SIMULATE, TIMES_FASTER = 10, 1.03, 20
UNTIL = 40000  # of the rolling disc: seconds of integration
SPAN, TOLERANCE = 2.0, 1e-9


def least(function, times):
    best = float("inf")
    for _ in range(times):
        began = time.process_time()
        function()
        best = min(best, time.process_time() - began)
    return best


def load_and_derive():
    """Milliseconds of the first load and derive of a fresh process, after import; and of the import, over that of NumPy."""
    text = ("import time, numpy; a = time.process_time(); import hamel; b = time.process_time(); m = hamel.load('sleigh'); d = m.derive('maggi');"
            "c = time.process_time(); print(1e3*(c - b), 1e3*(b - a))")
    runs = [subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout.split() for _ in range(7)]
    return min(float(one[0]) for one in runs), min(float(one[1]) for one in runs)


def program(until):
    """Processor seconds of the whole program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([os.environ["HAMEL"], "simulate", "rolling_disc", "--until", str(until), "--every", "100", "--exec", "interpreted"], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def simulate():
    """The run from Python over the run by the program, both less a run of no length."""
    m = hamel.load("rolling_disc")
    mine, theirs = [], []
    for _ in range(4):
        mine.append(least(lambda: m.simulate(until=UNTIL, every=100, execute="interpreted"), 1))
        theirs.append(program(UNTIL))
    short = least(lambda: m.simulate(until=1, every=100, execute="interpreted"), 3)
    return (min(mine) - short)/(min(theirs) - min(program(1) for _ in range(3)))


def million_rows():
    """What it costs to hand a million rows to NumPy, over the run that made them."""
    from hamel import _library, trajectory
    import ctypes
    m = hamel.load("pendulum")
    context, handle = m._native()
    run, made = hamel.trajectory.RunOptions(until=100, every=1e-4).native(), ctypes.c_void_p()
    whole = least(lambda: context.call(_library.lib.hamel_model_trajectory, handle, ctypes.byref(run), ctypes.byref(made)), 1)
    taken = []
    handed = least(lambda: taken.append(trajectory.adopt(made.value)), 1)
    assert len(taken[0]) == 10**6 + 1
    return whole, handed


def systems():
    yield "rolling disc, KanesMethod", "rolling_disc", _sympy_rates.disc_by_kane
    for name in ("double_pendulum", "rolling_disc", "rattleback"):
        yield f"{name}, LagrangesMethod", name, lambda name=name: _sympy_rates.of_lagrange(name)


def rates():
    """(system, microseconds of each side, ratios of a call and of solve_ivp with SciPy's steps and with hamel's)."""
    for title, name, make in systems():
        theirs, y0 = make()
        m = hamel.load(name)
        mine, z0 = m.rhs, m.z0
        calls = [least(lambda: [theirs(0, y0) for _ in range(200)], 5)/200, least(lambda: [mine(0, z0) for _ in range(2000)], 5)/2000]

        def integrate(f, z, **more):
            found = solve_ivp(f, (0, SPAN), z, rtol=TOLERANCE, **more)
            assert found.success
            return found
        scipy_steps = {"method": "DOP853", "atol": TOLERANCE}
        compiled = m.motion().rhs
        times = [least(lambda: integrate(theirs, y0, **scipy_steps), 5), least(lambda: integrate(mine, z0, **scipy_steps), 5),
                 least(lambda: integrate(compiled, z0, method=hamel.Solver), 9)]
        exact = solve_ivp(mine, (0, SPAN), z0, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
        errors = [np.abs(integrate(mine, z0, **more).y[:, -1] - exact).max() for more in (scipy_steps, {"method": hamel.Solver})]
        yield title, 1e6*calls[0], 1e6*calls[1], calls[0]/calls[1], times[0]/times[1], times[0]/times[2], errors


def main():
    held = []
    milliseconds, imported = load_and_derive()
    print(f"import hamel after numpy: {imported:.1f} ms of the processor")
    held.append(bound("python: load and derive the sleigh after import, ms", milliseconds, LOAD_MILLISECONDS))
    held.append(bound("python: simulate over the program", simulate(), SIMULATE))
    whole, handed = million_rows()
    print(f"10^6 rows: the run {1e3*whole:.0f} ms, handing them to NumPy {1e3*handed:.2f} ms")
    lines = ["# Right-hand sides from Python", "",
             f"SymPy: `lambdify(.., cse=True)` of `mass_matrix_full` and `forcing_full`, `numpy.linalg.solve`. `solve_ivp` over {SPAN:g} s with "
             f"DOP853 at {TOLERANCE:g}; hamel's right-hand side with the same, and, compiled, with `method=hamel.Solver`; making ready is counted on neither side. Ratios of processor time, "
             "how many times faster; in brackets the largest error at the end.", "",
             "| system | a call | solve_ivp, SciPy's steps | solve_ivp, hamel's steps |", "|---|---|---|---|"]
    for title, theirs, mine, call, by_scipy, by_hamel, errors in rates():
        print(f"{title}: lambdify {theirs:.1f} us, hamel {mine:.2f} us")
        lines.append(f"| {title} | {call:.0f} | {by_scipy:.1f} ({errors[0]:.0e}) | {by_hamel:.0f} ({errors[1]:.0e}) |")
        held.append(bound(f"python: solve_ivp with hamel's steps over lambdify, {title}", by_hamel, TIMES_FASTER, at_least=True))
    print("\n".join(lines))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "python.md").write_text("\n".join(lines) + "\n")
    return not all(held)


if __name__ == "__main__":
    sys.exit(main())
