#!/usr/bin/python3
"""`hamel codegen --target latex` on models of the library (one in twelve; all of them in make test-long) and on one whose names and title are full of TeX's signs: pdflatex and BibTeX have
nothing to complain about, no line is wider than the text, every source is found, and what the model has stands in the text of the pages.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from _evaluation import HAMEL, run, run_size

EVERY = run_size(12, 1)
# The models that people meet first, and those with the longest equations
ALWAYS = ["sleigh", "rolling_disc", "rattleback", "bicycle", "chaplygin_ball", "double_pendulum", "four_bar", "heavy_top", "snakeboard", "ball_in_bowl", "cart_pole", "crane", "roller_racer",
          "pendulum", "n_trailer", "gyrostat", "tippe_top", "unicycle", "measured_road", "bouncing_ball", "ladder", "hoop"]
STRANGE = """system strange "100% of $5 & 7_8 #1 {x} \\\\ ~^ <a|b> Ünïcödé Ωmega ☃ 'quoted'"
param alpha_1_2 = 2.5, θ = 1e-7, a_very_long_name_of_a_parameter = 123456789
coord x, phi, q[1..2]
input u = -3*sin(t)
kinetic alpha_1_2*x'^2/2 + phi'^2/2 + (q[1]'^2 + q[2]'^2)/2 + a_very_long_name_of_a_parameter*phi'^2
force x = u*alpha_1_2
constraint a_b: phi' - q[1]'*sin(q[2]) = 0
observe x_dot_2 = x'
event falls: x stop
"""
FREE = 1.0  # points by which a line may stick out: TeX itself allows 0.1


def tex(folder):
    """What TeX complains about, and the words of the pages."""
    quiet = {"cwd": folder, "stdin": subprocess.DEVNULL, "capture_output": True, "env": {**os.environ, "openout_any": "p"}}
    for program in ("pdflatex", "bibtex", "pdflatex", "pdflatex"):
        p = subprocess.run([program, *(["-interaction=nonstopmode", "-halt-on-error"] if program == "pdflatex" else []), "main"], **quiet)
        if p.returncode:
            return ["%s: %s" % (program, p.stdout.decode(errors="replace")[-500:])]
    log = (folder / "main.log").read_text(errors="replace")
    wrong = re.findall(r"^(?:!|LaTeX Warning: (?:Citation|Reference|There were)).*", log, re.M)
    wrong += ["%s pt too wide" % width for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log) if float(width) > FREE]
    wrong += re.findall(r"^Warning.*", (folder / "main.blg").read_text(), re.M)
    return wrong


def judge(model):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "paper"
        made = run(HAMEL, "codegen", "--target", "latex", "-o", str(folder), model)
        if made.returncode:
            return None if run(HAMEL, "codegen", "-o", str(folder) + "-c", model).returncode else [made.stderr]
        section = next(p for p in folder.glob("*.tex") if p.name != "main.tex").read_text()
        wrong = tex(folder)
        described = json.loads(run(HAMEL, "describe", model, "--json").stdout)
        tables = re.findall(r"\\begin\{longtable\}.*?\\end\{longtable\}", section, re.S)
        rows = sum(len(re.findall(r"\\\\$", t, re.M)) - 2 for t in tables)
        initial = re.search(r"state is \$z = \(\$(.*?)\$\)\$", section, re.S).group(1).count("$") // 2
        if rows != len(described["parameters"]) + initial:
            wrong.append("%d rows in the tables for %d parameters and %d states" % (rows, len(described["parameters"]), initial))
        blocks = section.count("\\begin{align*}")
        if blocks != section.count("\\end{align*}") or blocks < 3 or section.count("\\bigl(") + section.count("\\Bigl(") != section.count("\\bigr)") + section.count("\\Bigr)"):
            wrong.append("brackets or blocks do not match")
        return wrong


def main():
    known = [m["name"] for m in json.loads(run(HAMEL, "models", "--json").stdout)["models"]]
    with tempfile.TemporaryDirectory() as scratch:
        strange = pathlib.Path(scratch) / "strange.ham"
        strange.write_text(STRANGE)
        models = sys.argv[1:] or [m for m in known if m in ALWAYS or known.index(m) % EVERY == 0] + [str(strange)]
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            results = list(pool.map(judge, models))
    failed = 0
    for model, wrong in zip(models, results):
        failed += bool(wrong)
        if wrong:
            print("FAIL %s: %s" % (model, "; ".join(wrong[:3])))
    if sum(r is not None for r in results) < 0.8 * len(models):
        failed += 1
        print("FAIL only %d papers were made" % sum(r is not None for r in results))
    print("%d passed, %d failed" % (len(models) + 1 - failed, failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
