#!/usr/bin/python3
"""What an FMU says of itself (modelDescription.xml), over a part of the library: it follows the grammar of FMI 2.0 (fmu/model_description.rng, by xmllint)
and what no grammar says: names and references are unique, indices lead where they should, causality, variability and `initial` go together, units are
defined; slopes are the differences of the values, and what a list of dependencies leaves out changes nothing."""
import ctypes
import os
import random
import sys
import tempfile

from _fmu import HAMEL, Exchange, Fmu, doubles, references, run, run_size

import json

HERE = os.path.dirname(os.path.abspath(__file__))
EVERY = run_size(30, 1)
UNITS = """system lift "With < units > & 'quotes' \\"
param m = 80 [kg], g = 9.81 [m/s^2], k = 1.2 [kN/m], c = 20 [kg/s], energy = 2 [J]
coord x [m], phi [rad]
input F [N] = m*g
kinetic m/2*x'^2 + m/2*(1 [m])^2*phi'^2
potential m*g*x + k/2*x^2
dissipation c/2*x'^2
force x = F
observe speed [km/h] = x'
event top: x' down
initial x = 0, x' = 3
"""
ALLOWED = {  # FMI 2.0, section 2.2.7: which `initial` goes with which causality and variability
    ("independent", "continuous"): {None}, ("parameter", "tunable"): {"exact"}, ("input", "continuous"): {None},
    ("output", "continuous"): {"exact", "calculated"}, ("local", "continuous"): {"exact", "calculated"},
    ("local", "discrete"): {"exact", "calculated"}, ("local", "constant"): {"exact"},
}


def judge_words(fmu):
    """Faults in the description alone."""
    wrong = []
    said = run("xmllint", "--noout", "--relaxng", os.path.join(HERE, "fmu", "model_description.rng"), os.path.join(fmu.folder, "modelDescription.xml"))
    if said.returncode:
        wrong.append("xmllint: " + said.stderr[:300])
    names, places = [v.get("name") for v in fmu.variables], [(v[0].tag, v.get("valueReference")) for v in fmu.variables]
    for what, values in (("name", names), ("reference", places)):
        if len(set(values)) != len(values):
            wrong.append("a %s stands twice" % what)
    units = {u.get("name") for u in fmu.xml.iter("Unit")}
    if len(list(fmu.xml.iter("Unit"))) != len(units):
        wrong.append("a unit is defined twice")
    for v in fmu.variables:
        key, initial, start = (v.get("causality"), v.get("variability")), v.get("initial"), v[0].get("start")
        if initial not in ALLOWED.get(key, ()):
            wrong.append("%s: %s with initial %s" % (v.get("name"), key, initial))
        if (start is not None) != (initial == "exact" or key[0] == "input"):
            wrong.append("%s: start %s with initial %s" % (v.get("name"), start, initial))
        if v[0].get("unit") and v[0].get("unit") not in units:
            wrong.append("%s: unit %s is not defined" % (v.get("name"), v[0].get("unit")))
        if v[0].get("derivative"):
            of = fmu.variables[int(v[0].get("derivative")) - 1]
            if v.get("name").split("_")[0] != ("der(%s)" % of.get("name")).split("_")[0] or of.get("variability") != "continuous":
                wrong.append("%s is no derivative of %s" % (v.get("name"), of.get("name")))
    structure = fmu.xml.find("ModelStructure")
    lists = {tag: [int(u.get("index")) for u in structure.find(tag) or ()] for tag in ("Outputs", "Derivatives", "InitialUnknowns")}
    at = lambda test: [i + 1 for i, v in enumerate(fmu.variables) if test(v)]
    calculated = set(at(lambda v: v.get("initial") == "calculated"))
    if lists["Outputs"] != at(lambda v: v.get("causality") == "output"):
        wrong.append("Outputs are not the outputs")
    if sorted(lists["Derivatives"]) != at(lambda v: v[0].get("derivative")):
        wrong.append("Derivatives are not the derivatives")
    if lists["InitialUnknowns"] != sorted(calculated & set(lists["Outputs"]) | set(lists["Derivatives"])):
        wrong.append("InitialUnknowns are not what is calculated")
    for u in structure.iter("Unknown"):
        depends = [int(i) for i in (u.get("dependencies") or "").split()]
        if depends != sorted(set(depends)) or len(depends) != len((u.get("dependenciesKind") or "").split()):
            wrong.append("Unknown %s: dependencies are not in order, or have other kinds" % u.get("index"))
        for i in depends:
            v = fmu.variables[i - 1]
            if v.get("causality") not in ("independent", "input") and v.get("valueReference") not in map(str, fmu.states):
                wrong.append("Unknown %s depends on %s, which is no state, input or the time" % (u.get("index"), v.get("name")))
    return wrong


def judge_slopes(fmu, seed):
    """Slopes against differences of the values in the same code, and dependencies by perturbation, at a state near the start."""
    if fmu.xml.find("ModelExchange").get("providesDirectionalDerivative") == "false":
        return []
    e, chance = Exchange(fmu), random.Random(seed)
    inputs = fmu.named("input")
    known = [int(fmu.reference[n]) for n in inputs] + [0] + fmu.states
    place = {int(v.get("valueReference")): i + 1 for i, v in enumerate(fmu.variables) if v[0].tag == "Real"}
    unknowns = {int(u.get("index")): u for tag in ("Outputs", "Derivatives") for u in fmu.xml.find("ModelStructure").find(tag) or ()}
    rows = [i for i in unknowns if int(fmu.variables[i - 1].get("valueReference")) not in fmu.states]
    vr = [int(fmu.variables[i - 1].get("valueReference")) for i in rows]
    start = {n: e.get(n)[0] for n in inputs}
    x0 = [v + 0.01 * chance.uniform(-1, 1) * max(abs(v), 0.1) for v in e.x]
    t0 = 0.01 + float(fmu.xml.find("DefaultExperiment").get("startTime"))

    def values(k, h):
        x, t = list(x0), t0
        if k in fmu.states:
            x[fmu.states.index(k)] += h
        if k == 0:
            t += h
        e.good(e.fmi2SetTime(float(t)))
        e.good(e.fmi2SetContinuousStates(doubles(x), ctypes.c_size_t(e.n)))
        for n in inputs:
            e.set(n, start[n] + (h if fmu.reference[n] == k else 0))
        out = doubles([0] * len(vr))
        status = e.fmi2GetReal(references(vr), ctypes.c_size_t(len(vr)), out)
        return list(out) if status == 0 else None

    wrong, base = [], values(known[0], 0.0)
    if base is None:
        return []  # outside of what the model is defined for
    for k in known:
        slope = doubles([0] * len(vr))
        values(k, 0.0)
        e.good(e.fmi2GetDirectionalDerivative(references(vr), ctypes.c_size_t(len(vr)), references([k]), ctypes.c_size_t(1), doubles([2.0]), slope))
        h = 1e-3
        moved = [values(k, f * h) for f in (-2, -1, 1, 2)]
        if None in moved:
            continue
        judged["slopes"] += len(vr)
        for i, (a, b, c, d) in enumerate(zip(*moved)):
            found, fine, coarse = slope[i] / 2, (a - 8 * b + 8 * c - d) / (12 * h), (c - b) / (2 * h)
            size = 1 + abs(found) + abs(fine) + abs(base[i])
            if not abs(found - fine) <= 1e-6 * size + 0.2 * abs(fine - coarse):
                wrong.append("slope of %s by %s: %.12g for %.12g" % (fmu.variables[rows[i] - 1].get("name"), k, found, fine))
            listed = unknowns[rows[i]].get("dependencies")
            if listed is not None and str(place[k]) not in listed.split() and max(abs(v - base[i]) for v in (a, b, c, d)) > 1e-12 * size:
                wrong.append("%s depends on %s, and does not say so" % (fmu.variables[rows[i] - 1].get("name"), k))
    e.close()
    return wrong


judged = {"slopes": 0, "models": 0}
failed = 0
with tempfile.TemporaryDirectory() as scratch:
    file = os.path.join(scratch, "lift.ham")
    open(file, "w").write(UNITS)
    models = [m["name"] for m in json.loads(run(HAMEL, "models", "--json").stdout)["models"]]
    cases = sys.argv[1:] or [file, "rimless_wheel", "sampled_cart", "spring_stop", "measured_road", "cart_pole"] + models[::EVERY]
    for number, model in enumerate(cases):
        made = run(HAMEL, "codegen", model, "--target", "fmu", "-o", os.path.join(scratch, "try"))
        if made.returncode:
            values = run(HAMEL, "codegen", model, "--target", "c", "-o", os.path.join(scratch, "c%d" % number)).returncode == 0
            if values and "contact" not in made.stderr:
                failed += 1
                print("FAIL %s: C, but no FMU: %s" % (model, made.stderr[:300]))
            continue
        fmu = Fmu(model, os.path.join(scratch, "f%d" % number))
        wrong = judge_words(fmu) + judge_slopes(fmu, number)
        judged["models"] += 1
        if wrong:
            failed += 1
            print("FAIL %s: %s" % (model, "; ".join(wrong[:4])))
    if not sys.argv[1:]:
        xml = open(os.path.join(scratch, "f0", "unpacked", "modelDescription.xml")).read()
        expected = ['<Unit name="m/s^2">\n      <BaseUnit m="1" s="-2"/>', '<Unit name="N">\n      <BaseUnit kg="1" m="1" s="-2"/>',
                    '<Unit name="rad">\n      <BaseUnit rad="1"/>', 'name="energy_2"', 'name="count[top]"']
        missing = [part for part in expected if part not in xml]
        if missing:
            failed += 1
            print("FAIL units and names: %s are not there" % missing)
        if 2 * judged["models"] < len(cases) or judged["slopes"] < 25 * judged["models"]:  # FMUs of few models are refused
            failed += 1
            print("FAIL only %d models and %d slopes were judged" % (judged["models"], judged["slopes"]))
print("%d passed, %d failed" % (judged["models"] + 1 - min(failed, judged["models"] + 1), failed))
sys.exit(bool(failed))
