"""Taylor's method reaches closed solutions to rounding, finds every event within a step, and says where a solution ends."""
import json
import math

from _checks import check, finish, near, run


def simulate(model, *options, tol="1e-16", status=0):
    """The summary of a run as a dictionary; `model` is a name of the library or a text."""
    out = run(model, "--method", "taylor", "--tol", tol, "--json", *options, status=status)
    return numbers(json.loads(out.stdout))


def numbers(tree):
    """Numbers are strings in JSON, so that no digit is lost."""
    if isinstance(tree, dict):
        return {key: numbers(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [numbers(value) for value in tree]
    try:
        return float(tree)
    except ValueError:
        return tree


OSCILLATOR = """system oscillator
coord x
kinetic x'^2/2
potential x^2/2
initial x = 1
"""


def an_oscillator_is_a_cosine():
    for until in (1, 10, 100):
        r = simulate(OSCILLATOR, "--until", str(until))
        rounding = 2**-53 * (1 + math.sqrt(r["steps"]))  # errors of one rounding a step, of either sign
        near("oscillator", r["final"]["x"], math.cos(until), 2 * rounding)
        near("oscillator", r["final"]["x'"], -math.sin(until), 2 * rounding)
    check("an oscillator takes long steps", r["steps"] < 110, str(r["steps"]))


def the_sleigh_slides_into_its_straight_line():
    # m = 1, J = 2, a = 1/2: w' = -a m v w/(J + m a^2), v' = a w^2; with K^2 = v^2 + w^2 (J + m a^2)/m
    m, inertia, a, v0, w0 = 1, 2, 0.5, 1, 0.3
    mu = inertia / m + a * a
    r = simulate("sleigh", "--until", "20")
    energy = math.sqrt(v0 * v0 + mu * w0 * w0)
    rate = a * energy / mu
    phase = math.atanh(v0 / energy)
    v, w = energy * math.tanh(rate * 20 + phase), energy / math.sqrt(mu) / math.cosh(rate * 20 + phase)
    theta = 2 * math.sqrt(mu) / a * (math.atan(math.exp(rate * 20 + phase)) - math.atan(math.exp(phase)))
    final = r["final"]
    x, y = final["x'"], final["y'"]
    near("sleigh, v", x * math.cos(theta) + y * math.sin(theta), v, 4e-15)
    near("sleigh, w", final["theta'"], w, 4e-15)
    near("sleigh, theta", final["theta"], theta, 4e-15)


def short_equations_take_long_steps_that_err_as_little():
    # w = K sech(K a t/mu + phase)/sqrt(mu) of the sleigh, as above; steps of the usual order are 12 and 13
    for tol, most, error in ((1e-15, 8, 2e-17), (1e-9, 9, 9e-13)):
        r = simulate("sleigh", "--until", "20", tol=str(tol))
        energy = math.sqrt(1 + 2.25 * 0.09)
        w = energy / 1.5 / math.cosh(energy / 4.5 * 20 + math.atanh(1 / energy))
        near("sleigh, w", r["final"]["theta'"], w, error)
        check("long steps", r["steps"] <= most, f"{tol}: {r['steps']}")


def the_error_follows_the_tolerance():
    for tol in (1e-4, 1e-5, 1e-6, 1e-9, 1e-12):  # even and odd orders
        r = simulate(OSCILLATOR, "--until", "10", tol=str(tol))
        error = abs(r["final"]["x"] - math.cos(10))
        check("tolerance", error <= 30 * tol, f"{tol}: {error:.3g}")
        check("no step of an oscillator is taken twice", r["rejected"] == 0, f"{tol}: {r['rejected']}")


def a_series_with_gaps_is_not_taken_for_a_polynomial():
    # x = exp(t^3): two of three coefficients vanish at the start
    text = "system gaps\ncoord x\nkinetic x'^2/2\nforce x = (6*t + 9*t^4)*x\ninitial x = 1, x' = 0\n"
    r = simulate(text, "--until", "2")
    near("exp(t^3)", r["final"]["x"] / math.exp(8), 1, 2e-14)
    check("exp(t^3)", r["rejected"] == 0, str(r["rejected"]))


def a_polynomial_is_one_step():
    text = "system fall\nparam g = 10\ncoord x\nkinetic x'^2/2\npotential g*x\ninitial x = 0, x' = 3\n"
    r = simulate(text, "--until", "7")
    check("fall", r["steps"] == 1, str(r["steps"]))
    near("fall", r["final"]["x"], 3 * 7 - 5 * 49, 0)


def events_are_found_two_within_a_step():
    text = OSCILLATOR.replace("x = 1\n", "x = 0, x' = 1\n") + "event high: x - 0.9999\nevent rest: x'\n"
    r = simulate(text, "--until", "7", "--every", "7", tol="1e-15")
    expected = [("high", math.asin(0.9999), 1), ("rest", math.pi / 2, -1), ("high", math.pi - math.asin(0.9999), -1), ("rest", 3 * math.pi / 2, 1)]
    found = [(e["name"], e["t"], e["direction"]) for e in r["events"]]
    check("events", [f[0] for f in found] == [e[0] for e in expected] and [f[2] for f in found] == [e[2] for e in expected], str(found))
    for f, e in zip(found, expected):
        near(f"event {e[0]}", f[1], e[1], 2e-14)  # the slope of x - 0.9999 is 0.014


def a_run_stops_at_its_event():
    r = simulate(OSCILLATOR + "event zero: x stop\n", "--until", "7")
    near("stop", r["t"], math.pi / 2, 4e-16)
    near("stop", r["final"]["x"], 0, 4e-16)


def a_branch_is_passed_without_an_error():
    # the force jumps from -pi to pi where x passes 0: energy before x'^2/2 - F(x), after it the same with the same F(0)
    text = "system branch\ncoord x\nkinetic x'^2/2\nforce x = atan2(x, -1)\ninitial x = -1, x' = 3\nevent zero: x stop\n"
    r = simulate(text, "--until", "1", tol="1e-12")
    # from x = -1 to 0 the force atan2(x, -1) = -pi - atan(x) does the work -pi + pi/4 - log(2)/2
    speed = math.sqrt(9 + 2 * (-math.pi + math.pi / 4 - math.log(2) / 2))
    near("branch, before", r["final"]["x'"], speed, 1e-11)
    s = simulate(text.replace(" stop", ""), "--until", "1", tol="1e-12")
    x, v = s["final"]["x"], s["final"]["x'"]
    work = math.pi * x - x * math.atan(x) + math.log(1 + x * x) / 2  # of atan2(x, -1) = pi - atan(x)
    near("branch, after", v * v / 2 - work, speed * speed / 2, 1e-10)


def a_solution_that_blows_up_ends_there():
    # x'' = 6 x^2: x = 1/(1 - t)^2
    text = "system blow\ncoord x\nkinetic x'^2/2\npotential -2*x^3\ninitial x = 1, x' = 2\n"
    r = simulate(text, "--until", "2", status=5)
    check("blow-up", 0.99 < r["t"] <= 1, str(r["t"]))
    check("blow-up", all(math.isfinite(v) for v in r["final"].values()))


def a_root_that_leaves_its_domain_ends_the_run():
    # x'' = -sqrt(x), down through x = 0
    text = "system root\ncoord x\nkinetic x'^2/2\nforce x = -sqrt(x)\ninitial x = 1\n"
    r = simulate(text, "--until", "9", status=5)
    end = math.gamma(2 / 3) * math.gamma(1 / 2) / math.gamma(7 / 6) / math.sqrt(3)  # x'^2/2 = 2/3 (1 - x^(3/2))
    near("root", r["t"], end, 1e-12)
    check("root", r["final"]["x"] >= 0, str(r["final"]))


def kinks_are_refused_with_the_reason():
    text = "system kink\ncoord x\nkinetic x'^2/2\npotential abs(x)\ninitial x = 1\n"
    r = simulate(text, status=1)
    check("kink", "does not pass a kink" in r["diagnostics"][0]["message"], str(r))


for test in (an_oscillator_is_a_cosine, the_sleigh_slides_into_its_straight_line,
             short_equations_take_long_steps_that_err_as_little, the_error_follows_the_tolerance,
             a_series_with_gaps_is_not_taken_for_a_polynomial, a_polynomial_is_one_step, events_are_found_two_within_a_step,
             a_run_stops_at_its_event, a_branch_is_passed_without_an_error, a_solution_that_blows_up_ends_there, a_root_that_leaves_its_domain_ends_the_run,
             kinks_are_refused_with_the_reason):
    test()
finish()
