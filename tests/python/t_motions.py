#!/usr/bin/env python3
"""Motions, the right-hand side for SciPy, its derivative, sweeps; Ctrl-C in the middle of all that."""
import os
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np
from scipy.integrate import solve_ivp

import _run
import hamel

SAME = 1e-8     # solve_ivp at 1e-12 against Taylor's method, over a few seconds
DERIVED = 2e-6  # a Jacobian against differences of the rate over 1e-6


def interpreted(m, **more):
    return m.motion(execute="interpreted", **more)


class Motions(unittest.TestCase):
    def test_a_motion_is_what_simulate_computes(self):
        m = hamel.load("rolling_disc")
        mo = interpreted(m, tol=1e-11)
        self.assertEqual(mo.columns, m.simulate(until=0.1).names)
        tr = m.simulate(until=3, tol=1e-11)
        found = mo.run(3, times=tr.t)
        self.assertLess(abs(found["x"] - tr["x"]).max(), SAME)
        t, z, row = mo.now()
        self.assertEqual((t, row["x"]), (3, found.final["x"]))
        self.assertEqual(len(z), len(mo.states))

    def test_parameters_states_and_changes(self):
        m = hamel.load("sleigh")
        mo = interpreted(m).set(a=0.25)
        self.assertEqual(mo.parameters["a"], 0.25)
        want = hamel.load("sleigh", a=0.25).simulate(until=4).final
        self.assertAlmostEqual(mo.run(4).final["x"], want["x"], 10)
        self.assertAlmostEqual(mo.start({"x'": 2}).run(4).final["x"], hamel.load("sleigh", a=0.25).simulate(until=4, at="x' = 2").final["x"], 10)
        z = mo.start().now()[1]
        self.assertAlmostEqual(mo.start(t=0, z=z).run(4).final["x"], want["x"], 10)
        halves = mo.start().run(2), mo.run(4)
        self.assertAlmostEqual(halves[1].final["x"], want["x"], 10)
        steps = mo.start().run(4, steps=2)
        self.assertEqual(len(steps), 2)
        self.assertTrue(0 < steps.t[0] < steps.t[1] <= 4)
        other = mo.copy()
        mo.set(a=5)
        self.assertAlmostEqual(other.start().run(4).final["x"], want["x"], 10)

    def test_a_motion_that_was_interrupted_in_a_start_is_made_again(self):
        mo = interpreted(hamel.load("sleigh")).set(a=0.25)
        want = mo.run(4).final
        mo._broken = True
        self.assertEqual(mo.parameters["a"], 0.25)
        self.assertEqual(mo.run(4).final, want)

    def test_what_a_motion_and_a_field_look_at_lives_as_long_as_they(self):
        # freed memory of Python is filled: a flag in it would interrupt
        text = ("import gc, hamel, sys; mo = hamel.load('sleigh').motion(execute='interpreted'); gc.collect(); mo.start(\"x' = 2\").run(1); other = mo.copy();"
                "f, z = mo.rhs, mo.z0; mo.close(); del mo; gc.collect(); other.start('x = 1').run(1); print(f(0, z).shape); del other; gc.collect();"
                "f(0, z); del f; gc.collect(); s = hamel.load('sleigh').sweep({'a': [1, 2]}, until=1, execute='interpreted'); print(s.failures)")
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env={**_run.ENVIRONMENT, "PYTHONMALLOC": "debug"})
        self.assertEqual((done.returncode, done.stdout), (0, "(5,)\n{}\n"), done.stderr)

    def test_events_of_a_motion(self):
        m = hamel.Model("coord x\nkinetic x'^2/2\ninitial x = 0, x' = 1\nevent wall: x - 0.25 stop")
        found = interpreted(m).run(1, times=[0.1, 0.2, 0.9])
        self.assertEqual([(one.name, one.direction) for one in found.events], [("wall", 1)])
        self.assertAlmostEqual(found.summary["t"], 0.25, 12)

    def test_wrong_use_is_an_error(self):
        m = hamel.load("sleigh")
        mo = interpreted(m)
        for wrong in (lambda: mo.set(nonsense=1), lambda: mo.run(-1), lambda: mo.run(1, times=[2]), lambda: mo.run(1, times=[0.5, 0.2]),
                      lambda: mo.start("x=1", z=[1]), lambda: mo.start(z=[1, 2]), lambda: mo.run(1, steps=-1), lambda: mo.start({"nonsense": 1}),
                      lambda: mo.run(float("nan")), lambda: mo.set(a=float("nan"))):
            with self.assertRaises(hamel.Error):
                wrong()
            mo.start()
        for wrong in (lambda: mo.run("1"), lambda: mo.set(a="1"), lambda: mo.run(1, times=[[1.0]]), lambda: mo.start(z="x")):
            with self.assertRaises((TypeError, ValueError)):
                wrong()
        self.assertEqual(len(mo.start().run(1, times=[0.5, 1])), 2)
        with self.assertRaises(hamel.UsageError):
            hamel.load("bouncing_ball").motion()


class RightHandSides(unittest.TestCase):
    def test_solve_ivp_follows_the_motion(self):
        for name, until in (("sleigh", 5), ("rattleback", 2), ("rolling_disc", 3), ("double_pendulum", 2)):
            m = hamel.load(name)
            found = solve_ivp(m.rhs, (0, until), m.z0, method="DOP853", rtol=1e-12, atol=1e-12)
            want = interpreted(m, tol=1e-13)
            want.run(until)
            self.assertLess(abs(found.y[:, -1] - want.now()[1]).max(), SAME, name)

    def test_the_own_solver_gives_the_states_of_scipys(self):
        for name, until in (("bicycle", 2), ("rolling_disc", 30), ("rattleback", 1), ("double_pendulum", 3)):  # wheels turn many times
            m = hamel.load(name)
            times = np.linspace(0, until, 40)
            want = solve_ivp(m.rhs, (0, until), m.z0, method="DOP853", rtol=1e-12, atol=1e-12, t_eval=times)
            found = solve_ivp(m.rhs, (0, until), m.z0, method=hamel.Solver, rtol=1e-12, t_eval=times)
            self.assertLess(abs(found.y - want.y).max(), SAME, name)

    def test_the_rate_is_what_eval_says(self):
        m = hamel.load("rolling_disc")
        at = m.eval()
        rates = dict(zip(m.states, m.rhs(0, m.z0)))
        for name in ("x", "psi", "theta"):
            self.assertAlmostEqual(rates[name], at.qd[name], 12)
        for name in ("w1", "w2", "w3"):
            self.assertAlmostEqual(rates[name], at.etad[name], 12)

    def test_many_states_at_once(self):
        m = hamel.load("sleigh")
        many = m.z0[:, None] + np.random.default_rng(2).uniform(0, 1, (5, 7))
        self.assertEqual(m.rhs(0, many).shape, (5, 7))
        for k in range(7):
            self.assertEqual(m.rhs(0, many)[:, k].tolist(), m.rhs(0, many[:, k]).tolist())
        found = solve_ivp(m.rhs, (0, 2), m.z0, vectorized=True, method="Radau", rtol=1e-8)
        self.assertTrue(found.success)

    def test_what_is_no_state_is_refused_and_no_number_is_nan(self):
        m = hamel.load("sleigh")
        for wrong in ([1, 2], np.zeros((1, 5)), np.zeros(6), np.zeros((5, 1, 1))):
            with self.assertRaises(hamel.UsageError):
                m.rhs(0, wrong)
        for wrong in ("abcde", m.z0 + 1j, ["1"]*5, m.z0.astype("M8[s]")):
            with self.assertRaises((TypeError, ValueError)):
                m.rhs(0, wrong)
        for wrong in ("0", None, 1j, [0, 1]):
            with self.assertRaises(TypeError):
                m.rhs(wrong, m.z0)
        self.assertTrue(np.isnan(m.rhs(0, np.full(5, np.nan))).any())
        self.assertEqual(m.rhs(0, m.z0.astype(int)).shape, (5,))
        self.assertEqual(m.rhs(0, m.z0.astype(np.float32)[::1]).shape, (5,))
        want = m.rhs(0, m.z0).tolist()
        for z in (list(m.z0), m.z0.astype(">f8"), m.z0.astype(object), np.repeat(m.z0, 3)[::3], np.ma.array(m.z0), m.z0.astype(np.longdouble)):
            self.assertEqual(m.rhs(np.float32(0), z).tolist(), want)
        one = hamel.Model("coord x\nkinetic x'^2/2\nconstraint x' = 2\ninitial x = 0")
        self.assertEqual((one.rhs(0, [1.0]).shape, one.rhs(0, [[1.0]]).shape, one.rhs(0, [[1.0, 2.0]]).shape), ((1,), (1, 1), (1, 2)))

    def test_the_jacobian_is_the_derivative(self):
        for name in ("sleigh", "rattleback", "rolling_disc", "cart_pole"):
            m = hamel.load(name)
            z, n = m.z0, len(m.z0)
            numeric = np.column_stack([(m.rhs(0, z + 1e-6*e) - m.rhs(0, z - 1e-6*e))/2e-6 for e in np.eye(n)])
            exact = m.jac(0, z)
            self.assertLess(abs(exact - numeric).max(), DERIVED*(1 + abs(exact).max()), name)
        m = hamel.load("sleigh")
        found = solve_ivp(m.rhs, (0, 2), m.z0, jac=m.jac, method="BDF", rtol=1e-8, atol=1e-10)
        self.assertLess(abs(found.y[0, -1] - m.simulate(until=2).final["x"]), 1e-5)

    def test_threads_do_not_mix_their_numbers(self):
        m = hamel.load("rattleback")
        f, z, wrong = m.rhs, m.z0, []
        states = [z*(1 + 0.01*k) for k in range(8)]
        want = [f(0, one).tolist() for one in states]

        def work(k):
            for _ in range(2000):
                if f(0, states[k]).tolist() != want[k]:
                    wrong.append(k)
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        switch = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            for one in threads:
                one.start()
            for one in threads:
                one.join()
        finally:
            sys.setswitchinterval(switch)
        self.assertEqual(wrong, [])


class Sweeps(unittest.TestCase):
    def test_a_sweep_is_many_runs(self):
        m = hamel.load("sleigh")
        s = m.sweep({"a": [[0.1], [0.2]], "x'": [0.5, 1, 2]}, until=3, execute="interpreted")
        self.assertEqual(s["x"].shape, (2, 3))
        for i, a in enumerate((0.1, 0.2)):
            for j, v in enumerate((0.5, 1, 2)):
                want = hamel.load("sleigh", a=a).simulate(until=3, at={"x'": v}).final
                self.assertAlmostEqual(s["x"][i, j], want["x"], 9)
        rows = m.sweep({"a": [0.1, 0.2]}, times=[1, 2, 3], threads=1, execute="interpreted")
        self.assertEqual(rows["energy"].shape, (2, 3))
        self.assertAlmostEqual(rows["x"][1, 2], s["x"][1, 1], 9)
        self.assertEqual(m.sweep({"a": 0.3}, until=1, execute="interpreted")["x"].shape, ())
        self.assertEqual(m.sweep({"a": []}, until=1, execute="interpreted")["x"].shape, (0,))
        self.assertEqual(s.failures, {})

    def test_runs_that_stop_early_are_named(self):
        m = hamel.Model("param c = 1\ncoord x\nkinetic x'^2/2\npotential -c*x^4\ninitial x = 1, x' = 1")
        s = m.sweep({"c": [0, 1, 0, 2]}, until=50, threads=2, execute="interpreted")
        self.assertEqual(sorted(s.failures), [(1,), (3,)])
        self.assertEqual(np.isnan(s["x"]).tolist(), [False, True, False, True])
        self.assertIsInstance(s.failures[1,], hamel.NumericsError)

    def test_what_cannot_be_swept_is_refused(self):
        m = hamel.load("sleigh")
        for wrong in (lambda: m.sweep({}, until=1), lambda: m.sweep({"a": [1, 2], "m": [1, 2, 3]}, until=1), lambda: m.sweep({"a": [1]}),
                      lambda: m.sweep({"nonsense": [1]}, until=1, execute="interpreted"), lambda: m.sweep({"a": [1]}, until=1, threads=-1)):
            with self.assertRaises(hamel.Error):
                wrong()


INTERRUPTED = """
import hamel, os, signal, sys, threading, time
m = hamel.load("snake", N=40) if sys.argv[1] in ("derive", "prove") else hamel.load("double_pendulum")
mo = m.motion(execute="interpreted") if sys.argv[1] in ("run", "sweep") else None
def strike():
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=strike).start()
try:
    while True:
        {"derive": lambda: m.derive("hamel"), "prove": lambda: m.prove(), "simulate": lambda: m.simulate(until=1e5, every=1000),
         "run": lambda: mo.run(1e6), "sweep": lambda: m.sweep({"g": [9.0 + k for k in range(4)]}, until=1e5, threads=2, execute="interpreted"),
         "lyapunov": lambda: m.lyapunov(until=1e6)}[sys.argv[1]]()
except KeyboardInterrupt:
    print("interrupted")
for one in range(2):
    print(len(hamel.load("sleigh").derive()), len(m.coordinates), len(m.describe().coords) > 0)
if mo:
    print(len(mo.start().run(0.1, times=[0.1])))
"""

# One SIGINT a call: just before it, within it, at its end or just after it. Arguments: whose handler (Python's or our own), how many calls.
# Another process sends the signal when a byte asks for it, and answers with a byte. A second signal while the exception of the first is being
# handled would be raised outside of every `try` of this script.
STRUCK = """
import hamel, os, random, select, signal, sys, time
def own(*_):
    raise KeyboardInterrupt
if sys.argv[1] == "own":
    signal.signal(signal.SIGINT, own)
sys.unraisablehook = lambda *_: None  # a finalizer that is interrupted swallows the exception
m = hamel.load("sleigh")
mo = m.motion(execute="interpreted")
calls = [lambda: m.derive("maggi"), lambda: mo.start().run(0.5, times=[0.5]), lambda: m.simulate(until=1), lambda: m.set(a=0.5),
         lambda: m.sweep({"a": [0.1, 0.2]}, until=1, threads=2, execute="interpreted")]
(asked, ask), (sent, send), parent = os.pipe(), os.pipe(), os.getpid()
if not os.fork():
    os.close(ask)
    rng = random.Random(1)
    while os.read(asked, 1):
        time.sleep(rng.choice([0, 1e-5, 1e-4, 5e-4, 2e-3]))
        os.kill(parent, signal.SIGINT)
        os.write(send, b"s")
    os._exit(0)
count, raised = int(sys.argv[2]), 0
for turn in range(count):
    try:
        os.write(ask, b"a")
        calls[turn % len(calls)]()
        select.select([sent], [], [])
        time.sleep(0)
    except KeyboardInterrupt:
        raised += 1
    os.read(sent, 1)
os.close(ask)
print(len(m.derive()), len(mo.start().run(0.1, times=[0.1])), m.simulate(until=1).t[-1], m.sweep({"a": [1]}, until=1, execute="interpreted").failures, raised > count / 2)
"""


class Interrupts(unittest.TestCase):
    def test_a_signal_at_any_moment_leaves_everything_usable(self):
        for handler in ("default", "own"):
            with self.subTest(handler):
                done = subprocess.run([sys.executable, "-c", STRUCK, handler, str(_run.run_cases(500, 10_000))], capture_output=True, text=True, env=_run.ENVIRONMENT, timeout=300)
                self.assertEqual((done.returncode, done.stdout), (0, "5 1 1.0 {} True\n"), done.stderr)

    def test_a_signal_ends_a_call_and_all_goes_on_afterwards(self):
        for call in ("derive", "prove", "simulate", "run", "sweep", "lyapunov"):
            with self.subTest(call):
                done = subprocess.run([sys.executable, "-c", INTERRUPTED, call], capture_output=True, text=True, env=_run.ENVIRONMENT, timeout=300)
                self.assertEqual((done.returncode, done.stdout.splitlines()[:1]), (0, ["interrupted"]), done.stderr)
                self.assertEqual(len(done.stdout.splitlines()), 4 if call in ("run", "sweep") else 3)

    def test_an_exception_of_any_handler_comes_through(self):
        class Alarm(Exception):
            pass

        def raise_alarm(*_):
            raise Alarm
        before = signal.signal(signal.SIGALRM, raise_alarm)
        try:
            m = hamel.load("double_pendulum")
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with self.assertRaises(Alarm):
                m.simulate(until=1e5, every=1000)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(m.simulate(until=1).t[-1], 1)


if __name__ == "__main__":
    _run.main()
