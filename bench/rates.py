#!/usr/bin/python3
"""Operations in the right-hand side that `hamel codegen` writes and in M, F and velocities of the default form, for every model of the library.

    rates.py [--results DIRECTORY] [MODEL...]      writes DIRECTORY/rates.md; fails where a model takes more than the table there says, or a bound of BOUNDS

Counted are + - * / and calls of functions in the C text, without what is computed once for all states; a system that is solved in a loop counts apart.
"""
import argparse
import pathlib
import re
import sys
import tempfile

import _peer
from _bounds import bound as judge

# The best count published for the bicycle's linear system, by another program, is 1909.
BOUNDS = {"bicycle": (1900, 1500)}
FUNCTION = re.compile(r"^static (?:HAMEL_NOT_INLINE )?void rate(?:_\d+)?\(.*?\) \{\n(.*?)^\}", re.M | re.S)
CALLS = r"\b(?:sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|log|sqrt|pow|fabs)\("


def operations(text):
    """Operations of the rate in a generated source."""
    total = 0
    for body in FUNCTION.findall(text):
        for line in re.sub(r"//.*", "", body).splitlines():
            right = re.sub(r"\[[^]]*\]|\de[-+]\d+", "", line.partition("=")[2])
            total += len(re.findall(r"(?<![(,*/] )(?<!\()(?<!^ )[-+*/]", right)) + len(re.findall(CALLS, right))
    return total


def count(model):
    """(operations of the rate, of M, F and velocities), None where there is no code for want of values."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "made")
        if _peer.hamel("codegen", model, "-o", str(folder))[0]:
            return None
        source = next(f for f in folder.glob("*.c") if f.name != "main.c").read_text()
    found = re.search(r"operations after sharing: (\d+)", _peer.hamel("derive", model, "--raw", "--stats")[1])
    return operations(source), int(found.group(1)) if found else 0


def committed(path):
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \|$", path.read_text(), re.M) if path.exists() else []
    return {name: (int(rate), int(system)) for name, rate, system in rows}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--results", type=pathlib.Path)
    options.add_argument("model", nargs="*")
    given = options.parse_args()
    before = committed(given.results / "rates.md") if given.results else {}
    lines, worse = ["| model | rate | M, F and velocities |", "|---|--:|--:|"], []
    for model in given.model or _peer.library():
        now = count(model)
        if now is None:
            continue
        lines.append("| %s | %d | %d |" % (model, *now))
        print(lines[-1], flush=True)
        for name, value, old, bound in zip(("rate", "M, F"), now, before.get(model, now), BOUNDS.get(model, (10**9, 10**9))):
            if model in BOUNDS:
                judge("operations of %s, %s" % (model, name), value, bound)
            if value > old or value >= bound:
                worse.append("%s of %s: %d, was %d" % (name, model, value, old))
    if given.results and not given.model:
        (given.results / "rates.md").write_text("\n".join(lines) + "\n")
    if worse:
        print("MORE operations than before, or than allowed: " + "; ".join(worse))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
