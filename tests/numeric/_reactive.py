"""Random models whose forces hold multipliers and whose constraints may be servo constraints, and their motion by SymPy and mpmath."""
import json
import os
import random
import subprocess
import tempfile

import mpmath
import sympy

from _checks import HAMEL

mpmath.mp.dps = 40


def hamel(command, text, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".ham", delete=False) as file:
        file.write(text)
    done = subprocess.run([HAMEL, command, file.name, *options], capture_output=True, text=True, check=False)
    os.unlink(file.name)
    return done


def evaluate(text, *options):
    done = hamel("eval", text, "--json", "--digits", "30", *options)
    if done.returncode:
        raise SystemExit(f"eval {options}: {done.stderr}\n{text}")
    return json.loads(done.stdout)


class Drawn:
    """T = q'.M(q) q'/2 + b(q).q', U(q); q'_(m+nu) = f_nu(q, q'_1..m, t) or polynomial in the positions, times a factor; forces F + sum lambda_nu c_nu."""

    def __init__(self, seed, servo=False, prescribed=False):
        draw = self.draw = random.Random(seed)
        self.n = draw.randint(2, 4)
        self.k = self.n if prescribed else draw.randint(1, self.n - 1)
        n, k = self.n, self.k
        self.t = sympy.Symbol("t")
        self.q, self.v = sympy.symbols(f"q1:{n+1}"), sympy.symbols(f"v1:{n+1}")
        self.a, self.lam = sympy.symbols(f"a1:{n+1}"), sympy.symbols(f"lam1:{k+1}")
        mass = [[self.number() / 9 * self.function() if i < j else 0 for j in range(n)] for i in range(n)]
        self.T = sum(sympy.Rational(draw.randint(4, 9)) / 2 * self.v[i]**2 + sum(mass[i][j] * self.v[i] * self.v[j] for j in range(i + 1, n)) for i in range(n))
        self.T += self.number() * self.function() * self.v[draw.randrange(n)]
        self.U = self.number() * self.function() + self.number() * draw.choice(self.q)**2
        self.at = [sympy.Rational(draw.randint(-8, 8), 8) for _ in range(n)]
        self.phi = [self.constraint(nu) for nu in range(k)]
        self.force = [self.number() * draw.choice(self.v) + sum(self.column() * l for l in self.lam if draw.random() < 0.8) for _ in range(n)]
        # along what the reactions act; None: along dPhi/dq'
        self.by = [{i: self.number() * (1 + self.column()) for i in range(n) if i == n - k + nu or draw.random() < 0.4} if servo and draw.random() < 0.7 else None
                   for nu in range(k)]

    def number(self):
        return sympy.Rational(self.draw.choice([-5, -3, -2, -1, 1, 2, 3, 4]), self.draw.choice([1, 2, 3]))

    def function(self):
        x = self.draw.choice(self.q)
        return self.draw.choice([sympy.sin(x), sympy.cos(x + self.draw.choice(self.q)), x, sympy.Integer(1)])

    def column(self):
        """What a force holds of a multiplier: bounded functions of position and velocity, a factor v/|v| among them."""
        v = self.draw.choice(self.v)
        return self.number() / 8 * self.draw.choice([self.function(), v**2, v / sympy.sqrt(1 + v**2), sympy.sin(self.t) + 1])

    def constraint(self, nu):
        draw, m = self.draw, self.n - self.k
        own = m + nu
        if not m:  # nothing is free: functions of time
            if draw.random() < 0.5:
                return self.q[own] - self.at[own] - self.number() * sympy.sin(self.t)
            return (self.v[own] - self.number() * self.function() - self.number() * self.t) * draw.choice([1, 2 + sympy.sin(draw.choice(self.q))])
        if draw.random() < 0.4:  # on positions, true at self.at
            f = self.q[own] + self.number() / 4 * draw.choice(self.q[:m])**2 + self.number() / 2 * draw.choice(self.q[:m])
            return f - f.subs(dict(zip(self.q, self.at)))
        f = self.v[own] - self.number() / 2 * self.function() * self.v[draw.randrange(m)]
        if draw.random() < 0.5:
            f -= self.number() / 3 * self.function() * draw.choice([1, self.t, 1 + self.v[draw.randrange(m)]**2])
        return f * draw.choice([1, 2 + sympy.sin(draw.choice(self.q))])

    def words(self, e):
        s = str(e).replace("**", "^")
        for i in reversed(range(self.n)):
            s = s.replace(f"v{i+1}", f"q{i+1}'")
        for nu in range(self.k):
            s = s.replace(f"lam{nu+1}", f"lambda[c{nu+1}]")
        return s

    def text(self):
        m = self.n - self.k
        lines = ["coord " + ", ".join(map(str, self.q)), "kinetic " + self.words(self.T), "potential " + self.words(self.U)]
        by = lambda nu: " by " + ", ".join(f"{self.q[i]}: {self.words(b)}" for i, b in self.by[nu].items()) if self.by[nu] else ""
        lines += [f"constraint c{nu+1}: {self.words(p)} = 0{by(nu)}" for nu, p in enumerate(self.phi)]
        lines += [f"force {q} = {self.words(f)}" for q, f in zip(self.q, self.force)]
        lines += ["independent " + ", ".join(map(str, self.q[:m]))] if m else []
        lines += ["initial " + ", ".join([f"{q} = {v}" for q, v in zip(self.q, self.at)] + [f"{q}' = {self.number()}/4" for q in self.q[:m]])]
        return "\n".join(lines) + "\n"

    def ddt(self, e):
        return sympy.diff(e, self.t) + sum(sympy.diff(e, q) * v + sympy.diff(e, v) * a for q, v, a in zip(self.q, self.v, self.a))

    def directions(self):
        rows = [p if p.has(*self.v) else self.ddt(p) for p in self.phi]
        return [[by.get(i, 0) if by else sympy.diff(r, v) for i, v in enumerate(self.v)] for r, by in zip(rows, self.by)]

    def values(self, e):
        return [mpmath.mpf(e["t"])] + [mpmath.mpf(e["q"][str(q)]) for q in self.q] + [mpmath.mpf(e["qd"][str(q)]) for q in self.q]

    def solution(self, e):
        """(q'', lambda) at the state that hamel completed, from [M, -B^T - C^T; A, 0], B = A for ideal constraints."""
        L = self.T - self.U
        rows = [p if p.has(*self.v) else self.ddt(p) for p in self.phi]
        eqs = [self.ddt(sympy.diff(L, v)) - sympy.diff(L, q) - f - sum(l * b[i] for l, b in zip(self.lam, self.directions()))
               for i, (q, v, f) in enumerate(zip(self.q, self.v, self.force))]
        eqs += [self.ddt(r) for r in rows]
        unknown = list(self.a) + list(self.lam)
        values = self.values(e)
        entries = sympy.lambdify([self.t, *self.q, *self.v], [[sympy.diff(f, u) for u in unknown] for f in eqs], "mpmath")(*values)
        rest = sympy.lambdify([self.t, *self.q, *self.v], [f.subs({u: 0 for u in unknown}) for f in eqs], "mpmath")(*values)
        return mpmath.lu_solve(mpmath.matrix(entries), -mpmath.matrix(rest))
