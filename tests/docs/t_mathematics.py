#!/usr/bin/python3
"""The formulas of docs/mathematics.md, written again in SymPy from that page alone, give the accelerations that `hamel eval` gives.

Seven systems, each once in hamel's language and once here: affine rheonomic constraints with rheonomic quasi-velocities, a constraint that is nonlinear
in the velocities, two of Chaplygin's type, the second with given functions of time, one with a cyclic coordinate, without constraints and with its
momentum as a constraint, and a field of velocities. Every formalism that `hamel forms` lists has a section of the page, and a
formula here. Nothing is shared with hamel but the text of the models.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import sympy as sp

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAMEL = os.environ.get("HAMEL", ROOT / "build" / "hamel")
PAGE = (ROOT / "docs" / "mathematics.md").read_text()
DIGITS = 25
NEAR = sp.Rational(1, 10**20)  # both sides are correct to 25 digits; the numbers are of order 10

x, y, z, t = sp.symbols("x y z t")
xd, yd, zd = sp.symbols("xd yd zd")
xdd, ydd, zdd = sp.symbols("xdd ydd zdd")
R = sp.Rational


class System:
    """q, v, a: coordinates, velocities, accelerations; y is the dependent one, alpha its velocity in (q, xd, zd, t)."""
    q, v, a = [x, y, z], [xd, yd, zd], [xdd, ydd, zdd]
    independent, dependent = [0, 2], 1

    def __init__(self, text, at, alpha, potential=0, force=(0, 0, 0), points=(), kinetic=None, psi=None, state=None):
        self.text, self.at, self.alpha, self.potential, self.force = text, at, alpha, potential, list(force)
        self.points, self.state = points, state
        self.kinetic = kinetic if kinetic is not None else sum(
            m * sum(self.ddt(c)**2 for c in place) / 2 for m, place in points)
        self.lagrangian = self.kinetic - potential
        self.phi = yd - alpha
        self.psi = psi or [xd, zd]

    # --- calculus
    def ddt(self, f):
        return sp.diff(f, t) + sum(sp.diff(f, q) * v + sp.diff(f, v) * a for q, v, a in zip(self.q, self.v, self.a))

    def e(self, f):
        """Lagrange's derivative."""
        return [self.ddt(sp.diff(f, v)) - sp.diff(f, q) for q, v in zip(self.q, self.v)]

    def defect(self):
        return [e - f for e, f in zip(self.e(self.lagrangian), self.force)]

    def active(self):
        """F = Q - dU/dq"""
        return [f - sp.diff(self.potential, q) for f, q in zip(self.force, self.q)]

    def numbers(self, f, more=None):
        return sp.N(f.xreplace({**self.at, **(more or {})}), DIGITS + 10)

    def solve(self, equations, unknowns, more=None):
        values = [self.numbers(sp.sympify(e), more) for e in equations]
        matrix = sp.Matrix([[sp.diff(e, u) for u in unknowns] for e in values])
        rest = sp.Matrix([e.subs({u: 0 for u in unknowns}) for e in values])
        return dict(zip(unknowns, matrix.LUsolve(-rest)))

    def admissible(self):
        """The value of the dependent velocity at the state."""
        return {yd: self.numbers(self.alpha)}


class Chart:
    """eta, V(q, eta, t), B and the star calculus, by solving Psi = eta, Phi = 0 (linear in the velocities, or Psi = (xd, zd))."""

    def __init__(self, s, psi):
        self.s, self.psi = s, psi
        self.eta = sp.symbols("eta1 eta2")
        self.rate = sp.symbols("eta1d eta2d")
        if psi == [xd, zd]:
            self.V = [self.eta[0], s.alpha.subs({xd: self.eta[0], zd: self.eta[1]}, simultaneous=True), self.eta[1]]
        else:
            found = sp.solve([f - e for f, e in zip(psi, self.eta)] + [s.phi], s.v, dict=True)[0]
            self.V = [sp.factor(found[v]) for v in s.v]
        self.B = sp.Matrix([[sp.diff(v, e) for e in self.eta] for v in self.V])
        self.acceleration = [self.ddt(v) for v in self.V]

    def star(self, f):
        return sp.sympify(f).subs(dict(zip(self.s.v, self.V)), simultaneous=True)

    def ddt(self, f):
        """of a function of (q, eta, t)"""
        return sp.diff(f, t) + sum(sp.diff(f, q) * v for q, v in zip(self.s.q, self.V)) + \
            sum(sp.diff(f, e) * r for e, r in zip(self.eta, self.rate))

    def on_motion(self, f):
        return self.star(sp.sympify(f).subs(dict(zip(self.s.a, self.acceleration)), simultaneous=True))

    def project(self, covector):
        return [sum(self.star(c) * b for c, b in zip(covector, self.B[:, r])) for r in range(2)]

    def values(self):
        """eta at the state"""
        here = self.s.admissible()
        return {e: self.s.numbers(sp.sympify(f), here) for e, f in zip(self.eta, self.psi)}

    def accelerations(self, residuals):
        here = self.values()
        rates = self.s.solve(residuals, self.rate, here)
        return [self.s.numbers(a.subs(rates), here) for a in self.acceleration]


# --- section 3, by chart: residuals in the rates of eta ------------------------------------------------------------

def maggi(s, c):
    return c.project([c.on_motion(n) for n in s.defect()])


def ferrers(s, c):
    T = s.kinetic
    p, F = [c.star(sp.diff(T, v)) for v in s.v], c.project(s.active())
    position = c.project([sp.diff(T, q) for q in s.q])
    return [c.ddt(sp.diff(c.star(T), c.eta[r])) - sum(p[i] * c.ddt(c.B[i, r]) for i in range(3)) - position[r] - F[r] for r in range(2)]


def voronec(s, c):
    T, alpha = c.star(s.kinetic), c.V[1]
    p, F = c.star(sp.diff(s.kinetic, yd)), c.project(s.active())
    out = []
    for i in range(2):
        qi, slope = s.q[s.independent[i]], sp.diff(alpha, c.eta[i])
        turning = c.ddt(slope) - sp.diff(alpha, qi) - slope * sp.diff(alpha, y)
        out.append(c.ddt(sp.diff(T, c.eta[i])) - sp.diff(T, qi) - sp.diff(T, y) * slope - turning * p - F[i])
    return out


def voronec_linear(s, c):
    T, alpha = c.star(s.kinetic), c.V[1]
    p, F = c.star(sp.diff(s.kinetic, yd)), c.project(s.active())
    a = [sp.diff(alpha, e) for e in c.eta] + [alpha.subs({e: 0 for e in c.eta})]
    out = []
    for i in range(2):
        qi = s.q[s.independent[i]]
        turning = sp.diff(a[i], t) - sp.diff(a[2], qi) + a[2] * sp.diff(a[i], y) - a[i] * sp.diff(a[2], y)
        for r in range(2):
            beta = sp.diff(a[i], s.q[s.independent[r]]) - sp.diff(a[r], qi) + a[r] * sp.diff(a[i], y) - a[i] * sp.diff(a[r], y)
            turning += beta * c.eta[r]
        out.append(c.ddt(sp.diff(T, c.eta[i])) - sp.diff(T, qi) - a[i] * sp.diff(T, y) - turning * p - F[i])
    return out


def chaplygin(s, c):
    T, alpha = c.star(s.kinetic), c.V[1]
    p, F = c.star(sp.diff(s.kinetic, yd)), s.active()
    a = [sp.diff(alpha, e) for e in c.eta]
    out = []
    for i in range(2):
        qi = s.q[s.independent[i]]
        curl = sum((sp.diff(a[i], s.q[s.independent[j]]) - sp.diff(a[j], qi)) * c.eta[j] for j in range(2))
        out.append(c.ddt(sp.diff(T, c.eta[i])) - sp.diff(T, qi) - curl * p - c.star(F[s.independent[i]]) - a[i] * c.star(F[1]))
    return out


def chaplygin_quasi(s, c):
    T, F = c.star(s.kinetic), c.project(s.active())
    p = [c.star(sp.diff(s.kinetic, v)) for v in s.v]
    out = []
    for r in range(2):
        along = sum(c.B[j, r] * sp.diff(T, s.q[j]) for j in range(3))
        turning = [c.ddt(c.B[i, r]) - sum(c.B[j, r] * sp.diff(c.V[i], s.q[j]) for j in range(3)) for i in range(3)]
        out.append(c.ddt(sp.diff(T, c.eta[r])) - along - sum(a * b for a, b in zip(p, turning)) - F[r])
    return out


class Frame:
    """v = Z q' + z, all three of it; the third is the constraint."""

    def __init__(self, s, c):
        forms = c.psi + [s.phi]
        self.v = [*c.eta, sp.Symbol("omega")]
        self.Z = sp.Matrix([[sp.diff(f, v) for v in s.v] for f in forms])
        self.z = sp.Matrix([sp.sympify(f).subs({v: 0 for v in s.v}) for f in forms])
        self.C = self.Z.inv()
        velocity = self.C * (sp.Matrix(self.v) - self.z)
        self.T = s.kinetic.subs(dict(zip(s.v, velocity)), simultaneous=True)
        self.closed = {self.v[2]: 0}


def hamel(s, c):
    f, F = Frame(s, c), c.project(s.active())
    P = [sp.diff(f.T, v).subs(f.closed) for v in f.v]
    position = [sp.diff(f.T, q).subs(f.closed) for q in s.q]
    n = range(3)

    def coefficient(rho, l, mu):
        return sum(f.C[j, l] * f.C[i, mu] * (sp.diff(f.Z[rho, j], s.q[i]) - sp.diff(f.Z[rho, i], s.q[j])) for j in n for i in n)

    def free(rho, l):
        return sum(f.C[j, l] * (sp.diff(f.Z[rho, j], t) - sp.diff(f.z[rho], s.q[j])) for j in n) - sum(coefficient(rho, l, mu) * f.z[mu] for mu in n)
    return [c.ddt(P[l]) - sum(f.C[j, l] * position[j] for j in n)
            + sum((sum(coefficient(rho, l, mu) * c.eta[mu] for mu in range(2)) + free(rho, l)) * P[rho] for rho in n) - F[l] for l in range(2)]


def poincare(s, c):
    f, F = Frame(s, c), c.project(s.active())
    P = [sp.diff(f.T, v).subs(f.closed) for v in f.v]
    position = [sp.diff(f.T, q).subs(f.closed) for q in s.q]
    n, drift = range(3), -f.C * f.z

    def bracket(X, Y, moves):
        """[X, Y], with d/dt in X where it moves"""
        return sp.Matrix([sum(X[j] * sp.diff(Y[i], s.q[j]) - Y[j] * sp.diff(X[i], s.q[j]) for j in n) + (sp.diff(Y[i], t) if moves else 0) for i in n])
    out = []
    for r in range(2):
        value = c.ddt(P[r]) - sum(f.C[j, r] * position[j] for j in n) - F[r]
        structure = f.Z * bracket(drift, f.C[:, r], True)
        for k in range(2):
            structure += f.Z * bracket(f.C[:, k], f.C[:, r], False) * c.eta[k]
        out.append(value - sum(structure[l] * P[l] for l in n))
    return out


def turning_rows(s, c):
    """d/dt dv_rho/dq'_i - dv_rho/dq_i on the motion"""
    forms = c.psi + [s.phi]
    return [[c.ddt(c.star(sp.diff(g, v))) - c.star(sp.diff(g, q)) for q, v in zip(s.q, s.v)] for g in map(sp.sympify, forms)]


def hamel_novoselov(s, c):
    forms = c.psi + [s.phi]
    G = sp.Matrix([[sp.diff(g, v) for v in s.v] for g in forms])
    p = sp.Matrix([[sp.diff(s.kinetic, v) for v in s.v]])
    P = [c.star(e) for e in p * G.inv()]
    T, F, turning = c.star(s.kinetic), c.project(s.active()), turning_rows(s, c)
    return [c.ddt(P[r]) - sum(c.B[j, r] * sp.diff(T, s.q[j]) for j in range(3))
            + sum(P[rho] * sum(c.B[i, r] * turning[rho][i] for i in range(3)) for rho in range(3)) - F[r] for r in range(2)]


def talamucci(s, c):
    L, forms = c.star(s.lagrangian), c.psi + [s.phi]
    theta = sp.Matrix([[sp.diff(g, v) for v in s.v] for g in forms]).inv()[:, 2]
    full = sum(c.star(sp.diff(s.lagrangian, v)) * w for v, w in zip(s.v, theta))
    weight = [sp.diff(L, e) for e in c.eta] + [full]
    turning, Q = turning_rows(s, c), c.project(s.force)
    return [c.ddt(weight[r]) - sum(c.B[j, r] * sp.diff(L, s.q[j]) for j in range(3))
            + sum(c.B[j, r] * turning[rho][j] * weight[rho] for rho in range(3) for j in range(3)) - Q[r] for r in range(2)]


def appell(s, c):
    S = sum(m * sum(s.ddt(s.ddt(g))**2 for g in place) / 2 for m, place in s.points) if s.points else None
    if S is None:
        e = s.e(s.kinetic)
        S = sum(a * (f + f.subs({b: 0 for b in s.a})) / 2 for a, f in zip(s.a, e))
    S, F = c.on_motion(S), c.project(s.active())
    return [sp.diff(S, c.rate[r]) - F[r] for r in range(2)]


def gauss(s, c):
    M = sp.Matrix([[sp.diff(n, a) for a in s.a] for n in s.defect()])
    h = -sp.Matrix(s.defect()).subs({a: 0 for a in s.a})
    gap = sp.Matrix(s.a) - M.inv() * h
    Z = c.on_motion((gap.T * M * gap)[0] / 2)
    return [sp.diff(Z, r) for r in c.rate]


def nielsen(s, c):
    rate, F = s.ddt(s.kinetic), s.active()
    return c.project([c.on_motion(sp.diff(rate, v) - 2 * sp.diff(s.kinetic, q) - f) for q, v, f in zip(s.q, s.v, F)])


def kane(s, c):
    F = c.project(s.active())
    return [sum(m * c.on_motion(s.ddt(s.ddt(g))) * sp.diff(c.star(s.ddt(g)), c.eta[r]) for m, place in s.points for g in place) - F[r] for r in range(2)]


def volterra(s, c):
    moves = [(m, c.star(s.ddt(g))) for m, place in s.points for g in place]
    T, F = sum(m * v**2 / 2 for m, v in moves), c.project(s.active())
    return [c.ddt(sp.diff(T, c.eta[r])) - sum(m * v * c.ddt(sp.diff(v, c.eta[r])) for m, v in moves) - F[r] for r in range(2)]


def newton(s, c):
    """C, D, E, G from the arrays of points; the projection of their sum, and D, E, G sorted by origin"""
    cartesian = [(m, g) for m, place in s.points for g in place]
    n, F = range(3), c.project(s.active())
    d = sp.diff

    def g(i, j):
        return sum(m * d(X, s.q[i]) * d(X, s.q[j]) for m, X in cartesian)

    def xi(i, j, k):
        return sum(m * d(X, s.q[i], s.q[j]) * d(X, s.q[k]) for m, X in cartesian)

    def eta(i, j):
        return sum(m * d(X, s.q[i], t) * d(X, s.q[j]) for m, X in cartesian)

    def zeta(i):
        return sum(m * d(X, t, t) * d(X, s.q[i]) for m, X in cartesian)
    u, alpha, ind, dep = c.eta, c.V[1], s.independent, 1
    out = []
    for r in range(2):
        value = -F[r]
        for i in n:
            D = sum(xi(ind[a], ind[b], i) * u[a] * u[b] for a in range(2) for b in range(2))
            E = sum(2 * (xi(ind[a], dep, i) * alpha + eta(ind[a], i)) * u[a] for a in range(2)) + g(i, dep) * sum(d(alpha, s.q[ind[a]]) * u[a] for a in range(2))
            G = xi(dep, dep, i) * alpha**2 + 2 * eta(dep, i) * alpha + zeta(i) + g(i, dep) * (alpha * d(alpha, y) + d(alpha, t))
            C = sum(sum(g(i, j) * c.B[j, a] for j in n) * c.rate[a] for a in range(2))
            value += c.B[i, r] * (C + D + E + G)
        out.append(value)
    return out


BY_CHART = {f.__name__.replace("_", "-"): f for f in (
    maggi, ferrers, voronec, voronec_linear, chaplygin, chaplygin_quasi, hamel, poincare, hamel_novoselov, talamucci, appell, gauss, nielsen, kane, volterra, newton)}
IN_INDEPENDENT_VELOCITIES = {"ferrers", "voronec", "voronec-linear", "chaplygin", "newton"}


# --- section 3 and 4, in all accelerations -------------------------------------------------------------------------

lam, lamd = sp.symbols("lam lamd")


def with_reaction(s, value):
    here = s.admissible()
    found = s.solve([v - lam * sp.diff(s.phi, w) for v, w in zip(value, s.v)] + [s.ddt(s.phi)], [*s.a, lam], here)
    return [found[a] for a in s.a]


def multipliers(s):
    return with_reaction(s, s.defect())


def udwadia(s):
    here = s.admissible()
    M = sp.Matrix([[s.numbers(sp.sympify(sp.diff(n, a)), here) for a in s.a] for n in s.defect()])
    h = sp.Matrix([-s.numbers(n.subs({a: 0 for a in s.a}), here) for n in s.defect()])
    A = sp.Matrix([[s.numbers(sp.sympify(sp.diff(s.phi, v)), here) for v in s.v]])
    b = sp.Matrix([-s.numbers(s.ddt(s.phi).subs({a: 0 for a in s.a}), here)])
    lower = M.cholesky()  # any root of M will do: L L^T = M, and (A L^-T)^+ is a row's
    row = A * lower.T.inv()
    pseudo = row.T / (row * row.T)[0]
    return list(M.inv() * (h + lower * pseudo * (b - A * M.inv() * h)))


def hamilton(s):
    here = s.admissible()
    p, pd = sp.symbols("px py pz"), sp.symbols("pxd pyd pzd")
    velocity = sp.solve([sp.diff(s.lagrangian, v) - m for v, m in zip(s.v, p)], s.v, dict=True)[0]
    H = (sum(m * v for m, v in zip(p, s.v)) - s.lagrangian).subs(velocity)
    qd = [sp.factor(sp.diff(H, m)) for m in p]
    at_p = dict(zip(p, [s.numbers(sp.diff(s.lagrangian, v), here) for v in s.v]))

    def ddt(f):
        return sp.diff(f, t) + sum(sp.diff(f, q) * w for q, w in zip(s.q, qd)) + sum(sp.diff(f, m) * r for m, r in zip(p, pd))

    def in_p(f):
        return sp.sympify(f).subs(dict(zip(s.v, qd)), simultaneous=True)
    residuals = [r + sp.diff(H, q) - in_p(f) - lam * in_p(sp.diff(s.phi, v)) for r, q, f, v in zip(pd, s.q, s.force, s.v)] + [ddt(in_p(s.phi))]
    found = s.solve(residuals, [*pd, lam], at_p)
    return [s.numbers(ddt(w).subs(found), at_p) for w in qd]


def vakonomic(s):
    here, f = {**s.admissible(), lam: s.state["lambda"]}, s.phi
    value = [n - lamd * sp.diff(f, v) - lam * e for n, v, e in zip(s.defect(), s.v, s.e(f))]
    found = s.solve(value + [s.ddt(f)], [*s.a, lamd], here)
    return [found[a] for a in s.a]


def a_model(s, case_b=False):
    rows = [s.phi, s.ddt(x), s.ddt(z)]
    W = sp.Matrix([[sp.diff(r, v) for v in s.v] for r in rows])
    E = sp.Matrix([s.e(r) for r in rows])
    p = sp.Matrix([sp.diff(s.lagrangian, v) for v in s.v])
    if case_b:
        W[2, :], E[2, :] = p.T, sp.zeros(1, 3)
    A = (W.inv() * E).T
    return with_reaction(s, [n - w for n, w in zip(s.defect(), A * p)])


def voronets_chaplygin_g(s, nu):
    p = sp.diff(s.lagrangian, yd)
    a = s.alpha
    e = {y: sp.diff(a, y)}
    for q, v in ((x, xd), (z, zd)):
        e[q] = sp.diff(a, q) - s.ddt(sp.diff(a, v))
    return with_reaction(s, [n - (1 - nu) * e[q] * p for n, q in zip(s.defect(), s.q)])


def chaplygin_g(s, c):
    gamma, p = -c.star(s.lagrangian), c.star(sp.diff(s.lagrangian, yd))
    F = c.project([s.force[0], s.force[1] - sp.diff(s.potential, y), s.force[2]])
    out = []
    for i in range(2):
        qi = s.q[s.independent[i]]
        turning = sp.diff(c.V[1], qi) - c.ddt(sp.diff(c.V[1], c.eta[i]))
        out.append(c.ddt(sp.diff(gamma, c.eta[i])) - sp.diff(gamma, qi) - turning * p + F[i])
    return out


def gaponov(s, c, given):
    gamma, p = c.star(s.lagrangian), c.star(sp.diff(s.lagrangian, yd))
    F = c.project([s.force[0], s.force[1] - sp.diff(s.potential, y), s.force[2]])
    out = []
    for i in range(2):
        drive = p * sp.diff(sp.diff(c.V[1], c.eta[i]), t)  # sum u' (dL/dx')~ dA/du
        out.append(c.ddt(sp.diff(gamma, c.eta[i])) - sp.diff(gamma, s.q[s.independent[i]]) - drive - F[i])
    return out


# --- lagrange, routh-chaplygin, cartesian: the unknowns are accelerations --------------------------------------------

def lagrange(s):
    found = s.solve(s.defect(), s.a, s.admissible())
    return [found[a] for a in s.a]


def routh_chaplygin(s):
    """y is cyclic, u its momentum; x and z are the others."""
    u = sp.Symbol("u")
    here = s.admissible()
    here[u] = s.numbers(sp.diff(s.lagrangian, yd), here)
    phi = sp.solve(sp.diff(s.lagrangian, yd) - u, yd)[0]
    reduced = (s.lagrangian - u * yd).subs(yd, phi)
    equations = [s.e(reduced)[i] - s.force[i].subs(yd, phi) for i in s.independent]
    found = s.solve(equations, [xdd, zdd], here)
    return [found[xdd], s.numbers(s.ddt(phi).subs(found), here), found[zdd]]


def cartesian(s):
    """s.forms: the 1-forms in the velocities and their values, the constraint first."""
    omega = sp.Matrix([[sp.diff(form, v) for v in s.v] for form, _ in s.forms])
    g = sp.Matrix([[sp.diff(s.kinetic, a, b) for b in s.v] for a in s.v])
    v = omega.LUsolve(sp.Matrix([value for _, value in s.forms]))
    sigma, U = g * v, (v.T * g * v)[0] / 2
    contraction = sp.Matrix([sum(v[j] * (sp.diff(sigma[l], s.q[j]) - sp.diff(sigma[j], s.q[l])) for j in range(3)) for l in range(3)])
    Lambda = omega.T.LUsolve(contraction)
    equations = [s.e(s.kinetic)[l].subs(dict(zip(s.v, v)), simultaneous=True) - sp.diff(U, s.q[l]) - Lambda[0] * omega[0, l] for l in range(3)]
    found = s.solve(equations, s.a)
    return [found[a] for a in s.a]


# --- the systems ---------------------------------------------------------------------------------------------------

AT = {x: R(1, 3), y: R(1, 2), z: R(2, 5), t: R(1, 5), xd: R(3, 4), zd: R(-1, 2)}
POINTS = [(2, (x, y, 0 * x)), (3, (x + sp.cos(z), y + sp.sin(z), t * x / 2))]

AFFINE = System("""
coord x, y, z
point P: mass 2 at (x, y, 0)
point R: mass 3 at (x + cos(z), y + sin(z), t*x/2)
potential 3*x*y
force z = y - z'
independent x, z
constraint c: y' = (y + t)*x' + sin(z)*z' + x*t
quasi u = x' + z*z' + t
quasi w = z' + y*x'
initial x = 1/3, y = 1/2, z = 2/5, x' = 3/4, z' = -1/2, lambda[c] = 7/10
simulate t = 1/5 .. 1
""", AT, (y + t) * xd + sp.sin(z) * zd + x * t, 3 * x * y, (0, 0, y - zd), POINTS, psi=[xd + z * zd + t, zd + y * xd], state={"lambda": R(7, 10)})

NONLINEAR = System("""
coord x, y, z
point P: mass 2 at (x, y, 0)
point R: mass 3 at (x + cos(z), y + sin(z), t*x/2)
potential 3*x*y
force z = y - z'
independent x, z
constraint c: y' = x'*z' + y*x'^2 + t*z
initial x = 1/3, y = 1/2, z = 2/5, x' = 3/4, z' = -1/2, lambda[c] = 7/10
simulate t = 1/5 .. 1
""", AT, xd * zd + y * xd**2 + t * z, 3 * x * y, (0, 0, y - zd), POINTS, state={"lambda": R(7, 10)})

CHAPLYGIN = System("""
coord x, y, z
kinetic x'^2*(1 + z^2) + y'^2 + y'*z' + (3/2)*z'^2
potential x*z + 2*y
force x = -x'
independent x, z
constraint c: y' = sin(z)*x' + x*z'
initial x = 1/3, y = 1/2, z = 2/5, x' = 3/4, z' = -1/2, lambda[c] = 7/10
simulate t = 1/5 .. 1
""", AT, sp.sin(z) * xd + x * zd, x * z + 2 * y, (-xd, 0, 0), kinetic=xd**2 * (1 + z**2) + yd**2 + yd * zd + R(3, 2) * zd**2, state={"lambda": R(7, 10)})

GAPONOV = System("""
coord x, y, z
given u = sin(t)
given w = t^2
kinetic x'^2*(1 + z^2) + y'^2 + y'*z' + (3/2)*z'^2
potential x*z
independent x, z
constraint c: y' = u^2*x' + (1 + w)*z'
initial x = 1/3, y = 1/2, z = 2/5, x' = 3/4, z' = -1/2
simulate t = 1/5 .. 1
""", AT, sp.sin(t)**2 * xd + (1 + t**2) * zd, x * z, kinetic=xd**2 * (1 + z**2) + yd**2 + yd * zd + R(3, 2) * zd**2)

# y is cyclic in the next two; the second has its momentum as a constraint
CYCLIC_KINETIC = xd**2 * (1 + z**2) + yd**2 * (2 + x) + yd * zd * sp.cos(z) + t * xd * yd + R(3, 2) * zd**2
CYCLIC_TEXT = """
coord x, y, z
kinetic x'^2*(1 + z^2) + y'^2*(2 + x) + y'*z'*cos(z) + t*x'*y' + (3/2)*z'^2
potential x*z + sin(t)*z^2
force x = -x'
force z = x*z'
"""
CYCLIC_FORCE, CYCLIC_POTENTIAL = (-xd, 0 * x, x * zd), x * z + sp.sin(t) * z**2

FREE = System(CYCLIC_TEXT + """
initial x = 1/3, y = 1/2, z = 2/5, x' = 3/4, y' = 2/3, z' = -1/2
simulate t = 1/5 .. 1
""", AT, R(2, 3), CYCLIC_POTENTIAL, CYCLIC_FORCE, kinetic=CYCLIC_KINETIC)

LEVEL = System(CYCLIC_TEXT + """
independent x, z
constraint c: 2*(2 + x)*y' + cos(z)*z' + t*x' = 3/2
initial x = 1/3, y = 1/2, z = 2/5, x' = 3/4, z' = -1/2
simulate t = 1/5 .. 1
""", AT, (R(3, 2) - sp.cos(z) * zd - t * xd) / (2 * (2 + x)), CYCLIC_POTENTIAL, CYCLIC_FORCE, kinetic=CYCLIC_KINETIC)

FIELD = System("""
coord x, y, z
kinetic x'^2*(1 + z^2) + y'^2 + y'*z' + (3/2)*z'^2
constraint c: y' = sin(z)*x' + x*z'
cartesian x' + z*z' = 1 + x*y
cartesian 2*z' - y*y' = cos(x) + y
initial x = 1/3, y = 1/2, z = 2/5
""", AT, sp.sin(z) * xd + x * zd, kinetic=xd**2 * (1 + z**2) + yd**2 + yd * zd + R(3, 2) * zd**2)
FIELD.forms = [(yd - sp.sin(z) * xd - x * zd, 0), (xd + z * zd, 1 + x * y), (2 * zd - y * yd, sp.cos(x) + y)]

ALWAYS = ["maggi", "ferrers", "voronec", "chaplygin-quasi", "hamel-novoselov", "appell", "gauss", "nielsen"]
FROM_POINTS = ["kane", "volterra", "newton"]
LINEAR = ["voronec-linear", "hamel", "poincare", "talamucci"]
IN_ALL = {"multipliers": multipliers, "udwadia": udwadia, "hamilton": hamilton, "vakonomic": vakonomic, "a-model": a_model,
          "a-model-b": lambda s: a_model(s, True), "voronets-chaplygin-g": lambda s: voronets_chaplygin_g(s, 0)}
CASES = [(AFFINE, ALWAYS + FROM_POINTS + LINEAR + list(IN_ALL)), (NONLINEAR, ALWAYS + FROM_POINTS + list(IN_ALL)),
         (CHAPLYGIN, ALWAYS + LINEAR + ["chaplygin", "chaplygin-g"] + list(IN_ALL)), (GAPONOV, ["gaponov", "maggi"]),
         (FREE, ["lagrange", "routh-chaplygin"]), (LEVEL, ["routh-chaplygin"]), (FIELD, ["cartesian"])]
BESIDE = {"lagrange": lagrange, "routh-chaplygin": routh_chaplygin, "cartesian": cartesian}


def by_page(s, form):
    if form in IN_ALL or form in BESIDE:
        return (IN_ALL.get(form) or BESIDE[form])(s)
    chart = Chart(s, [xd, zd] if form in IN_INDEPENDENT_VELOCITIES or form in ("chaplygin-g", "gaponov") else s.psi)
    if form == "chaplygin-g":
        return chart.accelerations(chaplygin_g(s, chart))
    if form == "gaponov":
        return chart.accelerations(gaponov(s, chart, None))
    return chart.accelerations(BY_CHART[form](s, chart))


def by_hamel(s, form, folder):
    path = pathlib.Path(folder) / "model.ham"
    path.write_text(s.text)
    done = subprocess.run([HAMEL, "eval", path, "--form", form, "--digits", str(DIGITS), "--json"], capture_output=True, text=True)
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.strip()}"
    document = json.loads(done.stdout)
    return [sp.Float(document["qdd"][name], DIGITS) for name in ("x", "y", "z")]


def main():
    failed, passed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (s, forms) in enumerate(CASES):
            for form in forms:
                ours, theirs = by_page(s, form), by_hamel(s, form, folder)
                if isinstance(theirs, str) or any(abs(a - b) > NEAR for a, b in zip(ours, theirs)):
                    failed.append(f"system {number + 1}, {form}: by the page {ours}, by hamel {theirs}")
                else:
                    passed += 1
    known = [f["id"] for f in json.loads(subprocess.run([HAMEL, "forms", "--json"], capture_output=True, text=True, check=True).stdout)["forms"]]
    titles = re.findall(r"^### [34]\.\d+ `([a-z-]+)`$", PAGE, re.M)
    tried = {form for _, forms in CASES for form in forms}
    for wrong, what in ((set(known) ^ set(titles), "formalisms and sections of the page differ: "), (set(known) - tried, "no formula is tried for ")):
        if wrong:
            failed.append(what + ", ".join(sorted(wrong)))
        else:
            passed += 1
    print("\n".join(failed))
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
