"""Figures of sweeps from CSV files: what is drawn, read back from SVG and from characters. Files of either format are drawn as the sweep draws itself.

The other routes: NumPy's percentile for bands, medians of cells gathered by a dictionary for maps, shares counted by hand; colours by interpolation in
NumPy. Pictures are read by the paths of the SVG and the labels of its ticks alone.
"""
import collections
import csv
import os
import pathlib
import random
import re
import subprocess
import tempfile

import numpy as np

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.TemporaryDirectory()
RNG = random.Random(4)
VIRIDIS = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"]
NUMBER = r"-?\d+(?:\.\d+)?"


def write(name, head, rows):
    path = os.path.join(FOLDER.name, name)
    with open(path, "w") as out:
        out.write(head + "\n")
        for row in rows:
            out.write(",".join(x if isinstance(x, str) else repr(float(x)) for x in row) + "\n")
    return path


def run(*words, status=0):
    done = subprocess.run([HAMEL, "plot", *words], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    check(done.returncode == status, f"{words} ends with {status}: {done.returncode} {done.stderr}")
    return done.stdout if not status else done.stderr


def frame(svg):
    """(left, top, width, height) of the first panel, in pixels."""
    return [float(v) for v in re.search(rf'<clipPath id="frame0"><rect x="({NUMBER})" y="({NUMBER})" width="({NUMBER})" height="({NUMBER})"', svg).groups()]


def scale(svg, axis):
    """What a pixel is worth: a line through the labels of the ticks of the first panel."""
    end = rf' text-anchor="{"middle" if axis == "x" else "end"}">'
    left, top, width, height = frame(svg)
    found = []
    for x, y, words in re.findall(rf'<text x="({NUMBER})" y="({NUMBER})" font-size="12"{end}([^<]*)</text>', svg):
        try:
            value = float(words.replace("−", "-"))
        except ValueError:
            continue
        inside = top - 9 <= float(y) <= top + height + 20 and left - 60 <= float(x) <= left + width + 9
        if inside:
            found.append((float(x) if axis == "x" else float(y) - 0.35 * 12, value))
    slope, offset = np.polyfit(*zip(*found), 1)
    return lambda pixel: slope * pixel + offset


def points(path):
    return [(float(x), float(y)) for x, y in re.findall(rf"({NUMBER})[ ,]({NUMBER})", path)]


def bands_are_quantiles():
    places, runs = np.linspace(0.5, 3, 11), 41
    draws = [RNG.gauss(0, 1) for _ in range(runs)]
    rows, at = [], collections.defaultdict(list)
    for g in places:
        for d in draws:
            value = g * d + d * d if RNG.random() > 0.1 else float("nan")  # some runs have none
            rows.append((g, d, value, "fell" if d > g / 2 else "end"))
            if value == value:
                at[g].append(value)
    path = write("bands.csv", "g,x,top,ended", rows)
    svg = run(path, "top", "-o", "-")
    x, y = scale(svg, "x"), scale(svg, "y")
    found = [points(d) for d in re.findall(r'class="band"[^>]* d="([^"]*)"', svg)]
    check(len(found) == 2, "two bands")
    for band, (low, high) in zip(found, ((5, 95), (25, 75))):
        check(len(band) == 2 * len(places), "an edge above and one below")
        for (px, py), g, q in zip(band, [*places, *places[::-1]], [high] * len(places) + [low] * len(places)):
            want = np.percentile(at[g], q)
            check(abs(x(px) - g) < 0.01 and abs(y(py) - want) < 0.03, f"{q} % at {g}: {y(py)} for {want}")
    line = points(re.findall(r'<path stroke="#0072b2" d="([^"]*)"', svg)[0])
    for px, py in line:
        g = min(places, key=lambda p: abs(p - x(px)))
        check(abs(np.interp(x(px), places, [np.percentile(at[p], 50) for p in places]) - y(py)) < 0.04, f"the median at {g}")
    shares = run(path, "ended", "-o", "-")
    y = scale(shares, "y")
    line = points(re.findall(r'<path stroke="#0072b2" d="([^"]*)"', shares)[0])
    first = sum(r[3] == rows[0][3] for r in rows[:runs]) / runs
    check(abs(y(line[0][1]) - first) < 0.01, f"the share at the first place: {y(line[0][1])} for {first}")
    everything = run(path, "-o", "-")
    check(everything.count("<clipPath") == 2, "all that was collected and the ends, without what is drawn")


def colour(part):
    place = min(max(part, 0), 1) * 9
    channels = [[int(c[i:i + 2], 16) for c in VIRIDIS] for i in (0, 2, 4)]
    return np.array([np.interp(place, range(10), c) for c in channels])


def cells(svg):
    """{place in pixels: colour} of the middles of all rectangles of the first map, row by row."""
    found = []
    heat = re.search(r'<g class="heat".*?</g>', svg, re.S)[0]
    for fill, path in re.findall(r'fill="#([0-9a-f]{6})" d="([^"]*)"', heat):
        for x, y, right, bottom in re.findall(rf"M({NUMBER}) ({NUMBER})H({NUMBER})V({NUMBER})H{NUMBER}z", path):
            found.append((float(x), float(y), float(right), float(bottom), np.array([int(fill[i:i + 2], 16) for i in (0, 2, 4)])))
    return found


def at(found, x, y):
    return [c[4] for c in found if c[0] < x < c[2] and c[1] < y < c[3]]


def maps_have_the_colours_of_medians():
    a, b, runs = np.linspace(-2, 2, 9), np.array([1.0, 2, 4, 5]), 5
    rows, gathered, ends = [], collections.defaultdict(list), collections.defaultdict(list)
    for p in a:
        for q in b:
            for _ in range(runs):
                value, ended = p * q + RNG.gauss(0, 0.3), RNG.choice(["end", "end", "end", "low"])
                if p == a[0] and q == b[0]:
                    value = float("nan")
                rows.append((p, q, value, ended))
                gathered[p, q].append(value)
                ends[p, q].append(ended)
    path = write("map.csv", "p,q,peak,ended", rows)
    svg = run(path, "peak", "-o", "-")
    found, (left, top, width, height) = cells(svg), frame(svg)
    edge_a = np.array([a[0] - 0.25, *(a[1:] + a[:-1]) / 2, a[-1] + 0.25])
    edge_b = np.array([0.5, 1.5, 3, 4.5, 5.5])
    medians = {key: np.median(v) for key, v in gathered.items()}
    low, high = np.nanmin(list(medians.values())), np.nanmax(list(medians.values()))
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            px = left + width * ((edge_a[i] + edge_a[i + 1]) / 2 - edge_a[0]) / (edge_a[-1] - edge_a[0])
            py = top + height * (1 - ((edge_b[j] + edge_b[j + 1]) / 2 - edge_b[0]) / (edge_b[-1] - edge_b[0]))
            here, value = at(found, px, py), medians[p, q]
            want = np.array([0xd9] * 3) if np.isnan(value) else colour((value - low) / (high - low))
            check(len(here) == 1 and np.max(np.abs(here[0] - want)) < 9, f"the colour of {p}, {q}: {here} for {want}")
    svg = run(path, "ended", "-o", "-")
    found = cells(svg)
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            count = collections.Counter(ends[p, q]).most_common()
            if len(count) == 2 and count[0][1] == count[1][1]:
                continue
            px = left + width * ((edge_a[i] + edge_a[i + 1]) / 2 - edge_a[0]) / (edge_a[-1] - edge_a[0])
            l, t, w, h = frame(svg)
            px = l + w * ((edge_a[i] + edge_a[i + 1]) / 2 - edge_a[0]) / (edge_a[-1] - edge_a[0])
            py = t + h * (1 - ((edge_b[j] + edge_b[j + 1]) / 2 - edge_b[0]) / (edge_b[-1] - edge_b[0]))
            words = re.findall(r'fill="#([0-9a-f]{6})"/>\n<text[^>]*>([^<]*)</text>', svg)
            named = {w: np.array([int(c[k:k + 2], 16) for k in (0, 2, 4)]) for c, w in words}
            here = at(found, px, py)
            check(len(here) == 1 and np.array_equal(here[0], named[count[0][0]]), f"how runs end at {p}, {q}")
    across = run(path, "q:p:peak", "-o", "-")
    check("heat" in across, "the other way round")


def characters_tell_the_same():
    rows = [(x, y, x, "end" if y > 0 else "low, or so".split(",")[0]) for x in np.linspace(0, 1, 9) for y in np.linspace(-1, 1, 9)]
    path = write("signs.csv", "x,y,z,ended", rows)
    shown = run(path, "z")
    check("z over y against x" in shown and ".:-=+*#%@" in shown, "a heading and a key")
    inside = [line.split("│")[-1].split("┤")[-1] for line in shown.splitlines() if "│" in line or "┤" in line]
    order = " .:-=+*#%@"
    for line in inside:
        ranks = [order.index(c) for c in line]
        check(ranks == sorted(ranks) and ranks[0] == 1 and ranks[-1] == 9, f"darker to the right: {line!r}")
    shown = run(path, "ended")
    inside = [line.split("│")[-1].split("┤")[-1] for line in shown.splitlines() if "│" in line or "┤" in line]
    check(set(inside[0]) == {"a"} and set(inside[-1]) == {"b"} and "a end  b low" in shown, "letters for ends, the usual one first")


def requests_that_make_no_sense_are_told():
    path = write("plain.csv", "g,top,ended", [(g, g * g, "end") for g in range(5)])
    check("has no column `tip`" in run(path, "tip", status=1) and "did you mean `top`?" in run(path, "tip", status=1), "an unknown name")
    check("more than two values" in run(path, "g:g:g:top", status=1), "three axes")
    check("over how runs ended" in run(path, "ended:top", status=1), "over words")
    gone = write("gone.csv", "g,top,ended", [(g, float("nan"), "not finite") for g in range(5)])
    check("no run has a value" in run(gone, "top", status=5), "nothing but gaps")
    check("share of the runs" in run(gone, "ended", "-o", "-"), "ends are there all the same")
    one = write("one.csv", "g,top,ended", [(1, 2, "end")])
    run(one, "top", "-o", "-")
    broken = write("broken.csv", "g,top,ended", [(1, "x", "end")])
    check("expected a number in the column `top`" in run(broken, status=1), "words elsewhere")
    mixed = write("mixed.csv", "g,top,ended", [(g, g, "" if g == 3 else "7" if g in (0, 5) else "end") for g in range(8)])
    svg = run(mixed, "ended", "-o", "-")
    check(all(f">{words}</text>" in svg for words in ("end", "7", "not said")), "what is no word is told apart")
    same = write("same.csv", "p,q,c,ended", [(p, q, 3, "end") for p in range(4) for q in range(4)])
    run(same, "c", "-o", "-")
    wide = write("wide.csv", "p,q,c,ended", [(p, q, p * q, "end") for p in range(300) for q in range(4)])
    check(run(wide, "c", "-o", "-").count("z") > 4, "more places than cells")
    for axis in ("x", "y", "xy"):
        check("positive values only" in run(same, "c", "--log", axis, status=5), "a map that begins at 0 has no logarithm")
    huge = write("huge.csv", "p,q,c,ended", [(p, q, 1e308 if p > q else -1e308 if q == 4 else p + q, "end") for p in range(5) for q in range(5)])
    svg = run(huge, "c", "-o", "-")
    check("nan" not in svg and "inf" not in svg, "values whose range is no number are none")
    none = at(cells(svg), *[left + size * part for left, size, part in zip(frame(svg)[:2], frame(svg)[2:], (0.5, 0.9))])
    check(len(none) == 1 and np.array_equal(none[0], [0xd9] * 3), f"they are grey: {none}")
    powers = write("powers.csv", "p,q,c,ended", [(p, q, p * q, "end") for p in range(2, 9) for q in range(2, 9)])
    shown = run(powers, "c", "--log", "xy", "-o", "-")
    check(len(cells(shown)) > 8 and ">10<" in shown, "powers of ten around it")
    check("@" in run(powers, "c", "--log", "x"), "in characters too")
    many = write("many.csv", "p,c,ended", [(p, p, f"way{p}") for p in range(40)])
    run(many, "ended", "-o", "-")
    for ending in ("png", "pdf"):
        out = os.path.join(FOLDER.name, "x." + ending)
        run(same, "c", "-o", out)
        check(pathlib.Path(out).stat().st_size > 1000, ending)


SWING = """param l = 1 [m], g = 9.81 [m/s^2]
coord th [rad]
param m = 1 [kg]
kinetic m*l^2*th'^2/2
potential -m*g*l*cos(th)
initial th = 1
simulate t = 0 .. 3
event down: th down
event over: th - 3.14159 stop
collect quarter = first(down), fastest = max(abs(th')), over_up = final(sqrt(1.2 - th))
"""
SWEEPS = {
    "curve": ["--vary", "th = 0.5 .. 2.5 count 9"],
    "list": ["--vary", "g in {1, 2, 3, 5, 8, 13, 21, 34}"],
    "map": ["--vary", "th' = 2 .. 8 count 9", "--vary", "g = 1 .. 20 count 7"],
    "bands": ["--vary", "th = 0.5 .. 2.5 count 9", "--vary", "th' in normal(0, 3)", "--samples", "20"],
    "medians": ["--vary", "th = 0.5 .. 2.5 count 5", "--vary", "g = 1 .. 20 count 4", "--vary", "th' in normal(0, 3)", "--samples", "5"],
    "points": ["--vary", "th' in normal(0, 3)", "--samples", "50"],
}


def files_are_drawn_as_the_sweep_draws_itself():
    model = os.path.join(FOLDER.name, "swing.ham")
    pathlib.Path(model).write_text(SWING)

    def sweep(*words):
        done = subprocess.run([HAMEL, "sweep", model, *words], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
        check(done.returncode == 0, f"{words}: {done.stderr}")
        return done.stdout

    for name, varied in SWEEPS.items():
        h5, rows, svg = (os.path.join(FOLDER.name, f"{name}.{ending}") for ending in ("h5", "csv", "svg"))
        for panels in ([], ["fastest"], ["ended"], ["g:fastest" if "g" in "".join(varied).split("=")[0] else "quarter:fastest"]):
            sweep(*panels, *varied, "-o", h5, "--figure", svg)
            own = pathlib.Path(svg).read_text()
            check(run(h5, *panels, "-o", "-") == own, f"{name} {panels}: the figure of the .h5 file")
            in_characters = sweep(*panels, *varied, "-o", rows, "--plot")
            check(in_characters.endswith("\n" + run(h5, *panels)), f"{name} {panels}: the .h5 file in characters")
            without_units = re.sub(r" \[[^]]*\]</text>", "</text>", own)
            check(run(rows, *panels, "-o", "-") == without_units, f"{name} {panels}: the figure of the .csv file")
        check("has no column `slow`" in run(h5, "slow", status=1), "an unknown name")
    short = os.path.join(FOLDER.name, "short.h5")
    sweep("--vary", "th in {1}", "-o", short)
    run(short, "fastest")
    low = ["--vary", "th = 0 .. 0.1 count 5", "--until", "0.1"]  # nothing comes down in so short a time
    for path in (os.path.join(FOLDER.name, "low.csv"), os.path.join(FOLDER.name, "low.h5")):
        sweep(*low, "-o", path)
        check(run(path, "-o", "-").count("<clipPath") == 2, "what no run has a value of is left out")
        check("nothing to plot of `quarter`" in run(path, "quarter", status=5), "unless it is asked for")
        sweep(*low, "--collect", "quarter = first(down)", "-o", path)
        check("share of the runs" in run(path, "-o", "-"), "how runs ended is there always")
    check("`quarter` is left out" in subprocess.run([HAMEL, "plot", path], capture_output=True, text=True).stderr, "it is said")


INDEXED = """coord q[1..2,1..2]
kinetic q[1,1]'^2/2 + q[1,2]'^2/2 + q[2,1]'^2/2 + q[2,2]'^2/2
event far[1,2]: q[1,1] - 2 stop
event far[2,1]: q[1,1] + 2 down stop
initial q[1,1] = 0, q[1,1]' = 0, q[1,2] = 0, q[1,2]' = 0, q[2,1] = 0, q[2,1]' = 0, q[2,2] = 0, q[2,2]' = 0
simulate t = 0 .. 2.9
"""


def names_with_commas_are_quoted():
    model = os.path.join(FOLDER.name, "indexed.ham")
    pathlib.Path(model).write_text(INDEXED)
    varied = ["--vary", "q[1,1] = -1 .. 1 count 3", "--vary", "q[1,1]' = -2 .. 2 count 5"]
    rows, cells_of_it = os.path.join(FOLDER.name, "indexed.csv"), os.path.join(FOLDER.name, "cells.csv")
    done = subprocess.run([HAMEL, "sweep", model, *varied, "--collect", "q[1,2] = final(q[1,1])", "-o", rows], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    with open(rows, newline="") as f:
        head, *table = csv.reader(f)
    check(head == ["q[1,1]", "q[1,1]'", "q[1,2]", "ended"], f"{head}")
    for x, v, _, ended in table:
        end = float(x) + 2.9 * float(v)
        check(ended == ("far[1,2]" if end >= 2 else "far[2,1]" if end <= -2 else "end"), f"{x}, {v}: {ended}")
    svg = run(rows, "ended", "-o", "-")
    check(all(f">{words}</text>" in svg for words in ("end", "far[1,2]", "far[2,1]")), "the ends by their names")
    run(rows, "\"q[1,1]\":\"q[1,2]\"", "-o", "-")
    done = subprocess.run([HAMEL, "basin", model, "--vary", "q[1,1] = -1 .. 1", "--vary", "q[1,1]' = -2 .. 2", "--cells", "8", "--depth", "1", "-o", cells_of_it],
                          capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    with open(cells_of_it, newline="") as f:
        head, *table = csv.reader(f)
    check(head == ["q[1,1] from", "q[1,1] to", "q[1,1]' from", "q[1,1]' to", "class"], f"{head}")
    check({row[4] for row in table} == {"end", "far[1,2]", "far[2,1]", "boundary"} and all(len(row) == 5 for row in table), "five cells in each line")


def main():
    files_are_drawn_as_the_sweep_draws_itself()
    names_with_commas_are_quoted()
    bands_are_quantiles()
    maps_have_the_colours_of_medians()
    characters_tell_the_same()
    requests_that_make_no_sense_are_told()
    finish()


main()
