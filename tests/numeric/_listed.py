"""The quantities of mechanics by their definitions, from nothing but the plain functions of a model: central differences in many digits."""
import re

from mpmath import cos, exp, lu_solve, matrix, mp, mpf, sin, sqrt

mp.dps = 95
STEP = mpf(10) ** -15  # central differences: truncated at STEP^2; digits for four of them inside each other
FUNCTIONS = {"sin": sin, "cos": cos, "sqrt": sqrt, "exp": exp, "tan": mp.tan, "log": mp.log, "atan": mp.atan, "abs": abs}
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:e-?\d+)?)|([A-Za-z_][A-Za-z0-9_]*~?(?:\[[^\]]*\]\]?)?'*)|(\^|[-+*/(),]))")


def read(text):
    """An expression of the model language as a function of a table of values."""
    code, at = "", 0
    while at < len(text.rstrip()):
        m = TOKEN.match(text, at)
        assert m, "no expression: " + text[at:]
        number, name, sign = m.groups()
        at = m.end()
        if number:
            code += f"mpf('{number}')"
        elif name and name in FUNCTIONS and text[at:at + 1] == "(":
            code += f"F['{name}']"
        elif name:
            code += f"v[{name!r}]"
        else:
            code += "**" if sign == "^" else sign
    compiled = compile(code, text[:60], "eval")
    return lambda v: eval(compiled, {"mpf": mpf, "F": FUNCTIONS}, {"v": v})


def slope(f, x):
    return (f(x + STEP) - f(x - STEP)) / (2 * STEP)


def moved(v, i, h):
    return [x + h if j == i else x for j, x in enumerate(v)]


def gradient(f, v):
    return [slope(lambda x: f(moved(v, i, x - v[i])), v[i]) for i in range(len(v))]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def solve(a, b):
    """The vector x of a x = b."""
    return list(lu_solve(matrix(a), matrix(b))) if b else []


def determinant(a):
    return mp.det(matrix(a)) if a else mpf(1)


def transposed(a):
    return [list(row) for row in zip(*a)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def times(a, b):
    return [[dot(row, column) for column in zip(*b)] for row in a]


def turn(axis, angle):
    c, s = cos(angle), sin(angle)
    return {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]


class System:
    """One model: its text for hamel, its functions for this file. Expressions are texts, vectors triples of texts, rotations
    lists of (axis, angle)."""

    def __init__(self, name, coordinates, parameters=(), kinetic=None, potential="0", lagrangian=None, forces=(), constraints=(), quasi=(), points=(),
                 bodies=(), givens=(), cartesian=(), start=(), more="", independent=()):
        self.name, self.coordinates, self.n = name, coordinates.split(), len(coordinates.split())
        self.constants = {"pi": mp.pi}
        for p, x in parameters:
            self.constants[p] = read(x)(self.constants)
        self.givens, self.shift = {g: read(x) for g, x in givens}, {}
        self.constraint_names, self.quasi_names = [c[0] for c in constraints], [q[0] for q in quasi]
        self.stated = [kinetic] if kinetic else []
        self.point_texts, self.body_texts, self.cartesian_texts = points, bodies, cartesian
        text = [f"system {name}"] + [f"param {p} = {x}" for p, x in parameters] + [f"given {g} = {x}" for g, x in givens]
        text += ["coord " + ", ".join(self.coordinates)]
        text += [f"kinetic {kinetic}"] if kinetic else []
        text += [f"potential {potential}"] if potential != "0" else []
        text += [f"lagrangian {lagrangian}"] if lagrangian else []
        text += [f"point {p}: mass {m} at ({', '.join(x)})" for p, m, x in points]
        for b, m, c, inertia, rotation in bodies:
            text.append(f"body {b}: mass {m} at ({', '.join(c)}) inertia ({', '.join(inertia)}) rotation " + "*".join(f"rot({a}, {x})" for a, x in rotation))
        text += [f"force {q} = {f}" for q, f in forces] + [f"constraint {c}: {left} = {right}" for c, left, right in constraints]
        text += [f"quasi {q} = {e}" for q, e in quasi] + [f"cartesian {f} = {e}" for f, e in cartesian]
        text += [f"independent {', '.join(independent)}"] if independent else []
        text += ["initial " + ", ".join(f"{a} = {b}" for a, b in start)] if start else []
        self.text = "\n".join(text) + "\n" + more
        self.start = dict(start)
        self.kinetic_terms = [read(kinetic)] if kinetic else []
        self.potential_function, self.lagrangian_function = read(potential), read(lagrangian) if lagrangian else None
        self.force_functions = {q: read(f) for q, f in forces}
        self.phi_functions = [read(f"({left}) - ({right})") for _, left, right in constraints]
        self.psi_functions = [read(e) for _, e in quasi]
        self.points = [(p, read(m), [read(x) for x in position]) for p, m, position in points]
        self.bodies = [(b, read(m), [read(x) for x in c], [read(x) for x in inertia], [(a, read(x)) for a, x in rotation]) for b, m, c, inertia, rotation in bodies]
        self.forms = [(read(f), read(e)) for f, e in cartesian]

    # --- plain functions ----------------------------------------------------------------------------------------------------------------

    def table(self, q, qd, t):
        v = {**self.constants, "t": t}
        for g, f in self.givens.items():
            v[g] = f(v) + self.shift.get(g, 0)
            v[g + "'"] = slope(lambda s: f({**v, "t": s}), t)
        v.update(zip(self.coordinates, q))
        v.update((c + "'", x) for c, x in zip(self.coordinates, qd))
        return v

    def position(self, functions, q, t):
        v = self.table(q, [mpf(0)] * self.n, t)
        return [f(v) for f in functions]

    def rotation(self, body, q, t):
        v = self.table(q, [mpf(0)] * self.n, t)
        r = [[mpf(i == j) for j in range(3)] for i in range(3)]
        for axis, angle in body[4]:
            r = times(r, turn(axis, angle(v)))
        return r

    def inertia(self, body):
        v = self.table([mpf(0)] * self.n, [mpf(0)] * self.n, mpf(0))
        x = [f(v) for f in body[3]]
        x += [mpf(0)] * (6 - len(x))
        return [[x[0], x[3], x[4]], [x[3], x[1], x[5]], [x[4], x[5], x[2]]]

    def along(self, f, q, qd, t):
        """d/dt f(q, t) for a list of functions' values."""
        ahead, behind = f([a + STEP * b for a, b in zip(q, qd)], t + STEP), f([a - STEP * b for a, b in zip(q, qd)], t - STEP)
        return [(a - b) / (2 * STEP) for a, b in zip(ahead, behind)]

    def omega(self, body, q, qd, t):
        """Angular velocity in the axes of the body: R^T R' = [omega]x."""
        r = self.rotation(body, q, t)
        rate = self.along(lambda x, s: [e for row in self.rotation(body, x, s) for e in row], q, qd, t)
        w = times(transposed(r), [rate[0:3], rate[3:6], rate[6:9]])
        return [w[2][1], w[0][2], w[1][0]]

    def masses(self):
        return [(p[0], p[1], p[2]) for p in self.points] + [(b[0], b[1], b[2]) for b in self.bodies]

    def kinetic(self, q, qd, t):
        v = self.table(q, qd, t)
        if self.lagrangian_function:
            return self.lagrangian_function(v)
        value = sum(f(v) for f in self.kinetic_terms)
        for _, mass, x in self.masses():
            rate = self.along(lambda a, s: self.position(x, a, s), q, qd, t)
            value += mass(v) * dot(rate, rate) / 2
        for body in self.bodies:
            w = self.omega(body, q, qd, t)
            value += dot(w, [dot(row, w) for row in self.inertia(body)]) / 2
        return value

    def potential(self, q, t):
        return self.potential_function(self.table(q, [mpf(0)] * self.n, t))

    def lagrangian(self, q, qd, t):
        return self.kinetic(q, qd, t) - self.potential(q, t)

    def forces(self, q, qd, t):
        v = self.table(q, qd, t)
        return [self.force_functions[c](v) if c in self.force_functions else mpf(0) for c in self.coordinates]

    def active(self, q, qd, t):
        """F_i = -dU/dq_i + Q_i"""
        return [f - u for f, u in zip(self.forces(q, qd, t), gradient(lambda x: self.potential(x, t), q))]

    def phi(self, q, qd, t):
        v = self.table(q, qd, t)
        return [f(v) for f in self.phi_functions]

    # --- Lagrange's derivative ----------------------------------------------------------------------------------------------------------

    def rate(self, f, q, qd, qdd, t):
        """d/dt f(q, q', t)"""
        ahead = f([a + STEP * b + STEP ** 2 * c / 2 for a, b, c in zip(q, qd, qdd)], [b + STEP * c for b, c in zip(qd, qdd)], t + STEP)
        behind = f([a - STEP * b + STEP ** 2 * c / 2 for a, b, c in zip(q, qd, qdd)], [b - STEP * c for b, c in zip(qd, qdd)], t - STEP)
        return (ahead - behind) / (2 * STEP)

    def euler(self, f, q, qd, qdd, t):
        """E_i(f) = d/dt df/dq'_i - df/dq_i"""
        by_position = gradient(lambda x: f(x, qd, t), q)
        return [self.rate(lambda a, b, s: slope(lambda x: f(a, moved(b, i, x - b[i]), s), b[i]), q, qd, qdd, t) - by_position[i] for i in range(self.n)]

    def newton(self, q, qd, qdd, t):
        """E_i(T) without forces"""
        return self.euler(self.kinetic, q, qd, qdd, t)

    def mass_matrix(self, q, qd, t, f=None):
        f = f or self.kinetic
        return [gradient(lambda v: slope(lambda x: f(q, moved(v, i, x - v[i]), t), v[i]), qd) for i in range(self.n)]


class Frame:
    """Velocities eta of a system: v = (Psi, Phi), or the velocities of some coordinates; q' = V(q, eta, t)."""

    def __init__(self, s, dependent, quasi):
        self.s, self.k = s, len(s.phi_functions)
        self.dependent = [s.coordinates.index(c) for c in dependent]
        self.independent = [i for i in range(s.n) if i not in self.dependent]
        self.m = s.n - self.k
        self.quasi = bool(quasi and s.psi_functions)
        self.names = s.quasi_names if self.quasi else [s.coordinates[i] + "'" for i in self.independent]
        self.bases = s.quasi_names if self.quasi else [s.coordinates[i] for i in self.independent]
        self.guess = None

    def functions(self, q, qd, t):
        """v(q, q', t), n of them"""
        if self.quasi:
            table = self.s.table(q, qd, t)
            return [f(table) for f in self.s.psi_functions] + self.s.phi(q, qd, t)
        return [qd[i] for i in self.independent] + self.s.phi(q, qd, t)

    def matrix(self, q, qd, t):
        return transposed([[(a - b) / (2 * STEP) for a, b in zip(self.functions(q, moved(qd, j, STEP), t), self.functions(q, moved(qd, j, -STEP), t))]
                           for j in range(self.s.n)])

    def velocity(self, q, v, t):
        """q' with these v (omega = 0 where there are fewer than n), by Newton's method from the branch of the guess."""
        v = list(v) + [mpf(0)] * (self.s.n - len(v))
        qd = list(self.guess)
        for _ in range(60):
            gap = [a - b for a, b in zip(self.functions(q, qd, t), v)]
            if max(abs(x) for x in gap) < mpf(10) ** -90:
                return qd
            qd = [a - b for a, b in zip(qd, solve(self.matrix(q, qd, t), gap))]
        raise RuntimeError("no velocities")

    def basis(self, q, v, t):
        """B_is = dV_i/d eta_s, n x m; for v of length n all of C = dq'/dv"""
        return transposed([[(a - b) / (2 * STEP) for a, b in zip(self.velocity(q, moved(v, j, STEP), t), self.velocity(q, moved(v, j, -STEP), t))]
                           for j in range(len(v))])

    def by_position(self, q, v, t):
        """dV_i/dq_j, n x n"""
        return transposed([[(a - b) / (2 * STEP) for a, b in zip(self.velocity(moved(q, j, STEP), v, t), self.velocity(moved(q, j, -STEP), v, t))]
                           for j in range(self.s.n)])

    def rate(self, f, q, eta, etad, t):
        """d/dt f(q, eta, t) along the motion"""
        qd = self.velocity(q, eta, t)
        qdd = self.acceleration(q, eta, etad, t)

        def at(h):
            return f([a + h * b + h * h * c / 2 for a, b, c in zip(q, qd, qdd)], [a + h * b for a, b in zip(eta, etad)], t + h)
        return (at(STEP) - at(-STEP)) / (2 * STEP)

    def acceleration(self, q, eta, etad, t):
        qd = self.velocity(q, eta, t)

        def at(h):
            return self.velocity([a + h * b for a, b in zip(q, qd)], [a + h * b for a, b in zip(eta, etad)], t + h)
        return [(a - b) / (2 * STEP) for a, b in zip(at(STEP), at(-STEP))]

    # --- linear-affine frames -----------------------------------------------------------------------------------------------------------

    def z(self, q, t):
        """(Z, z) of v = Z q' + z"""
        zero = [mpf(0)] * self.s.n
        offset = self.functions(q, zero, t)
        columns = [[a - b for a, b in zip(self.functions(q, moved(zero, j, mpf(1)), t), offset)] for j in range(self.s.n)]
        return transposed(columns), offset

    def inverse(self, q, t):
        z, _ = self.z(q, t)
        return transposed([solve(z, [mpf(i == j) for i in range(self.s.n)]) for j in range(self.s.n)])

    def field(self, s, q, t):
        """X_s; s = None: the q-part of X_0 = d/dt - sum (C z)_i d/dq_i"""
        c = self.inverse(q, t)
        if s is not None:
            return [row[s] for row in c]
        offset = self.z(q, t)[1]
        return [-dot(row, offset) for row in c]

    def bracket(self, r, s, q, t):
        """[X_r, X_s], r = None for X_0"""
        x, y = self.field(r, q, t), self.field(s, q, t)
        ahead = [a + STEP * b for a, b in zip(q, x)], [a + STEP * b for a, b in zip(q, y)]
        behind = [a - STEP * b for a, b in zip(q, x)], [a - STEP * b for a, b in zip(q, y)]
        h = STEP if r is None else 0
        forward = [(a - b) / (2 * STEP) for a, b in zip(self.field(s, ahead[0], t + h), self.field(s, behind[0], t - h))]
        back = [(a - b) / (2 * STEP) for a, b in zip(self.field(r, ahead[1], t), self.field(r, behind[1], t))]
        return [a - b for a, b in zip(forward, back)]
