#!/usr/bin/python3
"""Drift of the energy over many steps, and residuals of velocity constraints, by taylor at its finest tolerance.
usage: drift.py BUILD-DIRECTORY RESULTS [STEPS [MODEL ...]]

Every library model whose energy is proved to be conserved and whose motion goes on (no event stops it, no singularity ends it): as long a run as takes STEPS (10^6) steps. Written down:
the drift of the energy T + U relative to |T| + |U| at the end (wanted: 1e-13): where the sum is small by chance, its value says nothing about how closely it can be known. And the
largest residual of a constraint on velocities, relative to 1 + the speeds (wanted: 1e-14). A run that misses is made again with --precision long, which counts where it meets the bound; both are written."""
import json
import os
import subprocess
import sys

HAMEL, RESULTS = os.path.join(sys.argv[1], "hamel"), sys.argv[2]
STEPS = int(float(sys.argv[3])) if len(sys.argv) > 3 else 10**6
MODELS = sys.argv[4:]
DRIFT, RESIDUAL, TRIAL, SECONDS = 1e-13, 1e-14, 20.0, 600


def hamel(*arguments):
    p = subprocess.run([HAMEL, *arguments, "--json"], capture_output=True, text=True, timeout=SECONDS)
    return p.returncode, json.loads(p.stdout) if p.stdout else {}


def simulate(model, until, precision="double"):
    return hamel("simulate", model, "--method", "taylor", "--tol", "1e-19", "--precision", precision, "--until", repr(until), "--every", repr(until / 500))


def conserves(model):
    status, out = hamel("prove", model, "--form", "maggi")
    return any(v["kind"] == "energy" and v["name"] == "balance" and v.get("remark") == "energy is conserved" for v in out.get("verdicts", []))


def size_of_energy(model, final, energy):
    """|T| + |U|: the energy is U where nothing moves"""
    rest = ", ".join("%s = %s" % (k, v if k + "'" in final else "0") for k, v in final.items() if k + "'" in final or k[:-1] + "'" == k and k[:-1] in final)
    status, out = hamel("eval", model, "--form", "maggi", "--at", rest)
    potential = 0 if status else float(out["energy"])
    return abs(potential) + abs(energy - potential)


def measure(model, until, precision):
    """(steps, drift, residual), or the reason why there are none"""
    try:
        status, out = simulate(model, until, precision)
    except subprocess.TimeoutExpired:
        return "more than %d s" % SECONDS
    if status or not out:
        return "ends at t = %s" % out.get("t")
    final = {k: float(v) for k, v in out["final"].items()}
    orders = {c["name"]: c["order"] for c in hamel("check", model)[1]["constraints"]}
    speed = 1 + max(abs(v) for k, v in final.items() if k.endswith("'"))
    residuals = [float(v) / speed for k, v in out["drift"].items() if k.startswith("residual[") and orders.get(k[9:-1]) == 1]
    return out["steps"], float(out["drift"]["energy"]) / size_of_energy(model, out["final"], final["energy"]), max(residuals, default=0)


def report(row):
    rows.append(row)
    print(row, flush=True)


rows = []
failures = []
report("| model | steps | drift of the energy | in long double | residual of velocity constraints |")
report("|---|--:|--:|--:|--:|")
for model in MODELS or [m["name"] for m in hamel("models")[1]["models"]]:
    if model.endswith(("_printed", "_abstract")) or not conserves(model):
        continue
    status, trial = simulate(model, TRIAL)
    if status or trial["t"] != "%.17g" % TRIAL:
        continue  # its motion ends
    until = TRIAL * STEPS / max(1, trial["steps"])
    found = measure(model, until, "double")
    if isinstance(found, str):
        report("| %s | %s | | | |" % (model, found))
        failures.append(model)
        continue
    steps, drift, residual = found
    wide = measure(model, until, "long") if drift > DRIFT else None
    words = "" if wide is None else wide if isinstance(wide, str) else "%.1e" % wide[1]
    report("| %s | %d | %.1e | %s | %.1e |" % (model, steps, drift, words, residual))
    if residual > RESIDUAL or (wide and (isinstance(wide, str) or wide[1] > DRIFT)):
        failures.append(model)
if not MODELS:
    with open(os.path.join(RESULTS, "drift.md"), "w") as f:
        f.write("\n".join(rows) + "\n")
print("missed: %s" % ", ".join(failures) if failures else "all within bounds")
sys.exit(bool(failures))
