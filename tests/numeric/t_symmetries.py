"""Symmetries that `check` finds, looked at from outside: the accelerations at a state that the symmetry has moved are the moved accelerations.

X = A q + b moves a state by g = exp(s X): q -> g(q), q' -> exp(s A) q'. `eval` gives q'' at both states, from the equations of motion, and knows
nothing of symmetries; q''(g z) = exp(s A) q''(z) must hold to its digits. The other way round: systems made from invariants of a group that this
test has drawn have that group, and no larger one where the invariants are generic.
"""
import json
import random
import subprocess
import tempfile
from decimal import Decimal, getcontext

from _checks import check, finish, run_size
from _runs import HAMEL, RunFailed, call

getcontext().prec = 60
DIGITS, RNG = 40, random.Random(16)
LIBRARY = [m["name"] for m in json.loads(subprocess.run([HAMEL, "models", "--json"], capture_output=True, text=True).stdout)["models"]]


def affine(expression, coords, where):
    """The value of a generator's entry, sum of a_j q_j + b: hamel's own text, evaluated by Python's Decimal arithmetic."""
    names, text = {}, expression
    for i, name in enumerate(sorted(coords, key=len, reverse=True)):
        names[f"Q{i}_"] = where[name]
        text = text.replace(name, f"Q{i}_")
    return eval(text, {"__builtins__": {}}, names)


def generator(symmetry, coords):
    """A (rows) and b of A q + b, from values at 0 and at the unit vectors; None if a parameter stands in it."""
    zero = {c: Decimal(0) for c in coords}
    try:
        b = [Decimal(affine(symmetry["generator"].get(c, "0"), coords, zero)) for c in coords]
        rows = []
        for c, start in zip(coords, b):
            rows.append([Decimal(affine(symmetry["generator"].get(c, "0"), coords, {**zero, e: Decimal(1)})) - start for e in coords])
    except NameError:
        return None
    return rows, b


def flow(a, b, s, q, terms=60):
    """exp(s X) q = q + s (A q + b) + s^2/2 A (A q + b) + .."""
    n, out = len(q), list(q)
    term = [sum(a[i][j] * q[j] for j in range(n)) + b[i] for i in range(n)]
    factor = s
    for k in range(1, terms):
        out = [x + factor * t for x, t in zip(out, term)]
        term = [sum(a[i][j] * term[j] for j in range(n)) for i in range(n)]
        factor = factor * s / (k + 1)
    return out


def evaluated(model, at):
    out = json.loads(call("eval", model, "--json", digits=str(DIGITS), at=", ".join(f"{k} = {v}" for k, v in at.items())))
    return {key: {c: Decimal(v) for c, v in out[key].items()} for key in ("q", "qd", "qdd", "lambda")}


def judge(model, title):
    facts = json.loads(call("check", model, "--json"))
    coords, free = facts["coords"], facts["independent"]
    if facts["m"] < 1 or any(c["order"] == 0 or c["order"] > 1 or not c["linear"] for c in facts["constraints"] if c["status"] == "active") or facts["rheonomic"]:
        return 0  # a moved state would have to be completed anew, on a branch of its own
    try:
        z = evaluated(model, {})
    except RunFailed as why:
        check(f"{title}: can be evaluated, or has no values", "no values" in str(why) or "no value" in str(why), str(why))
        return 0
    done = 0
    for symmetry in facts["symmetries"]:
        parts = generator(symmetry, coords)
        if parts is None:
            continue
        a, b = parts
        s = Decimal(RNG.randint(-90, 90)) / 100
        q = flow(a, b, s, [z["q"][c] for c in coords])
        zero = [Decimal(0)] * len(coords)
        qd, qdd = (flow(a, zero, s, [z[k][c] for c in coords]) for k in ("qd", "qdd"))
        at = dict(zip(coords, q)) | {c + "'": v for c, v in zip(coords, qd) if c in free}
        moved = evaluated(model, {k: f"{v:.45f}" for k, v in at.items()})
        worst = max(abs(moved[k][c] - v) for k, want in (("qd", qd), ("qdd", qdd)) for c, v in zip(coords, want))
        size = 1 + max(abs(v) for v in qd + qdd)
        check(f"{title}: {symmetry['name']}", worst <= size * Decimal(10) ** (10 - DIGITS), f"off by {worst:.3g}")
        done += 1
    return done


def library_models_move_as_their_symmetries_say():
    every = run_size(3, 1)
    done = sum(judge(m, m) for m in LIBRARY[::every])
    check("enough symmetries of library models", every * done >= 30, f"{done}")


def counts_that_are_known():
    for model, group, count in (("sleigh", "SE(2)", 3), ("rolling_disc", "SE(2) x R", 4), ("snake", "SE(2)", 3), ("rattleback", "SE(2)", 3),
                                ("spherical_pendulum", "SO(2)", 1), ("double_pendulum", None, 0)):
        facts = json.loads(call("check", model, "--json"))
        check(f"{model}: {group}", (facts["group"], len(facts["symmetries"])) == (group, count), f"{facts['group']}, {len(facts['symmetries'])}")


def text_model(text):
    f = tempfile.NamedTemporaryFile("w", suffix=".ham", delete=False)
    f.write(text)
    f.close()
    return f.name


def drawn_groups_are_found():
    """Points in the plane with forces that depend on distances: SE(2) whatever the masses, and the centre of mass turns on its own where there are
    several; with a spring to the origin SO(2); none with a slope."""
    for i in range(6):
        bodies = RNG.randint(1, 3)
        names = [(f"x{k}", f"y{k}") for k in range(bodies)]
        lines = ["system drawn", "coord " + ", ".join(f"{x}, {y}" for x, y in names)]
        lines += ["initial " + ", ".join(f"{c} = {RNG.randint(-30, 30) / 10 + k}" for k, p in enumerate(names) for c in (p[0], p[0] + "'", p[1]))]
        lines += ["kinetic " + " + ".join(f"{RNG.randint(1, 9)}*({x}'^2 + {y}'^2)/2" for x, y in names)]
        kind = i % 3
        square = [f"({x}^2 + {y}^2)" for x, y in names]
        pairs = [f"(({names[k][0]} - {names[k + 1][0]})^2 + ({names[k][1]} - {names[k + 1][1]})^2)" for k in range(bodies - 1)]
        terms = [f"{RNG.randint(1, 9)}*{p}^2" for p in pairs] + [f"{RNG.randint(1, 9)}*{e}^2/3" for e in square if kind]
        terms += [f"{RNG.randint(1, 5)}*x0 + {RNG.randint(1, 5)}*sin(y0) + {RNG.randint(1, 4)}*x0^3"] if kind == 2 else []
        if terms:
            lines += ["potential " + " + ".join(terms)]
        if kind == 1:  # the same damping in every direction turns with the plane
            damping = RNG.randint(1, 9)
            lines += [f"force {c} = -{damping}*{c}'" for c in names[0]]
        model = text_model("\n".join(lines) + "\n")
        facts = json.loads(call("check", model, "--json"))
        found = facts["group"], len(facts["symmetries"])
        want = [("SE(2)", 3) if bodies == 1 else ("SE(2) x SO(2)", 4), ("SO(2)", 1), (None, 0)][kind]
        check(f"drawn system {i}", found == want, f"{found} is not {want}: {lines}")
        judge(model, f"drawn system {i}")


if __name__ == "__main__":
    library_models_move_as_their_symmetries_say()
    counts_that_are_known()
    drawn_groups_are_found()
    finish()
