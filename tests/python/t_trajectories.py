#!/usr/bin/env python3
"""Trajectories: columns without a copy, rows, slices, what lies between rows, events, files, figures, pandas, the animation."""
import csv
import gc
import math
import pathlib
import subprocess
import tempfile
import unittest
import weakref

import numpy as np

import _run
import hamel
from hamel import _library, trajectory

BETWEEN = 1e-9  # of polynomials of degree 7 through rows 0.01 apart, for sines of frequency about 3


class Columns(unittest.TestCase):
    def test_columns_are_what_the_program_writes(self):
        for name in ("sleigh", "bowling_ball", "bouncing_ball"):
            tr = hamel.load(name).simulate()
            said = subprocess.run([_run.PROGRAM, "simulate", name, "-o", "-"], capture_output=True, text=True).stdout
            rows = list(csv.reader(said.splitlines()))
            self.assertEqual(rows[0], tr.names)
            table = np.array([[float(cell) if cell else math.nan for cell in row] for row in rows[1:]])
            self.assertTrue(np.array_equal(table, tr.array(), equal_nan=True), name)

    def test_a_million_rows_reach_numpy_without_a_copy(self):
        seen, wrapped = [], _library.lib.hamel_trajectory_column

        class Spy:
            def __getattr__(self, name):
                return getattr(_library.lib, name)

            def hamel_trajectory_column(self, handle, column):
                seen.append(wrapped(handle, column))
                return seen[-1]
        trajectory.lib = Spy()
        try:
            tr = hamel.load("pendulum").simulate(until=100, every=1e-4)
        finally:
            trajectory.lib = _library.lib
        self.assertEqual(len(tr), 1000001)
        for address, column in zip(seen, tr.values()):
            self.assertEqual(column.__array_interface__["data"], (address, True))
            self.assertEqual(column.strides, (8,))
        self.assertEqual(len(set(seen)), len(tr.names))

    def test_memory_lives_as_long_as_the_last_view(self):
        tr = hamel.load("pendulum").simulate(until=1)
        x = tr["x"]
        want, owner = x.tolist(), weakref.ref(x.base.owner)
        part = x[3:7]
        del tr, x
        gc.collect()
        self.assertIsNotNone(owner())
        [hamel.load("pendulum").simulate(until=1) for _ in range(5)]
        self.assertEqual(part.tolist(), want[3:7])
        del part
        gc.collect()
        self.assertIsNone(owner())

    def test_columns_cannot_be_written_to(self):
        tr = hamel.load("pendulum").simulate(until=1)
        with self.assertRaises(ValueError):
            tr["x"][0] = 1
        with self.assertRaises(ValueError):
            tr["x"].flags.writeable = True


class Rows(unittest.TestCase):
    def setUp(self):
        self.tr = hamel.load("sleigh").simulate(until=5)

    def test_rows_slices_and_masks(self):
        tr = self.tr
        self.assertEqual(tr[-1], tr.final)
        self.assertEqual(tr[0]["t"], 0)
        self.assertEqual(tr[10:20:2].t.tolist(), tr.t[10:20:2].tolist())
        self.assertEqual(tr[tr.t > 4]["x"].tolist(), tr["x"][tr.t > 4].tolist())
        self.assertEqual(tr[[3, 1]]["x"].tolist(), [tr["x"][3], tr["x"][1]])
        self.assertIs(tr[5:]["x"].base is None, False)
        self.assertEqual(dict(tr).keys(), tr.keys())
        self.assertIn("x'", tr)
        self.assertEqual(tr.array("x", "y").shape, (len(tr), 2))
        self.assertEqual(len(tr[:0]), 0)
        for wrong in ("nonsense", 10**6, -10**6, (1, 2), 1.5, None):
            with self.assertRaises((KeyError, IndexError, TypeError)):
                tr[wrong]

    def test_between_rows_lies_the_motion(self):
        m = hamel.load("pendulum")
        tr = m.simulate(until=5, every=0.01)
        times = np.sort(np.random.default_rng(1).uniform(0, 5, 200))
        exact = m.motion(execute="interpreted").run(5, times=times)
        near = tr.interpolate(times, 7)
        for name in ("x", "x'", "angle"):
            self.assertLess(abs(near[name] - exact[name]).max(), BETWEEN, name)
        self.assertTrue(np.array_equal(near.t, times))
        self.assertEqual(tr(tr.t)["x"].tolist(), tr["x"].tolist())
        self.assertAlmostEqual(tr(1.234)["x"], m.motion(execute="interpreted").run(1.234).final["x"], 6)

    def test_between_rows_no_polynomial_crosses_a_jump(self):
        tr = hamel.load("bouncing_ball").simulate()
        impacts = [one for one in tr.events if one.kind == "impact"]
        self.assertGreater(len(impacts), 2)
        for one in impacts[:3]:
            before, after = tr(one.t - 1e-7), tr(one.t + 1e-7)
            self.assertLess(before["z'"]*after["z'"], 0)
            self.assertAlmostEqual(before["z'"], one.speed, 5)

    def test_times_outside_are_refused(self):
        for wrong in (-1, 6, [0, 6], float("nan")):
            with self.assertRaises(hamel.UsageError):
                self.tr(wrong)
        with self.assertRaises(TypeError):
            self.tr([[1.0]])
        with self.assertRaises(hamel.UsageError):
            self.tr(1, degree=0)

    def test_events_and_changes_of_mode(self):
        tr = hamel.load("bowling_ball").simulate()
        modes = [one for one in tr.events if one.kind == "mode"]
        self.assertEqual(modes[-1].after, "sticking")
        self.assertAlmostEqual(modes[-1].t, 2*7/(7*0.12*9.81), 10)
        self.assertEqual(tr.kinds["z'"], "velocity")
        stopped = hamel.Model("coord x\nkinetic x'^2/2\ninitial x = 0, x' = 1\nevent wall: x - 0.25 stop").simulate(until=1)
        self.assertEqual([(one.kind, one.name, one.direction) for one in stopped.events], [("event", "wall", 1)])
        self.assertAlmostEqual(stopped.events[0].t, 0.25, 12)
        self.assertAlmostEqual(stopped.final["x"], 0.25, 12)


class Elsewhere(unittest.TestCase):
    def test_files_come_back(self):
        m = hamel.load("sleigh")
        tr = m.simulate(until=3)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            tr.save(path / "a.csv")
            again = hamel.read(path / "a.csv")
            self.assertTrue(np.array_equal(again.array(), tr.array()))
            tr.save(path / "a.npz")
            with np.load(path / "a.npz") as stored:
                self.assertEqual(stored["x'"].tolist(), tr["x'"].tolist())
            for ending in ("csv", "h5"):
                written = m.simulate(until=3, output=path / f"b.{ending}")
                self.assertTrue(np.array_equal(written.array(), tr.array()), ending)
                self.assertEqual(written.summary["steps"], tr.summary["steps"])
            for wrong in (lambda: tr.save(path / "a.txt"), lambda: m.simulate(output=path / "a.png"), lambda: m.simulate(output="-")):
                with self.assertRaises(hamel.UsageError):
                    wrong()
            with self.assertRaises(hamel.NumericsError):
                m.simulate(output=path / "no" / "folder.csv")
            with self.assertRaises(hamel.Error):
                hamel.read(path / "absent.csv")
            (path / "bad.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\0"*100)
            with self.assertRaises(hamel.Error):
                hamel.read(path / "bad.h5")

    def test_pandas_gets_a_frame(self):
        tr = hamel.load("crane").simulate(until=1)
        frame = tr.to_pandas()
        self.assertEqual(frame.index.name, "t")
        self.assertEqual(list(frame.columns), tr.names[1:])
        self.assertTrue(np.array_equal(frame.to_numpy(), tr.array(*tr.names[1:]), equal_nan=True))
        self.assertEqual(frame.attrs["units"], tr.units)
        self.assertTrue(tr.units)

    def test_figures_have_the_curves(self):
        tr = hamel.load("bouncing_ball").simulate()
        figure = tr.plot("z, z'", "z:z'", title="bounces")
        first, second = figure.axes
        self.assertEqual(len(first.lines), 2)
        x, y = second.lines[0].get_data()
        self.assertEqual(len(x), len(tr) + int((np.diff(tr.t) <= 0).sum()))
        self.assertEqual(second.get_xlabel().split()[0], "z")
        self.assertEqual(figure._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(len(tr.plot().axes[0].lines), len(hamel.load("bouncing_ball").coordinates))
        with self.assertRaises(KeyError):
            tr.plot("nonsense")
        for wrong in ("z:z:z", "", "z,"):
            with self.assertRaises(hamel.UsageError):
                tr.plot(wrong)

    def test_an_animation_is_a_page_with_the_scene_of_this_run(self):
        import json
        import re
        m = hamel.load("rolling_disc")
        tr = m.simulate(until=1.5, at={"theta'": 0.3})
        m.set(r=2)  # does not change the run that was
        page = tr.animate()
        data = json.loads(re.search(r'(?s)id="hamel-data">(.*?)</script>', page.html)[1])
        columns = {one["name"]: one["values"] for one in data["run"]["columns"]}
        self.assertEqual(columns["x"][-1], tr.final["x"])
        self.assertEqual(columns["theta'"][0], 0.3)
        self.assertTrue(data["scene"]["items"])
        self.assertIn('<div id="animation"></div>', page.html)
        self.assertNotIn('id="proofs"', page.html)
        self.assertIn("srcdoc", page._repr_html_())
        with self.assertRaises(hamel.UsageError):
            hamel.Trajectory({"t": np.zeros(2)}).animate()

    def test_progress_is_told(self):
        told = []
        hamel.load("sleigh").simulate(until=1000, progress=told.append)
        self.assertEqual(told, sorted(told))
        self.assertTrue(not told or 0 <= told[0] <= told[-1] <= 1)

    def test_no_display_is_needed(self):
        self.assertNotIn("matplotlib.pyplot", __import__("sys").modules)


if __name__ == "__main__":
    _run.main()
