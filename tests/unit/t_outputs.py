#!/usr/bin/env python3
"""What `hamel simulate` leaves behind: archives for NumPy, a journal after a kill, words after Ctrl-C, a bar on a terminal only."""
import csv
import json
import os
import pty
import signal
import struct
import subprocess
import tempfile
import time
import zipfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
MODEL = """system pendula
param g = 9.81
coord q[1..2]
kinetic (q[1]'^2 + q[2]'^2)/2
potential g*(1 - cos(q[1])) + 2*g*(1 - cos(q[2])) + q[1]*q[2]/5
initial q[1] = 1, q[2] = 0.5, q[2]' = 0.2
simulate t = 0 .. 100, tol = 1e-9, output = 1/100
"""


def run(*arguments):
    return subprocess.run([HAMEL, "simulate", "m.ham", *arguments], capture_output=True, text=True)


def start_endless(*arguments, **where):
    return subprocess.Popen([HAMEL, "simulate", "m.ham", "--until", "9e5", "--every", "0.01", "--method", "tsit5", *arguments], **where)


PATIENCE = 20  # seconds before something is taken never to happen


def wait_for(condition, process):
    end = time.monotonic() + PATIENCE
    while not condition() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)


def size_of(name):
    return os.path.getsize(name) if os.path.exists(name) else 0


def read_npy(data):
    check(data[:8] == b"\x93NUMPY\x01\x00", "an array begins with the mark of format 1.0")
    length, = struct.unpack("<H", data[8:10])
    header = eval(data[10:10 + length], {"__builtins__": {}}, {"False": False})
    check((10 + length) % 64 == 0, "the numbers of an array begin at a multiple of 64")
    check(header["descr"] == "<f8" and header["fortran_order"] is False, "an array holds little-endian doubles")
    count, = header["shape"]
    return struct.unpack(f"<{count}d", data[10 + length:])


def read_csv(text):
    lines = text.splitlines()
    return lines[0].split(","), [[float(v) for v in line.split(",")] for line in lines[1:]]


def an_archive_holds_one_array_for_each_column_of_the_csv():
    check(run("-o", "a.npz").returncode == 0 and run("-o", "a.csv").returncode == 0, "both are written")
    names, rows = read_csv(open("a.csv").read())
    with zipfile.ZipFile("a.npz") as archive:
        check(archive.testzip() is None, "the checksums of the archive are right")
        check(archive.namelist() == [n + ".npy" for n in names], "its members are named after the columns, in their order")
        for i, name in enumerate(names):
            check(list(read_npy(archive.read(name + ".npy"))) == [row[i] for row in rows], f"`{name}` has the numbers of the CSV")
    check(len(rows) == 10001 and "q[1]'" in names, "more rows than one block, and families by their names")
    check([row[0] for row in rows] == [i / 100 for i in range(10001)], "row n is at the double nearest to n/100")
    once = open("a.npz", "rb").read()
    run("-o", "a.npz")
    check(open("a.npz", "rb").read() == once, "equal runs make equal archives")


def names_with_commas_are_quoted():
    with open("two.ham", "w") as f:
        f.write("coord q[1..2,1..2]\nkinetic (q[1,1]'^2 + q[1,2]'^2 + q[2,1]'^2 + q[2,2]'^2)/2\ninitial q[1,2] = 3\nsimulate t = 0 .. 1\n")
    done = subprocess.run([HAMEL, "simulate", "two.ham", "-o", "-"], capture_output=True, text=True)
    rows = list(csv.reader(done.stdout.splitlines()))
    check(rows[0][:5] == ["t", "q[1,1]", "q[1,2]", "q[2,1]", "q[2,2]"] and rows[1][2] == "3", "a name with a comma is one cell")


def numpy_reads_the_archive_where_it_is_installed():
    try:
        import numpy
    except ImportError:
        return
    run("-o", "a.npz")
    data = numpy.load("a.npz")
    check(data["t"].shape == (10001,) and data["q[1]"][0] == 1, "numpy.load finds the columns")


def kill_with_rows(name, *arguments):
    """A run that was killed when its journal held rows."""
    process = start_endless("-o", name, *arguments)
    wait_for(lambda: size_of(name + ".journal") > 300000, process)  # rows are written 2^18 bytes at once: the first are whole
    process.kill()
    check(process.wait() == -signal.SIGKILL, "it was killed, and did not end before")
    check(not os.path.exists(name), f"{name} is whole or not there")


def a_killed_run_leaves_its_journal_and_recover_makes_the_file_of_it():
    for name in ["k.npz", "k.csv"]:
        kill_with_rows(name)
        refused = run("-o", name)
        check(refused.returncode == 5 and f"`hamel recover {name}` makes the file" in refused.stderr, "its rows are not overwritten")
        found = json.loads(subprocess.check_output([HAMEL, "recover", name, "--json"]))
        check(found["rows"] > 100 and found["outcome"] == "unfinished" and os.path.exists(name), f"{name} is made of them")
        check([f for f in os.listdir(".") if f.startswith(name) and f != name] == [], "and nothing lies beside it")
    text = open("k.csv").read()
    names, rows = read_csv(text)
    check(text.endswith("\n") and len(rows) == found["rows"] and all(len(row) == len(names) for row in rows), "with whole lines")


def an_interrupted_run_keeps_its_rows():
    process = start_endless("-o", "i.npz", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: size_of("i.npz.journal") > 100000, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    check(process.returncode == 5, "Ctrl-C ends with status 5")
    check("interrupted at t = " in out, "the summary says when it was")
    check("what was computed is in `i.npz`" in err and "only from an .h5 file" in err, "it says that an archive does not go on")
    with zipfile.ZipFile("i.npz") as archive:
        check(len(read_npy(archive.read("t.npy"))) > 1, "the archive is whole")


def an_interrupted_section_keeps_its_rows():
    process = subprocess.Popen([HAMEL, "section", "double_pendulum", "theta1", "--until", "1e6", "-o", "i.csv"], stdout=subprocess.PIPE, text=True)
    wait_for(lambda: size_of("i.csv.journal") > 100000, process)
    process.send_signal(signal.SIGINT)
    out = process.communicate()[0]
    check(process.returncode == 5 and "where it was interrupted" in out, f"Ctrl-C ends a section with status 5, and it says so: {process.returncode} {out}")
    check(size_of("i.csv") > 1000 and not os.path.exists("i.csv.journal"), "its file has the rows so far")


def after_ctrl_c_the_command_that_was_named_goes_on():
    process = start_endless("-o", "i.h5", "--set", "g=9.8", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: size_of("i.h5.journal") > 100000, process)
    process.send_signal(signal.SIGINT)
    err = process.communicate()[1]
    check(process.returncode == 5, "Ctrl-C ends with status 5")
    check("`hamel simulate m.ham --set 'g=9.8' --resume i.h5`, to another end with `--until T`" in err, "the command to go on with is named")
    process = subprocess.Popen([HAMEL, "simulate", "m.ham", "--set", "g=9.8", "--resume", "i.h5"], stdout=subprocess.PIPE, text=True)
    wait_for(lambda: size_of("i.h5.journal") > 100000, process)
    process.send_signal(signal.SIGINT)
    check("interrupted at t = " in process.communicate()[0] and process.returncode == 5, "that command goes on")


def standard_output_gets_rows_while_the_run_goes_on():
    process = start_endless("-o", "-", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = [process.stdout.readline() for _ in range(100)]
    process.kill()
    process.stdout.close()
    process.wait()
    check(lines[0].startswith("t,q[1],q[2],q[1]',q[2]',") and lines[99].startswith("0.98,"), "rows come before the end, which never does")


def other_names_are_refused_with_the_three_formats():
    for name in ["a.dat", "a", ".csv", "a.h5.gz"]:
        result = run("-o", name)
        check(result.returncode == 1 and "ends in .csv, .h5 or .npz" in result.stderr, f"`{name}` is refused")
        check(not os.path.exists(name), f"`{name}` is not made")


def links_lead_to_the_file_that_is_written():
    open("old.csv", "w").close()
    os.chmod("old.csv", 0o600)
    os.symlink("old.csv", "link.csv")
    check(run("-o", "link.csv").returncode == 0 and os.path.islink("link.csv") and size_of("old.csv") > 1000, "the file behind a link is replaced, not the link")
    check(os.stat("old.csv").st_mode & 0o777 == 0o600, "it keeps its permissions")
    os.symlink("nowhere.csv", "dangling.csv")
    os.mkdir("folder.csv")
    os.symlink("old.csv", "other.csv.journal")
    for name, word in [("dangling.csv", "a link to nothing"), ("folder.csv", "no regular file"), ("other.csv", "cannot write"), ("no/x.csv", "No such file")]:
        refused = run("-o", name)
        check(refused.returncode == 5 and word in refused.stderr, f"`{name}` is refused: {refused.stderr}")


def progress_is_drawn_on_a_terminal_and_erased():
    main, terminal = pty.openpty()
    process = start_endless("-o", "p.npz", stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    seen = b""
    while seen.count(b"\r[") < 3:
        seen += os.read(main, 1000)
    process.send_signal(signal.SIGINT)
    try:
        while piece := os.read(main, 1000):
            seen += piece
    except OSError:  # the other side was closed
        pass
    process.wait()
    check(b"\r[--------" in seen and b" %" in seen, "a bar with a percentage is drawn")
    check(b"\r\x1b[K" in seen and b"[-" not in seen.split(b"\x1b[K")[-1], "at the end it is erased")
    process = start_endless("-o", "p.npz", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_for(lambda: size_of("p.npz.journal") > 100000, process)
    process.send_signal(signal.SIGINT)
    check(b"[-" not in process.communicate()[1], "a pipe gets no bar")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("m.ham", "w") as f:
        f.write(MODEL)
    for test in [an_archive_holds_one_array_for_each_column_of_the_csv, names_with_commas_are_quoted, numpy_reads_the_archive_where_it_is_installed, a_killed_run_leaves_its_journal_and_recover_makes_the_file_of_it,
                 an_interrupted_run_keeps_its_rows, an_interrupted_section_keeps_its_rows, after_ctrl_c_the_command_that_was_named_goes_on,
                 standard_output_gets_rows_while_the_run_goes_on, other_names_are_refused_with_the_three_formats, links_lead_to_the_file_that_is_written,
                 progress_is_drawn_on_a_terminal_and_erased]:
        test()
    os.chdir("/")
finish()
