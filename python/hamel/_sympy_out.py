"""Equations of a form as SymPy's objects, made of the library's expressions node by node, with their common parts shared."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import TYPE_CHECKING, Any, Callable, Optional

import sympy
from sympy.physics.mechanics import dynamicsymbols

from . import _library as c
from ._calls import encode_optional
from ._library import lib
from ._sympy_text import FUNCTIONS
from .errors import Error

if TYPE_CHECKING:
    from .model import Model

MOVING = {"coordinate", "quasi-velocity", "function", "multiplier", "momentum"}  # functions of the time


@dataclasses.dataclass
class Symbolic:
    """The equations of a form: M unknowns + F = 0; where they determine it, z' = f(t, z)."""

    form: str
    coordinates: list[Any]
    unknowns: list[Any]  #: accelerations, then multipliers
    M: Any
    F: Any
    velocities: list[Any]  #: q', each by what it is in the variables of the form
    accelerations: list[Any]  #: q'', likewise
    constraints: list[Any]  #: expressions that vanish
    states: list[Any]  #: z
    rates: list[Any]  #: f; empty where the equations determine none
    forces: list[Any]  #: Q, what does not follow from the Lagrangian
    energies: dict[str, Any]  #: "T", "U", "L", "energy"
    observables: dict[str, Any]
    invariants: dict[str, Any]
    symbols: dict[str, Any]  #: what each name became

    @property
    def equations(self) -> list[Any]:
        """M unknowns + F = 0, row by row, as Eq's."""
        return [sympy.Eq(row, 0, evaluate=False) for row in self.M*sympy.Matrix(self.unknowns) + self.F]

    def solve(self) -> dict[Any, Any]:
        """The unknowns, by SymPy's LUsolve."""
        return dict(zip(self.unknowns, self.M.LUsolve(-self.F)))

    def _repr_latex_(self) -> str:
        return f"$$\n{sympy.latex(self.M)} {sympy.latex(sympy.Matrix(self.unknowns))} + {sympy.latex(self.F)} = 0\n$$"


class _Names:
    """What names become: symbols, functions of the time and their derivatives; those of the user where the model came from SymPy."""

    def __init__(self, model: "Model", plain: bool) -> None:
        self.plain = plain
        self.known = {} if plain else dict(model._symbols)
        self.time = sympy.Symbol("t") if plain else dynamicsymbols._t
        self.made: dict[str, Any] = {}

    def symbol(self, node: "c.Node") -> Any:
        name, role = c.text(node.name), c.text(node.role)
        if role == "time":
            return self.time
        if self.plain or role not in MOVING:
            found = self.known.get(name, sympy.Symbol(name))
        else:
            base, order = c.text(node.base) or name, int(node.order)
            moving = self.known.get(base)
            moving = sympy.Function(base)(self.time) if moving is None else moving
            found = moving.diff(self.time, order) if order else moving
        self.made[name] = found
        return found


def _call(name: str, operands: list[Any]) -> Any:
    if name in FUNCTIONS:
        return FUNCTIONS[name](*operands)
    raise Error(f"hamel: a function {name!r} that this package does not know")


def _apply(name: str, operands: list[Any], orders: list[int]) -> Any:
    """A function of the model, differentiated by its arguments; at the place of its operands."""
    function, variables = sympy.Function(name), [sympy.Dummy(f"x{i}") for i in range(len(operands))]
    if not any(orders):
        return function(*operands)
    by = [(variable, order) for variable, order in zip(variables, orders) if order]
    return sympy.Subs(function(*variables).diff(*by), variables, operands).doit()


def _expression(node: "c.Node", values: list[Any], names: _Names) -> Any:
    kind = c.text(node.kind)
    operands = [values[node.operands[i]] for i in range(node.operand_count)]
    if kind == "number":
        return sympy.Rational(c.text(node.number))
    if kind == "symbol":
        return names.symbol(node)
    if kind == "pi":
        return sympy.pi
    if kind in ("sum", "product"):
        weights = [sympy.Rational(c.text(node.coefficients[i])) for i in range(node.operand_count)]
        if kind == "product":
            return sympy.Mul(*[one**w for one, w in zip(operands, weights)])
        return sympy.Add(sympy.Rational(c.text(node.number) or 0), *[w*one for one, w in zip(operands, weights)])
    if kind == "power":
        return operands[0]**operands[1]
    if kind == "call":
        return _call(c.text(node.name), operands)
    if kind == "apply":
        return _apply(c.text(node.name), operands, [int(node.orders[i]) for i in range(node.operand_count)])
    raise Error(f"hamel: an expression of the kind {kind!r}, which this package does not know")


class _Equations:
    """The parts of the equations of a form, each a list of SymPy's expressions."""

    def __init__(self, model: "Model", form: Optional[str], names: _Names) -> None:
        context, handle = model._native()
        made = ctypes.c_void_p()
        context.call(lib.hamel_model_equations, handle, encode_optional(form, "a form"), ctypes.byref(made))
        self.handle = made.value
        try:
            node, values = c.Node(), list[Any]()
            for e in range(lib.hamel_equations_nodes(self.handle)):
                lib.hamel_equations_node(self.handle, e, ctypes.byref(node))
                values.append(_expression(node, values, names))
            self.parts = {part: [values[lib.hamel_equations_at(self.handle, number, i)] for i in range(lib.hamel_equations_count(self.handle, number))]
                          for number, part in enumerate(c.PARTS)}
            self.names = {part: [c.text(lib.hamel_equations_name(self.handle, number, i)) for i in range(len(self.parts[part]))]
                          for number, part in enumerate(c.PARTS)}
            self.form = c.text(lib.hamel_equations_form(self.handle))
        finally:
            lib.hamel_equations_free(self.handle)

    def named(self, part: str) -> dict[str, Any]:
        return dict(zip(self.names[part], self.parts[part]))


def symbolic(model: "Model", form: Optional[str], plain: bool) -> Symbolic:
    names = _Names(model, plain)
    found = _Equations(model, form, names)
    of: Callable[[str], list[Any]] = found.parts.__getitem__
    count = len(of("unknowns"))
    return Symbolic(found.form, of("coordinates"), of("unknowns"), sympy.Matrix(len(of("forcing")), count, of("matrix")),
                    sympy.Matrix(len(of("forcing")), 1, of("forcing")), of("velocities"), of("accelerations"), of("constraints"), of("states"),
                    of("rates"), of("forces"), found.named("energies"), found.named("observables"), found.named("invariants"), names.made)
