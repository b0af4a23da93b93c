#!/usr/bin/python3
"""Every library model through `hamel derive MODEL --form maggi`: the whole program, the least processor time of five; and the snake of 100 links.

    library.py [RESULTS]      writes RESULTS/library.md; fails if a bound of the table does not hold
"""
import os
import pathlib
import resource
import sys

import _peer
from _bounds import bound

REPETITIONS = 5
LIMIT = 0.100  # seconds, any model of the library
SNAKE_LINKS = 100
SNAKE_SECONDS = 2.0
SNAKE_BYTES = 1 << 30


def run(arguments):
    """Exit status, processor seconds and peak memory in bytes of the program."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(_peer.HAMEL, [_peer.HAMEL, *arguments])
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def least(arguments, repetitions):
    runs = [run(arguments) for _ in range(repetitions)]
    return runs[0][0], min(r[1] for r in runs), max(r[2] for r in runs)


def models():
    """(name, exit status, seconds) of each model."""
    for model in _peer.library():
        status, seconds, _ = least(["derive", model, "--form", "maggi"], REPETITIONS)
        yield model, status, seconds


def snake(form, *more):
    return least(["derive", "snake", "--form", form, "--set", "N=%d" % SNAKE_LINKS, *more], 2)


def word(holds):
    return "yes" if holds else "NO"


def main():
    rows, table, failed = [], [], 0
    print("%-32s %10s" % ("derive --form maggi", "ms"))
    for model, status, seconds in models():
        note = "" if status == 0 else "  refused (status %d)" % status
        if seconds > LIMIT:
            note += "  OVER %.0f ms" % (1000 * LIMIT)
        print("%-32s %10.1f%s" % (model, 1000 * seconds, note), flush=True)
        rows.append((model, status, seconds))
    derived = [r for r in rows if r[1] == 0]
    over = [r[0] for r in rows if r[2] > LIMIT]
    failed += not bound("derive --form maggi, the slowest model of the library", 1000 * max(r[2] for r in rows), 1000 * LIMIT, "ms")
    table += ["| `hamel derive MODEL --form maggi`, whole program | count |", "|---|--:|",
              "| models | %d |" % len(rows), "| derived | %d |" % len(derived),
              "| refused (constraints of order 2 or more) | %d |" % (len(rows) - len(derived)),
              "| over %.0f ms | %s |" % (1000 * LIMIT, ", ".join(over) if over else "0"), ""]
    table += ["| snake, N = %d | under %g s | under 1 GiB |" % (SNAKE_LINKS, SNAKE_SECONDS), "|---|---|---|"]
    for words in (("maggi", "--raw"), ("maggi",), ("multipliers", "--raw"), ("multipliers",)):
        status, seconds, memory = snake(*words)
        what = "derive --form %s of a snake of %d links" % (" ".join(words), SNAKE_LINKS)
        failed += status != 0
        failed += not bound(what, seconds, SNAKE_SECONDS, "s")
        failed += not bound(what + ", memory", memory / 2**20, SNAKE_BYTES / 2**20, "MiB")
        table.append("| `--form %s` | %s | %s |" % (" ".join(words), word(status == 0 and seconds < SNAKE_SECONDS), word(memory < SNAKE_BYTES)))
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1], "library.md").write_text("\n".join(table) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
