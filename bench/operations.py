#!/usr/bin/python3
"""Operations in matrix and right-hand side of the equations with multipliers: hamel after sharing against SymPy's cse.

    operations.py [--results DIRECTORY] [MODEL...]      writes DIRECTORY/operations.md; fails unless on every model hamel's count
                                                        is lower, and not higher than SymPy's for the symmetric system
"""
import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import resource
import signal
import sys

import _peer
from _bounds import bound

LIMIT = 60  # processor seconds SymPy is given for a model


def turned(described, matrix, forcing):
    """The same equations with the rows of the constraints negated, so that the matrix is symmetric."""
    first = len(described["coords"])
    matrix, forcing = matrix.copy(), forcing.copy()
    for i in range(first, matrix.rows):
        matrix[i, :], forcing[i] = -matrix[i, :], -forcing[i]
    return matrix, forcing


def peer(described, answer):
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
    made = _peer.equations(described)
    answer.put(made and (_peer.shared_count(*made), _peer.shared_count(*turned(described, *made))))


def sympy_counts(described):
    """SymPy's counts for the rows as they come and with those of the constraints turned, or a word why there are none."""
    answer = multiprocessing.Queue()
    worker = multiprocessing.Process(target=peer, args=(described, answer))
    worker.start()
    worker.join()
    if worker.exitcode == -signal.SIGXCPU:
        return "over %d s" % LIMIT
    if worker.exitcode:
        return "failed"
    return answer.get() or "not in SymPy"


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
    return model, ours, sympy_counts(json.loads(output))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--results")
    options.add_argument("model", nargs="*")
    given = options.parse_args()
    lines, rows, lost = [], [], []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    say("| model | hamel | SymPy cse | hamel/SymPy | SymPy cse, symmetric |")
    say("|---|--:|--:|--:|--:|")
    models = given.model or _peer.library()
    with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for row in filter(None, pool.map(compare, models)):
            name, ours, theirs = row
            if isinstance(ours, int) and isinstance(theirs, tuple):
                rows.append((name, ours, *theirs))
                ratio = "%.2f" % (ours / theirs[0]) if theirs[0] else ""
                say("| %s | %d | %d | %s | %d |" % (name, ours, theirs[0], ratio, theirs[1]))
                continue
            say("| %s | %s | %s | | |" % (name, ours, theirs))
            if ours == "failed" or theirs in ("failed", "not described"):
                lost.append(name)
    say("")
    say("hamel needs fewer operations than SymPy on %d of %d models; fewer than SymPy on the symmetric system on %d, as many on %d." % (
        sum(ours < plain for _, ours, plain, _ in rows), len(rows),
        sum(ours < symmetric for _, ours, _, symmetric in rows), sum(ours == symmetric for _, ours, _, symmetric in rows)))
    if given.results:
        pathlib.Path(given.results, "operations.md").write_text("\n".join(lines) + "\n")
    more = [name for name, ours, _, symmetric in rows if ours > symmetric]
    not_fewer = [name for name, ours, plain, _ in rows if ours >= plain > 0]
    for what, names in (("more operations than SymPy on the symmetric system", more), ("not fewer operations than SymPy", not_fewer), ("not compared", lost)):
        if names:
            print("%s: %s" % (what, ", ".join(names)))
    good = bound("operations, hamel over SymPy on the symmetric system, the worst model", max((ours / symmetric for _, ours, _, symmetric in rows if symmetric), default=0), 1)
    good &= bound("models with no fewer operations than SymPy", len(not_fewer), 0)
    good &= bound("models that could not be compared", len(lost), 0)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
