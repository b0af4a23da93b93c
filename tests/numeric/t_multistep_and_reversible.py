#!/usr/bin/python3
"""The methods adams, bdf, ida, midpoint and dla against closed forms: tolerances reached, orders measured, motions run backwards, constraints kept
in the sense of each."""
import csv
import io
import json
import math
import os
import subprocess
import sys

import mpmath

HAMEL = os.environ["HAMEL"]
LIMIT = 120  # seconds for one run, under sanitizers on a busy machine
passed = failed = 0


def judge(sentence, holds, found=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print("failed: %s %s" % (sentence, found))


def simulate(model, method, *arguments):
    """The summary of a run, and its rows as a list of {column: value}. The model is a text, or a name of the library."""
    form = ["--form", "multipliers"] if method == "ida" else []
    name, text = ("-", model) if "\n" in model else (model, None)
    p = subprocess.run([HAMEL, "simulate", name, "--method", method, *form, "--json", "-o", "-", *map(str, arguments)],
                       input=text, capture_output=True, text=True, timeout=LIMIT)
    if p.returncode:
        raise RuntimeError("%s %s: exit %d: %s" % (method, arguments, p.returncode, p.stderr.strip()[:300]))
    lines = [line for line in p.stdout.splitlines() if not line.startswith("#")]
    rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO("\n".join(lines)))]
    return json.JSONDecoder().raw_decode(p.stderr)[0], rows  # warnings may stand behind it


# --- systems with closed solutions ---------------------------------------------------------------------------------------------

STIFF = """
coord x
kinetic x'^2/2
potential 1000*x^2/2
force x = -1001*x'
initial x = 1, x' = 0
"""


def stiff_at(t):
    """x'' + 1001 x' + 1000 x = 0 with rates -1 and -1000"""
    return {"x": (1000 * math.exp(-t) - math.exp(-1000 * t)) / 999}


K = 0.5  # modulus: the pendulum swings to 60 degrees
PENDULUM = """
coord x, y
kinetic (x'^2 + y'^2)/2
potential y
constraint rod: x^2 + y^2 = 1
independent x
initial x = 0, y = -1, x' = 1
event lowest: x
"""


def pendulum_at(t):
    """sin(theta/2) = k sn(t, k), theta' = 2 k cn(t, k): l = g = 1, x' = 2 k at the start"""
    sn, cn = (float(mpmath.ellipfun(f, t, m=K * K)) for f in ("sn", "cn"))
    half = math.asin(K * sn)
    return {"x": math.sin(2 * half), "y": -math.cos(2 * half), "x'": 2 * K * cn * math.cos(2 * half), "y'": 2 * K * cn * math.sin(2 * half)}


KNIFE_EDGE = """
param J = 0.2
coord x, y, phi
kinetic (x'^2 + y'^2)/2 + J/2*phi'^2
potential -3*x
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
quasi v = x'*cos(phi) + y'*sin(phi), w = phi'
initial phi = 0.25, v = 0.5, w = 1
"""


def knife_edge_at(t):
    """phi = phi0 + t, v' = 3 cos(phi), x' = v cos(phi), y' = v sin(phi): a cycloid"""
    start, phi = 0.25, 0.25 + t
    c = 0.5 - 3 * math.sin(start)
    x = c * (math.sin(phi) - math.sin(start)) + 1.5 * (math.sin(phi) ** 2 - math.sin(start) ** 2)
    y = -c * (math.cos(phi) - math.cos(start)) + 1.5 * t - 0.75 * (math.sin(2 * phi) - math.sin(2 * start))
    return {"x": x, "y": y, "phi": phi, "v": c + 3 * math.sin(phi)}


SLEIGH = """
param m = 1, J = 2, a = 0.5
coord x, y, theta
kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2
constraint blade: y'*cos(theta) - x'*sin(theta) - a*theta' = 0
quasi v = x'*cos(theta) + y'*sin(theta), w = theta'
initial v = 1, w = 0.3
"""


def error(row, closed):
    exact = closed(row["t"])
    return max(abs(row[name] - value) for name, value in exact.items())


def largest_error(rows, closed):
    return max(error(row, closed) for row in rows)


# --- tolerances ------------------------------------------------------------------------------------------------------------------

GROWTH = 400  # errors of single steps add up: the error of a run of a few periods over the tolerance, less than that for each method


def tolerances_are_reached():
    for method in ("adams", "bdf", "ida"):
        for tolerance in (1e-6, 1e-8, 1e-10):
            for name, model, closed in (("the pendulum", PENDULUM, pendulum_at), ("the knife edge", KNIFE_EDGE, knife_edge_at)):
                _, rows = simulate(model, method, "--tol", tolerance, "--until", 12, "--every", 0.13)
                e = largest_error(rows, closed)
                judge("%s follows %s at tolerance %g, between its steps too" % (method, name, tolerance), e < GROWTH * tolerance, e)
    for method in ("adams", "bdf"):
        _, rows = simulate(STIFF, method, "--tol", 1e-9, "--until", 3)
        e = largest_error(rows, stiff_at)
        judge("%s reaches its tolerance on a stiff system" % method, e < GROWTH * 1e-9, e)
    stiff, other = (simulate(STIFF, m, "--tol", 1e-6, "--until", 20)[0]["evaluations"] for m in ("bdf", "adams"))
    judge("bdf takes long steps where fast motion has died out", 10 * stiff < other, (stiff, other))


def events_are_located():
    half = 2 * float(mpmath.ellipk(K * K))  # from one passage to the next
    for method, arguments, tolerance in (("adams", ("--tol", 1e-10), 1e-8), ("bdf", ("--tol", 1e-10), 1e-7), ("ida", ("--tol", 1e-10), 1e-7),
                                         ("midpoint", ("--step", 1e-3), 1e-5), ("dla", ("--step", 1e-3), 1e-5)):
        summary, _ = simulate(PENDULUM, method, "--until", 8, *arguments)
        times = [float(e["t"]) for e in summary["events"]]
        ok = len(times) == 2 and all(abs(t - (i + 1) * half) < tolerance for i, t in enumerate(times))
        judge("%s finds the passages of the pendulum" % method, ok, times)


# --- orders ------------------------------------------------------------------------------------------------------------------------

ORDER_WITHIN = 0.01  # of the measured order, at steps where the next term of the error is a thousandth of the first


def orders_are_two():
    for method in ("midpoint", "dla"):
        for name, model, closed in (("the pendulum", PENDULUM, pendulum_at), ("the knife edge", KNIFE_EDGE, knife_edge_at)):
            e = [error(simulate(model, method, "--step", h, "--until", 4, "--every", 4)[1][-1], closed) for h in (0.02, 0.01, 0.005)]
            orders = [math.log2(e[i] / e[i + 1]) for i in range(2)]
            judge("%s is of order 2 on %s" % (method, name), all(abs(o - 2) < ORDER_WITHIN for o in orders), (orders, e))


def difference(a, b):
    return max(abs(a[c] - b[c]) for c in a if c in b)


def models_of_the_library_are_followed():
    """Against tsit5 at a tight tolerance, where no closed form is known: affine and moving constraints, several of them, order 2 and 3, other
    forms as state."""
    close = ("--until", 1, "--every", 1)
    for model in ("rs_4_6_sphere_rotating_plane", "snakeboard", "n_trailer", "spherical_pendulum"):
        exact = simulate(model, "tsit5", "--tol", 1e-12, *close)[1][-1]
        coarse, fine = (difference(simulate(model, "dla", "--step", h, *close)[1][-1], exact) for h in (1e-3, 5e-4))
        judge("dla is of order 2 on %s" % model, abs(math.log2(coarse / fine) - 2) < 0.1, (coarse, fine))
    exact = simulate("snakeboard", "tsit5", "--tol", 1e-12, "--form", "hamilton", *close)[1][-1]
    e = difference(simulate("snakeboard", "dla", "--form", "hamilton", "--step", 1e-3, *close)[1][-1], exact)
    judge("dla follows Hamilton's equations", e < 1e-5, e)
    for model in ("rs_4_6_sphere_rotating_plane", "snakeboard", "tangential_acceleration", "gentle_lift"):
        exact = simulate(model, "tsit5", "--form", "multipliers", "--tol", 1e-12, *close)[1][-1]
        e = difference(simulate(model, "ida", "--tol", 1e-10, *close)[1][-1], exact)
        judge("ida follows %s" % model, e < GROWTH * 1e-10, e)


def default_steps_follow_the_tolerance():
    for method in ("midpoint", "dla"):
        summary, rows = simulate(PENDULUM, method, "--tol", 1e-6, "--until", 4, "--every", 0.5)
        e = largest_error(rows, pendulum_at)
        judge("%s chooses a step from the tolerance" % method, e < GROWTH * 1e-6 and summary["steps"] % 8 == 0, (e, summary["steps"]))


# --- time reversal -----------------------------------------------------------------------------------------------------------------

REVERSED = 1e-13  # rounding of 200 steps, and what the motion backwards makes of it (the sleigh: e^(0.3*5))


def there_and_back(model, method, speeds, *arguments):
    """The distance from the start after running forward, turning the speeds round, and running again; and how far the motion went."""
    _, rows = simulate(model, method, *arguments)
    first, last = rows[0], rows[-1]
    places = [c for c in first if c + "'" in first]
    at = ["%s = %.17g" % (c, last[c]) for c in places] + ["%s = %.17g" % (c, -last[c]) for c in speeds]
    _, rows = simulate(model, method, "--at", ", ".join(at), *arguments)
    back = rows[-1]
    moved = max(abs(last[c] - first[c]) for c in places)
    return max([abs(back[c] - first[c]) for c in places] + [abs(back[c] + first[c]) for c in speeds]), moved


def motions_run_backwards():
    for method in ("midpoint", "dla"):
        for name, model, speeds in (("the pendulum", PENDULUM, ["x'"]), ("the knife edge", KNIFE_EDGE, ["v", "w"]),
                                    ("the sleigh", SLEIGH, ["v", "w"])):
            distance, moved = there_and_back(model, method, speeds, "--step", 0.05, "--until", 5)
            judge("%s takes %s back to where it began, with a coarse step" % (method, name), distance < REVERSED and moved > 0.1, (distance, moved))


# --- constraints and energy ----------------------------------------------------------------------------------------------------------

ROUNDING = 1e-13  # of quotients of differences of positions by a step of 0.05
ADDED_UP = 1e-12  # rounding of ten thousand steps


def dla_keeps_its_discrete_constraint():
    h = 0.05
    for name, model, blade in (("the knife edge", KNIFE_EDGE, lambda q, v: v["x"] * math.sin(q["phi"]) - v["y"] * math.cos(q["phi"])),
                               ("the sleigh", SLEIGH, lambda q, v: v["y"] * math.cos(q["theta"]) - v["x"] * math.sin(q["theta"]) - 0.5 * v["theta"])):
        _, rows = simulate(model, "dla", "--form", "multipliers", "--step", h, "--every", h, "--until", 10)
        places = [c for c in rows[0] if c + "'" in rows[0]]
        worst = 0
        for a, b in zip(rows, rows[1:]):
            middle = {c: (a[c] + b[c]) / 2 for c in places}
            worst = max(worst, abs(blade(middle, {c: (b[c] - a[c]) / h for c in places})))
        judge("dla keeps the constraint of %s at the middle of every step" % name, worst < ROUNDING and len(rows) == 201, (worst, len(rows)))
        shown = max(abs(row["residual[blade]"]) for row in rows)
        judge("the velocities that dla shows obey the constraint of %s" % name, shown < ROUNDING, shown)
    summary, _ = simulate(PENDULUM, "dla", "--step", h, "--every", h, "--until", 10)
    judge("dla keeps the rod's length at every node", float(summary["drift"]["residual[rod]"]) < ROUNDING, summary["drift"])


DRIVEN = "coord x\nkinetic x'^2/2\nforce x = cos(t)\ninitial x = 0, x' = 0\n"  # x' = sin(t), x = 1 - cos(t)


def forces_in_time_are_taken_in_the_middle_of_a_step():
    for method in ("midpoint", "dla"):
        _, rows = simulate(DRIVEN, method, "--step", 0.01, "--every", 1, "--until", 2)
        error = max(abs(row["x'"] - math.sin(row["t"])) + abs(row["x"] - 1 + math.cos(row["t"])) for row in rows)
        judge("a force in time is followed by %s to the second order" % method, error < 2 * 0.01**2, error)  # h^2/12 and h^2/6 times t


def energy_stays_bounded():
    for method in ("midpoint", "dla"):
        for name, model in (("the knife edge", KNIFE_EDGE), ("the pendulum", PENDULUM)):
            _, rows = simulate(model, method, "--step", 0.05, "--every", 0.05, "--until", 500)
            deviation = [abs(row["energy"] - rows[0]["energy"]) for row in rows]
            tenth = len(rows) // 10
            early, late = max(deviation[:tenth]), max(deviation[-tenth:])
            judge("the energy of %s by %s does not drift" % (name, method), late < 1.1 * early + ADDED_UP, (early, late))


RESIDUAL = 30  # the iteration stops at a part of the tolerance of a step, the rows between steps have its interpolation error


def ida_keeps_the_constraints():
    for tolerance in (1e-6, 1e-9):
        for name, model, which in (("the pendulum", PENDULUM, "residual[rod]"), ("the knife edge", KNIFE_EDGE, "residual[blade]")):
            summary, _ = simulate(model, "ida", "--tol", tolerance, "--until", 100)
            drift = float(summary["drift"][which])
            judge("ida keeps the constraint of %s over a long run at tolerance %g" % (name, tolerance), drift < RESIDUAL * tolerance, drift)


tolerances_are_reached()
events_are_located()
orders_are_two()
models_of_the_library_are_followed()
default_steps_follow_the_tolerance()
motions_run_backwards()
dla_keeps_its_discrete_constraint()
energy_stays_bounded()
forces_in_time_are_taken_in_the_middle_of_a_step()
ida_keeps_the_constraints()
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
