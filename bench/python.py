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
    for name in ("double_pendulum", "rolling_disc", "rattleback", "bicycle"):
        yield f"{name}, LagrangesMethod", name, lambda name=name: _sympy_rates.of_lagrange(name)


def integrate(f, z, method):
    steps = {"method": method} if method is hamel.Solver else {"method": method, "atol": TOLERANCE}
    found = solve_ivp(f, (0, SPAN), z, rtol=TOLERANCE, **steps)
    assert found.success
    return found


class Rates:
    """One system: SymPy's two right-hand sides, hamel's, and what they cost."""

    def __init__(self, name, make):
        self.shared, self.plain, self.y0 = make()
        m = hamel.load(name)
        self.mine, self.z0, self.compiled = m.rhs, m.z0, m.motion().rhs
        self.calls = [least(lambda f=f, z=z: [f(0, z) for _ in range(count)], 5)/count
                      for f, z, count in ((self.shared, self.y0, 200), (self.plain, self.y0, 30), (self.mine, self.z0, 2000))]

    def times_faster(self, method):
        """Against lambdify with cse and without, and what a right-hand side that took no time would be against the first."""
        theirs = least(lambda: integrate(self.shared, self.y0, method), 3)
        plain = least(lambda: integrate(self.plain, self.y0, method), 1)
        mine = least(lambda: integrate(self.mine, self.z0, method), 5)
        steps = mine - integrate(self.mine, self.z0, method).nfev*self.calls[2]
        return theirs/mine, plain/mine, theirs/steps

    def by_hamel(self):
        theirs = least(lambda: integrate(self.shared, self.y0, "DOP853"), 3)
        return theirs/least(lambda: integrate(self.compiled, self.z0, hamel.Solver), 9)

    def error(self, method):
        exact = solve_ivp(self.mine, (0, SPAN), self.z0, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
        return np.abs(integrate(self.mine, self.z0, method).y[:, -1] - exact).max()


# With SciPy's steps these alone are what small systems cost; a bound is on what is larger, and on lambdify as it is by default.
LARGE, USUAL = "bicycle", "rattleback"


def rates(held):
    """The table, and its bounds."""
    yield from ["# Right-hand sides from Python", "",
                f"SymPy: `mass_matrix_full` and `forcing_full` by `lambdify(.., cse=True)`, behind the bar by `lambdify` as it is by default; "
                f"`numpy.linalg.solve`. `solve_ivp` over {SPAN:g} s at {TOLERANCE:g}. With SciPy's steps both sides differ in the right-hand side alone; "
                "*free* is what one would come to against `cse` that took no time at all. `hamel.Solver` has the right-hand side compiled, and is "
                "compared with DOP853 on SymPy's. Making ready is counted on neither side. Ratios of processor time, how many times faster; in brackets "
                "hamel's largest error at the end.", "",
                "| system | a call | `solve_ivp(m.rhs, method=\"DOP853\")` | free | `\"LSODA\"` | free | `solve_ivp(m.rhs, method=hamel.Solver)` |",
                "|---|---|---|---|---|---|---|"]
    for title, name, make in systems():
        one = Rates(name, make)
        shared, plain, mine = one.calls
        print(f"{title}: lambdify {1e6*shared:.1f} us with cse, {1e6*plain:.1f} us without, hamel {1e6*mine:.2f} us", flush=True)
        dop, lsoda, steps = one.times_faster("DOP853"), one.times_faster("LSODA"), one.by_hamel()
        yield (f"| {title} | {shared/mine:.0f} \\| {plain/mine:.0f} | {dop[0]:.1f} \\| {dop[1]:.0f} ({one.error('DOP853'):.0e}) | {dop[2]:.0f} "
               f"| {lsoda[0]:.1f} \\| {lsoda[1]:.0f} ({one.error('LSODA'):.0e}) | {lsoda[2]:.0f} | {steps:.0f} ({one.error(hamel.Solver):.0e}) |")
        held.append(bound(f"python: solve_ivp with hamel's steps over lambdify, {title}", steps, TIMES_FASTER, at_least=True))
        if name == LARGE:
            held.append(bound(f"python: solve_ivp with SciPy's steps over lambdify with cse, {title}", dop[0], TIMES_FASTER, at_least=True))
        if name in (LARGE, USUAL):
            held.append(bound(f"python: solve_ivp with SciPy's steps over lambdify as it is, {title}", dop[1], TIMES_FASTER, at_least=True))


def main():
    held = []
    milliseconds, imported = load_and_derive()
    print(f"import hamel after numpy: {imported:.1f} ms of the processor")
    held.append(bound("python: load and derive the sleigh after import, ms", milliseconds, LOAD_MILLISECONDS))
    held.append(bound("python: simulate over the program", simulate(), SIMULATE))
    whole, handed = million_rows()
    print(f"10^6 rows: the run {1e3*whole:.0f} ms, handing them to NumPy {1e3*handed:.2f} ms")
    lines = list(rates(held))
    print("\n".join(lines))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "python.md").write_text("\n".join(lines) + "\n")
    return not all(held)


if __name__ == "__main__":
    sys.exit(main())
