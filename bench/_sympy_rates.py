"""Right-hand sides as users of SymPy have them: mass_matrix_full and forcing_full, lambdify as it is or, as a good user has it, with cse, a linear
solve by NumPy. Each maker gives one right-hand side for cse=True and one for cse=False, and the state at the start."""
import json

import numpy as np
import sympy as sp
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import _peer


def of_lagrange(model):
    """From what `describe` says of a model, by LagrangesMethod: f(t, y) over y = (q, q'), and y at the start."""
    described = json.loads(_peer.hamel("describe", model, "--json")[1])
    matrix, forcing = _peer.equations(described)
    names = [c["sympy"] for c in described["coords"]]
    n = len(names)
    variables = [sp.Symbol(name) for name in names] + [sp.Symbol(name + "_t") for name in names]
    values = parameters(described)
    given = [float(v) for v in values.values()]
    start = json.loads(_peer.hamel("eval", model, "--json")[1])
    y0 = np.array([float(start[part][c["name"]]) for part in ("q", "qd") for c in described["coords"]])

    def make(cse):
        system = sp.lambdify(variables + list(values), [matrix, forcing], modules="numpy", cse=cse)

        def rhs(t, y):
            m, f = system(*y, *given)
            return np.concatenate([y[n:], np.linalg.solve(m, f)[:n, 0]])
        return rhs
    return make(True), make(False), y0


def parameters(described):
    """Values by symbol; a parameter that is defined by others gets its number."""
    table = {sp.Symbol(p["name"]): sp.sympify(p["sympy"], locals={q["name"]: sp.Symbol(q["name"]) for q in described["parameters"]})
             for p in described["parameters"]}
    while any(v.free_symbols for v in table.values()):
        table = {name: value.subs(table) for name, value in table.items()}
    return {name: sp.N(value, 17) for name, value in table.items()}


def disc_by_kane():
    """The rolling disc of the library by KanesMethod, three speeds of the body and two that depend on them."""
    psi, theta, phi, x, y, w1, w2, w3, vx, vy = dynamicsymbols("psi theta phi x y w1 w2 w3 vx vy")
    m, g, r = sp.symbols("m g r")
    space = ReferenceFrame("N")
    heading = space.orientnew("H", "Axis", [psi, space.z])
    lean = heading.orientnew("L", "Axis", [theta, heading.x])
    turned = lean.orientnew("R", "Axis", [phi, lean.y])
    origin = Point("O")
    origin.set_vel(space, 0)
    contact = origin.locatenew("C", x*space.x + y*space.y)
    contact.set_vel(space, x.diff()*space.x + y.diff()*space.y)
    centre = contact.locatenew("D", r*lean.z)
    centre.v2pt_theory(contact, space, lean)
    spin = turned.ang_vel_in(space)
    kinematic = [spin.dot(axis) - u for axis, u in zip(lean, (w1, w2, w3))] + [x.diff() - vx, y.diff() - vy]
    rates = sp.solve(kinematic, [q.diff() for q in (psi, theta, phi, x, y)])
    slip = centre.vel(space) + spin.cross(-r*lean.z)
    rolling = [sp.simplify(slip.dot(axis).subs(rates)) for axis in (space.x, space.y)]
    body = RigidBody("disc", centre, turned, m, (inertia(lean, m*r**2/4, m*r**2/2, m*r**2/4), centre))
    kane = KanesMethod(space, q_ind=[psi, theta, phi, x, y], u_ind=[w1, w2, w3], u_dependent=[vx, vy], kd_eqs=kinematic, velocity_constraints=rolling)
    kane.kanes_equations([body], [(centre, -m*g*space.z)])
    variables = [*kane.q, *kane.u]
    whole = [one.subs(kane.kindiffdict()) for one in (kane.mass_matrix_full, kane.forcing_full)]
    start = json.loads(_peer.hamel("eval", "rolling_disc", "--json")[1])
    q, eta = start["q"], start["eta"]
    y0 = np.array([float(one) for one in (q["psi"], q["theta"], q["phi"], q["x"], q["y"], eta["w1"], eta["w2"], eta["w3"], start["qd"]["x"], start["qd"]["y"])])

    def make(cse):
        system = sp.lambdify([*variables, m, g, r], whole, modules="numpy", cse=cse)

        def rhs(t, state):
            matrix, forcing = system(*state, 1.0, 9.81, 0.5)
            return np.linalg.solve(matrix, forcing)[:, 0]
        return rhs
    return make(True), make(False), y0
