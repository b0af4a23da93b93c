"""Commands under calls of the system that fail (tests/support/io_faults.c), and what must hold behind each: a documented status, words that
say what failed, no half file under the name that was asked for, no row lost."""
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile

from _checks import check

HAMEL = os.environ["HAMEL"]
SHIM = os.environ["HAMEL_IO_FAULTS"]
PATIENCE = 150 * float(os.environ.get("HAMEL_PATIENCE", "1"))
DONE, NUMERICS, LIMIT = 0, 5, 6
MODEL = """system pendula
param g = 9.81
coord x, y
kinetic (x'^2 + y'^2)/2
potential g*(1 - cos(x)) + 2*g*(1 - cos(y)) + x*y/5
initial x = 1, y = 0.5, y' = 0.2
event turn: x'
simulate t = 0 .. 20, tol = 1e-9, output = 1/100, method = tsit5
"""
RUN = ["simulate", "m.ham", "--exec", "interpreted"]
LONGER = ["--until", "400"]  # several blocks of rows
ERRORS = {"open": ["EMFILE", "EACCES", "ENOSPC", "EIO", "EINTR"], "read": ["EIO", "short"], "pread": ["EIO", "EINTR", "short"],
          "write": ["ENOSPC", "EIO", "EINTR", "short"], "pwrite": ["ENOSPC", "EIO", "EINTR", "short", "EDQUOT"], "close": ["EIO", "EINTR", "ENOSPC"],
          "sync": ["EIO", "ENOSPC", "EINTR"], "rename": ["EACCES", "ENOSPC", "EIO"], "truncate": ["EIO", "EINTR", "ENOSPC"],
          "reserve": ["ENOSPC", "EIO", "EINTR"], "mmap": ["ENOMEM", "EMFILE"], "mkdir": ["ENOSPC", "EACCES"], "chmod": ["EACCES", "EIO"],
          "pipe": ["EMFILE"], "fork": ["EAGAIN", "ENOMEM"]}


def hamel(folder, words, fault=None, counts=None, **environment):
    extra = {name: value.replace("FOLDER", folder) for name, value in environment.items()}
    if fault or counts:
        extra["LD_PRELOAD"] = SHIM
        options = os.environ.get("ASAN_OPTIONS")
        if options:
            extra["ASAN_OPTIONS"] = options + ":verify_asan_link_order=0"
    if fault:
        extra["HAMEL_FAULT"] = fault
    if counts:
        extra["HAMEL_FAULT_COUNTS"] = counts
    return subprocess.run([HAMEL, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, env={**os.environ, **extra})


def content(*path):
    name = os.path.join(*path)
    if os.path.isdir(name):
        return {f: content(name, f) for f in sorted(os.listdir(name))}
    return open(name, "rb").read() if os.path.exists(name) else None


def is_whole_picture(bytes):
    """A PNG or PDF from its first byte to its last. Where fonts cannot be read, or one of its libraries gets no memory, it may look otherwise."""
    return bytes is not None and (bytes.startswith(b"%PDF") and bytes.rstrip().endswith(b"%%EOF") or bytes.startswith(b"\x89PNG") and b"IEND" in bytes[-12:])


class Scenario:
    """A folder made ready, a command in it, and the name that it writes."""

    def __init__(self, name, words, target, before=(), **environment):
        self.name, self.words, self.target, self.environment = name, words, target, environment
        self.ready = tempfile.mkdtemp(prefix="hamel-faults-")
        with open(os.path.join(self.ready, "m.ham"), "w") as f:
            f.write(MODEL)
        for step in before:
            step(self.ready)
        self.old = content(self.ready, target)
        whole = self.copy()
        counts = os.path.join(self.ready, "..", os.path.basename(self.ready) + ".counts")
        done = hamel(whole, words, counts=counts, **environment)
        assert done.returncode == DONE, (name, done.stderr)
        self.new, self.said = content(whole, target), done.stdout
        self.counts = {k: int(n) for k, n in (line.split() for line in open(counts))}
        os.unlink(counts)
        self.beside = sorted(os.listdir(whole))
        shutil.rmtree(whole)

    def copy(self, folder=None):
        to = tempfile.mkdtemp(prefix="hamel-faults-")
        shutil.copytree(folder or self.ready, to, dirs_exist_ok=True, symlinks=True)
        return to

    def remove(self):
        shutil.rmtree(self.ready)

    def faults(self, rng, count):
        """Random faults: every kind of call that is made, the k-th of it."""
        made = [k for k, n in self.counts.items() if n and k in ERRORS]
        for i in range(count):
            kind = made[i % len(made)]
            error = rng.choice(ERRORS[kind])
            yield f"{kind}:{rng.randint(1, self.counts[kind])}:{error}{rng.choice(['', ':on']) if error != 'EINTR' else ''}"

    def all_faults(self, most):
        """The first `most` calls of each kind, with every error."""
        for kind, n in self.counts.items():
            for k in range(1, min(n, most) + 1):
                for error in ERRORS[kind]:
                    for on in ["", ":on"] if error != "EINTR" else [""]:
                        yield f"{kind}:{k}:{error}{on}"


class Case:
    """One command under one fault, and complaints about it."""

    def __init__(self, scenario, fault):
        self.scenario, self.fault, self.wrong = scenario, fault, []
        self.folder = scenario.copy()
        try:
            self.done = hamel(self.folder, scenario.words, fault, **scenario.environment)
        except subprocess.TimeoutExpired:
            self.done = None
            self.complain("it did not end")

    def complain(self, what):
        self.wrong.append(what)

    def finish(self):
        shutil.rmtree(self.folder)
        said = self.done.stderr.decode(errors="replace")[-400:] if self.done else ""
        check(not self.wrong, f"{self.scenario.name}, {self.fault}: {'; '.join(self.wrong)} ({self.done and self.done.returncode}, {said!r})")
        return not self.wrong

    def judge_status(self):
        status, said = self.done.returncode, self.done.stderr.decode(errors="replace")
        if status not in (DONE, NUMERICS, LIMIT):
            self.complain(f"status {status}")
        if status == LIMIT and "memory" not in said:
            self.complain("status 6, and memory was not asked for")
        if status and not re.search("error: .*(`.+`|the result)", said):
            self.complain("it does not say what failed, by its name")

    def judge_target(self):
        """The name that was asked for holds what it held, or all it was to hold."""
        s, there = self.scenario, content(self.folder, self.scenario.target)
        good = s.target.endswith((".png", ".pdf")) and is_whole_picture(there)
        if self.done.returncode == DONE and there != s.new and not good:
            self.complain("status 0, and the file is not what it should be")
        if there not in (s.old, s.new) and not good:
            self.complain("a half file under the asked name")
        strange = [f for f in sorted(os.listdir(self.folder)) if f not in s.beside and f not in (s.target, s.target + ".journal") and not os.path.exists(os.path.join(s.ready, f))]
        if strange:
            self.complain(f"{strange} is left behind")


def judge_file(scenario, fault):
    """A command that writes one file, or a folder: it can be given again behind the fault."""
    c = Case(scenario, fault)
    if c.done:
        c.judge_status()
        c.judge_target()
        if c.done.returncode:
            there = content(c.folder, scenario.target) == scenario.new  # and only the words about it could not be written
            again = hamel(c.folder, scenario.words, **scenario.environment)
            if not there and (again.returncode or content(c.folder, scenario.target) != scenario.new):
                c.complain(f"it cannot be had again: {again.stderr!r}")
    return c.finish()


def judge_lost(scenario, fault):
    """The folder `sub` is gone: the file was made before that, or nothing has its name and the rows are in the journal that went with it."""
    c = Case(scenario, fault)
    if c.done:
        c.judge_status()
        there, gone = (content(c.folder, *path, os.path.basename(scenario.target)) for path in [["sub"], ["sub.gone"]])
        if not os.path.exists(os.path.join(c.folder, "sub.gone")):  # there were fewer calls this time
            there, gone = None, there
        # what a folder held when it went away with the one above it cannot be reached any more
        if there is not None or gone not in (None, scenario.new) and not isinstance(gone, dict):
            c.complain("a half file under the asked name")
        if c.done.returncode == DONE and gone is None:
            c.complain("status 0, and there is no file")
        kept, journal = kept_rows(c.done.stderr), os.path.join("sub.gone", os.path.basename(scenario.target))
        if kept:
            again = hamel(c.folder, ["recover", journal, "--json"])
            if again.returncode or json.loads(again.stdout)["rows"] < kept:
                c.complain(f"{kept} rows are not kept: {again.stderr!r}")
    return c.finish()


def judge_recovery(scenario, fault):
    """`recover`: behind the fault the file is there, or the journal as it was."""
    c = Case(scenario, fault)
    if c.done:
        c.judge_status()
        c.judge_target()
        s = scenario
        if c.done.returncode and content(c.folder, s.target) != s.new:
            if content(c.folder, s.target + ".journal") != content(s.ready, s.target + ".journal"):
                c.complain("the journal was changed")
            again = hamel(c.folder, s.words)
            if again.returncode or content(c.folder, s.target) != s.new:
                c.complain(f"it cannot be had again: {again.stderr!r}")
    return c.finish()


def kept_rows(said):
    found = re.search(r"(\d+) rows? (?:are|is) kept in", said.decode(errors="replace"))
    return int(found[1]) if found else None


def rows_of(scenario):
    """What a run that nobody disturbed writes, as CSV: from its journal, where its file cannot get its name."""
    folder = scenario.copy()
    done = hamel(folder, scenario.words, f"rename:{scenario.counts['rename']}:EACCES", **scenario.environment)
    assert done.returncode == NUMERICS, done.stderr
    os.rename(os.path.join(folder, scenario.target + ".journal"), os.path.join(folder, "x.csv.journal"))
    done = hamel(folder, ["recover", "x.csv"])
    assert done.returncode == DONE, done.stderr
    rows = content(folder, "x.csv")
    shutil.rmtree(folder)
    return rows


def holds_rows(h5, rows):
    """Every column of the CSV, as the bytes of a contiguous dataset of doubles."""
    table = [[float(v) for v in line.split(b",")] for line in rows.splitlines()[1:]]
    return all(struct.pack(f"<{len(table)}d", *column) in h5 for column in zip(*table))


def is_same_run(scenario, there, rows):
    """The bytes of the run that nobody disturbed. In HDF5 the number of evaluations may differ: a run that goes on makes one more."""
    if there == scenario.new or not scenario.target.endswith(".h5") or there is None:
        return there == scenario.new
    return len(there) == len(scenario.new) and holds_rows(there, rows)


def judge_recovered(c, rows, least):
    """The journal, as CSV: as many rows as were promised, and those of the run that nobody disturbed."""
    s = c.scenario
    copy = s.copy(c.folder)
    shutil.copy(os.path.join(copy, s.target + ".journal"), os.path.join(copy, "x.csv.journal"))
    done = hamel(copy, ["recover", "x.csv", "--json"])
    if done.returncode:
        if least:
            c.complain(f"its journal gives no rows: {done.stderr!r}")
    else:
        found = json.loads(done.stdout)
        text = content(copy, "x.csv")
        if not rows.startswith(text):
            c.complain("its journal gives other rows")
        if text.count(b"\n") != found["rows"] + 1 or found["rows"] < least:
            c.complain(f"of {least} rows {found['rows']} are recovered")
        own = hamel(copy, ["recover", s.target])
        if own.returncode or content(copy, s.target) is None:
            c.complain(f"its own format cannot be recovered: {own.stderr!r}")
    shutil.rmtree(copy)


def judge_run(scenario, fault, rows, all_rows=False):
    """A run to a file: behind the fault its rows are in the file or in the journal, and it goes on to the same bytes. With `all_rows`,
    none that was computed may be missing."""
    c = Case(scenario, fault)
    if not c.done:
        return c.finish()
    c.judge_status()
    c.judge_target()
    s = scenario
    journal = os.path.exists(os.path.join(c.folder, s.target + ".journal"))
    if c.done.returncode == DONE and journal:
        c.complain("status 0, and a journal is left")
    computed = re.search(rb"rows (\d+)", c.done.stdout)
    if c.done.returncode and journal:
        kept = kept_rows(c.done.stderr) or 0
        if all_rows and computed and kept < int(computed[1]):
            c.complain(f"of {int(computed[1])} rows {kept} are kept")
        judge_recovered(c, rows, kept)
        again = hamel(c.folder, [*RUN, "--resume", s.target], **s.environment)
        if again.returncode and b"no state to go on from" not in again.stderr and b"before the first row" not in again.stderr and b"no journal" not in again.stderr:
            c.complain(f"it does not go on: {again.stderr!r}")
        elif not again.returncode and not is_same_run(s, content(c.folder, s.target), rows):
            c.complain("it goes on to other bytes")
    elif c.done.returncode and content(c.folder, s.target) != s.new:
        again = hamel(c.folder, s.words, **s.environment)
        if again.returncode or content(c.folder, s.target) != s.new:
            c.complain(f"it cannot be had again: {again.stderr!r}")
    return c.finish()
