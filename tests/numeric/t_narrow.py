"""No method runs past a narrow feature without a word: random wells, walls and pulses in time against a fixed loop; events
with known numbers of zeros, poles that are none; constraints that lose their rank, whatever rows are asked for."""
import json
import math
import random
import subprocess
import sys
import tempfile

from _checks import HAMEL, check, finish, in_time, near, run, run_cases, run_seed
from _narrow import LENGTH, Model

METHODS = ("taylor", "tsit5", "dop853", "adams", "bdf", "midpoint")
SEED = run_seed(20261116)
COUNT = run_cases(12, 400)
WRONG = 5e-4  # what the motion is off by where a feature is missed is more; by a method's own errors much less


def summary(text, *options, status=0):
    out = run(text, "--json", *options, status=status)
    return json.loads(out.stdout)


def attempt(text, *options):
    """The summary, or None of a run that stopped and said why"""
    with tempfile.NamedTemporaryFile("w", suffix=".ham") as file:
        file.write(text)
        file.flush()
        out = subprocess.run([HAMEL, "simulate", file.name, "--json", *options], capture_output=True, text=True, check=False)
    check("a run ends or says why not", out.returncode == 0 or (out.returncode in (1, 5) and "error:" in out.stderr), out.stderr[:200])
    return json.loads(out.stdout) if out.returncode == 0 else None


def options_of(method, draw):
    if method == "midpoint":
        return ["--method", method, "--step", repr(draw.choice((0.2, 0.05, 0.004)))]
    return ["--method", method, "--tol", draw.choice(("1e-7", "1e-10"))]


def random_features_are_found_or_told():
    silently, told, right, stopped = [], 0, 0, 0
    for i in in_time(range(COUNT)):
        seed = SEED + i
        draw = random.Random(seed)
        model = Model(draw)
        x, v = model.reference(LENGTH)
        for method in METHODS:
            options = options_of(method, draw)
            s = attempt(model.text(), "--until", repr(LENGTH), "--every", repr(draw.choice((LENGTH, LENGTH / 16))), *options)
            if s is None:  # it does not run: cosh(1000) is too large for a series, or for a Jacobian
                stopped += 1
                continue
            final = s["final"]
            error = max(abs(float(final["x"]) - x), abs(float(final["x'"]) - v))
            close = WRONG if method != "midpoint" else 6 * WRONG
            if error <= close:
                right += 1
            elif s["warnings"]:
                told += 1
            else:
                silently.append(f"seed {seed} {' '.join(options)}: off by {error:.2g}\n{model.text()}")
    check(f"{COUNT} models from seed {SEED}: silently wrong", not silently, "\n".join(silently[:3]))
    check("most runs are right, not only told of", right >= 5 * (told + stopped), f"{right} right, {told} told, {stopped} stopped")


def what_went_wrong_once():
    bump = "system bump\ncoord x\nkinetic x'^2/2\npotential -exp(-(x-12)^2)\ninitial x = 0, x' = 1\n"
    pulse = "system pulse\ncoord x\nkinetic x'^2/2\nforce x = exp(-((t-5)/0.1)^2)\ninitial x = 0, x' = 1\n"
    for method in METHODS[:5]:
        s = summary(bump, "--until", "20", "--every", "20", "--method", method, "--verify")
        near(f"behind the well, {method}", float(s["final"]["x"]), 20.938098677, 1e-7)
        check(f"the error estimate, {method}", 0 < float(s["verification"]["error"]) < 1e-7, str(s["verification"]))
        s = summary(pulse, "--until", "20", "--every", "20", "--method", method)
        near(f"after the pulse, {method}", float(s["final"]["x'"]), 1 + 0.1 * math.sqrt(math.pi), 1e-7)


def a_step_that_is_too_long_for_the_forces_is_told():
    text = "system pulse\ncoord x\nkinetic x'^2/2\nforce x = exp(-((t-5)/0.01)^2)\ninitial x = 0, x' = 1\n"
    s = summary(text, "--until", "20", "--method", "midpoint", "--step", "0.3")
    check("midpoint", any("narrow" in w for w in s["warnings"]), str(s["warnings"]))


LINE = "system line\ncoord x\nkinetic x'^2/2\ninitial x = 0.001, x' = 1\n"


def events_of(text, method, *options):
    s = summary(text, "--until", "1", "--every", "1", "--method", method, *options)
    return s, [(e["name"], float(e["t"]), e["direction"]) for e in s["events"]]


def every_zero_of_an_event_is_found():
    for method in METHODS:
        for k in (7, 100, 1000):
            _, found = events_of(LINE + f"event e: sin({k}*x)\n", method)
            wanted = [(j * math.pi / k - 0.001, 1 if j % 2 == 0 else -1) for j in range(1, int(1.001 * k / math.pi) + 1)]
            check(f"sin({k} x), {method}", [f[2] for f in found] == [w[1] for w in wanted], f"{len(found)} of {len(wanted)}")
            for f, w in zip(found, wanted):
                near(f"zero of sin({k} x), {method}", f[1], w[0], 1e-9)


def narrow_events_stop_a_run():
    for method in METHODS:
        s, found = events_of(LINE + "event e: exp(-((x - 0.5)/0.0005)^2) - 0.5 stop\n", method)
        near(f"stop, {method}", float(s["t"]), 0.499 - 0.0005 * math.sqrt(math.log(2)), 1e-9)
        check(f"stop, {method}", len(found) == 1 and found[0][2] == 1, str(found))


def poles_and_touches_are_no_crossings():
    for method in METHODS:
        for e in ("1/(x - 0.3)", "tan(20*x) + 0*x", "1/(x - 0.3)^3", "(x - 0.7)^2", "-(x - 0.7)^4", "1 - cos(40*(x - 0.3))"):
            _, found = events_of(LINE + f"event e: {e}\n", method)
            wanted = int(20 * 1.001 / math.pi) if "tan" in e else 0
            check(f"{e}, {method}", len(found) == wanted, str(found))


def directions_are_asked_for():
    up = LINE + "event e: sin(20*x) up\n"
    down = LINE + "event e: sin(20*x) down stop\n"
    for method in METHODS:
        _, found = events_of(up, method)
        check(f"up, {method}", [f[2] for f in found] == [1, 1, 1], str(found))
        s, found = events_of(down, method)
        near(f"down stop, {method}", float(s["t"]), math.pi / 20 - 0.001, 1e-9)
        check(f"down stop, {method}", len(found) == 1 and s["outcome"] == "stopped by an event", str(found))


def the_state_at_an_event_is_told():
    text = "system fall\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\ninitial x' = 2, y' = 5\nevent ground: y down\n"
    s = summary(text, "--until", "1.5", "--every", "0.4")
    e = s["events"]
    check("one event", len(e) == 1, str(e))
    for got, wanted in zip([float(w) for w in e[0]["q"] + e[0]["qd"]], (2, 0, 2, -5)):
        near("state at the event", got, wanted, 1e-12)


def an_event_at_the_start_is_no_crossing():
    text = LINE.replace("x = 0.001", "x = 0")
    for method in METHODS:
        _, found = events_of(text + "event e: x\nevent f: sin(10*x)\n", method)
        check(f"at the start, {method}", [f[0] for f in found] == ["f", "f", "f"], str(found))


CONE = ("system cone\nparam a = 1, g = 9.81\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential g*z\n"
        "constraint c: z'^2 = a^2*(x'^2 + y'^2)\ninitial x = 0, y = 0, z = 0, x' = 3, y' = 0.4, z' = sqrt(9.16)\n")


def lost_rank_ends_a_run_whatever_rows_are_asked_for():
    end = 2 * math.sqrt(9.16) / 9.81  # the speed falls at the rate g a/(1 + a^2)
    for method in METHODS + ("ida",):
        for form in ("multipliers", "maggi"):
            if method in ("ida", "midpoint") and form != "multipliers":
                continue
            for every in ("2", "0.37", "0.1", "0.013", repr(end)):
                s = summary(CONE, "--until", "2", "--every", every, "--method", method, "--form", form, status=5)
                near(f"the top, {method}, {form}, rows every {every}", float(s["t"]), end, 1e-4)
                check(f"the cause, {method}, {form}", "rank" in s["cause"] or "sqrt" in s["cause"], s["cause"])


# r(u) of a constraint y' = r x' with u = (z - place)/width: written as it is, and multiplied out it would lose its digits
QUOTIENTS = {"1/(1 + {u}^2)": lambda u: 1 / (1 + u * u), "1/(1 + {u}^4)": lambda u: 1 / (1 + u**4), "{u}/(1 + {u}^2)": lambda u: u / (1 + u * u),
             "1/(1 + {u}^2)^2": lambda u: 1 / (1 + u * u)**2, "1/(2 + {u} + {u}^2)": lambda u: 1 / (2 + u + u * u),
             "1/sqrt(1 + {u}^2)": lambda u: 1 / math.sqrt(1 + u * u), "1/(1 + {u}^2 + ({u} - 2)^2)": lambda u: 1 / (1 + u * u + (u - 2)**2)}


def way_along(rate, start, end):
    """The integral of rate by Simpson's rule"""
    n = 40000
    h = (end - start) / n
    return h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * rate(start + i * h) for i in range(n + 1))


def quotients_far_from_zero_keep_their_digits():
    """y' = r(z) x', z' = 1, free otherwise: x'^2 (1 + r^2) stays what it is."""
    for i in range(max(COUNT, len(QUOTIENTS))):
        draw = random.Random(SEED + i)
        words = list(QUOTIENTS)[i % len(QUOTIENTS)]
        place, width, moving = round(draw.uniform(-200, 200), 3), round(draw.uniform(0.02, 0.2), 4), draw.choice("zt")
        begin = round(place - 0.5, 3)
        u = f"(({moving} - ({place}))/{width})"
        text = (f"system quotient\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: y' = x'*{words.format(u=u)}\n"
                f"initial x' = 0.7, z = {begin}, z' = 1\nsimulate t = {begin if moving == 't' else 0} .. {round(begin + 1, 3) if moving == 't' else 1}, output = 1\n")
        r = QUOTIENTS[words]
        square = 0.49 * (1 + r(-0.5 / width)**2)
        x = way_along(lambda s: math.sqrt(square / (1 + r(s / width)**2)), -0.5, 0.5)
        for method in ("taylor", "tsit5", "dop853"):
            near(f"{words}, {method}\n{text}", float(summary(text, "--method", method)["final"]["x"]), x, 1e-8)


TESTS = (what_went_wrong_once, random_features_are_found_or_told, quotients_far_from_zero_keep_their_digits, a_step_that_is_too_long_for_the_forces_is_told, every_zero_of_an_event_is_found,
         narrow_events_stop_a_run, poles_and_touches_are_no_crossings, directions_are_asked_for, the_state_at_an_event_is_told,
         an_event_at_the_start_is_no_crossing, lost_rank_ends_a_run_whatever_rows_are_asked_for)
if __name__ == "__main__":
    for test in TESTS if len(sys.argv) < 2 else [t for t in TESTS if t.__name__ in sys.argv]:
        test()
    finish()
