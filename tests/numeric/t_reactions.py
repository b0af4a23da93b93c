"""Multipliers in events and observables: where a reaction ends, against closed forms, by every form that has multipliers and by several methods.
Random positions, masses and sizes; no code is shared: what is expected are formulas of textbooks, written here anew.
"""
import json
import math
import random

import mpmath

from _checks import check, finish, near
from _runs import call, summary

FORMS = ("maggi", "multipliers", "hamel", "voronec", "appell", "udwadia", "nielsen", "hamilton")
DRAWN = 6


def where_it_ends(model, **options):
    out = summary(model, **options)
    check(f"{model}: an event ended it", out["outcome"] == "stopped by an event", str(out["outcome"]))
    return out


def the_ladder_leaves_the_wall():
    """At cos(th) = 2/3 cos(th0): the time is the integral of dth/th' with th'^2 = 3 g/(2 l) (cos(th0) - cos(th))."""
    draw = random.Random(1)
    for _ in range(DRAWN):
        th0, g, l = draw.uniform(0.05, 0.8), draw.uniform(1, 20), draw.uniform(0.2, 3)
        end = math.acos(2 / 3 * math.cos(th0))
        # th = th0 + s^2, cos(th0) - cos(th) = 2 sin(s^2/2) sin(th0 + s^2/2): nothing is singular
        time = float(mpmath.quad(lambda s: 2 / mpmath.sqrt(3 * g / (2 * l) * mpmath.sinc(s**2 / 2) * mpmath.sin(th0 + s**2 / 2)),
                                 [0, mpmath.sqrt(mpmath.mpf(end) - th0)]))
        out = where_it_ends("ladder", at=f"th={th0!r}", set=[f"g={g!r}", f"l={l!r}"], until=50)
        near("the angle", float(out["final"]["th"]), end, 1e-10)
        near("the time", float(out["events"][-1]["t"]), time, 1e-9 * max(1, time))
        near("the floor carries a quarter of the weight", float(out["final"]["of_floor"]), g / 4, 1e-9 * g)


def every_form_sees_the_same_reaction():
    reference = float(where_it_ends("ladder")["events"][-1]["t"])
    for form in FORMS:
        near(f"ladder by {form}", float(where_it_ends("ladder", form=form)["events"][-1]["t"]), reference, 1e-10)
    for method in ("dop853", "tsit5", "bdf"):
        near(f"ladder by {method}", float(where_it_ends("ladder", method=method)["events"][-1]["t"]), reference, 1e-7)


def the_particle_leaves_the_sphere():
    draw = random.Random(2)
    for _ in range(DRAWN):
        radius = draw.uniform(0.3, 4)
        x0 = draw.uniform(0.05, 0.7) * radius
        out = where_it_ends("sphere_slide", at=f"x={x0!r}, z={math.sqrt(radius**2 - x0**2)!r}", set=[f"R={radius!r}"], until=50)
        near("the height", float(out["final"]["z"]), 2 / 3 * math.sqrt(radius**2 - x0**2), 1e-9 * radius)


def the_cylinder_slips_before_it_leaves():
    """sin(theta) = mu (7 cos(theta) - 4 cos(theta0)); where mu is huge it leaves at cos(theta) = 4/7 cos(theta0), slipping just before."""
    draw = random.Random(3)
    for mu in [draw.uniform(0.05, 2) for _ in range(DRAWN)] + [1e6]:
        th0 = draw.uniform(0.005, 0.03)
        slips = float(mpmath.findroot(lambda th: mpmath.sin(th) - mu * (7 * mpmath.cos(th) - 4 * mpmath.cos(th0)), (th0, 1.2), solver="anderson"))
        out = where_it_ends("cylinder_on_cylinder", at=f"theta={th0!r}", set=[f"mu={mu!r}"], until=100)
        check("it slips first", out["events"][-1]["name"] == "slips", str(out["events"]))
        near(f"mu = {mu:.3g}: the angle", float(out["final"]["theta"]), slips, 1e-8)
        near("normal force", float(out["final"]["normal_force"]), 9.81 / 3 * (7 * math.cos(slips) - 4 * math.cos(th0)), 1e-7)


def a_multiplier_is_known_wherever_an_observable_is():
    moment = json.loads(call("sensitivity", "ladder", "--of", "lambda[floor]", "--to", "g, l", "--json"))["moments"][0]
    near("the floor carries m g/4 where the wall is left", float(moment["derivatives"]["lambda[floor]"]["g"]), 0.25, 1e-9)
    rows = json.loads(call("section", "ladder", "lambda[floor] - 3", "--direction", "down", "--json"))["rows"]
    check("a section by a multiplier", len(rows) == 1 and abs(float(rows[0]["lambda[floor]"]) - 3) < 1e-9, str(rows))


the_ladder_leaves_the_wall()
every_form_sees_the_same_reaction()
the_particle_leaves_the_sphere()
the_cylinder_slips_before_it_leaves()
a_multiplier_is_known_wherever_an_observable_is()
finish()
