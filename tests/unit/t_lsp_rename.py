#!/usr/bin/python3
"""New names by `hamel lsp`: after renaming, a model says the same with the new name in the place of the old one, as `hamel describe` sees
it, which shares nothing with the places that the server found. A few names of each library model; make test-long takes them all."""
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile

from _checks import check, finish, run_cases, run_size
from lsp_client import HAMEL, Server, edited, position

ROOT = pathlib.Path(os.environ.get("HAMEL_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
FRESH = "Fresh_7"
# statements of sweeps, which no library model has
SWEPT = """const N = 2
param m = 1, l = 0.5, g = 9.81
coord th, q[1..N]
quasi w = th'
kinetic m*l^2*th'^2/2 + sum(i in 1..N, q[i]'^2)/2
potential -m*g*l*cos(th)
initial th = 1
event low: th up
let height = l*cos(th)
sweep l = 0.1 .. 2*m count 20, g in { 1, 9.81, m }
sweep w in uniform(-m, 1)
for i in 1..N {
  sweep q[i] in normal(0, l + i)
  collect far[i] = max(q[i])
}
samples 10*N latin seed N
collect top = max(height), fall = first(low), n = count(low)
"""
WORDS = re.compile(r"[^\W\d]\w*|\d+")


def said(path):
    """Status and words of the model, whatever the order of terms, which depends on names."""
    done = subprocess.run([HAMEL, "describe", str(path)], capture_output=True, text=True)
    return done.returncode, sorted(w.replace(FRESH, "@") for w in WORDS.findall(done.stdout))


def models(count):
    """(path, text) of library models that include nothing, and of some that do."""
    found = sorted((ROOT / "models").rglob("*.ham"))
    return found if count is None else found[::max(1, len(found) // count)]


def rename_all(server, path, folder, per_model, chosen):
    text = path.read_text()
    for other in path.parent.glob("*.csv"):
        (folder / other.name).write_bytes(other.read_bytes())
    for other in re.findall(r'include "([^"]*)"', text):
        (folder / other).write_text((path.parent / other).read_text())
    copy = folder / path.name
    copy.write_text(text)
    uri = copy.as_uri()
    server.open(uri, text)
    before = said(copy)
    symbols = server.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    if per_model is not None:
        symbols = chosen.sample(symbols, min(per_model, len(symbols)))
    for symbol in symbols:
        where = symbol["selectionRange"]["start"]
        answer = server.ask("textDocument/rename", {"textDocument": {"uri": uri}, "position": where, "newName": FRESH})
        if "error" in answer:
            check("no name that could be changed" in answer["error"]["message"], f"{path.name}: {symbol['name']}: {answer['error']['message']}")
            continue
        kept = {}
        for file, edits in answer["result"]["changes"].items():
            changed = pathlib.Path(file.removeprefix("file://"))
            kept[changed] = changed.read_text()
            changed.write_text(edited(kept[changed], edits))
        status, words = said(copy)
        old = sorted(w.replace(symbol["name"], "@") for w in before[1])
        new = sorted(w.replace(symbol["name"], "@") for w in words)
        check((status, new) == (before[0], old), f"{path.name}: `{symbol['name']}` ({symbol['detail']}) renamed says the same")
        # and back again: the same bytes
        server.change(uri, {"text": copy.read_text()})
        for changed in kept:
            if changed != copy:
                server.tell("workspace/didChangeWatchedFiles", {"changes": []})
        back = server.ask("textDocument/rename", {"textDocument": {"uri": uri}, "position": where, "newName": symbol["name"]})
        if "result" in back:
            check(edited(copy.read_text(), back["result"]["changes"].get(uri, [])) == text or "\u03b1" <= max(text),
                  f"{path.name}: `{symbol['name']}` renamed and back is the same text")
        else:
            taken = "taken" in back["error"]["message"] or "word" in back["error"]["message"] or "mean" in back["error"]["message"]
            check(taken, f"{path.name}: `{symbol['name']}` back: {back['error']['message']}")
        for changed, was in kept.items():
            changed.write_text(was)
        server.change(uri, {"text": text})
        server.tell("workspace/didChangeWatchedFiles", {"changes": []})
    server.close(uri)


def main(count, per_model):
    chosen = random.Random(7)
    server = Server()
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(models(count)):
            own = pathlib.Path(folder) / str(number)
            own.mkdir()
            rename_all(server, path, own, per_model, chosen)
        swept, own = pathlib.Path(folder) / "swept.ham", pathlib.Path(folder) / "swept"
        own.mkdir()
        swept.write_text(SWEPT)
        rename_all(server, swept, own, None, chosen)
    check(server.end() == 0, "the server ends with status 0")
    finish()


if __name__ == "__main__":
    main(run_size(run_cases(40, 40), None), run_size(3, None))
