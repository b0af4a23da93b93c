"""Derivatives of motions, Lyapunov exponents and periodic orbits, looked at from outside.

`sensitivity` against central differences of runs in quadruple precision, which know nothing of variational equations, against SciPy on random
potentials, and against closed forms; exponents against eigenvalues, a sum that is known and published values; orbits against elliptic integrals, the
figure-eight of three bodies, Van der Pol's limit cycle, and runs from the state found.
"""
import json
import math
import os
import random
import signal
import subprocess
import time

import numpy
import sympy
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from _checks import check, finish, near
from _runs import RunFailed, call
from t_symmetries import text_model

mp = sympy.mpmath if hasattr(sympy, "mpmath") else __import__("mpmath")
mp.mp.dps = 40
RNG = random.Random(16)

OSCILLATOR = text_model("""system o
param k = 2, c = 0
coord x
kinetic x'^2/2
potential k*x^2/2
force x = -c*x'
event down: x
initial x = 1, x' = 0.3
""")
SWING = text_model("""system swing
param m = 1, g = 9.81
coord x, y
point bob: mass m at (x, y, 0)
gravity (0, -g, 0)
constraint rod: x^2 + y^2 = 1
initial x = 0.6, y = -0.8, x' = 6
""")
FALL = text_model("""system fall
param g = 10, s = 1/2, h = 2*s
coord x, y
kinetic (x'^2 + y'^2)/2
potential g*y
constraint slope: y = h - s*x
event wall: x - 1
event far: x - 1000
initial x = 0
""")
DRIVEN = text_model("""system driven
param c = 0.5, A = 0.3, w = 2/3
coord th
kinetic th'^2/2
potential -cos(th)
force th = -c*th' + A*cos(w*t)
initial th = 0.3
""")
VDP = text_model("""system vdp
param mu = 1
coord x
kinetic x'^2/2
potential x^2/2
force x = mu*(1 - x^2)*x'
initial x = 2
simulate t = 0 .. 20
""")
EIGHT = text_model("""system eight
coord x[1..3], y[1..3]
for i in 1..3 {
  point P[i]: mass 1 at (x[i], y[i], 0)
}
potential -1/sqrt((x[1]-x[2])^2+(y[1]-y[2])^2) - 1/sqrt((x[1]-x[3])^2+(y[1]-y[3])^2) - 1/sqrt((x[2]-x[3])^2+(y[2]-y[3])^2)
initial x[1] = 0.97000436, y[1] = -0.24308753, x[2] = -0.97000436, y[2] = 0.24308753
initial x[1]' = 0.466203685, y[1]' = 0.43236573, x[2]' = 0.466203685, y[2]' = 0.43236573, x[3]' = -0.93240737, y[3]' = -0.86473146
""")


def of(model, **options):
    return json.loads(call("sensitivity", model, "--json", **options))


def lyapunov(model, *more, **options):
    return json.loads(call("lyapunov", model, "--json", *more, **options))


def orbit(model, **options):
    return json.loads(call("orbit", model, "--json", **options))


def refused(name, words, command, model, *more):
    try:
        call(command, model, *more)
        check(name, False, "it was not refused")
    except RunFailed as why:
        check(name, all(w in str(why) for w in words), str(why))


def derivatives_are_those_of_runs_in_quadruple_precision():
    """Fourth-order differences with h = 1e-6 are good to 1e-22 of runs that are good to 1e-27."""
    for model, until, to in [("sleigh", 3, "a, J, theta'"), ("double_pendulum", 3, None), ("rolling_disc", 2, "theta, phi', m"), (SWING, 3, "g, x, x'"),
                             ("snakeboard", 1, "psi'")]:
        try:
            found = of(model, until=until, tol="1e-15", **({"to": to} if to else {}))
        except RunFailed as why:
            check(f"{model}: derivatives", False, str(why))
            continue
        start = json.loads(call("eval", model, "--json", digits="40"))
        values = {p["name"]: mp.mpf(sympy.Rational(p["text"]).p) / sympy.Rational(p["text"]).q for p in json.loads(call("describe", model, "--json"))["parameters"]}
        for by in found["by"]:
            name = by[:-3] if by.endswith("(0)") else by
            v = values[name] if by == name else mp.mpf(start["qd"][name[:-1]] if name.endswith("'") else start["q"][name])
            h = mp.mpf("1e-6")

            def final(x):
                where = {"at": f"{name} = {mp.nstr(x, 36)}"} if by != name else {"set": f"{name}={mp.nstr(x, 36)}"}
                run = json.loads(call("simulate", model, "--json", until=until, method="taylor", precision="quad", tol="1e-27", **where))
                return {k: mp.mpf(s) for k, s in run["final"].items()}
            near_by = [final(v + k * h) for k in (1, -1, 2, -2)]
            worst = 0
            for f, slopes in found["moments"][-1]["derivatives"].items():
                a, b, c, d = (x[f] for x in near_by)
                want = (8 * (a - b) - (c - d)) / (12 * h)
                worst = max(worst, abs(mp.mpf(slopes[by]) - want) / max(1, abs(want)))
            check(f"{model}: derivatives by {by}", worst < 1e-11, f"off by {mp.nstr(worst, 3)}")


def columns_beside_the_core_are_those_of_the_whole():
    """Taylor's method multiplies columns by entries of df/dz in loops of its own, a Runge-Kutta method follows the code of all equations."""
    mixed = text_model("""system mixed
param a = 2, b = 3*a, m = 1.5, w = 3
coord x, y, u, s
kinetic m*x'^2/2 + (1 + x^2)*y'^2/2 + u'^2/2 + s'^2/2
potential x^2*y^2 + a*x^2/2 + b*y^2/2
force u = cos(w*t)*exp(-y^2/m)
force s = -s'
initial x = 0.4, y = 0.3, x' = 0.2, y' = -0.1, s' = 1
""")
    for model, until in ((mixed, 4), (DRIVEN, 5), ("sleigh", 5), ("rolling_disc", 2), ("double_pendulum", 2), ("bicycle", 1)):
        series, pair = of(model, until=until, method="taylor", tol="1e-14"), of(model, until=until, method="dop853", tol="1e-14")
        want, found = (x["moments"][-1]["derivatives"] for x in (pair, series))
        worst = max(abs(float(found[f][v]) - float(want[f][v])) / max(1, *(abs(float(y)) for y in want[f].values())) for f in want for v in series["by"])
        check(f"{model}: two methods", worst < 1e-9, f"off by {worst:.1e}")
        texts = [call("sensitivity", model, "--json", until=until, method="taylor", exec=how) for how in ("interpreted", "compiled")]
        check(f"{model}: interpreted and compiled alike", texts[0] == texts[1], "other digits")


def random_potentials_agree_with_scipy():
    """x, y in a drawn cubic potential with damping: the variational equations by SymPy, the motion by SciPy's DOP853."""
    for i in range(6):
        x, y, u, v, p = sympy.symbols("x y u v p")
        terms = [x**2, y**2, x * y, x**2 * y, x * y**2, x**4, y**4, sympy.cos(x - y)]
        c = [sympy.Rational(RNG.randint(1, 9), 10) for _ in terms]
        potential = p * c[0] * x**2 + sum(a * t for a, t in zip(c[1:], terms[1:]))
        d = sympy.Rational(RNG.randint(0, 5), 10)
        z = [x, y, u, v]
        f = [u, v, -sympy.diff(potential, x) - d * u * p, -sympy.diff(potential, y) - d * v]
        slopes = sympy.Matrix(f).jacobian(z)
        by = sympy.Matrix(f).jacobian([p])
        run = sympy.lambdify(z + [p], [f, slopes, by], "numpy")
        z0 = [RNG.randint(1, 8) / 16 for _ in z]

        def rate(t, w):
            g, a, b = run(*w[:4], 1.5)
            columns = w[4:].reshape(2, 4)
            return numpy.concatenate([g, numpy.array(a) @ columns[0], numpy.array(a) @ columns[1] + numpy.array(b)[:, 0]])
        want = solve_ivp(rate, (0, 3), z0 + [1, 0, 0, 0] + [0] * 4, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
        model = text_model(f"system drawn\nparam p = 1.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential {str(potential).replace('**', '^')}\n"
                           f"force x = -{d}*x'*p\nforce y = -{d}*y'\n"
                           f"initial x = {z0[0]}, y = {z0[1]}, x' = {z0[2]}, y' = {z0[3]}\n")
        got = of(model, until=3, tol="1e-14", to="x, p")["moments"][0]["derivatives"]
        worst = max(abs(float(got[n]["x(0)" if k == 0 else "p"]) - want[4 + 4 * k + j]) for k in (0, 1) for j, n in enumerate(["x", "y", "x'", "y'"]))
        check(f"drawn potential {i}", worst < 1e-9, f"off by {worst:.2g}")


def an_oscillator_has_its_closed_form_to_second_order():
    found = json.loads(call("sensitivity", OSCILLATOR, "--json", "--second", until=2, tol="1e-15", to="k, c, x, x'"))
    k, c, a, b, t = sympy.symbols("k c a b t")
    w = sympy.sqrt(k - c**2 / 4)
    x = sympy.exp(-c * t / 2) * (a * sympy.cos(w * t) + (b + c * a / 2) / w * sympy.sin(w * t))
    at = {k: 2, c: 0, a: 1, b: sympy.Rational(3, 10), t: 2}
    end = found["moments"][-1]
    names = {"k": k, "c": c, "x(0)": a, "x'(0)": b}
    for n, s in names.items():
        near(f"dx/d{n}", float(end["derivatives"]["x"][n]), float(sympy.diff(x, s).subs(at)), 1e-13)
        near(f"dx'/d{n}", float(end["derivatives"]["x'"][n]), float(sympy.diff(x, t, s).subs(at)), 1e-13)
        for o, r in names.items():
            near(f"d2x/d{n}d{o}", float(end["second"]["x"][n][o]), float(sympy.diff(x, s, r).subs(at)), 1e-12)
    # its first zero, from x = 0
    down, w0 = found["moments"][0], math.sqrt(2)
    zero = (math.pi - math.atan2(1, 0.3 / w0)) / w0
    near("time of the event", float(down["t"]), zero, 1e-12)
    near("dx/da at the event is 0", float(down["derivatives"]["x"]["x(0)"]), 0, 1e-12)
    speed = -w0 * math.sqrt(1 + 0.09 / 2)
    near("dT/da", float(down["time"]["x(0)"]), -math.cos(w0 * zero) / speed, 1e-12)


def second_derivatives_on_a_circle_are_differences_of_first_ones():
    """The start follows its data through a constraint, to second order too. h = 1e-5 is good to 1e-8."""
    def look(x, speed, *more):
        return json.loads(call("sensitivity", "pendulum", "--json", *more, until=1.3, tol="1e-15", to="g, x, x'", at=f"x = {x!r}, x' = {speed!r}"))["moments"][-1]
    here, h = look(0.6, 0.4, "--second"), 1e-5
    for by, low, high in (("x(0)", look(0.6 - h, 0.4), look(0.6 + h, 0.4)), ("x'(0)", look(0.6, 0.4 - h), look(0.6, 0.4 + h))):
        for f, rows in here["second"].items():
            for other in ("g", "x(0)", "x'(0)"):
                want = (float(high["derivatives"][f][other]) - float(low["derivatives"][f][other])) / (2 * h)
                near(f"d2{f}/d{by}d{other}", float(rows[by][other]), want, 2e-8)


def a_slide_on_a_slope_knows_its_constraint_and_its_parameters():
    """x'' = g s/(1 + s^2): the wall x = 1 is met at T = sqrt(2 (1 + s^2)/(g s)); y = h - s x with h = 2 s starts on the line."""
    found = of(FALL, until=3, tol="1e-14", to="g, s, x")
    wall = found["moments"][0]
    g, s, x0 = sympy.symbols("g s x0")
    T = sympy.sqrt(2 * (1 - x0) * (1 + s**2) / (g * s))
    at = {g: 10, s: sympy.Rational(1, 2), x0: 0}
    for n, v in (("g", g), ("s", s), ("x(0)", x0)):
        near(f"dT/d{n}", float(wall["time"][n]), float(sympy.diff(T, v).subs(at)), 1e-11)
    near("dy/ds at the wall, h follows s", float(wall["derivatives"]["y"]["s"]), 1, 1e-11)
    end = found["moments"][-1]
    near("dy/dx(0) at a fixed time", float(end["derivatives"]["y"]["x(0)"]), -0.5, 1e-11)
    check("events that are not reached are named", found["not_reached"] == ["far"], str(found["not_reached"]))


def a_parameter_moves_the_initial_values_it_stands_in():
    """x(t) = k^2 + k t: what `--set k` does, whether x(0) is among the data, as it is without `--to`, or not."""
    free = text_model("system f\nparam k = 3, v = k\ncoord x\nkinetic x'^2/2\ninitial x = k^2, x' = v\n")
    for to in (None, "k", "x, k", "k, x, x'"):
        named = {"to": to} if to else {}
        got = json.loads(call("sensitivity", free, "--json", "--second", until=2, **named))["moments"][-1]
        near(f"dx/dk, to {to}", float(got["derivatives"]["x"]["k"]), 2 * 3 + 2, 1e-12)
        near(f"d2x/dk2, to {to}", float(got["second"]["x"]["k"]["k"]), 2, 1e-12)
        if to != "k":
            near(f"dx/dx(0), to {to}", float(got["derivatives"]["x"]["x(0)"]), 1, 1e-12)


def what_has_no_derivative_is_said():
    graze = text_model("system g\ncoord x\nkinetic x'^2/2\npotential x\nevent top: x - 1/2 + 1e-17\nevent level: x - 1/2 + 1e-14\nevent half: x - 1/4\ninitial x' = 1\n")
    found = of(graze, until=3, tol="1e-15")
    check("a grazing event has no derivatives", [m["event"] for m in found["moments"] if m.get("grazes")] == ["level"] * 2 and
          [m["event"] for m in found["moments"] if "time" in m] == ["half"] * 2, str(found["moments"])[:300])
    friction = text_model("system f\nparam mu = 0.3\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -mu*sign(x')\ninitial x = 3, x' = 1\n")
    refused("a jump of the rates on the way", ["jump", "sign"], "sensitivity", friction, "--until", "3")
    before = of(friction, until=0.2, tol="1e-12")  # before x' = 0 it is smooth: x'' = -x - mu
    near("before the jump", float(before["moments"][0]["derivatives"]["x"]["mu"]), math.cos(0.2) - 1, 1e-10)
    refused("an unknown name in --of", ["nonsense"], "sensitivity", "sleigh", "--of", "nonsense + x")
    refused("an unknown name in --to", ["nonsense"], "sensitivity", "sleigh", "--to", "nonsense")
    refused("a name twice", ["twice"], "sensitivity", "sleigh", "--to", "a, a")
    refused("a value that follows", ["follows"], "sensitivity", "pendulum", "--to", "y")
    blow = text_model("system b\ncoord x\nkinetic x'^2/2\npotential -x^4\ninitial x = 1\n")
    refused("a run that ends before", ["stopped at t"], "sensitivity", blow, "--until", "5")


def a_multiplier_that_is_given_does_no_harm():
    """rs_1_2_horizontal gives lambda at the start, which Maggi's form does not need; phi = phi(0) + phi'(0) t."""
    found = of("rs_1_2_horizontal", until=0.5, to="phi'")
    near("dphi/dphi'(0)", float(found["moments"][-1]["derivatives"]["phi"]["phi'(0)"]), 0.5, 1e-12)


def exponents_are_the_real_parts_of_eigenvalues():
    for c, want in ((1, [-0.5, -0.5]), (4, [-2 + math.sqrt(2), -2 - math.sqrt(2)])):
        found = lyapunov(OSCILLATOR, "--set", f"c={c}", until=400)
        for e, w in zip(found["exponents"], want):
            check(f"c = {c}: {w:.3f}", abs(float(e["value"]) - w) <= max(3 * float(e["error"]), 1e-6), str(e))
        near(f"c = {c}: the sum is -c", float(found["sum"]), -c, 1e-8)
    near("a driven pendulum loses c", float(lyapunov(DRIVEN, "--set", "A=1.15", until=300)["sum"]), -0.5, 1e-8)


def exponents_of_henon_and_heiles():
    """E = 1/6: the largest exponent is 0.13 (Contopoulos, Galgani and Giorgilli 1978; Skokos 2010 gives 0.12 to 0.14); Hamiltonian ones come in pairs."""
    model = text_model("system hh\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + x^2*y - y^3/3\ninitial x = 0, y = -0.15, x' = 0.5485, y' = 0\n")
    found = lyapunov(model, until=8000, tol="1e-11")
    e = [float(x["value"]) for x in found["exponents"]]
    bar = float(found["exponents"][0]["error"])
    check("the largest", abs(e[0] - 0.13) < 0.015 + 3 * bar, f"{e} +- {bar}")
    check("pairs", abs(e[0] + e[3]) < 1e-3 and abs(e[1] + e[2]) < 1e-3, str(e))
    check("two of them are 0", found["zeros"] >= 2 or abs(e[1]) < 2e-3, str(found["exponents"]))


def a_pendulum_swings_with_the_period_of_the_elliptic_integral():
    """On a circle in (x, y) with a constraint: 4 K(k)/sqrt(g/l), sin^2 of half of the amplitude from the energy of the state found."""
    for speed in (0.1, 2.5, 4.0):
        found = orbit("pendulum", at=f"x = 0.3, x' = {speed}")
        z = {n: float(v) for n, v in found["state"].items()}
        m = ((z["x'"]**2 + z["y'"]**2) / 2 + 9.81 * (z["y"] + 1)) / (2 * 9.81)
        near(f"x' = {speed}: the period", float(found["period"]), 4 * ellipk(m) / math.sqrt(9.81), 1e-12)
        check(f"x' = {speed}: both multipliers are 1 for a reason", found["multipliers"] == [] and found["trivial"]["count"] == 2, str(found["trivial"]))


def three_bodies_on_a_figure_eight():
    found = orbit(EIGHT, period=6.3)
    near("the period of Chenciner and Montgomery", float(found["period"]), 6.32591398, 1e-7)
    m = sorted((float(e["re"]), float(e["im"])) for e in found["multipliers"])
    check("eight trivial ones, four others", found["trivial"]["count"] == 8 and len(m) == 4, str(found["trivial"]))
    check("all on the unit circle", max(abs(math.hypot(*e) - 1) for e in m) < 1e-9, str(m))
    # Simo 2002: exp(+-2 pi i nu), nu = 0.00842272 and 0.29809253
    nu = sorted(math.acos(max(-1, min(1, e[0]))) / (2 * math.pi) for e in m if e[1] > 0)
    check("Simo's rotation numbers", abs(nu[0] - 0.00842272) < 1e-7 and abs(nu[1] - 0.29809253) < 1e-7, str(nu))


def van_der_pols_cycle_and_its_multiplier():
    found = orbit(VDP)
    near("the period", float(found["period"]), 6.6632868593231301896996820305, 1e-12)
    x0 = float(found["state"]["x"]), float(found["state"]["x'"])

    def rate(t, w):
        return [w[1], (1 - w[0]**2) * w[1] - w[0], 1 - w[0]**2]
    loss = solve_ivp(rate, (0, float(found["period"])), [*x0, 0], method="DOP853", rtol=1e-13, atol=1e-13).y[2, -1]
    near("its multiplier is exp of the mean divergence", float(found["multipliers"][0]["re"]), math.exp(loss), 1e-11)
    driven = orbit(DRIVEN, period=repr(3 * math.pi))
    m = [complex(float(e["re"]), float(e["im"])) for e in driven["multipliers"]]
    near("a driven pendulum: their product", abs(m[0] * m[1]), math.exp(-0.5 * 3 * math.pi), 1e-12)


def a_disc_nods_and_turns():
    """Relatively periodic: a run from the state found has the same lean, the same rates, and the moves that are told."""
    found = orbit("rolling_disc", until=20)
    check("it is relative", found["relative"], str(found)[:200])
    at = ", ".join(f"{n} = {v}" for n, v in found["state"].items() if n not in ("x'", "y'"))
    end = json.loads(call("simulate", "rolling_disc", "--json", at=at, until=found["period"], tol="1e-14"))["final"]
    for n in ("theta", "theta'", "psi'", "phi'"):
        near(f"{n} is the same after a period", float(end[n]), float(found["state"][n]), 1e-10)
    by = {m["symmetry"]: float(m["by"]) for m in found["moves"]}
    turned = float(end["psi"]) - float(found["state"]["psi"]) - by["rotation of x, y, psi"]
    near("it has turned as told, up to whole turns", math.sin(turned / 2), 0, 1e-10)


def a_long_snake_is_followed_by_two_methods():
    """Divisors of many links are watched along a step in their values: of the state alone, not of the columns behind it."""
    by = [json.loads(call("sensitivity", "snake", "--json", "--second", to="m", until=1, tol="1e-10", method=method, set="N=12"))["moments"][0]
          for method in ("taylor", "dop853")]
    for name, slope in by[0]["derivatives"].items():
        near(f"d{name}/dm", float(by[1]["derivatives"][name]["m"]), float(slope["m"]), 1e-5 * (1 + abs(float(slope["m"]))))


def what_keeps_no_rows_needs_no_room_for_them():
    for command in ("sensitivity", "lyapunov", "orbit"):
        check(f"{command} under a limit of 5 rows", json.loads(call(command, OSCILLATOR, "--json", until=20, limit="rows=5")) is not None)


def second_derivatives_go_through_charts():
    """On a sphere no two velocities stay independent; differences of first derivatives."""
    sphere = text_model("""system sphere
param g = 9.81
coord x, y, z
point bob: mass 1 at (x, y, z)
gravity (0, 0, -g)
constraint rod: x^2 + y^2 + z^2 = 1
initial x = 0.6, y = 0, z = -0.8, x' = 3, y' = 2
""")
    found = json.loads(call("sensitivity", sphere, "--json", "--second", until=3, tol="1e-14"))["moments"][-1]["second"]
    h, first = 2e-4, {}
    for k in (1, -1, 2, -2):
        first[k] = of(sphere, until=3, tol="1e-14", at=f"y' = {2 + k * h!r}")["moments"][-1]["derivatives"]
    for f, by in found.items():
        for b, slope in by["y'(0)"].items():
            a, c, d, e = (float(first[k][f][b]) for k in (1, -1, 2, -2))
            near(f"d2{f}/dy'(0) d{b}", float(slope), (8 * (a - c) - (d - e)) / (12 * h), 1e-8 * (1 + abs(float(slope))))
    check("more than twelve data", len(json.loads(call("sensitivity", "n_trailer", "--json", "--second", until="0.1"))["by"]) > 12, "")


def orbits_say_how_often_they_close():
    spring = text_model("system s\nparam k = 4, a = 1\ncoord x\nkinetic x'^2/2\npotential k*x^2/2 + a*x^4/4\ninitial x = 1\nsimulate t = 0 .. 10\n")
    once = orbit(spring)
    near("the least period of a quartic spring", float(once["period"]), 4 / math.sqrt(5) * float(mp.ellipk(mp.mpf(1) / 10)), 1e-13)
    for period, times in (("2.9", 1), ("5.6", 2), ("8.7", 3)):
        found = orbit(spring, period=period)
        check(f"a guess of {period}", found["times"] == times and abs(float(found["period"]) - times * float(once["period"])) < 1e-11, str(found)[:200])
    for k in (1e4, 1e6, 1e10):  # several periods between two looks, if these were not as short as the steps of the motion
        found = orbit(spring, set=f"k={k}")
        near(f"k = {k}", float(found["period"]), 4 / math.sqrt(k + 1) * float(mp.ellipk(1 / (2 * (k + 1)))), 1e-12 / math.sqrt(k))
    driven = orbit(DRIVEN, period="6*pi/w")
    check("three times the period of a force", driven["times"] == 3, str(driven)[:100])
    near("a motion with 1e9 periods in the run", float(orbit(spring, at="x = 1e9")["period"]), 4e-9 * float(mp.ellipk(0.5)), 1e-16)


def exponents_of_short_and_broken_runs_are_honest():
    """All exponents of a motion that dies out, and of an oscillator, are 0 or less; a run of 1e-5 sees a growth that is not one."""
    found = lyapunov("sleigh", until="1e-5")
    check("nothing is told from 0 in a short run", found["zeros"] == len(found["exponents"]), str(found)[:200])
    run = subprocess.Popen([os.environ["HAMEL"], "lyapunov", OSCILLATOR, "--until", "200000000", "--tol", "1e-6", "--json", "--limit", "time=20"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    run.send_signal(signal.SIGINT)
    said = run.communicate()[1]
    check("interrupted before anything counts", run.returncode == 5 and "interrupted" in said, f"{run.returncode}: {said}")
    cut = subprocess.run([os.environ["HAMEL"], "lyapunov", OSCILLATOR, "--until", "20000000", "--json", "--limit", "time=3"], capture_output=True, text=True, check=False)
    part = json.loads(cut.stdout)
    check("the time is over", cut.returncode == 6, cut.stderr)
    if "cut" in part or "over" not in cut.stderr:  # a slow machine does not come to the tenth from which exponents count, and says so
        check("what was found up to there", part["cut"] == "time" and float(part["to"]) < 20000000 and part["zeros"] == 2, str(part)[:200])


def a_late_start_makes_no_short_steps():
    """At t = 1e12 a double has 4 digits behind the point: what was left of an interval was no step any more."""
    for method in ("taylor", "dop853"):
        found = json.loads(call("lyapunov", OSCILLATOR, "--json", at="t = 1e12", until="1000000000300", method=method))
        check(f"{method}, late", len(found["exponents"]) == 2, str(found)[:100])


def what_is_no_orbit_is_refused():
    refused("an equilibrium", ["equilibrium"], "orbit", VDP, "--at", "x = 0.0001", "--period", "6.3")
    refused("time and no period", ["depend on time"], "orbit", DRIVEN)
    refused("a time that is no period of the force", ["no period"], "orbit", DRIVEN, "--period", "2")
    still = text_model("system m\ncoord x\nkinetic x'^2/2\nforce x = -(1 + cos(2*t)/3)*x\n")
    refused("the same at rest, where the force vanishes", ["no period"], "orbit", still, "--period", "2")
    refused("a motion that does not come back", ["does not come near"], "orbit", "sleigh")
    refused("period 0", ["--period"], "orbit", VDP, "--period", "0")
    refused("a guess that runs away", ["no orbit"], "orbit", text_model("system r\ncoord x\nkinetic x'^2/2\npotential -x^2/2\ninitial x = 1\n"), "--period", "3")


for test in (derivatives_are_those_of_runs_in_quadruple_precision, columns_beside_the_core_are_those_of_the_whole, random_potentials_agree_with_scipy, an_oscillator_has_its_closed_form_to_second_order,
             second_derivatives_on_a_circle_are_differences_of_first_ones, a_slide_on_a_slope_knows_its_constraint_and_its_parameters,
             a_parameter_moves_the_initial_values_it_stands_in, what_has_no_derivative_is_said, a_multiplier_that_is_given_does_no_harm, exponents_are_the_real_parts_of_eigenvalues,
             exponents_of_henon_and_heiles, a_pendulum_swings_with_the_period_of_the_elliptic_integral, three_bodies_on_a_figure_eight,
             van_der_pols_cycle_and_its_multiplier, a_disc_nods_and_turns, a_long_snake_is_followed_by_two_methods, what_keeps_no_rows_needs_no_room_for_them,
             second_derivatives_go_through_charts, orbits_say_how_often_they_close,
             exponents_of_short_and_broken_runs_are_honest, a_late_start_makes_no_short_steps, what_is_no_orbit_is_refused):
    test()
finish()
