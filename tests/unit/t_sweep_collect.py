#!/usr/bin/env python3
"""What is collected of runs: observables and invariants by their names, in their units; data that nothing else needs;
what has no value is refused; extremes at a look. Compared with SciPy, closed forms and the same expression in full."""
import csv
import io
import os
import subprocess
import tempfile
import time

import numpy
from scipy.interpolate import CubicSpline

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.mkdtemp()


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def sweep(text, collect, *words):
    """The rows, and what went wrong."""
    with open(os.path.join(FOLDER, "m.ham"), "w", encoding="utf-8") as f:
        f.write(text)
    done = hamel("sweep", "m.ham", "--collect", collect, *words)
    return list(csv.DictReader(io.StringIO(done.stdout))), done


def near(got, wanted, what, most=1e-9):
    check(abs(float(got) - wanted) <= most * (1 + abs(wanted)), f"{what}: {got}, not {wanted}")


PENDULUM = """system pendulum
param m = 1 [kg], l = 0.5 [m], g = 9.81 [m/s^2]
coord th [rad]
kinetic m*l^2*th'^2/2
potential -m*g*l*cos(th)
let height = -l*cos(th)
initial th = 1
invariant energy = m*l^2*th'^2/2 + m*g*height
observe angle [deg] = th, speed [km/h] = l*th', e [J] = m*l^2*th'^2/2
for i in 1..2 { observe part[i] [cm] = i*l*sin(th) }
simulate t = 0 .. 3
sweep g = 1 .. 9 count 2
"""


def names():
    pairs = {  # with the observable's name, and the same in full
        "max(angle)": "max(th*180/pi)",
        "max(angle*1)": "max(th)",
        "min(speed)": "min(l*th'*3.6)",
        "final(speed/l)": "final(th')",
        "max(energy)": "max(m*l^2*th'^2/2 - m*g*l*cos(th))",
        "mean(e)": "mean(m*l^2*th'^2/2)",  # e is the observable here, 2.718.. is not
        "max(part[2])": "max(200*l*sin(th))",
        "max(part[1] + part[2])": "max(3*l*sin(th))",
        "max(angle')": "max(th')",
    }
    plain = "".join(line for line in PENDULUM.splitlines(True) if not line.startswith(("observe", "for", "invariant")))
    by_name, done = sweep(PENDULUM, ", ".join(f"c{i} = {words}" for i, words in enumerate(pairs)))
    check(done.returncode == 0, done.stderr)
    in_full, done = sweep(plain, ", ".join(f"c{i} = {words}" for i, words in enumerate(pairs.values())))
    check(done.returncode == 0, done.stderr)
    check(len(by_name) == len(in_full) == 2, "two runs of each")
    for one, other in zip(by_name, in_full):
        for i, words in enumerate(pairs):
            near(one[f"c{i}"], float(other[f"c{i}"]), words, 1e-12)
    rows, done = sweep(PENDULUM, "a [rad] = max(angle), b [cm/s] = max(speed)")
    other, _ = sweep(plain, "a = max(th), b = max(100*l*th')")
    check(done.returncode == 0, done.stderr)
    near(rows[1]["a"], float(other[1]["a"]), "in another unit"), near(rows[1]["b"], float(other[1]["b"]), "in another unit")
    for wrong, words in [("x [m] = max(speed)", "this is a speed [m/s]"), ("x = max(part[3])", "unknown name `part`"), ("x = max(agle)", "unknown name `agle`")]:
        rows, done = sweep(PENDULUM, wrong)
        check(done.returncode == 2 and words in done.stderr, f"{wrong}: {done.returncode} {done.stderr}")
    with open(os.path.join(FOLDER, "stated.ham"), "w", encoding="utf-8") as f:
        f.write(PENDULUM + "collect top = max(angle), v = final(speed), w = final(speed*2)\n")
    told = hamel("describe", "stated.ham").stdout
    for line in ["top = max(180*th/pi) [deg]", "v = final(18*l*th'/5) [km/h]", "w = final(2*l*th') [m/s]"]:
        check(line in told, f"describe says {line}: {told}")


def multipliers_have_the_names_of_their_constraints():
    # A sleigh by Newton: the blade keeps y' cos(th) - x' sin(th) = a th', so that v' = a w^2, w' = -m a v w/(J + m a^2), and J w' = -a lambda
    text = """system sleigh
param m = 1 [kg], J = 2 [kg*m^2], a = 0.5 [m]
coord x [m], y [m], th [rad]
kinetic m/2*(x'^2 + y'^2) + J/2*th'^2
constraint blade: y'*cos(th) - x'*sin(th) - a*th' = 0
quasi v = x'*cos(th) + y'*sin(th)
quasi w = th'
initial x' = 1, th' = 0.3
observe side [kg*m/s^2] = lambda[blade]
simulate t = 0 .. 2, tol = 1e-12
sweep J = 1 .. 2 count 2
"""
    pushes = "reaction = final(lambda[blade]), plain = final(lambda), most = max(lambda[blade]^2), seen = final(side), twice = final(2*side - lambda[blade])"
    for method in ["taylor", "dop853"]:
        rows, done = sweep(text, f"speed = final(v), turning = final(w), {pushes}", "--method", method)
        check(done.returncode == 0 and len(rows) == 2, done.stderr)
        for row in rows:
            J, v, w = (float(row[name]) for name in ["J", "speed", "turning"])
            push = J * 0.5 * v * w / (J + 0.25) / 0.5
            for name in ["reaction", "plain", "seen", "twice"]:
                near(row[name], push, f"{method}: {name} of the blade")
            check(float(row["most"]) >= push ** 2 - 1e-12, "its greatest square")
    rows, done = sweep(text, "x = final(lambda[blde])")
    check(done.returncode == 2 and "no constraint is called `blde`" in done.stderr, f"{done.returncode} {done.stderr}")


def what_no_motion_gives():
    for words in ["final(th''')", "max(th''')", "final(energy'')", "mean(height''')"]:
        rows, done = sweep(PENDULUM, f"x = {words}")
        check(done.returncode == 2 and "`th'''` has no value" in done.stderr, f"{words}: {done.returncode} {done.stdout} {done.stderr}")
    rows, done = sweep(PENDULUM, "x = max(th'')")
    check(done.returncode == 0, done.stderr)
    near(rows[1]["x"], 9 / 0.5 * numpy.sin(1), "accelerations are given")
    rows, done = sweep(PENDULUM.replace("coord", "param p\ncoord"), "x = final(p)")
    check(done.returncode == 2 and "`p` has no value" in done.stderr, f"a parameter without value: {done.stderr}")


def data_that_is_collected_alone():
    t, w = numpy.arange(6.0), [0, 3, -1, 4, 2, 0]
    with open(os.path.join(FOLDER, "w.csv"), "w", encoding="utf-8") as f:
        f.write("t,w\n" + "".join(f"{a:g},{b:g}\n" for a, b in zip(t, w)))
    text = """system s
coord x
param m = 1
given w from "w.csv" column w
given v from "w.csv" column w linear
kinetic m*x'^2/2
potential x^2/2
initial x = 1
simulate t = 0 .. 4
sweep m = 1 .. 2 count 2
"""
    curve, places = CubicSpline(t, w), numpy.linspace(0, 4, 400001)
    for kinds in ["final", "max", "mean", "final,max,min,mean"]:  # each alone finds its pieces
        rows, done = sweep(text, ", ".join(f"{k}{f} = {k}({f})" for k in kinds.split(",") for f in "wv"))
        check(done.returncode == 0 and len(rows) == 2, done.stderr)
        wanted = {"finalw": 2, "finalv": 2, "maxw": curve(places).max(), "maxv": 4, "minw": curve(places).min(), "minv": -1,
                  "meanw": curve.integrate(0, 4) / 4, "meanv": 1.75}
        for row in rows:
            for name in row.keys() - {"m", "ended"}:
                near(row[name], wanted[name], f"{kinds}: {name}")
    rows, done = sweep(text, "x = final(w)", "--until", "6")
    check(done.returncode == 1 and "the data of `w`" in done.stderr, f"beyond its data: {done.returncode} {done.stderr}")


def extremes_where_a_look_is():
    # One step of a series takes the free particle from 0 to 10, with looks at 2.5, 5, 7.5 and 10
    text = "system s\ncoord x\nparam c = 5\nkinetic x'^2/2\ninitial x = 0, x' = 1\nsimulate t = 0 .. 10\nsweep c in {2.5, 5, 7.5, 6}\n"
    for method in ["taylor", "dop853", "tsit5"]:
        rows, done = sweep(text, "low = min((x - c)^2), top = max(-(x - c)^2), kink = min(abs(x - c))", "--method", method)
        check(done.returncode == 0, done.stderr)
        for row in rows:
            near(row["low"], 0, f"{method}: the least, c = {row['c']}"), near(row["top"], 0, f"{method}: the most, c = {row['c']}")
            near(row["kink"], 0, f"{method}: at a kink, c = {row['c']}", 1e-6)


def events_at_one_instant():
    # x = x' t passes 1 at t = 1/x'. The first event that stops is where the run ends; whatever else happens there is noted, what comes later is not.
    text = """system s
coord x
kinetic x'^2/2
initial x = 0, x' = 1
event seen: 1 - x
event ends: x - 1 stop
event other: 1 - x stop
event double: 2*x - 2 up
event down: x - 1 down
event later: x - 1.0625
simulate t = 0 .. 4
"""
    collect = "a = first(ends), b = first(other), c = count(seen), d = first(double), e = count(down), f = count(later), x = final(x), top = max(x)"
    for method in ["taylor", "dop853", "tsit5"]:
        for count in [5, 4097]:  # one by one, and in lanes
            rows, done = sweep(text, collect, "--method", method, "--vary", f"x' = 0.25 .. 1.25 count {count}")
            check(done.returncode == 0 and len(rows) == count, done.stderr)
            for row in rows[1:]:
                speed = float(row["x'"])
                what = f"{method}, {count} runs, x' = {speed}"
                check([row[k] for k in ("c", "e", "f", "ended")] == ["1", "0", "0", "ends"], f"{what}: {row}")
                for k in "abd":
                    near(row[k], 1 / speed, f"{what}: {k}")
                near(row["x"], 1, what), near(row["top"], 1, what)


def what_is_read_is_not_overwritten():
    start = "system s\ncoord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
    data = "t,x\n0,1\n1,3\n2,4\n30,5\n"
    cases = [  # in the folder: the model, its data; the options; the output
        ("a.csv", start + "sweep x in {1, 2}\n", [], "a.csv"),
        ("a.ham", start + 'sweep x from "d.csv"\n', [], "d.csv"),
        ("a.ham", start, ["--vary", 'x from "d.csv"'], "d.csv"),
        ("a.ham", start + 'given w from "d.csv" column x\nsweep x in {1, 2}\n', [], "./d.csv"),
    ]
    for name, text, options, output in cases:
        folder = tempfile.mkdtemp(dir=FOLDER)
        written = {name: text, "d.csv": data}
        for file, content in written.items():
            with open(os.path.join(folder, file), "w", encoding="utf-8") as f:
                f.write(content)
        done = subprocess.run([HAMEL, "sweep", name, "--collect", "e = final(x)", *options, "-o", output], capture_output=True, text=True, cwd=folder)
        check(done.returncode == 1 and "is not overwritten" in done.stderr, f"{name} {options} -o {output}: {done.returncode} {done.stderr}")
        for file, content in written.items():
            with open(os.path.join(folder, file), encoding="utf-8") as f:
                check(f.read() == content, f"{file} is as it was")
        check(sorted(os.listdir(folder)) == sorted(written), f"nothing else is there: {os.listdir(folder)}")


def projected_runs_are_of_another_sweep():
    words = ["sweep", "pendulum", "--vary", "l = 1 .. 2 count 1000000", "--collect", "e = final(x)", "-o", "rows.csv"]
    journal = os.path.join(FOLDER, "rows.csv.journal")
    with subprocess.Popen([HAMEL, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=FOLDER) as running:
        while running.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) > 100000):
            time.sleep(0.01)
        running.kill()
    done = hamel(*words, "--resume", "--project", "--limit", "time=1")
    check(done.returncode == 5 and "its project is `no`, and here it is `yes`" in done.stderr, f"{done.returncode} {done.stderr}")


names()
multipliers_have_the_names_of_their_constraints()
what_no_motion_gives()
data_that_is_collected_alone()
extremes_where_a_look_is()
events_at_one_instant()
what_is_read_is_not_overwritten()
projected_runs_are_of_another_sweep()
finish()
