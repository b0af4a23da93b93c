#!/usr/bin/python3
"""Resets and events whose function jumps across 0, by what another reset, a clock or an impact sets: they have been reached, one behind the other."""
import json
import math

from _checks import check, finish, near, run


def told(model, *options, status=0):
    done = run(model, "--json", *options, status=status)
    return json.loads(done.stdout), done.stderr


def names(out):
    return [c["name"] for c in out["changes"]]


def a_counter_that_passes_a_limit_is_a_reset_of_its_own():
    """x = t/10 turns: sin(x) rises at 2 pi k; the third turn switches the force on, so that x'' = 1 from there."""
    out, _ = told("""system turns
coord x
param n = 0, on = 0
kinetic x'^2/2
force x = on
when turn: sin(x) { n = n + 1 }
when third: n - 2.5 { on = 1 }
initial x = -0.5, x' = 1
simulate t = 0 .. 20, tol = 1e-13
""")
    check("the third turn is noticed, and once", names(out).count("third") == 1 and names(out)[:4] == ["turn", "turn", "turn", "third"], str(names(out)))
    near("when", [float(c["t"]) for c in out["changes"] if c["name"] == "third"][0], 4 * math.pi + 0.5, 1e-12)
    rest = 20 - (4 * math.pi + 0.5)
    near("what it switches", float(out["final"]["x"]), 4 * math.pi + rest + rest * rest / 2, 1e-11)


def an_event_that_a_reset_carries_across_0_ends_the_run():
    model = """system turns
coord x
param n = 0
kinetic x'^2/2
when turn: sin(x) { n = n + 1 }
event enough: n - 1.5 stop
initial x = -0.5, x' = 1
simulate t = 0 .. 20, tol = 1e-13
"""
    out, _ = told(model)
    near("it ends at the second turn", float(out["t"]), 2 * math.pi + 0.5, 1e-12)
    check("and it is told", [(e["name"], e["direction"]) for e in out["events"]] == [("turn", 1), ("turn", 1), ("enough", 1)], str(out["events"]))
    out, _ = told(model.replace("enough: n - 1.5 stop", "down: 1.5 - n down"))
    check("one that falls", [e["name"] for e in out["events"]][:4] == ["turn", "turn", "down", "turn"], str(out["events"]))
    out, _ = told(model.replace("enough: n - 1.5 stop", "up: 1.5 - n up"))
    check("one that does not rise", {e["name"] for e in out["events"]} == {"turn"}, str(out["events"]))


def a_tick_at_the_start_and_one_behind_it():
    out, _ = told("""system ticks
coord x
param n = 0, m = 0
kinetic x'^2/2
every 1 { n = n + 1 }
when first: n - 0.5 { m = 1 }
when third: n - 2.5 { x' = 0 }
observe m = m
initial x' = 1
simulate t = 0 .. 9
""")
    check("ticks carry them across 0", [(c["name"], float(c["t"])) for c in out["changes"]] == [("first", 0), ("third", 2)], str(out["changes"]))
    near("it stands", float(out["final"]["x"]), 2, 1e-14)


def impacts_are_counted_by_the_velocity_that_they_turn():
    for bounces in (1, 2, 5):
        out, _ = told(f"""system hits
coord z
param n = 0, g = 9.81
point P: mass 1 at (0, 0, z)
gravity (0, 0, -9.81)
contact floor: gap z, at P, normal (0, 0, 1), restitution 0.9
when hit: z' {{ n = n + 1 }}
event over: n - {bounces} + 0.5 stop
initial z = 1
simulate t = 0 .. 9, tol = 1e-13
""")
        first = math.sqrt(2 / 9.81)
        near(f"{bounces} bounces", float(out["t"]), first * (1 + 2 * sum(0.9**k for k in range(1, bounces))), 1e-12)
        check("each impact is one", names(out) == ["floor", "hit"] * bounces, str(names(out)))


def resets_that_call_each_other_for_ever_end_the_run():
    out, errors = told("""system endless
coord x
param s = 0
kinetic x'^2/2
when begin: x - 1 { s = 1 }
when up: s - 0.5 { s = 0 }
when down: 0.5 - s { s = 1 }
initial x' = 1
simulate t = 0 .. 3
""", status=5)
    check("with the cause", "changes at one time" in errors, errors)
    near("at that time", float(out["t"]), 1, 1e-15)


def rounding_is_no_jump():
    """A disc that rolls to and fro: x' - r th' is 0 up to rounding on both sides of each tick, and crosses 0 nowhere."""
    out, _ = told("""system disc
param m = 1, r = 0.37, mu = 30, k = 0
coord x, z, th
body disc: mass m at (x, 0, z) inertia (m*r^2/4, m*r^2/2, m*r^2/4) rotation rot(y, th)
gravity (0, 0, -9.81)
torque on disc = (0, 3*sin(3*t) + k, 0)
contact floor: gap z - r, at disc (x, 0, z - r), normal (0, 0, 1), friction mu
event slips_forward: x' - r*th'
every 0.03 { k = 1 - k }
initial z = r, x' = 1, th' = 1/r
simulate t = 0 .. 3
""")
    check("no sign is made of rounding", not out["events"], str(out["events"][:4]))
    out, _ = told("""system steps
coord x, y
kinetic (x'^2 + y'^2)/2
every 1/8 { x = -x, y = -y }
event apart: 3*x - y
initial x = 0.1, y = 0.3
simulate t = 0 .. 9
""")
    check("nor of a sum that is not 0, by rounding, on either side", not out["events"], str(out["events"][:4]))


def an_event_is_noted_once_where_a_reset_has_the_same_function():
    """x = cos t: 159 zeros up to 500, at 80 of which x falls."""
    for form in ("maggi", "hamilton"):
        out, _ = told("""system both
coord x
param n = 0
kinetic x'^2/2
potential x^2/2
event cross: x
when low: -x { n = n + 1 }
observe n = n
initial x = 1
simulate t = 0 .. 500, tol = 1e-12
""", "--form", form)
        events = [e["name"] for e in out["events"]]
        check(f"{form}: each zero is one", events.count("cross") == 159, str(events.count("cross")))
        check(f"{form}: each fall is a reset", names(out).count("low") == 80, str(len(names(out))))


def a_mass_that_a_reset_takes_away_ends_the_run():
    for name, value in (("m", "0"), ("x'", "sqrt(x - 100)"), ("m", "log(x - x*1.0000001)")):
        out, errors = told(f"""system mass
coord x, y
param m = 1
kinetic m*x'^2/2 + y'^2/2
when gone: t - 1 {{ {name} = {value} }}
initial x' = 1
simulate t = 0 .. 3
""", status=5)
        check(f"{name} = {value}", "reset `gone`" in errors and ("no equation determines" in errors) == (value == "0"), errors)
        near("at that time", float(out["t"]), 1, 1e-15)


a_counter_that_passes_a_limit_is_a_reset_of_its_own()
an_event_that_a_reset_carries_across_0_ends_the_run()
a_tick_at_the_start_and_one_behind_it()
impacts_are_counted_by_the_velocity_that_they_turn()
resets_that_call_each_other_for_ever_end_the_run()
rounding_is_no_jump()
a_mass_that_a_reset_takes_away_ends_the_run()
an_event_is_noted_once_where_a_reset_has_the_same_function()
finish()
