"""Stability along a parameter over drawn systems, against exact polynomials.

M q'' + C(p) q' + K(p) (q - s(p)) = 0 with rational matrices, polynomials in p: damping, gyroscopic and follower forces, tests that touch 0, pairs of critical values
1e-3 .. 1e-15 apart, steady motions that move with p, cubic terms that make others cross. SymPy has the characteristic polynomial in p and, as polynomials in p, its
constant coefficient and the Hurwitz determinant D_(n-1): between two neighbouring real roots of these, which are isolated exactly, stability does not change.
A third of them have a constraint a(p) . q + .. = 0 on positions or a(p) . q' + .. = 0 on velocities, at whose motion q = 0 nothing is held: on its tangent space q = N u the
matrices are N' M N, N' C N and N' K N.
mpmath's roots with 60 digits judge one point between each two, so that each proved interval is checked all over, and not on a grid.
"""
import json
import random

import mpmath as mp
import sympy as sp
from _checks import check, finish, run_cases
from _runs import RunFailed, call
from t_symmetries import text_model

mp.mp.dps = 60
P, S = sp.symbols("p s")
STYLES = ("damped", "gyroscopic", "follower", "mixed", "conservative", "touching", "near")
RANGES = ((-2, 2), (0, 2), (-1, 3), (sp.Rational(1, 7), 5), (-1000, 1000), (0, sp.Rational(1, 1000)), (-3, 0))


def words(e):
    return str(sp.nsimplify(e)).replace("**", "^")


class Drawn:
    def __init__(self, seed):
        self.source = random.Random(seed)
        n = self.n = self.source.choice([1, 2, 2])
        self.style = STYLES[seed % len(STYLES)]
        self.m = self.positive()
        k, d, skew = self.positive(), self.positive() / 4, self.skew()
        r, apart = self.number(8, 2), sp.Rational(1, 10 ** self.source.choice([3, 6, 9, 12, 15]))
        self.k, self.c = k, d
        if self.style == "damped":
            self.c = d + P * self.matrix()
        elif self.style == "gyroscopic":
            self.c = d * self.source.choice([sp.Rational(1, 10), P]) + skew * P
        elif self.style == "follower":
            self.k = k + skew * P
        elif self.style == "mixed":
            self.c, self.k = self.matrix() + P * self.matrix(), k + self.source.choice([0, 1, P]) * skew + P * self.symmetric()
        elif self.style == "conservative":
            self.c, self.k = skew * P, k + P * self.symmetric()
        elif self.style == "touching":
            self.c, self.k = d * (P - r) ** 2, k * self.source.choice([1, (P + r) ** 2])
        else:
            self.c = d * (P - r) * (P - r - apart)
        self.shift = [0 if self.style == "conservative" else self.source.choice([0, P, P**2 - 1]) for _ in range(n)]
        self.cubic = self.source.random() < 0.4
        self.rule = None
        if seed % 3 == 2 and n > 1:
            self.constrain(self.source.choice(["", "'"]))
        self.low, self.high = (sp.Rational(x) for x in self.source.choice(RANGES))

    def constrain(self, dash):
        n = self.n
        a = [self.number() + self.number() * P * self.source.randint(0, 1) for _ in range(n - 1)] + [sp.Integer(1)]
        self.shift = [0] * n
        bent = "q0^2/3 - q0*q1/2" if not dash else "q0*q0'/3 - q1*q0'/2"
        self.rule = "constraint " + " + ".join(f"({words(x)})*q{i}{dash}" for i, x in enumerate(a)) + f" + {bent} = 0\n"
        self.tangent = sp.Matrix(n, n - 1, lambda i, j: a[-1] * (i == j) if i < n - 1 else -a[j])

    def number(self, parts=2, most=2):
        return sp.Rational(self.source.randint(-most * parts, most * parts), parts)

    def matrix(self):
        return sp.Matrix(self.n, self.n, lambda i, j: self.number())

    def positive(self):
        a = self.matrix()
        return a * a.T + sp.eye(self.n)

    def symmetric(self):
        a = self.matrix()
        return a + a.T

    def skew(self):
        a = self.matrix()
        return a - a.T

    def text(self):
        n, q = self.n, [f"q{i}" for i in range(self.n)]
        x = [f"({a} - ({words(h)}))" for a, h in zip(q, self.shift)]
        even, odd = (self.k + self.k.T) / 2, (self.k - self.k.T) / 2
        kinetic = " + ".join(f"({words(self.m[i, j])})*{q[i]}'*{q[j]}'/2" for i in range(n) for j in range(n))
        potential = " + ".join(f"({words(even[i, j])})*{x[i]}*{x[j]}/2" for i in range(n) for j in range(n)) + (f" + {x[0]}^3/7 + {x[0]}*{x[-1]}^2/5" if self.cubic else "")
        text = f"system drawn\nparam p = 0.31\ncoord {', '.join(q)}\nkinetic {kinetic}\npotential {potential}\n"
        for i in range(n):
            parts = [f"({words(self.c[i, j])})*{q[j]}' + ({words(odd[i, j])})*{x[j]}" for j in range(n)]
            text += f"force {q[i]} = -({' + '.join(parts)})\n"
        return text + (self.rule or "") + "initial " + ", ".join(f"{a} = {words(h)}" for a, h in zip(q, self.shift)) + "\n"


def coefficients(drawn):
    on = drawn.tangent if drawn.rule else sp.eye(drawn.n)
    c = sp.Poly(sp.expand((on.T * (drawn.m * S**2 + drawn.c * S + drawn.k) * on).det(method="berkowitz")), S).all_coeffs()[::-1]
    return [sp.cancel(x / c[-1]) for x in c]


def hurwitz(c):
    n = len(c) - 1
    at = lambda k: c[k] if 0 <= k <= n else 0  # noqa: E731
    return sp.Matrix(n - 1, n - 1, lambda i, j: at(n - 2 * (j + 1) + i + 1)).det(method="berkowitz")


def real_roots(e, low, high):
    poly = sp.Poly(sp.numer(sp.together(sp.cancel(e))), P)
    if poly.is_zero or poly.degree() < 1:
        return []
    return [(a + b) / 2 for f, _ in poly.factor_list()[1] for (a, b), _ in sp.Poly(f, P).intervals(eps=sp.Rational(1, 10**45), inf=low - 1, sup=high + 1)]


def growth(c, value):
    """Largest real part of the roots, and their size."""
    numbers = [sp.Rational(x.subs(P, value)) for x in c][::-1]
    roots = mp.polyroots([mp.mpf(x.p) / x.q for x in numbers], maxsteps=300, extraprec=400)
    return max(mp.re(z) for z in roots), max(abs(z) for z in roots)


def boundaries(c, low, high):
    found = set(real_roots(c[0], low, high)) | set(real_roots(hurwitz(c), low, high))
    if all(sp.cancel(x) == 0 for x in c[1::2]):  # even: two imaginary ones meet
        y = sp.Symbol("y")
        found |= set(real_roots(sp.discriminant(sum(x * y**k for k, x in enumerate(c[::2])), y), low, high)) if len(c) > 3 else set()
    return sorted(found)


def agrees(verdict, c, value):
    most, size = growth(c, value)
    return most < 0 if verdict == "stable" else most > 0 if verdict == "unstable" else abs(most) < size * mp.mpf(10) ** -20


def check_pieces(seed, drawn, c, edges, found):
    """Pieces before the first break: what comes behind it may be another motion."""
    broken = min([sp.Rational(x) for x in found["breaks"]], default=drawn.high + 1) if not drawn.rule else drawn.high + 1
    for verdict in ("stable", "unstable", "marginal"):
        for low, high in found[verdict]:
            low, high = sp.Rational(low), sp.Rational(high)
            inside = sp.Rational(1, 10**28) * (1 + abs(low) + abs(high))  # they are printed with 30 digits
            low, high = low + inside, high - inside
            if low >= broken or low >= high:
                continue
            ends = [low] + [x for x in edges if low < x < high] + [high]
            points = [(a + b) / 2 for a, b in zip(ends, ends[1:])] + [low + (high - low) / 10**9, high - (high - low) / 10**9]
            check(f"{seed} ({drawn.style}): {verdict} all over {float(low):.6g} .. {float(high):.6g}", all(agrees(verdict, c, x) for x in points), f"{drawn.text()}{found}")


def check_critical(seed, drawn, c, edges, found):
    for value in found["critical"]:
        at = sp.Rational(value["value"])
        if value["kind"] == "double":
            continue
        above = min([x for x in edges if x > at + sp.Rational(1, 10**20) * (1 + abs(at))] + [at + 1])
        most, size = growth(c, (at + above) / 2)
        check(f"{seed} ({drawn.style}): what is above {float(at):.6g}", value["stable_above"] == (most <= size * mp.mpf(10) ** -45), f"{value} {drawn.text()}")
        if "radius" in value:
            of = c[0] if value["kind"] == "zero" else hurwitz(c)
            off = min((abs(x - at) for x in real_roots(of, at - 1, at + 1)), default=1)
            check(f"{seed} ({drawn.style}): the ball at {float(at):.6g} holds one", off <= sp.Rational(value["radius"]) + sp.Rational(1, 10**28) * (1 + abs(at)), f"{value} {float(off)}")


def main():
    decided = criticals = ruled = 0
    systems = run_cases(18, 200)
    for seed in range(systems):
        drawn = Drawn(seed)
        try:
            found = json.loads(call("stability", text_model(drawn.text()), "--json", "--vary", f"p = {words(drawn.low)}..{words(drawn.high)}"))
        except RunFailed as why:
            check(f"{seed}: only what nothing depends on is refused", "nothing depends" in str(why), str(why))
            continue
        c = coefficients(drawn)
        edges = boundaries(c, drawn.low, drawn.high)
        check_pieces(seed, drawn, c, edges, found)
        check_critical(seed, drawn, c, edges, found)
        undecided = sum(float(b) - float(a) for a, b in found["undecided"]) / float(drawn.high - drawn.low)
        decided += undecided < 1e-6
        criticals += sum("radius" in v for v in found["critical"])
        ruled += drawn.rule is not None
    check("most are decided all over", 36 * decided >= 26 * systems, str(decided))
    check("some have constraints", 6 * ruled >= systems, str(ruled))
    check("there are critical values among them", 36 * criticals >= 15 * systems, str(criticals))


if __name__ == "__main__":
    main()
    finish()
