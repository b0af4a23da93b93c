#!/usr/bin/python3
"""The snake of models/snake.ham with N links by SymPy's LagrangesMethod: processor seconds to mass matrix and forcing, nothing simplified.

    snake.py N [REPETITIONS]      prints: N, the least seconds
"""
import sys
import time

import sympy as sp
from sympy.core.cache import clear_cache
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols


def snake(links):
    """Lagrangian, coordinates and constraints, as the model states them."""
    t = dynamicsymbols._t
    m, l, J = sp.symbols("m l J")
    x, y = dynamicsymbols("x y")
    theta = dynamicsymbols("theta1:%d" % (links + 1))
    kinetic, constraints = sp.S.Zero, []
    for i in range(links):
        tail_x = x - l * sum(sp.cos(theta[j]) for j in range(i + 1))
        tail_y = y - l * sum(sp.sin(theta[j]) for j in range(i + 1))
        vx = (tail_x + l / 2 * sp.cos(theta[i])).diff(t)
        vy = (tail_y + l / 2 * sp.sin(theta[i])).diff(t)
        kinetic += m / 2 * (vx**2 + vy**2) + J / 2 * theta[i].diff(t)**2
        constraints.append(-sp.sin(theta[i]) * vx + sp.cos(theta[i]) * vy)
    return kinetic, [x, y, *theta], constraints


def derive(lagrangian, coordinates, constraints):
    method = LagrangesMethod(lagrangian, coordinates, nonhol_coneqs=constraints)
    method.form_lagranges_equations()
    return method.mass_matrix_full, method.forcing_full


def seconds(links):
    clear_cache()
    system = snake(links)
    start = time.process_time()
    derive(*system)
    return time.process_time() - start


if __name__ == "__main__":
    count = int(sys.argv[1])
    print(count, "%.4f" % min(seconds(count) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
