#!/usr/bin/python3
"""The second source: systems written twice by hand, once in the model language and once as mechanics in SymPy, and their accelerations
and multipliers at a state, computed here without hamel.

    /usr/bin/python3 tests/numeric/second/make.py        writes *.ham and expected.json beside this file (they are committed)
    /usr/bin/python3 tests/numeric/second/make.py --check    the same, but only says whether the committed files are what it would write

What is computed (section 1 of the mathematics): L = T - U, T of points and bodies from their places (a body's angular velocity is the
axial vector of R' R^T, its energy that of the inertia matrix turned into space), forces by their virtual work; M = d2L/dq'dq',
h = d/dt(dL/dq')|_{q''=0} - dL/dq - Q; a constraint Phi(q, q', t) gives the row dPhi/dq', one of order 0 the row dh/dq of its second
derivative; then
    M q'' + h = A^T lambda,  A q'' = b
is solved with 70 digits, and likewise, for vakonomic motion with given lambda,
    M q'' + h = sum_nu (lambda'_nu df_nu/dq' + lambda_nu E(f_nu)),  A q'' = b.
A constraint of order 2 gives the row dPhi/dq'' and b = -Phi at q'' = 0. One of order 3 acts along dPhi/dq''' with a multiplier that is
given; its rate follows from the time derivative of all other equations together with Phi = 0, one linear system for q''', the rates of
the other multipliers and lambda'.
The mass matrix may be singular (coordinates without mass); the matrix of the whole system may not, which is checked.

'refuses' names the forms that must not apply to a system and why. It follows the column "applies when" of the mathematics, and was
written down here, not taken from the program."""
import json
import os
import sys

import mpmath
from sympy import (Abs, Matrix, Rational as R, Symbol, atan2, cos, diag, exp, eye, lambdify, log, pi, sin, sqrt, sympify, tanh, zeros)

mpmath.mp.dps = 70
HERE = os.path.dirname(os.path.abspath(__file__))
t = Symbol("t", real=True)
TABLE = []


# ---- mechanics in SymPy ------------------------------------------------------------------------------------------------------------
class Mechanics:
    """One system: coordinates, T, U, Q and constraints as they are written down by an entry of the table."""

    def __init__(self):
        self.names, self.q, self.v, self.a, self.j = [], [], [], [], []
        self.T = self.U = sympify(0)
        self.extra = {}  # coordinate -> generalised force
        self.works = []  # functions that add generalised forces once all is known
        self.masses = []  # (mass, place)
        self.constraints = []  # (name, function, order)

    def coords(self, names):
        for n in names.split():
            self.names.append(n)
            self.q.append(Symbol(n, real=True))
            self.v.append(Symbol(n + "'", real=True))
            self.a.append(Symbol(n + "''", real=True))
            self.j.append(Symbol(n + "'''", real=True))
        return self.q

    def dot(self, f):
        """d/dt of a function of q and t: a scalar, a vector or a matrix."""
        if hasattr(f, "applyfunc"):
            return f.applyfunc(self.dot)
        f = sympify(f)
        return sum((f.diff(q) * v for q, v in zip(self.q, self.v)), f.diff(t))

    def particle(self, m, place):
        X = Matrix(place)
        V = self.dot(X)
        self.T += R(1, 2) * m * V.dot(V)
        self.masses.append((m, X))
        return X

    def rigid(self, m, place, turn, inertia):
        """inertia is the matrix in the body, turn takes the body to space. Returns place and angular velocity, in space."""
        X = self.particle(m, place)
        S = self.dot(turn) * turn.T
        w = Matrix([S[2, 1], S[0, 2], S[1, 0]])
        self.T += R(1, 2) * (w.T * (turn * inertia * turn.T) * w)[0]
        return X, w

    def gravity(self, g):
        for m, X in self.masses:
            self.U -= m * X.dot(Matrix(g))

    def force(self, coordinate, value):
        i = self.q.index(coordinate)
        self.extra[i] = self.extra.get(i, 0) + value

    def force_at(self, X, F):
        F = Matrix(F)
        for i, q in enumerate(self.q):
            self.force(q, F.dot(X.diff(q)))

    def torque(self, w, M):
        M = Matrix(M)
        for q, v in zip(self.q, self.v):
            self.force(q, M.dot(w.diff(v)))

    def dissipation(self, D):
        for q, v in zip(self.q, self.v):
            self.force(q, -D.diff(v))

    def velocity(self, name, phi):
        self.constraints.append((name, sympify(phi), 1))

    def acceleration(self, name, phi):
        self.constraints.append((name, sympify(phi), 2))

    def jerk(self, name, phi):
        self.constraints.append((name, sympify(phi), 3))

    def place(self, name, h):
        self.constraints.append((name, sympify(h), 0))


def about(axis, angle):
    """The rotation by Rodrigues' formula: I + sin K + (1 - cos) K^2."""
    u = {"x": Matrix([1, 0, 0]), "y": Matrix([0, 1, 0]), "z": Matrix([0, 0, 1])}.get(axis) if isinstance(axis, str) else Matrix(axis)
    u = u / sqrt(u.dot(u))
    K = Matrix([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return eye(3) + sin(angle) * K + (1 - cos(angle)) * K * K


def entry(name, ham, refuses, state, solve="", lam=None, either=None, pull=None):
    """state: exact values; solve: 'name=guess' of what the constraints determine; lam: multipliers given, for vakonomic motion;
    pull: multipliers of constraints of order 3, which are state;
    either: forms whose definition leaves open whether they apply (if they do, they have to be right)."""
    def keep(build):
        TABLE.append(dict(name=name, ham=ham.strip("\n") + "\n", refuses=refuses, state=state, solve=solve, lam=lam, either=either, pull=pull or {},
                          build=build))
        return build
    return keep


# ---- why a form does not apply -----------------------------------------------------------------------------------------------------
def why(*groups):
    out = {}
    for g in groups:
        out.update(g)
    return out


BOUND = {"lagrange": "there are constraints"}
STATED = {f: "the kinetic energy is not from points and bodies alone" for f in ("newton", "kane", "volterra")}
BODIES = {"volterra": "there are bodies, not points alone"}
NONLINEAR = {f: "a constraint is not linear in the velocities" for f in ("chaplygin", "voronec-linear", "hamel", "poincare", "talamucci")}
AFFINE = {"chaplygin": "a constraint is affine or holds the time"}
VORONEC = {"chaplygin": "a coordinate with dependent velocity occurs in T or in the constraints"}
CURVED = {f: "a quasi-velocity is not linear in the velocities" for f in ("hamel", "poincare", "talamucci")}
MASSLESS = {"hamilton": "the mass matrix is singular"}
LOWER = {f: "a constraint is of order 2 or 3" for f in (
    "lagrange", "hamilton", "newton", "kane", "volterra", "ferrers", "chaplygin", "voronec-linear", "voronec", "hamel", "chaplygin-quasi",
    "hamel-novoselov", "poincare", "talamucci", "nielsen")}
JERK = {f: "a constraint is of order 3" for f in ("maggi", "appell", "udwadia", "gauss")}
FREE = {"chaplygin": "there are no constraints that could be of Chaplygin's type"}


# ---- the table: affine and rheonomic constraints -----------------------------------------------------------------------------------
@entry("belt_sleigh", """
# A sleigh on a belt that moves in x with a given speed; viscous friction against the belt.
param m = 3/2, J = 4/5, a = 1/4, V0 = 2/3, c = 3/10
coord x, y, theta
given V = V0*(1 + sin(2*t)/3)
kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2
dissipation c/2*((x' - V)^2 + y'^2)
constraint blade: (x' - V)*sin(theta) - y'*cos(theta) + a*theta' = 0
""", why(BOUND, STATED, AFFINE), "t=2/5 x=1/5 y=-3/10 theta=7/20 x'=7/5 theta'=9/10", "y'=1")
def _(s):
    x, y, th = s.coords("x y theta")
    dx, dy, dth = s.v
    V = R(2, 3) + R(2, 9) * sin(2 * t)
    s.T = R(3, 4) * (dx**2 + dy**2) + R(2, 5) * dth**2
    s.force(x, -R(3, 10) * (dx - V))
    s.force(y, -R(3, 10) * dy)
    s.velocity("blade", sin(th) * (dx - V) - cos(th) * dy + dth / 4)


@entry("pursuit", """
# A point whose velocity is aimed at a moving target, with quadratic drag.
param m = 6/5, c = 1/4
coord x, y
given X = 3 + cos(t), Y = 2*sin(t/2)
point P: mass m at (x, y)
gravity (1/2, -3)
force on P = -c*norm(vel(P))*vel(P)
constraint aim: x'*(Y - y) = y'*(X - x)
""", why(BOUND, AFFINE), "t=3/5 x=1/4 y=-2/5 x'=11/10", "y'=1/2")
def _(s):
    x, y = s.coords("x y")
    dx, dy = s.v
    s.T = R(3, 5) * (dx**2 + dy**2)
    s.U = -R(6, 5) * (x / 2 - 3 * y)
    speed = sqrt(dx**2 + dy**2)
    s.force(x, -speed * dx / 4)
    s.force(y, -speed * dy / 4)
    s.velocity("aim", dx * (2 * sin(t / 2) - y) - dy * (3 + cos(t) - x))


@entry("lifted_double_pendulum", """
# A double pendulum on a moving pivot; the horizontal velocity of its tip is prescribed, and air resists the tip.
param l1 = 1, l2 = 4/5, m1 = 1, m2 = 7/10, g = 981/100
coord a, b
given px = sin(3*t)/5, py = t^2/4, w = 1/2 + t/3
let pivot = (px, py, 0)
let elbow = pivot + l1*(sin(a), -cos(a), 0)
point P1: mass m1 at elbow
point P2: mass m2 at pos(P1) + l2*(sin(b), -cos(b), 0)
gravity (0, -g, 0)
force on P2 = -(1/10)*vel(P2)
constraint tip: vel(P2).x = w
""", why(BOUND, AFFINE), "t=1/3 a=2/5 b=-1/4 a'=3/5", "b'=0")
def _(s):
    a, b = s.coords("a b")
    x1, y1 = sin(3 * t) / 5 + sin(a), t**2 / 4 - cos(a)
    x2, y2 = x1 + R(4, 5) * sin(b), y1 - R(4, 5) * cos(b)
    s.particle(1, [x1, y1, 0])
    P = s.particle(R(7, 10), [x2, y2, 0])
    s.gravity([0, -R(981, 100), 0])
    s.force_at(P, -s.dot(P) / 10)
    s.velocity("tip", s.dot(x2) - R(1, 2) - t / 3)


@entry("turntable_ball", """
# A ball rolls on a slanted turntable that spins up; the quasi-velocities are the components of its angular velocity.
param m = 1, r = 1/5, J = 2/5*m*r^2
coord x, y, psi, theta, phi
given Om = 3/2 + t/2
body ball: mass m at (x, y, r) inertia (J, J, J) rotation rot(z, psi)*rot(x, theta)*rot(z, phi)
gravity (1, 0, -9)
constraint roll: velat(ball, (x, y, 0)) = cross((0, 0, Om), pos(ball))
independent psi, theta, phi
quasi w1 = omega(ball).x
quasi w2 = omega(ball).y
quasi w3 = omega(ball).z
""", why(BOUND, BODIES, AFFINE), "t=1/2 x=3/10 y=-1/5 psi=2/5 theta=11/10 phi=-3/10 psi'=1/2 theta'=3/5 phi'=6/5", "x'=0 y'=0")
def _(s):
    x, y, psi, th, phi = s.coords("x y psi theta phi")
    X, w = s.rigid(1, [x, y, R(1, 5)], about("z", psi) * about("x", th) * about("z", phi), eye(3) * R(2, 125))
    s.gravity([1, 0, -9])
    Om = R(3, 2) + t / 2
    slip = s.dot(X) + w.cross(Matrix([0, 0, -R(1, 5)])) - Matrix([-Om * y, Om * x, 0])
    s.velocity("roll.x", slip[0])
    s.velocity("roll.y", slip[1])


@entry("rheonomic_metric", """
# T with terms of degree 2, 1 and 0 and a mass that changes; an affine rheonomic constraint; the dependent coordinate occurs everywhere.
param k = 2
coord x, y, z
kinetic (1 + t/4)*x'^2/2 + exp(z/3)*y'^2/2 + (1 + x^2)*z'^2/2 + x'*y'*sin(z)/4 + t*y*x' - x*z' + t^2*x*y/3
potential k*(x - z)^2/2 + x*y*z/5
force y = -3*x'*z' + t
constraint slide: z' - x*y' + t*y*x' = cos(t)*z
""", why(BOUND, STATED, AFFINE), "t=7/10 x=1/2 y=2/5 z=-3/5 x'=4/5 y'=-1/2", "z'=0")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = ((4 + t) * dx**2 / 8 + exp(z / 3) * dy**2 / 2 + dz**2 / 2 + x**2 * dz**2 / 2 + sin(z) * dx * dy / 4
           + t * y * dx - x * dz + t**2 * x * y / 3)
    s.U = (x - z)**2 + x * y * z / 5
    s.force(y, t - 3 * dx * dz)
    s.velocity("slide", dz - x * dy + t * y * dx - z * cos(t))


# ---- nonlinear constraints ---------------------------------------------------------------------------------------------------------
@entry("opening_cone", """
# Appell's kind of constraint with an opening that changes; gravity is slanted.
param m = 13/10, a = 1/2, b = 1/5
coord x, y, z
point P: mass m at (x, y, z)
gravity (1, -2, -981/100)
constraint cone: x'^2 + y'^2 = (a + b*t)^2*z'^2
""", why(BOUND, NONLINEAR), "t=3/4 x=1/10 y=3/10 z=-1/2 x'=3/5 y'=-7/10", "z'=7/5")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = R(13, 20) * (dx**2 + dy**2 + dz**2)
    s.U = -R(13, 10) * (x - 2 * y - R(981, 100) * z)
    s.velocity("cone", dx**2 + dy**2 - (R(1, 2) + t / 5)**2 * dz**2)


@entry("cubic", """
# A cubic constraint without a useful closed form.
coord x, y, z
kinetic x'^2 + y'^2/2 + 3/4*z'^2 + x'*z'*cos(y)/3
potential 2*x + y*z
constraint c: x'^3 + (1 + x^2)*y'^3 + z'^3 + x'*y'*z' = 2 + sin(t)
""", why(BOUND, STATED, NONLINEAR), "t=1/5 x=3/10 y=-1/2 z=4/5 x'=9/10 y'=2/5", "z'=1")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = dx**2 + R(1, 2) * dy**2 + R(3, 4) * dz**2 + R(1, 3) * cos(y) * dx * dz
    s.U = 2 * x + y * z
    s.velocity("c", dx**3 + dy**3 + x**2 * dy**3 + dz**3 + dx * dy * dz - 2 - sin(t))


@entry("transcendental", """
# The dependent velocity stands in Kepler's equation.
param m = 1, ecc = 1/3
coord x, y, z
kinetic m/2*(x'^2 + y'^2 + z'^2)
potential x^2 + y^4/4
force z = -z'^3/5
constraint kepler: y' + ecc*sin(y')*cos(x) = x' + t*z'^2/5
independent x, z
""", why(BOUND, STATED, NONLINEAR), "t=3/2 x=2/5 y=1/2 z=1/7 x'=4/5 z'=-6/5", "y'=1")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = (dx**2 + dy**2 + dz**2) / 2
    s.U = x**2 + y**4 / 4
    s.force(z, -dz**3 / 5)
    s.velocity("kepler", dy + sin(dy) * cos(x) / 3 - dx - t * dz**2 / 5)


@entry("perpendicular", """
# Two points on a spring: the speed of the first is prescribed, the velocity of the second is perpendicular to it.
param m1 = 1, m2 = 3/2, k = 4/5
coord x1, y1, x2, y2
point A: mass m1 at (x1, y1)
point B: mass m2 at (x2, y2)
potential k/2*(norm(pos(A) - pos(B)) - 1)^2
gravity (0, -2)
constraint speed: x1'^2 + y1'^2 = (1 + t^2/4)^2
constraint right: dot(vel(A), vel(B)) = 0
""", why(BOUND, NONLINEAR), "t=4/5 x1=0 y1=1/10 x2=6/5 y2=4/5 x1'=3/5 y2'=-1/2", "y1'=1 x2'=1")
def _(s):
    x1, y1, x2, y2 = s.coords("x1 y1 x2 y2")
    u1, w1, u2, w2 = s.v
    s.T = (u1**2 + w1**2) / 2 + 3 * (u2**2 + w2**2) / 4
    s.U = R(2, 5) * (sqrt((x1 - x2)**2 + (y1 - y2)**2) - 1)**2 + 2 * y1 + 3 * y2
    s.velocity("speed", u1**2 + w1**2 - (1 + t**2 / 4)**2)
    s.velocity("right", u1 * u2 + w1 * w2)


@entry("two_implicit", """
# Two coupled nonlinear constraints, neither solvable in closed form, rheonomic, and a position-dependent metric.
coord a, b, c, d
kinetic a'^2 + (1 + a^2)*b'^2/2 + c'^2/2 + (2 + sin(d))*d'^2/2 + b'*c'/5
potential a*c + b^2*d
constraint p: a'^3 + b'*c' + d' + d'^5/10 = 1 + t
constraint s: exp(c'/2) + a'*d'*b - b'^2 = 3/2 + a*t
independent a, b
""", why(BOUND, STATED, NONLINEAR), "t=1/4 a=1/5 b=2/5 c=-1/3 d=1/2 a'=3/10 b'=-4/5", "c'=1 d'=1")
def _(s):
    a, b, c, d = s.coords("a b c d")
    da, db, dc, dd = s.v
    s.T = da**2 + db**2 / 2 + a**2 * db**2 / 2 + dc**2 / 2 + dd**2 + sin(d) * dd**2 / 2 + db * dc / 5
    s.U = a * c + b**2 * d
    s.velocity("p", da**3 + db * dc + dd + dd**5 / 10 - 1 - t)
    s.velocity("s", exp(dc / 2) + b * da * dd - db**2 - R(3, 2) - a * t)


@entry("heading", """
# The heading is the direction of the velocity: a constraint of degree 0 in the velocities.
param m = 2, J = 1/3, mu = 2/5
coord x, y, phi
kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2
potential x^2/2 + x*y
force phi = -mu*(x'^2 + y'^2)*phi'
constraint dir: phi' + phi = atan2(y', x') + t/5
""", why(BOUND, STATED, NONLINEAR), "t=1/2 x=1/5 y=3/5 phi=2/5 x'=6/5 y'=7/10", "phi'=0")
def _(s):
    x, y, phi = s.coords("x y phi")
    dx, dy, dphi = s.v
    s.T = dx**2 + dy**2 + dphi**2 / 6
    s.U = x**2 / 2 + x * y
    s.force(phi, -R(2, 5) * (dx**2 + dy**2) * dphi)
    s.velocity("dir", dphi + phi - atan2(dy, dx) - t / 5)


@entry("quadric_family", """
# A family with sums: the velocities lie on a sphere whose radius changes, springs between neighbours.
const N = 4
param k = 3/2
coord q[1..N]
for i in 1..N {
  param m[i] = 1 + i/3
  kinetic m[i]/2*q[i]'^2
}
potential k/2*sum(i in 1..N-1, (q[i+1] - q[i])^2) + sum(i in 1..N, q[i]^4)/4
dissipation sum(i in 1..N, i*q[i]'^2)/20
constraint ball: sum(i in 1..N, q[i]'^2) = 4 + t
constraint drift: sum(i in 1..N, i*q[i]') = prod(i in 1..N, cos(q[i]))
""", why(BOUND, STATED, NONLINEAR),
       "t=2/3 q[1]=1/10 q[2]=3/10 q[3]=-1/5 q[4]=2/5 q[1]'=7/10 q[2]'=-1/2", "q[3]'=-1 q[4]'=1")
def _(s):
    q1, q2, q3, q4 = s.coords("q[1] q[2] q[3] q[4]")
    u1, u2, u3, u4 = s.v
    s.T = R(2, 3) * u1**2 + R(5, 6) * u2**2 + u3**2 + R(7, 6) * u4**2
    s.U = R(3, 4) * ((q2 - q1)**2 + (q3 - q2)**2 + (q4 - q3)**2) + (q1**4 + q2**4 + q3**4 + q4**4) / 4
    for q, c in zip((q1, q2, q3, q4), (u1, 2 * u2, 3 * u3, 4 * u4)):
        s.force(q, -c / 10)
    s.velocity("ball", u1**2 + u2**2 + u3**2 + u4**2 - 4 - t)
    s.velocity("drift", u1 + 2 * u2 + 3 * u3 + 4 * u4 - cos(q1) * cos(q2) * cos(q3) * cos(q4))


# ---- holonomic mixed with others ---------------------------------------------------------------------------------------------------
@entry("moving_surface", """
# A point on a surface that moves, with prescribed speed, and friction.
param m = 4/5, g = 981/100
coord x, y, z
point P: mass m at (x, y, z)
gravity (0, 0, -g)
dissipation 1/10*dot(vel(P), vel(P))
constraint surf: z = (x^2 - 2*y^2)/5 + sin(2*t)*x/4
constraint speed: norm(vel(P)) = 2 + t/3
""", why(BOUND, NONLINEAR), "t=3/10 x=2/5 y=1/2 y'=7/10", "z=0 x'=2 z'=0")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    v2 = dx**2 + dy**2 + dz**2
    s.T = R(2, 5) * v2
    s.U = R(4, 5) * R(981, 100) * z
    for q, v in zip(s.q, s.v):
        s.force(q, -v / 5)
    s.place("surf", z - x**2 / 5 + 2 * y**2 / 5 - x * sin(2 * t) / 4)
    s.velocity("speed", sqrt(v2) - 2 - t / 3)


@entry("mixed_three", """
# One constraint of each kind: a saddle to stay on, a knife edge, and a prescribed sum of squares.
coord x, y, z, phi, psi
param J = 1/2, K = 2/3
kinetic (x'^2 + y'^2 + z'^2)/2 + J/2*phi'^2 + K/2*psi'^2 + x*phi'*psi'/4
potential 3*z + psi^2
constraint saddle: z = x*y/3 + x^3/6
constraint edge: x'*sin(phi) = y'*cos(phi)
constraint pace: x'^2 + y'^2 + z'^2 + psi'^2*cos(psi)^2 = (3/2 + t/2)^2
""", why(BOUND, STATED, NONLINEAR), "t=1/5 x=1/2 y=-2/5 phi=3/5 psi=1/4 x'=6/5 phi'=-1/2", "z=0 y'=1 z'=0 psi'=1")
def _(s):
    x, y, z, phi, psi = s.coords("x y z phi psi")
    dx, dy, dz, dphi, dpsi = s.v
    s.T = (dx**2 + dy**2 + dz**2) / 2 + dphi**2 / 4 + dpsi**2 / 3 + x * dphi * dpsi / 4
    s.U = 3 * z + psi**2
    s.place("saddle", z - x * y / 3 - x**3 / 6)
    s.velocity("edge", dx * sin(phi) - dy * cos(phi))
    s.velocity("pace", dx**2 + dy**2 + dz**2 + cos(psi)**2 * dpsi**2 - (R(3, 2) + t / 2)**2)


@entry("parallel_rod", """
# Two points on a rod keep parallel velocities against friction that tends to Coulomb's.
param m1 = 1, m2 = 2, mu = 3/10, eps = 1/20
coord x1, y1, x2, y2
point A: mass m1 at (x1, y1)
point B: mass m2 at (x2, y2)
force on A = -mu*vel(A)/sqrt(eps^2 + dot(vel(A), vel(A)))
force on B = -mu*m2*vel(B)/sqrt(eps^2 + dot(vel(B), vel(B))) + (t, 1)
constraint rod: (x1 - x2)^2 + (y1 - y2)^2 = 2
constraint par: x1'*y2' - x2'*y1' = 0
initial x1 = 0, y1 = 0, x2 = 1, y2 = 1
""", why(BOUND, NONLINEAR), "t=2/5 x1=1/5 y1=-1/10 x2=7/5 x1'=1 y1'=1/2", "y2=13/20 x2'=4/5 y2'=2/5")
def _(s):
    x1, y1, x2, y2 = s.coords("x1 y1 x2 y2")
    u1, w1, u2, w2 = s.v
    s.T = (u1**2 + w1**2) / 2 + u2**2 + w2**2
    n1, n2 = sqrt(R(1, 400) + u1**2 + w1**2), sqrt(R(1, 400) + u2**2 + w2**2)
    for q, f in zip(s.q, (-R(3, 10) * u1 / n1, -R(3, 10) * w1 / n1, t - R(3, 5) * u2 / n2, 1 - R(3, 5) * w2 / n2)):
        s.force(q, f)
    s.place("rod", (x1 - x2)**2 + (y1 - y2)**2 - 2)
    s.velocity("par", u1 * w2 - u2 * w1)


@entry("string_pendulum", """
# Purely geometric: a spherical pendulum whose string is drawn in, in a plane that turns.
param m = 1, l0 = 2, g = 981/100, c = 1/8
coord x, y, z
given l = l0 - t/5, al = t^2/2
point bob: mass m at (x, y, z)
gravity (0, 0, -g)
dissipation c/2*(x'^2 + y'^2 + z'^2)
constraint string: x^2 + y^2 + z^2 = l^2
constraint plane: x*sin(al) - y*cos(al) = 0
""", why(BOUND, AFFINE), "t=4/5 x=3/5 x'=1/2", "y=1/5 z=-9/5 y'=0 z'=0")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = (dx**2 + dy**2 + dz**2) / 2
    s.U = R(981, 100) * z
    for q, v in zip(s.q, s.v):
        s.force(q, -v / 8)
    s.place("string", x**2 + y**2 + z**2 - (2 - t / 5)**2)
    s.place("plane", x * sin(t**2 / 2) - y * cos(t**2 / 2))


@entry("sphere_and_blade", """
# A holonomic constraint with a linear nonholonomic one and quasi-velocities that are not linear.
coord x, y, z, s
kinetic (x'^2 + y'^2 + z'^2 + s'^2)/2 + y*x'*s'/4
potential z + s*x
constraint sphere: x^2 + y^2 + z^2 = 1
constraint blade: s' = x*y' - y*x'
quasi u = x'^2 + y'^2
quasi w = y' + x'*cos(t)/2
""", why(BOUND, STATED, CURVED, VORONEC), "t=1/2 x=2/5 y=3/10 s=1/5 x'=4/5 y'=-3/5", "z=4/5 z'=0 s'=0")
def _(s):
    x, y, z, r = s.coords("x y z s")
    dx, dy, dz, dr = s.v
    s.T = (dx**2 + dy**2 + dz**2 + dr**2) / 2 + y * dx * dr / 4
    s.U = z + r * x
    s.place("sphere", x**2 + y**2 + z**2 - 1)
    s.velocity("blade", dr - x * dy + y * dx)


# ---- two and three linear constraints ----------------------------------------------------------------------------------------------
@entry("trailers", """
# A car with two trailers: three constraints, families of angles, sums in T.
const N = 2
param m = 3/2, J = 2/5, L = 7/10
coord x, y, th[0..N]
let px[0] = x, py[0] = y
for i in 1..N {
  let px[i] = px[i-1] - L*cos(th[i])
  let py[i] = py[i-1] - L*sin(th[i])
}
kinetic sum(i in 0..N, m/(i+1)*(px[i]'^2 + py[i]'^2)/2 + J/2*th[i]'^2)
potential sum(i in 1..N, (th[i] - th[i-1])^2)/3
for i in 0..N {
  constraint wheel[i]: px[i]'*sin(th[i]) - py[i]'*cos(th[i]) = 0
}
force x = 2 - x'/3
independent x, th[0]
""", why(BOUND, STATED, VORONEC), "t=0 x=1/10 y=1/5 th[0]=2/5 th[1]=1/10 th[2]=-1/5 x'=6/5 th[0]'=4/5", "y'=0 th[1]'=0 th[2]'=0")
def _(s):
    x, y, a, b, c = s.coords("x y th[0] th[1] th[2]")
    L = R(7, 10)
    X = [Matrix([x, y])]
    X.append(X[0] - L * Matrix([cos(b), sin(b)]))
    X.append(X[1] - L * Matrix([cos(c), sin(c)]))
    for k, (P, angle, rate) in enumerate(zip(X, (a, b, c), s.v[2:])):
        V = s.dot(P)
        s.T += R(3, 2) / (k + 1) * V.dot(V) / 2 + rate**2 / 5
        s.velocity("wheel[%d]" % k, V[0] * sin(angle) - V[1] * cos(angle))
    s.U = ((b - a)**2 + (c - b)**2) / 3
    s.force(x, 2 - s.v[0] / 3)


@entry("three_bars", """
# Three constraints of three sorts: linear, affine and nonlinear, on five coordinates.
coord a, b, c, d, f
kinetic (a'^2 + 2*b'^2 + c'^2 + d'^2 + 3*f'^2)/2 + sin(a)*b'*d'/3
potential a*b + c*d*f
constraint one: a' + b*c' = d*f'
constraint two: b' = t*d' + sin(c)
constraint three: f'^2 + a'*d' = 2 + c^2
""", why(BOUND, STATED, NONLINEAR), "t=1/2 a=1/5 b=2/5 c=3/10 d=-1/2 f=4/5 c'=1/2 d'=7/10", "a'=0 b'=0 f'=1")
def _(s):
    a, b, c, d, f = s.coords("a b c d f")
    da, db, dc, dd, df = s.v
    s.T = da**2 / 2 + db**2 + dc**2 / 2 + dd**2 / 2 + R(3, 2) * df**2 + sin(a) * db * dd / 3
    s.U = a * b + c * d * f
    s.velocity("one", da + b * dc - d * df)
    s.velocity("two", db - t * dd - sin(c))
    s.velocity("three", df**2 + da * dd - 2 - c**2)


@entry("coin_on_slope", """
# A vertical coin rolls on a slope: of Chaplygin's type, the force along the slope acts on the dependent coordinates.
param m = 2, r = 1/4, g = 981/100, al = pi/7
coord x, y, phi, psi
body coin: mass m at (x, y, r) inertia (m*r^2/4, m*r^2/2, m*r^2/4) rotation rot(z, phi)*rot(y, psi)
gravity (g*sin(al), 0, -g*cos(al))
torque on coin = (0, 0, 3/10) + frame(coin)*(0, 1/5, 0)
constraint roll: velat(coin, (x, y, 0)) = (0, 0, 0)
independent phi, psi
""", why(BOUND, BODIES), "t=0 x=1/2 y=1/3 phi=3/5 psi=1/4 phi'=11/10 psi'=7/2", "x'=0 y'=0")
def _(s):
    x, y, phi, psi = s.coords("x y phi psi")
    m, r = 2, R(1, 4)
    turn = about("z", phi) * about("y", psi)
    X, w = s.rigid(m, [x, y, r], turn, diag(m * r**2 / 4, m * r**2 / 2, m * r**2 / 4))
    s.gravity([R(981, 100) * sin(pi / 7), 0, -R(981, 100) * cos(pi / 7)])
    s.torque(w, Matrix([0, 0, R(3, 10)]) + turn * Matrix([0, R(1, 5), 0]))
    slip = s.dot(X) + w.cross(Matrix([0, 0, -r]))
    s.velocity("roll.x", slip[0])
    s.velocity("roll.y", slip[1])


@entry("leaning_disc", """
# A disc that leans and rolls, with six inertia values (it is not balanced) and friction of pivoting.
param m = 3/2, r = 2/5, g = 981/100
coord x, y, psi, theta, phi
body disc: mass m at (x, y, r*cos(theta)) inertia (1/10, 1/5, 3/20, 1/100, -1/50, 3/100) rotation rot(z, psi)*rot(x, theta)*rot(y, phi)
gravity (0, 1/2, -g)
dissipation psi'^2/30
let contact = pos(disc) - r*(rot(z, psi)*rot(x, theta)*(0, 0, 1))
let slip = velat(disc, contact)
constraint sx: slip.x = 0
constraint sy: slip.y = 0
independent psi, theta, phi
""", why(BOUND, BODIES), "t=0 x=0 y=1/10 psi=2/5 theta=3/10 phi=1/5 psi'=4/5 theta'=-1/2 phi'=3", "x'=1 y'=0")
def _(s):
    x, y, psi, th, phi = s.coords("x y psi theta phi")
    r = R(2, 5)
    I = Matrix([[R(1, 10), R(1, 100), -R(1, 50)], [R(1, 100), R(1, 5), R(3, 100)], [-R(1, 50), R(3, 100), R(3, 20)]])
    X, w = s.rigid(R(3, 2), [x, y, r * cos(th)], about("z", psi) * about("x", th) * about("y", phi), I)
    s.gravity([0, R(1, 2), -R(981, 100)])
    s.force(psi, -s.v[2] / 15)
    arm = -r * about("z", psi) * about("x", th) * Matrix([0, 0, 1])
    slip = s.dot(X) + w.cross(arm)
    s.velocity("sx", slip[0])
    s.velocity("sy", slip[1])


@entry("jointed_skates", """
# Two bodies with a joint, a blade on each, an inner torque and its reaction, a force on one of the centres. With x and y dependent
# the system is of Chaplygin's type, though x and be are to be independent.
param m1 = 2, m2 = 1, J1 = 1/2, J2 = 1/5, a = 3/5, b = 2/5
coord x, y, th, be
let joint = (x, y, 0) - a*(cos(th), sin(th), 0)
body front: mass m1 at (x, y, 0) inertia (1, 1, J1) rotation rot(z, th)
body back: mass m2 at joint - b*(cos(th + be), sin(th + be), 0) inertia (1, 1, J2) rotation rot(z, th + be)
torque on front = (0, 0, sin(t)*be - be'/5)
torque on back = -(0, 0, sin(t)*be - be'/5)
force on back = (0, -1, 0)
constraint bf: dot(vel(front), frame(front)*(0, 1, 0)) = 0
constraint bb: dot(vel(back), frame(back)*(0, 1, 0)) = 0
independent x, be
""", why(BOUND, BODIES), "t=6/5 x=0 y=1/5 th=3/10 be=-2/5 x'=6/5 be'=7/10", "y'=0 th'=0")
def _(s):
    x, y, th, be = s.coords("x y th be")
    u, v, w1, w2 = s.v
    X2 = Matrix([x - R(3, 5) * cos(th) - R(2, 5) * cos(th + be), y - R(3, 5) * sin(th) - R(2, 5) * sin(th + be)])
    V2 = s.dot(X2)
    s.T = u**2 + v**2 + w1**2 / 4 + V2.dot(V2) / 2 + (w1 + w2)**2 / 10
    M = sin(t) * be - w2 / 5
    s.force(be, -M)
    s.force_at(X2, [0, -1])
    s.velocity("bf", -u * sin(th) + v * cos(th))
    s.velocity("bb", -V2[0] * sin(th + be) + V2[1] * cos(th + be))


@entry("redundant", """
# The third constraint follows from the others and is set aside.
coord x, y, z, w
kinetic (x'^2 + 2*y'^2 + z'^2 + 3*w'^2)/2 + x'*w'/4
potential x*y + z^2
constraint one: x' = z*y'
constraint two: w' = x*z' + 1
constraint both: x' + 2*w' = z*y' + 2*x*z' + 2
""", why(BOUND, STATED, AFFINE), "t=0 x=2/5 y=1/2 z=-3/5 w=1 y'=4/5 z'=7/10", "x'=0 w'=0")
def _(s):
    x, y, z, w = s.coords("x y z w")
    dx, dy, dz, dw = s.v
    s.T = dx**2 / 2 + dy**2 + dz**2 / 2 + R(3, 2) * dw**2 + dx * dw / 4
    s.U = x * y + z**2
    s.velocity("one", dx - z * dy)
    s.velocity("two", dw - x * dz - 1)


# ---- bodies, points, moving frames -------------------------------------------------------------------------------------------------
@entry("top_six", """
# A heavy top without symmetry: Cardan angles, six inertia values, a torque fixed in the body and one in space, no constraints.
param m = 2, l = 3/10, g = 981/100
coord a, b, c
let Q = rot(x, a)*rot(y, b)*rot(z, c)
body top: mass m at Q*(l/10, 0, l) inertia (1/5, 1/4, 3/20, -1/50, 1/40, 1/100) rotation Q
gravity (g/5, 0, -g)
torque on top = Q*(1/10, 0, -1/5) - 1/8*omega(top)
""", why(FREE, BODIES), "t=0 a=1/2 b=-3/10 c=4/5 a'=6/5 b'=7/10 c'=-2")
def _(s):
    a, b, c = s.coords("a b c")
    turn = about("x", a) * about("y", b) * about("z", c)
    I = Matrix([[R(1, 5), -R(1, 50), R(1, 40)], [-R(1, 50), R(1, 4), R(1, 100)], [R(1, 40), R(1, 100), R(3, 20)]])
    X, w = s.rigid(2, turn * Matrix([R(3, 100), 0, R(3, 10)]), turn, I)
    s.gravity([R(981, 500), 0, -R(981, 100)])
    s.torque(w, turn * Matrix([R(1, 10), 0, -R(1, 5)]) - w / 8)


@entry("slanted_rotor", """
# A rotor about a slanted axis on a platform that turns in a given way, and a particle that slides along it.
param m = 6/5, k = 5
coord phi, th, s
given F = t + sin(t)/4
let platform = rot(z, F)
body rotor: mass m at platform*(1/2, 0, 1) inertia (1/10, 1/6, 1/7) rotation platform*rot((1, 2, 2), phi)*rot(y, th)
point bead: mass 3/10 at pos(rotor) + frame(rotor)*(0, 1/5, s)
gravity (0, 0, -981/100)
potential k/2*s^2
dissipation phi'^2/9 + s'^2/7
""", why(FREE, BODIES), "t=3/4 phi=2/5 th=1/3 s=1/4 phi'=3/2 th'=-4/5 s'=1/2")
def _(s):
    phi, th, r = s.coords("phi th s")
    P = about("z", t + sin(t) / 4)
    turn = P * about([1, 2, 2], phi) * about("y", th)
    X, w = s.rigid(R(6, 5), P * Matrix([R(1, 2), 0, 1]), turn, diag(R(1, 10), R(1, 6), R(1, 7)))
    s.particle(R(3, 10), X + turn * Matrix([0, R(1, 5), r]))
    s.gravity([0, 0, -R(981, 100)])
    s.U += R(5, 2) * r**2
    s.force(phi, -2 * s.v[0] / 9)
    s.force(r, -2 * s.v[2] / 7)


@entry("driven_suslov", """
# Suslov's problem with a given spin about an axis fixed in the body: affine, rheonomic, six inertia values.
coord a, b, c
given sp = 1 + cos(3*t)/2
body B: mass 1 at (0, 0, 0) inertia (2, 3, 5/2, 1/5, -1/4, 1/3) rotation rot(z, a)*rot(y, b)*rot(x, c)
potential sin(b)*cos(c) + a^2/3
constraint spin: dot(omega(B), frame(B)*(1/3, 2/3, 2/3)) = sp
""", why(BOUND, BODIES, AFFINE), "t=1/4 a=1/2 b=2/5 c=-3/10 a'=3/5 b'=-1/2", "c'=1")
def _(s):
    a, b, c = s.coords("a b c")
    turn = about("z", a) * about("y", b) * about("x", c)
    I = Matrix([[2, R(1, 5), -R(1, 4)], [R(1, 5), 3, R(1, 3)], [-R(1, 4), R(1, 3), R(5, 2)]])
    X, w = s.rigid(1, [0, 0, 0], turn, I)
    s.U = sin(b) * cos(c) + a**2 / 3
    inside = turn.T * w
    s.velocity("spin", (inside[0] + 2 * inside[1] + 2 * inside[2]) / 3 - 1 - cos(3 * t) / 2)


@entry("hoop_bead", """
# A bead on a hoop that is turned and shaken; friction by tanh; no constraints.
param m = 1/2, r = 3/4, g = 981/100, mu = 2/5, v0 = 1/10
coord phi
given al = 2*t + cos(t)/3, h = sin(4*t)/9
point bead: mass m at (0, h/2, h) + rot(z, al)*(r*sin(phi), 0, -r*cos(phi))
gravity (0, 0, -g)
force phi = -mu*r*tanh(r*phi'/v0)
""", FREE, "t=7/10 phi=4/5 phi'=1/8")
def _(s):
    phi, = s.coords("phi")
    al, h, r = 2 * t + cos(t) / 3, sin(4 * t) / 9, R(3, 4)
    s.particle(R(1, 2), [r * sin(phi) * cos(al), h / 2 + r * sin(phi) * sin(al), h - r * cos(phi)])
    s.gravity([0, 0, -R(981, 100)])
    s.force(phi, -R(3, 10) * tanh(R(15, 2) * s.v[0]))


@entry("carousel_blade", """
# Points on a carousel whose motion is given, one of them behind a blade seen from the carousel; part of T is stated.
param m1 = 1, m2 = 1/2, J = 1/10
coord u, v, be
given al = t^2/3 + t
let D = rot(z, al)
point A: mass m1 at D*(u, v, 0)
point B: mass m2 at D*((u, v, 0) + 1/2*(cos(be), sin(be), 0))
kinetic J/2*(be' + al')^2
force on B = D*(1, 0, 0) + (0, t, 0)
constraint blade: u'*sin(be) - v'*cos(be) = 0
""", why(BOUND, STATED, VORONEC), "t=3/5 u=4/5 v=1/5 be=2/5 u'=7/10 be'=6/5", "v'=0")
def _(s):
    u, v, be = s.coords("u v be")
    du, dv, dbe = s.v
    al = t + t**2 / 3
    Z = Matrix([[cos(al), -sin(al)], [sin(al), cos(al)]])
    s.particle(1, Z * Matrix([u, v]))
    B = s.particle(R(1, 2), Z * Matrix([u + cos(be) / 2, v + sin(be) / 2]))
    s.T += (dbe + al.diff(t))**2 / 20
    s.force_at(B, [cos(al), sin(al) + t])
    s.velocity("blade", du * sin(be) - dv * cos(be))


@entry("moving_axis", """
# A body whose axis of rotation depends on a coordinate, with a prescribed size of its angular velocity.
coord u, phi, s
body B: mass 2 at (s, 0, u) inertia (1, 2, 3/2, 0, 1/5, 0) rotation rot((cos(u), sin(u), 1), phi)
gravity (0, 0, -3)
force s = -2*s + u
constraint spin: dot(omega(B), omega(B)) + s'^2 = (1 + t)^2
""", why(BOUND, BODIES, NONLINEAR), "t=1/2 u=2/5 phi=3/5 s=1/5 u'=4/5 s'=1/2", "phi'=1")
def _(s):
    u, phi, r = s.coords("u phi s")
    I = Matrix([[1, 0, R(1, 5)], [0, 2, 0], [R(1, 5), 0, R(3, 2)]])
    X, w = s.rigid(2, [r, 0, u], about([cos(u), sin(u), 1], phi), I)
    s.gravity([0, 0, -3])
    s.force(r, u - 2 * r)
    s.velocity("spin", w.dot(w) + s.v[2]**2 - (1 + t)**2)


@entry("two_rollers", """
# Four constraints on two bodies: a board on a ball that rolls under it and on the ground.
param m = 1, r = 1/4, J = 2/5*m*r^2, M = 2
coord x, y, a, b, c, X, Y, ga
body ball: mass m at (x, y, r) inertia (J, J, J) rotation rot(x, a)*rot(y, b)*rot(z, c)
body board: mass M at (X, Y, 2*r) inertia (1/2, 1/3, 3/4) rotation rot(z, ga)
force on board = (1, -1/2, 0) - 1/5*vel(board)
torque on board = (0, 0, 1/3)
constraint low: velat(ball, (x, y, 0)) = (0, 0, 0)
constraint high: velat(ball, (x, y, 2*r)) = velat(board, (x, y, 2*r))
independent a, b, c, ga
""", why(BOUND, BODIES, VORONEC),
       "t=0 x=1/5 y=2/5 a=1/2 b=3/10 c=-2/5 X=3/10 Y=1/10 ga=1/5 a'=1 b'=3/5 c'=-1/2 ga'=4/5", "x'=0 y'=0 X'=0 Y'=0")
def _(s):
    x, y, a, b, c, X, Y, ga = s.coords("x y a b c X Y ga")
    r = R(1, 4)
    P, w = s.rigid(1, [x, y, r], about("x", a) * about("y", b) * about("z", c), eye(3) * R(1, 40))
    B, W = s.rigid(2, [X, Y, 2 * r], about("z", ga), diag(R(1, 2), R(1, 3), R(3, 4)))
    s.force_at(B, Matrix([1, -R(1, 2), 0]) - s.dot(B) / 5)
    s.force(ga, R(1, 3))
    up = Matrix([0, 0, r])
    low = s.dot(P) - w.cross(up)
    high = s.dot(P) + w.cross(up) - s.dot(B) - W.cross(P + up - B)
    for i, axis in enumerate("xy"):
        s.velocity("low." + axis, low[i])
    for i, axis in enumerate("xy"):
        s.velocity("high." + axis, high[i])


@entry("tides", """
# Gravity that depends on place and time, a point on a graph, dissipation of fourth degree.
param m = 3/2
coord x, y, z
point P: mass m at (x, y, z)
gravity (-x, -2*y*x, -3 - t)
dissipation (1 + x^2)*dot(vel(P), vel(P))^2/20
constraint graph: z = x^2*y/2 + sin(y)
independent x, y
""", why(BOUND, {"chaplygin": "the constraint is on positions: the dependent one occurs in it"}), "t=2/5 x=4/5 y=-3/10 x'=1/2 y'=6/5", "z=0 z'=0")
def _(s):
    x, y, z = s.coords("x y z")
    P = s.particle(R(3, 2), [x, y, z])
    s.force_at(P, [-R(3, 2) * x, -3 * x * y, -R(3, 2) * (3 + t)])
    v2 = s.v[0]**2 + s.v[1]**2 + s.v[2]**2
    for q, v in zip(s.q, s.v):
        s.force(q, -(1 + x**2) * v2 * v / 5)
    s.place("graph", z - x**2 * y / 2 - sin(y))


@entry("chaplygin_rheonomic", """
# A constraint of Chaplygin's type with a kinetic energy that holds the time.
coord x, y, z
given k = 1 + t^2/3
kinetic k*x'^2/2 + (1 + x^2)*y'^2/2 + z'^2/2*k + y*t*x' + x'*z'/4
potential z^2*x
constraint c: z' = y*x' + cos(x)*y'
independent x, y
""", why(BOUND, STATED), "t=3/5 x=2/5 y=1/2 z=1/3 x'=4/5 y'=-3/5", "z'=0")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    k = 1 + t**2 / 3
    s.T = k * (dx**2 + dz**2) / 2 + (1 + x**2) * dy**2 / 2 + t * y * dx + dx * dz / 4
    s.U = z**2 * x
    s.velocity("c", dz - y * dx - cos(x) * dy)


@entry("crane", """
# Forces on points and on a body's centre that depend on velocities, a torque in space on a body turning about y and z.
param M = 3, m = 1, l = 2
coord x, th, ga
let P = (x, 0, 0)
body box: mass m at P + rot(y, th)*(0, 0, -l) inertia (1/5, 1/4, 1/3) rotation rot(y, th)*rot(z, ga)
point cart: mass M at P
gravity (0, 1, -981/100)
force on cart = (3*cos(t) - abs(x')*x'/4, 5, 0)
force on box = cross((0, 2, 0), vel(box)) - vel(box)/6
torque on box = (1/10, 1/5, ga'*th'/7)
""", why(FREE, BODIES), "t=1/2 x=1/5 th=3/5 ga=2/5 x'=-4/5 th'=1 ga'=3/2")
def _(s):
    x, th, ga = s.coords("x th ga")
    turn = about("y", th)
    X, w = s.rigid(1, Matrix([x, 0, 0]) - 2 * turn[:, 2], turn * about("z", ga), diag(R(1, 5), R(1, 4), R(1, 3)))
    C = s.particle(3, [x, 0, 0])
    s.gravity([0, 1, -R(981, 100)])
    s.force_at(C, [3 * cos(t) - Abs(s.v[0]) * s.v[0] / 4, 5, 0])
    V = s.dot(X)
    s.force_at(X, Matrix([2 * V[2], 0, -2 * V[0]]) - V / 6)
    s.torque(w, [R(1, 10), R(1, 5), s.v[2] * s.v[1] / 7])


# ---- coordinates without mass ------------------------------------------------------------------------------------------------------
@entry("massless_wheel", """
# A blade with a wheel that measures the way and has no mass, but a spring.
param m = 1, J = 1/3, r = 1/5, k = 2
coord x, y, phi, w
kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2
potential k/2*w^2
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
constraint wheel: r*w' = x'*cos(phi) + y'*sin(phi)
independent phi, x
""", why(BOUND, STATED, MASSLESS), "t=0 x=1/5 y=2/5 phi=1/2 w=3/4 x'=6/5 phi'=4/5", "y'=0 w'=0")
def _(s):
    x, y, phi, w = s.coords("x y phi w")
    dx, dy, dphi, dw = s.v
    s.T = (dx**2 + dy**2) / 2 + dphi**2 / 6
    s.U = w**2
    s.velocity("blade", dx * sin(phi) - dy * cos(phi))
    s.velocity("wheel", dw / 5 - dx * cos(phi) - dy * sin(phi))


@entry("odometer", """
# The length of the way as a coordinate without mass, with a drag that acts on it: nonlinear.
param m = 7/5
coord x, y, s
point P: mass m at (x, y)
gravity (0, -4)
force s = -s'^2/3 - s/5
constraint way: s'^2 = x'^2 + y'^2
""", why(BOUND, NONLINEAR, MASSLESS), "t=0 x=1/2 y=1/3 s=2/3 x'=4/5 y'=-7/10", "s'=1")
def _(s):
    x, y, r = s.coords("x y s")
    dx, dy, dr = s.v
    s.T = R(7, 10) * (dx**2 + dy**2)
    s.U = R(28, 5) * y
    s.force(r, -dr**2 / 3 - r / 5)
    s.velocity("way", dr**2 - dx**2 - dy**2)


@entry("massless_lever", """
# A coordinate without mass tied by a geometric constraint that moves, beside an affine nonholonomic one.
coord x, y, z, u
kinetic (x'^2 + y'^2)/2 + z'^2*(1 + x^2)/2
potential u^2 + u*z
dissipation u'^2/4
constraint lever: u = x*y + sin(t) + u^3/5
constraint roll: z' = x*y' - t
""", why(BOUND, STATED, MASSLESS, AFFINE), "t=1/2 x=2/5 y=-3/5 z=1/5 x'=4/5 y'=1/2", "u=1/4 u'=0 z'=0")
def _(s):
    x, y, z, u = s.coords("x y z u")
    dx, dy, dz, du = s.v
    s.T = (dx**2 + dy**2 + dz**2 + x**2 * dz**2) / 2
    s.U = u**2 + u * z
    s.force(u, -du / 2)
    s.place("lever", u - x * y - sin(t) - u**3 / 5)
    s.velocity("roll", dz - x * dy + t)


@entry("massless_trolley", """
# A bar on two trolleys without mass of their own: points move with coordinates that carry no mass.
param l = 1, g = 981/100
coord a, b, th
point tip: mass 2 at (a + l*cos(th), b + l*sin(th))
gravity (0, -g)
force a = -a'/2
force b = -3*b
constraint hook: b' = a'*cos(a) + th'/3
independent a, th
""", why(BOUND, MASSLESS), "t=0 a=1/2 b=1/5 th=4/5 a'=3/5 th'=-1", "b'=0")
def _(s):
    a, b, th = s.coords("a b th")
    s.particle(2, [a + cos(th), b + sin(th)])
    s.gravity([0, -R(981, 100)])
    s.force(a, -s.v[0] / 2)
    s.force(b, -3 * b)
    s.velocity("hook", s.v[1] - s.v[0] * cos(a) - s.v[2] / 3)


# ---- Lagrangians that are not quadratic, potentials that depend on velocities ------------------------------------------------------
@entry("relativistic", """
# A fast particle under an affine rheonomic constraint.
param m = 1, c = 3, E = 2/5
coord x, y, z
lagrangian -m*c^2*sqrt(1 - (x'^2 + y'^2 + z'^2)/c^2) + E*x*(1 + t)
force y = -y'/5
constraint k: z' = x*y' + sin(t)
""", why(BOUND, STATED, AFFINE), "t=3/5 x=1/2 y=1/4 z=-2/5 x'=3/2 y'=6/5", "z'=1")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = -9 * sqrt(1 - (dx**2 + dy**2 + dz**2) / 9)
    s.U = -R(2, 5) * x * (1 + t)
    s.force(y, -dy / 5)
    s.velocity("k", dz - x * dy - sin(t))


@entry("quartic", """
# A quartic Lagrangian with a nonlinear constraint and one quasi-velocity that is not linear.
coord x, y, z
lagrangian x'^2/2 + y'^2 + z'^2/2 + (x'^4 + y'^2*z'^2)/12 + t*x*y' - x^2*z - y^2/2
constraint c: x'*y' + z'^2 = 1 + x^2 + t/2
quasi u = x'^3 + y'
quasi v = y' - x*t
""", why(BOUND, STATED, NONLINEAR), "t=2/5 x=1/5 y=3/5 z=1/2 x'=7/10 y'=1/2", "z'=1")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = dx**2 / 2 + dy**2 + dz**2 / 2 + dx**4 / 12 + dy**2 * dz**2 / 12
    s.U = x**2 * z + y**2 / 2 - t * x * dy
    s.velocity("c", dx * dy + dz**2 - 1 - x**2 - t / 2)


@entry("charged_blade", """
# A charged blade in a magnetic field that changes: a potential that depends on velocities.
param m = 1, J = 1/4, qe = 3/2, B0 = 2
coord x, y, phi
kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2
let B = B0*(1 + t/5)
potential qe*x*y - qe*(-B*y*x' + B*x*y')/2
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
independent x, phi
""", why(BOUND, STATED), "t=1/2 x=1/5 y=2/5 phi=3/5 x'=6/5 phi'=4/5", "y'=0",
       either={"chaplygin": "T is free of y, the potential that depends on velocities is not"})
def _(s):
    x, y, phi = s.coords("x y phi")
    dx, dy, dphi = s.v
    B = 2 + R(2, 5) * t
    s.T = (dx**2 + dy**2) / 2 + dphi**2 / 8
    s.U = R(3, 2) * x * y
    # the Lorentz force q(E + v x B), E = -dA/dt with A = B/2 (-y, x)
    s.force(x, R(3, 2) * (B * dy + R(2, 5) * y / 2))
    s.force(y, R(3, 2) * (-B * dx - R(2, 5) * x / 2))
    s.velocity("blade", dx * sin(phi) - dy * cos(phi))


@entry("charged_points", """
# Two charged points in a magnetic field, by a potential that depends on velocities; an affine constraint; friction of third degree.
param m1 = 1, m2 = 3/2, e1 = 1, e2 = -2/3, B = 3/2
coord x, y, u, v
point P: mass m1 at (x, y, 0)
point Q: mass m2 at (u, v, x*u/4)
let A(r) = B/2*cross((0, 0, 1), r)
potential -e1*dot(A(pos(P)), vel(P)) - e2*dot(A(pos(Q)), vel(Q)) + 1/norm(pos(P) - pos(Q))
gravity (0, 1, -2)
dissipation norm(vel(P))^3/9
constraint link: x' + y*u' = v' - t
""", why(BOUND, AFFINE), "t=1/2 x=0 y=1/5 u=6/5 v=4/5 x'=3/5 y'=1/2 u'=-7/10", "v'=0")
def _(s):
    x, y, u, v = s.coords("x y u v")
    dx, dy, du, dv = s.v
    P, Q = s.particle(1, [x, y, 0]), s.particle(R(3, 2), [u, v, x * u / 4])
    s.gravity([0, 1, -2])
    s.U += 1 / sqrt((x - u)**2 + (y - v)**2 + (x * u / 4)**2)
    for X, charge in ((P, 1), (Q, -R(2, 3))):  # e v x B, B along z
        V = s.dot(X)
        s.force_at(X, [charge * R(3, 2) * V[1], -charge * R(3, 2) * V[0], 0])
    speed = sqrt(dx**2 + dy**2)
    s.force(x, -speed * dx / 3)
    s.force(y, -speed * dy / 3)
    s.velocity("link", dx + y * du - dv + t)


@entry("lagrangian_blade", """
# A Lagrangian stated whole: the dependent coordinate stands beside a velocity.
coord x, y, phi
lagrangian (x'^2 + y'^2 + phi'^2)/2 + x'*phi'*sin(phi)/3 - y*x' + x*phi'*y - y^2
force x = -x'/4
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
independent x, phi
""", why(BOUND, STATED, VORONEC), "t=0 x=1/5 y=2/5 phi=3/5 x'=6/5 phi'=4/5", "y'=0")
def _(s):
    x, y, phi = s.coords("x y phi")
    dx, dy, dphi = s.v
    s.T = (dx**2 + dy**2 + dphi**2) / 2 + dx * dphi * sin(phi) / 3
    s.U = y**2 + y * dx - x * y * dphi
    s.force(x, -dx / 4)
    s.velocity("blade", dx * sin(phi) - dy * cos(phi))


@entry("weber", """
# Weber's potential between a charge and a centre, in polar coordinates, with a nonlinear constraint.
param m = 1, k = 4/5, c = 2
coord r, th, z
kinetic m/2*(r'^2 + r^2*th'^2 + z'^2)
potential k/r*(1 - r'^2/(2*c^2))
constraint areal: r^2*th' = z'^2 + z
initial r = 1, z = 1
""", why(BOUND, STATED, NONLINEAR), "t=0 r=6/5 th=1/5 z=1/2 r'=3/5 z'=4/5", "th'=1")
def _(s):
    r, th, z = s.coords("r th z")
    dr, dth, dz = s.v
    s.T = (dr**2 + r**2 * dth**2 + dz**2) / 2
    s.U = R(4, 5) / r - R(1, 10) * dr**2 / r
    s.velocity("areal", r**2 * dth - dz**2 - z)


@entry("weber_points", """
# The same potential between two points, which adds to the inertia, under a linear constraint.
param k = 4/5, c = 2
coord x, y, u
point P: mass 1 at (x, y)
point Q: mass 2 at (0, 0, u)
let r = norm(pos(P) - pos(Q))
potential k/r*(1 - r'^2/(2*c^2))
constraint c: u' = x*y' - y*x'
initial x = 1, u = 1
quasi a = x' + y*u'
quasi b = y' - t*x'
""", why(BOUND), "t=1/2 x=1 y=1/5 u=1/2 x'=3/5 y'=4/5", "u'=0",
       either={"chaplygin": "T is free of u, the potential that depends on velocities is not"})
def _(s):
    x, y, u = s.coords("x y u")
    dx, dy, du = s.v
    r = sqrt(x**2 + y**2 + u**2)
    dr = (x * dx + y * dy + u * du) / r
    s.T = (dx**2 + dy**2) / 2 + du**2
    s.U = R(4, 5) / r * (1 - dr**2 / 8)
    s.velocity("c", du - x * dy + y * dx)


# ---- quasi-velocities, functions, parameters ---------------------------------------------------------------------------------------
@entry("quasi_affine", """
# Affine rheonomic quasi-velocities with an affine constraint.
param m = 3/2, J = 1/2
coord x, y, phi
given W = cos(t)
kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2 + m*x'*phi'*sin(phi)/5
potential x*y/2
constraint wind: y'*cos(phi) - x'*sin(phi) = W*x
quasi v = x'*cos(phi) + y'*sin(phi) - t*y
quasi w = (1 + x^2)*phi' + t*x/3 + x'*W
""", why(BOUND, STATED, AFFINE), "t=4/5 x=3/10 y=1/5 phi=2/5 x'=7/10 phi'=-6/5", "y'=0")
def _(s):
    x, y, phi = s.coords("x y phi")
    dx, dy, dphi = s.v
    s.T = R(3, 4) * (dx**2 + dy**2) + dphi**2 / 4 + R(3, 10) * sin(phi) * dx * dphi
    s.U = x * y / 2
    s.velocity("wind", dy * cos(phi) - dx * sin(phi) - x * cos(t))


@entry("quasi_free", """
# No constraints, three linear quasi-velocities with coefficients that depend on place and time.
param k = 2
coord x, y, z
kinetic (x'^2 + y'^2 + (1 + y^2)*z'^2)/2 + x'*z'/3
potential k*x*z + y^2
force x = -y'*z'
quasi u = x' + z*y'
quasi v = exp(t/4)*y' - x*z'
quasi w = z' + y*x'/2
""", why(FREE, STATED), "t=3/5 x=1/5 y=2/5 z=-1/2 x'=1 y'=3/5 z'=-4/5")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = (dx**2 + dy**2 + dz**2 + y**2 * dz**2) / 2 + dx * dz / 3
    s.U = 2 * x * z + y**2
    s.force(x, -dy * dz)


@entry("quasi_speed", """
# Speed and inclination of the velocity as quasi-velocities, under a linear constraint.
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2 + x*y'*z'/5
potential x^2 + 2*z
constraint k: z' = y*x'
independent x, y
quasi sp = sqrt(x'^2 + y'^2)
quasi inc = y'/x' + t
""", why(BOUND, STATED, CURVED), "t=1/5 x=2/5 y=3/5 z=1/4 x'=4/5 y'=1/2", "z'=0")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = (dx**2 + dy**2 + dz**2) / 2 + x * dy * dz / 5
    s.U = x**2 + 2 * z
    s.velocity("k", dz - y * dx)


@entry("functions", """
# Functions, derivatives in the model, parameters defined by other parameters, min, max, sign and abs away from their corners.
const N = 3
param m = 3/2, k = N*m/2, w0 = sqrt(k/m), al = pi/w0^2/7
function f(u) = u^2/3 + sin(u)
function g(u, v) = f(u)*exp(-v)
coord x, y, z
let L0 = m/2*(x'^2 + y'^2) + k/4*z'^2 + diff(g(x, y), x)*z'^2/9
kinetic L0
potential diff(f(x)*y^2, y)/2 + max(x, -7)^2*w0
force z = sign(z' + 4)*abs(z')*z'*al - min(x', 9)/5
constraint whirl: ddt(x*y) + ddt(f(z)) = cos(al)*y'
""", why(BOUND, STATED, VORONEC), "t=0 x=2/5 y=3/5 z=1/2 x'=3/5 z'=-4/5", "y'=0")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    k, w0 = R(9, 4), sqrt(R(3, 2))
    al = pi * R(2, 21)
    s.T = R(3, 4) * (dx**2 + dy**2) + k / 4 * dz**2 + (2 * x / 3 + cos(x)) * exp(-y) * dz**2 / 9
    s.U = (x**2 / 3 + sin(x)) * y + x**2 * w0
    s.force(z, -al * dz**2 - dx / 5)  # z' < 0
    s.velocity("whirl", dx * y + x * dy + (2 * z / 3 + cos(z)) * dz - cos(al) * dy)


@entry("chaplygin_sleigh", """
# Chaplygin's sleigh with its blade before the centre, a force on a dependent coordinate and smooth friction.
param m = 1, J = 1/3, a = 2/5, mu = 1/4
coord x, y, th
let c = (x + a*cos(th), y + a*sin(th), 0)
kinetic m/2*dot(c', c') + J/2*th'^2
force y = 3/2
force th = -mu*atan(10*th')
constraint blade: x'*sin(th) = y'*cos(th)
independent x, th
""", why(BOUND, STATED), "t=0 x=1/5 y=-2/5 th=4/5 x'=3/5 th'=7/10", "y'=0")
def _(s):
    from sympy import atan
    x, y, th = s.coords("x y th")
    dx, dy, dth = s.v
    u, v = dx - R(2, 5) * sin(th) * dth, dy + R(2, 5) * cos(th) * dth
    s.T = (u**2 + v**2) / 2 + dth**2 / 6
    s.force(y, R(3, 2))
    s.force(th, -atan(10 * dth) / 4)
    s.velocity("blade", dx * sin(th) - dy * cos(th))


@entry("heisenberg_points", """
# Linear homogeneous stationary constraint on points alone: Volterra's own case.
param m = 2
coord x, y, z
point P: mass m at (x, y, z)
gravity (0, 1, -3)
force on P = -1/4*vel(P)
constraint k: z' = y*x' - x*y'/2
independent x, y
quasi u = x' + y*y'
quasi v = y' - x*x'
""", why(BOUND), "t=0 x=1/2 y=-1/5 z=3/5 x'=4/5 y'=3/5", "z'=0")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = dx**2 + dy**2 + dz**2
    s.U = -2 * y + 6 * z
    for q, v in zip(s.q, s.v):
        s.force(q, -v / 4)
    s.velocity("k", dz - y * dx + x * dy / 2)


# ---- vakonomic motion --------------------------------------------------------------------------------------------------------------
@entry("vak_sleigh", """
# A linear constraint, a force and dissipation.
param m = 2, J = 1/2, a = 1/3
coord x, y, th
kinetic m/2*(x'^2 + y'^2) + J/2*th'^2
potential -3*x
force th = 1/5 - th'/4
constraint blade: x'*sin(th) - y'*cos(th) + a*th' = 0
""", {}, "t=0 x=1/5 y=2/5 th=3/5 x'=4/5 th'=1", "y'=0", {"blade": R(3, 5)})
def _(s):
    x, y, th = s.coords("x y th")
    dx, dy, dth = s.v
    s.T = dx**2 + dy**2 + dth**2 / 4
    s.U = -3 * x
    s.force(th, R(1, 5) - dth / 4)
    s.velocity("blade", dx * sin(th) - dy * cos(th) + dth / 3)


@entry("vak_nonlinear", """
# A nonlinear rheonomic constraint.
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential x*y + 2*z
constraint v: x'^2 + (1 + x^2)*y'^2 + z'^2 = (2 + t/3)^2
""", {}, "t=1/2 x=1/5 y=2/5 z=0 x'=4/5 y'=1", "z'=3/2", {"v": -R(2, 5)})
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = (dx**2 + dy**2 + dz**2) / 2
    s.U = x * y + 2 * z
    s.velocity("v", dx**2 + dy**2 + x**2 * dy**2 + dz**2 - (2 + t / 3)**2)


@entry("vak_two", """
# Two constraints, one affine and rheonomic, one cubic, on a metric that depends on place.
coord a, b, c, d
kinetic (a'^2 + b'^2 + (1 + a^2)*c'^2 + 2*d'^2)/2
potential a*d
dissipation b'^2/5
constraint one: d' = a*c' - b*t + a'*sin(c)
constraint two: b'^3 + a'*c' = 1 + a + t
independent a, c
""", {}, "t=1/4 a=1/5 b=3/5 c=2/5 d=0 a'=3/5 c'=1/2", "b'=1 d'=0", {"one": R(7, 10), "two": R(1, 5)})
def _(s):
    a, b, c, d = s.coords("a b c d")
    da, db, dc, dd = s.v
    s.T = (da**2 + db**2 + dc**2 + a**2 * dc**2) / 2 + dd**2
    s.U = a * d
    s.force(b, -R(2, 5) * db)
    s.velocity("one", dd - a * dc + b * t - da * sin(c))
    s.velocity("two", db**3 + da * dc - 1 - a - t)


@entry("vak_coin", """
# A rolling coin as a body, with a torque.
param m = 2, r = 1/4
coord x, y, phi, psi
body coin: mass m at (x, y, r) inertia (m*r^2/4, m*r^2/2, m*r^2/4) rotation rot(z, phi)*rot(y, psi)
gravity (1, 0, -9)
torque on coin = (0, 0, 1/5)
constraint roll: velat(coin, (x, y, 0)) = (0, 0, 0)
""", {}, "t=0 x=1/2 y=1/3 phi=3/5 psi=1/4 phi'=11/10 psi'=7/2", "x'=0 y'=0", {"roll.x": R(1, 3), "roll.y": -R(1, 2)})
def _(s):
    x, y, phi, psi = s.coords("x y phi psi")
    r = R(1, 4)
    X, w = s.rigid(2, [x, y, r], about("z", phi) * about("y", psi), diag(R(1, 32), R(1, 16), R(1, 32)))
    s.gravity([1, 0, -9])
    s.force(phi, R(1, 5))
    s.velocity("roll.x", s.v[0] - r * s.v[3] * cos(phi))
    s.velocity("roll.y", s.v[1] - r * s.v[3] * sin(phi))


@entry("vak_mixed", """
# A geometric constraint beside a nonlinear one (its own multiplier does not matter, only its rate does).
coord x, y, z, w
kinetic (x'^2 + y'^2 + z'^2 + w'^2)/2 + x*y'*w'/4
potential z + x*w
constraint surf: z = x*y + w^2/2
constraint n: w'^2 = x'*y' + 1 + t + z
""", {}, "t=1/3 x=1/2 y=1/5 w=2/5 x'=3/5 y'=4/5", "z=0 z'=0 w'=1", {"surf": R(0), "n": R(3, 10)})
def _(s):
    x, y, z, w = s.coords("x y z w")
    dx, dy, dz, dw = s.v
    s.T = (dx**2 + dy**2 + dz**2 + dw**2) / 2 + x * dy * dw / 4
    s.U = z + x * w
    s.place("surf", z - x * y - w**2 / 2)
    s.velocity("n", dw**2 - dx * dy - 1 - t - z)


@entry("vak_relativistic", """
# A Lagrangian that is not quadratic and a constraint that is not linear, with a given motion.
param c = 3
coord x, y, z
given G = sin(t)
lagrangian -c^2*sqrt(1 - (x'^2 + y'^2 + z'^2)/c^2) - x*z
constraint n: z'*(1 + y'^2/4) = x*y' + G
""", {}, "t=2/5 x=1/2 y=1/5 z=0 x'=1 y'=4/5", "z'=1/2", {"n": R(4, 5)})
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    s.T = -9 * sqrt(1 - (dx**2 + dy**2 + dz**2) / 9)
    s.U = x * z
    s.velocity("n", dz + dz * dy**2 / 4 - x * dy - sin(t))


# ---- the table: constraints of order 2 and 3 ----------------------------------------------------------------------------------------
@entry("two_thrusts", """
# Two constraints of order 2 on a stated kinetic energy with masses that depend on the position, one of them with the time in it.
param m = 3/2, b = 2/5
coord x, y, z
kinetic (m + x^2)/2*x'^2 + m*(2 + cos(x))/2*y'^2 + (1 + y^2)/2*z'^2 + x*y/5*x'*z' + z*y'/3
potential x*y + z^2/2
force y = -b*y'*z
constraint thrust: x'*x'' + y'*y'' = b*sqrt(x'^2 + y'^2) + sin(t)*z'
constraint lean: (1 + x^2)*z'' - cos(t)*x'' = y*y'^2
""", why(LOWER), "t=1/3 x=2/5 y=3/10 z=-1/4 x'=6/5 y'=4/5 z'=1/2")
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    ax, ay, az = s.a
    s.T = (R(3, 2) + x**2) / 2 * dx**2 + R(3, 4) * (2 + cos(x)) * dy**2 + (1 + y**2) / 2 * dz**2 + x * y / 5 * dx * dz + z * dy / 3
    s.U = x * y + z**2 / 2
    s.force(y, -R(2, 5) * dy * z)
    s.acceleration("thrust", dx * ax + dy * ay - R(2, 5) * sqrt(dx**2 + dy**2) - sin(t) * dz)
    s.acceleration("lean", (1 + x**2) * az - cos(t) * ax - y * dy**2)


@entry("steered_sleigh", """
# A sleigh with a weight that slides along it. The blade is a constraint of order 1, the drive one of order 2; quasi-velocities.
param m = 6/5, J = 7/10, a = 1/4, M = 1/2, c = 3/10
coord theta, x, y, s
quasi w = theta'
quasi v = x'*cos(theta) + y'*sin(theta)
quasi u = s' + w
body sledge: mass m at (x, y, 0) inertia (0, 0, J) rotation rot(z, theta)
point weight: mass M at (x + s*cos(theta), y + s*sin(theta), 0)
force on weight = (1/2, -1, 0)
constraint blade: y'*cos(theta) - x'*sin(theta) = a*theta'
constraint drive: s'' + c*s' = theta'*(x''*cos(theta) + y''*sin(theta)) + s
""", why(LOWER), "t=1/5 theta=2/5 x=1/10 y=-1/5 s=3/4 theta'=7/10 x'=6/5 s'=-1/3", "y'=1/2")
def _(s):
    th, x, y, r = s.coords("theta x y s")
    dth, dx, dy, dr = s.v
    ath, ax, ay, ar = s.a
    s.rigid(R(6, 5), [x, y, 0], about("z", th), diag(0, 0, R(7, 10)))
    W = s.particle(R(1, 2), [x + r * cos(th), y + r * sin(th), 0])
    s.force_at(W, [R(1, 2), -1, 0])
    s.velocity("blade", dy * cos(th) - dx * sin(th) - dth / 4)
    s.acceleration("drive", ar + R(3, 10) * dr - dth * (ax * cos(th) + ay * sin(th)) - r)


@entry("three_orders", """
# A point on a moving ellipsoid (order 0) whose speed obeys a cubic law (order 1, no closed form) beside a wheel whose angular
# acceleration follows it (order 2).
param m = 4/5, J = 2
coord x, y, z, phi
kinetic m/2*(x'^2 + y'^2 + z'^2) + J/2*phi'^2
potential 3*m*z
constraint shell: x^2 + y^2 + 2*z^2 = 3 + t^2/10
constraint law: x'^3 + y'^2*z' + phi'^2*x + y' = 1
constraint wheel: phi'' = y*x'' - phi'*z'*sin(phi)
""", why(LOWER), "t=1/2 x=1/3 y=4/5 phi=2/5 x'=1/4 phi'=3/5", "z=1 y'=3/4 z'=-1/5")
def _(s):
    x, y, z, p = s.coords("x y z phi")
    dx, dy, dz, dp = s.v
    ax, ay, az, ap = s.a
    s.T = R(2, 5) * (dx**2 + dy**2 + dz**2) + dp**2
    s.U = R(12, 5) * z
    s.place("shell", x**2 + y**2 + 2 * z**2 - 3 - t**2 / 10)
    s.velocity("law", dx**3 + dy**2 * dz + dp**2 * x + dy - 1)
    s.acceleration("wheel", ap - y * ax + dp * dz * sin(p))


@entry("gentle_crane", """
# A pendulum below a trolley whose jerk is damped: order 3, the pull on the trolley is part of the state.
param m = 1/2, M = 3/2, l = 4/5, g = 10, c = 6/5
coord x, phi
point trolley: mass M at (x, 0, 0)
point load: mass m at (x + l*sin(phi), 0, -l*cos(phi))
gravity (0, 0, -g)
constraint smooth: x''' + c*x'' = sin(t)*phi'*phi''
""", why(LOWER, JERK), "t=3/5 x=1/5 phi=1/3 x'=2/5 phi'=-7/10", pull={"smooth": R(5, 4)})
def _(s):
    x, p = s.coords("x phi")
    dx, dp = s.v
    ax, ap = s.a
    s.particle(R(3, 2), [x, 0, 0])
    s.particle(R(1, 2), [x + R(4, 5) * sin(p), 0, -R(4, 5) * cos(p)])
    s.gravity([0, 0, -10])
    s.jerk("smooth", s.j[0] + R(6, 5) * ax - sin(t) * dp * ap)


@entry("steady_acceleration", """
# The size of an acceleration is kept: nonlinear in q'', so it is stated by its time derivative, of order 3. Its reaction depends on q''.
param m = 6/5
coord x, y, z
kinetic m/2*(x'^2 + y'^2 + z'^2) + x*y/4*x'*z'
potential 3*z + x^2*y
constraint size: ddt(x''^2 + 2*y''^2 + z''^2) = 0
""", why(LOWER, JERK), "t=0 x=1/5 y=1/3 z=1/4 x'=2/5 y'=-7/10 z'=1/2", pull={"size": R(-2, 5)})
def _(s):
    x, y, z = s.coords("x y z")
    dx, dy, dz = s.v
    ax, ay, az = s.a
    jx, jy, jz = s.j
    s.T = R(3, 5) * (dx**2 + dy**2 + dz**2) + x * y / 4 * dx * dz
    s.U = 3 * z + x**2 * y
    s.jerk("size", 2 * ax * jx + 4 * ay * jy + 2 * az * jz)


@entry("all_orders", """
# A blade (order 1), a bead on a parabola (order 0), a drive (order 2) and two damped jerks (order 3) in one system.
param m = 1, J = 3/2, a = 1/3
coord x, y, theta, u, w, z
kinetic m/2*(x'^2 + y'^2 + u'^2 + w'^2 + z'^2) + J/2*theta'^2 + x*u'*theta'/5
potential z*x + u^2*y
constraint blade: y'*cos(theta) - x'*sin(theta) = a*theta'
constraint bead: w = u^2/2
constraint smooth: z''' + x'*z'' = theta'*u''
constraint drive: theta'' + u'*u'' = x*cos(t)
constraint even: x''' + y*z''' = u'*theta'' - x
""", why(LOWER, JERK), "t=1/4 x=1/5 y=1/3 theta=2/3 u=3/5 z=-1/2 x'=2/5 theta'=4/5 u'=-1/2 z'=1/3", "w=1/5 y'=1/2 w'=0",
       pull={"smooth": R(3, 4), "even": R(-1, 2)})
def _(s):
    x, y, th, u, w, z = s.coords("x y theta u w z")
    dx, dy, dth, du, dw, dz = s.v
    ax, ay, ath, au, aw, az = s.a
    s.T = (dx**2 + dy**2 + du**2 + dw**2 + dz**2) / 2 + R(3, 4) * dth**2 + x * du * dth / 5
    s.U = z * x + u**2 * y
    s.velocity("blade", dy * cos(th) - dx * sin(th) - dth / 3)
    s.place("bead", w - u**2 / 2)
    s.jerk("smooth", s.j[5] + dx * az - dth * au)
    s.acceleration("drive", ath + du * au - x * cos(t))
    s.jerk("even", s.j[0] + y * s.j[5] - du * ath + x)


# ---- numbers -----------------------------------------------------------------------------------------------------------------------
def read(text):
    """'x=1/5 y'=2' -> {name: exact value}"""
    return {k: R(v) for k, v in (part.split("=") for part in text.split())}


def number(v):
    return mpmath.mpf(v.p) / v.q if hasattr(v, "p") else v


def shown(v, digits=40):
    return mpmath.nstr(v, digits, strip_zeros=True, min_fixed=-10, max_fixed=30)


def solve(e):
    s = Mechanics()
    e["build"](s)
    n, q, v = len(s.q), s.q, s.v
    name_of = {str(x): x for x in q + v}
    symbols = [t] + q + v
    exact, wanted = read(e["state"]), read(e["solve"])
    value = {t: number(exact.pop("t"))}
    value.update({name_of[k]: number(x) for k, x in exact.items()})

    def evaluate(expr):
        f = lambdify([symbols], expr, modules="mpmath", cse=True)
        return f([value[x] for x in symbols])

    def complete(functions, unknown):  # Newton's method at full precision
        if not unknown:
            return
        others = [x for x in symbols if x in value and x not in unknown]
        f = lambdify([unknown, others], list(functions), modules="mpmath", cse=True)
        J = lambdify([unknown, others], Matrix(functions).jacobian(unknown), modules="mpmath", cse=True)
        x = mpmath.matrix([number(wanted[str(u)]) for u in unknown])
        rest = [value[y] for y in others]
        for _ in range(100):
            step = mpmath.lu_solve(mpmath.matrix(J(list(x), rest)), mpmath.matrix(f(list(x), rest)))
            x -= step
            if mpmath.norm(step) < mpmath.mpf(10)**-64:
                break
        else:
            raise ArithmeticError("%s: no solution of the constraints from the guess" % e["name"])
        value.update(dict(zip(unknown, x)))

    places = [h for _, h, order in s.constraints if order == 0]
    lower = [c for c in s.constraints if c[2] < 3]
    phis = [f if order else s.dot(f) for _, f, order in lower if order < 2]
    complete(places, [x for x in q if str(x) in wanted])
    complete(phis, [x for x in v if str(x) in wanted])
    assert set(value) == set(symbols), (e["name"], "the state has gaps")

    rate = lambda f: sum((f.diff(a) * b for a, b in zip(q, v)), f.diff(t))  # the part of d/dt without q''
    L = s.T - s.U
    p = [L.diff(x) for x in v]
    M = Matrix(n, n, lambda i, j: p[i].diff(v[j]))
    h = Matrix([rate(p[i]) - L.diff(q[i]) - s.extra.get(i, 0) for i in range(n)])
    rows, b = [], []
    for _, f, order in lower:
        f = f if order else s.dot(f)
        rows.append([f.diff(y) for y in (s.a if order == 2 else v)])
        b.append(-(f.subs({y: 0 for y in s.a}) if order == 2 else rate(f)))
    k = len(rows)
    A = Matrix(rows) if k else zeros(0, n)
    free_M, free_h = M.copy(), h.copy()
    for name, f, order in s.constraints:
        for i in range(n if order == 3 else 0):  # a reaction that is known once q'' is
            row = f.diff(s.j[i])
            h[i] -= e["pull"][name] * row.subs({y: 0 for y in s.a})
            for j in range(n):
                M[i, j] -= e["pull"][name] * row.diff(s.a[j])
    lam = e["lam"]
    if lam:
        for name, f, order in s.constraints:
            if order == 0:
                continue  # f = dh/dt: E(f) = 0
            for i in range(n):
                g = f.diff(v[i])
                h[i] -= lam[name] * (rate(g) - f.diff(q[i]))
                for j in range(n):
                    M[i, j] -= lam[name] * g.diff(v[j])
    K = mpmath.zeros(n + k)
    rhs = mpmath.zeros(n + k, 1)
    Mn, An = evaluate(M), evaluate(A) if k else None
    hn, bn = evaluate(h), evaluate(list(b))
    for i in range(n):
        rhs[i] = -hn[i]
        for j in range(n):
            K[i, j] = Mn[i, j]
    for i in range(k):
        rhs[n + i] = bn[i]
        for j in range(n):
            K[n + i, j] = An[i, j]
            K[j, n + i] = -An[i, j]
    x = mpmath.lu_solve(K, rhs)
    assert mpmath.norm(K * x - rhs) < mpmath.mpf(10)**-60
    condition = mpmath.mnorm(K, 1) * mpmath.mnorm(mpmath.inverse(K), 1)
    assert condition < 10**6, (e["name"], "badly conditioned", condition)
    tiny = mpmath.mpf(10)**-60
    at = ["t=%s" % R(read(e["state"])["t"])]
    given = read(e["state"])
    for y in q + v:
        at.append("%s=%s" % (y, given[str(y)] if str(y) in given else shown(value[y], 45)))
    for given_multipliers in (lam or {}, e["pull"]):
        at += ["lambda[%s]=%s" % item for item in given_multipliers.items() if item[1]]
    tidy = lambda z: "0" if abs(z) < tiny else shown(z)
    out = {"model": e["name"] + ".ham", "form": "vakonomic" if lam else "multipliers", "forms": "vakonomic" if lam else "all",
           "at": ", ".join(at), "qdd": {str(c): tidy(x[i]) for i, c in enumerate(q)}}
    if lam:
        out["lambdad"] = {c[0]: tidy(x[n + i]) for i, c in enumerate(s.constraints) if c[2]}
    else:
        out["lambda"] = {c[0]: tidy(x[n + i]) for i, c in enumerate(lower)}
        if e["pull"]:
            out["lambdad"] = {name: tidy(z) for name, z in pull_rates(e, s, free_M * Matrix(s.a) + free_h, A, b, lower, value, x).items()}
        out["refuses"] = dict(sorted(e["refuses"].items()))
        if e["either"]:
            out["either"] = e["either"]
    return out


def pull_rates(e, s, force, A, b, lower, value, x):
    """lambda' of the constraints of order 3: d/dt of N - sum lambda row = 0 and of A q'' - b = 0, and the constraints themselves, solved for q''',
    the rates of the other multipliers and lambda'."""
    n, k = len(s.q), len(lower)
    third = [c for c in s.constraints if c[2] == 3]
    names = [c[0] for c in lower] + [c[0] for c in third]
    lam = [Symbol("lambda_" + name, real=True) for name in names]
    rates = [Symbol("lambda_" + name + "'", real=True) for name in names]
    equations = force - (A.T * Matrix(lam[:k]) if k else zeros(n, 1))
    for i, (_, f, _) in enumerate(third):
        equations -= lam[k + i] * Matrix([f.diff(y) for y in s.j])
    equations = list(equations) + list(A * Matrix(s.a) - Matrix(b) if k else [])
    chain = list(zip(s.q, s.v)) + list(zip(s.v, s.a)) + list(zip(s.a, s.j)) + list(zip(lam, rates))
    equations = [sum((f.diff(y) * z for y, z in chain), f.diff(t)) for f in equations] + [f for _, f, _ in third]
    unknown = s.j + rates
    known = dict(value)
    known.update(zip(s.a, x[:n]))
    known.update(zip(lam, list(x[n:]) + [number(R(e["pull"][c[0]])) for c in third]))
    symbols = list(known)
    evaluate = lambda f: lambdify([symbols], f, modules="mpmath", cse=True)([known[y] for y in symbols])
    K = mpmath.matrix(evaluate(Matrix(equations).jacobian(unknown)))
    solution = mpmath.lu_solve(K, -mpmath.matrix(evaluate([f.subs({y: 0 for y in unknown}) for f in equations])))
    return {c[0]: solution[n + k + i] for i, c in enumerate(third)}


def main():
    files, entries = {}, []
    for e in TABLE:
        entries.append(solve(e))
        files[e["name"] + ".ham"] = "system %s\n" % e["name"] + e["ham"]
    files["expected.json"] = json.dumps(entries, indent=1, ensure_ascii=False) + "\n"
    if "--check" in sys.argv:
        stale = [f for f, text in files.items() if not os.path.exists(os.path.join(HERE, f)) or open(os.path.join(HERE, f)).read() != text]
        stale += [f for f in os.listdir(HERE) if f.endswith(".ham") and f not in files]
        print("stale: " + ", ".join(stale) if stale else "%d systems, as committed" % len(entries))
        return bool(stale)
    for f, text in files.items():
        open(os.path.join(HERE, f), "w").write(text)
    print("%d systems written" % len(entries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
