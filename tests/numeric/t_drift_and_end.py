#!/usr/bin/python3
"""Drift is that of all steps, whatever rows are asked for, with the time where it is largest; the end of a run has a row, wherever it ends."""
import csv
import json
import math
import os
import signal
import subprocess
import tempfile
import time

from _checks import HAMEL, check, finish, run

PENDULUM = "coord a\nkinetic a'^2/2\npotential -9.81*cos(a)\ninvariant twice = a'^2 - 2*9.81*cos(a)\ninitial a = 1.2, a' = 0.3\n"
ENDS = "coord x\nkinetic x'^2/2\npotential -sqrt(1 - x)/100\ninitial x' = 1\n"
METHODS = ((), ("--method", "dop853"), ("--method", "tsit5"), ("--method", "adams"), ("--method", "midpoint", "--step", "0.013"), ("--precision", "long"),
           ("--precision", "quad"), ("--exec", "compiled"))


def summary(model, *options, status=0):
    s = json.loads(run(model, "--json", *options, status=status).stdout)
    for key in ("drift", "drift_at"):
        s[key] = {name: float(value) for name, value in s[key].items()}
    return s


def rows(text):
    return [[float(x) for x in line] for line in list(csv.reader(text.splitlines()))[1:]]


def drift_is_of_all_steps_whatever_rows_are_asked_for():
    for model in (PENDULUM, "rolling_disc"):
        for options in METHODS:
            found = [summary(model, *options, "--until", "4.03", "--every", every) for every in ("1e300", "0.1", "0.037")]
            name = f"{model[:8]!r} {' '.join(options)}"
            check(f"{name}: drift", all(f["drift"] == found[0]["drift"] for f in found), [f["drift"] for f in found])
            check(f"{name}: drift_at", all(f["drift_at"] == found[0]["drift_at"] for f in found), [f["drift_at"] for f in found])
            check(f"{name}: as many", found[0]["drift"].keys() == found[0]["drift_at"].keys() and found[0]["drift"]["energy"] > 0, found[0])


def largest(table, column):
    return max((abs(row[column] - table[0][column]), -row[0]) for row in table)


def drift_is_the_largest_deviation_of_rows_at_all_steps():
    """Equal steps, with a row at each."""
    options = ("--method", "midpoint", "--step", "0.0625", "--until", "8")
    done = run(PENDULUM, *options, "--every", "0.0625", "-o", "-").stdout
    table, s = rows(done), summary(PENDULUM, *options, "--every", "1e300")
    names = done.splitlines()[0].split(",")
    for name in s["drift"]:
        size, at = largest(table, names.index(name))
        check(f"the size of {name}", abs(s["drift"][name] - size) <= 1e-12 * size and size > 1e-6, (s["drift"][name], size))
        check(f"the time of {name}", s["drift_at"][name] == -at, (s["drift_at"][name], -at))
    by_hand = [[row[0], row[names.index("a'")] ** 2 / 2 - 9.81 * math.cos(row[names.index("a")])] for row in table]
    size, at = largest(by_hand, 1)
    check("the size of the energy, computed here", abs(s["drift"]["energy"] - size) <= 1e-11 * size, (s["drift"]["energy"], size))
    check("and its time", s["drift_at"]["energy"] == -at, (s["drift_at"]["energy"], -at))


def the_end_has_a_row_wherever_it_is():
    for options in METHODS:
        for until, every, count in (("1.03", "0.1", 12), ("1", "0.1", 11), ("1.03", "1e300", 2), ("0.05", "0.1", 2)):
            table = rows(run(PENDULUM, *options, "--until", until, "--every", every, "-o", "-").stdout)
            check(f"{options} {until} {every}", len(table) == count and table[-1][0] == float(until), table[-1])


def a_run_that_stops_has_a_row_where_it_stopped():
    with tempfile.TemporaryDirectory() as folder:
        for method in (("--method", "taylor"), ("--method", "dop853"), ("--precision", "long")):
            file = os.path.join(folder, "run.csv")
            s = summary(ENDS, *method, "--until", "3", "--every", "0.3", "-o", file, status=5)
            table = rows(open(file).read())
            check(f"{method}", float(s["t"]) == table[-1][0] and 0.5 < float(s["t"]) < 1.2 and len(table) == s["rows"], (float(s["t"]), table[-1]))
            os.remove(file)


def an_interrupted_run_has_a_row_where_it_was():
    with tempfile.TemporaryDirectory() as folder:
        file, model = os.path.join(folder, "run.csv"), os.path.join(folder, "pendulum.ham")
        open(model, "w").write(PENDULUM)
        # no row but the first is at a multiple of the interval
        going = subprocess.Popen([HAMEL, "simulate", model, "--json", "--until", "1e8", "--every", "1e7", "--exec", "interpreted", "-o", file],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while not os.path.exists(file + ".journal"):
            time.sleep(0.01)
        time.sleep(0.3)
        going.send_signal(signal.SIGINT)
        s, table = json.loads(going.communicate()[0]), rows(open(file).read())
        check("interrupted", s["outcome"] == "interrupted" and len(table) == 2 and table[1][0] == float(s["t"]) > 0, (s["outcome"], table))


for test in (drift_is_of_all_steps_whatever_rows_are_asked_for, drift_is_the_largest_deviation_of_rows_at_all_steps, the_end_has_a_row_wherever_it_is,
             a_run_that_stops_has_a_row_where_it_stopped, an_interrupted_run_has_a_row_where_it_was):
    test()
finish()
