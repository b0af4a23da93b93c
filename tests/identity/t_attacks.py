#!/usr/bin/python3
"""Attacks on the judge: the models of attacks/ carry behind each statement what must be said of it, found by hand.

  claim c: x = 0   # expect refuted              the verdict is that word
                   # expect not proved           refuted or undecided
                   # expect not plainly proved   if proved, then with words that say of what
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from counting import check, finish  # noqa: E402

HAMEL = os.environ["HAMEL"]
STATEMENT = re.compile(r"^\s*(claim|invariant)\s+(\w+)(.*?)#\s*expect\s+(.*?)\s*$")


def fits(expected, verdict):
    word = verdict["verdict"]
    if expected == "not plainly proved":
        return word != "proved" or bool(verdict.get("remark") or verdict.get("place"))
    return word != expected.removeprefix("not ") if expected.startswith("not ") else word == expected


for path in sorted((HERE / "attacks").glob("*.ham")):
    run = subprocess.run([HAMEL, "prove", str(path), "--json"], capture_output=True, text=True, check=False)
    verdicts = {(v["kind"], v["name"]): v for v in json.loads(run.stdout or '{"verdicts": []}')["verdicts"]}
    statements = [match for match in map(STATEMENT.match, path.read_text().splitlines()) if match]
    check(statements, f"{path.name} has statements")
    for kind, name, text, expected in (match.groups() for match in statements):
        verdict = verdicts.get((kind, name))
        found = f"{verdict['verdict']} ({verdict.get('remark')})" if verdict else f"no verdict: {run.stderr[:200]}"
        check(verdict and fits(expected, verdict), f"{path.name}: {kind} {name}{text.strip()} is {expected}; found {found}")
finish()
