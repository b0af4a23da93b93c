"""Models from SymPy: from a Lagrangian, or from the objects of sympy.physics.mechanics."""
from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence

import sympy
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, dynamicsymbols
from sympy.physics.vector import Point, ReferenceFrame

from ._sympy_text import Printer
from .errors import UsageError
from .model import Model

LONG = 4000  # operations, from where on common parts get names


def _list(things: Any, what: str) -> list[Any]:
    if things is None:
        return []
    if isinstance(things, (sympy.MatrixBase, Sequence)) and not isinstance(things, str):
        return [sympy.sympify(one) for one in things]
    if isinstance(things, sympy.Basic):
        return [things]
    raise TypeError(f"{what} are a list of SymPy's expressions, not {type(things).__name__}")


def _zero(constraint: Any) -> Any:
    return constraint.lhs - constraint.rhs if isinstance(constraint, sympy.Equality) else sympy.sympify(constraint)


def _force_map(forces: Any, q: list[Any]) -> dict[Any, Any]:
    if forces is None:
        return {}
    if isinstance(forces, Mapping):
        strange = [one for one in forces if one not in q]
        if strange:
            raise UsageError(f"a force acts on a coordinate, and {strange[0]} is none of {', '.join(map(str, q))}")
        return {one: sympy.sympify(force) for one, force in forces.items()}
    listed = _list(forces, "forces")
    if len(listed) != len(q):
        raise UsageError(f"{len(q)} coordinates have {len(q)} forces, not {len(listed)}")
    return dict(zip(q, listed))


class _Text:
    """The text of a model while it is written."""

    def __init__(self, q: list[Any], time: Any) -> None:
        self.printer = Printer(time)
        self.lines: list[str] = []
        self.q = q
        self.coordinates = [self.printer.name(one) for one in q]

    def share(self, expressions: list[Any]) -> list[Any]:
        """Common parts of large expressions as `let`s."""
        if sum(sympy.count_ops(e) for e in expressions) < LONG:
            return expressions
        replacements, reduced = sympy.cse(expressions, symbols=sympy.numbered_symbols("hamel_part_"), order="none")
        self.parts = replacements
        return list(reduced)

    def statement(self, head: str, e: Any) -> None:
        self.lines.append(f"{head} {self.printer.text(e)}")


def write(q: list[Any], kinetic: Any, potential: Any, lagrangian: Any, forces: dict[Any, Any], constraints: list[Any], quasi: Mapping[Any, Any],
          values: Mapping[Any, Any], initial: Mapping[Any, Any], givens: Mapping[Any, Any], name: str, time: Any) -> Model:
    out = _Text(q, time)
    printer = out.printer
    energies = [("kinetic", kinetic), ("potential", potential), ("lagrangian", lagrangian)]
    bodies = [(head, sympy.sympify(e)) for head, e in energies if e is not None and sympy.sympify(e) != 0]
    bodies += [(f"force {printer.name(on)} =", force) for on, force in forces.items() if force != 0]
    first_constraint = len(bodies)
    bodies += [(f"constraint c{i + 1}:", c) for i, c in enumerate(constraints)]
    bodies += [(f"quasi {printer.name(u)} =", e) for u, e in quasi.items()]
    out.parts: list[tuple[Any, Any]] = []  # type: ignore[misc]
    reduced = out.share([e for _, e in bodies])
    for symbol, part in out.parts:
        out.statement(f"let {printer.name(symbol)} =", part)
    for i, ((head, _), e) in enumerate(zip(bodies, reduced)):
        constraint = first_constraint <= i < first_constraint + len(constraints)
        out.lines.append(f"{head} {printer.text(e)}{' = 0' if constraint else ''}")
    declared = _declarations(out, [e for _, e in bodies], quasi, values, givens, time)
    if initial:
        out.lines.append("initial " + ", ".join(f"{_initial_name(printer, at)} = {printer.text(value)}" for at, value in initial.items()))
    model = Model("\n".join([f"system {name}", *declared, *out.lines, ""]), name)
    model._symbols = {text: thing for thing, text in printer.names.items()}
    return model


def _initial_name(printer: Printer, at: Any) -> str:
    return at if isinstance(at, str) else printer.text(at)


def _declarations(out: _Text, bodies: list[Any], quasi: Mapping[Any, Any], values: Mapping[Any, Any], givens: Mapping[Any, Any], time: Any) -> list[str]:
    """Coordinates; functions of the time that are none as givens; every other symbol as a parameter."""
    printer = out.printer
    lines = ["coord " + ", ".join(out.coordinates)]
    named = {sympy.sympify(one): value for one, value in values.items() if not isinstance(one, str)}
    for one in named:
        if not isinstance(one, sympy.Symbol) or one == time:
            raise UsageError(f"a value belongs to a symbol, and {one} is none; functions of the time are coordinates, or go into `givens`")
    by_text = {one: value for one, value in values.items() if isinstance(one, str)}
    everything = sympy.Tuple(*bodies, *[sympy.sympify(e) for e in givens.values()], *[v for v in named.values() if isinstance(v, sympy.Basic)])
    functions = sorted(everything.atoms(sympy.core.function.AppliedUndef), key=str)
    known = {*out.q, *quasi}
    for one in functions:
        if one in known:
            continue
        if one.args != (time,):
            raise UsageError(f"{one} is neither a coordinate nor a function of the time {time}")
        definition = givens.get(one)
        lines.append(f"given {printer.name(one)}" + ("" if definition is None else f" = {printer.text(definition)}"))
    shared = {symbol for symbol, _ in getattr(out, "parts", [])}
    for symbol in sorted(everything.free_symbols | set(named), key=str):
        if symbol == time or symbol in shared or symbol in functions:
            continue
        if not isinstance(symbol, sympy.Symbol):
            raise UsageError(f"a value belongs to a symbol, and {symbol} is none")
        value = named.get(symbol, by_text.pop(printer.name(symbol), None))
        words = value if isinstance(value, str) else None if value is None else printer.text(value)
        lines.append(f"param {printer.name(symbol)}" + ("" if words is None else f" = {words}"))
    if by_text:
        raise UsageError(f"there is no symbol {next(iter(by_text))} that could have a value")
    return lines


# --- what users have --------------------------------------------------------------------------------------------------

def from_sympy(L: Any = None, q: Any = None, *, kinetic: Any = None, potential: Any = None, constraints: Any = (), forces: Any = None,
               quasi: Optional[Mapping[Any, Any]] = None, values: Optional[Mapping[Any, Any]] = None, initial: Optional[Mapping[Any, Any]] = None,
               givens: Optional[Mapping[Any, Any]] = None, name: str = "sympy", time: Any = None) -> Model:
    """A model from SymPy.

    ``L`` is a Lagrangian, with ``q`` the list of coordinates, functions of the time such as dynamicsymbols() makes; or a LagrangesMethod or
    a KanesMethod, which know the rest. ``constraints`` are expressions that vanish, or Eq's, in coordinates and their derivatives;
    ``forces`` a dict from coordinates to generalised forces, or a list; ``quasi`` a dict from names to velocities; ``values`` those of the
    symbols, which become parameters; ``initial`` a dict such as ``{x: 1, x.diff(): 0.5}``; ``givens`` known functions of the time.

    >>> from sympy.physics.mechanics import dynamicsymbols; import sympy
    >>> th, g, l = dynamicsymbols("theta"), *sympy.symbols("g l")
    >>> m = from_sympy(l**2*th.diff()**2/2 + g*l*sympy.cos(th), [th], values={g: 9.81, l: 1})
    >>> print(m.derive().equations[0])
    theta'' = -g*sin(theta)/l
    """
    time = dynamicsymbols._t if time is None else time
    more = {"values": values or {}, "initial": initial or {}, "givens": givens or {}, "name": name, "time": time}
    if isinstance(L, LagrangesMethod):
        return _from_lagrange(L, quasi or {}, more)
    if isinstance(L, KanesMethod):
        return _from_kane(L, more)
    coordinates = _list(q, "coordinates")
    if not coordinates:
        raise UsageError("q is the list of coordinates, functions of the time such as dynamicsymbols(\"x y\")")
    for one in coordinates:
        if not (isinstance(one, sympy.core.function.AppliedUndef) and one.args == (time,)):
            raise UsageError(f"a coordinate is a function of the time {time}, such as dynamicsymbols(\"x\") makes, not {one}")
    if (L is None) == (kinetic is None):
        raise UsageError("give a Lagrangian, or a kinetic energy and a potential")
    return write(coordinates, kinetic, potential, L, _force_map(forces, coordinates), [_zero(one) for one in _constraints(constraints)], quasi or {}, **more)


def _constraints(constraints: Any) -> list[Any]:
    if isinstance(constraints, sympy.Equality):
        return [constraints]
    return _list(constraints, "constraints")


def _velocities(loads: Iterable[Any], inertial: Any) -> list[tuple[Any, Any]]:
    """Loads as pairs of a velocity (of a point, or the angular one of a frame) and the force or torque on it."""
    found = []
    for where, vector in loads:
        if isinstance(where, Point):
            found.append((where.vel(inertial), vector))
        elif isinstance(where, ReferenceFrame):
            found.append((where.ang_vel_in(inertial), vector))
        else:
            raise UsageError(f"a load acts on a Point or a ReferenceFrame, not on {where}")
    return found


def _power(loads: list[tuple[Any, Any]], inertial: Any, q: list[Any], substitute: Any) -> dict[Any, Any]:
    """Generalised forces Q_i = sum F . dv/dq'_i."""
    forces = {one: sympy.S.Zero for one in q}
    for velocity, vector in loads:
        parts = [(substitute(velocity.dot(axis)), vector.dot(axis)) for axis in inertial]
        for one in q:
            rate = one.diff(dynamicsymbols._t)
            forces[one] += sum((v.diff(rate)*f for v, f in parts), sympy.S.Zero)
    return {one: substitute(force) for one, force in forces.items()}


def _from_lagrange(method: LagrangesMethod, quasi: Mapping[Any, Any], more: dict[str, Any]) -> Model:
    """Holonomic constraints as they are, the others as they stand between velocities."""
    q = list(method.q)
    holonomic = list(method._hol_coneqs) if getattr(method, "_hol_coneqs", None) else []
    velocity = list(method.coneqs)
    derived = [sympy.diff(one, dynamicsymbols._t) for one in holonomic]
    velocity = [one for one in velocity if one not in derived]
    forces = {}
    if method.forcelist:
        forces = _power(_velocities(method.forcelist, method.inertial), method.inertial, q, lambda e: e)
    return write(q, None, None, method._L[0] if isinstance(method._L, sympy.MatrixBase) else method._L, forces, holonomic + velocity, quasi, **more)


def _from_kane(method: KanesMethod, more: dict[str, Any]) -> Model:
    """T of the bodies and Q of the loads, with u put in from the kinematic differential equations, which become quasi-velocities."""
    bodies, loads = method.bodies, method.forcelist or []
    if not bodies:
        raise UsageError("this KanesMethod has no bodies: call its kanes_equations(bodies, loads) first")
    q, u, inertial = list(method.q), list(method.u), method._inertial
    rates = [one.diff(dynamicsymbols._t) for one in q]
    # q' -> expressions of u; solved for u they give u -> expressions of q'
    back = method.kindiffdict()
    solved = sympy.solve([rate - back[rate] for rate in rates], u, dict=True)
    if len(solved) != 1 or set(solved[0]) != set(u):
        raise UsageError("the speeds u do not follow from the velocities q'")
    image = {speed: sympy.simplify(e) for speed, e in solved[0].items()}
    plain = {speed.diff(dynamicsymbols._t): e.diff(dynamicsymbols._t) for speed, e in image.items()}

    def substitute(e: Any) -> Any:
        return sympy.sympify(e).xreplace(plain).xreplace(image)

    _expect_true_velocities(bodies, inertial, q, substitute)
    kinetic = substitute(sum((_kinetic(inertial, body) for body in bodies), sympy.S.Zero))
    forces = _power(_velocities(loads, inertial), inertial, q, substitute)
    configuration = [one for one in method._f_h] if method._f_h else []
    velocity = [substitute(one) for one in method._k_nh*sympy.Matrix(u) + method._f_nh] if method._k_nh else []
    free = u[:len(u) - len(method._udep)]
    freedom = len(q) - len(configuration) - len(velocity)
    quasi = {speed: image[speed] for speed in free} if len(free) == freedom and any(image[speed] not in rates for speed in free) else {}
    return write(q, kinetic, None, None, forces, configuration + velocity, quasi, **more)


# A model is derived from T(q, q'), which holds where velocities are derivatives of places and rotations in q. Kane's method also takes
# velocities into which nonholonomic constraints were put: T of those would give wrong equations.
NO_PLACE = """the velocity of {} is no derivative of a place in the coordinates: a constraint was put into it, which a model has to state
  = take coordinates for the place as well, and give the constraint as `velocity_constraints` of the KanesMethod"""
NO_ROTATION = """the angular velocity of {} is not that of its orientation in the coordinates
  = orient the frame by the coordinates, and let SymPy work out its angular velocity"""
DIGITS, SMALL = 40, 1e-25


def _expect_true_velocities(bodies: Iterable[Any], inertial: Any, q: list[Any], substitute: Any) -> None:
    """At a random state: a_ij of v_i = sum a_ij q'_j + b_i has da_ij/dq_k = da_ik/dq_j and da_ij/dt = db_i/dq_j; R' = omega x R."""
    time = dynamicsymbols._t
    rates = [one.diff(time) for one in q]
    for body in bodies:
        point = body if hasattr(body, "point") else None
        centre = body.point if point is not None else body.masscenter
        for axis in inertial:
            v = substitute(centre.vel(inertial).dot(axis))
            rest = v.xreplace({rate: sympy.S.Zero for rate in rates})
            a = [v.diff(rate) for rate in rates]
            twists = [a[j].diff(q[k]) - a[k].diff(q[j]) for j in range(len(q)) for k in range(j)]
            moving = [_explicit(one, time, q, rates) - rest.diff(q[j]) for j, one in enumerate(a)]
            if any(not _vanishes(one) for one in twists + moving):
                raise UsageError(NO_PLACE.format(centre.name))
        if point is None:
            turned = inertial.dcm(body.frame)
            w = [substitute(body.frame.ang_vel_in(inertial).dot(axis)) for axis in inertial]
            cross = sympy.Matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
            if any(not _vanishes(substitute(one)) for one in turned.diff(time) - cross*turned):
                raise UsageError(NO_ROTATION.format(body.frame.name))


def _explicit(e: Any, time: Any, q: list[Any], rates: list[Any]) -> Any:
    """The partial derivative by the time."""
    held = {one: sympy.Dummy() for one in [*rates, *q]}
    return e.xreplace(held).diff(time).xreplace({dummy: one for one, dummy in held.items()})


def _vanishes(e: Any) -> bool:
    """At a state that is drawn from the expression's own names, so that an answer is always the same."""
    import hashlib
    atoms = sorted(e.atoms(sympy.Derivative, sympy.core.function.AppliedUndef) | e.free_symbols, key=lambda one: (-sympy.count_ops(one), str(one)))
    for attempt in range(3):
        state = {one: sympy.Rational(int.from_bytes(hashlib.sha256(f"{attempt} {one}".encode()).digest()[:4], "big") + 1, 2**32) for one in atoms}
        derivatives = {one: value for one, value in state.items() if isinstance(one, sympy.Derivative)}
        value = sympy.N(e.xreplace(derivatives).xreplace(state), DIGITS)
        if not value.is_finite or abs(value) > SMALL:
            return False
    return True


def _kinetic(inertial: Any, body: Any) -> Any:
    return body.kinetic_energy(inertial)
