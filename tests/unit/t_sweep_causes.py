#!/usr/bin/env python3
"""Why runs of a sweep have no start: the constraints that the summary names, how often, and the run that it shows, against constraints evaluated here;
and the words of `simulate` for that run."""
import collections
import itertools
import json
import os
import random
import subprocess
import tempfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.mkdtemp()
RNG = random.Random(3)
LOOKS = 16


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as f:
        f.write(text)


def grids_with_holes():
    """Everything is given, so that what is not satisfied follows from the values: p: x = a, q: y = 2, r: x + z = 3."""
    write("m.ham", "param a = 1\ncoord x, y, z, s\nkinetic (x'^2 + y'^2 + z'^2 + s'^2)/2\nconstraint p: x = a\nconstraint q: y = 2\nconstraint r: x + z = 3\n"
                   "initial x = 1, y = 2, z = 2\nsimulate t = 0 .. 0.1\ncollect far = final(s)\n")
    for i in range(8):
        values = {"a": [1] * RNG.randint(0, 1) + RNG.sample([0, 2, 4], 1), "x": RNG.sample([1, 3, 5], RNG.randint(1, 3)),
                  "y": RNG.sample([1, 2, 7], RNG.randint(1, 3)), "z": RNG.sample([0, 2, -2], RNG.randint(1, 3))}
        runs = list(itertools.product(*values.values()))
        broken = [tuple(n for n, bad in zip("pqr", (x != a, y != 2, x + z != 3)) if bad) for a, x, y, z in runs]
        failed = [k for k, b in enumerate(broken) if b]
        looked = failed[::-(-len(failed) // LOOKS)] if failed else []
        done = hamel("sweep", "m.ham", *itertools.chain(*(("--vary", f"{n} in {{{', '.join(map(str, v))}}}") for n, v in values.items())), "--json")
        check(done.returncode == 0, done.stderr)
        told = json.loads(done.stdout)
        check(told["ended"].get("no start", 0) == len(failed), f"{i}: {told['ended']}, {len(failed)}")
        if not failed:
            check("no_start" not in told, "nothing to say")
            continue
        why = told["no_start"]
        counted = collections.Counter(broken[k] for k in looked)
        most = max(counted.values())
        kind = next(broken[k] for k in looked if counted[broken[k]] == most)
        check(why["looked"] == len(looked) and why["runs"] == most, f"{i}: {why}, {counted}")
        check(tuple(why["constraints"]) == kind and why["run"] == next(k for k in looked if broken[k] == kind), f"{i}: {why}, {kind}")
        check([float(v) for v in why["values"].values()] == list(runs[why["run"]]) and list(why["values"]) == list(values), f"{i}: {why}")


def words():
    done = hamel("sweep", "m.ham", "--vary", "y in {2, 3, 4}", "-o", "rows.csv")
    check("no start: the values given for the coordinates do not satisfy the constraints: `q`\n  such as run 1: y = 3\n" in done.stdout, done.stdout)
    alone = hamel("simulate", "m.ham", "--at", "y = 3").stderr
    check("the values given for the coordinates do not satisfy the constraints" in alone and "residual of `q` at the values given: 1.0" in alone, alone)
    streamed = hamel("sweep", "m.ham", "--vary", "y in {2, 3, 4}")
    check("no start: the values" in streamed.stderr and "no start:" not in streamed.stdout, "beside rows on standard output too")
    done = hamel("sweep", "m.ham", "--vary", "y in {2, 3}", "--vary", "x in {1, 2, 7}", "-o", "two.csv")
    check("  in 2 of 5 runs that were looked at, such as run 1: y = 2, x = 2\n" in done.stdout, done.stdout)
    write("many.ham", "coord " + ", ".join(f"x{i}" for i in range(6)) + "\nkinetic (" + " + ".join(f"x{i}'^2" for i in range(6)) + ")/2\nparam a = 0\n"
          + "".join(f"constraint c{i}: x{i} = a\n" for i in range(5)) + "initial " + ", ".join(f"x{i} = 0" for i in range(5)) + "\ncollect e = final(x5)\n")
    done = hamel("sweep", "many.ham", "--vary", "a in {0, 1}", "-o", "many.csv")
    check("satisfy the constraints: `c0`, `c1`, `c2` and 2 more\n" in done.stdout, done.stdout)
    write("root.ham", "param a = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y = sqrt(a)*x\ninitial x = 1\ncollect e = final(x)\n")
    done = hamel("sweep", "root.ham", "--vary", "a in {1, -1}", "-o", "root.csv")
    check("no start" in done.stdout and "such as run 1: a = -1" in done.stdout, f"{done.stdout} {done.stderr}")


grids_with_holes()
words()
finish()
