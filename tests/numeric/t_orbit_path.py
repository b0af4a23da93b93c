"""`continue --orbit`, looked at from outside.

Families whose orbits are known in closed form (circles x^2 + x'^2 = r^2 with p = -h(r^2), a pendulum's elliptic integrals, a linear oscillator's
response, an oscillator beside a cycle that has a torus), random ones among them; Van der Pol's cycle against SciPy; folds of Duffing's equation against
collocation by Fourier's matrices; the cascade of a driven pendulum against runs of SciPy and digits of series in Python.
"""
import json
import math
import random

import numpy
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from _checks import check, finish, near
from _runs import RunFailed, call
from t_symmetries import text_model

RNG = random.Random(16)


def circles(h, p, r):
    """x'' = -x + x' (p + h(r^2)): circles with p = -h(r^2)."""
    return text_model(f"""system circles
param p = {p!r}
coord x
kinetic x'^2/2
potential x^2/2
force x = x'*(p + {h})
initial x = {r!r}, x' = 0
simulate t = 0 .. 30
""")


VDP = text_model("""system vdp
param mu = 1, idle = 1, twice = 2*mu
coord x
kinetic x'^2/2
potential x^2/2
force x = twice/2*(1 - x^2)*x'
initial x = 2
simulate t = 0 .. 20
""")
DUFFING = text_model("""system duffing
param d = 0.1, a = 1, f = 0.3, w = 0.8
coord x
kinetic x'^2/2
potential x^2/2 + a*x^4/4
dissipation d*x'^2/2
force x = f*cos(w*t)
initial x = 0.5
""")
PENDULUM = text_model("""system pend
param g = 9.81, l = 1
coord th
kinetic l^2*th'^2/2
potential -g*l*cos(th)
initial th = 0.5
""")
BESIDE = text_model("""system beside
param c = -0.3, k = 2
coord x, y
kinetic (x'^2 + y'^2)/2
potential x^2/2 + k*y^2/2
force x = x'*(1 - x^2 - x'^2)
force y = c*y'
initial x = 1, y = 0
simulate t = 0 .. 20
""")


def follow(model, vary, *more, **options):
    return json.loads(call("continue", model, "--orbit", "--json", "--vary", vary, *more, **options))


def values(branch, kind):
    return [float(s["value"]) for s in branch["special"] if s["kind"] == kind]


def refused(name, words, model, *more):
    try:
        call("continue", model, "--orbit", *more)
        check(name, False, "it was not refused")
    except RunFailed as why:
        check(name, all(w in str(why) for w in words), str(why))


def circles_turn_back_where_the_formula_says():
    """p + r^2 - r^4 = 0: a fold at p = -1/4, and the circle shrinks to a point at p = 0."""
    branch = follow(circles("(x^2 + x'^2) - (x^2 + x'^2)^2", 0.5, 1.2), "p=-1..1")["branches"][0]
    near("the fold", values(branch, "fold")[0], -0.25, 1e-10)
    near("the Hopf point", values(branch, "hopf")[0], 0, 1e-9)
    check("it ends at rest", "rest" in (branch["begins"], branch["ends"]), str((branch["begins"], branch["ends"])))
    for at in branch["points"]:
        r = float(at["range"]["x"][1])
        check(f"p = {at['value']}: on the curve", abs(float(at["value"]) + r**2 - r**4) < 1e-4 and abs(float(at["period"]) - 2 * math.pi) < 1e-10, str(at))
        if not at["multipliers"]:  # so small a circle changes its energy too slowly
            check("only next to rest", r < 1e-3, str(at))
            continue
        # e' = 2 x'^2 (p + e - e^2): around a circle its change is multiplied by exp(2 pi r^2 (1 - 2 r^2))
        slope = math.exp(2 * math.pi * r**2 * (1 - 2 * r**2))
        check(f"p = {at['value']}: its multiplier", abs(float(at["multipliers"][0]["re"]) / slope - 1) < 1e-3, f"{at['multipliers']} {slope}")
        check(f"p = {at['value']}: its stability", at["stable"] == (slope < 1 + 1e-7), str(at))


def random_circles_have_the_folds_of_their_polynomial():
    for _ in range(6):
        low, high = RNG.uniform(0.3, 0.8), RNG.uniform(1.2, 1.8)  # h' = -3 s (e - low)(e - high)
        s = RNG.choice([-1, 1]) * RNG.uniform(0.3, 1)

        def h(e):
            return -s * (e**3 - 1.5 * (low + high) * e**2 + 3 * low * high * e)
        start = RNG.uniform(high + 0.1, high + 0.5)
        words = f"({-s!r})*((x^2 + x'^2)^3 - {1.5 * (low + high)!r}*(x^2 + x'^2)^2 + {3 * low * high!r}*(x^2 + x'^2))"
        branch = follow(circles(words, -h(start), math.sqrt(start)), f"p={-abs(h(start)) - 4!r}..{abs(h(start)) + 4!r}")["branches"][0]
        found, known = sorted(values(branch, "fold")), sorted([-h(low), -h(high)])
        check(f"folds for {low:.3f}, {high:.3f}", len(found) == 2 and max(abs(a - b) for a, b in zip(found, known)) < 1e-10, f"{found} {known}")
        check("and the Hopf point at 0", len(values(branch, "hopf")) == 1 and abs(values(branch, "hopf")[0]) < 1e-8, str(values(branch, "hopf")))


def van_der_pols_cycle_has_scipys_period():
    points = follow(VDP, "mu=0.2..5")["branches"][0]["points"]
    near("from one end", float(points[0]["value"]), 0.2, 1e-14)
    near("to the other", float(points[-1]["value"]), 5, 1e-14)
    for at in points[::12]:
        mu = float(at["value"])

        def rate(t, y):
            return [y[1], mu * (1 - y[0]**2) * y[1] - y[0]]

        def up(t, y):
            return y[0]
        up.direction = 1
        run = solve_ivp(rate, (0, 120), [2, 0], method="DOP853", rtol=1e-12, atol=1e-13, events=up)
        near(f"mu = {mu:.3f}", float(at["period"]), run.t_events[0][-1] - run.t_events[0][-2], 1e-9)


def a_linear_oscillator_answers_to_a_frequency():
    """Amplitude f/sqrt((1 - w^2)^2 + (d w)^2) and the period 2 pi/w; the multipliers have the product exp(-d T)."""
    branch = follow(DUFFING, "w=0.5..2", "--set", "a=0", period=repr(2 * math.pi / 0.8))["branches"][0]
    check("no special point", branch["special"] == [] and branch["ends"] == "interval", str(branch["special"]))
    for at in branch["points"]:
        w = float(at["value"])
        near(f"w = {w:.3f}: the period", float(at["period"]), 2 * math.pi / w, 1e-13)
        near(f"w = {w:.3f}: the amplitude", float(at["range"]["x"][1]), 0.3 / math.hypot(1 - w * w, 0.1 * w), 1e-4)
        m = [complex(float(e["re"]), float(e["im"])) for e in at["multipliers"]]
        near(f"w = {w:.3f}: the multipliers", abs(m[0] * m[1]), math.exp(-0.1 * 2 * math.pi / w), 1e-11)


def duffing_folds():
    """x on 96 points of a period, derivatives by Fourier's matrices: R(x, w) = 0, J v = 0, v.v = 1 by Newton's method, from a walk by arc length."""
    n, d, f = 96, 0.1, 0.3
    tau = 2 * math.pi * numpy.arange(n) / n
    k = numpy.fft.fftfreq(n, 1 / n)
    k[n // 2] = 0
    first = numpy.real(numpy.fft.ifft(1j * k[:, None] * numpy.fft.fft(numpy.eye(n), axis=0), axis=0))
    second = first @ first

    def system(u):
        x, w = u[:n], u[n]
        r = w * w * second @ x + d * w * first @ x + x + x**3 - f * numpy.cos(tau)
        j = w * w * second + d * w * first + numpy.diag(1 + 3 * x * x)
        return r, numpy.column_stack([j, 2 * w * second @ x + d * first @ x])
    u, t, folds = numpy.append(0.3 * numpy.cos(tau), 0.4), numpy.append(numpy.zeros(n), 1), []
    for _ in range(8):
        r, j = system(u)
        u[:n] -= numpy.linalg.solve(j[:, :n], r)
    while u[n] < 2.5 and len(folds) < 2:
        new = numpy.linalg.solve(numpy.vstack([system(u)[1], t]), numpy.append(numpy.zeros(n), 1))
        new /= numpy.linalg.norm(new)
        if new[n] * t[n] < 0:
            x, v, w = u[:n].copy(), new[:n] / numpy.linalg.norm(new[:n]), u[n]
            for _ in range(8):
                r, j = system(numpy.append(x, w))
                by_w = (2 * w * second + d * first) @ v
                whole = numpy.block([[j[:, :n], numpy.zeros((n, n)), j[:, n:]], [numpy.diag(6 * x * v), j[:, :n], by_w[:, None]],
                                     [numpy.zeros((1, n)), 2 * v[None, :], numpy.zeros((1, 1))]])
                step = numpy.linalg.solve(whole, numpy.concatenate([r, j[:, :n] @ v, [v @ v - 1]]))
                x, v, w = x - step[:n], v - step[n:2 * n], w - step[2 * n]
            folds.append(w)
        t = new
        guess = u + 0.15 * t
        u = guess.copy()
        for _ in range(8):
            r, j = system(u)
            u -= numpy.linalg.solve(numpy.vstack([j, t]), numpy.append(r, t @ (u - guess)))
    found = sorted(values(follow(DUFFING, "w=0.4..2.5", period=repr(2 * math.pi / 0.8))["branches"][0], "fold"))
    check("two folds", len(found) == 2 and len(folds) == 2, f"{found} {folds}")
    for ours, theirs in zip(found, sorted(folds)):
        near("a fold of Duffing's equation", ours, theirs, 1e-10)


def a_torus_leaves_a_cycle():
    """y'' = -k y + c y' beside a cycle of the period 2 pi: multipliers exp((c/2 +- i sqrt(k - c^2/4)) 2 pi) cross the circle at c = 0."""
    branch = follow(BESIDE, "c=-0.5..0.5")["branches"][0]
    found = [s for s in branch["special"] if s["kind"] == "torus"]
    check("one torus", len(found) == 1 and len(branch["special"]) == 1, str(branch["special"]))
    near("at c = 0", float(found[0]["value"]), 0, 1e-10)
    near("its angle", math.cos(float(found[0]["angle"])), math.cos(2 * math.pi * math.sqrt(2)), 1e-8)


def a_pendulum_along_its_energy():
    for name, model in (("in its angle", PENDULUM), ("in the plane", "pendulum")):
        points = follow(model, "energy=-9.7..9.5")["branches"][0]["points"]
        near(f"{name}: to the end", float(points[-1]["value"]) + float(points[0]["value"]), -0.2, 1e-12)
        for at in points[::6]:
            e = float(at["value"])
            near(f"{name}: energy {e:.4f}", float(at["period"]), 4 * ellipk((e + 9.81) / (2 * 9.81)) / math.sqrt(9.81), 1e-10)
    branch = follow(PENDULUM, "energy=-9..12")["branches"][0]
    check("it says that the period grows without bound", "long" in (branch["begins"], branch["ends"]), str((branch["begins"], branch["ends"])))


def a_driven_pendulum_doubles_its_period():
    """Symmetric orbits, theta(t + T/2) = -theta(t), give way where a multiplier of half of the period is 1 (SciPy); A1, A2 as in t_classics.py."""
    found = follow("driven_pendulum", "A=0.95..1.081", "--set", "A=0.95", period=repr(3 * math.pi))
    first, second, third = found["branches"][0], found["branches"][1], found["branches"][2]
    a = values(first, "branch")[0]

    def rate(t, y):
        c = math.cos(y[0])
        return [y[1], -y[1] / 2 - math.sin(y[0]) + a * math.cos(2 * t / 3), y[3], -y[3] / 2 - c * y[2], y[5], -y[5] / 2 - c * y[4]]
    z = numpy.array([-1.07, 1.897])
    for _ in range(6):
        end = solve_ivp(rate, (0, 1.5 * math.pi), [*z, 1, 0, 0, 1], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
        m = numpy.array([[end[2], end[4]], [end[3], end[5]]])
        z = z - numpy.linalg.solve(m + numpy.eye(2), end[:2] + z)
    near("where it loses its symmetry", numpy.linalg.det(m - numpy.eye(2)), 0, 2e-9)  # its slope by A is -6.8
    check("both of the pair double", len(values(second, "period-doubling")) == 2, str(second["special"])[:300])
    for value in values(second, "period-doubling"):
        near("A1", value, 1.066372862455207, 1e-11)
    near("A2", values(third, "period-doubling")[0], 1.0793139059037155, 1e-11)
    near("of twice the period", float(third["points"][-1]["period"]), 6 * math.pi, 1e-12)
    check("stable up to there, not beyond", third["points"][1]["stable"] and not third["points"][-1]["stable"], "")
    check("one branch is asked for", len(follow("driven_pendulum", "A=0.95..1.081", "--set", "A=0.95", period=repr(3 * math.pi), branches="1")["branches"]) == 1, "")


def a_period_is_an_expression_of_parameters():
    """x'' + d x' + x = f cos(w t), w = sqrt(k): the answer has the amplitude f/|1 - w^2 + i d w| and the period 2 pi/w, which no ratio T k shows."""
    driven = text_model("""system driven
param d = 0.2, f = 0.3, k = 0.64, w = sqrt(k)
coord x
kinetic x'^2/2
potential x^2/2
dissipation d*x'^2/2
force x = f*cos(w*t)
initial x = 0.5
""")
    for words, times in (("2*pi/w", 1), ("4*pi/sqrt(k)", 2)):
        branch = follow(driven, "k=0.5..2", period=words)["branches"][0]
        check(f"{words}: from end to end", [round(float(branch["points"][i]["value"]), 9) for i in (0, -1)] == [0.5, 2], str(branch["points"])[:200])
        for point in branch["points"]:
            w = math.sqrt(float(point["value"]))
            near(f"{words}: period", float(point["period"]), times * 2 * math.pi / w, 1e-9)
            near(f"{words}: amplitude", float(point["range"]["x"][1]), 0.3 / abs(complex(1 - w * w, 0.2 * w)), 3e-4)  # cubics between 24 places of the orbit, here of two turns
    refused("an expression that is a period at the start only", ["do not repeat", "k ="], driven, "--vary", "k=0.5..2", "--period", "2*pi/w + k - 0.64")
    refused("a period that becomes infinite", ["no positive number"], driven, "--vary", "k=0.5..2", "--period", "2*pi/(k - 2)")
    refused("a period that moves", ["no constant"], driven, "--vary", "k=0.5..2", "--period", "2*pi + x")
    refused("a period with a mistake", ["unknown name", "freq"], driven, "--vary", "k=0.5..2", "--period", "2*pi/freq")
    for words in ("2*pi/w", "2*pi/0.8", repr(2 * math.pi / 0.8)):
        near(f"orbit --period {words}", float(json.loads(call("orbit", driven, "--json", period=words))["period"]), 2 * math.pi / 0.8, 1e-14)


def what_cannot_be_followed_is_refused():
    refused("nothing depends on it", ["nothing in the motion depends"], VDP, "--vary", "idle=1..2")
    refused("not a parameter", ["no parameter"], VDP, "--vary", "x=1..2")
    refused("energy that does not stay", ["does not stay"], VDP, "--vary", "energy=1..2")
    refused("energy outside", ["outside of the interval"], PENDULUM, "--vary", "energy=0..1")
    refused("an equilibrium", ["equilibrium"], VDP, "--vary", "mu=0.5..1", "--at", "x = 0.0001", "--period", "6.3")
    refused("time and no period", ["depend on time"], DUFFING, "--vary", "f=0.1..1")
    refused("a period that is none", ["do not repeat"], DUFFING, "--vary", "f=0.1..1", "--period", "7")
    refused("a frequency through 0", ["infinite"], DUFFING, "--vary", "w=-1..1", "--period", repr(2 * math.pi / 0.8))
    refused("a figure of what is none", ["does not show"], VDP, "--vary", "mu=1..2", "--of", "y", "--plot")
    family = follow(VDP, "mu=-1..1")
    near("where all of a family have one value", values(family["branches"][0], "branch")[0], 0, 1e-8)
    check("it is not followed", len(family["branches"]) == 1 and family["left_out"] == 1, str(family["left_out"]))


for test in (circles_turn_back_where_the_formula_says, random_circles_have_the_folds_of_their_polynomial, van_der_pols_cycle_has_scipys_period,
             a_linear_oscillator_answers_to_a_frequency, duffing_folds, a_torus_leaves_a_cycle, a_pendulum_along_its_energy,
             a_driven_pendulum_doubles_its_period, a_period_is_an_expression_of_parameters, what_cannot_be_followed_is_refused):
    test()
finish()
