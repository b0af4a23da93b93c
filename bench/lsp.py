#!/usr/bin/python3
"""`hamel lsp`: what an edit costs until its diagnostics are there, on every library model.

    lsp.py [RESULTS]      writes RESULTS/lsp.md; fails if a bound does not hold

Edits are what one types: a statement with an error behind the last one, taken away again, and a blank in the middle of the text.
Processor time of the server from /proc, the median of nine edits of each kind; it has one thread.
"""
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
os.environ.setdefault("HAMEL", str(ROOT / "build/hamel"))
sys.path.append(str(ROOT / "tests/support"))
from lsp_client import Server, position  # noqa: E402

from _bounds import bound  # noqa: E402

REPETITIONS = 9
MILLISECONDS = 50


def spent(server):
    """Milliseconds that the server has computed so far."""
    return int(pathlib.Path("/proc/%d/schedstat" % server.process.pid).read_text().split()[0]) / 1e6


def shown_after(server, uri, change):
    """(milliseconds of the processor, of the clock) from an edit to its diagnostics."""
    server.shown.pop(uri, None)
    before, began = spent(server), time.monotonic()
    server.change(uri, change)
    while uri not in server.shown:
        server.receive()
    return spent(server) - before, 1000 * (time.monotonic() - began)


def edits_of(text):
    """(edit, the one that takes it back, whether the text is wrong between them)"""
    end, middle = position(text, len(text)), position(text, text.index("\n", len(text) // 2))
    wrong = "potential nobody_declared_this\n"
    last = {"line": end["line"] + (end["character"] > 0), "character": 0}
    before = "\n" if end["character"] else ""
    yield ({"range": {"start": end, "end": end}, "text": before + wrong},
           {"range": {"start": end, "end": {"line": last["line"] + 1, "character": 0}}, "text": ""}, True)
    after = dict(middle, character=middle["character"] + 1)
    yield {"range": {"start": middle, "end": middle}, "text": " "}, {"range": {"start": middle, "end": after}, "text": ""}, False


def measure(path):
    """(lines, milliseconds of the processor, of the clock) of the slowest kind of edit"""
    text, uri, server = path.read_text(), path.as_uri(), Server()
    server.open(uri, text)
    assert server.diagnostics(uri) is not None
    clean, slowest = server.shown[uri], (0, 0)
    for edit, back, is_wrong in edits_of(text):
        runs = []
        for _ in range(REPETITIONS):
            runs.append(shown_after(server, uri, edit))
            assert not is_wrong or any("nobody_declared_this" in d["message"] for d in server.shown[uri]), (path, server.shown[uri])
            runs.append(shown_after(server, uri, back))
            assert server.shown[uri] == clean, path
        for part in runs[::2], runs[1::2]:
            slowest = max(slowest, tuple(statistics.median(column) for column in zip(*part)))
    server.end()
    return text.count("\n"), *slowest


def main():
    rows = []
    print("%-32s %6s %10s %10s" % ("from an edit to diagnostics", "lines", "ms", "by clock"))
    for path in sorted((ROOT / "models").rglob("*.ham")):
        lines, processor, clock = measure(path)
        rows.append((processor, clock, path.stem))
        print("%-32s %6d %10.2f %10.2f" % (path.stem, lines, processor, clock), flush=True)
    rows.sort(reverse=True)
    holds = bound("lsp: from an edit to its diagnostics, the slowest model of the library (%s)" % rows[0][2], rows[0][0], MILLISECONDS, "ms")
    if len(sys.argv) > 1:
        over = [name for processor, _, name in rows if processor > MILLISECONDS]
        table = ["| `hamel lsp`, from an edit to its diagnostics | count |", "|---|--:|", "| models | %d |" % len(rows),
                 "| over %g ms | %s |" % (MILLISECONDS, ", ".join(over) if over else "0")]
        pathlib.Path(sys.argv[1], "lsp.md").write_text("\n".join(table) + "\n")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
