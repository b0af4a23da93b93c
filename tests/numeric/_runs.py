"""Trajectories by `hamel simulate`, for the tests of this folder."""
import csv
import json
import os
import subprocess

HAMEL = os.environ["HAMEL"]
LIMIT = 60 * float(os.environ.get("HAMEL_PATIENCE", "1"))  # seconds for one run


class RunFailed(Exception):
    pass


def arguments(options):
    result = []
    for name, value in options.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            result += ["--" + name, repr(float(one)) if isinstance(one, (int, float)) else str(one)]
    return result


def call(command, model, *more, **options):
    p = subprocess.run([HAMEL, command, model, *more, *arguments(options)], capture_output=True, text=True, timeout=LIMIT)
    if p.returncode:
        raise RunFailed("%s %s %s: exit %d: %s" % (command, model, options, p.returncode, p.stderr.strip()[-300:]))
    return p.stdout


def trajectory(model, **options):
    """The columns of a run, by their names."""
    rows = list(csv.reader(call("simulate", model, "-o", "-", **options).splitlines()))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def summary(model, **options):
    return json.loads(call("simulate", model, "--json", **options))


def best_method():
    """The most accurate method there is, by id."""
    for method in ("taylor", "dop853", "tsit5"):
        p = subprocess.run([HAMEL, "simulate", "vertical_disc", "--until", "0.1", "--method", method], capture_output=True, timeout=LIMIT)
        if p.returncode == 0:
            return method
    raise RunFailed("no method integrates")
