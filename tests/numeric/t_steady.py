"""Steady motions and the linear motions around them, looked at from outside.

`eval` knows nothing of symmetries: at a steady motion its accelerations must be those of the motion that the group makes. Eigenvalues: against the
published ones of Whipple's bicycle, against closed forms, and against the matrix of central differences of what `eval` gives at states around.
"""
import json
import math

from _checks import check, finish, near, run_size
from _runs import RunFailed, call
from t_symmetries import DIGITS, LIBRARY, Decimal, evaluated, generator, text_model

EVERY = run_size(6, 1)  # of the library, one model in so many


def steady(model, at=""):
    return json.loads(call("steady", model, "--json", *(["--at", at] if at else [])))


def eigenvalues(model, at=""):
    out = json.loads(call("linearise", model, "--json", *(["--at", at] if at else [])))
    return out, sorted((float(e["re"]), float(e["im"])) for e in out["eigenvalues"])


def accelerations_are_those_of_the_group():
    proved = 0
    for model in LIBRARY[::EVERY]:
        try:
            found = steady(model)
        except RunFailed as why:
            check(f"{model}: a reason", "steady motion" in str(why) or "no value" in str(why), str(why))
            continue
        motion, facts = found["motions"][0], json.loads(call("check", model, "--json"))
        coords = facts["coords"]
        check(f"{model}: ignorable are those that stand nowhere", set(found["ignorable"]) == set(facts["cyclic"]), f"{found['ignorable']} {facts['cyclic']}")
        proved += "radius" in motion
        at = {**motion["state"]["q"], **{c + "'": v for c, v in motion["state"]["qd"].items()}}
        try:
            z = evaluated(model, at)
        except RunFailed as why:
            check(f"{model}: can be evaluated there", "differ" in str(why), str(why))
            continue
        qdd = {c: Decimal(0) for c in coords}
        qd = {c: Decimal(0) for c in coords}
        for s, speed in zip(found["symmetries"], motion["speeds"]):
            parts = generator(s, coords)
            if parts is None:
                break
            a, b = parts
            for i, c in enumerate(coords):
                qd[c] += Decimal(speed) * (sum(a[i][j] * z["q"][e] for j, e in enumerate(coords)) + b[i])
                qdd[c] += Decimal(speed) * sum(a[i][j] * z["qd"][e] for j, e in enumerate(coords))
        else:
            worst = max(max(abs(qdd[c] - z["qdd"][c]), abs(qd[c] - z["qd"][c])) for c in coords)
            reactions = max((abs(z["lambda"][c] - Decimal(v)) for c, v in motion["lambda"].items()), default=0)
            check(f"{model}: its multipliers", reactions < Decimal("1e-24") * (1 + max(map(abs, z["lambda"].values()), default=0)), f"off by {reactions:.3g}")
            check(f"{model}: the motion is that of the group", worst < Decimal("1e-24") * (1 + max(abs(v) for v in z["qdd"].values())), f"off by {worst:.3g}")
    check("enough steady motions are proved", EVERY * proved >= 14, str(proved))


def a_disc_on_a_circle_obeys_its_closed_form():
    """A thin disc, inertia (1, 2, 1) m r^2/4: moments about the point of contact give, for theta' = 0,
    6 w psi' cos(theta) - psi'^2 sin(theta) cos(theta) + 4 (g/r) sin(theta) = 0 with the spin w = phi' + psi' sin(theta)."""
    for lean, turn in ((0.3, 1.0), (0.7, 2.5), (-0.4, 3.0)):
        q = steady("rolling_disc", f"theta = {lean}, psi' = {turn}")["motions"][0]["state"]
        psi, phi, g, r = float(q["qd"]["psi"]), float(q["qd"]["phi"]), 9.81, 0.5
        spin = phi + psi * math.sin(lean)
        residual = 6 * spin * psi * math.cos(lean) - psi**2 * math.sin(lean) * math.cos(lean) + 4 * g / r * math.sin(lean)
        check(f"disc with lean {lean}", psi == turn and abs(residual) < 1e-12, f"{residual}")


BICYCLE = {  # Meijaard et al. 2007, table 2: v; castering; capsize; weave (re, im)
    5: (-14.07838969279822, -0.32286642900409, (-0.77534188219585, 4.46486771378823)),
}


def the_bicycle_has_the_published_eigenvalues():
    out, found = eigenvalues("bicycle", "x' = 5")
    near("bicycle, castering", found[0][0], BICYCLE[5][0], 1e-14)
    near("bicycle, weave", found[1][0], BICYCLE[5][2][0], 2e-14)
    near("bicycle, weave, frequency", abs(found[1][1]), BICYCLE[5][2][1], 2e-15)
    near("bicycle, capsize", found[3][0], BICYCLE[5][1], 2e-14)
    check("bicycle at 5 m/s", out["stable"] == "yes" and out["neutral"] == 6 and all(float(e["radius"]) < 1e-30 for e in out["eigenvalues"]), str(out["stable"]))
    check("bicycle at 3 m/s falls", eigenvalues("bicycle", "x' = 3")[0]["stable"] == "no")


def closed_forms():
    pendulum = "system p\nparam g = 9.81, l = 0.7, c = 0.3\ncoord th\nkinetic l^2*th'^2/2\npotential -g*l*cos(th)\nforce th = -c*th'\n"
    out, found = eigenvalues(text_model(pendulum))
    d = 0.3 / 0.49 / 2
    near("damped pendulum, decay", found[0][0], -d, 1e-15)
    near("damped pendulum, frequency", abs(found[0][1]), math.sqrt(9.81 / 0.7 - d * d), 1e-15)
    check("damped pendulum is stable", out["stable"] == "yes")
    out, found = eigenvalues(text_model(pendulum), "th = 3")
    check("and upside down it is not", out["stable"] == "no")
    slope = "system b\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (3*(x - 1)^2 + 7*y^2)/2\nconstraint wire: y = 2*x\ninitial x = 0.1\n"
    near("bead on a sloping wire", eigenvalues(text_model(slope))[1][0][1] ** 2, (3 + 4 * 7) / 5, 1e-14)  # of 5 x'^2/2 + (3 (x - 1)^2 + 28 x^2)/2
    conical = "system s\nparam g = 9.81\ncoord th, ph\nkinetic (th'^2 + sin(th)^2*ph'^2)/2\npotential -g*cos(th)\ninitial th = 0.5, ph' = 3\n"
    state = steady(text_model(conical), "th = 0.8")["motions"][0]
    near("conical pendulum", float(state["state"]["qd"]["ph"]) ** 2 * math.cos(float(state["state"]["q"]["th"])), 9.81, 1e-14)
    check("conical pendulums are a family of dimension 1", state["family_dimension"] == 1 and "radius" in state)
    out, found = eigenvalues(text_model(conical), "th = 0.8")
    near("conical pendulum, nutation", abs(found[0][1]), math.sqrt(9.81 / math.cos(0.8) * (1 + 3 * math.cos(0.8) ** 2)), 1e-14)


def differences(model, at=""):
    """d(q' - X, eta')/d(q, eta) at the steady motion, for models whose eta no symmetry changes."""
    found = steady(model, at)
    motion, facts = found["motions"][0], json.loads(call("check", model, "--json"))
    coords, eta = facts["coords"], list(motion["state"]["eta"])
    groups = [(generator(s, coords), Decimal(v)) for s, v in zip(found["symmetries"], motion["speeds"])]
    z = {**{c: Decimal(motion["state"]["q"][c]) for c in coords}, **{e: Decimal(motion["state"]["eta"][e]) for e in eta}}
    h = Decimal("1e-12")

    def rate(z):
        out = json.loads(call("eval", model, "--json", digits=str(DIGITS), at=", ".join(f"{k} = {v:.45f}" for k, v in z.items())))
        q = [Decimal(out["q"][c]) for c in coords]
        moved = [sum(v * (sum(p[0][i][j] * q[j] for j in range(len(q))) + p[1][i]) for p, v in groups) for i in range(len(q))]
        return [Decimal(out["qd"][c]) - x for c, x in zip(coords, moved)] + [Decimal(out["etad"][e]) for e in eta]

    columns = []
    for name in z:
        more, less = rate({**z, name: z[name] + h}), rate({**z, name: z[name] - h})
        columns.append([(a - b) / (2 * h) for a, b in zip(more, less)])
    return [list(row) for row in zip(*columns)]


def characteristic(a):
    """Coefficients of det(x - a), the highest first (Faddeev and LeVerrier): c_k = -tr(a m_k)/k, m_(k+1) = a m_k + c_k."""
    n = len(a)
    m, out = [[Decimal(i == j) for j in range(n)] for i in range(n)], [Decimal(1)]
    for k in range(1, n + 1):
        m = [[sum(a[i][l] * m[l][j] for l in range(n)) for j in range(n)] for i in range(n)]
        out.append(-sum(m[i][i] for i in range(n)) / k)
        for i in range(n):
            m[i][i] += out[-1]
    return [float(c) for c in out]


def divided(polynomial, root):
    """By x - root: the quotient, and what is left over, relative to its terms."""
    out, size = [], 0.0
    for c in polynomial:
        out.append(c + (out[-1] * root if out else 0))
        size = size * abs(root) + abs(c)
    return out[:-1], abs(out[-1]) / max(size, 1e-300)


def central_differences_have_the_same_eigenvalues():
    for model, at in (("sleigh", ""), ("rolling_disc", "theta = 0.3, psi' = 1"), ("rolling_disc", "theta = 0, theta' = 0, psi' = 0"), ("vertical_disc", "")):
        out, found = eigenvalues(model, at)
        matrix = differences(model, at)
        worst = max(abs(float(a) - float(b)) for row, want in zip(out["A"], matrix) for a, b in zip(row, want))
        check(f"{model} at {at or 'its initial state'}: A", worst < 1e-12, f"off by {worst:.3g}")
        polynomial = [complex(c) for c in characteristic(matrix)]
        for re, im in found:
            polynomial, rest = divided(polynomial, complex(re, im))
            check(f"{model} at {at or 'its initial state'}: {re:.6g} {im:+.6g}i", rest < 1e-12, f"{rest:.3g}")
        check(f"{model}: the others are neutral", len(polynomial) - 1 == out["neutral"], str(polynomial))
        # zeros, and i times the speed of turning: odd or even, with real coefficients
        odd = polynomial[1::2]
        check(f"{model}: neutral means without growth", all(abs(c) < 1e-9 for c in odd), str(polynomial))


if __name__ == "__main__":
    accelerations_are_those_of_the_group()
    a_disc_on_a_circle_obeys_its_closed_form()
    the_bicycle_has_the_published_eigenvalues()
    closed_forms()
    central_differences_have_the_same_eigenvalues()
    finish()
