#!/usr/bin/python3
"""Operations in matrix and right-hand side of the equations with multipliers: hamel after sharing against SymPy's cse.

    operations.py [--results DIRECTORY] [MODEL...]      writes DIRECTORY/operations.md; fails unless hamel's count is the lower one
"""
import argparse
import json
import multiprocessing
import pathlib
import re
import sys

import _peer

LIMIT = 120  # seconds SymPy is given for a model


def peer(described, answer):
    made = _peer.equations(described)
    answer.put(None if made is None else _peer.shared_count(*made))


def sympy_count(described):
    """SymPy's count, or a word why there is none."""
    answer = multiprocessing.Queue()
    worker = multiprocessing.Process(target=peer, args=(described, answer))
    worker.start()
    worker.join(LIMIT)
    if worker.is_alive():
        worker.terminate()
        worker.join()
        return "over %d s" % LIMIT
    return answer.get() if worker.exitcode == 0 else "failed"


def compare(model):
    status, output, errors = _peer.hamel("derive", model, "--form", "multipliers", "--raw", "--stats")
    found = re.search(r"operations after sharing: (\d+)", output)
    if not found:
        return None if status == 2 else (model, "failed", None)
    ours = int(found.group(1))
    status, output, errors = _peer.hamel("describe", model, "--json")
    if status:
        print(errors, file=sys.stderr)
        return model, ours, "not described"
    return model, ours, sympy_count(json.loads(output))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--results")
    options.add_argument("model", nargs="*")
    given = options.parse_args()
    lines, worse, lost = [], [], []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    say("| model | hamel | SymPy cse | hamel/SymPy |")
    say("|---|--:|--:|--:|")
    for model in given.model or _peer.library():
        row = compare(model)
        if row is None:
            continue
        name, ours, theirs = row
        compared = isinstance(ours, int) and isinstance(theirs, int)
        say("| %s | %s | %s | %s |" % (name, ours, theirs, "%.2f" % (ours / theirs) if compared and theirs else ""))
        if compared and ours >= theirs:
            worse.append(name)
        if ours == "failed" or theirs in ("failed", "not described"):
            lost.append(name)
    if given.results:
        pathlib.Path(given.results, "operations.md").write_text("\n".join(lines) + "\n")
    if worse:
        print("NOT fewer operations than SymPy: " + ", ".join(worse))
    if lost:
        print("NOT compared: " + ", ".join(lost))
    return 1 if worse or lost else 0


if __name__ == "__main__":
    sys.exit(main())
