#!/usr/bin/python3
"""Figures of `hamel plot`: well-formed for every library model, the same bytes each time, of the size they should have; drawings on a terminal."""
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = """</title><script>alert("1")</script> & 'x'"""


def plot(*arguments):
    return subprocess.run([HAMEL, "plot", *arguments], capture_output=True)


def svg_of(*arguments):
    return ElementTree.fromstring(plot(*arguments, "-o", "-").stdout)


def words(element):
    return ["".join(text.itertext()) for text in element.iter(SVG + "text")]


def path_numbers(element):
    return [float(number) for path in element.iter(SVG + "path") for number in re.findall(r"-?[\d.]+", path.get("d"))]


def check_library():
    names = [line.split()[0] for line in subprocess.run([HAMEL, "models"], capture_output=True, text=True).stdout.splitlines()]
    drawn = abstract = 0
    for name in names:
        done = plot(name, "--until", "0.5", "--exec", "interpreted", "-o", "-")
        if done.returncode == 2 and b"is abstract and has no values" in done.stderr:
            abstract += 1
            continue
        check(done.returncode in (0, 5), f"the plot of {name} ends with status 0 or 5, not {done.returncode}: {done.stderr.decode()}")
        try:
            root = ElementTree.fromstring(done.stdout)
        except ElementTree.ParseError as error:
            check(False, f"the figure of {name} is well-formed: {error}")
            continue
        drawn += 1
        check(len(words(root)) >= 5, f"the figure of {name} has its numbers and names as text")
        size = max(float(root.get("width")), float(root.get("height")))
        check(all(-size <= number <= size for number in path_numbers(root)), f"the figure of {name} lies on its page")
    check(drawn >= 60 and abstract <= 6, f"all models of the library but six about arbitrary functions can be drawn: not {abstract}, and {drawn} are")


def check_words():
    root = svg_of("sleigh", "x:y", "theta:theta'", "--title", HOSTILE)
    check(root.find(SVG + "title").text == HOSTILE, "a title is escaped")
    check(HOSTILE in words(root), "a title is shown as it is")
    check(not list(root.iter(SVG + "script")), "a title makes no elements")
    check({"x", "y", "\u03b8", "\u03b8\u02d9"} <= set(words(root)), "axes have their names as text")


def check_logarithms():
    root = svg_of("sleigh", "error(energy)", "--every", "0.5")
    check(any(re.fullmatch("10\u2212\\d+", word) for word in words(root)), "an error is drawn on a logarithmic axis, also where it is 0")
    done = plot("sleigh", "error(t):energy", "--log", "xy", "-o", "-")
    ElementTree.fromstring(done.stdout)
    done = plot("rs_1_2_horizontal", "error(phi'),error(energy)", "--until", "1", "--at", "x = 0, y = 0, x' = 0, phi' = 0, phi = 0", "-o", "-")
    check(done.returncode == 5 and b"nothing to plot" in done.stderr, f"errors that are all 0 cannot be drawn: {done.stderr.decode()}")


def check_files(folder):
    arguments = ["sleigh", "x:y", "energy", "--title", "Sleigh", "--size", "600x300"]
    for ending in ("svg", "png", "pdf"):
        files = [folder / f"{n}.{ending}" for n in (1, 2)]
        for file in files:
            done = plot(*arguments, "-o", str(file))
            check(done.returncode == 0 and not done.stdout, f"an {ending} is written without words: {done.stderr.decode()}")
        check(files[0].read_bytes() == files[1].read_bytes(), f"an {ending} has the same bytes each time")
    root = ElementTree.parse(folder / "1.svg").getroot()
    check((root.get("width"), root.get("height")) == ("600", "300"), "an svg has the size asked for")
    png = (folder / "1.png").read_bytes()
    check(png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (1800, 900), "a png has three dots a pixel")
    pdf = (folder / "1.pdf").read_bytes()
    check(pdf[:5] == b"%PDF-" and pdf.rstrip().endswith(b"%%EOF"), "a pdf is whole")
    check(re.search(rb"/MediaBox \[ 0 0 450 225 \]", pdf) is not None, "a pdf has the size asked for, in points")
    check(b"/Font" in pdf, "a pdf has text as text")


def check_size_of_noise():
    size = len(plot("double_pendulum", "theta2'", "--until", "200", "--every", "0.002", "-o", "-").stdout)
    check(size < 120_000, f"a figure of 100 001 rows stays small, not {size} bytes")


def on_terminal(*arguments, **environment):
    """What a command writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([HAMEL, *arguments], stdout=slave, stderr=subprocess.DEVNULL, env=dict(os.environ, LC_ALL="C.UTF-8", **environment))
    os.close(slave)
    seen = b""
    while True:
        try:
            more = os.read(master, 4096)
        except OSError:
            break
        if not more:
            break
        seen += more
    process.wait()
    os.close(master)
    return seen.decode()


def check_terminal():
    drawn = on_terminal("simulate", "double_pendulum", "--plot", COLUMNS="60")
    check("\033[34m" in drawn and "\033[31m" in drawn, "two curves have two colours on a terminal")
    lines = [re.sub(r"\033\[\d*m", "", line) for line in drawn.split("\r\n")]
    plain = [line for line in lines if any("\u2800" <= c <= "\u28ff" for c in line)]
    check(len(plain) >= 10 and max(map(len, plain)) == 60, "a drawing is as wide as COLUMNS says")
    check("\033" not in on_terminal("simulate", "double_pendulum", "--plot", NO_COLOR="1"), "NO_COLOR leaves colours out")
    piped = subprocess.run([HAMEL, "simulate", "double_pendulum", "--plot"], capture_output=True, env=dict(os.environ, LC_ALL="C.UTF-8"))
    check(b"\033" not in piped.stdout and "\u2502" in piped.stdout.decode(), "without a terminal a drawing has no colours")


def check_rows_kept(folder):
    bare, drawn = folder / "bare.csv", folder / "drawn.csv"
    subprocess.run([HAMEL, "simulate", "sleigh", "-o", str(bare)], capture_output=True)
    done = subprocess.run([HAMEL, "simulate", "sleigh", "--plot", "-o", str(drawn)], capture_output=True)
    check(bare.read_bytes() == drawn.read_bytes(), "--plot changes nothing in the rows")
    check(b"y against x" in done.stdout, "rows go to a file and are drawn")


with tempfile.TemporaryDirectory() as scratch:
    check_library()
    check_words()
    check_logarithms()
    check_files(pathlib.Path(scratch))
    check_size_of_noise()
    check_terminal()
    check_rows_kept(pathlib.Path(scratch))
finish()
