"""Maps of stability over two parameters: the curves against closed forms, the regions against eigenvalues that numpy finds."""
import json
import math

import numpy as np
from _checks import check, finish
from _runs import RunFailed, call
from t_symmetries import text_model


def stability_map(model, first, second, *more):
    found = json.loads(call("stability", model, "--json", "--vary", first, "--vary", second, *more))
    for curve in found["curves"]:
        curve["points"] = [[float(v) for v in p] for p in curve["points"]]
    for region in found["regions"]:
        region["at"] = [float(v) for v in region["at"]]
    return found


def on_curve(what, found, kind, distance, least=20):
    points = [p for c in found["curves"] if c["kind"] == kind for p in c["points"]]
    worst = max((abs(distance(*p)) for p in points), default=1)
    check(f"{what}: all points lie on the curve", len(points) >= least and worst < 1e-10, f"{len(points)} points, {worst:.3g}")


def a_disc_rolls_upright_where_3_v2_is_more_than_g_r():
    found = stability_map("rolling_disc", "phi' = 0.5..6", "r = 0.2..1", "--at", "theta = 0, theta' = 0, psi' = 0")
    on_curve("phi' and r", found, "zero", lambda w, r: w - math.sqrt(9.81 / (3 * r)))
    check("unstable below, marginal above", sorted((r["stable"], 3 * r["at"][0] ** 2 * r["at"][1] > 9.81) for r in found["regions"]) == [("marginal", True), ("no", False)], str(found["regions"]))
    check("the regions' points are proved", all(r["proved"] for r in found["regions"]))
    ends = sorted(p for c in found["curves"] for p in (c["points"][0], c["points"][-1]))
    check("the curve goes from edge to edge", [p[1] for p in ends] == [1, 0.2], str(ends))


# Planar segway: total mass M, moment E about the axle, first moment ml; motors u = kp th + kd th' + kv x' push with 2 u/r and turn with -2 u
SEGWAY = ("system s\nparam M = 65, E = 44, ml = 40, r = 0.25, g = 9.81, kp = 300, kd = 60, kv = 20\ncoord x, th\nkinetic M*x'^2/2 + ml*x'*th'*cos(th) + E*th'^2/2\n"
          "potential ml*g*cos(th)\nlet u = kp*th + kd*th' + kv*x'\nforce x = 2*u/r\nforce th = -2*u\ninitial x = 0, th = 0, x' = 0, th' = 0\n")


def segway_polynomial(kp, kd, kv=20, M=65, E=44, ml=40, r=0.25, g=9.81):
    return [M * E - ml * ml, 2 * (kd * (M + ml / r) - kv * (E / r + ml)), 2 * kp * (M + ml / r) - M * ml * g, 2 * kv * ml * g / r]


def a_segway_stands_between_a_line_and_a_hyperbola():
    found = stability_map(text_model(SEGWAY), "kp = 40..400", "kd = 1..120")
    def distance(kp, kd):  # the hyperbola c2 c1 = c3 c0 solved for kd
        c3, _, c1, c0 = segway_polynomial(kp, kd)
        return kd - (c3 * c0 / c1 / 2 + 20 * (44 / 0.25 + 40)) / (65 + 40 / 0.25)
    on_curve("gains", found, "hopf", distance)
    for region in found["regions"]:
        roots = np.roots(segway_polynomial(*region["at"]))
        check(f"region at {region['at']}", region["stable"] == ("yes" if max(roots.real) < 0 else "no"), str(region))
    check("it stands somewhere and falls somewhere", {"yes", "no"} == {r["stable"] for r in found["regions"]}, str(found["regions"]))


def a_closed_curve():
    model = text_model("system c\nparam p = 0, q = 0\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -(p^2 + 2*q^2 - 1)*x'\n")
    found = stability_map(model, "p = -1.5..1.5", "q = -1.2..1.3")
    on_curve("an ellipse", found, "hopf", lambda p, q: math.sqrt(p * p + 2 * q * q) - 1)
    check("it is closed, and one", len(found["curves"]) == 1 and found["curves"][0]["closed"], str([c["closed"] for c in found["curves"]]))
    check("unstable within, stable outside", {(r["stable"], r["at"][0] ** 2 + 2 * r["at"][1] ** 2 > 1) for r in found["regions"]} == {("no", False), ("yes", True)}, str(found["regions"]))


def a_sleeping_top():
    found = stability_map("sleeping_top", "psi' = 10..60", "m = 0.2..3")
    on_curve("C^2 n^2 = 4 A m g l", found, "double", lambda n, m: n - math.sqrt(4 * (0.25 + m * 0.25) * m * 9.81 * 0.5) / 0.2)


def random_boundaries():
    """x'' + a(p, q) x' + b(p, q) x = 0 with quadratics a, b: Hopf where a = 0 and b > 0, zero where b = 0; no part where a = 0 and b < 0, two real roots there."""
    rng = np.random.default_rng(5)
    for trial in range(3):
        a, b = rng.integers(-3, 4, 6).astype(int), rng.integers(-3, 4, 6).astype(int)
        def at(c, p, q):
            return c[0] / 2 + c[1] * p + c[2] * q + c[3] * p * p / 2 + c[4] * p * q + c[5] * q * q / 2
        words = [f"({c[0]}/2 + ({c[1]})*p + ({c[2]})*q + ({c[3]})*p^2/2 + ({c[4]})*p*q + ({c[5]})*q^2/2)" for c in (a, b)]
        model = text_model(f"system r\nparam p = 0.3, q = 0.2\ncoord x\nkinetic x'^2/2\npotential {words[1]}*x^2/2\nforce x = -{words[0]}*x'\n")
        try:
            found = stability_map(model, "p = -1.1..1", "q = -1..1.2")
        except RunFailed as why:
            check(f"trial {trial} runs", False, str(why))
            continue
        for c in found["curves"]:
            f = a if c["kind"] == "hopf" else b
            check(f"trial {trial}: {c['kind']} vanishes", max(abs(at(f, *p)) for p in c["points"]) < 1e-9)
            if c["kind"] == "hopf":
                check(f"trial {trial}: a pair, not two real ones", all(at(b, *p) > -1e-3 for p in c["points"]))
        for r in found["regions"]:
            roots = np.roots([1, at(a, *r["at"]), at(b, *r["at"])])
            check(f"trial {trial}: region {r['at']}", r["stable"] == ("yes" if max(roots.real) < 0 else "no"), str(r))


def refusals():
    for first, second, words in (("w = 1..2", "w = 1..3", "varied twice"), ("w = 1..2", "nobody = 1..3", "no `nobody`"), ("w = 2..1", "g = 1..3", "nothing from 2 to 1")):
        try:
            stability_map("bead_on_hoop", first, second)
            check(f"{first}, {second} is refused", False)
        except RunFailed as why:
            check(f"{first}, {second}: {words}", words in str(why), str(why))


if __name__ == "__main__":
    a_disc_rolls_upright_where_3_v2_is_more_than_g_r()
    a_segway_stands_between_a_line_and_a_hyperbola()
    a_closed_curve()
    a_sleeping_top()
    random_boundaries()
    refusals()
    finish()
