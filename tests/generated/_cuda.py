"""What `hamel codegen --target cuda` writes, compiled as C++ with tests/support/cuda_shim.h and run on the processor."""
import csv
import os
import pathlib
import shlex
import shutil
import subprocess

from _evaluation import HAMEL, run

SHIM = pathlib.Path(__file__).resolve().parent.parent / "support" / "cuda_shim.h"
CXX = shlex.split(os.environ.get("CXX", "")) or ["g++" if shutil.which("g++") else "c++"]
# -ffp-contract=off: the values of runs are rounded sum by sum, as everywhere
FLAGS = ["-O1", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]


def build(model, folder, *flags, options=()):
    """The program, or None after saying why there is none."""
    project = folder / "project"
    made = run(HAMEL, "codegen", str(model), "--target", "cuda", "-o", str(project), *options)
    if made.returncode:
        print(made.stderr)
        return None
    source = next(project.glob("*.cu"))
    program = folder / ("run" + "".join(f for f in flags if f.startswith("-D")).replace("=", "_"))
    compiled = run(*CXX, *FLAGS, *flags, "-x", "c++", "-include", str(SHIM), str(source), "-o", str(program))
    if compiled.returncode:
        print(compiled.stderr[:4000])
        return None
    return program


def rows(program, *options):
    """Rows by the names of their columns."""
    out = program.parent / "rows.csv"
    p = run(str(program), "-o", str(out), *options)
    if p.returncode:
        print(p.stderr)
        return []
    with open(out, encoding="utf-8", newline="") as f:
        return [{n: v if n == "ended" else float(v or "nan") for n, v in row.items()} for row in csv.DictReader(f)]


def last_row(model, folder, *options):
    """The last row of `hamel simulate`."""
    out = folder / "simulated.csv"
    p = run(HAMEL, "simulate", str(model), "-o", str(out), *options)
    if p.returncode:
        print(p.stderr)
        return None
    with open(out, encoding="utf-8", newline="") as f:
        table = list(csv.reader(f))
    return {n: float(v) for n, v in zip(table[0], table[-1])}
