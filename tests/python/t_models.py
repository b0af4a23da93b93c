#!/usr/bin/env python3
"""Models from Python: reading, settings, names, errors with their carets, copies, pickles, threads, children of fork, the end."""
import copy
import decimal
import fractions
import gc
import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import _run
import hamel

WIRE = """param m = 2, g = 9.81
coord x, y
kinetic m*(x'^2 + y'^2)/2
potential m*g*y
constraint wire: y' = 2*x*x'
initial x = 1, y = 1, x' = 0.5
claim wrong: x'' = 0
"""


def program(*arguments):
    return subprocess.run([_run.PROGRAM, *arguments], capture_output=True, text=True, check=False).stdout


class Reading(unittest.TestCase):
    def test_a_file_a_text_and_a_library_model_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wire.ham"
            path.write_text(WIRE)
            by_path, by_text = hamel.load(path), hamel.Model(WIRE, "wire")
        self.assertEqual(str(by_path.derive()), str(by_text.derive()))
        self.assertEqual(by_path.text, WIRE)
        self.assertEqual(hamel.load("sleigh").text, (_run.ROOT / "models" / "sleigh.ham").read_text())

    def test_a_file_includes_what_lies_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "part.ham").write_text("coord x\n")
            (pathlib.Path(folder) / "whole.ham").write_text('include "part.ham"\nkinetic x\'^2/2\n')
            m = hamel.load(pathlib.Path(folder) / "whole.ham")
            self.assertEqual(m.coordinates, ["x"])
            self.assertEqual(m.set().coordinates, ["x"])

    def test_results_are_those_of_the_program(self):
        for name in ("sleigh", "rolling_disc", "bowling_ball"):
            m = hamel.load(name)
            self.assertEqual(json.loads(program("check", name, "--json"))["symmetries"], m.check()["symmetries"])
            self.assertEqual(json.loads(program("describe", name, "--json")), m.describe())
        self.assertEqual(program("derive", "sleigh", "--form", "hamel"), hamel.load("sleigh").derive("hamel").text)
        self.assertEqual(program("derive", "sleigh", "--form", "hamel", "--format", "latex"), hamel.load("sleigh").derive("hamel").latex)

    def test_names_units_and_values(self):
        m = hamel.load("sleigh")
        self.assertEqual(m.names("constraints"), ["blade"])
        self.assertEqual(m.names("quasi-velocities"), ["v", "w"])
        self.assertEqual(m.parameters, {"m": 1, "J": 2, "a": 0.5})
        self.assertEqual((m.name, m.title), ("sleigh", "Chaplygin-Caratheodory sleigh"))
        self.assertEqual(hamel.load("crane").unit(hamel.load("crane").coordinates[0]), "rad")
        self.assertEqual(m.unit("x"), "")
        with self.assertRaises(hamel.UsageError):
            m.names("nonsense")

    def test_what_is_known(self):
        self.assertIn("maggi", hamel.known("forms"))
        self.assertEqual(hamel.models(), [one["name"] for one in json.loads(program("models", "--json"))["models"]])
        self.assertEqual(hamel.known("nonsense"), {})
        self.assertEqual(hamel.__version__, program("--version").split()[1])


class Settings(unittest.TestCase):
    def test_numbers_are_taken_exactly(self):
        for value, text in ((3, "3"), (0.1, "1/10"), (fractions.Fraction(2, 7), "2/7"), (decimal.Decimal("1e-3"), "1/1000"), ("1/3", "1/3")):
            m = hamel.load("sleigh", a=value)
            self.assertEqual([p.text for p in m.describe().parameters if p.name == "a"], [text])

    def test_set_changes_the_model_and_a_refused_value_does_not(self):
        m = hamel.load("sleigh")
        before = m.eval().qdd.theta
        m.set(J=20)
        after = m.eval().qdd.theta
        self.assertNotEqual(before, after)
        with self.assertRaises(hamel.ModelError):
            m.set(nonsense=1)
        self.assertEqual(m.eval().qdd.theta, after)
        self.assertAlmostEqual(after, float(json.loads(program("eval", "sleigh", "--set", "J=20", "--json"))["qdd"]["theta"]), 15)

    def test_the_mode_of_a_contact_is_a_setting(self):
        sliding = hamel.load("bowling_ball", values={"mode[floor]": "sliding"})
        self.assertLess(sliding.eval().qdd.x, 0)

    def test_digits_and_the_numbers_they_become(self):
        m = hamel.Model(WIRE)
        text = json.loads(subprocess.run([_run.PROGRAM, "eval", "-", "--digits", "40", "--json"], input=WIRE, capture_output=True, text=True).stdout)["qdd"]["x"]
        self.assertEqual(m.eval(digits=40, numbers="text").qdd.x, text)
        self.assertEqual(m.eval(digits=40, numbers="decimal").qdd.x, decimal.Decimal(text))
        self.assertEqual(m.eval(digits=40, numbers=fractions.Fraction).qdd.x, fractions.Fraction(text))
        import mpmath
        self.assertEqual(mpmath.nstr(m.eval(digits=40, numbers="mpmath").qdd.x, 38), mpmath.nstr(mpmath.mpf(text), 38) if mpmath.mp.dps > 38 else
                         mpmath.nstr(_at_forty(text), 38))
        self.assertEqual(m.eval().qdd.x, float(text))

    def test_limits(self):
        with self.assertRaises(hamel.LimitError) as caught:
            hamel.load("snake", N=30, limits={"time": 1e-3}).derive()
        self.assertIn("limit(time=", str(caught.exception))
        m = hamel.load("sleigh").limit(nodes="1")
        with self.assertRaises(hamel.LimitError):
            m.derive()
        self.assertTrue(str(m.limit(nodes=0).derive()))


def _at_forty(text):
    import mpmath
    with mpmath.workdps(45):
        return mpmath.mpf(text)


class Errors(unittest.TestCase):
    def test_an_error_in_the_model_shows_the_line_and_a_caret(self):
        with self.assertRaises(hamel.ModelError) as caught:
            hamel.Model("coord x\nkinetic m*x'^2\n", "mine.ham")
        self.assertIn("mine.ham:2:9: error", str(caught.exception))
        self.assertIn("  | kinetic m*x'^2\n  |         ^", str(caught.exception))
        found = caught.exception.diagnostics[0]
        self.assertEqual((found["line"], found["column"], found["severity"]), (2, 9, "error"))
        self.assertEqual(caught.exception.status, 2)
        self.assertIsInstance(caught.exception, ValueError)

    def test_errors_name_arguments_of_python_not_options_of_the_program(self):
        m = hamel.load("sleigh", limits={"rows": 10})
        for wrong in (lambda: m.simulate(until=10), lambda: m.sensitivity(until=1, to="no"), lambda: m.steady(trim="no"), lambda: m.steady(solve="no")):
            with self.assertRaises(hamel.Error) as caught:
                wrong()
            self.assertNotIn("--", str(caught.exception))

    def test_each_error_shows_itself_alone(self):
        m = hamel.load("sleigh")
        for form in ("one", "two"):
            with self.assertRaises(hamel.UsageError) as caught:
                m.derive(form)
            self.assertIn(f"`{form}`", str(caught.exception))
            self.assertEqual(len(caught.exception.diagnostics), 1)
        self.assertNotIn("one", str(caught.exception))

    def test_statuses_are_classes(self):
        m = hamel.Model(WIRE)
        with self.assertRaises(hamel.UsageError):
            m.derive("nonsense")
        with self.assertRaises(hamel.ModelError):
            hamel.load("no-such-model-at-all")
        with self.assertRaises(hamel.Refuted) as caught:
            m.prove("maggi,hamel").require()
        self.assertEqual(caught.exception.partial["wrong"].verdict, "refuted")
        with self.assertRaises(hamel.NumericsError) as caught:
            hamel.Model("coord x\nkinetic x'^2/2\npotential -x^4\ninitial x = 1, x' = 1").simulate(until=100)
        self.assertGreater(len(caught.exception.partial), 1)
        self.assertLess(caught.exception.partial.t[-1], 100)

    def test_exceptions_can_be_pickled(self):
        try:
            hamel.Model("coord")
        except hamel.ModelError as error:
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), again.diagnostics), (type(error), str(error), error.diagnostics))

    def test_what_is_no_text_is_refused_by_type(self):
        m = hamel.load("sleigh")
        for wrong in (lambda: hamel.Model(3), lambda: hamel.load(b"x"), lambda: m.derive(3), lambda: m.eval(3), lambda: m.eval({"x": []}),
                      lambda: m.eval({"x": None}), lambda: m.set(a=True), lambda: m.simulate(until="1"), lambda: m.simulate(tol=[]),
                      lambda: m.eval(digits=1.5), lambda: m.prove(seed=0.5), lambda: m.names(3)):
            with self.assertRaises(TypeError):
                wrong()
        for wrong in (lambda: hamel.load("a\0b"), lambda: m.derive("a\0b"), lambda: m.eval("x=1\0"), lambda: m.eval({"x": float("nan")}),
                      lambda: m.simulate(until=float("inf")), lambda: m.simulate(until=0), lambda: m.simulate(tol=-1), lambda: m.eval(digits=-1),
                      lambda: m.prove(seed=-1), lambda: m.prove(seed=2**64), lambda: m.limit(nonsense=1), lambda: m.limit(memory="much"),
                      lambda: m.limit(time=-1), lambda: m.set(a=float("inf")), lambda: m.eval(numbers="nonsense")):
            with self.assertRaises(hamel.UsageError):
                wrong()

    def test_warnings_of_the_library_are_warnings_here(self):
        text = "coord x\nkinetic x'^2/2\nparam unused = 1\n"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            m = hamel.Model(text)
            m.check()
        said = subprocess.run([_run.PROGRAM, "check", "-"], input=text, capture_output=True, text=True).stderr
        self.assertEqual("warning" in said, bool(caught))
        for one in caught:
            self.assertIs(one.category, hamel.HamelWarning)
            self.assertEqual(one.filename, __file__)


class Copies(unittest.TestCase):
    def test_models_and_trajectories_survive_pickle_and_copy(self):
        m = hamel.Model(WIRE, "wire", m=3).limit(time=60)
        for other in (pickle.loads(pickle.dumps(m)), copy.copy(m), copy.deepcopy(m), m.copy()):
            self.assertEqual(other.parameters, m.parameters)
            self.assertEqual(other.eval(), m.eval())
            other.set(m=7)
            self.assertEqual(m.parameters["m"], 3)
        tr = m.simulate(until=1)
        for other in (pickle.loads(pickle.dumps(tr)), copy.copy(tr), copy.deepcopy(tr)):
            self.assertEqual(other.names, tr.names)
            self.assertTrue((other.array() == tr.array()).all())
            self.assertEqual((other.summary, str(other), other.units, other.kinds), (tr.summary, str(tr), tr.units, tr.kinds))

    @unittest.skipIf("libasan" in os.environ.get("LD_PRELOAD", ""), "the allocator of AddressSanitizer may hang in a fork beside other threads")
    def test_a_child_of_fork_goes_on(self):
        m = hamel.load("sleigh")
        m.rhs(0, m.z0)
        want = m.simulate(until=2).final
        stop = threading.Event()

        def busy():
            while not stop.is_set():
                m.derive("hamel")
        other = threading.Thread(target=busy)
        other.start()
        try:
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    same = m.simulate(until=2).final == want and len(m.prove("maggi,hamel")) > 0
                    os._exit(0 if same else 1)
                self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        finally:
            stop.set()
            other.join()

    def test_another_process_gets_models_and_sends_trajectories(self):
        import multiprocessing
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.map(_end, [hamel.load("sleigh", a=0.25)]), [_end(hamel.load("sleigh", a=0.25))])


def _end(m):
    return m.simulate(until=3).final


class Threads(unittest.TestCase):
    def test_threads_share_one_model_and_have_their_own(self):
        shared, found = hamel.load("sleigh"), []

        def work(k):
            own = hamel.load("sleigh", a=0.1*(k + 1))
            for _ in range(3):
                found.append((k, own.eval().qdd.y, str(shared.derive("hamel")), shared.rhs(0, shared.z0).tolist()))
        threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(len(found), 18)
        self.assertEqual(len({f[2] for f in found}), 1)
        self.assertEqual(len({tuple(f[3]) for f in found}), 1)
        for k in range(6):
            self.assertEqual({f[1] for f in found if f[0] == k}, {hamel.load("sleigh", a=0.1*(k + 1)).eval().qdd.y})

    def test_other_threads_go_on_while_a_call_runs(self):
        counted, done = [0], threading.Event()

        def run():
            hamel.load("snake", N=6).prove()
            done.set()
        other = threading.Thread(target=run)
        other.start()
        while not done.is_set():
            counted[0] += 1
            done.wait(0.001)
        other.join()
        self.assertGreater(counted[0], 10)


class TheEnd(unittest.TestCase):
    def test_what_is_closed_says_so(self):
        m = hamel.load("sleigh")
        mo, tr, f = m.motion(execute="interpreted"), m.simulate(until=1), m.rhs
        z0 = m.z0
        m.close()
        m.close()
        for use in (m.derive, m.check, m.simulate, m.motion, lambda: m.z0, lambda: m.name, m.set, lambda: pickle.dumps(m), m.copy, lambda: m.names("events")):
            with self.assertRaises(hamel.ClosedError):
                use()
        self.assertIn("closed", repr(m))
        self.assertEqual(len(mo.run(1, times=[0.5, 1])), 2)
        self.assertTrue(tr["x"].sum() and len(f(0, z0)) == 5)
        field = mo.rhs
        mo.close()
        for use in (mo.now, mo.copy, lambda: mo.run(1), lambda: mo.rhs, lambda: mo.states, lambda: mo.set(a=1), mo.start):
            with self.assertRaises(hamel.ClosedError):
                use()
        self.assertEqual(field(0, z0).tolist(), f(0, z0).tolist())
        pickle.loads(pickle.dumps(tr))

    def test_objects_end_in_any_order(self):
        import itertools
        for order in random.Random(3).sample(list(itertools.permutations(range(5))), 20):
            m = hamel.load("pendulum")
            mo = m.motion(execute="interpreted")
            tr = m.simulate(until=1)
            things = [m, mo, tr, tr["x"], mo.rhs]
            column, states = things[3].copy(), mo.z0
            rates = things[4](0, states).tolist()
            del m, mo, tr
            for k in order:
                things[k] = None
                gc.collect()
                if things[3] is not None:
                    self.assertTrue((things[3] == column).all())
                if things[4] is not None:
                    self.assertEqual(things[4](0, states).tolist(), rates)

    def test_the_interpreter_ends_with_everything_open(self):
        text = ("import hamel, threading\nm = hamel.load('sleigh'); tr = m.simulate(until=1); x = tr['x']; f = m.rhs; mo = m.motion(execute='interpreted')\n"
                "threading.Thread(target=lambda: [m.derive('hamel') for _ in range(20)], daemon=True).start()\nprint('end')")
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=_run.ENVIRONMENT)
        self.assertEqual((done.returncode, done.stdout), (0, "end\n"), done.stderr)

    def test_a_with_statement_closes(self):
        with hamel.load("sleigh") as m:
            m.derive()
        with self.assertRaises(hamel.ClosedError):
            m.derive()


if __name__ == "__main__":
    _run.main()
