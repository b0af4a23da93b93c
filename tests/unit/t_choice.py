#!/usr/bin/env python3
"""Which integrator `--method auto` takes for smooth equations: the one with the least work. What is expected was measured: runs of both methods with a clock."""
import json
import os
import subprocess

from _checks import check, finish

HAMEL = os.environ["HAMEL"]


def chosen(model, *arguments):
    """(method, why) of a run of 5 s"""
    p = subprocess.run([HAMEL, "simulate", model, "--json", "--until", "5", "--every", "5", *arguments], capture_output=True, text=True)
    said = json.loads(p.stdout)
    return said["method"], said["method_chosen"]


for model in "pendulum", "rolling_disc", "roller_racer", "n_trailer", "rattleback", "spherical_pendulum":  # the sleigh costs as much by either
    method, _ = chosen(model, "--tol", "1e-4")
    check(method == "dop853", "few digits are cheapest by a Runge-Kutta pair: %s" % model)
for model in "sleigh", "pendulum", "suslov", "rolling_disc", "roller_racer":
    method, _ = chosen(model, "--tol", "1e-13")
    check(method == "taylor", "many digits are cheapest by series: %s" % model)
for model in "bicycle", "rattleback":
    method, _ = chosen(model, "--tol", "1e-10")
    check(method == "dop853", "series of large systems are expensive: %s" % model)
method, _ = chosen("bicycle", "--tol", "1e-15")
check(method == "taylor", "all digits that a double holds are for series")
method, _ = chosen("sleigh", "--tol", "1e-6", "--precision", "long")
check(method == "taylor", "a higher precision is for series, whatever the tolerance")
interpreted, compiled = (chosen("sleigh", "--exec", how) for how in ("interpreted", "compiled"))
check(interpreted == compiled, "the choice does not depend on how rates are executed")
finish()
