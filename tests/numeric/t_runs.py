#!/usr/bin/python3
"""What `hamel simulate` says about a run: which method and why, how wrong it is, what was projected, and why it stopped."""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runs")
HAMEL = os.environ["HAMEL"]
LIMIT = 60 * float(os.environ.get("HAMEL_PATIENCE", "1"))
SCRATCH = tempfile.mkdtemp()
METHODS = ("tsit5", "dop853")


def simulate(model, *arguments, output=None):
    """Exit status, summary, errors, and the rows."""
    path = os.path.join(HERE, model + ".ham")
    command = [HAMEL, "simulate", path if os.path.exists(path) else model, "--json", *arguments]
    if output:
        command += ["-o", os.path.join(SCRATCH, output)]
    p = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    rows = None
    if output:
        with open(os.path.join(SCRATCH, output), newline="") as f:
            rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]
    return p.returncode, json.loads(p.stdout) if p.stdout else None, p.stderr, rows


def stops(model, cause, near, *arguments, within=1e-3):
    """Status 5, the cause, the time, the state, and what was computed up to there, all of it numbers."""
    status, summary, errors, rows = simulate(model, *arguments, output="stopped.csv")
    assert status == 5, (status, errors)
    assert cause in summary["cause"] and cause in errors, (summary, errors)
    t = float(summary["t"])
    assert abs(t - near) < within, t
    assert summary["state"] and all(math.isfinite(float(v)) for v in summary["state"].values())
    assert rows and rows[-1]["t"] <= t and all(math.isfinite(v) for row in rows for v in row.values())


def a_root_that_leaves_its_domain_is_named():
    # t = integral of sqrt((1 + 1 - x^2)/2) from x = 0 to 1, as 2T = x'^2 (2 - x^2) = 2
    stops("root", "the argument of sqrt, `1 - x^2`, reaches 0", (math.pi / 4 + 0.5) / math.sqrt(2))


def a_logarithm_that_leaves_its_domain_is_named():
    stops("logarithm", "the argument of log, `x`, reaches 0", 1)
    stops("logarithm", "the argument of log, `x`, is negative", 0, "--at", "x = -1")


def an_arcsine_that_leaves_its_domain_is_named():
    stops("arcsine", "the argument of asin, `x`, leaves [-1, 1]", 1)


def a_mass_that_vanishes_is_named():
    stops("singular", "the mass matrix becomes singular", 2 / 3)  # sqrt(1 - x) x' = 1


def constraints_that_become_dependent_are_named():
    stops("rank", "the constraints become dependent", 1)
    # x'^2 (2 + (1 + sin x)^2) = 3 until x = 1
    end = sum(math.sqrt((2 + (1 + math.sin((i + 0.5) / 1000)) ** 2) / 3) for i in range(1000)) / 1000
    stops("rank_behind", "the constraints become dependent", end)


def a_denominator_that_reaches_zero_is_named():
    stops("pole", "the denominator `r` reaches 0", math.pi / (2 * math.sqrt(2)))  # free fall into the centre


def growth_without_bound_is_named():
    status, summary, _, _ = simulate("blowup")
    t = float(summary["t"])
    stops("blowup", "the solution grows without bound", t)
    # t = integral of dx / sqrt(1 + 2/3 (x^3 - 1)) from 1 to infinity
    n, total = 200000, 0.0
    for i in range(n):
        u = (i + 0.5) / n  # x = 1/u^2
        x = 1 / u**2
        total += 2 / u**3 / math.sqrt(1 + 2 / 3 * (x**3 - 1)) / n
    assert abs(t - total) < 1e-6, (t, total)


def appells_particle_stops_where_its_horizontal_speed_vanishes():
    stops("rs_3_3_appell", "the argument of sqrt, `x'^2 + y'^2`, reaches 0", 5 / (0.5 * 9.81 / 1.25), "--until", "3")


def velocities_that_serve_no_longer_give_way_to_others():
    status, summary, errors, _ = simulate("neumann", "--until", "3")
    assert status == 0 and summary["charts"] > 1, (errors, summary.get("charts"))


def of_many_velocities_those_that_serve_no_longer_give_way_too():
    """Skates on circles of radius 1: x = sin(theta + t) - sin(theta), y = cos(theta) - cos(theta + t)."""
    status, summary, errors, rows = simulate("many_skates", output="skates.csv")
    assert status == 0 and summary["charts"] > 3, (errors, summary.get("charts"))
    for row in rows:
        for i in range(1, 10):
            x, y = math.sin(0.1 * i + row["t"]) - math.sin(0.1 * i), math.cos(0.1 * i) - math.cos(0.1 * i + row["t"])
            assert math.hypot(row["x[%d]" % i] - x, row["y[%d]" % i] - y) < 1e-9, (i, row["t"])


def velocities_that_the_model_insists_on_are_told_from_a_singular_system():
    stops("insists", "the dependent velocities no longer follow", 0.6513420, "--until", "3", "--method", "dop853")


def a_method_is_chosen_and_the_reason_given():
    def chosen(model, *arguments):
        summary = simulate(model, *arguments)[1]
        return summary["method"], summary["method_chosen"]

    method, why = chosen("kink", "--until", "1")
    assert method == "tsit5" and why == "sign makes the right-hand side not smooth", (method, why)
    method, why = chosen("stiff", "--until", "0.1")
    assert method in ("bdf", "dop853") and why.startswith("stiff: a mode decays as exp(-1e+06 t)"), (method, why)
    method, why = chosen("oscillator")
    assert method in ("taylor", "dop853") and why.startswith("least work, %s: about" % method), (method, why)
    assert "method_chosen" not in simulate("oscillator", "--method", "tsit5")[1]


def the_error_estimate_is_the_error():
    for method in METHODS:
        for tolerance in ("1e-6", "1e-9"):
            _, summary, _, rows = simulate("oscillator", "--method", method, "--tol", tolerance, "--verify", output="verified.csv")
            truth = max(max(abs(r["x"] - math.cos(r["t"])) / (1 + abs(r["x"])), abs(r["x'"] + math.sin(r["t"])) / (1 + abs(r["x'"]))) for r in rows)
            found = float(summary["verification"]["error"])
            assert summary["verification"]["complete"] and summary["verification"]["rows"] == 41, summary
            assert 0.8 * truth < found < 1.25 * truth, (method, tolerance, truth, found)


def long_runs_are_verified_at_no_more_than_a_thousand_rows():
    v = simulate("oscillator", "--tol", "1e-8", "--every", "0.01", "--verify")[1]["verification"]
    assert v["complete"] and 500 <= v["rows"] <= 1000, v


def the_error_falls_with_the_tolerance_as_the_order_says():
    """error ~ steps^-order, measured between two tolerances against x = cos t."""
    for method, order, coarse, fine in (("tsit5", 5, "1e-5", "1e-10"), ("dop853", 8, "1e-6", "1e-11")):
        found = []
        for tolerance in (coarse, fine):
            _, summary, _, rows = simulate("oscillator", "--method", method, "--tol", tolerance, "--until", "200", output="orders.csv")
            found.append((max(abs(r["x"] - math.cos(r["t"])) for r in rows), summary["steps"]))
        (error, steps), (less, more) = found
        measured = math.log(error / less) / math.log(more / steps)
        assert abs(measured - order) < 0.6, (method, measured)


def coordinates_stay_on_holonomic_constraints_and_the_correction_is_reported():
    _, summary, _, rows = simulate("neumann", "--form", "multipliers", "--until", "40", "--tol", "1e-9", "--method", "dop853", output="sphere.csv")
    assert summary["holonomic_projection"]["times"] > 0 and 0 < float(summary["holonomic_projection"]["largest"]) < 1e-8, summary
    assert max(abs(r["residual[sphere]"]) for r in rows) < 1e-8


def a_projected_start_is_the_nearest_in_the_kinetic_metric():
    given = {"x": 1.3, "y": 1.1, "z": 0.2, "x'": 0.4, "y'": -0.3, "z'": 0.9}
    at = ", ".join("%s = %r" % item for item in given.items())
    status, summary, errors, _ = simulate("two_masses", "--at", at, "--project", "--method", "dop853")
    assert status == 0, errors
    now = dict(given, **{c["name"]: float(c["projected"]) for c in summary["start_projection"]["changed"]})
    m, names = (1, 3, 2), ("x", "y", "z")
    # the constraints hold
    assert abs(now["x"] ** 2 + 3 * now["y"] ** 2 - 4) < 1e-14 and now["z"] == given["z"]
    ring, blade = (2 * now["x"], 6 * now["y"], 0), (0, 1, -1)
    for row in (ring, blade):
        assert abs(sum(a * now[n + "'"] for a, n in zip(row, names))) < 1e-14
    # M times the correction of the velocities lies in the span of the rows: it does no work on what the constraints allow
    allowed = (-ring[1] / ring[0], 1, 1)
    change = [now[n + "'"] - given[n + "'"] for n in names]
    assert abs(sum(a * b * c for a, b, c in zip(m, change, allowed))) < 1e-14
    size = math.sqrt(sum(a * c * c for a, c in zip(m, change)))
    assert abs(size - float(summary["start_projection"]["velocities"])) < 1e-14
    # and in this metric the ring is a circle of radius 2: the nearest point lies on the ray
    assert abs(now["x"] / now["y"] - given["x"] / given["y"]) < 1e-14
    assert abs(float(summary["start_projection"]["coordinates"]) - (math.sqrt(given["x"] ** 2 + 3 * given["y"] ** 2) - 2)) < 1e-14
    # without --project the same values are refused
    status, _, errors, _ = simulate("two_masses", "--at", at)
    assert status == 2 and "do not satisfy the constraints" in errors, errors


passed = failed = 0
for name, test in [(n, f) for n, f in list(globals().items()) if callable(f) and getattr(f, "__module__", None) == "__main__"]:
    if name in ("simulate", "stops"):
        continue
    try:
        test()
        passed += 1
    except Exception as problem:  # every test is run
        failed += 1
        print("%s: %s %s" % (name.replace("_", " "), type(problem).__name__, problem))
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
