#!/usr/bin/python3
"""One system in two texts, in SI units and in others, moves the same to the last digit; and the library under the check of dimensions: with one
unit in it every statement of a model is looked at, all its names being unknown. What is refused then is what is wrong: printed formulas whose
corrections pass, and models in units of their own."""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from counting import check, finish  # noqa: E402

HAMEL = os.environ["HAMEL"]
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

SYSTEM = """system crane
param g = {g}, m = {m}, M = {M}, l = {l}, k = {k}, c = {c}
coord x{in_m}, th{in_rad}
kinetic M/2*x'^2 + m/2*((x' + l*th'*cos(th))^2 + (l*th'*sin(th))^2)
potential m*g*l*(1 - cos(th)) + k/2*x^2
force x = -c*x' + {F}*sin({w}*t)
initial x = {x}, th = {th}, x' = {v}, th' = {om}
simulate t = 0 .. {end}, tol = 1e-12, output = {step}
observe height = l*(1 - cos(th)){more}
"""
SI = dict(g="981/100 [m/s^2]", m="1/2 [kg]", M="2 [kg]", l="3/4 [m]", k="500 [N/m]", c="3/5 [N*s/m]", in_m=" [m]", in_rad=" [rad]", F="7 [N]",
          w="2*pi/3 [1/s]", x="1/10 [m]", th="pi/6 [rad]", v="5 [m/s]", om="pi [1/s]", end="3 [s]", step="1/10 [s]", more="")
OTHER = dict(g="981 [cm/s^2]", m="500 [g]", M="0.002 [Mg]", l="750 [mm]", k="5 [N/cm]", c="600 [g/s]", in_m=" [m]", in_rad=" [rad]",
             F="0.007 [kN]", w="20 [rpm]", x="10 [cm]", th="30 [deg]", v="18 [km/h]", om="0.5 [rev/s]", end="0.05 [min]", step="100 [ms]", more="")
BARE = {key: words.split(" [")[0] for key, words in SI.items()} | {"in_m": "", "in_rad": ""}
SHOWN = OTHER | {"more": "\nobserve fast [km/h] = x'\nobserve turned [deg] = th"}


def run(source, *words, cwd=None):
    return subprocess.run([HAMEL, *words], input=source, capture_output=True, text=True, timeout=300, cwd=cwd)


def rows(values, folder):
    file = os.path.join(folder, "run.csv")
    done = run(SYSTEM.format(**values), "simulate", "-", "-o", file)
    check(done.returncode == 0, f"the crane runs: {done.stderr}")
    with open(file) as lines:
        return lines.read()


with tempfile.TemporaryDirectory() as folder:
    in_si, in_others, bare = rows(SI, folder), rows(OTHER, folder), rows(BARE, folder)
    check(in_si == in_others, "a crane in cm, g, rpm, deg and min moves as that in SI units, to the last digit")
    check(in_si == bare, "and as that without units")
    header, *lines = rows(SHOWN, folder).splitlines()
    names = header.split(",")
    worst = 0.0
    for line in lines:
        row = dict(zip(names, map(float, line.split(","))))
        worst = max(worst, abs(row["fast"] - 3.6 * row["x'"]) / (1 + abs(row["fast"])),
                    abs(row["turned"] - row["th"] * 57.29577951308232) / (1 + abs(row["turned"])))
    check(worst < 1e-15 * 8, f"observables are in the unit behind their name: off by {worst}")

# The crane: a pendulum in the gravity (-a, -g), of the amplitude atan(a/g). Half of its period is pi sqrt(l/G)/AGM(1, cos(amplitude/2)) (Gauss).
l, g, a = 6.0, 9.81, 0.5
x, y = 1.0, math.cos(math.atan2(a, g) / 2)
while abs(x - y) > 1e-15:
    x, y = (x + y) / 2, math.sqrt(x * y)
half = math.pi * math.sqrt(l / math.hypot(g, a)) / x
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "run.csv")
    done = run(None, "simulate", "crane", "--json", "--until", repr(half), "-o", file)
    with open(file) as lines:
        last = dict(zip(*[line.split(",") for line in (lambda all: (all[0], all[-1]))(lines.read().splitlines())]))
    check(abs(float(last["th"]) + 2 * math.atan2(a, g)) < 1e-11, f"the load comes to rest at -2 atan(a/g), not {last['th']}")
    check(abs(float(last["angle"]) + math.degrees(2 * math.atan2(a, g))) < 1e-9, "which is so many degrees")
    check(abs(float(last["trolley_speed"]) - 3.6 * a * half) < 1e-11, "when the trolley has its speed in km/h")
    events = json.loads(run(None, "simulate", "crane", "--json").stdout)["events"]
    worst = max(abs(float(event["t"]) - (2 * i + 1) * half) for i, event in enumerate(events))
    check(len(events) == 4 and worst < 1e-10, f"it comes back after half a period by the AGM, and its multiples: {worst}")

# --- the library ---------------------------------------------------------------------------------------------------------------------------

# first complaints that are true: a formula as a paper printed it, caught by its dimensions alone; its correction stands beside it
PRINTED = {"t15_3_3_printed": "eq_3_3_eta_1_dot", "rs_multipliers": "eq_1_2_x", "rs_multipliers_two": "eq_1_2_x",  "rs_4_6_plane_at_rest": "eq_4_29_curve_at_rest", "rs_chaplygin_function_r": "corollary_4_1_proof", "t15_quasi_2_1": "eq_7",
           "t18_2_slips_n3_m2": "eq_17_000"}
# models that fit whatever the units of their names are: nothing in them is a number that should have one
FIT = ["sleigh", "pendulum", "double_pendulum", "heavy_top", "rattleback", "roller_racer", "rolling_disc", "snake", "ziegler", "n_trailer",
       "four_bar", "ladder", "vertical_disc", "chaplygin_ball", "spherical_pendulum"]


def look(name, source, folder):
    path = os.path.join(folder, name + ".ham")
    with open(path, "w") as file:
        file.write(source + "\nlet unit_of_the_test = 1 [m]\n")
    return run(None, "check", path)


with tempfile.TemporaryDirectory() as folder:
    for file in MODELS.rglob("*.*"):
        shutil.copy(file, folder)  # for others to include, and data
    for model in sorted(MODELS.rglob("*.ham")):
        source = model.read_text()
        done = look(model.stem, source, folder)
        fits = done.returncode == 0
        named = "dimensions of" in done.stderr or ", and this is " in done.stderr
        check(fits or (done.returncode == 2 and named and done.stderr.count(" error: ") == 1),
              f"{model.stem}: one complaint about dimensions, or none: {done.stderr}")
        if model.stem in FIT:
            check(fits, f"{model.stem} fits: {done.stderr}")
        if model.stem in PRINTED:
            claim = PRINTED[model.stem]
            check(f"claim {claim}" in done.stderr, f"{model.stem}: the printed {claim} does not fit: {done.stderr}")
        shutil.copy(model, folder)

page = (MODELS.parent / "docs" / "units.md").read_text()
table = (MODELS.parent / "src" / "model" / "units.def").read_text()
for name in re.findall(r'^UNIT\("(\w+)"', table, re.M):
    check(f"`{name}`" in page or name == "Omega", f"docs/units.md lists the unit {name}")
finish()
