#!/usr/bin/python3
"""Runs that become stiff and cease to be: under `auto` they go on with a method for stiff systems and come back; a method that was asked for is kept, and the
summary says what limited it. Closed forms: x = sin t, whatever the friction about it does."""
import json
import math
import os
import subprocess
import tempfile

from _checks import HAMEL, check, finish, near, run

# Friction of a hundred thousand about t = 5, none before and after
FRICTION = "-1e5*exp(-(t - 5)^2)*"
ENGAGES = f"coord x\nkinetic x'^2/2\nforce x = {FRICTION}(x' - cos(t)) - sin(t)\ninitial x' = 1\n"
# The same along a blade that turns: x' = v cos phi, y' = v sin phi, v = 2 + sin t
BLADE = (f"coord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\nconstraint blade: x'*sin(phi) - y'*cos(phi) = 0\nquasi v = x'*cos(phi) + y'*sin(phi), w = phi'\n"
         f"let drive = {FRICTION}(v - 2 - sin(t)) + cos(t)\n"
         f"force x = drive*cos(phi)\nforce y = drive*sin(phi)\ninitial x' = 2, phi' = 1.5\n")
WIRE = ("param c = 1e6\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint wire: x^2 + y^2 = 1\n"
        "force x = -c*exp(-(t - 2)^2)*(x' - y*cos(t))\nforce y = -c*exp(-(t - 2)^2)*(y' + x*cos(t))\n"
        "initial x = 0.6, y = -0.8, x' = 0.8, y' = 0.6\n")
VAN_DER_POL = "coord x\nkinetic x'^2/2\nforce x = 1000*(1 - x^2)*x' - x\ninitial x = 2\n"
ERROR = 5e-5  # of runs at a tolerance of 1e-8, some hundred steps of them by bdf, whose errors add up


def summary(model, *options):
    tolerance = () if "--tol" in options else ("--tol", "1e-8")
    return json.loads(run(model, "--json", *tolerance, *options).stdout)


def methods(s):
    return [c["method"] for c in s.get("method_changes", [])]


def a_run_changes_its_method_and_comes_back():
    for model in ENGAGES, BLADE:
        s = summary(model, "--until", "20")
        check("to the stiff method and back", methods(s) == ["bdf", s["method"]], s)
        times = [float(c["t"]) for c in s["method_changes"]]
        check("while the friction is strong", 1.5 < times[0] < 5 < times[1] < 9, times)
        check("with few steps", s["steps"] < 3000, s["steps"])
        check("and why", "exp(-" in s["method_changes"][0]["because"], s)
    near("x = sin t", float(summary(ENGAGES, "--until", "20")["final"]["x"]), math.sin(20), ERROR)
    blade = summary(BLADE, "--until", "20")["final"]
    near("v = 2 + sin t", float(blade["v"]), 2 + math.sin(20), ERROR)
    near("an angle keeps its turns under both", float(blade["phi"]), 1.5 * 20, ERROR)
    text = run(ENGAGES, "--tol", "1e-8", "--until", "20").stdout
    check("the summary says it", text.count("method changed to bdf at t = 3.") == 1 and "no mode is fast any more" in text, text)


def geometric_constraints_and_velocities_are_kept_over_changes():
    """A bead on a circle, turned with sin t by strong friction; without it the bead swings on, and its velocities have to be chosen anew."""
    coarse = summary(WIRE, "--tol", "1e-6", "--until", "10")
    check("at a coarse tolerance", coarse["charts"] > 1 and coarse["warnings"] == [], coarse)
    s = summary(WIRE, "--tol", "1e-7", "--until", "10")
    check("changes in both directions", "bdf" in methods(s) and len(methods(s)) > 1, s)
    check("chosen anew", s["charts"] > 1 and s["warnings"] == [], s)
    check("the residual stays what bdf is let", float(s["drift"]["residual[wire]"]) < 1e-5 * 1.2, s["drift"])
    kept = summary(WIRE, "--tol", "1e-9", "--until", "10", "--method", "bdf")
    near("x", float(s["final"]["x"]), float(kept["final"]["x"]), 1e-3)


def van_der_pol_changes_at_its_jumps():
    s, bdf = summary(VAN_DER_POL, "--until", "2000"), summary(VAN_DER_POL, "--until", "2000", "--method", "bdf")
    check("from a stiff start to a jump and on", methods(s)[:2] == [methods(s)[0], "bdf"] and s["method"] == "bdf" and methods(s)[0] != "bdf", s)
    near("where bdf alone comes to", float(s["final"]["x"]), float(bdf["final"]["x"]), 1e-4)
    check("with few steps", s["steps"] < 5000, s["steps"])


def a_method_that_was_asked_for_is_kept():
    for method in "dop853", "tsit5", "taylor":
        done = run(ENGAGES, "--json", "--tol", "1e-8", "--until", "20", "--method", method)
        s = json.loads(done.stdout)
        check(f"{method} is kept", methods(s) == [] and s["steps"] > 5000, s)
        check(f"{method}: a warning", "limited by a mode that decays" in str(s["warnings"]), s["warnings"])
        near(f"{method}: x = sin t", float(s["final"]["x"]), math.sin(20), ERROR)
    bdf = summary(ENGAGES, "--until", "20", "--method", "bdf")
    check("bdf has nothing to say", methods(bdf) == [] and bdf["warnings"] == [], bdf)


def runs_are_the_same_again_and_taken_up():
    with tempfile.TemporaryDirectory() as folder:
        model, file = os.path.join(folder, "engages.ham"), os.path.join(folder, "run.h5")
        with open(model, "w", encoding="utf-8") as f:
            f.write(ENGAGES)

        def simulate(*options):
            return subprocess.run([HAMEL, "simulate", model, "--json", *options], capture_output=True, text=True, check=True).stdout
        whole = [simulate("--tol", "1e-8", "--until", "20", "--exec", how) for how in ("interpreted", "interpreted", "compiled")]
        check("twice the same", whole[0] == whole[1])
        check("compiled the same", json.loads(whole[2])["final"] == json.loads(whole[0])["final"])
        for end in "2", "4", "8":  # before the change, between the two, behind both
            simulate("--tol", "1e-8", "--until", end, "--every", "0.1", "-o", file)
            s = json.loads(simulate("--resume", file, "--until", "20"))
            check(f"from t = {end}: both changes", len(methods(s)) == 2 and methods(s)[0] == "bdf", s)
            check(f"from t = {end}: as many steps", s["steps"] < 3000, s["steps"])
            near(f"from t = {end}: x = sin t", float(s["final"]["x"]), math.sin(20), ERROR)
            os.remove(file)


def smooth_motions_do_not_change_theirs():
    for model in "sleigh", "pendulum", "double_pendulum", "rolling_disc", "rattleback", "snake", "bicycle":
        for tolerance in "1e-4", "1e-9":
            for method in "auto", "dop853", "tsit5":
                s = json.loads(run(model, "--json", "--tol", tolerance, "--until", "20", "--method", method).stdout)
                check(f"{model} {tolerance} {method}", methods(s) == [] and "limited by" not in str(s["warnings"]), s)


a_run_changes_its_method_and_comes_back()
geometric_constraints_and_velocities_are_kept_over_changes()
van_der_pol_changes_at_its_jumps()
a_method_that_was_asked_for_is_kept()
runs_are_the_same_again_and_taken_up()
smooth_motions_do_not_change_theirs()
finish()
