#!/usr/bin/env python3
"""From SymPy to hamel and back: random systems whose accelerations SymPy, hamel's eval and the equations that came back agree on, and the
library through both doors. HAMEL_CASES: how many systems."""
import random
import unittest

import mpmath
import sympy as sp
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import _run
import hamel
from hamel import _sympy_text

DIGITS = 40
SAME = mpmath.mpf(10)**-25  # relative; states are random, systems small
TIME = dynamicsymbols._t


def number(e, state):
    """A number with 40 digits of an expression at a state of derivatives, functions of the time and symbols."""
    e = sp.sympify(e)
    for order in (2, 1, 0):
        e = e.xreplace({k: v for k, v in state.items() if _order(k) == order})
    return mpmath.mpf(sp.N(e, DIGITS)._mpf_) if hasattr(sp.N(e, DIGITS), "_mpf_") else mpmath.mpf(str(sp.N(e, DIGITS)))


def _order(one):
    return len(one.variables) if isinstance(one, sp.Derivative) else 0


def numeric_matrix(matrix, state):
    return mpmath.matrix([[number(matrix[i, j], state) for j in range(matrix.cols)] for i in range(matrix.rows)])


def rational(rng):
    return sp.Rational(rng.randint(-20, 20), rng.randint(1, 9)) + sp.Rational(1, 17)


class System:
    """A random Lagrangian with a positive mass matrix, forces and nonholonomic constraints."""

    def __init__(self, rng):
        n = rng.randint(1, 3)
        self.q = list(dynamicsymbols(" ".join(rng.sample(["x", "theta", "y_1", r"\phi", "lambda", "e", "z", "pi", "sin"], n)) + " ", real=True)
                      if n > 1 else [dynamicsymbols(rng.choice(["x", "lambda", "e", "t2"]))])
        self.qd = [one.diff(TIME) for one in self.q]
        self.parameters = list(sp.symbols(" ".join(rng.sample(["m", "g", "l_1", "k", "Omega", "beta", "gamma"], 3))))
        m, g, k = self.parameters
        lower = sp.Matrix(n, n, lambda i, j: (2 + sp.cos(self.q[j])/2 if i == j else self.function(rng)/4) if i >= j else 0)
        mass = lower*lower.T
        rates = sp.Matrix(self.qd)
        self.L = m*(rates.T*mass*rates)[0]/2 - g*self.function(rng) - k*sum(one**2 for one in self.q)/3 + self.function(rng)*self.qd[0]
        self.forces = {one: -rate/3 + self.function(rng) for one, rate in zip(self.q, self.qd) if rng.random() < 0.6}
        self.constraints = []
        if n > 1 and rng.random() < 0.6:
            # x' + a(q) y' = b(t): of full rank wherever a is finite
            self.constraints.append(self.qd[-1] + sum(self.function(rng)*rate for rate in self.qd[:-1]) + (sp.sin(TIME) if rng.random() < 0.3 else 0))

    def function(self, rng):
        a = rng.choice(self.q)
        b = rng.choice([*self.q, *self.parameters])
        return rng.choice([sp.sin(a), sp.cos(a)*b, a*b, sp.exp(a/5), sp.sqrt(2 + a**2), sp.log(3 + a**2), 1/(4 + sp.cos(a)), sp.tanh(a),
                           sp.atan2(a, 5), a**2 - sp.Rational(1, 3), sp.sec(a/50), sp.Float("0.25")*a, sp.sqrt(3)*b, sp.atan(a*b), sp.S(2)**(a/4)])

    def state(self, rng):
        found = {one: rational(rng)/7 for one in [*self.q, TIME]}
        found.update({one: abs(rational(rng)) + 1 for one in self.parameters})
        rates = {one: rational(rng)/5 for one in self.qd}
        if self.constraints:  # solved for the last velocity
            last = sp.solve(self.constraints[0], self.qd[-1])[0]
            rates[self.qd[-1]] = last.xreplace({k: v for k, v in rates.items() if k != self.qd[-1]}).xreplace(found)
        return {**found, **rates}

    def accelerations(self, state):
        exact = sp.nsimplify(self.L, rational=True)  # SymPy reckons with its Floats in 15 digits
        method = LagrangesMethod(exact, self.q, nonhol_coneqs=self.constraints or None)
        method.form_lagranges_equations()
        n, k = len(self.q), len(self.constraints)
        matrix, forcing = method.mass_matrix_full[n:, n:], method.forcing_full[n:, :]
        if not k:
            matrix, forcing = method.mass_matrix, method.forcing
        forcing = sp.Matrix(forcing)
        for i, one in enumerate(self.q):
            forcing[i] += self.forces.get(one, 0)
        return list(mpmath.lu_solve(numeric_matrix(sp.Matrix(matrix), state), numeric_matrix(forcing, state)))[:n]


def at_text(system, model, state):
    """The state for hamel's eval, by the names that the model has; values of parameters are set."""
    names = {thing: name for name, thing in model._symbols.items()}
    words = [f"t = {state[TIME]}"]
    for q, qd in zip(system.q, system.qd):
        words += [f"{names[q]} = {state[q]}"]
        if qd != system.qd[-1] or not system.constraints:
            words += [f"{names[q]}' = {state[qd]}"]
    return ", ".join(words)


def close(a, b):
    return all(abs(x - y) <= SAME*(1 + abs(x)) for x, y in zip(a, b)) and len(a) == len(b)


class RoundTrips(unittest.TestCase):
    def setUp(self):
        self.before = mpmath.mp.dps
        mpmath.mp.dps = DIGITS

    def tearDown(self):
        mpmath.mp.dps = self.before

    def test_random_systems_have_one_motion_in_both_worlds(self):
        for case in range(_run.run_cases(12, 400)):
            rng = random.Random(case)
            system = System(rng)
            with self.subTest(case=case, L=system.L, constraints=system.constraints, forces=system.forces):
                state = system.state(rng)
                want = system.accelerations(state)
                values = {one: state[one] for one in system.parameters}
                m = hamel.from_sympy(system.L, system.q, constraints=system.constraints, forces=system.forces, values=values)
                names = [next(n for n, t in m._symbols.items() if t == one) for one in system.q]
                said = m.eval(at_text(system, m, state), digits=35, numbers="mpmath").qdd
                self.assertTrue(close(want, [said[name] for name in names]), "eval")
                back = m.derive("multipliers").to_sympy()
                found = list(mpmath.lu_solve(numeric_matrix(back.M, state), -numeric_matrix(back.F, state)))
                self.assertTrue(close(want, found[:len(want)]), "the matrices that came back")
                again = hamel.from_sympy(back.energies["L"], back.coordinates, constraints=back.constraints,
                                         forces=dict(zip(back.coordinates, back.forces)), values=values)
                said = again.eval(at_text(system, again, state), digits=35, numbers="mpmath").qdd
                self.assertTrue(close(want, [said[name] for name in names]), "the model made of what came back")

    def test_texts_and_expressions_say_the_same_of_the_library(self):
        for name, form in (("sleigh", "maggi"), ("sleigh", "multipliers"), ("rolling_disc", "hamel"), ("double_pendulum", "lagrange"), ("knife_edge", "voronec"),
                           ("cart_pole", "maggi"), ("appell_hamel", "multipliers"), ("gyrostat", "maggi")):
            m = hamel.load(name)
            with self.subTest(name=name, form=form):
                d = m.derive(form)
                back = d.to_sympy(plain=True)
                rng = random.Random(name)
                symbols = sorted(set().union(*(e.free_symbols for e in [*back.M, *back.F])) | set(back.M.free_symbols), key=str)
                values = {one: abs(rational(rng)) + sp.Rational(1, 3) for one in symbols}
                for one in d.equations:
                    for symbol in _sympy_text.parse(f"({one.lhs}) - ({one.rhs})").free_symbols:
                        values.setdefault(symbol, abs(rational(rng)) + sp.Rational(1, 3))
                solved = {one.unknown: one.value for one in d.equations if one.unknown in d.unknowns}
                self.assertEqual(len(solved) == len(back.unknowns), set(solved) == set(map(str, back.unknowns)))
                if len(solved) != len(back.unknowns):
                    continue
                x = mpmath.matrix([number(_sympy_text.parse(solved[str(one)]), values) for one in back.unknowns])
                for row in range(10**6):  # the texts may name one unknown in another's solution
                    values.update({one: sp.Float(str(v), DIGITS) for one, v in zip(back.unknowns, x)})
                    again = mpmath.matrix([number(_sympy_text.parse(solved[str(one)]), values) for one in back.unknowns])
                    if again == x or row > len(x):
                        break
                    x = again
                residual = numeric_matrix(back.M, values)*x + numeric_matrix(back.F, values)
                self.assertLess(max(abs(one) for one in residual), SAME*100)

    def test_first_order_equations_are_those_of_rhs(self):
        for name in ("sleigh", "rolling_disc", "rattleback", "cart_pole", "sleeping_top"):
            m = hamel.load(name)
            back = m.derive(None).to_sympy(plain=True)
            self.assertEqual([str(one) for one in back.states], m.states, name)
            z = m.z0 + 0.01
            values = {one: sp.Float(float(v), DIGITS) for one, v in zip(back.states, z)}
            values.update({sp.Symbol(n): sp.Rational(repr(v)) for n, v in m.parameters.items() if v is not None})
            values[sp.Symbol("t")] = sp.S.Zero
            for rate, want in zip(back.rates, m.rhs(0, z)):
                self.assertAlmostEqual(float(number(rate, values)), want, delta=1e-10*(1 + abs(want)), msg=name)


class Objects(unittest.TestCase):
    def test_lagranges_method_with_loads_and_constraints(self):
        x, y = dynamicsymbols("x y")
        m, k, c = sp.symbols("m k c")
        frame, point = ReferenceFrame("N"), Point("P")
        point.set_vel(frame, x.diff()*frame.x + y.diff()*frame.y)
        method = LagrangesMethod(m*(x.diff()**2 + y.diff()**2)/2 - k*y, [x, y], forcelist=[(point, -c*x.diff()*frame.x)], frame=frame,
                                 nonhol_coneqs=[y.diff() - 2*x*x.diff()])
        model = hamel.from_sympy(method, values={m: 2, k: 3, c: 5})
        a = model.eval({"x": 1, "y": 0, "x'": sp.Rational(1, 2)}).qdd
        # x'' (m + 4 m x^2) = -c x' - 2 k x - 4 m x x'^2
        self.assertAlmostEqual(a.x, (-2.5 - 6 - 8*0.25)/10, 14)

    def test_kanes_method_of_the_rolling_disc_is_the_library_s(self):
        model = hamel.from_sympy(rolling_disc(), values={"m": 1, "g": 9.81, "r": 0.5})
        at = {"psi": 0.3, "theta": 0.25, "phi": 0.1, "psi'": -0.6, "theta'": 0.2, "phi'": 6}
        mine, theirs = model.eval(at, digits=30, numbers="mpmath").qdd, hamel.load("rolling_disc").eval(at, digits=30, numbers="mpmath").qdd
        for name in ("psi", "theta", "phi", "x", "y"):
            self.assertLess(abs(mine[name] - theirs[name]), 1e-25, name)

    def test_velocities_that_hide_a_constraint_are_refused(self):
        with self.assertRaises(hamel.UsageError) as caught:
            hamel.from_sympy(rolling_disc(hidden=True))
        self.assertIn("no derivative of a place", str(caught.exception))

    def test_a_spin_that_is_not_of_the_orientation_is_refused(self):
        a, u = dynamicsymbols("a u")
        space = ReferenceFrame("N")
        body = space.orientnew("B", "Axis", [a, space.z])
        body.set_ang_vel(space, 2*a.diff()*space.z)
        centre = Point("C")
        centre.set_vel(space, 0)
        kane = KanesMethod(space, [a], [u], [a.diff() - u])
        kane.kanes_equations([RigidBody("B", centre, body, 1, (inertia(body, 1, 1, 1), centre))], [])
        with self.assertRaises(hamel.UsageError):
            hamel.from_sympy(kane)

    def test_a_particle_with_a_force_that_follows(self):
        q, u, m, c = *dynamicsymbols("q u"), *sp.symbols("m c")
        space, point = ReferenceFrame("N"), Point("P")
        point.set_vel(space, u*space.x)
        kane = KanesMethod(space, [q], [u], [q.diff() - u])
        kane.kanes_equations([Particle("P", point, m)], [(point, -c*u*space.x)])
        model = hamel.from_sympy(kane, values={m: 2, c: 3})
        self.assertEqual(model.eval({"q'": 4}).qdd.q, -6)

    def test_what_sympy_gives_is_kept(self):
        x, w = dynamicsymbols("x"), sp.Symbol(r"\omega_{0}", positive=True)
        m = hamel.from_sympy(x.diff()**2/2 - w**2*x**2/2, [x], values={w: 3}, initial={x: 1, x.diff(): 0})
        back = m.derive().to_sympy()
        self.assertEqual(back.solve(), {x.diff(TIME, 2): -w**2*x})
        self.assertAlmostEqual(m.simulate(until=1).final["x"], float(sp.cos(3)), 9)
        import pickle
        self.assertEqual(str(pickle.loads(pickle.dumps(m)).derive()), str(m.derive()))

    def test_what_the_language_has_not_is_refused_by_name(self):
        x, f = dynamicsymbols("x f")
        for L in (sp.gamma(x), sp.Piecewise((x, x > 0), (0, True)), sp.Function("V")(x), sp.I*x, sp.oo*x.diff(), sp.Integral(x, TIME)):
            with self.subTest(L), self.assertRaises(hamel.Error):
                hamel.from_sympy(x.diff()**2 + L, [x])
        for wrong in (lambda: hamel.from_sympy(x.diff()**2), lambda: hamel.from_sympy(x.diff()**2, [sp.Symbol("x")]), lambda: hamel.from_sympy(None, [x]),
                      lambda: hamel.from_sympy(x.diff()**2, [x], forces={f: 1}), lambda: hamel.from_sympy(x.diff()**2, [x], forces=[1, 2]),
                      lambda: hamel.from_sympy(x.diff()**2, [x], values={"nobody": 1}), lambda: hamel.from_sympy(x.diff()**2, [x], values={x: 1})):
            with self.assertRaises(hamel.Error):
                wrong()
        given = hamel.from_sympy(x.diff()**2/2 + f*x, [x], givens={f: sp.cos(TIME)})
        self.assertEqual(given.eval({"t": 0}).qdd.x, 1)

    def test_texts_of_the_language_are_read_by_its_precedence(self):
        x, y = sp.symbols("x y")
        for text, want in (("-x^2", -x**2), ("2^-x^2", 2**(-x**2)), ("x/y/2", x/y/2), ("x - y - 1", x - y - 1), ("-x*-y", x*y), ("1e-3*x", x/1000),
                           ("q[1,2]'*x'", sp.Symbol("q[1,2]'")*sp.Symbol("x'")), ("e^x", sp.exp(x)), ("max(x, 1)", sp.Max(x, 1)), ("(x + y)^2", (x + y)**2)):
            self.assertEqual(_sympy_text.parse(text), want, text)
        for wrong in ("", "x +", "(x", "x y", "x)", "f(", "1..2", "x $ y", "sin()", "*x"):
            with self.subTest(wrong), self.assertRaises(hamel.UsageError):
                _sympy_text.parse(wrong)


def rolling_disc(hidden=False):
    psi, theta, phi, x, y, w1, w2, w3, vx, vy = dynamicsymbols("psi theta phi x y w1 w2 w3 vx vy")
    m, g, r = sp.symbols("m g r")
    space = ReferenceFrame("N")
    heading = space.orientnew("H", "Axis", [psi, space.z])
    lean = heading.orientnew("L", "Axis", [theta, heading.x])
    turned = lean.orientnew("R", "Axis", [phi, lean.y])
    contact = Point("C")
    contact.set_vel(space, 0 if hidden else x.diff()*space.x + y.diff()*space.y)
    centre = contact.locatenew("D", r*lean.z)
    spin = turned.ang_vel_in(space)
    kinematic = [spin.dot(axis) - u for axis, u in zip(lean, (w1, w2, w3))]
    if hidden:
        centre.v2pt_theory(contact, space, turned)
        kane = KanesMethod(space, [psi, theta, phi], [w1, w2, w3], kinematic)
    else:
        centre.v2pt_theory(contact, space, lean)
        kinematic += [x.diff() - vx, y.diff() - vy]
        rates = sp.solve(kinematic, [q.diff() for q in (psi, theta, phi, x, y)])
        slip = centre.vel(space) + spin.cross(-r*lean.z)
        rolling = [sp.simplify(slip.dot(axis).subs(rates)) for axis in (space.x, space.y)]
        kane = KanesMethod(space, q_ind=[psi, theta, phi, x, y], u_ind=[w1, w2, w3], u_dependent=[vx, vy], kd_eqs=kinematic, velocity_constraints=rolling)
    body = RigidBody("disc", centre, turned, m, (inertia(lean, m*r**2/4, m*r**2/2, m*r**2/4), centre))
    kane.kanes_equations([body], [(centre, -m*g*space.z)])
    return kane


if __name__ == "__main__":
    _run.main()
