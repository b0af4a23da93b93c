"""reaction(c) of vector constraints: Newton's m X'' - F proved for a disc that rolls and tilts, slip at a closed form, and the state where a tilted disc slips against the disc of the library, which has
other coordinates and no reaction in z at all. The particle that leaves a rough sphere and slipping_disc of the library against their closed forms."""
import csv
import json
import math
import os
import subprocess
import tempfile

import mpmath

from _checks import HAMEL, check, finish, near
from _runs import summary

DISC = """param m = 1, r = 0.5, g = 9.81, mu = 0.3
coord X, Y, Z, psi, theta, phi
let A = m*r^2/4
let up = rot(z, psi)*rot(x, theta)*(0, 0, 1)
body disc: mass m at (X, Y, Z) inertia (A, 2*A, A) rotation rot(z, psi)*rot(x, theta)*rot(y, phi)
gravity (0, 0, -g)
constraint roll: velat(disc, pos(disc) - r*up) = (0, 0, 0)
event slips: reaction(roll).x^2 + reaction(roll).y^2 - mu^2*reaction(roll).z^2 up stop
claim newton: dot(reaction(roll) - m*acc(disc) - (0, 0, m*g), (1, 2, 3)) = 0
claim powerless: dot(reaction(roll), velat(disc, pos(disc) - r*up)) = 0
observe ratio = sqrt(reaction(roll).x^2 + reaction(roll).y^2)/reaction(roll).z
initial psi = 0.3, theta = 0.25, phi = 0.1, psi' = -0.6, theta' = 0.2, phi' = 6, Z = r*cos(0.25)
simulate t = 0 .. 20
"""


def hamel(command, text, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".ham", delete=False) as file:
        file.write(text)
    done = subprocess.run([HAMEL, command, file.name, *options], capture_output=True, text=True, check=False)
    os.unlink(file.name)
    return done


def a_tilted_disc():
    done = hamel("prove", DISC, "--json")
    check("the reaction is what Newton says", all(v["verdict"] == "proved" for v in json.loads(done.stdout)["verdicts"]), done.stdout)
    for theta in (0.25, 0.1, 0.4):
        at = f"theta={theta}, Z=0.5*cos({theta})"
        rows = list(csv.DictReader(hamel("simulate", DISC, "--set", "mu=100", "--at", at, "-o", "-").stdout.splitlines()))
        seen = [float(row["ratio"]) for row in rows]
        mu = seen[0] + 0.7 * (max(seen) - seen[0])
        out = json.loads(hamel("simulate", DISC, "--json", "--set", f"mu={mu!r}", "--at", at, "--tol", "1e-12").stdout)
        check("the event stops the disc", out["outcome"] == "stopped by an event", str(out["outcome"]))
        f = {k: float(v) for k, v in out["final"].items()}
        state = ", ".join(f"{k}={f[k]!r}" for k in ("psi", "theta", "phi", "psi'", "theta'", "phi'"))
        e = json.loads(subprocess.run([HAMEL, "eval", "rolling_disc", "--json", "--at", state], capture_output=True, text=True).stdout)
        s = {k: tuple(mpmath.mpf(e[part][k]) for part in ("q", "qd", "qdd")) for k in ("x", "y", "psi", "theta")}
        # the centre: (x, y, 0) + r (sin psi sin theta, -cos psi sin theta, cos theta), twice differentiated by Taylor series
        r = mpmath.mpf("0.5")
        path = lambda k: lambda t: s[k][0] + s[k][1] * t + s[k][2] * t**2 / 2
        place = [lambda t: path("x")(t) + r * mpmath.sin(path("psi")(t)) * mpmath.sin(path("theta")(t)),
                 lambda t: path("y")(t) - r * mpmath.cos(path("psi")(t)) * mpmath.sin(path("theta")(t)),
                 lambda t: r * mpmath.cos(path("theta")(t))]
        push = [mpmath.diff(p, 0, 2) for p in place]
        push[2] += mpmath.mpf("9.81")
        near("where the disc slips", float(mpmath.hypot(push[0], push[1]) / push[2]), mu, 1e-8)


def the_disc_that_is_driven():
    for m, mu, c in ((1, 0.4, 1), (2, 0.1, 0.7), (0.3, 1.5, 3)):
        out = summary("slipping_disc", set=[f"m={m}", f"mu={mu}", f"c={c}"], until=50)
        near("it slips", float(out["events"][-1]["t"]), 3 * mu * m * 9.81 * 0.5 / (2 * c), 1e-11)


def the_particle_on_the_rough_sphere():
    """Down a meridian, u = v^2: u = a cos + b sin + k exp(2 mu th)."""
    g, radius = 9.81, 1.0
    for mu, th0, v0 in ((0.2, 0.3, 1.0), (0.05, 0.5, 0.6), (0, 0.4, 0.3)):
        a = -2 * g * radius * (1 - 2 * mu**2) / (1 + 4 * mu**2)
        b = -2 * mu * g * radius + 2 * mu * a
        k = (v0**2 - a * math.cos(th0) - b * math.sin(th0)) / math.exp(2 * mu * th0)
        pressed = lambda th: g * radius * mpmath.cos(th) - a * mpmath.cos(th) - b * mpmath.sin(th) - k * mpmath.exp(2 * mu * th)
        leaves = float(mpmath.findroot(pressed, (0.5, 1.3), solver="anderson"))
        at = f"x={math.sin(th0)!r}, y=0, z={math.cos(th0)!r}, x'={v0 * math.cos(th0)!r}, y'=0"
        out = summary("rough_sphere", at=at, set=f"mu={mu}", until=9)
        near("it leaves the sphere", float(out["final"]["z"]), math.cos(leaves), 1e-9)


a_tilted_disc()
the_disc_that_is_driven()
the_particle_on_the_rough_sphere()
finish()
