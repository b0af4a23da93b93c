"""Runs in long double and in quadruple precision reach closed solutions to their last digits, keep energies to theirs, and say what cannot be done in them."""
import csv
import io
import json
import os
import tempfile

import mpmath

from _checks import check, finish, near, run

mpmath.mp.dps = 60


def rows(model, *options):
    """The rows of a run as dictionaries of numbers with 60 digits."""
    table = csv.DictReader(io.StringIO(run(model, "--method", "taylor", "-o", "-", *options).stdout))
    return [{name: mpmath.mpf(value) for name, value in row.items()} for row in table]


def summary(model, *options):
    return json.loads(run(model, "--method", "taylor", "--json", *options).stdout)


PRECISIONS = {"long": mpmath.mpf("1e-17"), "quad": mpmath.mpf("1e-31")}
PENDULUM = """system pendulum
param m = 1, l = 3/10, g = 9.81
coord theta
kinetic m*l^2/2*theta'^2
potential -m*g*l*cos(theta)
initial theta = 1, theta' = 0.4
"""


def the_sleigh_slides_into_its_straight_line():
    # m = 1, J = 2, a = 1/2: w' = -a m v w/(J + m a^2), v' = a w^2; with K^2 = v^2 + w^2 (J + m a^2)/m
    a, v0, w0 = mpmath.mpf(1) / 2, mpmath.mpf(1), mpmath.mpf(3) / 10
    mu = 2 + a * a
    speed = mpmath.sqrt(v0 * v0 + mu * w0 * w0)
    rate, phase = a * speed / mu, mpmath.atanh(v0 / speed)
    for precision, most in PRECISIONS.items():
        for row in rows("sleigh", "--precision", precision, "--until", "20", "--every", "0.5"):
            now = rate * row["t"] + phase
            theta = 2 * mpmath.sqrt(mu) / a * (mpmath.atan(mpmath.exp(now)) - mpmath.atan(mpmath.exp(phase)))
            v = row["x'"] * mpmath.cos(theta) + row["y'"] * mpmath.sin(theta)
            near(f"{precision}, v at {row['t']}", v, speed * mpmath.tanh(now), most)
            near(f"{precision}, w at {row['t']}", row["w"], speed / mpmath.sqrt(mu) / mpmath.cosh(now), most)
            near(f"{precision}, theta at {row['t']}", row["theta"], theta, most)


def a_pendulum_keeps_its_energy():
    for precision, most in (("long", 1e-16), ("quad", 1e-30)):
        s = summary(PENDULUM, "--precision", precision, "--until", "20")
        check(f"{precision}: drift", 0 < float(s["drift"]["energy"]) < most, s["drift"]["energy"])


def other_independent_velocities_take_over_without_loss():
    s = summary("snakeboard", "--precision", "quad", "--until", "20", "--every", "1")
    check("charts", s["charts"] >= 2, str(s["charts"]))
    for name, drift in s["drift"].items():
        check(f"drift of {name}", float(drift) < 1e-30, drift)


def numbers_of_the_model_and_times_of_rows_are_exact():
    # x'' = t/3 from x(1/10) = 1/7: x = 1/7 + (t^3 - 1/1000)/18 - (t - 1/10)/600
    text = "system ramp\nparam k = 1/3\ncoord x\nkinetic x'^2/2\nforce x = k*t\ninitial x = 1/7\nsimulate t = 1/10 .. 2\n"
    for row in rows(text, "--precision", "quad", "--every", "0.1"):
        t = row["t"]
        near("t", t * 10, mpmath.nint(t * 10), mpmath.mpf("1e-33"))
        near("x", row["x"], mpmath.mpf(1) / 7 + (t**3 - mpmath.mpf(1) / 1000) / 18 - (t - mpmath.mpf(1) / 10) / 600, mpmath.mpf("1e-33"))


def constants_of_the_equations_are_exact():
    # x'' = -(pi/7)^2 x
    text = "system tone\ncoord x\nkinetic x'^2/2\npotential (pi/7)^2*x^2/2\ninitial x = 1\n"
    for row in rows(text, "--precision", "quad", "--until", "30", "--every", "3"):
        near("x", row["x"], mpmath.cos(mpmath.pi / 7 * row["t"]), PRECISIONS["quad"])


def the_error_follows_the_tolerance():
    text = "system oscillator\ncoord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
    for tolerance in ("1e-18", "1e-22", "1e-27", "1e-32"):
        last = rows(text, "--precision", "quad", "--tol", tolerance, "--until", "10", "--every", "10")[-1]
        error = abs(last["x"] - mpmath.cos(10))
        check("tolerance", 1e-7 * float(tolerance) < error < 30 * float(tolerance), f"{tolerance}: {mpmath.nstr(error, 3)}")


def a_run_stops_at_its_event():
    text = "system oscillator\ncoord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\nevent zero: x stop\n"
    last = rows(text, "--precision", "quad", "--until", "7", "--every", "7")[-1]
    near("the time of an event is a double", last["t"], mpmath.pi / 2, 4e-16)
    near("the state there", last["x"], mpmath.cos(last["t"]), PRECISIONS["quad"])


def the_error_estimate_is_the_error():
    text = "system oscillator\ncoord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
    finer, coarser = (0.7, 1.4), (0.1, 30)  # beyond quad there is nothing to compare with but a coarser run
    for options, second, (least, most) in ((("--tol", "1e-9"), "double", finer), (("--tol", "1e-12"), "long", finer), (("--tol", "1e-16"), "long", finer), (("--precision", "long", "--tol", "1e-15"), "long", finer),
                                           (("--precision", "long"), "quad", finer), (("--precision", "quad", "--tol", "1e-28"), "quad", finer),
                                           (("--precision", "quad"), "quad", coarser)):
        options = (*options, "--until", "20", "--every", "0.1")
        truth = max(max(abs(r["x"] - mpmath.cos(r["t"])) / (1 + abs(r["x"])), abs(r["x'"] + mpmath.sin(r["t"])) / (1 + abs(r["x'"]))) for r in rows(text, *options))
        v = summary(text, *options, "--verify")["verification"]
        ratio = mpmath.mpf(v["error"]) / truth
        check("error estimate", least < ratio < most and v["precision"] == second and v["complete"] and v["rows"] == 201, f"{options}: {v}, {mpmath.nstr(truth, 3)}")


def a_motion_that_forgets_its_start_does_not_pass_for_exact():
    found = summary("double_pendulum", "--tol", "1e-16", "--until", "20", "--every", "1", "--verify")["verification"]
    one, other = (rows("double_pendulum", "--precision", p, "--tol", "1e-16", "--until", "20", "--every", "1") for p in ("double", "quad"))
    truth = max(abs(a[n] - b[n]) / (1 + abs(b[n])) for a, b in zip(one, other) for n in a if n.startswith("theta") or n.endswith("'"))
    check("chaos", truth > 1e-9 and 0.9 < mpmath.mpf(found["error"]) / truth < 1.1, f"{found}: {mpmath.nstr(truth, 3)}")


def runs_that_stopped_or_went_on_are_verified_to_their_end():
    text = PENDULUM + "event down: theta stop\n"
    for tol in ("1e-6", "1e-7", "1e-8", "1e-9", "1e-16"):
        v = summary(text, "--tol", tol, "--until", "30", "--every", "0.01", "--verify")["verification"]
        check(f"stopped, {tol}", v["complete"] and v["rows"] > 10, str(v))
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "run.h5")
        run("sleigh", "--until", "5", "--tol", "1e-8", "-o", file)
        v = json.loads(run("sleigh", "--resume", file, "--until", "10", "--verify", "--json").stdout)["verification"]
        check("taken up again", v["complete"] and v["rows"] > 50, str(v))


def the_summary_has_all_digits():
    last = rows(PENDULUM, "--precision", "quad", "--until", "3", "--every", "3")[-1]
    final = summary(PENDULUM, "--precision", "quad", "--until", "3", "--every", "3")["final"]
    check("final", mpmath.mpf(final["theta"]) == last["theta"] and len(final["theta"]) > 33, final["theta"])


def what_cannot_be_done_is_said():
    quad = ("--precision", "quad")
    for options, words in (((*quad, "--method", "dop853"), "the method `dop853` has none"),
                           ((*quad, "--method", "taylor", "--exec", "compiled"), "such runs are interpreted"),
                           (("--precision", "half"), "--precision wants double, long or quad, not `half`")):
        check(words, words in run(PENDULUM, *options, status=1).stderr, str(options))
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "run.h5")
        run("sleigh", *quad, "--method", "taylor", "-o", file)
        check("resume", "was made in precision `quad`" in run("sleigh", "--resume", file, "--until", "30", status=1).stderr)


for test in (the_sleigh_slides_into_its_straight_line, a_pendulum_keeps_its_energy, other_independent_velocities_take_over_without_loss,
             numbers_of_the_model_and_times_of_rows_are_exact,
             constants_of_the_equations_are_exact, the_error_follows_the_tolerance, a_run_stops_at_its_event, the_error_estimate_is_the_error,
             a_motion_that_forgets_its_start_does_not_pass_for_exact, runs_that_stopped_or_went_on_are_verified_to_their_end, the_summary_has_all_digits,
             what_cannot_be_done_is_said):
    test()
finish()
