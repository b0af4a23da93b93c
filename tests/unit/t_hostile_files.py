#!/usr/bin/env python3
"""Files of others for `plot`, `--resume` and `recover`: HDF5 with other types, extents, storage and links (tests/support/hostile_hdf5.c), and
.h5, .csv and .journal files with changed bytes, the checksums made right again. Each is read or refused, in time, in words; no other file
is read or written."""
import os
import random
import struct
import subprocess
import tempfile
import zlib

from _checks import check, counted, finish, run_cases, run_seed
from _faults import MODEL, RUN, content, hamel

SEED, COUNT = run_seed(14), run_cases(25, 1500)
RNG = random.Random(SEED)
MAKER = os.environ["HAMEL_HOSTILE_HDF5"]
KINDS = subprocess.check_output([MAKER], text=True).split()
READ, REFUSED, OTHER_MODEL, NUMERICS, LIMIT = 0, 1, 2, 5, 6
SECRET = struct.pack("<64d", *[1234567.891 + i for i in range(64)]) * 20
MAGIC = b"hamel journal 1\n"


def ask(folder, words, why):
    """A command that must end by itself; its status."""
    before = content(folder, "secret")
    try:
        done = hamel(folder, words)
    except subprocess.TimeoutExpired:
        check(False, f"{why}, {words[0]}: it did not end")
        return None
    said = done.stderr.decode(errors="replace")
    check(done.returncode in (READ, REFUSED, OTHER_MODEL, NUMERICS, LIMIT) and (not done.returncode or "error: " in said),
          f"{why}, {words[0]}: status {done.returncode}, {said[-300:]!r}")
    check(content(folder, "secret") == before and b"1234567" not in done.stdout, f"{why}, {words[0]}: another file was read or written")
    return done.returncode


def in_place(folder, name, bytes_):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(bytes_)


def go_on(folder, name, until):
    return ["simulate", "m.ham", "--exec", "interpreted", "--resume", name, "--until", until]


def hdf5_that_is_not_as_we_write_it_is_refused(folder, good):
    paths = ["/trajectory/t", "/trajectory/x", "/trajectory/energy", "/state/head", "/state/end", "/trajectory", "/state"]
    cases = [(path, kind) for path in paths for kind in KINDS]
    RNG.shuffle(cases)
    for path, kind in cases[:2 * COUNT]:
        why = f"{path} as {kind}"
        in_place(folder, "run.h5", good)
        in_place(folder, "other.h5", good)
        made = subprocess.run([MAKER, "run.h5", path, kind], cwd=folder)
        check(made.returncode == 0, f"{why} can be made")
        there = content(folder, "run.h5")
        torn = path == "/state/end" and kind == "zero_bytes"  # a record without an end: its rows count
        check(ask(folder, ["plot", "run.h5", "x:y", "-o", "-"], why) == (READ if torn else REFUSED), f"{why}: plot refuses it")
        check(ask(folder, go_on(folder, "run.h5", "3"), why) in (REFUSED, NUMERICS), f"{why}: --resume refuses it")
        check(content(folder, "run.h5") == there and content(folder, "other.h5") == good, f"{why}: the files are as they were")
        check(content(folder, "run.h5.journal") is None, f"{why}: no journal is left")


def sweeps_that_are_not_as_we_write_them_are_refused(folder, good):
    paths = ["/state/sweep", "/varied/x", "/collected/far", "/ended", "/state", "/varied", "/collected"]
    cases = [(path, kind) for path in paths for kind in KINDS]
    RNG.shuffle(cases)
    for path, kind in cases[:COUNT]:
        why = f"{path} of a sweep as {kind}"
        in_place(folder, "sweep.h5", good)
        in_place(folder, "other.h5", good)
        made = subprocess.run([MAKER, "sweep.h5", path, kind], cwd=folder)
        check(made.returncode == 0, f"{why} can be made")
        there = content(folder, "sweep.h5")
        numbers = kind == "chunks" and path in ("/varied/x", "/collected/far")  # other numbers, as they should be
        check(ask(folder, ["plot", "sweep.h5", "far", "-o", "-"], why) == (READ if numbers else REFUSED), f"{why}: plot refuses it")
        check(content(folder, "sweep.h5") == there and content(folder, "other.h5") == good, f"{why}: the files are as they were")
    begin = good.find(struct.pack("<QIII", 500, 1, 1, 8))  # runs, columns, words: what /state/sweep says
    check(begin > 0, "what plots read first")
    for at, number in [(0, 501), (0, 499), (0, 1 << 60), (0, 1 << 33), (8, 2), (8, 0), (8, 0xffffffff), (12, 0xfffffff), (16, 0), (16, 7), (16, 9), (16, 0xffffffff)]:
        b = bytearray(good)
        b[begin + at:begin + at + (4 if at else 8)] = struct.pack("<I" if at else "<Q", number)
        in_place(folder, "sweep.h5", bytes(b))
        check(ask(folder, ["plot", "sweep.h5", "far", "-o", "-"], f"{number} at {at}") in (REFUSED, LIMIT), f"{number} at {at} is refused")
    for i in range(COUNT):
        b = bytearray(good)
        for _ in range(RNG.randint(1, 3)):
            b[begin + RNG.randrange(100)] = RNG.randrange(256)
        in_place(folder, "sweep.h5", RNG.choice([bytes(b), changed(good)]))
        ask(folder, ["plot", "sweep.h5", "-o", "-"], f"changed sweep {i}")


def changed(bytes_, most=6):
    """Some bytes, stretches or lengths changed, cut, doubled or moved."""
    b = bytearray(bytes_)
    for _ in range(RNG.randint(1, most)):
        at = RNG.randrange(len(b))
        what = RNG.randrange(7)
        if what == 0:
            b[at] = RNG.randrange(256)
        elif what == 1:
            b[at] ^= 1 << RNG.randrange(8)
        elif what == 2:
            b[at:at + 8] = RNG.choice([b"\xff" * 8, b"\0" * 8, b"\0\0\0\0\0\0\0\x80", struct.pack("<Q", RNG.getrandbits(RNG.randrange(1, 64)))])
        elif what == 3:
            del b[at:at + RNG.randint(1, 64)]
        elif what == 4:
            b[at:at] = b[RNG.randrange(len(b)):][:RNG.randint(1, 64)]
        elif what == 5:
            b[at:at + 4] = struct.pack("<I", RNG.choice([0, 1, 0x7fffffff, 0xffffffff, len(b)]))
        elif RNG.random() < 0.2:
            del b[at:]
        if not b:
            b = bytearray(b"\0")
    return bytes(b)


def pieces(journal):
    at, found = len(MAGIC), []
    while at + 16 <= len(journal):
        length, = struct.unpack("<Q", journal[at + 8:at + 16])
        found.append((journal[at:at + 4], journal[at + 16:at + 16 + length]))
        at += 16 + length
    return found


def sealed(kind, inside):
    length = struct.pack("<Q", len(inside))
    return kind + struct.pack("<I", zlib.crc32(kind + length + inside)) + length + inside


def changed_pieces(journal):
    """Pieces with other contents, in another order, twice, of another kind: each with the sum it should have."""
    found = pieces(journal)
    for _ in range(RNG.randint(1, 3)):
        at, what = RNG.randrange(len(found)), RNG.randrange(6)
        kind, inside = found[at]
        if what <= 2 and inside:
            found[at] = (kind, changed(inside, 2))
        elif what == 3:
            found[at] = (RNG.choice([b"HEAD", b"LINE", b"ROWS", b"EVNT", b"HERE", b"DONE", b"XXXX"]), inside)
        elif what == 4:
            found.insert(RNG.randrange(len(found)), found[at])
        elif len(found) > 1:
            del found[at]
    return MAGIC + b"".join(sealed(kind, inside) for kind, inside in found)


def changed_hdf5(bytes_):
    """The record inside of the file, changed and sealed again, of the same length; or any bytes."""
    begin = bytes_.find(MAGIC)
    if RNG.random() < 0.5 or begin < 0:
        return changed(bytes_)
    at = begin + len(MAGIC)
    length, = struct.unpack("<Q", bytes_[at + 8:at + 16])
    inside = bytearray(bytes_[at + 16:at + 16 + length])
    for _ in range(RNG.randint(1, 3)):
        where = RNG.randrange(len(inside) - 8)
        inside[where:where + 4] = RNG.choice([b"\xff" * 4, b"\0" * 4, struct.pack("<I", RNG.getrandbits(RNG.randrange(1, 32)))])
    return bytes_[:at] + sealed(bytes_[at:at + 4], bytes(inside)) + bytes_[at + 16 + length:]


def changed_csv(bytes_):
    lines = bytes_.splitlines(keepends=True)
    for _ in range(RNG.randint(1, 4)):
        at = RNG.randrange(len(lines))
        lines[at] = RNG.choice([lines[at].replace(b",", RNG.choice([b",,", b";", b"", b'"', b",nan,", b",1e999,", b",\xff,", b",\0,", b"\r", b",0x1p4,"]), 1),
                                b'"' + lines[at], changed(lines[at], 2), b"\n", lines[0], b"," * RNG.randint(1, 3000) + b"\n",
                                b"1" * RNG.randint(1, 5000) + b"\n", b"\xef\xbb\xbf" + lines[at]])
    return b"".join(lines)


def changed_files_are_read_or_refused(folder, good):
    check(hamel(folder, [*RUN, "--until", "2", "-o", "rows.csv"]).returncode == 0, "there is a CSV file")
    csv = content(folder, "rows.csv")
    os.unlink(os.path.join(folder, "rows.csv"))
    hamel(folder, [*RUN, "-o", "cut.csv"], "pwrite:5:ENOSPC:on")
    journal = content(folder, "cut.csv.journal")
    hamel(folder, [*RUN, "--until", "2", "-o", "whole.csv"], "rename:1:EIO")
    journals = [journal, content(folder, "whole.csv.journal")]
    for i in range(COUNT):
        in_place(folder, "c.csv", changed_csv(csv))
        ask(folder, ["plot", "c.csv", "-o", "-"], f"changed CSV {i}")
        in_place(folder, "h.h5", changed_hdf5(good))
        ask(folder, ["plot", "h.h5", "x:y", "-o", "-"], f"changed HDF5 {i}")
        ask(folder, go_on(folder, "h.h5", "3"), f"changed HDF5 {i}")
        name = RNG.choice(["j.csv", "j.npz", "j.h5"])
        some = RNG.choice(journals)
        in_place(folder, name + ".journal", RNG.choice([changed, changed_pieces, changed_pieces])(some))
        ask(folder, go_on(folder, name, "30") if RNG.random() < 0.5 else [*RUN, "-o", name], f"changed journal {i}")
        ask(folder, ["recover", name], f"changed journal {i}")
        for rest in ["c.csv", "h.h5", "h.h5.journal", name, name + ".journal", name + ".journal.part"]:
            if os.path.exists(os.path.join(folder, rest)):
                os.unlink(os.path.join(folder, rest))


with tempfile.TemporaryDirectory() as folder:
    in_place(folder, "m.ham", MODEL.encode())
    in_place(folder, "secret", SECRET)
    check(hamel(folder, [*RUN, "--until", "2", "-o", "good.h5"]).returncode == 0, "there is a file")
    good = content(folder, "good.h5")
    for test in [hdf5_that_is_not_as_we_write_it_is_refused, changed_files_are_read_or_refused]:
        test(folder, good)
    swept = ["sweep", "m.ham", "--exec", "interpreted", "--vary", "x = 0 .. 1 count 500", "--collect", "far = max(y)", "--until", "0.01", "-o", "swept.h5"]
    check(hamel(folder, swept).returncode == 0, "there is a sweep")
    sweeps_that_are_not_as_we_write_them_are_refused(folder, content(folder, "swept.h5"))
print(f"net: hostile files: {counted[True] + counted[False]} tried, {counted[False]} failed")
finish()
