"""What `hamel eval` says of a model at its start and at another state, for tests of generated code."""
import json
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from counting import run_size  # noqa: E402, F401

HAMEL = os.environ["HAMEL"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def evaluate(model, options, at):
    p = run(HAMEL, "eval", model, "--json", "--digits", "30", *options, *(["--at", at] if at else []))
    return json.loads(p.stdout) if p.returncode == 0 else None


def symbol_value(e, name):
    """A symbol of the state, a rate or an unknown, as `eval` has it."""
    base, primes = name.rstrip("'"), len(name) - len(name.rstrip("'"))
    if name in e["eta"] and name not in ("%s'" % q for q in e["q"]):
        return e["eta"][name]
    if base in e["q"]:
        return e[("q", "qd", "qdd")[primes]][base]
    if base in e["eta"]:
        return e["etad"][base]
    kind = re.match(r"lambda\[(.*)\]$", base)
    return e["lambdad" if primes else "lambda"][kind.group(1)]


def elsewhere(model, options, first):
    """Another admissible state, of dyadic numbers as far as the constraints leave a choice."""
    dyadic = lambda v, k: (round(float(v) * 64) + k) / 64
    fast = ["%s=%s" % (name, dyadic(v, 5 + i)) for i, (name, v) in enumerate(first["eta"].items())]
    moved = ["%s=%s" % (name, dyadic(v, 3 - i)) for i, (name, v) in enumerate(first["q"].items())]
    for at in (moved + fast, moved, fast, ["t=%s" % (float(first["t"]) + 0.125)]):
        e = evaluate(model, options, ", ".join(at))
        if e:
            return e
    return None
