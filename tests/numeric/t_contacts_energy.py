"""Where energy goes: friction takes the integral of friction times slip, to 1e-10, and an impact what restitution says.
Also resets and sampled control against closed forms, Painleve's paradoxes, the tippe top, the coin.
"""
import json
import math
import random
import subprocess

import mpmath
import numpy as np
from scipy.linalg import expm

from _checks import HAMEL, check, finish, near, run as run_text
from _contacts import impacts, integral, pieces, resets, summary, trajectory

WORK = 1e-10   # of friction, relative to the energy at the start
TIME = 1e-12
VALUE = 1e-11  # what many steps at the tolerance 1e-12 leave
G = 9.81


def final(out, name):
    return float(out["final"][name])


def settings(**values):
    return [f"{name}={value!r}" for name, value in values.items()]


# --- friction ---------------------------------------------------------------------------------------------------------------------


def power_of(run, name, i):
    """What friction of a contact takes: along a line it has a sign, in a plane it opposes the slip."""
    return -abs(run[f"friction[{name}]"][i] * run[f"slip[{name}]"][i])


def friction_takes_the_integral_of_friction_times_slip():
    cases = {"bowling_ball": ["floor"], "billiard_ball": ["cloth"], "ball_on_incline": ["slope"], "sliding_box": ["front", "rear"],
             "painleve_contact": ["floor"], "tippe_top_coulomb": ["table"], "thrown_disc": ["floor"]}
    for model, names in cases.items():
        run = trajectory(model, every=0.0005, tol=1e-13)
        scale = max(map(abs, run["energy"]))
        for rows in pieces(run):
            t = [run["t"][i] for i in rows]
            if len(t) < 9:
                continue  # a bounce: nothing acts
            work = sum(integral(t, [power_of(run, name, i) for i in rows]) for name in names)
            change = run["energy"][rows[-1]] - run["energy"][rows[0]]
            near(f"{model} from t = {t[0]:.6g}: work of friction", change / scale, work / scale, WORK)


def the_belt_gives_what_friction_takes_and_what_the_spring_has():
    run = trajectory("block_on_belt", every=0.002)
    for rows in pieces(run):
        t = [run["t"][i] for i in rows]
        if len(t) < 9:
            continue
        work = integral(t, [run["friction[belt]"][i] * run["x'"][i] for i in rows])
        near("the block on the belt", run["energy"][rows[-1]] - run["energy"][rows[0]], work, WORK)


def impacts_take_what_restitution_says():
    """(1 - e^2) v_n^2/(2 G_nn) without friction: here a rod falls on its end, 1/G_nn = m/(1 + 3 cos(th)^2)."""
    draw = random.Random(1)
    for _ in range(5):
        e, th, m = draw.uniform(0, 1), draw.uniform(0.1, 1.4), draw.uniform(0.5, 3)
        text = f"""coord x, y, th
param m = {m!r}, l = 1, g = 9.81
body rod: mass m at (x, y, 0) inertia (m*l^2/3, m*l^2/3, m*l^2/3) rotation rot(z, th)
gravity (0, -g, 0)
contact floor: gap y - l*sin(th), restitution {e!r}
initial y = 2, th = {th!r}
simulate t = 0 .. 0.7, tol = 1e-12, output = 0.05
"""
        out = json.loads(run_text(text, "--json").stdout)
        t, v, lost = impacts(out, "floor")[0]
        near("falls", t, math.sqrt(2 * (2 - math.sin(th)) / G), TIME)
        mass = m / (1 + 3 * math.cos(th)**2)
        near("what the impact takes", lost, (1 - e**2) * mass * v**2 / 2, 1e-12)


# --- resets and clocks ------------------------------------------------------------------------------------------------------------


def the_rimless_wheel_settles():
    draw = random.Random(2)
    for _ in range(5):
        a, s, l = draw.uniform(0.15, 0.45), draw.uniform(0.05, 0.14), draw.uniform(0.5, 2)
        gain = 4 * G / l * math.sin(a) * math.sin(s)
        # fast enough to get over the top of the first stride
        w = math.sqrt(2 * G / l * (1 - math.cos(s - a)) * draw.uniform(1.5, 4) + 0.1)
        out = summary("rimless_wheel", set=settings(a=a, s=s, l=l, w0=w), until=4)
        events = [e for e in out["events"] if e["name"] == "strikes"]
        check("it walks", len(events) > 1, str(len(events)))
        square, total = w**2, 0.0
        for strike in events:
            total += float(mpmath.quad(lambda th, q=square: 1 / mpmath.sqrt(q + 2 * G / l * (math.cos(s - a) - mpmath.cos(th))),
                                       [s - a, 0, s + a]))
            near("a strike", float(strike["t"]) / total, 1, 1e-11)
            near("before it", float(strike["qd"][2])**2, square + gain, VALUE)
            square = math.cos(2 * a)**2 * (square + gain)
    out = summary("rimless_wheel", until=60)
    last = [e for e in out["events"] if e["name"] == "strikes"][-1]
    a, s = math.pi / 8, 0.12
    limit = 4 * G * math.sin(a) * math.sin(s) / math.tan(2 * a)**2
    near("it settles at 4 g/l sin(a) sin(s) cot(2 a)^2", float(last["qd"][2])**2 * math.cos(2 * a)**2, limit, VALUE)


def a_sampled_controller_is_a_matrix():
    """From look to look by expm of the motion with u held; stable where Jury's test says so."""
    draw = random.Random(3)
    for _ in range(6):
        m, k, d, h = draw.uniform(0.5, 3), draw.uniform(1, 20), draw.uniform(0.5, 8), draw.uniform(0.02, 0.5)
        n = 12
        held = expm(h * np.array([[0, 1, 0], [0, 0, 1 / m], [0, 0, 0]]))
        look = np.array([[1, 0, 0], [0, 1, 0], [-k, -d, 0]])
        state = np.array([1.0, 0, 0])
        for _ in range(n):
            state = held @ look @ state
        out = summary("sampled_cart", set=settings(m=m, k=k, d=d, h=h), until=n * h)
        scale = max(1, abs(state[0]), abs(state[1]))
        near("x", final(out, "x") / scale, state[0] / scale, VALUE)
        near("x'", final(out, "x'") / scale, state[1] / scale, VALUE)
        stable = max(abs(np.linalg.eigvals((held @ look)[:2, :2]))) < 1
        check("Jury's test", stable == (k * h < 2 * d and k * h**2 / m > 0 and 2 * d * h < 4 * m), f"{m} {k} {d} {h}")


def springs_engage_and_let_go():
    draw = random.Random(4)
    for _ in range(5):
        m, k, length, v = draw.uniform(0.5, 3), draw.uniform(50, 900), draw.uniform(0.1, 1), draw.uniform(0.5, 3)
        half = math.pi / math.sqrt(k / m)
        free = 2 * length / v
        out = summary("spring_stop", set=settings(m=m, k=k, L=length, v=v), until=3.2 * (2 * half + 2 * free))
        for side, start in (("right", free / 2), ("left", free / 2 + half + free)):
            for n, t in enumerate(resets(out, f"meets_{side}")):
                near(f"it meets the {side} stop", t / (start + n * 2 * (half + free)), 1, TIME)
            for n, t in enumerate(resets(out, f"leaves_{side}")):
                near(f"it leaves the {side} stop", t / (start + half + n * 2 * (half + free)), 1, TIME)
        check("three times each", len(resets(out, "meets_left")) == 3, str(out["changes"]))
        near("energy", float(out["energies"]["end"]), m * v**2 / 2, 1e-12)


def full_thrust_and_full_brakes():
    draw = random.Random(5)
    for _ in range(5):
        a, x0 = draw.uniform(0.5, 5), draw.uniform(0.5, 9)
        out = summary("bang_bang", set=settings(a=a, x0=x0), until=3 * math.sqrt(x0 / a))
        near("half way", resets(out, "half_way")[0], math.sqrt(x0 / a), TIME)
        near("there", resets(out, "at_rest")[0], 2 * math.sqrt(x0 / a), TIME)
        check("at rest", abs(final(out, "x")) < 1e-13 * x0 and final(out, "x'") == 0, str(out["final"]))


def the_impulse_runs_through_the_cradle():
    d, a0 = 0.001, 0.5
    out = summary("newtons_cradle", until=0.8)
    names = [c["name"] for c in out["changes"]]
    check("one after the other", names == ["hit[0]", "hit[1]", "hit[2]"], str(names))
    square = 2 * G * (math.cos(d) - math.cos(a0))  # of the first where it hits, d beyond its lowest place
    for c in out["changes"]:
        near("its speed", float(c["speed"])**2, square, VALUE)
        check("which takes nothing", abs(float(c["lost"])) < 1e-14, c["lost"])
        square -= 2 * G * (1 - math.cos(d))
    end = summary("newtons_cradle", until=20)["energies"]
    near("energy after twenty seconds", float(end["end"]), float(end["start"]), 1e-12)


# --- paradoxes, tops and coins ----------------------------------------------------------------------------------------------------


def painleves_paradoxes_are_named():
    def attempt(**at):
        words = ", ".join(f"{name}={value!r}" for name, value in at.items())
        done = subprocess.run([HAMEL, "simulate", "painleve_contact", "--set", "mu=2", "--at", words, "--until", "0.01"],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    draw = random.Random(6)
    for _ in range(20):
        th = draw.uniform(0.3, 1.5)
        fast = draw.uniform(0, 6)
        divisor, falls = 1 + 3 * math.cos(th)**2 - 6 * math.sin(th) * math.cos(th), G - math.sin(th) * fast**2
        status, words = attempt(th=th, **{"th'": fast})
        if divisor > 0:
            check("there is a motion", status == 0, words)
        elif falls > 0:
            check("no motion", status == 5 and "no motion obeys" in words, f"{th} {fast} {status} {words}")
        else:
            check("several motions", status == 5 and "several motions obey" in words, f"{th} {fast} {status} {words}")


def a_rod_that_comes_to_a_paradox_is_stopped_there():
    """Sliding from outside towards the angle where the divisor is 0: N grows without bound before; whatever ends it is said."""
    done = subprocess.run([HAMEL, "simulate", "painleve_contact", "--set", "mu=2", "--at", "th=1.45, x'=-20", "--until", "2"],
                          capture_output=True, text=True, check=False, timeout=60)
    check("it ends with its cause", done.returncode in (0, 5) and (done.returncode == 0 or "the run stopped" in done.stderr), done.stderr)


def the_tippe_top_turns_over():
    run = trajectory("tippe_top_coulomb")
    jellett = run["invariant[jellett]"]
    check("Jellett's integral stays", max(abs(j / jellett[0] - 1) for j in jellett) < 1e-10, str(jellett[0]))
    check("it is upside down", run["theta"][-1] >= 3 - 1e-12, str(run["theta"][-1]))
    near("with nearly n (R - a)/(R + a)", run["spin"][-1] / run["spin"][0], 17 / 23, 0.02)  # at 172 degrees, not at 180
    check("the floor never pulls", min(run["normal[table]"]) > 0, str(min(run["normal[table]"])))
    spread = max(abs(n / (0.02 * G) - 1) for n in run["normal[table]"])
    check("its force is not the weight", spread > 1e-3, str(spread))


def the_coin_spins_down():
    """Exactly psi' sin(th)^2 = const exp(-4 c t/(m r^2)); sin(th) as exp(-8 c t/(3 m r^2)) but for its nutation."""
    c, rate = 2e-7, 4 * 2e-7 / (0.01 * 0.0125**2)
    run = trajectory("coin_spins_down")
    first = run["psi'"][0] * math.sin(run["theta"][0])**2
    for i in range(0, len(run["t"]), 97):
        near("about the vertical", run["psi'"][i] * math.sin(run["theta"][i])**2 / first, math.exp(-rate * run["t"][i]), 1e-9)
    gone = []
    for slower in (1, 4):
        out = summary("coin_spins_down", set=settings(c=c / slower), until=2 * slower)
        gone.append(abs(math.sin(final(out, "theta")) / math.sin(0.5) / math.exp(-2 / 3 * rate * 2) - 1))
    check("nearly as if it were steady", max(gone) < 0.004, str(gone))


friction_takes_the_integral_of_friction_times_slip()
the_belt_gives_what_friction_takes_and_what_the_spring_has()
impacts_take_what_restitution_says()
the_rimless_wheel_settles()
a_sampled_controller_is_a_matrix()
springs_engage_and_let_go()
full_thrust_and_full_brakes()
the_impulse_runs_through_the_cradle()
painleves_paradoxes_are_named()
a_rod_that_comes_to_a_paradox_is_stopped_there()
the_tippe_top_turns_over()
the_coin_spins_down()
finish()
