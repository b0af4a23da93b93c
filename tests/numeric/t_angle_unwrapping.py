"""Angles that wind keep their digits and show their turns, and so do bodies that go away together; rows keep theirs where independent velocities are about to fail."""
import csv
import io
import json
import math
import os
import tempfile

from _checks import check, finish, run

SPEED = 20.0
PENDULUM = f"system rotor\ncoord theta\nkinetic theta'^2/2\npotential -cos(theta)\ninitial theta = 0, theta' = {SPEED}\n"


def simulate(model, *options, method="taylor", tol="1e-18", output=None):
    out = run(model, "--method", method, "--tol", tol, *(["-o", output] if output else ["--json"]), *options)
    if output == "-":
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(out.stdout))]
    return json.loads(out.stdout) if not output else None


def simulate_again(model, file):
    return json.loads(run(model, "--resume", file, "--until", "100", "--json").stdout)


def turn_time():
    """theta'^2 = v^2 - 4 sin(theta/2)^2: one turn takes 4 K(m)/v, m = 4/v^2, K by the arithmetic-geometric mean"""
    a, b = 1.0, math.sqrt(1 - 4 / SPEED**2)
    for _ in range(6):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi / (a * SPEED)


def a_pendulum_knows_its_angle_after_a_hundred_thousand_turns():
    turns = 100000
    out = simulate(PENDULUM, "--until", repr(turns * turn_time()), "--every", repr(turns * turn_time() / 100))
    angle, energy = float(out["final"]["theta"]), float(out["drift"]["energy"])
    way = 2 * math.pi * turns
    check("rotor, angle", abs(angle - way) <= 8e-16 * way, f"{angle!r} is not {way!r}")  # the time itself is rounded, and so is its product
    check("rotor, energy", energy <= 2e-15 * SPEED**2 / 2, f"{energy:.3g}")


def events_of_the_angle_itself_are_met_after_many_turns():
    out = simulate(PENDULUM + "event far: theta - 200*pi\n", "--until", repr(101 * turn_time()))
    met = [e for e in out["events"] if e["name"] == "far"]
    check("rotor, an event after a hundred turns", len(met) == 1 and abs(float(met[0]["t"]) - 100 * turn_time()) < 1e-9, str(met))


def rows_show_angles_without_a_jump():
    for method, tol in (("taylor", "1e-18"), ("dop853", "1e-13"), ("tsit5", "1e-10")):
        rows = simulate("knife_edge", "--until", "100", "--every", "0.25", method=method, tol=tol, output="-")
        worst = max(abs(r["phi"] - (0.2 + r["t"])) for r in rows)  # phi' = 1
        check(f"{method}: rows of an angle", worst <= 1e-11 and rows[-1]["phi"] > 100, f"off by {worst:.3g}")


def what_shows_the_angle_itself_sees_all_of_it():
    out = simulate("knife_edge", "--until", "30", "--every", "30")
    with_event = simulate(KNIFE + "event far: phi - 20 stop\nobserve turns = phi/(2*pi)\n", "--until", "30")
    check("event beyond a turn", abs(float(with_event["t"]) - 19.8) < 1e-13, with_event["t"])
    check("observed angle", abs(float(with_event["final"]["turns"]) - 20 / (2 * math.pi)) < 1e-13, with_event["final"]["turns"])
    check("the same without", abs(float(out["final"]["phi"]) - 30.2) < 1e-13)


def a_run_that_has_wound_is_taken_up_again():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rotor.h5")
        model = os.path.join(folder, "rotor.ham")
        with open(model, "w", encoding="ascii") as f:
            f.write(PENDULUM)
        simulate(model, "--until", "50", "--every", "0.5", output=file)
        again = simulate_again(model, file)
    whole = simulate(PENDULUM, "--until", "100", "--every", "0.5")
    check("resumed", again["rows"] == whole["rows"] and again["final"] == whole["final"], f"{again['final']} is not {whole['final']}")
    check("resumed, turns", float(again["final"]["theta"]) > 1900, again["final"]["theta"])


def bodies_that_go_away_together_keep_their_distance():
    # the centre of mass moves at 100, the distance as 1 + sin(2 t)/20: k = 4 m/2, v = 1/10
    until = 10000.0
    for options in ((), ("--precision", "long")):
        out = simulate(SPRING, "--until", repr(until), "--every", repr(until / 100), *options)
        final = {k: float(v) for k, v in out["final"].items()}
        distance = 1 + math.sin(2 * until) / 20
        check("spring, distance", abs(final["length"] - distance) < 2e-14, f"{final['length']!r} is not {distance!r}")
        check("spring, place", abs((final["x1"] + final["x2"]) / 2 - 0.5 - 100 * until) <= 1e-15 * 100 * until, final["x1"])
        check("spring, energy", float(out["drift"]["energy"]) <= 2e-15 * 1e4, out["drift"]["energy"])


def what_shows_a_place_sees_the_whole_way():
    out = simulate(SPRING + "event gate: x1 - 5000 stop\nobserve place = x1\n", "--until", "100")
    check("event far away", abs(float(out["final"]["place"]) - 5000) < 1e-11 and 49 < float(out["t"]) < 51, out["t"])


def a_run_that_went_away_is_taken_up_again():
    with tempfile.TemporaryDirectory() as folder:
        file, model = os.path.join(folder, "pair.h5"), os.path.join(folder, "pair.ham")
        with open(model, "w", encoding="ascii") as f:
            f.write(SPRING)
        simulate(model, "--until", "50", "--every", "0.5", output=file)
        again = simulate_again(model, file)
    whole = simulate(SPRING, "--until", "100", "--every", "0.5")
    off = max(abs(float(again["final"][n]) - float(v)) for n, v in whole["final"].items())
    check("resumed far away", again["rows"] == whole["rows"] and off < 1e-13, f"off by {off:.3g}")  # not to the bit: a step goes on with the series found before the way was taken off


def rows_keep_their_digits_where_a_chart_fails():
    # x and delta are the independent velocities, and the car turns: x' vanishes twice a turn. Steps are long enough to pass over that.
    rows = simulate("n_trailer", "--until", "150", "--every", "0.05", tol="1e-16", output="-")
    energy = [r["energy"] for r in rows]
    worst = max(abs(e / energy[0] - 1) for e in energy)
    check("rows across charts", worst <= 1e-13, f"{worst:.3g}")


def a_run_that_has_changed_charts_is_taken_up_again():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "car.h5")
        simulate("n_trailer", "--until", "50", "--every", "0.5", tol="1e-14", output=file)
        again = simulate_again("n_trailer", file)
    whole = simulate("n_trailer", "--until", "100", "--every", "0.5", tol="1e-14")
    off = max(abs(float(again["final"][n]) - float(v)) / (1 + abs(float(v))) for n, v in whole["final"].items() if not n.startswith("residual"))
    check("resumed in another chart", whole["charts"] > 1 and again["rows"] == whole["rows"] and off < 1e-9, f"off by {off:.3g}")


KNIFE = """system knife
param m = 1, J = 0.2, g = 9.81, alpha = 0.3
coord x, y, phi
kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2
potential -m*g*x*sin(alpha)
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
initial x = 0, y = 0, phi = 0.2, x' = 0.5, phi' = 1
"""

SPRING = """system pair
param m = 1, k = 2
coord x1, x2
kinetic m/2*(x1'^2 + x2'^2)
potential k/2*(x2 - x1 - 1)^2
observe length = x2 - x1
initial x1 = 0, x2 = 1, x1' = 99.95, x2' = 100.05
"""

for test in (a_pendulum_knows_its_angle_after_a_hundred_thousand_turns, events_of_the_angle_itself_are_met_after_many_turns,
             rows_show_angles_without_a_jump, what_shows_the_angle_itself_sees_all_of_it,
             bodies_that_go_away_together_keep_their_distance, what_shows_a_place_sees_the_whole_way, a_run_that_went_away_is_taken_up_again,
             a_run_that_has_wound_is_taken_up_again, a_run_that_has_changed_charts_is_taken_up_again, rows_keep_their_digits_where_a_chart_fails):
    test()
finish()
