"""The peer: SymPy's equations with multipliers for what `hamel describe --json` says, and operation counts by hamel's rules."""
import json
import os
import re
import subprocess

import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

HAMEL = os.environ.get("HAMEL", "build/hamel")
TIME = dynamicsymbols._t
DERIVATIVE = re.compile(r"(.*?)_(t+)$")


def hamel(*arguments):
    """Exit status, output and errors of the program."""
    done = subprocess.run([HAMEL, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def library():
    return [model["name"] for model in json.loads(hamel("models", "--json")[1])["models"]]


# ---- from names to functions of time -------------------------------------------------------------------------------------------

class Names:
    """Symbols of `describe` (x, x_t, x_tt) as functions of time and back."""

    def __init__(self, described):
        self.coordinates = [c["sympy"] for c in described["coords"]]
        self.parameters = {p["name"] for p in described["parameters"]}
        self.functions = {}
        self.plain = {}

    def is_moving(self, name, all_names):
        if name in self.coordinates or name + "_t" in all_names:
            return True
        return name not in self.parameters and name != "t"  # what is neither is a `given`

    def read(self, text, all_names):
        """The expression with coordinates and givens as functions of time."""
        called = set(re.findall(r"([A-Za-z_]\w*)\(", text))
        local = {name: sp.Symbol(name) for name in set(re.findall(r"[A-Za-z_]\w*", text)) - called}
        for name in called:
            if not hasattr(sp, name):
                local[name] = sp.Function(name)
        expression = sp.sympify(text, locals=local)
        image = {}
        for symbol in expression.free_symbols:
            match = DERIVATIVE.match(symbol.name)
            base, order = (match.group(1), len(match.group(2))) if match else (symbol.name, 0)
            if symbol.name == "t":
                image[symbol] = TIME
            elif self.is_moving(base, all_names):
                moving = self.functions.setdefault(base, sp.Function(base)(TIME))
                image[symbol] = moving.diff(TIME, order) if order else moving
        return expression.xreplace(image)

    def forget_time(self, expression):
        """Functions of time and their derivatives as plain symbols again."""
        image = {}
        for base, moving in self.functions.items():
            image[moving] = sp.Symbol(base)
            for order in (1, 2, 3):
                image[moving.diff(TIME, order)] = sp.Symbol(base + "_" + "t" * order)
        derivatives = {d: image[d] for d in expression.atoms(sp.Derivative) if d in image}
        return expression.xreplace(derivatives).xreplace({f: image[f] for f in self.functions.values()})


def order_of(expression, coordinates):
    orders = [0]
    for derivative in expression.atoms(sp.Derivative):
        if derivative.expr in coordinates:
            orders.append(derivative.derivative_count)
    return max(orders)


# ---- the equations ---------------------------------------------------------------------------------------------------------------

def equations(described):
    """Matrix over (q'', lambda) and right-hand side, unsimplified, from LagrangesMethod; None for constraints of higher order."""
    texts = [described["kinetic"]["sympy"], described["potential"]["sympy"]]
    texts += [f["sympy"] for f in described["forces"]] + [c["sympy"] for c in described["constraints"]]
    all_names = set(re.findall(r"[A-Za-z_]\w*", " ".join(texts)))
    names = Names(described)
    for name in names.coordinates:
        names.functions[name] = sp.Function(name)(TIME)
    kinetic, potential, *rest = [names.read(text, all_names) for text in texts]
    coordinates = [names.functions[name] for name in names.coordinates]
    n = len(coordinates)
    forces, constraints = rest[:n], rest[n:]
    orders = [order_of(c, coordinates) for c in constraints]
    if any(order > 1 for order in orders):
        return None
    constraints = [c if order else c.diff(TIME) for c, order in zip(constraints, orders)]
    method = LagrangesMethod(kinetic - potential, coordinates, nonhol_coneqs=constraints)
    method.form_lagranges_equations()
    matrix, forcing = method.mass_matrix_full, method.forcing_full  # (q', q'', lambda)
    matrix, forcing = matrix[n:, n:], forcing[n:, :]
    for i in range(n):
        forcing[i] += forces[i]
    return names.forget_time(matrix), names.forget_time(forcing)


# ---- counting, by the rules of program_count in src/expr/program.c --------------------------------------------------------------

def squarings(exponent):
    """Multiplications to raise to a positive integer power by repeated squaring."""
    cost = 0
    while exponent > 1:
        cost += 1 + exponent % 2
        exponent //= 2
    return cost


class Counter:
    """Operations of some expressions, a subtree that was met before costing nothing."""

    def __init__(self):
        self.seen = set()
        self.total = 0

    def factor(self, base, exponent):
        self.total += self.power(exponent)
        self.visit(base)

    @staticmethod
    def power(exponent):
        size = abs(exponent)
        if size.is_Integer:
            return squarings(int(size))
        return 1 + (squarings(int(size.p)) if size.q == 2 else 0)

    def product(self, node, in_sum):
        coefficient, factors = node.as_coeff_mul()
        if coefficient == -1:
            self.total += not in_sum  # a negation; in a sum it is a subtraction
        elif coefficient != 1:
            self.total += 1
        body = sp.Mul(*factors, evaluate=False) if len(factors) > 1 else factors[0]
        if len(factors) > 1 and coefficient != 1:
            if body in self.seen:
                return
            self.seen.add(body)
        elif len(factors) == 1:
            self.visit(body)
            return
        above = below = 0
        for factor in factors:
            base, exponent = factor.as_base_exp() if factor.is_Pow else (factor, sp.Integer(1))
            if not exponent.is_Rational:
                self.visit(factor)
                above += 1
                continue
            above, below = above + bool(exponent > 0), below + bool(exponent < 0)
            if factor.is_Pow and abs(exponent) != 1:
                positive = factor if exponent > 0 else sp.Pow(base, -exponent, evaluate=False)
                self.visit(positive)
            else:
                self.visit(base)
        self.total += max(above - 1, 0) + max(below - 1, 0) + (below > 0)

    def visit(self, node, in_sum=False):
        if node.is_Atom or node in self.seen:
            return
        if node.is_Mul:
            self.seen.add(node)
            self.product(node, in_sum)
            return
        self.seen.add(node)
        if node.is_Add:
            self.total += len(node.args) - 1
            for term in node.args:
                self.visit(term, in_sum=True)
        elif node.is_Pow and node.exp.is_Rational:
            self.factor(node.base, node.exp)
            self.total += bool(node.exp < 0)
        elif isinstance(node, (sp.Derivative, sp.Subs)):
            self.total += 1  # an abstract function's derivative: one function
        else:
            self.total += 1
            for argument in node.args:
                self.visit(argument)


def count(expressions):
    counter = Counter()
    for expression in expressions:
        counter.visit(expression)
    return counter.total


def shared_count(matrix, forcing):
    """The best SymPy's cse gives: with and without its basic optimisations, for forcing and for its negative."""
    best = None
    for sign in (1, -1):
        outputs = list(matrix) + [sign * f for f in forcing]
        for optimizations in (None, "basic"):
            replacements, reduced = sp.cse(outputs, optimizations=optimizations)
            total = count([value for _, value in replacements] + list(reduced))
            best = total if best is None else min(best, total)
    return best
