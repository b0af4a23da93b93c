#!/usr/bin/python3
"""What smooth models pay for what the language gained: runs of models without contacts, resets and clocks by this program, over the same runs by an
earlier one, which is built from its commit in a folder of its own beside the build (once; `--against` names another commit or a program).

    smooth.py BUILD [RESULTS] [--against COMMIT|PROGRAM]      writes RESULTS/smooth.md; fails where a ratio is above the bound

Instructions of whole commands are counted by callgrind, so that they hold on any machine; a run to t = 1e-6 has those up to the first step. Compiled code comes
from the cache.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from _bounds import bound

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEFORE = "eba74088"  # the commit before contacts, resets, servo constraints, units and functions from data
BOUND, NO_TIME = 1.02, 1e-6
RUNS = [("sleigh", 40000), ("rolling_disc", 100), ("rattleback", 20), ("double_pendulum", 100), ("pendulum", 400), ("bicycle", 5)]  # t at the end


def earlier(build, commit):
    """The program of that commit."""
    if os.access(commit, os.X_OK) and os.path.isfile(commit):
        return os.path.abspath(commit)
    name = subprocess.run(["git", "rev-parse", "--verify", "--quiet", commit + "^{commit}"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    if not name:
        sys.exit("smooth.py: there is no commit '%s' here, and no such program" % commit)
    folder = build / "before" / name[:12]
    if not (folder / "build/hamel").exists():
        folder.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", name], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
        for command in (["cmake", "--preset", "release", "-DHAMEL_WEB=OFF"], ["ninja", "-C", "build", "hamel"]):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                sys.exit("smooth.py: '%s' of %s failed\n%s" % (" ".join(command), name[:12], done.stdout[-2000:] + done.stderr[-2000:]))
    return str(folder / "build/hamel")


def instructions(program, model, until, how):
    command = [program, "simulate", model, "--until", str(until), "--exec", how]
    if how == "compiled":
        subprocess.run(command, capture_output=True, check=True)  # makes the code
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out.name, *command], capture_output=True, check=True)
        return int(re.search(rb"^(?:summary|totals): (\d+)", out.read(), re.M).group(1))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("results", type=pathlib.Path, nargs="?")
    options.add_argument("--against", default=BEFORE, metavar="COMMIT|PROGRAM")
    o = options.parse_args()
    programs = [str(o.build.resolve() / "hamel"), earlier(o.build.resolve(), o.against)]
    lines = ["# Smooth models against an earlier program", "", "Instructions of this program over those of %s; bound %g for the whole and the run." % (o.against, BOUND), "",
             "| model | t = 0 .. | code | whole command | up to the first step | the run behind it |", "|---|--:|---|--:|--:|--:|"]
    good = True
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for model, end in RUNS:
            for how in ("interpreted", "compiled"):
                whole, start = ([instructions(p, model, until, how) for p in programs] for until in (end, NO_TIME))
                ratio, run = whole[0] / whole[1], (whole[0] - start[0]) / (whole[1] - start[1])
                good &= bound("smooth models over %s, %s %s: instructions" % (o.against, model, how), ratio, BOUND)
                good &= bound("smooth models over %s, %s %s: instructions of the run" % (o.against, model, how), run, BOUND)
                lines.append("| %s | %d | %s | %.3f | %.3f | %.3f |" % (model, end, how, ratio, start[0] / start[1], run))
                print("%s (%.0f and %.0f million)" % (lines[-1], whole[0] / 1e6, whole[1] / 1e6), flush=True)
    if o.results:
        (o.results / "smooth.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
