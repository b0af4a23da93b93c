#!/usr/bin/python3
"""Trajectories against closed solutions, each derived in the comment above its test. The closed forms share nothing with hamel but the model's numbers.

A form that eliminates a velocity cannot pass a state where the rest does not determine it; the tests marked `multipliers` cross such states and are run by that
form, whose state is (q, q')."""
import json
import math
import subprocess
import sys

import mpmath

from _runs import HAMEL, RunFailed, best_method, summary, trajectory

mpmath.mp.dps = 30
TOLERANCE = 1e-13  # of a step
# The error of a whole run: TOLERANCE a step, some thousand steps, and the growth of the motions, which is at most a power of t.
ALLOWED = 1e-10
METHOD = best_method()
passed = failed = 0


def check(name, wrong):
    global passed, failed
    passed, failed = passed + (not wrong), failed + bool(wrong)
    if wrong:
        print("FAIL %s: %s" % (name, "; ".join(wrong[:4])))


def close(name, run, columns, expected, allowed=ALLOWED):
    """expected(t) gives the values of the columns at each row; differences are relative to 1 + |value|."""
    wrong = []
    for i, t in enumerate(run["t"]):
        for column, value in zip(columns, expected(t)):
            difference = abs(run[column][i] - value) / (1 + abs(value))
            if not difference <= allowed:
                wrong.append("%s at t = %g is %.15g, expected %.15g" % (column, t, run[column][i], value))
    check(name, wrong if len(run["t"]) > 1 else ["no rows"])


def run(model, **options):
    return trajectory(model, tol=TOLERANCE, method=METHOD, **options)


def gudermann(s):
    return 2 * math.atan(math.tanh(s / 2))


def inverse_gudermann(x):
    return math.asinh(math.tan(x))


# --- a pendulum ------------------------------------------------------------------------------------------------------------------
# l theta'' = -g sin(theta), amplitude theta0 from v^2/2 - g l cos(theta) = -g l cos(theta0). The period is 2 pi sqrt(l/g)/AGM(1, cos(theta0/2)) (Gauss).
def a_pendulum_returns_after_its_period_by_the_agm():
    l, g, x, y, xd = 1, 9.81, 0.6, -0.8, 0.4
    yd = -x * xd / y
    cosine = -((xd**2 + yd**2) / 2 + g * y) / (g * l)
    period = 2 * mpmath.pi * mpmath.sqrt(l / mpmath.mpf(g)) / mpmath.agm(1, mpmath.sqrt((1 + mpmath.mpf(cosine)) / 2))
    for count in (1, 4):
        r = run("pendulum", until=float(count * period), every=float(count * period))
        close("pendulum, %d periods" % count, r, ["x", "y", "x'", "y'"], lambda t: (x, y, xd, yd))


# --- the knife edge on an incline --------------------------------------------------------------------------------------------------
# The reaction is across the blade: with v the velocity along it, v' = G cos(phi), G the acceleration down the slope, and phi'' = 0. So phi = phi0 + w t,
# v = c + (G/w) sin(phi), c = v0 - (G/w) sin(phi0), and x' = v cos(phi), y' = v sin(phi) integrate over phi. For c = 0 this is a cycloid,
# x = (G/4w^2)(1 - cos(2 phi)) + .., y = (G/4w^2)(2 phi - sin(2 phi)) + ..: the blade drifts across the slope and comes no further down than G/2w^2.
def knife_edge_at(t, G, phi0, v0, w):
    phi = phi0 + w * t
    c = v0 - G / w * math.sin(phi0)
    x = c / w * (math.sin(phi) - math.sin(phi0)) + G / (2 * w * w) * (math.sin(phi)**2 - math.sin(phi0)**2)
    y = -c / w * (math.cos(phi) - math.cos(phi0)) + G / (2 * w * w) * (w * t - (math.sin(2 * phi) - math.sin(2 * phi0)) / 2)
    v = c + G / w * math.sin(phi)
    return x, y, phi, v * math.cos(phi), v * math.sin(phi)


def a_knife_edge_on_an_incline_runs_along_a_cycloid():
    columns = ["x", "y", "phi", "x'", "y'"]
    G = 9.81 * math.sin(0.3)
    close("knife_edge", run("knife_edge"), columns, lambda t: knife_edge_at(t, G, 0.2, 0.5 / math.cos(0.2), 1))
    close("rs_1_2_skate_incline", run("rs_1_2_skate_incline"), columns, lambda t: knife_edge_at(t, 9.81, 0.3, 1.4 / math.cos(0.3), 2))
    phi0, w = 0.3, 1.5
    v0 = 9.81 / w * math.sin(phi0)
    r = run("rs_1_2_skate_incline", until=20, at="phi = %r, x' = %r, phi' = %r" % (phi0, v0 * math.cos(phi0), w))
    close("the cycloid", r, columns, lambda t: knife_edge_at(t, 9.81, phi0, v0, w))
    lowest, expected = max(r["x"]), 9.81 / (2 * w * w) * math.cos(phi0)**2
    check("the cycloid comes no further down than its height", [] if lowest <= expected + ALLOWED else ["x reaches %r, expected %r" % (lowest, expected)])


# --- Chaplygin's sleigh --------------------------------------------------------------------------------------------------------------
# Velocity v along the blade, a w across it at the centre of mass: v' = a w^2, (J + m a^2) w' = -m a v w. With k^2 = m/(J + m a^2) and the energy m V^2/2:
# v = V tanh(s), w = k V sech(s), s = s0 + a k^2 V t, theta = theta0 + (gd(s) - gd(s0))/(a k). From t = -oo to oo it turns by pi/(a k).
def the_sleigh_obeys_tanh_and_sech_and_turns_by_a_finite_angle():
    m, J, a, w0 = 1, 2, 0.5, 0.3
    v0 = 1.0  # theta = 0: x' is the velocity along the blade
    k = math.sqrt(m / (J + m * a * a))
    V = math.hypot(v0, w0 / k)
    s0 = math.atanh(v0 / V)

    def motion(t):
        s = s0 + a * k * k * V * t
        theta = (gudermann(s) - gudermann(s0)) / (a * k)
        v, w = V * math.tanh(s), k * V / math.cosh(s)
        return v, w, theta, v * math.cos(theta) - a * w * math.sin(theta), v * math.sin(theta) + a * w * math.cos(theta)

    close("sleigh", run("sleigh"), ["v", "w", "theta", "x'", "y'"], motion)
    total = (math.pi / 2 - gudermann(s0)) / (a * k)
    last = run("sleigh", until=200, every=200)
    check("the sleigh turns by %.6f in all" % total, [] if abs(last["theta"][-1] - total) < ALLOWED else ["theta ends at %r" % last["theta"][-1]])
    # Set going backwards it comes about: nearly all of pi/(a k), as long as it was nearly straight at first.
    r = run("sleigh", until=400, every=400, at="x' = -1, theta' = 1e-3")
    V = math.hypot(1, 1e-3 / k)
    total = (math.pi / 2 - gudermann(math.atanh(-1 / V))) / (a * k)
    check("a sleigh that comes about turns by nearly pi/(a k)", [] if abs(r["theta"][-1] - total) < ALLOWED * 100 else ["%r" % r["theta"][-1]])


# --- a ball on a turntable --------------------------------------------------------------------------------------------------------------
# R the centre, W = (0, 0, Omega): m R'' = F, J w' = -r e_z x F, R' - r w x e_z = W x R. Then w' x e_z = -(m r/J) R'' and (1 + m r^2/J) R'' = W x R': a circle at
# the rate Omega/(1 + m r^2/J) = 2/7 Omega for a homogeneous ball. As complex numbers: z' = z0' exp(i rate t).
def a_ball_on_a_turntable_runs_along_a_circle_at_two_sevenths_of_its_rate():
    r, Omega, x, y = 0.1, 1.5, 0.2, 0.1
    psi, theta, psid, thetad, phid = 0.2, 1.4, 20, 1, 2
    wx = thetad * math.cos(psi) + phid * math.sin(theta) * math.sin(psi)
    wy = thetad * math.sin(psi) - phid * math.sin(theta) * math.cos(psi)
    wz = psid + phid * math.cos(theta)
    start = complex(-Omega * y + r * wy, Omega * x - r * wx)
    rate = 2 / 7 * Omega

    def circle(t):
        turn = complex(math.cos(rate * t), math.sin(rate * t))
        z = complex(x, y) + start * (turn - 1) / complex(0, rate)
        return z.real, z.imag, (start * turn).real, (start * turn).imag, wz

    close("ball_on_turntable", run("ball_on_turntable", until=5), ["x", "y", "x'", "y'", "invariant[spin]"], circle)


# --- Rosenberg's particle ------------------------------------------------------------------------------------------------------------
# z' = y x': (1 + y^2) x'' + y y' x' = 0 and y'' = 0, so x' sqrt(1 + y^2) = c and y = y0 + b t. Then dx/dy = (c/b)/sqrt(1 + y^2), dz/dy = (c/b) y/sqrt(1 + y^2).
def rosenbergs_particle_follows_an_asinh():
    y0, b = -2, 0.5
    c = math.sqrt(1 + y0 * y0)

    def motion(t):
        y = y0 + b * t
        return c / b * (math.asinh(y) - math.asinh(y0)), y, c / b * (math.hypot(1, y) - math.hypot(1, y0)), c / math.hypot(1, y)

    close("rosenberg_particle", run("rosenberg_particle"), ["x", "y", "z", "x'"], motion)


# --- speed prescribed, in gravity --------------------------------------------------------------------------------------------------------
# The reaction is along the velocity. With the angle a between it and the vertical, v a' = g sin(a): constant v = c gives tan(a/2) = tan(a0/2) exp(g t/c), the
# height z = (c^2/g) log(sin(a)/sin(a0)) and the way along the ground (c^2/g)(a - a0); v = v0 + b t gives tan(a/2) = tan(a0/2) (v/v0)^(g/b).
def at_constant_speed_the_half_angle_grows_exponentially():
    c, g, start = 3, 9.81, (1, 2, 2)
    a0 = math.acos(start[2] / c)

    def motion(t):
        a = 2 * math.atan(math.tan(a0 / 2) * math.exp(g * t / c))
        way, along = c * c / g * (a - a0), (start[0] / math.sqrt(5), start[1] / math.sqrt(5))
        fall = c * c / g * (math.log(2 * math.tan(a / 2) / (1 + math.tan(a / 2)**2)) - math.log(math.sin(a0)))
        return way * along[0], way * along[1], fall, c * math.sin(a) * along[0], c * math.cos(a)

    close("constant_speed, multipliers", run("constant_speed", form="multipliers"), ["x", "y", "z", "x'", "z'"], motion)


def at_growing_speed_the_half_angle_is_a_power_of_it():
    v0, b, g = 2, 3, 9.81
    a0 = math.atan2(1.2, 1.6)

    def velocity(t, a0=a0):
        v = v0 + b * t
        a = 2 * math.atan(math.tan(a0 / 2) * (v / v0)**(g / b))
        return v * math.sin(a), v * math.cos(a)

    end = 3
    place = [float(mpmath.quad(lambda t: velocity(float(t))[i], mpmath.linspace(0, end, 13))) for i in (0, 1)]
    for model in ("prescribed_speed", "tangential_acceleration"):
        r = run(model, form="multipliers")
        close(model + ", multipliers", r, ["x'", "y'"], velocity)
        wrong = ["%s ends at %r, expected %r" % (n, r[n][-1], p) for n, p in zip("xy", place) if abs(r[n][-1] - p) > ALLOWED * 10]
        check(model + " gets where the quadrature says", wrong)
    # Level at first: y'' cannot be the one that is eliminated there, which is known only from --at.
    r = run("tangential_acceleration", form="maggi", at="x' = 2, y' = 0", until=1)
    close("tangential_acceleration, level at first", r, ["x'", "y'"], lambda t: velocity(t, math.pi / 2))


# --- the Appell-Hamel machine ------------------------------------------------------------------------------------------------------------
# The weight's acceleration is b phi'' - rho theta'^2 along the wheel's plane, b phi' theta' + rho theta'' across it, a phi'' up. With u = phi', w = theta':
# K u' = m b rho w^2 - m g a, I w' = -m b rho u w; K = (m + M) b^2 + C + m a^2, I = m rho^2 + C/2, C = M b^2/2. So s = log(w) moves as a particle with
# s'' = (m b rho/(I K)) (m g a - m b rho exp(2 s)): it oscillates (Toda), and u and w come back after the time of one oscillation, a quadrature.
def the_appell_hamel_machine_repeats_itself_after_the_period_of_a_toda_oscillator():
    m, M, a, b, rho, g = 1, 0.5, 0.4, 0.8, 0.3, 9.81
    C = M * b * b / 2
    K, I, f = (m + M) * b * b + C + m * a * a, m * rho * rho + C / 2, m * b * rho
    u, w = 0.9, 1.2
    force = lambda s: f / (I * K) * (m * g * a - f * mpmath.exp(2 * s))
    U = lambda s: f / (I * K) * (f * mpmath.exp(2 * s) / 2 - m * g * a * s)
    s0 = mpmath.log(w)
    h = (f * u / I)**2 / 2 + U(s0)
    rest = mpmath.log(m * g * a / f) / 2
    low, high = (mpmath.findroot(lambda s: U(s) - h, (rest - d, rest - 0.2 * d), solver="anderson") for d in (6, -2))
    # s = middle + half sin(x) takes the roots at both ends out of the integrand
    middle, half = (low + high) / 2, (high - low) / 2
    speed = lambda s: mpmath.sqrt(abs(2 * (h - U(s))))
    period = 2 * mpmath.quad(lambda x: half * mpmath.cos(x) / speed(middle + half * mpmath.sin(x)), mpmath.linspace(-mpmath.pi / 2, mpmath.pi / 2, 9))
    r = run("appell_hamel", until=float(period), every=float(period))
    close("appell_hamel, period %.4f" % period, r, ["theta'", "phi'"], lambda t: (w, u), ALLOWED * 10)
    # The weight has then moved by what phi has turned, and I log(w) + m b rho phi is constant: phi is back, too.
    close("appell_hamel, the thread", r, ["phi", "z"], lambda t: (0, 1), ALLOWED * 10)


# Without turning (theta' = 0) the massless machine is the particle of the limit rho -> 0, x'^2 + y'^2 = (b/a)^2 z'^2: a straight line, z'' = -g/(1 + (b/a)^2).
def a_massless_appell_hamel_machine_that_does_not_turn_is_hamels_particle():
    a, b, g, u = 0.4, 0.8, 9.81, 0.9

    def line(t):
        fall = -g / (1 + (b / a)**2)
        z = a * u * t + fall * t * t / 2
        return 0.3 + b / a * z, 1 + z, a * u + fall * t

    close("rs_4_4_appell_hamel, theta' = 0", run("rs_4_4_appell_hamel", at="theta' = 0"), ["x", "z", "z'"], line)


# --- Suslov's problem ----------------------------------------------------------------------------------------------------------------
# A w1' = -w2 N, B w2' = w1 N, N = Ixz w1 + Iyz w2. On the ellipse of the energy h, (w1, w2) = sqrt(2h) (cos(x)/sqrt(A), sin(x)/sqrt(B)): x' = N/sqrt(A B) =
# (R/sqrt(A B)) cos(x - x0), R = sqrt(2h) |(Ixz/sqrt(A), Iyz/sqrt(B))|, x0 its direction: x - x0 = gd(s0 + R t/sqrt(A B)), half a turn about x0.
def suslovs_body_goes_from_one_steady_rotation_to_the_other_by_a_gudermannian():
    A, B, Ixz, Iyz = 1, 1.5, 0.3, -0.2
    theta, phi, psid, thetad = 1, 0.5, 0.8, 0.6
    w1 = psid * math.sin(theta) * math.sin(phi) + thetad * math.cos(phi)
    w2 = psid * math.sin(theta) * math.cos(phi) - thetad * math.sin(phi)
    root = math.sqrt(A * w1 * w1 + B * w2 * w2)
    ex, ey = Ixz / math.sqrt(A), Iyz / math.sqrt(B)
    rate, x0 = root * math.hypot(ex, ey) / math.sqrt(A * B), math.atan2(ey, ex)
    start = math.remainder(math.atan2(math.sqrt(B) * w2, math.sqrt(A) * w1) - x0, 2 * math.pi)
    assert abs(start) < math.pi / 2  # else the formula holds with x0 + pi and the rate reversed

    def motion(t):
        x = x0 + gudermann(inverse_gudermann(start) + rate * t)
        return root * math.cos(x) / math.sqrt(A), root * math.sin(x) / math.sqrt(B)

    close("suslov", run("suslov"), ["u1", "u2"], motion)
    last = run("suslov", until=150, every=150)
    end = (root * math.cos(x0 + math.pi / 2) / math.sqrt(A), root * math.sin(x0 + math.pi / 2) / math.sqrt(B))
    check("suslov settles", ["u1, u2 = %r, %r" % (last["u1"][-1], last["u2"][-1])] if math.hypot(last["u1"][-1] - end[0], last["u2"][-1] - end[1]) > ALLOWED else [])


# --- the vakonomic skate ----------------------------------------------------------------------------------------------------------------
# RS Example 1.3, corrected. x' - lambda sin(phi) - g t = p and y' + lambda cos(phi) = q are constant; with S = p + g t the constraint gives
# lambda = q cos(phi) - S sin(phi), the velocity along the blade v = S cos(phi) + q sin(phi), and phi'' = -lambda v. On a level plane (g = 0) S + i q = r exp(i beta) is
# constant, lambda = r sin(beta - phi), v = r cos(beta - phi): x = 2 (phi - beta) - pi obeys x'' = -r^2 sin(x), a pendulum, so that with e = x'^2/2 - r^2 cos(x),
# k^2 = (e + r^2)/(2 r^2): sin(x/2) = k sn(r t + u0, k), x' = 2 r k cn (k < 1); x/2 = am(k r t + u0, 1/k), x' = 2 r k dn (k > 1).
def pendulum_phase(x0, xd0, r):
    k2 = mpmath.mpf(xd0**2 + 4 * r * r * math.sin(x0 / 2)**2) / (4 * r * r)
    k = mpmath.sqrt(k2)
    if k2 < 1:
        u0 = mpmath.ellipf(mpmath.asin(mpmath.sin(x0 / 2) / k), k2)
        if xd0 < 0:
            u0 = 2 * mpmath.ellipk(k2) - u0

        def at(t):
            u = u0 + r * t
            return 2 * mpmath.asin(k * mpmath.ellipfun("sn", u, m=k2)), 2 * r * k * mpmath.ellipfun("cn", u, m=k2)
    else:
        sign = 1 if xd0 > 0 else -1
        u0 = mpmath.ellipf(mpmath.mpf(x0) / 2, 1 / k2)

        def at(t):
            u, K = u0 + sign * k * r * t, mpmath.ellipk(1 / k2)
            turns = mpmath.nint(u / (2 * K))
            rest = mpmath.asin(mpmath.ellipfun("sn", u - 2 * K * turns, m=1 / k2))
            return 2 * (rest + turns * mpmath.pi), sign * 2 * r * k * mpmath.ellipfun("dn", u, m=1 / k2)
    return at


def the_vakonomic_skate_on_a_level_plane_is_a_pendulum():
    phi0, phid0, xd0 = 0.3, 0.9, 1.4
    for lam in (0.6, 0, -1, 3):
        p, q = xd0 - lam * math.sin(phi0), xd0 * math.tan(phi0) + lam * math.cos(phi0)
        r, beta = math.hypot(p, q), math.atan2(q, p)
        shift = 2 * (phi0 - beta) - math.pi
        turns = round(shift / (2 * math.pi))
        at = pendulum_phase(shift - 2 * math.pi * turns, 2 * phid0, r)

        def motion(t):
            x, xd = at(t)
            phi = float((x + 2 * mpmath.pi * turns + mpmath.pi) / 2) + beta
            v = r * math.cos(beta - phi)
            return phi, float(xd) / 2, r * math.sin(beta - phi), v * math.cos(phi), v * math.sin(phi)

        result = run("rs_1_3_skate_vakonomic", set="g=0", at="lambda[blade] = %r" % lam, every=0.1)
        close("vakonomic skate, g = 0, lambda(0) = %g" % lam, result, ["phi", "phi'", "lambda[blade]", "x'", "y'"], motion)
    # On the slope: the two constants, and lambda and v as functions of phi and t.
    result = run("rs_1_3_skate_vakonomic")
    p, q = xd0 - 0.6 * math.sin(phi0), xd0 * math.tan(phi0) + 0.6 * math.cos(phi0)
    wrong = []
    for i, t in enumerate(result["t"]):
        phi, S = result["phi"][i], p + 9.81 * t
        expected = {"lambda[blade]": q * math.cos(phi) - S * math.sin(phi), "speed": S * math.cos(phi) + q * math.sin(phi)}
        wrong += ["%s at t = %g is %r, not %r" % (n, t, result[n][i], e) for n, e in expected.items() if abs(result[n][i] - e) > ALLOWED * (1 + abs(e))]
    check("vakonomic skate on the slope, (1.5) corrected", wrong)


# --- Neumann's problem -----------------------------------------------------------------------------------------------------------------
# Uhlenbeck's integrals, computed here from q and q': F_i = x_i^2 + sum_{j != i} (x_i x_j' - x_j x_i')^2/(a_i - a_j) for L = |x'|^2/2 - sum a_i x_i^2/2; they add up to 1.
def neumanns_motion_keeps_uhlenbecks_integrals():
    for model, names, a in (("neumann", "xyz", (1, 2, 4)), ("rs_3_2_neumann", ["x[%d]" % i for i in (1, 2, 3)], (2, 4, 6))):
        r = run(model, form="multipliers")

        def integrals(row):
            x, v = [r[n][row] for n in names], [r[n + "'"][row] for n in names]
            F = [x[i]**2 + sum((x[i] * v[j] - x[j] * v[i])**2 / (a[i] - a[j]) for j in range(3) if j != i) for i in range(3)]
            return F + [sum(c * c for c in x), sum(p * q for p, q in zip(x, v))]

        first, wrong = integrals(0), []
        for row, t in enumerate(r["t"]):
            wrong += ["integral %d at t = %g is off by %.3g" % (i, t, f - g) for i, (f, g) in enumerate(zip(integrals(row), first)) if abs(f - g) > ALLOWED]
        check(model + ", multipliers", wrong)


# --- every invariant of the library ---------------------------------------------------------------------------------------------------------
# An error of DRIFT_TOLERANCE a step, thousands of steps that partly cancel: no more than MULTIPLE tolerances, relative to 1 + |value|.
DRIFT_TOLERANCE, MULTIPLE = 1e-12, 200
# log((c + z')/(c - z')) of constant_speed loses digits as z' tends to -c, 1/(c + z') is 7e4 at t = 2; the skate on its slope has an energy of 2, of which the
# kinetic part has grown to 800 at t = 4.
SHORTER = {"constant_speed": 1.0, "rs_1_3_skate_vakonomic": 2.0, "rs_1_3_printed": 2.0}


def the_invariants_of_every_model_stay_what_they_are():
    models = [m["name"] for m in json.loads(subprocess.run([HAMEL, "models", "--json"], capture_output=True, text=True).stdout)["models"]]
    seen = 0
    for model in models:
        options = {"tol": DRIFT_TOLERANCE, "method": METHOD, "every": 0.1}
        if model in SHORTER:
            options["until"] = SHORTER[model]
        try:
            vakonomic = model.startswith("rs_1_3")
            s = summary(model, form="vakonomic" if vakonomic else "multipliers", **options)
        except RunFailed as x:
            if "exit 5" in str(x):
                check(model, [str(x)])
            continue  # no numbers to run with, or a singular mass matrix that only forms with fewer velocities can treat
        for name, drift in s["drift"].items():
            if name.startswith("invariant["):
                seen += 1
                relative = float(drift) / (1 + abs(float(s["final"][name])))
                check("%s %s" % (model, name), [] if relative <= MULTIPLE * DRIFT_TOLERANCE else ["drifts by %.3g" % relative])
    check("the library has invariants", [] if seen > 60 else ["only %d" % seen])


# The comparison itself can fail: a wrong law is noticed.
def a_wrong_law_would_be_noticed():
    global passed, failed
    before, printed = failed, sys.stdout
    sys.stdout = open("/dev/null", "w")
    close("wrong", {"t": [0, 1], "x": [0, 1]}, ["x"], lambda t: (t * (1 + 1e-9),))
    sys.stdout.close()
    sys.stdout = printed
    noticed, failed = failed > before, before
    check("a relative error of 1e-9 is noticed", [] if noticed else ["it was not"])


for test in [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == "__main__" and f.__code__.co_argcount == 0]:
    try:
        test()
    except (RunFailed, AssertionError) as problem:
        check(test.__name__.replace("_", " "), [repr(problem)])
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
