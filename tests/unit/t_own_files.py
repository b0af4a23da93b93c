#!/usr/bin/env python3
"""No command overwrites what it has read: every file that one writes (its output, what is beside it meanwhile, the runs that `sweep --keep` writes, the
pictures of a film) is, one after the other, the model, a file it includes, data of a `given`, and rows of starts in the model and in an option."""
import os
import random
import subprocess
import tempfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
RNG = random.Random(6)
DATA = "t,x\n0,1\n1,3\n2,4\n30,5\n"
OVER = ["--vary", "x=0..1", "--vary", "x'=0..1", "--cells", "2", "--depth", "1"]
COMMANDS = [  # M: the model; the word that begins with OUT: the file
    ["sweep", "M", "-o", "OUT.csv"], ["sweep", "M", "-o", "OUT.h5"], ["sweep", "M", "--figure", "OUT.svg"], ["sweep", "M", "--figure", "OUT.png"],
    ["sweep", "M", "-o", "OUT.csv", "--keep", "3"], ["sweep", "M", "-o", "OUT.h5", "--keep", "3"], ["basin", "M", *OVER, "-o", "OUT.csv"],
    ["basin", "M", *OVER, "--figure", "OUT.svg"], ["map", "M", "--stability", "--vary", "k=0.5..1", "--vary", "d=0..1", "--cells", "2", "--depth", "1", "-o", "OUT.csv"],
    ["simulate", "M", "-o", "OUT.csv"], ["simulate", "M", "-o", "OUT.h5"], ["simulate", "M", "-o", "OUT.npz"], ["plot", "M", "-o", "OUT.svg"],
    ["report", "M", "-o", "OUT.html"], ["section", "M", "x'", "-o", "OUT.csv"], ["stability", "M", "--vary", "k=0.5..2", "-o", "OUT.csv"],
    ["continue", "M", "--vary", "k=0.5..2", "-o", "OUT.csv"], ["film", "M", "--until", "0.5", "--fps", "4", "-o", "OUT-%d.png"], ["derive", "M", "--format", "latex", "--bib", "OUT.bib"],
]


def files_of(names):
    """What is read, by name: the model, what it includes, data, rows of starts, and rows that an option names."""
    return {names["model"]: f"include \"{names['include']}\"\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\ninitial x = 1\ngiven w from \"{names['given']}\" column x\n"
                            f"force x = 0*w - d*x'\nsweep x from \"{names['starts']}\"\nsimulate t = 0 .. 1\ncollect e = final(x)\n",
            names["include"]: "param k = 1, d = 0.1\n", names["given"]: DATA, names["starts"]: DATA, names["option"]: DATA}


def try_one(folder, command, output, role):
    names = {"model": "m.ham", "include": "inc.ham", "given": "g.csv", "starts": "s.csv", "option": "opt.csv"}
    names[role] = output
    read = files_of(names)
    for name, text in read.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    more = ["--vary", f'x from "{names["option"]}"'] if role == "option" else []
    done = subprocess.run([HAMEL, *(names["model"] if word == "M" else word for word in command), *more], cwd=folder, capture_output=True, text=True)
    for name, text in read.items():
        with open(os.path.join(folder, name), errors="replace", encoding="utf-8") as f:
            check(f.read() == text, f"{' '.join(command)}: `{output}`, the {role}, is overwritten")
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    return done


def every_file_against_every_file():
    for command in COMMANDS:
        output = next(word for word in command if word.startswith("OUT"))
        stem, dot = os.path.splitext(output)
        beside = [output + ".journal", output + ".journal.part"] if command[0] in ("sweep", "simulate", "section") and "-o" in command else []
        kept = [f"{stem}-{i}{dot}{more}" for i, more in ((0, ""), (1, ""), (2, ""), (1, ".journal.part"))] if "--keep" in command else []
        pictures = [output.replace("%d", str(i)) for i in (1, 3)] if "%d" in output else []
        roles = ["model", "include", "given", "starts"] + ["option"] * (command[0] == "sweep")
        for name in [output, *beside, *kept, *pictures]:
            for role in roles if kept else RNG.sample(roles, 2):
                with tempfile.TemporaryDirectory() as folder:
                    done = try_one(folder, command, name, role)
                if name != output or "%d" not in output:
                    said = done.returncode == 1 and "is not overwritten" in done.stderr or name.endswith(".journal") and done.returncode == 5
                    check(said, f"{' '.join(command)} with `{name}`, the {role}: {done.returncode}, {done.stderr}")


every_file_against_every_file()
finish()
