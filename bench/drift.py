#!/usr/bin/python3
"""Drift of the energy over many steps, and residuals of velocity constraints, by taylor at its finest tolerance.
usage: drift.py BUILD-DIRECTORY RESULTS [STEPS]

Every library model whose energy is proved to be conserved and whose motion goes on (no event stops it, no singularity ends it): as long a run as takes STEPS (10^6) steps. Written down:
the relative drift of the energy (wanted: 1e-13) and the largest residual of a constraint on velocities, relative to 1 + the speeds (wanted: 1e-14)."""
import json
import os
import subprocess
import sys

HAMEL, RESULTS = os.path.join(sys.argv[1], "hamel"), sys.argv[2]
STEPS = int(float(sys.argv[3])) if len(sys.argv) > 3 else 10**6
DRIFT, RESIDUAL, TRIAL, SECONDS = 1e-13, 1e-14, 20.0, 600


def hamel(*arguments):
    p = subprocess.run([HAMEL, *arguments, "--json"], capture_output=True, text=True, timeout=SECONDS)
    return p.returncode, json.loads(p.stdout) if p.stdout else {}


def simulate(model, until):
    return hamel("simulate", model, "--method", "taylor", "--tol", "1e-16", "--until", repr(until), "--every", repr(until / 500))


def conserves(model):
    status, out = hamel("prove", model, "--form", "maggi")
    return any(v["kind"] == "energy" and v["name"] == "balance" and v.get("remark") == "energy is conserved" for v in out.get("verdicts", []))


rows = ["| model | steps | relative drift of the energy | residual of velocity constraints |", "|---|--:|--:|--:|"]
failures = []
names = [m["name"] for m in hamel("models")[1]["models"]]
for model in names:
    if model.endswith(("_printed", "_abstract")) or not conserves(model):
        continue
    status, trial = simulate(model, TRIAL)
    if status or trial["t"] != "%.17g" % TRIAL:
        continue  # its motion ends
    until = TRIAL * STEPS / max(1, trial["steps"])
    try:
        status, out = simulate(model, until)
    except subprocess.TimeoutExpired:
        print("%s: more than %d s" % (model, SECONDS), flush=True)
        continue
    if status or not out:
        print("%s: ends at t = %s" % (model, out.get("t")), flush=True)
        continue
    final = {k: float(v) for k, v in out["final"].items()}
    orders = {c["name"]: c["order"] for c in hamel("check", model)[1]["constraints"]}
    drift = float(out["drift"]["energy"]) / max(abs(final["energy"]), 1e-3)
    speed = 1 + max(abs(v) for k, v in final.items() if k.endswith("'"))
    residual = max([float(v) / speed for k, v in out["drift"].items() if k.startswith("residual[") and orders.get(k[9:-1]) == 1], default=0)
    rows.append("| %s | %d | %.1e | %.1e |" % (model, out["steps"], drift, residual))
    print(rows[-1], flush=True)
    if drift > DRIFT or residual > RESIDUAL:
        failures.append(model)
with open(os.path.join(RESULTS, "drift.md"), "w") as f:
    f.write("\n".join(rows) + "\n")
print("missed: %s" % ", ".join(failures) if failures else "all within bounds")
sys.exit(bool(failures))
