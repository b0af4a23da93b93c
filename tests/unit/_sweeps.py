"""A sweep to be killed, and its journal read by a second reader, written here from src/sweep/store_internal.h and src/record/sealed.h alone."""
import os
import re
import shutil
import struct
import subprocess
import tempfile
import zlib

from _checks import check

HAMEL = os.environ["HAMEL"]
PATIENCE = 150 * float(os.environ.get("HAMEL_PATIENCE", "1"))
COUNTS = (30, 25)  # of angles, of g
MODEL = f"""system pendulum
param g = 9.81
coord th
kinetic th'^2/2
potential g*(1 - cos(th))
initial th = 1
event turn: th'
simulate t = 0 .. 60, tol = 1e-9, method = dop853
sweep th = 0 .. 3 count {COUNTS[0]}
sweep g = 5 .. 15 count {COUNTS[1]}
collect top = max(th), stopped = first(turn), turns = count(turn), last = final(th)
"""
RUNS = COUNTS[0] * COUNTS[1]
SWEEP = ["sweep", "m.ham", "--exec", "interpreted"]


def pieces(data):
    """(kind, content, matches its sum) of every piece that is not torn."""
    at = 16
    while data[:16] == b"hamel sweep 001\n" and len(data) - at >= 16:
        kind, crc, length = data[at:at + 4], *struct.unpack("<IQ", data[at + 4:at + 16])
        content = data[at + 16:at + 16 + length]
        if len(content) < length:
            return
        yield kind, content, zlib.crc32(kind + data[at + 8:at + 16] + content) == crc
        at += 16 + length


def runs_in(journal):
    """How many runs are finished there; complains about one that is there twice."""
    if not os.path.exists(journal):
        return 0
    with open(journal, "rb") as f:
        found = list(pieces(f.read()))
    if not found or found[0][0] != b"HEAD" or not found[0][2]:
        return 0
    each, runs, _, collected = struct.unpack("<QQII", found[0][1][:24])
    assert runs == RUNS, (runs, RUNS)
    numbers = [struct.unpack("<Q", content[:8])[0] for kind, content, good in found if kind == b"RUNS" and good]
    check(len(set(numbers)) == len(numbers), f"a chunk was computed again: {numbers}")
    counts = [min(each, runs - each * n) for n in numbers]
    for (kind, content, good), count in zip([p for p in found[1:] if p[2]], counts):
        assert len(content) == 8 + count * (8 * collected + 12)
    return sum(counts)


def new_folder():
    folder = tempfile.mkdtemp(prefix="hamel-sweeps-")
    with open(os.path.join(folder, "m.ham"), "w") as f:
        f.write(MODEL)
    return folder


def content(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return None
    with open(path, "rb") as f:
        return f.read()


def run(folder, words, command=(HAMEL,)):
    return subprocess.run([*command, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)


class Whole:
    """The bytes of a sweep that nobody disturbed, in each format."""

    def __init__(self, endings):
        self.bytes = {}
        for ending in endings:
            folder = new_folder()
            done = run(folder, [*SWEEP, "--threads", "1", "-o", "w." + ending])
            assert done.returncode == 0, done.stderr
            self.bytes[ending] = content(folder, "w." + ending)
            assert not os.path.exists(os.path.join(folder, f"w.{ending}.journal"))
            shutil.rmtree(folder)


def resumed(done):
    """What a summary in JSON says about runs that were there."""
    found = re.search(rb'"resumed": *"?(\d+)', done.stdout)
    return int(found[1]) if found else None
