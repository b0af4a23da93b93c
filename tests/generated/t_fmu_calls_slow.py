#!/usr/bin/python3
"""FMUs in the hands of a host that calls in any order, with null pointers, unknown references and numbers that are none (fmu/host.c): the sources of each
are compiled with the address and undefined-behaviour sanitizers, and every status is what the tables of FMI 2.0 say. gcc and clang compile without a warning."""
import os
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

from _fmu import HAMEL, run, run_size

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = os.environ.get("HAMEL_FMU_CALLS", "100000")
MODELS = [["sleigh"], ["cart_pole"], ["spring_stop"], ["sampled_cart"], ["rimless_wheel"], ["measured_road"], ["bouncing_ball", "--set", "mode[floor]=free"]]
STOPS = """system stops "Every few steps the motion ends"
param g = 9.81
coord y
input u
kinetic y'^2/2
potential g*y
force y = u
event ground: y down stop
every 0.05 { y' = y' - 0.01 }
initial y = 0.2
"""
WARNINGS = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
failed = passed = 0


def judge(model, scratch):
    made = run(HAMEL, "codegen", *model, "--target", "fmu", "-o", scratch, env=dict(os.environ, CC="no-such-compiler"))
    if made.returncode:
        return made.stderr
    folder = os.path.join(scratch, "all")
    zipfile.ZipFile(made.stdout.strip()).extractall(folder)
    sources = os.path.join(folder, "sources")
    for compiler in ("gcc", "clang"):
        said = run(compiler, *WARNINGS, "-c", "-o", os.path.join(scratch, "x.o"), os.path.join(sources, "fmu.c"))
        if said.returncode:
            return "%s: %s" % (compiler, said.stderr[:400])
    xml = ET.parse(os.path.join(folder, "modelDescription.xml")).getroot()
    variables = list(xml.find("ModelVariables"))
    first = lambda key: next((v.get("valueReference") for v in variables if (v.get("causality"), v.get("variability")) == key), "-1")
    host = os.path.join(scratch, "host")
    built = run("gcc", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", sources, "-o", host, os.path.join(HERE, "fmu", "host.c"),
                os.path.join(sources, "fmu.c"), "-lm")
    if built.returncode:
        return built.stderr[:400]
    for seed in ("1", "2"):
        p = run(host, xml.get("guid"), seed, CALLS, sum(v[0].tag == "Real" for v in variables), sum(v[0].get("derivative") is not None for v in variables),
                xml.get("numberOfEventIndicators"), first(("input", "continuous")), first(("parameter", "tunable")))
        if p.returncode or p.stderr:
            return "seed %s: %s %s" % (seed, p.stdout[-300:], p.stderr[-2500:])
        if len(sys.argv) > 1:
            print(model, p.stdout.strip())
    return ""


with tempfile.TemporaryDirectory() as scratch:
    stops = os.path.join(scratch, "stops.ham")
    open(stops, "w").write(STOPS)
    for number, model in enumerate(MODELS[::run_size(2, 1)] + [[stops]]):
        wrong = judge(model, os.path.join(scratch, str(number)))
        failed, passed = failed + bool(wrong), passed + (not wrong)
        if wrong:
            print("FAIL %s: %s" % (" ".join(model), wrong))
print("%d passed, %d failed" % (passed, failed))
sys.exit(bool(failed))
