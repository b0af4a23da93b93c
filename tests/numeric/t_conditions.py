"""Conditions of stability in closed form, `linearise --symbolic`, against eigenvalues at random values of the parameters.

The verdict of the conditions is evaluated in Python; the other one comes from matrices that numpy solves (written down by hand below, or those that `linearise`
gives in numbers at these values), on both sides of each boundary.
"""
import json
import random

import numpy as np
from _checks import check, finish
from _runs import call
from t_symmetries import text_model

RNG = random.Random(16)


def conditions(model, at=None):
    out = json.loads(call("linearise", model, "--symbolic", "--json", *(["--at", at] if at else [])))
    return out["conditions"]


def holds(c, values):
    names = {name.replace("'", "_t"): v for name, v in values.items()}
    def value(e):
        return eval(e.replace("'", "_t").replace("^", "**"), {}, names)
    return not c["never"] and all(value(e) > 0 for e in c["positive"]) and all(value(e) != 0 for e in c["nonzero"])


def numbers(model, values, at):
    sets = [word for name, v in values.items() for word in ("--set", f"{name}={v}")]
    out = json.loads(call("linearise", model, "--json", *(["--at", at] if at else []), *sets))
    return out["stable"]


MODELS = (("rolling_disc", ["r", "g"], "theta = 0, theta' = 0, psi' = 0, phi' = {}", "w2", (0.3, 6)),
          ("sleeping_top", ["m", "l", "C", "A1"], "psi' = {}", "psi'", (5, 60)),
          ("bead_on_hoop", ["r", "g", "w"], "theta = 0", None, None),
          ("ziegler", ["P", "b", "c"], None, None, None))


STATED = {"rolling_disc": {"m": 1, "r": 0.5, "g": 9.81}, "sleeping_top": {"m": 1, "l": 0.5, "g": 9.81, "A1": 0.25, "C": 0.2},
          "bead_on_hoop": {"m": 1, "r": 1, "g": 9.81, "w": 4}, "ziegler": {"m": 1, "l": 1, "c": 1, "b": 0.1, "P": 1.8}}


def library_models_agree_with_their_eigenvalues():
    for model, names, at, velocity, bounds in MODELS:
        c = conditions(model, at.format(3) if at else None)
        stated = STATED[model]
        seen = set()
        for _ in range(14):
            values = {name: round(stated[name] * RNG.uniform(0.2, 3), 3) for name in names}
            speed = round(RNG.uniform(*bounds), 3) if bounds else None
            verdict = numbers(model, values, at.format(speed) if at else None)
            mine = holds(c, {**stated, **values, **({velocity: speed} if velocity else {})})
            seen.add(mine)
            check(f"{model} {values} {speed}", mine == (verdict == ("marginal" if c["of"] == "marginal" else "yes")), f"{mine} {verdict} {c}")
        check(f"{model}: on both sides", seen == {True, False}, str(seen))


def random_systems_agree_with_numpy():
    """M q'' + C q' + K q = 0 with some entries named: 2 coordinates, damped or gyroscopic."""
    seen = set()
    for trial in range(8):
        m = [RNG.randint(1, 4), RNG.randint(1, 4)]
        k = [[RNG.randint(-3, 5), 0], [0, RNG.randint(-3, 5)]]
        even = trial % 2
        a, w = RNG.randint(1, 3), RNG.randint(1, 3)
        text = (f"system r\nparam p = 1, d = 1\ncoord x, y\nkinetic ({m[0]}*x'^2 + {m[1]}*y'^2)/2\npotential ({k[0][0]}*x^2 + ({k[1][1]})*y^2)/2 + p*x*y\n"
                f"force x = {w}*d*y'" + ("" if even else f" - {a}*x'") + f"\nforce y = -{w}*d*x'" + ("" if even else " - d*y'") + "\ninitial x = 0, y = 0\n")
        c = conditions(text_model(text))
        check(f"system {trial}: even as it is", c["of"] == ("marginal" if even else "stable"), str(c))
        for _ in range(12):
            values = {"p": RNG.uniform(-4, 4), "d": RNG.uniform(0.01, 6)}
            damping = np.array([[0 if even else a, -w * values["d"]], [w * values["d"], 0 if even else values["d"]]])
            stiffness = np.array(k) + np.array([[0, values["p"]], [values["p"], 0]])
            inverse = np.diag([1 / m[0], 1 / m[1]])
            system = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiffness, -inverse @ damping]])
            growth = max(np.linalg.eigvals(system).real)
            if abs(growth) < 1e-6 and not even:
                continue
            if any(values[name] <= 0 for name in c["given_positive"]):
                continue  # nothing is said there
            mine = holds(c, values)
            seen.add((even, mine))
            check(f"system {trial} {values}", mine == (growth < 1e-6), f"{mine} {growth} {c}")
    check("stable and unstable ones, damped and not", len(seen) == 4, str(seen))


def textbooks():
    check("a disc rolls upright where 3 r w^2 > g", conditions("rolling_disc", "theta = 0, theta' = 0, psi' = 0")["positive"] == ["3*r*w2**2 - g"])
    check("a bead stays below where w^2 < g/r", conditions("bead_on_hoop")["positive"] == ["g - r*w**2"])
    pendulum = "system p\nparam m = 1, l = 0.5, g = 9.81, b = 0.1\ncoord th\nkinetic m*l^2*th'^2/2\npotential {}m*g*l*cos(th)\nforce th = -b*th'\n"
    check("an inverted pendulum is stable nowhere", conditions(text_model(pendulum.format("")))["never"])
    hanging = conditions(text_model(pendulum.format("-")))
    check("a hanging one is where its parameters are positive", not hanging["never"] and not hanging["positive"] and sorted(hanging["given_positive"]) == ["b", "g", "l", "m"], str(hanging))


if __name__ == "__main__":
    textbooks()
    random_systems_agree_with_numpy()
    library_models_agree_with_their_eigenvalues()
    finish()
