#!/usr/bin/env python3
"""Bad input from Python ends in an exception of Python, whatever is called with it: every public function with random arguments, models that are
half written, files that lie. Nothing crashes, and afterwards everything still works. HAMEL_CASES: how many calls."""
import math
import os
import pathlib
import random
import tempfile
import threading
import unittest
import warnings

import numpy as np

import _run
import hamel

CASES = _run.run_cases(400, 20000)
# What a call may answer to bad input: errors of hamel, and those that Python has for a wrong type, name, value or file.
NATURAL = (hamel.Error, TypeError, ValueError, KeyError, IndexError, OSError, OverflowError, AttributeError, NotImplementedError)
STRANGE = [None, True, 0, -1, 1, 2**31, 2**63, 2**64, -2**70, 0.5, 1e300, -1e-320, math.nan, math.inf, "", "x", "x'", "a\0b", "\ud800", "\u202e", "9" * 400,
           "x = 1", "x = ", "x' = 1e999", "maggi", "all", "maggi,hamel", "%s%n", "../../etc/passwd", "é", b"x", b"\xff", [], [1], {}, {"x": 1}, {"x'": "1/0"},
           {1: 2}, {"a": float("nan")}, (1, 2), object(), len, 1j, np.nan, np.zeros(3), np.zeros((2, 2)), np.array([]), np.array(["x"]), range(3), slice(1), ...]
LIMITS = {"time": 5, "memory": "500M", "rows": 200000}


class Hostile(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.rng = random.Random(_run.run_seed(1))

    def strange(self):
        return self.rng.choice(STRANGE)

    def attempt(self, function, *arguments, **named):
        try:
            return function(*arguments, **named)
        except NATURAL:
            return None
        except RecursionError:
            return None
        except MemoryError:
            return None

    def test_every_call_with_strange_arguments(self):
        m = hamel.load("sleigh", limits=LIMITS)
        tr, d, v = m.simulate(until=1), m.derive(), m.prove("maggi,hamel")
        mo = m.motion(execute="interpreted")
        left_out = {"report", "codegen", "save", "animate", "close"}  # they write files, or end the object: below
        for k in _run.in_time(range(CASES)):
            thing = self.rng.choice([m, tr, mo, d, v, hamel])
            names = [name for name in dir(thing) if not name.startswith("_") and name not in left_out and callable(getattr(thing, name, None))]
            name = self.rng.choice(names)
            if thing is hamel and name in ("Trajectory", "Linearisation", "Verdicts", "Derivation", "Derivations", "Sweep", "Solver", "Happening", "Verdict", "Equation"):
                continue
            arguments = [self.strange() for _ in range(self.rng.randint(0, 3))]
            named = {key: self.strange() for key in self.rng.sample(["until", "tol", "at", "every", "method", "form", "step", "precision", "execute", "digits",
                                                                     "numbers", "times", "threads", "box", "vary", "count", "seed"], self.rng.randint(0, 2))}
            with self.subTest(k=k, name=name, arguments=str(arguments)[:200], named=str(named)[:200]):
                self.attempt(getattr(thing, name), *arguments, **named)
                if thing is m and name in ("set", "limit"):
                    m = hamel.load("sleigh", limits=LIMITS)
            if k % 50 == 0:
                self.assertEqual(len(hamel.load("sleigh").derive()), 5)
        self.assertEqual(hamel.load("sleigh").simulate(until=1).final["t"], 1)

    def test_attributes_and_subscripts(self):
        m = hamel.load("sleigh")
        tr, v, s = m.simulate(until=1), m.prove("maggi,hamel"), m.sweep({"a": [0.1]}, until=1, execute="interpreted")
        for key in STRANGE:
            for thing in (tr, v, s, m.derive_all("maggi"), m.check()):
                self.attempt(lambda: thing[key])
            self.attempt(lambda: tr(key))
            self.attempt(lambda: tr.plot(key))
            self.attempt(lambda: m.rhs(0, key))
            self.attempt(lambda: m.rhs(key, m.z0))
            self.attempt(lambda: m.jac(key, key))

    def test_models_that_are_half_written(self):
        texts = [path.read_bytes() for path in sorted((_run.ROOT / "models").glob("*.ham"))]
        for k in range(CASES // 2):
            text = bytearray(self.rng.choice(texts))
            for _ in range(self.rng.randint(1, 4)):
                place = self.rng.randrange(len(text))
                change = self.rng.randrange(3)
                if change == 0:
                    del text[place:place + self.rng.randint(1, 30)]
                elif change == 1:
                    text[place] = self.rng.randrange(256)
                else:
                    text[place:place] = self.rng.choice([b"'", b"[1..", b"\0", b"\xff\xfe", b"^99", b"(", b"\n", b"let x = ", b"1/0"])
                text = text or bytearray(b"x")
            m = self.attempt(hamel.Model, bytes(text), limits={"time": 2, "memory": "300M", "rows": 10000})
            if m is not None:
                self.attempt(m.derive)
                self.attempt(m.eval)
                self.attempt(lambda: m.rhs(0, m.z0))

    def test_files_that_lie(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "empty.csv").write_bytes(b"")
            (path / "bad.csv").write_bytes(b"t,x\n1,2,3\nx,y\n")
            (path / "binary.csv").write_bytes(os.urandom(1000))
            (path / "bad.npz").write_bytes(b"PK\3\4" + b"\0" * 50)
            (path / "bad.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\xff" * 500)
            (path / "model.ham").write_bytes(b"\xff" * 100)
            for file in [*path.iterdir(), path, path / "absent.csv", "/dev/null", "a\0b.csv"]:
                self.attempt(hamel.read, file)
                self.attempt(hamel.load, file)
            m = hamel.load("sleigh")
            for where in (path, path / "a" / "b", "/dev/full", "a\0b", "/proc/x.csv"):
                self.attempt(m.simulate, until=1, output=where)
                self.attempt(m.codegen, where)
                self.attempt(m.report, where)
                self.attempt(m.simulate(until=1).save, where)
            self.assertTrue(m.codegen(path / "code"))
            self.attempt(m.codegen, path / "code", target="nonsense")

    def test_texts_of_any_length_are_taken(self):
        for text in ("coord x\nkinetic x'^2/2" + " + x" * 50000, "(" * 100000, "coord " + ", ".join(f"x{k}" for k in range(3000)), "#" * 10**6):
            m = self.attempt(hamel.Model, text, limits={"time": 5, "memory": "500M"})
            if m is not None:
                self.attempt(m.eval)

    def test_what_a_progress_function_raises_ends_the_run(self):
        m = hamel.load("double_pendulum")  # a run so long that progress is told on any machine
        calls = []
        for error in (RuntimeError("no"), KeyboardInterrupt(), SystemExit(3)):
            def progress(fraction):
                calls.append(fraction)
                raise error
            calls.clear()
            with self.assertRaises(type(error)) as caught:
                m.simulate(until=2e4, progress=progress)
            self.assertIs(caught.exception, error)
            self.assertEqual(len(calls), 1)
            self.assertEqual(m.simulate(until=1).t[-1], 1)
        with self.assertRaises(TypeError):
            m.simulate(until=2e4, progress=lambda: None)
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(RuntimeError):
            error = RuntimeError()
            m.simulate(until=2e4, progress=progress, output=pathlib.Path(folder) / "run.csv")

    def test_a_progress_function_cannot_use_the_model_that_runs(self):
        m = hamel.load("double_pendulum")
        for use in (m.derive, lambda: m.names("coordinates"), lambda: m.parameters, lambda: m.simulate(until=1), lambda: m.unit("x")):
            def begin(run=m.simulate):
                with self.assertRaises(hamel.UsageError):
                    run(until=2e4, progress=lambda fraction: use())
            begin()
            thread = threading.Thread(target=begin)  # there the call is made by the thread itself
            thread.start()
            thread.join()
        copies = []

        def look(fraction):
            copies.append(len(m.copy().coordinates))
            raise RuntimeError("seen")
        with self.assertRaises(RuntimeError):
            m.simulate(until=2e4, progress=look)
        self.assertEqual(copies, [2])

    def test_names_can_be_asked_for_beside_a_call(self):
        m, wrong, over = hamel.load("sleigh"), [], []

        def ask():
            while not over:
                if m.parameters != {"m": 1.0, "J": 2.0, "a": 0.5} or m.unit("x") or m.name != "sleigh" or len(m.coordinates) != 3:
                    wrong.append(1)
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for one in threads:
            one.start()
        try:
            for _ in range(60):
                self.assertEqual((len(m.derive("maggi")), m.eval().q.x, m.check().m), (5, 0.0, 2))
        finally:
            over.append(1)
            for one in threads:
                one.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    _run.main()
