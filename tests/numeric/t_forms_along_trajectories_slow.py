#!/usr/bin/python3
"""Every classical form that applies to a model, integrated by itself, gives the same trajectory: coordinates and velocities agree to AGREE at all rows.
One model in three; all of them in make test-long."""
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from _checks import run_size
from _runs import RunFailed, best_method, call, trajectory

METHOD = best_method()
TOLERANCE = 1e-13  # of a step: near the end of double precision
AGREE = 1e-11      # relative to 1 + |value|: some hundred steps of TOLERANCE each
PROCESSES = len(os.sched_getaffinity(0))
# Models with the time up to which they run: some hundred steps, no state where a velocity that a form eliminates is not determined by the rest.
MODELS = {
    "sleigh": 4, "knife_edge": 1, "rosenberg_particle": 5, "suslov": 0.8, "vertical_disc": 5, "appell_hamel": 0.5, "pendulum": 1, "spherical_pendulum": 0.3,
    "rolling_disc": 0.5, "chaplygin_ball": 0.5, "ball_on_turntable": 0.1, "double_pendulum": 1, "constant_speed": 0.1, "prescribed_speed": 0.2,
    "tangential_acceleration": 0.2, "parallel_velocities": 0.5, "roller_racer": 0.1, "snakeboard": 0.5, "n_trailer": 1, "t15_3_3_unicycle": 1, "skier": 0.5,
}
MODELS = {name: MODELS[name] for i, name in enumerate(MODELS) if i % run_size(3, 1) == 0}
FEWEST = {"sleigh": 12, "pendulum": 14, "rolling_disc": 14, "double_pendulum": 14}  # comparisons, so that none is lost unnoticed
OTHER_MECHANICS = {"vakonomic", "a-model", "a-model-b", "voronets-chaplygin-g", "chaplygin-g", "routh-chaplygin", "gaponov", "cartesian"}
passed = failed = 0


def check(name, wrong):
    global passed, failed
    passed, failed = passed + (not wrong), failed + bool(wrong)
    if wrong:
        print("FAIL %s: %s" % (name, wrong))


def forms_of(model):
    listed = json.loads(call("forms", model, "--json"))["forms"]
    return [f["id"] for f in listed if f["applies"] is True and f["id"] not in OTHER_MECHANICS]


def run(model, form):
    try:
        return trajectory(model, form=form, tol=TOLERANCE, method=METHOD, until=MODELS[model], every=MODELS[model] / 20)
    except RunFailed as problem:
        return str(problem)


def names_of(columns):
    """Coordinates and velocities: a name and the same with a prime."""
    return [n for c in columns if c + "'" in columns and not c.endswith("'") for n in (c, c + "'")]


def difference(a, b):
    """The largest difference of two runs, relative to 1 + |value|, and where it is."""
    worst = (0, "nowhere")
    for name in names_of(a):
        for t, u, v in zip(a["t"], a[name], b[name]):
            worst = max(worst, (abs(u - v) / (1 + abs(u)), "%s at t = %g" % (name, t)))
    return worst


def compare(model, form, first, other):
    if isinstance(other, str):
        return other
    if first["t"] != other["t"] or len(first["t"]) < 20:
        return "the rows are at other times"
    size, where = difference(first, other)
    return "" if size <= AGREE else "differs by %.3g (%s)" % (size, where)


with ThreadPoolExecutor(PROCESSES) as pool:
    forms = dict(zip(MODELS, pool.map(forms_of, MODELS)))
    jobs = [(m, f) for m in MODELS for f in forms[m]]
    runs = dict(zip(jobs, pool.map(lambda j: run(*j), jobs)))
for model in MODELS:
    reference = forms[model][0]
    first = runs[model, reference]
    if isinstance(first, str):
        check("%s by %s" % (model, reference), first)
        continue
    for form in forms[model][1:]:
        check("%s by %s and %s" % (model, reference, form), compare(model, form, first, runs[model, form]))
    if len(forms[model]) - 1 < FEWEST.get(model, 2):
        check("%s has forms to compare" % model, "only %d" % len(forms[model]))
a = runs["sleigh", "maggi"]
check("a difference of 2e-11 is noticed", "" if difference(a, dict(a, x=[u + 2e-11 for u in a["x"]]))[0] > AGREE else "it was not")
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
