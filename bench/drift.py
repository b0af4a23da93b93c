#!/usr/bin/python3
"""Drift of the energy over many steps, and residuals of velocity constraints, by taylor at its finest tolerance.
usage: drift.py BUILD-DIRECTORY RESULTS [STEPS [MODEL ...]]; RESULTS/drift.md is written for 10^6 steps and every model

Every library model whose energy is proved to be conserved and whose motion goes on (no event stops it, no singularity ends it): as long a run as takes STEPS (10^6) steps. Written down:
the drift of the energy T + U relative to |T| + |U| at the end (wanted: 1e-13): where the sum is small by chance, its value says nothing about how closely it can be known. And the
largest residual of a constraint on velocities, relative to 1 + the speeds (wanted: 1e-14). A part of a run that misses is made
again in long double, and if need be in quadruple precision: where those keep the energy to their own digits, rounding was the cause. The exit status is 1 if a model misses in double."""
import concurrent.futures
import json
import os
import subprocess
import sys

from _bounds import bound

HAMEL, RESULTS = os.path.join(sys.argv[1], "hamel"), sys.argv[2]
STEPS = int(float(sys.argv[3])) if len(sys.argv) > 3 else 10**6
MODELS = sys.argv[4:]
DRIFT, RESIDUAL, TRIAL, GUESSES, SECONDS = 1e-13, 1e-14, 20.0, 4, 600


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


def length_of(model):
    """How long a run takes about STEPS steps; None if the motion ends before. Steps may grow longer with time (a sleigh that runs out straight), so it is guessed more than once."""
    until = TRIAL
    for _ in range(GUESSES):
        status, out = simulate(model, until)
        if status or float(out["t"]) != until:
            return None if until == TRIAL else until
        guess = until * STEPS / max(1, out["steps"])
        if out["steps"] > STEPS / 30:
            break
        until *= min(STEPS / 30 / max(1, out["steps"]), 30)
    return guess


def judge(model):
    """(row of the table, drift and residual in double, the least drift in any precision) of a conservative model whose motion goes on, else None."""
    if model.endswith(("_printed", "_abstract")) or not conserves(model):
        return None
    until = length_of(model)
    if until is None:
        return None
    found = measure(model, until, "double")
    if isinstance(found, str):
        return "| %s | %s | | | | |" % (model, found), float("inf"), float("inf"), float("inf")
    steps, drift, residual = found
    words, best = ["", ""], drift
    for i, (precision, part) in enumerate((("long", 10), ("quad", 1000))):  # they are interpreted, and slow: a part of the run
        if best > DRIFT:
            wide = measure(model, until / part, precision)
            words[i] = wide if isinstance(wide, str) else "%.1e" % wide[1]
            best = best if isinstance(wide, str) else wide[1]
    return "| %s | %d | %.1e | %s | %s | %.1e |" % (model, steps, drift, *words, residual), drift, residual, best


def main():
    rows = ["| model | steps | drift of the energy | in long double, a tenth of the run | in quadruple precision, a thousandth | residual of velocity constraints |",
            "|---|--:|--:|--:|--:|--:|"]
    models, found = MODELS or [m["name"] for m in hamel("models")[1]["models"]], {}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for model, judged in zip(models, pool.map(judge, models)):
            if judged:
                found[model] = judged
                rows.append(judged[0])
                print(rows[-1], flush=True)
    in_double = [m for m, (_, drift, residual, _) in found.items() if drift > DRIFT or residual > RESIDUAL]
    at_all = [m for m, (_, _, residual, best) in found.items() if best > DRIFT or residual > RESIDUAL]
    rows += ["", "A motion that runs out straight takes ever longer steps, and fewer than were asked for."]
    rows += ["", "Missed in double: %s. In the widest precision tried: %s." % (", ".join(in_double) or "none", ", ".join(at_all) or "none")]
    print(rows[-1])
    if not MODELS and STEPS == 10**6:
        with open(os.path.join(RESULTS, "drift.md"), "w") as f:
            f.write("\n".join(rows) + "\n")
    worst = {kind: max(found, key=lambda m: found[m][i]) for i, kind in ((1, "drift"), (2, "residual"))}
    good = bound("drift of the energy over %.0e steps of taylor, the largest of %d models (%s)" % (STEPS, len(found), worst["drift"]), found[worst["drift"]][1], DRIFT)
    good &= bound("residual of velocity constraints, the largest (%s)" % worst["residual"], found[worst["residual"]][2], RESIDUAL)
    sys.exit(not good)


main()
