#!/usr/bin/python3
"""Contacts at the edges of their laws, against closed forms with random numbers: bodies on two feet beside one another, friction that is just
enough or 0 while a force grows, impacts at one instant and what each of them takes, a surface that moves, friction that holds less than it rubs, four legs, a mass that a reset
changes."""
import json
import math
import random

from _checks import check, finish, near, run, run_size

TIME = 1e-12
PATH = 1e-9  # of a force that grows from the limit on: it has to exceed it by rounding, t^2 by its root
G = 9.81
rng = random.Random(17)


def told(model, *options, status=0):
    done = run(model, "--json", *options, status=status)
    return json.loads(done.stdout), done.stderr


# --- several bodies on two feet ---------------------------------------------------------------------------------------------------


def crates_beside_one_another_slip_each_by_its_own_feet():
    """c t = mu_1 N_1 + mu_2 N_2 with N_1,2 = (m g +- c t h/b)/2, the front foot carrying more: one of both sticks, the other rests with it."""
    for case in range(6):
        count = rng.choice([2, 3])
        text, expected = [f"system crates{case}", "gravity (0, 0, -9.81)"], {}
        for k in range(count):
            m, b, h, c = rng.uniform(1, 4), rng.uniform(0.2, 0.5), rng.uniform(0.05, 0.1), rng.uniform(0.5, 3)
            mu = rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6)
            expected[k] = (mu[0] + mu[1]) * m * G / 2 / (1 - (mu[0] - mu[1]) * h / (2 * b)) / c
            text += [f"coord x{k}, z{k}, th{k}", f"body crate{k}: mass {m!r} at (x{k}, {k}, z{k}) inertia (1, 0.05, 1) rotation rot(y, th{k})", f"force x{k} = {c!r}*t",
                     f"initial z{k} = {h!r}"]
            for name, side, friction in (("front", b, mu[0]), ("rear", -b, mu[1])):
                text += [f"let {name}_edge{k} = pos(crate{k}) + frame(crate{k})*({side!r}, 0, {-h!r})",
                         f"contact {name}{k}: gap {name}_edge{k}.z, at crate{k} {name}_edge{k}, normal (0, 0, 1), friction {friction!r}"]
        out, _ = told("\n".join(text) + f"\nsimulate t = 0 .. {max(expected.values()) + 1!r}, tol = 1e-12\n")
        for k in range(count):
            check(f"crate {k} of {count}: at the start", {out["modes_at_start"][f"front{k}"], out["modes_at_start"][f"rear{k}"]} == {"sticking", "resting"})
            for name in ("front", "rear"):
                when = [float(c["t"]) for c in out["changes"] if c["name"] == f"{name}{k}"]
                check(f"crate {k} of {count}: {name} changes once", len(when) == 1, str(when))
                near(f"crate {k} of {count}: {name} slips", when[0], expected[k], TIME)


def a_mode_that_rests_names_what_holds_it():
    text = """system two
gravity (0, 0, -9.81)
coord x, z, th, X, Z
body crate: mass 1 at (x, 0, z) inertia (1, 1, 1) rotation rot(y, th)
point Q: mass 1 at (X, 0, Z)
let front = pos(crate) + frame(crate)*(1, 0, -0.1)
let rear = pos(crate) + frame(crate)*(-1, 0, -0.1)
contact p: gap front.z, at crate front, normal (0, 0, 1), friction 0.2
contact q: gap Z, at Q, normal (0, 0, 1), friction 0.2
contact r: gap rear.z, at crate rear, normal (0, 0, 1), friction 0.2
initial z = 0.1
"""
    for settings, status, word in ((["mode[p]=sticking", "mode[q]=sticking", "mode[r]=resting"], 2, "more than one contact sticks"),
                                   (["mode[r]=resting"], 2, "no contact that sticks"), (["mode[p]=sticking", "mode[r]=resting with q"], 2, "no contact that sticks"),
                                   (["mode[p]=sticking", "mode[q]=sticking", "mode[r]=resting with p"], 0, "")):
        done = run(text, *(w for s in settings for w in ("--set", s)), status=status)
        check(f"{settings}", word in done.stderr, done.stderr)


# --- just enough friction ---------------------------------------------------------------------------------------------------------


def a_force_that_grows_from_what_friction_holds_moves_the_block():
    """m x'' = c t^k from the start on, whatever holds at t = 0: x = c t^(k+2)/(m (k+1) (k+2))."""
    for k in (1, 2):
        for mu in (0.0, rng.uniform(0.1, 0.9)):
            for plane in run_size((k == 2,), (False, True)):
                m, c, end = rng.uniform(0.5, 3), rng.uniform(0.5, 2), rng.uniform(1, 3)
                place, more = ("(x, y, z)", "coord y\n") if plane else ("(x, 0, z)", "")
                out, _ = told(f"""system edge
gravity (0, 0, -9.81)
coord x, z
{more}param mu = {mu!r}
point P: mass {m!r} at {place}
contact floor: gap z, at P, normal (0, 0, 1), friction mu
force x = mu*{m!r}*9.81 + {c!r}*t^{k}
simulate t = 0 .. {end!r}, tol = 1e-13
""")
                near(f"from the edge on, t^{k}, mu = {mu:.3g}{', in a plane' if plane else ''}", float(out["final"]["x"]), c * end**(k + 2) / (m * (k + 1) * (k + 2)),
                     PATH if k == 1 else 1e-6)
                check("it slides at the end", out["modes"]["floor"] == "sliding", str(out["modes"]))


def a_force_that_falls_from_what_friction_holds_leaves_the_block():
    text = """system back
gravity (0, 0, -9.81)
coord x, z
point P: mass 1 at (x, 0, z)
contact floor: gap z, at P, normal (0, 0, 1), friction 0.3
force x = 0.3*9.81 - t
simulate t = 0 .. 8, tol = 1e-12
"""
    out, _ = told(text)
    slips = [float(c["t"]) for c in out["changes"]]
    check("it slips once, backwards", len(slips) == 1 and out["modes"]["floor"] == "sliding-", str(out["changes"]))
    near("when the force is the other way", slips[0], 2 * 0.3 * G, TIME)
    names, *_, last = [line.split(",") for line in run(text, "-o", "-").stdout.splitlines()]
    near("friction is against the slip", float(last[names.index("friction[floor]")]), 0.3 * G, TIME)


def friction_that_holds_less_than_it_rubs_is_refused():
    text = """system less
gravity (0, 0, -9.81)
coord x, z
param hold = 0.3, rub = 0.5
point P: mass 1 at (x, 0, z)
contact floor: gap z, at P, normal (0, 0, 1), friction hold, rub
initial x' = 1
simulate t = 0 .. 2
"""
    out, errors = told(text, status=5)
    check("a block that comes to rest", "friction that holds it, 0.3, is less than friction that rubs, 0.5" in errors, errors)
    near("when it comes to rest", float(out["t"]), 1 / (0.5 * G), TIME)
    told(text, "--set", "hold=0.5")


# --- impacts ----------------------------------------------------------------------------------------------------------------------


def two_ends_of_a_bar_strike_at_once_and_each_takes_its_part():
    """v_a+ = -e_a v, v_b+ = -e_b v; impulses from m (v_z+ - v) = P_a + P_b, I w+ = l (P_b - P_a); each takes -P (v+ + v-)/2."""
    for _ in range(5):
        m, l, h = rng.uniform(1, 3), rng.uniform(0.3, 2), rng.uniform(0.1, 2)
        e = rng.uniform(0, 1), rng.uniform(0, 1)
        v, inertia = -math.sqrt(2 * G * h), m * l * l / 3
        after = [-e[0] * v, -e[1] * v]
        both, turn = m * ((after[0] + after[1]) / 2 - v), inertia * (after[1] - after[0]) / (2 * l) / l
        impulse = (both - turn) / 2, (both + turn) / 2
        out, _ = told(f"""system bar
param m = {m!r}, l = {l!r}
coord z, th
body bar: mass m at (0, 0, z) inertia (0, m*l^2/3, 0) rotation rot(y, th)
gravity (0, 0, -9.81)
contact a: gap z - l*sin(th), at bar (l*cos(th), 0, z - l*sin(th)), normal (0, 0, 1), restitution {e[0]!r}
contact b: gap z + l*sin(th), at bar (-l*cos(th), 0, z + l*sin(th)), normal (0, 0, 1), restitution {e[1]!r}
initial z = {h!r}
simulate t = 0 .. {math.sqrt(2 * h / G) * 1.0001!r}, tol = 1e-13
""")
        hits = [c for c in out["changes"] if c["kind"] == "impact"]
        check("both ends strike", [c["name"] for c in hits] == ["a", "b"], str(hits))
        for k, hit in enumerate(hits):
            near(f"what end {k} takes, e = {e[k]:.3g}", float(hit["lost"]), -impulse[k] * (v + after[k]) / 2, 1e-11)


def impacts_that_have_nothing_to_do_with_each_other_take_their_own():
    out, _ = told("""system apart
coord x, y
point A: mass 1 at (x, 0, 0)
point B: mass 2 at (y, 1, 0)
contact elastic: gap 1 - x, at A, normal (-1, 0, 0), restitution 1
contact soft: gap y + 1, at B, normal (1, 0, 0), restitution 0.5
initial x' = 1, y' = -1
simulate t = 0 .. 1.9
""")
    near("elastic", float(out["changes"][0]["lost"]), 0, 0)
    near("soft", float(out["changes"][1]["lost"]), 0.75, 1e-15)


def a_surface_that_comes_towards_a_ball_gives_it_energy_without_a_warning():
    """The plate rises with V; the ball meets it with r = sqrt(V^2 + 2 g h), and leaves with V + e r."""
    for _ in range(4):
        m, h, speed, e = rng.uniform(0.5, 2), rng.uniform(0.2, 1), rng.uniform(3, 6), rng.uniform(0.6, 1)
        meet = math.sqrt(speed**2 + 2 * G * h)
        model = f"""system plate
coord z
given s = {speed!r}*t
point P: mass {m!r} at (0, 0, z)
gravity (0, 0, -9.81)
contact plate: gap z - s, at P, normal (0, 0, 1), moving (0, 0, s'), restitution {e!r}
initial z = {h!r}
simulate t = 0 .. {(meet - speed) / G * 1.01!r}, tol = 1e-13
"""
        out, errors = told(model)
        near("when it is met", float(out["changes"][0]["t"]), (meet - speed) / G, TIME)
        near("what it gains", -float(out["changes"][0]["lost"]), m / 2 * ((speed + e * meet)**2 - (speed - meet)**2), 1e-11)
        check("nothing is wrong with that", "gains the energy" not in errors, errors)
        check("the summary says gained", "energy gained" in run(model).stdout)


# --- bodies on more feet than they need -------------------------------------------------------------------------------------------


def a_table_on_four_legs_slides_until_it_rests_and_its_loads_are_said_to_be_open():
    """v' = -mu g along the way, whatever the legs share: at rest at t = v/(mu g) after v^2/(2 mu g)."""
    own = random.Random(5)  # of these four the last has feet whose slips end far from one another
    for _ in range(4):
        m, mu, v, angle, h = own.uniform(1, 9), own.uniform(0.2, 0.6), own.uniform(0.5, 2), own.uniform(0, 2 * math.pi), own.uniform(0.1, 0.3)
        stop = v / (mu * G)
        legs = "".join(f"""let foot{k} = pos(table) + frame(table)*({a}, {b}, {-h!r})
contact leg{k}: gap foot{k}.z, at table foot{k}, normal (0, 0, 1), friction {mu!r}
""" for k, (a, b) in enumerate(((0.6, 0.5), (-0.6, 0.5), (-0.6, -0.5), (0.6, -0.5))))
        out, errors = told(f"""system table
gravity (0, 0, -9.81)
coord x, y, z, al, be, ga
body table: mass {m!r} at (x, y, z) inertia (1, 1, 1.5) rotation rot(x, al)*rot(y, be)*rot(z, ga)
{legs}initial z = {h!r}, x' = {v * math.cos(angle)!r}, y' = {v * math.sin(angle)!r}
simulate t = 0 .. {stop * 1.2!r}, tol = 1e-12
""", status=5)
        check("the load is open", errors.count("more contacts hold a body than it takes") == 1, errors)
        check("what the legs hold at rest is open", "several contacts stick in a plane" in errors, errors)
        near("at rest", float(out["t"]), stop, 1e-9)  # the slip at which sliding in a plane ends
        near("there, x", float(out["final"]["x"]), v * stop / 2 * math.cos(angle), 1e-9)
        near("there, y", float(out["final"]["y"]), v * stop / 2 * math.sin(angle), 1e-9)
        near("it keeps the energy of its height alone", float(out["energies"]["end"]) - float(out["energies"]["start"]), -m * v * v / 2, 1e-11)


# --- resets -----------------------------------------------------------------------------------------------------------------------


def a_mass_that_a_reset_changes_is_that_of_the_momenta_too():
    """x'' + k/m x = 0 with m = 1 up to x0, then M and the velocity that momentum leaves: every form goes on from the same state."""
    for form in ("maggi", "hamilton", "multipliers"):
        k, v, mass, x0 = 4.0, 2.0, 3.0, 0.5
        w, s = math.sqrt(k), math.sqrt(k / mass)
        t0 = math.asin(x0 * w / v) / w
        speed = v * math.cos(w * t0) / mass
        end = 2.0
        out, _ = told(f"""system mass
param m = 1
coord x
kinetic m/2*x'^2
potential {k}/2*x^2
when heavier: x - {x0} {{ m = {mass}, x' = x'/{mass} }}
initial x' = {v}
simulate t = 0 .. {end}, tol = 1e-13
""", "--form", form)
        near(f"{form}: x at the end", float(out["final"]["x"]), x0 * math.cos(s * (end - t0)) + speed / s * math.sin(s * (end - t0)), 1e-12)


crates_beside_one_another_slip_each_by_its_own_feet()
a_mode_that_rests_names_what_holds_it()
a_force_that_grows_from_what_friction_holds_moves_the_block()
a_force_that_falls_from_what_friction_holds_leaves_the_block()
friction_that_holds_less_than_it_rubs_is_refused()
two_ends_of_a_bar_strike_at_once_and_each_takes_its_part()
impacts_that_have_nothing_to_do_with_each_other_take_their_own()
a_surface_that_comes_towards_a_ball_gives_it_energy_without_a_warning()
a_table_on_four_legs_slides_until_it_rests_and_its_loads_are_said_to_be_open()
a_mass_that_a_reset_changes_is_that_of_the_momenta_too()
finish()
