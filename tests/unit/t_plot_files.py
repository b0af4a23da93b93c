#!/usr/bin/python3
"""`hamel plot FILE`: rows of a file make the figure that the run they come from makes; signs, names and labels of what is drawn."""
import os
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
SVG = "{http://www.w3.org/2000/svg}"
EVERY = "0.05"  # as the sleigh's `simulate` says


def plot(*arguments):
    return subprocess.run([HAMEL, "plot", *map(str, arguments)], capture_output=True)


def svg_of(*arguments):
    return ElementTree.fromstring(plot(*arguments, "-o", "-").stdout)


def words(element):
    return ["".join(text.itertext()) for text in element.iter(SVG + "text")]


def check_round_trip(folder):
    """Panels that a file and its run must draw alike: equal scales, stacked times, errors, names in brackets."""
    panels = (["x:y"], ["theta:theta'"], ["speed,v"], ["error(x)"], ["x", "lambda[blade]"], ["x:y", "energy", "theta:error(theta)", "x,y"])
    for ending in ("csv", "h5"):
        file = folder / f"sleigh.{ending}"
        subprocess.run([HAMEL, "simulate", "sleigh", "--every", EVERY, "-o", str(file)], check=True, capture_output=True)
        for asked in panels:
            of_run = plot("sleigh", *asked, "--every", EVERY, "-o", "-")
            of_file = plot(file, *asked, "-o", "-")
            check(of_run.returncode == 0 and of_run.stdout == of_file.stdout, f"{asked} of a .{ending} file is that of its run: {of_file.stderr.decode()}")


def check_events(folder):
    file = folder / "swing.h5"
    model = folder / "swing.ham"
    model.write_text("system swing\ncoord phi\nkinetic phi'^2/2\npotential -cos(phi)\ninitial phi = 1\nevent lowest: phi\nsimulate t = 0 .. 9, output = 1/10\n")
    subprocess.run([HAMEL, "simulate", str(model), "-o", str(file)], check=True, capture_output=True)
    asked = ("phi", "phi:phi'", "--events", "-o", "-")
    of_run, of_file = plot(model, *asked, "--every", "0.1"), plot(file, *asked)
    check(b"lowest" in of_run.stdout and of_run.stdout == of_file.stdout, f"events of an .h5 file are those of its run: {of_file.stderr.decode()}")


def check_usual_panel(folder):
    file = folder / "three.csv"
    file.write_text("when,up,\"down,far\"\n0,1,2\n1,2,1\n2,4,0\n")
    root = svg_of(file)
    check({"up", "downfar", "when"} <= set(words(root)), "all columns are drawn against the first, what is behind the letters as an index")
    check(plot(file, '"down,far"', "up", "-o", "-").returncode == 0, "a name with a comma is quoted")
    check(plot(file, "up,down,far").returncode == 1, "and without quotes it is not found")


def check_gaps(folder):
    file = folder / "gaps.csv"
    file.write_text("a,b\n0,1\n1,2\n2,\n3,3\n4,nan\n5,1\n6,1\n")
    curves = [path.get("d") for path in svg_of(file).iter(SVG + "path") if path.get("stroke") == "#0072b2"]
    check([curve.count("M") for curve in curves] == [3], f"two gaps make three pieces: {curves}")


def check_pairs(folder):
    file = folder / "pairs.csv"
    file.write_text("a_error,a_work,b_error,b_work\n1e-1,10,1e-2,30\n1e-3,100,1e-5,90\n1e-6,1000,,\n")
    root = svg_of(file, "a_error:a_work=first one,b_error:b_work=B", "--log", "xy", "--marks", "--xlabel", "error <end>", "--ylabel", "work")
    seen = words(root)
    check({"error <end>", "work", "first one", "B"} <= set(seen), f"axes and curves are called as asked: {seen}")
    check(not any("work" in word and word != "work" for word in seen), "and not by their columns")
    signs = [path.get("d") for path in root.iter(SVG + "path") if path.get("fill", "none") != "none"]
    check([sign.count("M") for sign in signs] == [3, 2, 1, 1], f"each point has a sign, and each entry of the legend: {signs}")
    shapes = [re.sub(r"^M[-\d. ]+", "", sign.split("z")[0]) for sign in signs]
    check(shapes[0] != shapes[1] and shapes[:2] == shapes[2:], f"two curves have two signs, in the legend too: {shapes}")


def check_refusals(folder):
    file = folder / "run.csv"
    file.write_text("t,x\n0,1\n1,2\n")
    for option in ("--form maggi", "--method taylor", "--at x=1", "--exec interpreted", "--until 2", "--tol 1e-6", "--every 1", "--step 1", "--project", "--set m=1"):
        done = plot(file, *option.split())
        check(done.returncode == 1 and option.split()[0].encode() + b" is for a run" in done.stderr, f"{option} is refused: {done.stderr.decode()}")
    broken = folder / "broken.h5"
    broken.write_bytes(b"\x89HDF\r\n\x1a\n no more")
    check(plot(broken).returncode == 1, "what is no HDF5 is refused")
    other = folder / "absent.csv"
    check(plot(other).returncode == 2, "a file that is not there is looked for as a model")


with tempfile.TemporaryDirectory() as scratch:
    for part in (check_round_trip, check_events, check_usual_panel, check_gaps, check_pairs, check_refusals):
        part(pathlib.Path(scratch))
finish()
