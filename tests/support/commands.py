"""The commands and their options, read from `hamel help` and `hamel COMMAND --help`, and the command lines that tests run over the library.

lines() is the list "every command on every model": tests of failing allocations and of locales, tools/snapshot and its timings take their lines from it."""
import functools
import os
import re
import subprocess

HAMEL = os.environ["HAMEL"]


@functools.cache
def told(*words):
    done = subprocess.run([HAMEL, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def commands():
    """{name: purpose}"""
    return dict(re.findall(r"^  (\S+) +(\S.*)$", told("help"), re.M))


def section(text, title):
    found = re.search(rf"^{title}\n((?:  .*\n)+)", text, re.M)
    return found[1] if found else ""


def entries(text):
    """{name as it is shown: help in one line} of a section of `hamel COMMAND --help`."""
    found, name = {}, None
    for line in text.splitlines():
        new = re.match(r"  (\S(?:\S| (?! ))*)(?:  +(\S.*))?$", line)
        if new and not line.startswith("   "):
            name = new[1].strip()
            found[name] = [new[2]] if new[2] else []
        else:
            found[name].append(line.strip())
    return {name: " ".join(lines) for name, lines in found.items()}


def options(command):
    """{"-o, --output FILE": help}"""
    return entries(section(told(command, "--help"), "options"))


def names(shown):
    """"-o, --output FILE" -> ["-o", "--output"]"""
    return re.findall(r"(?:^|, )(--?[a-z-]+)", shown)


def takes_value(shown):
    return " " in shown.split(", ")[-1]


def choices(shown):
    """"--log x|y|xy" -> ["x", "y", "xy"]; [] where the value is free"""
    value = shown.split(", ")[-1].partition(" ")[2]
    return value.split("|") if re.fullmatch(r"[a-z]+(\|[a-z]+)+", value) else []


# --- command lines over the library ---

MODELS = ["sleigh", "pendulum", "snake", "rolling_disc", "rattleback", "vertical_disc", "chaplygin_ball", "ball_on_turntable", "gaponov_machine", "knife_edge",
          "double_pendulum", "snakeboard", "roller_racer", "n_trailer", "appell_hamel", "constant_speed", "gentle_lift", "neumann", "suslov", "skier"]
SHORT = ["--until", "0.2", "--every", "0.1"]
INTERPRETED = [*SHORT, "--exec", "interpreted"]
CROSSED = ["--until", "0.2", "--exec", "interpreted"]


def values_of(command, option):
    """The values of an option as the help lists them: a new value is a new line."""
    shown = next(o for o in options(command) if option in names(o))
    return choices(shown) or [shown.split()[-1]]


def lines():
    """{command: [words that follow it]}. MODEL stands for a model of the library. A word rows.* or cut.* is a file that must exist: the rows of a run,
    or the journal of a run that was stopped."""
    targets = values_of("codegen", "--target")
    return {
        "check": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--long"]],
        "describe": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--set", "g=1"]],
        "derive": [["MODEL", "--format", f] for f in values_of("derive", "--format")] + [["MODEL", "--form", "all", "--stats"], ["MODEL", "--raw"],
                   ["MODEL", "--full", "--form", "hamel"], ["MODEL", "--format", "latex", "--bib", "m.bib"]],
        "prove": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--certify", "--form", "maggi,multipliers"], ["MODEL", "--seed", "3"]],
        "assemble": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--at", "t=0", "--digits", "60"]],
        "eval": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--digits", "60"], ["MODEL", "--at", "t=0", "--form", "multipliers"], ["snake", "--double", "N", "--digits", "5"]],
        "transpose": [["MODEL", "--format", f] for f in values_of("transpose", "--format")],
        "steady": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--closed"], ["bead_on_hoop", "--box", "theta = -2 .. 2", "--solve", "w"], ["cart_pole", "--trim", "u, w"]],
        "linearise": [["MODEL"], ["MODEL", "--json"], ["MODEL", "--symbolic"]],
        "matrices": [["MODEL"], ["MODEL", "--json"]],
        "stability": [["MODEL", "--vary", "m=1..2"]],
        "continue": [["MODEL", "--vary", "m=1..2", "--steps", "20"], ["bead_on_hoop", "--vary", "w=1..6", "--json"],
                     ["pendulum", "--orbit", "--vary", "energy=-8..-7", "--plot"]],
        "sensitivity": [["MODEL", "--until", "0.2"], ["MODEL", "--until", "0.2", "--json", "--exec", "interpreted"]],
        "lyapunov": [["MODEL", "--until", "0.2", "--exec", "interpreted"], ["MODEL", "--until", "0.2", "--json", "--exec", "interpreted"]],
        "orbit": [["MODEL", "--until", "0.2", "--exec", "interpreted"], ["MODEL", "--period", "0.1", "--json", "--exec", "interpreted"]],
        "simulate": [["MODEL", *INTERPRETED, "-o", "run." + e] for e in ["csv", "npz", "h5"]] + [["MODEL", *SHORT], ["MODEL", *SHORT, "--json"],
                     ["MODEL", *INTERPRETED, "-o", "-"], ["MODEL", *INTERPRETED, "--plot"], ["MODEL", *INTERPRETED, "--verify"],
                     ["MODEL", *SHORT, "--exec", "compiled", "-o", "run.csv"], ["MODEL", *SHORT, "--precision", "quad", "--tol", "1e-20", "-o", "run.csv"],
                     ["MODEL", *INTERPRETED, "--method", "bdf", "-o", "run.h5"], ["MODEL", *INTERPRETED, "--project", "--method", "dop853"],
                     ["MODEL", "--exec", "interpreted", "--resume", "rows.h5", "--until", "0.4"], ["MODEL", "--exec", "interpreted", "--resume", "cut.csv"]],
        "recover": [["cut.csv"], ["cut.npz"], ["cut.h5"], ["cut.csv", "--json"]],
        "plot": [["MODEL", *INTERPRETED]] + [["MODEL", *INTERPRETED, "-o", "run." + e] for e in ["svg", "png", "pdf"]] + [["MODEL", *INTERPRETED, "-o", "-"], ["rows.csv"],
                 ["rows.csv", "-o", "run.svg", "--grid", "--marks", "--title", "a"], ["rows.h5", "-o", "run.svg", "--events"], ["rows.h5", "-o", "run.pdf"],
                 ["MODEL", "--until", "0.2", "--every", "0.01", "--exec", "interpreted", "--spectrum", "-o", "run.svg"], ["MODEL", *INTERPRETED, "--recurrence", "--json"]],
        "sweep": [["MODEL", "--vary", "m = 1..2 count 2", "--collect", "a = max(t)", "--until", "0.2", *more]
                  for more in [[], ["--json"], ["-o", "run.csv"], ["-o", "run.h5", "--samples", "2 latin", "--vary", "g in normal(9, 1)"], ["--plot"],
                               ["--figure", "run.svg"]]],
        "basin": [["double_pendulum", "--vary", "theta1 = -3..3", "--vary", "theta2 = -3..3", "--by", "theta2", "--cells", "3", "--depth", "1", "--until", "0.2", *more]
                  for more in [[], ["--json"], ["-o", "run.csv"], ["--plot"], ["--figure", "run.svg"]]],
        "map": [["double_pendulum", "--vary", "m1 = 1..3", "--vary", "m2 = 1..3", "--by", "theta2", "--cells", "3", "--depth", "1", "--until", "0.2", "--json"]],
        "section": [["MODEL", "t - 0.05", *CROSSED], ["MODEL", "t - 0.05", "--json", *CROSSED], ["MODEL", "t - 0.05", *CROSSED, "-o", "run.csv"],
                    ["MODEL", "sin(300*t)", *CROSSED, "-o", "run.svg"]],
        "compare": [["MODEL", "maggi", "multipliers", *INTERPRETED], ["MODEL", "maggi", "gauss", *INTERPRETED, "--json"]],
        "report": [["MODEL", *SHORT, "--form", "maggi", "-o", "page.html"], ["MODEL", *SHORT, "--json"], ["MODEL", *SHORT, "--form", "maggi,hamel", "-o", "-"]],
        "film": [["MODEL", "--until", "0.1", "--fps", "10", "--size", "64x48", "-o", "film%d.png"], ["MODEL", "--until", "0.1", "--fps", "10", "--size", "64x48", "-o", "film.mp4"]],
        "codegen": [["MODEL", "--target", target, "-o", "code"] for target in targets] + [["MODEL", "--form", "multipliers", "-o", "code"]],
        "forms": [[], ["MODEL"], ["MODEL", "--json"]],
        "references": [["--format", f] for f in values_of("references", "--format")],
        "models": [[], ["--json"]],
        "show": [["MODEL"], ["MODEL", "--json"]],
        "new": [["swing"], ["swing", "--json"]],
        "fmt": [["--check", "rows.csv"], ["--json", "rows.csv"]],
        "lsp": [[]],
        "tour": [[]],
        "help": [[], ["--json"], ["simulate"], ["no_such"]],
        "completions": [["bash"], ["zsh"], ["fish"], ["no_such"]],
        "manual": [[]],
    }


def on_model(line, model):
    """A line of lines() with a model in the place of MODEL."""
    return [model if word == "MODEL" else word for word in line]
