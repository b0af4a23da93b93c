#!/usr/bin/env python3
"""Random command lines: the program ends by itself, in a documented status, and whatever is wrong is said in words. Half of the lines
are made of what the help lists, the others of what it does not; models are small or no models at all, and runs are short.

Every option of every command gets values at the edges of what can be read, written or opened; on a terminal nothing
of them may act.
"""
import json
import os
import random
import subprocess
import tempfile

from _checks import check, finish, in_time, run_cases, run_seed
from commands import HAMEL, choices, commands, names, options, takes_value

SEED, COUNT = run_seed(13), run_cases(150, 3000)
PATIENCE = 20 * float(os.environ.get("HAMEL_PATIENCE", "1"))
DONE, USAGE, MODEL, REFUTED, UNDECIDED, NUMERICS, LIMIT = range(7)

SMALL = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y' = x*x'\ninitial x' = 1\nsimulate t = 0 .. 0.1\n"
FILES = {"small.ham": SMALL, "wrong.ham": "coord x\nkinetic y\n", "empty.ham": "", "rows.csv": "t,x\n0,1\n1,2\n", "bad.csv": "x\ny,z\n"}
# What may stand in the place of a word, and what surely should not.
WORDS = ["small.ham", "wrong.ham", "empty.ham", "rows.csv", "bad.csv", "pendulum", "slegh", "-", "", ".", "/", "x:y", "t", "maggi", "kane",
         "derive", "bash", "a_name", "9", "no such file", "\xff\xfe", "%s%n%d", "x" * 5000, "=", "=x", "x=1", "../up", "small.ham "]
VALUES = ["", "0", "-1", "1", "16", "0.05", "nan", "inf", "-inf", "1e400", "1e-400", "0x10", "1.5.2", "99999999999999999999", "3x", "200x300", "x",
          "all", "maggi", "maggi,kane", ",", "maggi,,", "MAGGI", "text", "json", "latex", "sympy", "--json", "-o", "x=1", "x=", "=1", "x'=2",
          "t=0, x=1", "x 1", "out.csv", "out.h5", "out.npz", "out.svg", "out.html", "out", "-", "/nowhere/out.csv", "c", "tl", "%s", "\xff", "=" * 300]
# Values at the edges of what can be read, written or opened, for whatever wants one.
NASTY = ["1e-300", "1e300", "-0", "0.0", "1e308", "1e309", "4294967296", "18446744073709551616", "-9223372036854775808", "1,5", "1_000", " 5", "5 ", "+5",
         "1e", "e1", ".", "nan(1)", "infinity", "0x1p-1074", "1" * 400, "0." + "0" * 400 + "1", "٣", "½", "\x1b[31mred", "\x9b31m", "\u202e", "a\nb", "a\tb",
         "x=1e400", "x=1/0", "x=1e9999999", "m=2^(2^30)", "x=sum(i in 1..1e6, i)", "x'=" + "(" * 3000, "q[1]=1", "x=x", "t=1e300", "a=", "N=1e9", "=" ,
         "/dev/null", "/dev/full", "/dev/full/x.csv", "out.csv/x.csv", ".csv", ".h5", "out.CSV", "out.csv.journal", "small.ham", "~/out.csv", "*", "a" * 300 + ".csv",
         "x" * 4096 + "/o.svg", "out.png", "out.pdf", "1x1", "0x0", "99999x99999", "-1x5", "1e3x1e3", "time=1", "time=0", "rows=1", "memory=1k", "time=1,,", "nodes=-1"]
STRANGE = ["-x", "--", "---", "--=", "-=1", "--no-such", "--JSON", "--form=", "--json=1", "--jso", "-ojson", "-o=out", "--format=json", "--%n", "-" + "y" * 300,
           "--until=0.05", "--tol=1e-3", "--set=x=1"]
# Numbers that can ask for more than a test should do: the line then has a limit of time.
LONG = {"--until", "--every", "--step", "--digits", "--tol"}
LIMIT_OF_TIME = ["--limit", "time=3"]


def random_option(rng, known):
    if not known or rng.random() < 0.2:
        return [rng.choice(STRANGE)]
    shown = rng.choice(known)
    name = rng.choice(names(shown))
    if not takes_value(shown) and rng.random() < 0.95:
        return [name]
    free = NASTY if rng.random() < 0.4 else VALUES
    value = rng.choice(choices(shown) if choices(shown) and rng.random() < 0.6 else free)
    if rng.random() < 0.05:
        return [name]
    given = [f"{name}={value}"] if rng.random() < 0.3 else [name, value]
    return given + LIMIT_OF_TIME if name in LONG else given


def random_line(rng, known, turn):
    command = list(known)[turn % len(known)] if rng.random() < 0.97 else rng.choice(["", "chek", "-h", "--help", "--version", "-", "--json", "x" * 3000])
    line = [command]
    for _ in range(rng.choice([0, 1, 1, 1, 1, 2, 3, 70 if rng.random() < 0.1 else 2])):
        line += [rng.choice(WORDS[:1] * 12 + WORDS)]
    for _ in range(rng.choice([0, 1, 1, 2, 3, 6, 150 if rng.random() < 0.1 else 2])):
        place = rng.randrange(1, len(line) + 1)
        line[place:place] = random_option(rng, known.get(command, []))
    return line


def as_bytes(word):
    """Words of bytes that are no UTF-8 as they stand, others as UTF-8."""
    return word.encode("latin-1" if word in WORDS or word == "\xff" else "utf-8")


def acts(text):
    """Does it hold what a terminal acts upon?"""
    return any(ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160 for c in text)


def judge(line, folder):
    try:
        done = subprocess.run([HAMEL.encode(), *(as_bytes(word) for word in line)], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE, env=dict(os.environ, COLUMNS="80"))
    except subprocess.TimeoutExpired:
        return f"still runs after {PATIENCE:g} s"
    said, out = done.stderr.decode(errors="replace"), done.stdout.decode(errors="replace")
    if done.returncode not in range(7):
        return f"status {done.returncode}: {said[-300:]}"
    if acts(said):
        return f"control characters reach the terminal: {said[-300:]!r}"
    if done.returncode in (REFUTED, UNDECIDED) and line[0] != "prove":
        return f"status {done.returncode} is that of prove"
    if done.returncode in (USAGE, MODEL, NUMERICS, LIMIT) and "error: " not in said and "does not apply" not in out and line[0] not in ("", "lsp"):
        return f"status {done.returncode} without a word"
    if done.returncode == DONE and "error: " in said:
        return f"status 0, and yet: {said[-300:]}"
    if done.returncode == USAGE and "--json" in line and out:
        try:
            json.loads(out)
        except ValueError:
            return f"what --json gives is no JSON: {out[:300]}"
    return None


def main():
    rng = random.Random(SEED)
    known = {command: list(options(command)) for command in commands() if command != "tour"}
    seen, failed = {}, 0
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, "inner")
        os.mkdir(folder)
        for turn in in_time(range(COUNT)):
            for name, text in FILES.items():  # a line may have written over one
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            line = random_line(rng, known, turn)
            wrong = judge(line, folder)
            failed += bool(wrong)
            check(not wrong, f"hamel {' '.join(repr(word) for word in line)[:600]}: {wrong}")
            seen[line[0]] = seen.get(line[0], 0) + 1
        check(os.listdir(top) == ["inner"], f"nothing is written outside: {os.listdir(top)}")
    print(f"net: random command lines: {COUNT} tried, {failed} failed")
    check(COUNT < 150 or len([c for c in known if c in seen]) == len(known), "every command was tried")


main()
finish()
