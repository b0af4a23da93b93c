"""A function that jumps depends on what it jumps by, though its derivatives are 0 wherever it has some.

The second route is a quadrature: with b = b0 + v t a force f(b) on a body gives a(T) = integral of (T - t) f(b(t)), the integral divided where f jumps, at places found on a fine grid.
"""
import json
import random

import numpy as np

from _checks import check, finish
from _runs import call, trajectory
from t_symmetries import text_model

RNG = random.Random(21)
# as the language has it, and as numpy has it, of u and numbers k, c that are typed or parameters
JUMPS = [("sign({u} + {c})", lambda u, k, c: np.sign(u + c)), ("sign(sin({u}) + {k})", lambda u, k, c: np.sign(np.sin(u) + k)),
         ("atan2({u} + {c}, 0)", lambda u, k, c: np.pi / 2 * np.sign(u + c)),
         ("sign({k}*{u}*{u} - 1)", lambda u, k, c: np.sign(k * u * u - 1)), ("abs({u} + {c}) - {u}*sign({u} + {c})", lambda u, k, c: c * np.sign(u + c)),
         ("2 + sign(cos({u}) + sin({u}) + {k})", lambda u, k, c: 2 + np.sign(np.cos(u) + np.sin(u) + k))]
T, FINE = 6.0, 4_000_000
EVENTS = 1e-4  # of a grid of 1.5e-6: a jump of 2 at a place known to it moves a(T) by less than 2e-5


def text(law, k, c, b0, v, typed):
    parameters = "" if typed else f"param k = {k}, c = {c}\n"
    return f"system s\n{parameters}coord a, b\nkinetic (a'^2 + b'^2)/2\nforce a = {law}\ninitial a = 0, b = {b0}, a' = 0, b' = {v}\nsimulate t = 0 .. 6\n"


def forces_that_jump_act_on_both_sides():
    t = (np.arange(FINE) + 0.5) * T / FINE
    for trial in range(14):
        law, f = JUMPS[trial % len(JUMPS)]
        k, c, b0, v = round(RNG.uniform(0.2, 0.8), 2), round(RNG.uniform(-1, 1), 2), round(RNG.uniform(1.1, 2), 2), round(RNG.uniform(-1, -0.6), 2)
        typed = trial % 2 == 0
        said = law.format(u="b", k=k if typed else "k", c=f"({c})" if typed else "c")
        wanted = np.sum((T - t) * f(b0 + v * t, k, c)) * T / FINE
        for how in ({}, {"method": "dop853"}):
            found = trajectory(text_model(text(said, k, c, b0, v, typed)), **how)["a"][-1]
            check(f"a force {said} at b = {b0} + {v} t, {how}: {found}, not {wanted}", abs(found - wanted) <= EVENTS)


def what_jumps_has_no_symmetry_across():
    for energy, wanted in (("3*sign(b + 1/2)", ["translation of a"]), ("sin(a)/4 + sign(b)", []), ("2", ["rotation of a, b", "translation of a", "translation of b"])):
        model = text_model(f"system s\ncoord a, b\nkinetic (a'^2 + b'^2)/2\npotential {energy}\ninitial a = 0, b = 1.1, a' = 0, b' = 0\n")
        found = [s["name"] for s in json.loads(call("steady", model, "--json"))["symmetries"]]
        check(f"symmetries with the potential {energy}: {found}", found == wanted)


if __name__ == "__main__":
    forces_that_jump_act_on_both_sides()
    what_jumps_has_no_symmetry_across()
    finish()
