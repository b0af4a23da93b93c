#!/usr/bin/python3
"""Bounces of a ball whose gap is a difference of large coordinates end in contact, when the closed form says they do.

A ball of radius r is dropped from height h above a floor at z = c. With t1 = sqrt(2 h/g) and the speed v1 = g t1 there, the
bounces take 2 v1/g (e + e^2 + ..) = 2 v1 e/(g (1 - e)) together. The last of them are lower than what rounding does to
z - r - c: a run that follows them further falls through the floor.
"""
import json
import math
import os
import random
import subprocess
import tempfile

HAMEL = os.environ["HAMEL"]
passed = failed = 0


def check(what, good):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("FAILED:", what)


def run(text):
    with tempfile.NamedTemporaryFile("w", suffix=".ham") as model:
        model.write(text)
        model.flush()
        done = subprocess.run([HAMEL, "simulate", model.name, "--json"], capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


rng = random.Random(7)
for case in range(12):
    r, h, c = rng.uniform(0.01, 2), rng.uniform(0.1, 5), rng.choice([0, 0.3, 17, 1000])
    g, e = rng.uniform(1, 20), rng.choice([0.1, 0.3, 0.5, 0.8])
    t1 = math.sqrt(2 * h / g)
    rest = t1 + 2 * g * t1 * e / (g * (1 - e))
    code, told = run(f"""param m = 1, g = {g!r}, r = {r!r}, c = {c!r}
coord x, z
body ball: mass m at (x, 0, z) inertia (1, 1, 1)
gravity (0, 0, -g)
contact floor: gap z - r - c, at ball (x, 0, z - r), normal (0, 0, 1), restitution {e!r}
initial z = r + c + {h!r}, x' = 1
simulate t = 0 .. {2 * rest!r}, output = {rest / 5!r}
""")
    what = f"r = {r:.3g}, h = {h:.3g}, c = {c:g}, g = {g:.3g}, e = {e}"
    check(f"the run reaches its end: {what}", code == 0)
    check(f"the contact is closed at the end: {what}", told.get("modes") == {"floor": "sliding"})
    # the gap is known to rounding of c: heights of 1e-13 of the largest coordinate are bounces that are not followed
    error = abs(float(told.get("rests_at", {}).get("floor", "nan")) - rest)
    check(f"it rests when the closed form says, not {error:.2e} later: {what}", error < 1e-9 * max(1, c) * rest)
    check(f"it stays on the floor: {what}", abs(float(told["final"]["gap[floor]"])) < 1e-9 * max(1, c))
print(f"{passed} passed, {failed} failed")
raise SystemExit(failed > 0)
