"""Library models against what is published or known in closed form: three bodies on a figure-eight, the galaxy of Henon and Heiles, the driven
pendulum, Ziegler's load, a gyrostat, a segway's gains, the tippe top. Where each number comes from stands in the model and beside it here.
"""
import json
import math

import mpmath

from _checks import check, finish, near
from _runs import call, summary, trajectory
from t_symmetries import text_model


def eigenvalues(model, at="", *words):
    out = json.loads(call("linearise", model, "--json", *(["--at", at] if at else []), *words))
    return sorted((complex(float(e["re"]), float(e["im"])) for e in out["eigenvalues"]), key=lambda s: (s.real, s.imag))


def crossings(model, event, *words):
    return [{k: float(v) for k, v in row.items()} for row in json.loads(call("section", model, event, "--json", *words))["rows"]]


def same_roots(name, found, polynomial, most=1e-12):
    """Coefficients from the highest on; roots by mpmath, matched one to one."""
    with mpmath.workdps(40):
        expected = [complex(r) for r in mpmath.polyroots([mpmath.mpf(c) for c in polynomial], maxsteps=200, extraprec=200)]
    check(f"{name}: as many", len(found) == len(expected), f"{found}, not {expected}")
    for root in expected:
        nearest = min(found, key=lambda s: abs(s - root))
        check(f"{name}: {root:.6g}", abs(nearest - root) <= most * max(1, abs(root)), f"the nearest is {nearest}")
        found = [s for s in found if s is not nearest]


def three_bodies_chase_one_another():
    """Chenciner and Montgomery 2000: period 6.32591398. After a third of it the bodies have changed places: 1 is where 3 was, 2 where 1, 3 where 2."""
    period = 6.325913982926228551
    start = {k: v[0] for k, v in trajectory("figure_eight", until=0.1).items()}
    third = summary("figure_eight", until=period / 3)["final"]
    for body, was in ((1, 3), (2, 1), (3, 2)):
        for name in ("x{}", "y{}", "x{}'", "y{}'"):
            near(f"{name.format(body)} after a third", float(third[name.format(body)]), start[name.format(was)], 1e-12)
    end = summary("figure_eight")["final"]
    for name in ("x1", "y1", "x2", "y2", "x3", "y3", "x1'", "y3'"):
        near(f"{name} after a period", float(end[name]), start[name], 1e-11)
    half = [row["t"] for row in crossings("figure_eight", "middle", "--until", "13", "--direction", "both")]
    for k, t in enumerate(half, 1):
        near("the third body is in the middle", t % (period / 2) if t % (period / 2) < 1 else t % (period / 2) - period / 2, 0, 1e-10)
    check("four times in two periods", len(half) == 4, str(half))
    rough = summary("figure_eight", until=6.32591398, at="x1=0.97000436, y1=-0.24308753, x2=-0.97000436, y2=0.24308753, x3'=-0.93240737, y3'=-0.86473146, "
                    "x1'=0.466203685, y1'=0.43236573, x2'=0.466203685, y2'=0.43236573")["final"]
    near("the digits that are printed close to as many", float(rough["x1"]), 0.97000436, 2e-7)


def a_star_falls_through_the_galaxy():
    """On the axis x = 0, y'' = -y + y^2: with roots y1 < y2 < y3 of 2 E - y^2 + 2 y^3/3 the period is 2 sqrt(6) K(k)/sqrt(y3 - y1), k^2 =
    (y2 - y1)/(y3 - y1). At E = 1/6 the star takes for ever to reach y = 1. Henon and Heiles 1964: at E = 1/12 sections are curves, at 1/8 a sea."""
    for energy in (1 / 12, 1 / 8):
        roots = sorted(float(mpmath.re(r)) for r in mpmath.polyroots([mpmath.mpf(2) / 3, -1, 0, 2 * mpmath.mpf(energy)]))
        k2 = (roots[1] - roots[0]) / (roots[2] - roots[0])
        period = 2 * math.sqrt(6) * float(mpmath.ellipk(k2)) / math.sqrt(roots[2] - roots[0])
        rows = crossings("henon_heiles", "y", "--at", f"x=0, y=0, x'=0, y'={math.sqrt(2 * energy)!r}", "--direction", "up", "--count", "4")
        for k, row in enumerate(rows, 1):
            near(f"E = {energy:.4f}: period {k}", row["t"], k * period, 1e-10)
    apart = {}
    for energy in ("1/12", "1/8"):
        ends = [float(summary("henon_heiles", until=400, set=[f"E={energy}", f"y0={y0}", "v0=0"])["final"]["y"]) for y0 in ("-0.2", "-0.199999999")]
        apart[energy] = abs(ends[1] - ends[0])
    check("neighbours stay together at 1/12 and part at 1/8", apart["1/12"] < 1e-7 and apart["1/8"] > 1e-2, str(apart))


# theta'' + theta'/2 + sin(theta) = A cos(2 t/3): where the orbit of 1, 2 periods of the force doubles, by Taylor series of order 30 in 24 digits with
# the variational equations in Python, Newton on the orbit and a secant on its multiplier -1
DOUBLINGS = {1: 1.066372862455207003, 2: 1.0793139059037155}


def returns_after(amplitude, periods):
    """How many periods of the force a settled motion takes to return; None if more than `periods`."""
    rows = crossings("driven_pendulum", "beat", "--count", "600", "--set", f"A={amplitude!r}", "--tol", "1e-9")[-3 * periods:]
    for p in range(1, periods + 1):
        if all(abs(a["theta'"] - b["theta'"]) < 1e-4 for a, b in zip(rows, rows[p:])):
            return p
    return None


def a_driven_pendulum_doubles_its_period():
    """Baker and Gollub: one period below A = 1.066, two at 1.07, chaos at 1.15, a rotation of one period at 1.35, two periods at 1.45, four at 1.47."""
    for amplitude, periods in ((0.9, 1), (1.06, 1), (DOUBLINGS[1] + 0.0006, 2), (1.07, 2), (DOUBLINGS[2] - 0.0006, 2), (DOUBLINGS[2] + 0.0006, 4), (1.15, None),
                               (1.35, 1), (1.45, 2), (1.47, 4)):
        found = returns_after(amplitude, 16)
        check(f"A = {amplitude}: {periods} periods", found == periods, f"{found}")


def ziegler_flutters_at_his_load():
    """Small motions: M = (3 1; 1 1) m l^2, C = b (2 -1; -1 1), K = (2c - P l, P l - c; -c, c). By Routh and Hurwitz they grow from P = 41/28 c/l +
    b^2/(2 m l^3) on; without damping, where the roots of 2 x^2 + (7 - 2 P) x + 1 meet, from P = 7/2 - sqrt(2) on."""
    for load, b in ((0.5, 0.1), (1.8, 0.1), (1.2, 1.0), (2.5, 0.3)):
        found = eigenvalues("ziegler", "theta1=0, theta2=0", "--set", f"P={load}", "--set", f"b={b}")
        same_roots(f"P = {load}, b = {b}", found, [2, 7 * b, 7 - 2 * load + b * b, 2 * b, 1])
    for b in (0.01, 0.1, 0.7):
        critical = 41 / 28 + b * b / 2
        for off in (-1e-4, 1e-4):
            found = eigenvalues("ziegler", "theta1=0, theta2=0", "--set", f"P={critical + off!r}", "--set", f"b={b}")
            check(f"b = {b}: it {'grows' if off > 0 else 'decays'} at P = {critical + off}", (max(s.real for s in found) > 0) == (off > 0), str(found))
    for off in (-1e-4, 1e-4):
        found = eigenvalues("ziegler", "theta1=0, theta2=0", "--set", f"P={3.5 - math.sqrt(2) + off!r}", "--set", "b=0")
        check(f"without damping: {off}", (max(s.real for s in found) > 1e-9) == (off > 0), str(found))


def a_rotor_holds_a_gyrostat():
    """s^2 = ((B - C) n - h)((C - A) n + h)/(A B) beside s = +-i n, which is the body seen from the turning axes."""
    for n, h in ((1.0, 1.0), (1.0, 0.0), (2.0, 0.7), (-1.5, 0.4)):
        found = eigenvalues("gyrostat", f"a=0, b=0, a'=0, b'=0, psi'={n}, alpha'={h / 0.1 - n!r}")
        with mpmath.workdps(40):
            square = ((2 - mpmath.mpf("1.5")) * n - h) * (mpmath.mpf("0.5") * n + h) / 2
            expected = sorted((complex(s) for s in (mpmath.sqrt(square), -mpmath.sqrt(square), 1j * n, -1j * n)), key=lambda s: (round(s.real, 9), s.imag))
        for root in expected:
            check(f"n = {n}, h = {h}: {root:.6g}", min(abs(s - root) for s in found) < 1e-9, str(found))


def a_segway_stands_for_the_right_gains():
    m, length, inertia, mw, r, g = 50, 0.8, 12, 5, 0.25, 9.81
    total, about_axle = m + 3 * mw, inertia + m * length**2  # 2 mw + 2 (mw r^2/2)/r^2 = 3 mw
    ml = m * length
    for kp, kd, kv in ((250, 60, 20), (250, 60, -20), (100, 60, 20), (250, 5, 20), (300, 100, 60)):
        polynomial = [total * about_axle - ml**2, 2 * (kd * (total + ml / r) - kv * (about_axle / r + ml)), 2 * kp * (total + ml / r) - total * ml * g, 2 * kv * ml * g / r]
        found = eigenvalues("segway", "theta=0, psi'=0, left'=0", "--set", "v0=0", "--set", f"kp={kp}", "--set", f"kd={kd}", "--set", f"kv={kv}")
        same_roots(f"gains {kp}, {kd}, {kv}", found, polynomial, 1e-10)
        stands = all(c > 0 for c in polynomial) and polynomial[1] * polynomial[2] > polynomial[0] * polynomial[3]
        check(f"gains {kp}, {kd}, {kv}: Routh and Hurwitz", (max(s.real for s in found) < 0) == stands)
    end = summary("segway", until=30)["final"]
    near("it goes on at the speed that was asked for", float(end["speed"]), 1, 1e-6)


UPRIGHT = """param m = 0.02, R = 0.02, a = 0.003, A = 0.0000032, C = 0.0000032, g = 9.81, mu = 1
coord x, y, psi, al, be
let up = (0, 0, 1)
let e = rot(z, psi)*rot(x, al)*rot(y, be)*(0, 0, 1)
body top: mass m at (x, y, R - a*dot(e, up)) inertia (A, A, C) rotation rot(z, psi)*rot(x, al)*rot(y, be)
gravity (0, 0, -g)
let contact = pos(top) + a*e - R*up
let friction = -mu*m*g*velat(top, contact)
force on top = friction
torque on top = cross(contact - pos(top), friction)
initial x = 0, y = 0, psi = 0, al = 0, be = 0, psi' = 100
"""


def a_tippe_top_turns_itself_over():
    """Jellett's integral C n (R - a) upright is C n' (R + a) upside down. Rauch-Wojciechowski, Skoldstam and Glad 2005: upright is unstable for n^2 >
    m g a (1 - a/R)^2/(C (A/C - 1 + a/R)); seen in angles that have no pole there."""
    run = trajectory("tippe_top", until=6)
    check("it turns over", run["theta"][-1] > 2.89, f"theta = {run['theta'][-1]}")
    near("jellett stays", run["invariant[jellett]"][-1] / run["invariant[jellett]"][0], 1, 1e-9)
    energy = run["energy"]
    check("energy is only lost", all(b <= a + 1e-12 for a, b in zip(energy, energy[1:])))
    near("the spin that is left", run["spin"][-1] / 150, (0.02 - 0.003) / (0.02 + 0.003), 0.02)
    upright = text_model(UPRIGHT)
    critical = math.sqrt(0.02 * 9.81 * 0.003 * (1 - 0.15) ** 2 / (0.0000032 * 0.15))
    for factor in (0.98, 1.02):
        found = eigenvalues(upright, f"psi'={critical * factor!r}")
        check(f"upright at {factor} of the critical spin", (max(s.real for s in found) > 1e-9) == (factor > 1), str(found))


three_bodies_chase_one_another()
a_star_falls_through_the_galaxy()
a_driven_pendulum_doubles_its_period()
ziegler_flutters_at_his_load()
a_rotor_holds_a_gyrostat()
a_segway_stands_for_the_right_gains()
a_tippe_top_turns_itself_over()
finish()
