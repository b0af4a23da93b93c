"""Contacts with friction and impacts: models of the library against closed forms, with random numbers in them.
No code is shared: what is expected are formulas of textbooks, written here anew. Times of changes are those of the formula up to
rounding, gaps and slips of contacts that stick are 0 up to rounding.
"""
import math
import random

import mpmath
import numpy as np

from _checks import check, finish, near
from _contacts import check_modes, impacts, summary, times, trajectory

TIME = 1e-12   # of a change: relative, what locating a zero to rounding leaves
VALUE = 1e-12  # what steps at the tolerance 1e-12 leave of states and forces
SMALL = 1e-10  # where infinitely many impacts are at their end: those below 1e-5 of a metre a second are not followed
STILL = 1e-11  # sliding in a plane ends where the slip is 1e-12 of the speeds there
HELD = 1e-14   # gap and slip of a contact that sticks
DRAWN = 5
G = 9.81


def final(out, name):
    return float(out["final"][name])


def settings(**values):
    return [f"{name}={value!r}" for name, value in values.items()]


def holds(model, name, run, slip=True):
    """A contact that is closed has no gap, and no slip where it sticks."""
    rows = [i for i, mode in enumerate(run[f"mode[{name}]"]) if mode != 0]
    stuck = [i for i in rows if run[f"mode[{name}]"][i] == 2]
    gap = max((abs(run[f"gap[{name}]"][i]) for i in rows), default=0)
    check(f"{model}: the gap of {name} stays closed", gap <= HELD, repr(gap))
    if slip:
        moved = max((abs(run[f"slip[{name}]"][i]) for i in stuck), default=0)
        check(f"{model}: {name} does not slip where it sticks", moved <= HELD, repr(moved))


def stays(model, run, *names, most=VALUE):
    """What a model calls invariant is the same in all of its modes, and across impacts."""
    for name in names:
        column = run[f"invariant[{name}]"]
        size = max(map(abs, column))
        check(f"{model}: {name} stays", max(column) - min(column) <= most * size, f"{min(column)!r} .. {max(column)!r}")


def the_bowling_ball_slides_then_rolls():
    draw = random.Random(1)
    for _ in range(DRAWN):
        mu, v0, r, m = draw.uniform(0.05, 0.6), draw.uniform(1, 9), draw.uniform(0.05, 0.3), draw.uniform(1, 8)
        end = 2 * v0 / (7 * mu * G)
        out = summary("bowling_ball", set=settings(mu=mu, v0=v0, r=r, m=m), until=2 * end)
        check_modes("bowling_ball", out, "floor", ["sliding", "sticking"])
        near("it rolls from 2 v0/(7 mu g) on", times(out, "floor")[0] / end, 1, TIME)
        near("with 5/7 v0", final(out, "x'"), 5 / 7 * v0, VALUE)
        near("from x = 12 v0^2/(49 mu g) on", final(out, "x"), 12 * v0**2 / (49 * mu * G) + 5 / 7 * v0 * end, VALUE)
        near("2/7 of the energy are lost", float(out["energies"]["end"]) - m * G * r, 5 / 7 * m * v0**2 / 2, 1e-12)
    run = trajectory("bowling_ball")
    holds("bowling_ball", "floor", run)
    stays("bowling_ball", run, "about_the_floor")


def the_bounces_of_a_ball_have_an_end():
    draw = random.Random(2)
    for e in [0.0, 0.1, 0.5, 0.9, draw.uniform(0.2, 0.85)]:
        h = draw.uniform(0.1, 5)
        t1, v1 = math.sqrt(2 * h / G), math.sqrt(2 * G * h)
        rest = t1 * (1 + e) / (1 - e)
        out = summary("bouncing_ball", set=settings(e=e, h=h), until=1.1 * rest)
        hits = impacts(out, "floor")
        near("it lands at sqrt(2 h/g)", hits[0][0] / t1, 1, TIME)
        near("with sqrt(2 g h)", hits[0][1] / v1, 1, TIME)
        near("and loses the part 1 - e^2 of its energy", hits[0][2] / (G * h), 1 - e**2, 1e-12)
        for k, (t, v, lost) in enumerate(hits[:8]):
            bounced = 2 * v1 / G * sum(e**j for j in range(1, k + 1))
            near(f"impact {k}", t / (t1 + bounced), 1, TIME)
            near(f"the speed of impact {k}", v / v1, e**k, TIME)
            near(f"what impact {k} takes: (1 - e^2) v^2/2", lost / v1**2, (1 - e**2) * v**2 / 2 / v1**2, 1e-12)
        if e > 0:
            near("all impacts are over at t1 (1 + e)/(1 - e)", float(out["rests_at"]["floor"]) / rest, 1, TIME)
            check("with a bounded number of them", len(hits) < 2 + 40 / -math.log(e), str(len(hits)))
        near("nothing but the drift is left", float(out["energies"]["end"]), 0.3**2 / 2, 1e-12)
        near("which nothing changes", final(out, "x"), 0.3 * 1.1 * rest, 1e-12)
        check("it stays on the floor", abs(final(out, "z")) <= HELD and abs(final(out, "z'")) <= HELD, str(out["final"]))


def the_billiard_ball_runs_on_a_parabola_and_then_straight():
    draw = random.Random(3)
    for _ in range(DRAWN):
        mu, v0, r = draw.uniform(0.1, 0.4), draw.uniform(0.5, 3), draw.uniform(0.02, 0.05)
        w = np.array([draw.uniform(-100, 100) for _ in range(3)])
        v = np.array([v0, 0, 0])
        u = v - r * np.cross(w, [0, 0, 1])
        end = 2 * np.linalg.norm(u) / (7 * mu * G)
        given = settings(mu=mu, v0=v0, r=r, wx=float(w[0]), wy=float(w[1]), wz=float(w[2]))
        out = summary("billiard_ball", set=given, until=1.5 * end, tol=1e-14)
        check_modes("billiard_ball", out, "cloth", ["sliding", "sticking"])
        near("it rolls from 2 |u0|/(7 mu g) on", times(out, "cloth")[0] / end, 1, STILL)
        rolling = v - 2 / 7 * u
        for i, axis in enumerate("xy"):
            near("the final velocity (5 v + 2 r w x k)/7", final(out, axis + "'"), rolling[i], 1e-11)
            at_end = v[i] * end - mu * G * end**2 / 2 * u[i] / np.linalg.norm(u)
            near("the end of the parabola", final(out, axis), at_end + rolling[i] * end / 2, 1e-11)
    for every in (0.5, 1e9):  # rows are looked at, and change nothing
        out = summary("billiard_ball", until=0.5, tol=1e-12, every=every)
        slides = 2 * math.hypot(1.6 + 0.0286 * 20, 0.0286 * 80) / (7 * 0.2 * 9.81)
        check(f"the end of sliding, rows every {every}", abs(float(out["changes"][0]["t"]) - slides) < 1e-8, str(out["changes"]))
    run = trajectory("billiard_ball")
    holds("billiard_ball", "cloth", run)
    stays("billiard_ball", run, "side_spin", "about_x", "about_y", most=STILL)


def a_ball_on_an_incline_rolls_if_friction_is_enough():
    draw = random.Random(4)
    for rolls in [True, False] * DRAWN:
        a, v0 = draw.uniform(0.1, 1.2), draw.uniform(0.5, 5)
        mu = 2 / 7 * math.tan(a) * (draw.uniform(1.02, 2) if rolls else draw.uniform(0.3, 0.98))
        end = v0 / (G * (math.sin(a) + 7 / 2 * mu * math.cos(a)))
        out = summary("ball_on_incline", set=settings(a=a, mu=mu, v0=v0), until=2 * end)
        check_modes("ball_on_incline", out, "slope", ["sliding", "sticking" if rolls else "sliding-"])
        near("its slip is 0 at v0/(g (sin(a) + 7/2 mu cos(a)))", times(out, "slope")[0] / end, 1, TIME)
        turned = v0 - G * (math.sin(a) + mu * math.cos(a)) * end
        down = 5 / 7 * G * math.sin(a) if rolls else G * (math.sin(a) - mu * math.cos(a))
        near("and it comes down", final(out, "x'"), turned - down * end, VALUE)
        if not rolls:
            near("slipping by", final(out, "x'") - final(out, "rim"), -(G * math.sin(a) - 7 / 2 * mu * G * math.cos(a)) * end, VALUE)


def the_block_on_a_belt_sticks_and_slips():
    draw = random.Random(5)
    for _ in range(DRAWN):
        m, k, v = draw.uniform(0.5, 3), draw.uniform(5, 80), draw.uniform(0.1, 1)
        mu_s = draw.uniform(0.3, 0.8)
        mu_k = mu_s * draw.uniform(0.4, 0.9)
        w, d = math.sqrt(k / m), (mu_s - mu_k) * m * G / k
        slips, sticks = 2 * (math.pi - math.atan(d * w / v)) / w, 2 * d / v
        first = mu_s * m * G / k / v
        out = summary("block_on_belt", set=settings(m=m, k=k, v=v, mu_s=mu_s, mu_k=mu_k), until=first + 3.5 * (slips + sticks))
        expected, t = [], first
        for _ in range(3):
            expected += [t, t + slips]
            t += slips + sticks
        for got, wanted in zip(times(out, "belt"), expected):
            near("it slips or sticks", got / wanted, 1, TIME)
        check("as often as it should", len(times(out, "belt")) >= 6, str(times(out, "belt")))
    holds("block_on_belt", "belt", trajectory("block_on_belt"))


def the_thrown_disc_comes_back_rolling():
    draw = random.Random(6)
    for _ in range(DRAWN):
        e, h, c, v0 = draw.uniform(0.2, 0.7), draw.uniform(0.2, 2), draw.uniform(-1, 3), draw.uniform(1, 4)
        r, mu, w0 = draw.uniform(0.05, 0.3), draw.uniform(0.2, 0.5), draw.uniform(-120, -60)
        v1 = math.sqrt(c**2 + 2 * G * h)
        t1 = (c + v1) / G
        rest = t1 + 2 * v1 * e / (G * (1 - e))
        out = summary("thrown_disc", set=settings(e=e, h=h, c=c, v0=v0, r=r, mu=mu, w0=w0), until=rest + 20)
        hits = impacts(out, "floor")
        near("it lands", hits[0][0] / t1, 1, TIME)
        near("its bounces have an end", float(out["rests_at"]["floor"]) / rest, 1, SMALL)
        near("it rolls with (2 v0 + r w0)/3", final(out, "x'"), (2 * v0 + r * w0) / 3, VALUE)
        near("rolls", final(out, "x'") - final(out, "rim"), 0, HELD * 10)
        # m (g t - c) is what the floor has given until t, in impacts or not: the slip is 0 where 3 mu (g t - c) is what it was
        rolls = ((v0 - r * w0) / (3 * mu) + c) / G
        if rolls > rest:
            near("when it begins to roll", times(out, "floor", "sticking")[-1] / rolls, 1, SMALL)
    stays("thrown_disc", trajectory("thrown_disc"), "about_the_floor")


def the_superball_is_stopped_by_its_first_impact():
    draw = random.Random(7)
    for _ in range(DRAWN):
        v0, w0, h, e = draw.uniform(-2, 2), draw.uniform(-150, 150), draw.uniform(0.5, 2), draw.uniform(0.3, 0.95)
        v1, slip = math.sqrt(2 * G * h), v0 - 0.03 * w0
        for enough in (True, False):
            mu = 2 / 7 * abs(slip) / ((1 + e) * v1) * (1.2 if enough else 0.7)
            t1 = v1 / G
            out = summary("superball", set=settings(v0=v0, w0=w0, h=h, e=e, mu=mu), until=t1 * (1 + e / 2))
            change = -2 / 7 * slip * (1 if enough else 0.7)
            near("after the impact", final(out, "x'"), v0 + change, VALUE)
            near("as much spin", 2 / 5 * (final(out, "rim") - 0.03 * w0), -change, VALUE)
            energy = 1 / 2 * 0.05 * (v1**2 * (1 - e**2) + v0**2 + 2 / 5 * (0.03 * w0)**2
                                     - (v0 + change)**2 - 2 / 5 * final(out, "rim")**2)
            near("the energy that it takes", impacts(out, "floor")[0][2], energy, 1e-12)


def the_wheel_spins_and_rolls_again():
    draw = random.Random(8)
    for _ in range(DRAWN):
        m, r, c, mu_s = draw.uniform(0.5, 2), draw.uniform(0.2, 0.6), draw.uniform(0.8, 2), draw.uniform(0.2, 0.4)
        mu_k = mu_s * draw.uniform(0.6, 1)
        t1 = 3 * mu_s * m * G * r / (2 * c)
        t2 = t1 * draw.uniform(1.2, 2)
        # rolling: x' = c t^2/(3 m r); then the slip u = r th' - x' grows by 2 c t/(m r) - 3 mu_k g
        u = c * (t2**2 - t1**2) / (m * r) - 3 * mu_k * G * (t2 - t1)
        rolls = t2 + u / (3 * mu_k * G)
        out = summary("wheelspin", set=settings(m=m, r=r, c=c, mu_s=mu_s, mu_k=mu_k, t2=t2), until=rolls + 1)
        check_modes("wheelspin", out, "floor", ["sticking", "sliding-", "sticking"])
        got = times(out, "floor")
        near("rolling ends at 3 mu m g r/(2 c)", got[0] / t1, 1, TIME)
        near("it rolls again", got[1] / rolls, 1, TIME)
        near("with", final(out, "x'"), c * t1**2 / (3 * m * r) + mu_k * G * (rolls - t1), VALUE)
    holds("wheelspin", "floor", trajectory("wheelspin"))


def the_front_edge_of_a_box_carries_more():
    draw = random.Random(9)
    for _ in range(DRAWN):
        m, b, h = draw.uniform(0.5, 5), draw.uniform(0.1, 0.6), draw.uniform(0.1, 0.6)
        mu, v0 = min(0.9 * b / h, 1) * draw.uniform(0.1, 1), draw.uniform(0.5, 3)
        stop = v0 / (mu * G)
        given = settings(m=m, b=b, h=h, mu=mu, v0=v0)
        out = summary("sliding_box", set=given, until=0.9 * stop)
        near("the front edge", final(out, "normal[front]"), m * G * (b + mu * h) / (2 * b), VALUE)
        near("the rear edge", final(out, "normal[rear]"), m * G * (b - mu * h) / (2 * b), VALUE)
        out = summary("sliding_box", set=given, until=2 * stop)
        near("it stops at v0/(mu g)", times(out, "front")[-1] / stop, 1, TIME)
        near("after v0^2/(2 mu g)", final(out, "x"), v0**2 / (2 * mu * G), VALUE)
        near("and then both edges carry half", final(out, "normal[rear]"), m * G / 2, VALUE)
    tips = summary("sliding_box", set=settings(mu=0.8, h=0.6), until=0.1)
    check("mu h > b: it tips over its front edge", tips["modes"]["rear"] == "free" and final(tips, "th'") > 0, str(tips["final"]))


def the_painter_climbs_until_the_ladder_slips():
    draw = random.Random(10)
    tried = 0
    while tried < DRAWN:
        a, mu, m, mass, v = draw.uniform(0.3, 0.7), draw.uniform(0.2, 0.5), draw.uniform(5, 20), draw.uniform(40, 90), draw.uniform(0.2, 0.6)
        s = 2 * (2 * mu * (m + mass) / math.tan(a) - m) / mass
        if not 0.2 < s < 4:
            continue
        tried += 1
        out = summary("painter_on_ladder", set=settings(a=a, mu=mu, m=m, M=mass, v=v), until=s / v * 1.02)
        check_modes("painter_on_ladder", out, "floor", ["sticking", "sliding"])
        near("it slips where s = l (2 mu (m + M)/tan(a) - m)/M", times(out, "floor")[0] / (s / v), 1, TIME)


def the_ball_slips_on_the_edge_before_it_leaves_the_table():
    draw = random.Random(11)
    for mu in [draw.uniform(0.1, 1) for _ in range(DRAWN)]:
        r, v0 = draw.uniform(0.03, 0.1), draw.uniform(0.05, 0.3)
        k = v0**2 / (G * r)
        slips = mpmath.findroot(lambda th: 2 * mpmath.sin(th) - mu * (17 * mpmath.cos(th) - 10 - 7 * k), (0, 1.2), solver="anderson")
        # th' = v/r, v^2 = v0^2 + 10/7 g r (1 - cos(th))
        rolled = mpmath.quad(lambda th: r / mpmath.sqrt(v0**2 + 10 / mpmath.mpf(7) * G * r * (1 - mpmath.cos(th))), [0, slips / 2, slips])
        out = summary("ball_off_table", set=settings(mu=mu, r=r, v0=v0), until=0.2 / v0 + 2)
        check_modes("ball_off_table", out, "table", ["sticking", "sliding", "free"])
        near("it slips on the edge", times(out, "table")[0] / (0.2 / v0 + float(rolled)), 1, 1e-11)
        leaves = float(mpmath.acos((10 + 7 * k) / 17))
        check("before it would leave it", float(slips) < leaves, str(slips))


the_bowling_ball_slides_then_rolls()
the_bounces_of_a_ball_have_an_end()
the_billiard_ball_runs_on_a_parabola_and_then_straight()
a_ball_on_an_incline_rolls_if_friction_is_enough()
the_block_on_a_belt_sticks_and_slips()
the_thrown_disc_comes_back_rolling()
the_superball_is_stopped_by_its_first_impact()
the_wheel_spins_and_rolls_again()
the_front_edge_of_a_box_carries_more()
the_painter_climbs_until_the_ladder_slips()
the_ball_slips_on_the_edge_before_it_leaves_the_table()
finish()
