#!/usr/bin/env python3
"""Journals read by a second reader, written here from the description in src/record/recording.h alone: `hamel recover` must find the rows that
it finds, in journals that were cut anywhere and in which bytes were changed. No such file may crash, hang or write anything but its target."""
import csv
import json
import os
import random
import struct
import subprocess
import tempfile
import time
import zlib

from _checks import check, finish, run_cases

HAMEL = os.environ["HAMEL"]
CASES = run_cases(40, 1000)
MODEL = """system pendula
coord x, y
kinetic (x'^2 + y'^2)/2
potential 9*(1 - cos(x)) + 18*(1 - cos(y)) + x*y/5
initial x = 1, y = 0.5, y' = 0.2
event turn: x'
simulate t = 0 .. 5e5, tol = 1e-9, output = 1/100, method = tsit5
"""
COLUMNS = 6  # t, x, y, x', y', energy


def pieces(data):
    """(kind, content, end) of every whole piece; the rest is torn."""
    at = 16
    if data[:16] != b"hamel journal 1\n":
        return
    while len(data) - at >= 16:
        kind, crc, length = data[at:at + 4], *struct.unpack("<IQ", data[at + 4:at + 16])
        content = data[at + 16:at + 16 + length]
        if len(content) < length or zlib.crc32(kind + data[at + 8:at + 16] + content) != crc:
            return
        at += 16 + length
        yield kind, content, at


def rows_of(data):
    """The rows of a journal, as this reader sees them; None: it has no head."""
    rows, headed = [], False
    for kind, content, _ in pieces(data):
        if kind == b"HEAD":
            headed = True
        elif not headed or kind not in (b"ROWS", b"EVNT", b"HERE", b"DONE", b"LINE"):
            break
        elif kind == b"ROWS":
            rows += struct.iter_unpack(f"<{COLUMNS}d", content)
    return rows if headed else None


def journal_of_a_killed_run():
    process = subprocess.Popen([HAMEL, "simulate", "m.ham", "-o", "run.csv"])
    while process.poll() is None and not (os.path.exists("run.csv.journal") and os.path.getsize("run.csv.journal") > 300_000):
        time.sleep(0.01)
    process.kill()
    process.wait()
    with open("run.csv.journal", "rb") as f:
        return f.read()


def recover(data, name):
    with open(name + ".journal", "wb") as f:
        f.write(data)
    if os.path.exists(name):
        os.remove(name)
    return subprocess.run([HAMEL, "recover", name, "--json"], capture_output=True, text=True, timeout=60)


def same_rows(name, rows):
    with open(name, newline="") as f:
        read = list(csv.reader(f))
    return len(read) == len(rows) + 1 and all(tuple(map(float, a)) == b for a, b in zip(read[1:], rows))


def damaged(whole, pick):
    """Cut somewhere, often at the border of a piece, or with some bytes changed."""
    ends = [end for _, _, end in pieces(whole)]
    data = bytearray(whole)
    kind = pick.random()
    if kind < 0.3:
        return data[:pick.randrange(len(data))]
    if kind < 0.5:
        return data[:max(0, pick.choice(ends) + pick.randint(-20, 20))]
    if kind < 0.7:  # within the head of a piece
        at = pick.choice([16, *ends[:-1]]) + pick.randrange(16)
    else:
        at = pick.randrange(len(data))
    for i in range(pick.choice([1, 1, 4, 100])):
        if at + i < len(data):
            data[at + i] = pick.randrange(256)
    return data


def resealed(whole, pick):
    """Bytes of a piece changed, and its sum made right again: nothing but the reader itself can notice."""
    data, parts = bytearray(whole), list(pieces(whole))
    kind, content, end = pick.choice([p for p in parts if p[0] != b"ROWS"])
    if not content:
        return data
    content, begin = bytearray(content), end - len(content)
    for _ in range(pick.choice([1, 2, 10])):
        content[pick.randrange(len(content))] = pick.choice([0, 1, 0x7f, 0x80, 0xff, pick.randrange(256)])
    if pick.random() < 0.3:
        content = content[:pick.randrange(len(content))]
    head = kind + struct.pack("<I", zlib.crc32(kind + struct.pack("<Q", len(content)) + content)) + struct.pack("<Q", len(content))
    return data[:begin - 16] + head + content + data[end:]


def main():
    pick, tried, failed = random.Random(14), 0, 0
    with open("m.ham", "w") as f:
        f.write(MODEL)
    whole = journal_of_a_killed_run()
    os.remove("run.csv.journal")
    check(len(rows_of(whole)) > 1000, "the journal of a killed run has rows")
    done = recover(whole, "a.csv")
    check(done.returncode == 0 and same_rows("a.csv", rows_of(whole)), "they are recovered, to the last bit")
    check(json.loads(done.stdout)["rows"] == len(rows_of(whole)), "and counted")
    for _ in range(CASES):
        data = damaged(whole, pick)
        rows, done = rows_of(bytes(data)), recover(bytes(data), "b.csv")
        if rows:
            good = done.returncode == 0 and same_rows("b.csv", rows) and not os.path.exists("b.csv.journal")
        else:
            good = done.returncode == 5 and "cannot recover" in done.stderr and not os.path.exists("b.csv")
        tried, failed = tried + 1, failed + (not good)
        check(good, f"what is whole is recovered: {len(data)} bytes, {rows and len(rows)} rows, status {done.returncode}: {done.stderr}")
    if os.path.exists("b.csv.journal"):  # the last one could not be recovered
        os.remove("b.csv.journal")
    for _ in range(CASES):
        name = pick.choice(["c.h5", "c.csv", "c.npz"])
        data = resealed(whole, pick)
        done = recover(bytes(data), name)
        good = done.returncode in (0, 5)
        if os.path.exists(name + ".journal"):
            resumed = subprocess.run([HAMEL, "simulate", "m.ham", "--resume", name, "--until", "1"], capture_output=True, text=True, timeout=60)
            good = good and resumed.returncode in (0, 1, 2, 5)
            os.remove(name + ".journal")
        tried, failed = tried + 1, failed + (not good)
        check(good, f"what is sealed and wrong does no harm: status {done.returncode}: {done.stderr}")
    check(sorted(os.listdir(".")) == sorted({"m.ham", "a.csv", "b.csv", "c.h5", "c.csv", "c.npz"} & set(os.listdir("."))), "nothing else was written")
    print(f"net: journals cut and changed, recovered and resumed: {tried} tried, {failed} failed")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
finish()
