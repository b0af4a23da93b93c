#!/usr/bin/env python3
"""Every option of every command does something: the same command line with it and without it says or writes something else. And the laws
of a command line: where options may stand, `--name value` and `--name=value`, which of two counts."""
import functools
import os
import pathlib
import shlex
import subprocess
import tempfile

from _checks import check, finish
from commands import HAMEL, commands, names, options, takes_value

MODELS = {
    "small.ham": """param m = 1, k = 1
coord x, y, phi
kinetic m*(x'^2 + y'^2)/2 + phi'^2/2
potential k*x^2/2
constraint c: x'*sin(phi) - y'*cos(phi) = 0
initial x = 1, phi = 0.5, phi' = 0.8
event turns: phi - 0.7
claim wrong: phi'' = (x - 1)*y*(phi - 1/2)
simulate t = 0 .. 1, tol = 1e-6, output = 0.25
""",
    "off.ham": "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = 1\ninitial x = 1, y = 0.2, y' = 1\nsimulate t = 0 .. 0.1\n",
    "nine.ham": "coord q[1..9]\nkinetic sum(i in 1..9, q[i]'^2)/2\nconstraint c: q[1]' = q[2]*q[3]'\n",
    "wild.ham": "coord x,y\nkinetic  (x'^2+y'^2)/2\nobserve far = sqrt(x^2 + y^2) + sqrt(x^2 + 2*y^2)\n",
    "family.ham": "const N = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential sum(i in 1..N, x^i/i^3)\nconstraint c: y' = x*x'\ninitial x = 0.3, x' = 1\n",
}
# What stands behind an option where it is tried; behind that, in brackets, what stands before it with and without.
# COMMAND --option, or --option for every other command.
TRIED = {
    "--json": "", "--limit": "memory=1", "--set": "m=2", "--form": "gauss", "--at": "\"phi' = 2\"", "--method": "tsit5", "--tol": "1e-3", "--until": "0.5", "--every": "0.2",
    "--step": "0.01 [--method midpoint]", "--exec": "compiled", "--project": "[off.ham]", "--output": "made",
    "check --long": "[t15_3_3_unicycle]", "check --set": "oops", "derive --set": "oops", "transpose --set": "oops", "compare --set": "oops", "forms --set": "oops",
    "derive --format": "latex", "derive --stats": "", "derive --raw": "", "derive --full": "[nine.ham --form talamucci]",
    "prove --certify": "", "prove --seed": "77", "prove --form": "maggi,gauss",
    "eval --digits": "5", "assemble --digits": "5", "assemble --set": "oops", "eval --double": "N [family.ham]", "transpose --form": "a-model-b", "transpose --format": "latex",
    "simulate --plot": "", "simulate --output": "made.csv", "simulate --precision": "long [small.ham --method taylor]", "simulate --verify": "",
    "simulate --resume": "stored.h5 [small.ham --until 3]",
    "plot --output": "made.svg", "plot --log": "y [rows.csv t:energy]", "plot --equal": "[small.ham t:x]", "plot --no-equal": "[small.ham x:y]",
    "plot --size": "300x200", "plot --title": "WORDS", "plot --xlabel": "WORDS", "plot --ylabel": "WORDS", "plot --legend": "none [small.ham x,y]",
    "plot --grid": "", "plot --marks": "", "plot --events": "", "plot --form": "nothing", "plot --method": "nothing", "plot --step": "0.3 [small.ham --method midpoint]",
    "plot --tol": "1e-2 [small.ham t:x --method tsit5]", "steady --at": "theta=0.4 [rolling_disc]", "steady --set": "r=2 [rolling_disc]",
    "plot --spectrum": "[small.ham x --until 4]", "plot --recurrence": "[small.ham x]", "plot --near": "0.01 [small.ham x --recurrence]", "plot --json": "[small.ham x --recurrence]",
    "section --count": "1", "section --direction": "down", "section --output": "made.csv", "section --plot": "x:y", "section --until": "0.2", "section --form": "nothing",
    "section --method": "midpoint", "section --tol": "1e-2 [small.ham phi-0.7 --method tsit5]", "section --project": "[off.ham t-0.05]",
    "section --step": "0.1 [small.ham phi-0.7 --method midpoint]", "section --set": "m=2", "section --at": "\"phi' = 2\"",
    "sweep --vary": "\"m=1..2 count 2\"", "sweep --collect": "t=max(x)", "sweep --project": "[off.ham]", "sweep --samples": "3 [small.ham --vary \"phi in uniform(0,1)\" --samples 2]", "sweep --seed": "5 [small.ham --vary \"phi in uniform(0,1)\" --samples 2]",
    "sweep --output": "made.csv", "sweep --resume": "", "sweep --device": "none", "sweep --form": "nothing", "sweep --method": "midpoint", "sweep --tol": "1e-2 [small.ham --method tsit5]",
    "sweep --exec": "nothing", "sweep --keep": "1 [small.ham -o made.csv]", "sweep --every": "0.5 [small.ham -o made.csv --keep 1]", "sweep --figure": "made.svg", "sweep --plot": "",
    **{f"{command} --{name}": f"{value} [small.ham {over}]" for command, over in {
        "basin": "--vary x=0..1 --vary \"y'=1..2\" --by 50*x+30*phi --cells 2 --depth 1", "map": "--vary m=1..2 --vary k=1..9 --by 50*x+30*phi --cells 2 --depth 1"}.items()
       for name, value in {"by": "y", "cells": "3", "depth": "3", "output": "made.csv", "figure": "made.svg", "plot": "", "until": "0.5", "at": "\"phi' = 2\"",
                           "form": "nothing", "method": "midpoint", "tol": "1e-2", "exec": "nothing", "json": "", "set": "phi=nothing", "limit": "memory=1",
                           "vary": "x=1..2"}.items()},
    **{f"{command} --whole": "[small.ham --vary x=0..1 --vary \"y'=1..2\" --by 1 --cells 2 --depth 1]" for command in ("basin", "map")},
    **{f"{command} --step": "0.1 [small.ham --vary x=0..1 --vary \"y'=1..2\" --by 50*x --cells 2 --depth 1 --method midpoint]" for command in ("basin", "map")},
    **{f"{command} --project": "[off.ham --vary \"x'=0..1\" --vary \"y'=1..2\" --by 50*x --cells 2 --depth 1]" for command in ("basin", "map")},
    "map --stability": "[ziegler --vary P=1..4 --vary b=0.1..1 --cells 2 --depth 1]",
    "steady --box": "\"theta = 0 .. 1\" [rolling_disc]",
    "steady --solve": "r [rolling_disc]", "steady --trim": "u [cart_pole]", "steady --closed": "[rolling_disc]",
    "stability --vary": "g=5..9 [rolling_disc --vary r=1..2]", "stability --output": "made.csv [rolling_disc --vary r=1..2]", "stability --plot": "[rolling_disc --vary r=1..2]",
    "stability --at": "theta=1 [bead_on_hoop --vary w=1..6]", "stability --set": "g=2 [bead_on_hoop --vary w=1..6]", "stability --json": "[rolling_disc --vary r=1..2]", "stability --limit": "memory=1 [rolling_disc --vary r=1..2]",
    "continue --vary": "w=1..3 [bead_on_hoop --vary w=1..6]", "continue --output": "made.csv [bead_on_hoop --vary w=1..6]", "continue --plot": "[bead_on_hoop --vary w=1..6]",
    "continue --at": "theta=1 [bead_on_hoop --vary w=1..6]", "continue --set": "g=2 [bead_on_hoop --vary w=1..6]", "continue --json": "[bead_on_hoop --vary w=1..6]",
    "continue --limit": "memory=1 [bead_on_hoop --vary w=1..6]", "continue --orbit": "[bead_on_hoop --vary w=1..6]", "continue --period": "2 [bead_on_hoop --vary w=1..6 --orbit]",
    "continue --branches": "1 [bead_on_hoop --vary w=1..6]", "continue --steps": "5 [bead_on_hoop --vary w=1..6]", "continue --of": "\"theta'\" [bead_on_hoop --vary w=1..6 --plot]",
    "linearise --at": "theta=0.4 [rolling_disc]", "linearise --set": "r=2 [rolling_disc]",
    "linearise --symbolic": "[pendulum]", "linearise --split": "g [pendulum]", "linearise --format": "numpy [pendulum]",
    "matrices --set": "oops", "matrices --form": "multipliers [sleigh]", "matrices --format": "numpy [sleigh]",
    "sensitivity --of": "x", "sensitivity --to": "x", "sensitivity --second": "[small.ham --to x]", "sensitivity --exec": "nothing", "sensitivity --form": "nothing",
    "sensitivity --method": "nothing", "lyapunov --tol": "1e-3 [double_pendulum]", "lyapunov --exec": "nothing", "lyapunov --form": "nothing", "lyapunov --method": "nothing",
    "orbit --period": "4 [pendulum]", "orbit --at": "x=0.3 [pendulum]", "orbit --set": "g=5 [pendulum]", "orbit --until": "1 [pendulum]", "orbit --tol": "1e-3 [pendulum]",
    "orbit --exec": "nothing", "orbit --form": "nothing", "orbit --json": "[pendulum]",
    **{f"film --{name}": f"{value} [small.ham -o p%d.png --fps 4 --until 1]" for name, value in {
        "size": "64x48", "fps": "2", "speed": "2", "from": "0.5", "until": "0.5", "azimuth": "0", "elevation": "80", "trail": "0", "form": "nothing", "method": "nothing",
        "tol": "1e-1", "at": "x=3", "json": "", "set": "m=nothing", "limit": "memory=1"}.items()}, "film --output": "q%d.png [small.ham -o p%d.png --fps 4 --until 1]",
    "report --output": "made.html", "fmt --check": "[wild.ham]", "fmt --width": "40 [wild.ham]", "fmt --json": "[wild.ham]", "fmt --limit": "memory=1 [wild.ham]", "codegen --target": "pascal", "compare --method": "dop853",
    "derive --bib": "made.bib [small.ham --format latex]", "references --limit": "memory=1 [T18]", "references --format": "bibtex [T18]", "references --json": "[T18]",
    "help --json": "[]", "models --json": "[]", "show --json": "[sleigh]", "new --json": "[name]",
}
BEHIND = {"plot": "-o figure.svg", "report": "", "compare": "maggi gauss", "sweep": "--vary \"y'=1..2 count 2\" --collect \"e=final(x)\""}
# These change nothing but the time that is taken, which a test of theirs looks at.
WITHOUT_EFFECT = {"sweep --threads", "basin --threads", "map --threads"}


@functools.cache
def result(folder, line):
    """Everything that a command line says and writes."""
    with tempfile.TemporaryDirectory() as scratch:
        for path in folder.iterdir():
            (pathlib.Path(scratch) / path.name).write_bytes(path.read_bytes())
        before = {path: path.read_bytes() for path in pathlib.Path(scratch).iterdir()}
        done = subprocess.run([HAMEL, *shlex.split(line)], cwd=scratch, capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, CC="/nonexistent", COLUMNS="80"))
        made = {str(path.relative_to(scratch)): path.read_bytes() for path in pathlib.Path(scratch).rglob("*")
                if path.is_file() and before.get(path) != path.read_bytes()}
    return done.returncode, done.stdout, done.stderr, made


def lines(command, name):
    """The command line without the option and with it."""
    value, _, bracket = TRIED.get(f"{command} {name}", TRIED.get(name, "?")).partition("[")
    base = bracket.rstrip("]") if bracket else "small.ham"
    if bracket.startswith("--"):
        base = "small.ham " + base
    if command == "section" and len(base.split()) == 1:
        base += " turns"
    behind = BEHIND.get(command, "") if name != "--output" or command == "sweep" else ""
    if command == "plot" and name not in ("--output",) and "rows.csv" not in base and "small.ham " not in base:
        base += " t:x" if name not in ("--equal", "--no-equal") else ""
    head = f"{command} {base}"
    if command == "compare":
        head, behind = f"{command} {base.split()[0]} maggi gauss {' '.join(base.split()[1:])}", ""
    return f"{head} {behind}", f"{head} {behind} {name} {value}"


def effects(folder):
    tried = 0
    for command in commands():
        if command == "lsp":  # it speaks with editors, and t_lsp.py tries its options
            continue
        for shown in options(command):
            name = names(shown)[-1]
            if f"{command} {name}" in WITHOUT_EFFECT:
                continue
            if f"{command} {name}" not in TRIED and name not in TRIED:
                check(False, f"{command} {name} is not tried here")
                continue
            without, with_it = lines(command, name)
            before, after = result(folder, without), result(folder, with_it)
            check(before[0] != 1, f"`{without}` is right: {before[2]}")
            check(before != after, f"`hamel {with_it}` is the same without {name}")
            tried += 1
    check(tried > 80, "there was something to try")


def laws(folder):
    def same(one, other):
        check(result(folder, one) == result(folder, other), f"`hamel {one}` is `hamel {other}`")

    def refused(line):
        check(result(folder, line)[0] == 1, f"`hamel {line}` is refused")

    same("eval small.ham --digits 5", "eval small.ham --digits=5")
    same("eval --digits 5 small.ham", "eval small.ham --digits 5")
    same("eval small.ham --digits 7 --digits 5", "eval small.ham --digits 5")  # of two the last
    same("derive small.ham --format latex --json", "derive small.ham --json")
    same("derive small.ham --json --format latex", "derive small.ham --format latex")
    same("plot small.ham t:x -o a.svg --equal --no-equal", "plot small.ham t:x -o a.svg --no-equal")
    same("plot small.ham t:x -o a.svg --no-equal --equal", "plot small.ham t:x -o a.svg --equal")
    same("simulate small.ham -o a.csv", "simulate small.ham --output=a.csv")
    same("simulate small.ham -o=a.csv", "simulate small.ham --output a.csv")
    same("eval small.ham --set k=2 --set m=3", "eval small.ham --set=m=3 --set=k=2")  # all of them
    check(result(folder, "eval small.ham --set k=2 --set m=3") != result(folder, "eval small.ham --set m=3"), "the first --set counts, too")
    same("show --help", "help show")
    same("check small.ham --no-such -h", "help check")
    for line in ("check small.ham --json=1", "check small.ham --json=", "check", "check small.ham other.ham", "compare small.ham maggi", "eval small.ham --digits",
                 "eval small.ham --digits 0", "eval small.ham --digits 100001", "eval small.ham --digits -1", "eval small.ham --digits 5x", "prove small.ham --seed 0",
                 "simulate small.ham --tol -1", "simulate small.ham --tol 0", "simulate small.ham --until inf", "simulate small.ham --until 0",
                 "simulate small.ham --every nan", "plot small.ham --size 99x200", "plot small.ham --size 200x5001", "plot small.ham --size 200", "plot small.ham --log z",
                 "derive small.ham --format html", "derive small.ham --format LATEX", "transpose small.ham --format sympy", "eval small.ham --form", "show", "frobnicate",
                 "simulate small.ham " + "--set m=1 " * 200, "plot rows.csv --until 1", "plot rows.csv --set m=1", "simulate small.ham x:y"):
        refused(line)


def main():
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        for name, text in MODELS.items():
            (folder / name).write_text(text)
        for file, until in (("stored.h5", "0.5"), ("rows.csv", "1")):
            subprocess.run([HAMEL, "simulate", "small.ham", "--until", until, "-o", file], cwd=folder, capture_output=True, check=True)
        effects(folder)
        laws(folder)


main()
finish()
