"""The documents of `steady` and `linearise` over the library (one model in six, all in make test-long): the keys and kinds that scripts outside the repository rely on, and what
must be so of the numbers whatever the system.

The second route: the eigenvalues of A, by NumPy, are those that are printed and as many others as `neutral` says: 0, or those of ad xi, since an
observer who turns with the motion sees a displaced copy of it turn backwards.
"""
import json
import re

import numpy as np
from _checks import check, finish, run_size
from _runs import RunFailed, call
from t_symmetries import generator

DECIMAL = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?$")
# a defective eigenvalue of multiplicity m is found by NumPy to about eps^(1/m)
ZERO = 2e-3


def is_decimal(value):
    return isinstance(value, str) and bool(DECIMAL.match(value))


def is_table(value):
    return isinstance(value, list) and all(isinstance(row, list) and all(is_decimal(v) for v in row) for row in value)


def steady(name):
    found = json.loads(call("steady", name, "--json"))
    check(f"{name}: keys of steady", {"symmetries", "ignorable", "motions"} <= set(found), found.keys())
    for symmetry in found["symmetries"]:
        check(f"{name}: a symmetry", isinstance(symmetry["name"], str) and isinstance(symmetry["generator"], dict), symmetry)
    check(f"{name}: ignorable coordinates", isinstance(found["ignorable"], list) and all(isinstance(q, str) for q in found["ignorable"]), found["ignorable"])
    for motion in found["motions"]:
        state = motion["state"]
        check(f"{name}: parts of the state", {"q", "qd", "eta"} <= set(state), state.keys())
        check(f"{name}: its numbers", all(is_decimal(v) for part in ("q", "qd", "eta") for v in state[part].values()), state)
        check(f"{name}: the same coordinates", state["q"].keys() == state["qd"].keys())
        check(f"{name}: dimension", isinstance(motion["family_dimension"], int) and motion["family_dimension"] >= 0, motion["family_dimension"])
        check(f"{name}: a radius", "radius" not in motion or (is_decimal(motion["radius"]) and float(motion["radius"]) < 1e-20), motion.get("radius"))
    return found


def linearise(name):
    found = json.loads(call("linearise", name, "--json"))
    needed = {"states", "inputs", "A", "B", "M", "C", "K", "eigenvalues", "neutral", "stable"}
    check(f"{name}: keys of linearise", needed <= set(found), needed - set(found))
    size, inputs = len(found["states"]), len(found["inputs"])
    check(f"{name}: A", is_table(found["A"]) and len(found["A"]) == size and all(len(row) == size for row in found["A"]))
    check(f"{name}: B", is_table(found["B"]) and len(found["B"]) == (size if inputs else len(found["B"])) and all(len(row) == inputs for row in found["B"]))
    for letter in "MCK":
        check(f"{name}: {letter}", found[letter] is None or is_table(found[letter]), found[letter])
    check(f"{name}: a verdict", found["stable"] in ("yes", "no", "marginal", "undecided"), found["stable"])
    check(f"{name}: the count", isinstance(found["neutral"], int) and found["neutral"] + len(found["eigenvalues"]) == size, (found["neutral"], size))
    for e in found["eigenvalues"]:
        check(f"{name}: an eigenvalue", is_decimal(e["re"]) and is_decimal(e["im"]) and ("radius" not in e or is_decimal(e["radius"])), e)
    return found


def turning_rates(symmetries, motion):
    """|eigenvalues| of ad xi, xi being the combination of symmetries that carries the motion: [X, X_b] in terms of the X_b, as matrices (A b; 0 0)."""
    speeds = [abs(float(v)) for v in motion["speeds"]]
    coords = list(motion["state"]["q"])
    parts = [generator(s, coords) for s in symmetries]
    if not parts or any(part is None for part in parts):
        return [0, *speeds]
    n = len(coords)
    matrices = [np.vstack([np.column_stack([np.array(a, float), np.array(b, float)]), np.zeros(n + 1)]) for a, b in parts]
    xi = sum(float(v) * m for v, m in zip(motion["speeds"], matrices))
    basis = np.array([m.ravel() for m in matrices]).T
    ad = np.linalg.lstsq(basis, np.array([(xi @ m - m @ xi).ravel() for m in matrices]).T, rcond=None)[0]
    return [0, *speeds, *np.abs(np.linalg.eigvals(ad))]


def eigenvalues_are_those_of_the_matrix(name, found, motion, symmetries):
    a = np.array([[float(v) for v in row] for row in found["A"]])
    scale = max(1, np.abs(a).max())
    mine = [complex(float(e["re"]), float(e["im"])) for e in found["eigenvalues"]]
    theirs = list(np.linalg.eigvals(a)) if len(a) else []
    for value in sorted(mine, key=abs, reverse=True):
        nearest = min(theirs, key=lambda z: abs(z - value))
        theirs.remove(nearest)
        check(f"{name}: an eigenvalue of A", abs(nearest - value) < ZERO * scale, (value, nearest))
    rates = turning_rates(symmetries, motion)
    for value in theirs:
        check(f"{name}: a neutral one", abs(value.real) < ZERO * scale and min(abs(abs(value.imag) - w) for w in rates) < ZERO * scale, (value, rates))
    growth = [e for e in found["eigenvalues"] if "radius" in e]
    if found["stable"] == "yes":
        check(f"{name}: stable", len(growth) == len(found["eigenvalues"]) and all(float(e["re"]) < -float(e["radius"]) for e in growth))
    if found["stable"] == "no":
        check(f"{name}: unstable", any(float(e["re"]) > float(e["radius"]) for e in growth))


def main():
    names = [m["name"] for m in json.loads(call("models", "--json"))["models"]][::run_size(6, 1)]
    moving = 0
    for name in names:
        try:
            found = steady(name)
        except RunFailed as why:  # depends on time, or there is none
            check(f"{name}: says why", "steady motion" in str(why) or "abstract" in str(why), str(why))
            continue
        moving += 1
        try:
            eigenvalues_are_those_of_the_matrix(name, linearise(name), found["motions"][0], found["symmetries"])
        except RunFailed as why:
            singular = any(m.get("singular") for m in found["motions"])
            check(f"{name}: no matrices where the coordinates fail", singular and "no derivatives" in str(why), str(why))
    check("most models have a steady motion", 3 * moving > len(names), moving)


if __name__ == "__main__":
    main()
    finish()
