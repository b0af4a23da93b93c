#!/usr/bin/env python3
"""Files of a motion with contacts and resets: rows before and after a jump, events, a kill in the middle, what --resume leaves alone.

A ball that bounces for ever from height 1 has period 2 sqrt(2/g), and its height the Fourier series 2/3 + (4/pi^2) cos(..) + ..
"""
import csv
import json
import math
import os
import re
import signal
import subprocess
import tempfile
import time

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.TemporaryDirectory()
BALL = """param g = 9.81
coord x, z
kinetic (x'^2 + z'^2)/2
potential g*z
contact floor: gap z, restitution 1
event top: z' down
initial z = 1, x' = 1
simulate t = 0 .. 20, output = 0.05
"""
CLOCK = """input u = 0
coord x
kinetic x'^2/2
force x = u
every 0.25 { u = -4*x - x' }
when kick: x + 0.5 { x' = 1 }
initial x = 1
simulate t = 0 .. 5, output = 0.05
"""
LONG = ["--until", "6000", "--every", "0.01"]  # it takes some ten times as long as what is waited for below


def path(name):
    return os.path.join(FOLDER.name, name)


def hamel(*words, status=0):
    done = subprocess.run([HAMEL, *words], capture_output=True, text=True, check=False, cwd=FOLDER.name)
    check(done.returncode == status, f"{' '.join(words)}: status {done.returncode}, not {status}: {done.stderr}")
    return done


def content(name):
    with open(path(name), "rb") as file:
        return file.read()


def rows_of(name):
    with open(path(name), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)


def jumps_are_two_rows_at_one_time():
    told = json.loads(hamel("simulate", "ball.ham", "-o", "ball.csv", "--json").stdout)
    rows = rows_of("ball.csv")
    pairs = [(before, after) for before, after in zip(rows, rows[1:]) if before["t"] == after["t"]]
    impacts = [change for change in told["changes"] if change["kind"] == "impact"]
    check(len(pairs) == len(impacts) > 10, f"{len(pairs)} jumps for {len(impacts)} impacts")
    for (before, after), impact in zip(pairs, impacts):
        check(float(before["t"]) == float(impact["t"]), "a jump is at its impact")
        check(abs(float(before["z'"]) + float(after["z'"])) < 1e-9, f"the speed turns: {before} {after}")
        check(abs(float(before["z"])) < 1e-9, "at the floor")
    check(all(float(a["t"]) <= float(b["t"]) for a, b in zip(rows, rows[1:])), "time does not go back")


def events_are_in_files_and_figures():
    told = json.loads(hamel("simulate", "ball.ham", "-o", "ball.h5", "--json").stdout)
    names = [event["name"] for event in told["events"]]
    check(names.count("floor.lands") == sum(c["kind"] == "impact" for c in told["changes"]), "each landing is an event")
    check(names.count("top") > 10, "events of the model are found between jumps too")
    text = hamel("simulate", "ball.ham").stdout
    check("event top at t" in text and "event floor.lands" not in text, "the text tells a change once, and other events")
    for words in (["ball.h5", "z"], ["ball.ham", "z"], ["ball.ham", "x:z"], ["ball.csv", "t:z'"]):
        hamel("plot", *words, *([] if words[0].endswith(".csv") else ["--events"]), "-o", "z.svg")
        check(content("z.svg").startswith(b"<"), f"{words} are drawn")
    figure = content("z.svg").decode()  # of z' against t, from the CSV file
    upright = [line for line in re.findall(r'd="M[^"]*"', figure) if "NaN" in line or "nan" in line]
    check(not upright, "every point of a jump has a place")
    hamel("plot", "ball.h5", "z", "--events", "-o", "events.svg")
    check("floor.lands" in content("events.svg").decode() or b"lands" in content("events.svg"), "events of the file are marked")


def a_spectrum_goes_across_jumps():
    words = ["plot", "ball.ham", "z", "--spectrum", "--json", "--until", "40", "--every", "0.01"]
    peaks = json.loads(hamel(*words).stdout)["spectra"][0]["peaks"]
    for k, peak in enumerate(peaks[:2], start=1):
        # rows of a run are 0.01 apart, and lines stand for curves beside a jump: 1e-6 of a value
        check(abs(float(peak["frequency"]) - k / (2 * math.sqrt(2 / 9.81))) < 1e-5, f"frequency {peak}")
        check(abs(float(peak["amplitude"]) - 4 / (math.pi * k) ** 2) < 1e-4, f"amplitude {peak}")


def killed(ending):
    process = subprocess.Popen([HAMEL, "simulate", "ball.ham", "-o", "long" + ending, *LONG], cwd=FOLDER.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began = time.monotonic()
    while time.monotonic() - began < 20 and not (os.path.exists(path(f"long{ending}.journal")) and os.path.getsize(path(f"long{ending}.journal")) > 2e6):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    check(process.returncode == -signal.SIGKILL, "it was killed before its end")


def a_killed_run_is_recovered_and_not_taken_up():
    for ending in (".csv", ".h5", ".npz"):
        killed(ending)
        journal = content(f"long{ending}.journal")
        said = hamel("simulate", "ball.ham", "--resume", "long" + ending, *LONG, status=1).stderr
        check("--resume does not go with contacts" in said and "hamel recover" in said, said)
        check(content(f"long{ending}.journal") == journal and not os.path.exists(path("long" + ending)), "the journal is as it was")
        told = json.loads(hamel("recover", "long" + ending, "--json").stdout)
        check(told["rows"] > 10000 and not os.path.exists(path(f"long{ending}.journal")), f"{told}")
        kept = content("long" + ending)
        hamel("simulate", "ball.ham", "--resume", "long" + ending, *LONG, status=1)
        check(content("long" + ending) == kept, "a file that is there is as it was")
    hamel("simulate", "ball.ham", "-o", "whole.csv", *LONG)
    short, whole = content("long.csv"), content("whole.csv")
    check(len(short) < len(whole) and whole.startswith(short), "the rows are those of the run that nobody disturbed")


def clocks_and_resets_are_followed_too():
    told = json.loads(hamel("simulate", "clock.ham", "-o", "clock.csv", "--json").stdout)
    check(any(change == {"t": change["t"], "kind": "reset", "name": "kick"} for change in told["changes"]), f"{told['changes']}")
    hamel("plot", "clock.ham", "x'", "-o", "x.svg")
    page = hamel("report", "clock.ham", "-o", "page.html")
    check(page.returncode == 0 and b'class="changes"' in content("page.html") and b"every 0.25" in content("page.html"), "the page tells of both")


write("ball.ham", BALL)
write("clock.ham", CLOCK)
jumps_are_two_rows_at_one_time()
events_are_in_files_and_figures()
a_spectrum_goes_across_jumps()
a_killed_run_is_recovered_and_not_taken_up()
clocks_and_resets_are_followed_too()
finish()
