"""Steady motions where the equations have a multiple root: found, exact where they are fractions, never called proved, and no family.

The second route: each potential is written down from its roots, so that these are known; `eval` says that nothing accelerates there.
"""
import json
import math
import random

from _checks import check, finish
from _runs import call
from t_symmetries import text_model

RNG = random.Random(162)


def model_of(potential, start, names=("x",)):
    squares = " + ".join(f"{q}'^2" for q in names)
    return text_model(f"coord {', '.join(names)}\nkinetic ({squares})/2\npotential {potential}\ninitial {start}\n")


def motion(model, *more):
    return json.loads(call("steady", model, "--json", *more))["motions"][0]


def a_root_of_any_multiplicity_is_found():
    # V' = (x - c)^m (1 + (x - c)^2): one root, of multiplicity m
    for m in (2, 3, 4, 5, 7):
        for c in ("0", "3/7", "-2", "sqrt(2)"):
            x = f"(x - ({c}))"
            start = eval(c, {"sqrt": math.sqrt}) + RNG.choice((-1, 1)) * RNG.uniform(0.1, 0.4)
            model = model_of(f"{x}^{m + 1}/{m + 1} + {x}^{m + 3}/{m + 3}", f"x = {start:.3f}")
            found = motion(model)
            off = abs(float(found["state"]["q"]["x"]) - eval(c, {"sqrt": math.sqrt}))
            check(f"multiplicity {m} at {c}", off < (1e-15 if c != "sqrt(2)" else 1e-6), f"off by {off:.3g}")
            check("it is not called proved", found.get("multiple") is True and "radius" not in found)
            check("nor a family", found["family_dimension"] == 0)
            linear = json.loads(call("linearise", model, "--json"))
            check("two eigenvalues near 0, undecided", linear["neutral"] == 0 and linear["stable"] == "undecided" and len(linear["eigenvalues"]) == 2
                  and all(abs(complex(float(e["re"]), float(e["im"]))) < 1e-3 for e in linear["eigenvalues"]))


def a_start_on_the_root_is_the_same():
    for m in (2, 3, 4):
        found = motion(model_of(f"x^{m + 1}", "x = 0"))
        check(f"x^{m + 1} at 0", found.get("multiple") is True and found["family_dimension"] == 0 and found["state"]["q"]["x"] == "0")


def two_coordinates():
    found = motion(model_of("(x - 0.3)^4/4 + (x - 0.3)*y^2 + y^4", "x = 0.1, y = 0.5", ("x", "y")))
    check("both at once", found.get("multiple") is True and abs(float(found["state"]["q"]["x"]) - 0.3) < 1e-15 and float(found["state"]["q"]["y"]) == 0)
    found = motion(model_of("(x - y)^4 + (x + 2*y - 1)^2", "x = 0.5, y = 0.1", ("x", "y")))
    check("one across the axes", found.get("multiple") is True and all(abs(float(v) - 1 / 3) < 1e-15 for v in found["state"]["q"].values()), found)


def a_family_is_no_multiple_root():
    model = model_of("(x^2 + 2*y^2 - 1)^2", "x = 0.9, y = 0.4", ("x", "y"))
    found = motion(model)
    x, y = (float(found["state"]["q"][c]) for c in "xy")
    check("a curve of equilibria", abs(x * x + 2 * y * y - 1) < 1e-14 and "multiple" not in found and found["family_dimension"] == 1)
    check("its slope", abs(float(found["tangents"][0].get("x", 0)) + 2 * y / x) < 1e-12, found["tangents"])


def simple_roots_go_on_being_proved():
    for start in ("0.1", "0.9", "-2"):
        check(f"x^2 - x^4 from {start}", "radius" in motion(model_of("x^2 - x^4", f"x = {start}")))


def in_box(force, ranges="x = -2 .. 2"):
    return json.loads(call("steady", text_model(f"coord x\nkinetic x'^2/2\nforce x = {force}\ninitial x = 0.4\n"), "--box", ranges, "--json"))


def a_box_with_multiple_roots_is_complete_where_they_are_fractions():
    roots = ["-1", "1/3", "1", "-3/7", "0", "7/5"]
    for _ in range(8):
        chosen = RNG.sample(roots, RNG.randint(1, 3))
        powers = [RNG.randint(1, 4) for _ in chosen]
        found = in_box("*".join(f"(x - ({c}))^{m}" for c, m in zip(chosen, powers)))
        listed = sorted(float(m["state"]["q"]["x"]) for m in found["motions"])
        check(f"{chosen} {powers}", found["complete"] and len(listed) == len(chosen) and all(abs(a - b) < 1e-14 for a, b in zip(listed, sorted(eval(c) for c in chosen))), found)
        check("multiple ones are exact, simple ones enclosed", sum(m.get("exact", False) for m in found["motions"]) == sum(m > 1 for m in powers)
              and sum("radius" in m for m in found["motions"]) == sum(m == 1 for m in powers), found["motions"])


def what_is_nearly_a_multiple_root_is_none():
    found = in_box("(x - 1/3)^2 + 1e-12")
    check("no root at all, and that is proved", found["complete"] and not found["motions"], found)
    for force in ("(x - 1/3)^2 + 1e-30", "(x - 1/3)^2 - 1e-20", "(x^2 - 2)^2", "abs(x)^3", "x^2*(x - 1e-9)^2"):
        found = in_box(force)
        check(f"{force}: nothing is exact, and what is open is said", not any("exact" in m for m in found["motions"]) and not found["complete"] and found["undecided"], found)


if __name__ == "__main__":
    a_box_with_multiple_roots_is_complete_where_they_are_fractions()
    what_is_nearly_a_multiple_root_is_none()
    a_root_of_any_multiplicity_is_found()
    a_start_on_the_root_is_the_same()
    two_coordinates()
    a_family_is_no_multiple_root()
    simple_roots_go_on_being_proved()
    finish()
