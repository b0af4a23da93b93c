#!/usr/bin/env python3
"""`hamel film`: as many pictures as the times say, of the size asked for, and the ball is where the motion says, by the pixels; in PNG files, in what ffmpeg
made of them, from above and through the perspective. What is interrupted or refused leaves nothing behind."""
import json
import math
import os
import pathlib
import signal
import struct
import subprocess
import tempfile
import time
import zlib

from _checks import check, finish
from commands import HAMEL

# a free point: x = -1 + t, y = 0.5 t - 0.25; its scene reaches 0.1 farther
FLAT = """system ball "A ball & its <way>"
coord x, y
kinetic x'^2/2 + y'^2/2
initial x = -1, y = -0.25, x' = 1, y' = 0.5
simulate t = 0 .. 2
draw sphere (x, y, 0), 0.1
"""
TALL = """coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
initial y = -1, z = -1, y' = 1, z' = 1
simulate t = 0 .. 2
draw sphere (x, y, z), 0.1
draw line (0, -1, -1), (0, 1, 1)
"""


def hamel(folder, *words, **more):
    return subprocess.run([HAMEL, *words], cwd=folder, capture_output=True, text=True, timeout=300, **more)


def png(path):
    """Width, height and rows of (r, g, b) of an RGB picture; the filters of PNG undone."""
    data, at, body = path.read_bytes(), 8, b""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert (depth, colours) == (8, 2)
        body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    body, rows, before = zlib.decompress(body), [], bytearray(3 * width)
    for y in range(height):
        how, row = body[y * (3 * width + 1)], bytearray(body[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for i in range(3 * width):
            left, up, corner = (row[i - 3] if i > 2 else 0), before[i], (before[i - 3] if i > 2 else 0)
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[how]) & 255
        rows.append([tuple(row[i:i + 3]) for i in range(0, 3 * width, 3)])
        before = row
    return width, height, rows


def centre(rows, blue=lambda r, g, b: b > r + 60 and b > 150):
    """Centre and area of what is blue: the ball."""
    found = [(x + 0.5, y + 0.5) for y, row in enumerate(rows) for x, dot in enumerate(row) if blue(*dot)]
    return (sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found), len(found)) if found else (math.nan, math.nan, 0)


def expected(t, width, height):
    """From above: the picture shows the box around the motion, with a margin of 12 %."""
    x, y = -1 + t, 0.5 * t - 0.25
    scale = height / 2 / (1.12 * max(0.6, 1.1 * height / width))
    return width / 2 + scale * x, height / 2 - scale * (y - 0.25), math.pi * (0.1 * scale) ** 2


def pictures(folder):
    done = hamel(folder, "film", "flat.ham", "-o", "p-%03d.png", "--fps", "4", "--size", "320x180")
    check(done.returncode == 0 and done.stdout == "p-%03d.png: 9 pictures of 320 x 180, 2.25 s\n", "nine pictures: " + done.stderr)
    names = sorted(folder.glob("p-*.png"))
    check([name.name for name in names] == [f"p-{i:03}.png" for i in range(1, 10)], "their names")
    for i, name in enumerate(names):
        width, height, rows = png(name)
        x, y, area = centre(rows)
        right_x, right_y, right_area = expected(i / 4, 320, 180)
        check((width, height) == (320, 180) and abs(x - right_x) < 0.6 and abs(y - right_y) < 0.6 and abs(area / right_area - 1) < 0.15,
              f"the ball of picture {i}: {x:.2f}, {y:.2f}, {area}; not {right_x:.2f}, {right_y:.2f}, {right_area:.0f}")
    words = [dot for row in rows[:30] for dot in row if max(dot) < 100]
    check(len(words) > 30, "a title")
    done = hamel(folder, "film", "flat.ham", "-o", "q%d.png", "--from", "0.5", "--until", "1.5", "--fps", "2", "--speed", "0.5", "--json", "--size", "321x181")
    said = json.loads(done.stdout)
    check(said["pictures"] == 5 and (said["from"], said["until"]) == (0.5, 1.5) and len(list(folder.glob("q*.png"))) == 5, f"a part of it, slowly: {said}")
    x, y, _ = centre(png(folder / "q3.png")[2])
    check(abs(x - expected_to(1, 1.5, 321, 181)[0]) < 0.6, f"the third picture is at t = 1: {x}")


def perspective(folder):
    """Along the x axis y is to the right and z is up; from above on, y is still to the right."""
    for view, sign in (("0", 1), ("180", -1)):
        hamel(folder, "film", "tall.ham", "-o", "v%d.png", "--fps", "1", "--azimuth", view, "--elevation", "0", "--size", "200x200")
        spots = [centre(png(folder / f"v{i}.png")[2]) for i in (1, 2, 3)]
        check(sign * (spots[1][0] - spots[0][0]) > 20 and sign * (spots[2][0] - spots[1][0]) > 20, f"from {view} degrees: {spots}")
        check(spots[0][1] > spots[1][1] + 20 > spots[2][1] + 40 and abs(spots[1][0] - 100) < 1.5 and abs(spots[1][1] - 100) < 1.5, f"up, through the middle: {spots}")
    hamel(folder, "film", "tall.ham", "-o", "w%d.png", "--fps", "1", "--size", "200x200")
    near, far = centre(png(folder / "w1.png")[2]), centre(png(folder / "w3.png")[2])
    check(near[2] > far[2] > 0, f"what is nearer is larger: {near} {far}")


def encoded(folder):
    for name, rate in (("a.mp4", 30), ("a.gif", 20)):
        done = hamel(folder, "film", "flat.ham", "-o", name, "--size", "320x180", "--until", "1")
        check(done.returncode == 0, name + ": " + done.stderr)
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=width,height,nb_read_frames,r_frame_rate", "-of", "json", name],
                               cwd=folder, capture_output=True, text=True)
        stream = json.loads(probe.stdout)["streams"][0]
        check((stream["width"], stream["height"], int(stream["nb_read_frames"]), stream["r_frame_rate"]) == (320, 180, rate + 1, f"{rate}/1"), f"{name}: {stream}")
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", name, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], cwd=folder, capture_output=True).stdout
        size = 3 * 320 * 180
        for i in (0, rate // 2, rate):
            dots = raw[i * size:(i + 1) * size]
            rows = [[tuple(dots[3 * (y * 320 + x):3 * (y * 320 + x) + 3]) for x in range(320)] for y in range(180)]
            x, y, _ = centre(rows, lambda r, g, b: b > r + 40)
            check(abs(x - expected_to(i / rate, 1)[0]) < 2 and abs(y - expected_to(i / rate, 1)[1]) < 2, f"the ball of {name}, picture {i}: {x}, {y}, not {expected_to(i / rate, 1)}")
    done = hamel(folder, "film", "flat.ham", "-o", "odd.mp4", "--size", "101x75", "--until", "0.2")
    probe = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", "odd.mp4"], cwd=folder, capture_output=True, text=True)
    check(probe.stdout.strip() == "102,76" and "102 x 76" in done.stdout, f"odd sizes become even: {probe.stdout}{done.stdout}")
    one, other = folder / "a.mp4", folder / "b.mp4"
    hamel(folder, "film", "flat.ham", "-o", "b.mp4", "--size", "320x180", "--until", "1")
    check(one.read_bytes() == other.read_bytes(), "the same film, the same bytes")
    for strange in ("-x.mp4", "http:x.mp4", "a b.mp4"):
        done = hamel(folder, "film", "flat.ham", f"--output={strange}", "--size", "64x64", "--until", "0.1")
        check(done.returncode == 0 and (folder / strange).stat().st_size > 500, f"a file called {strange}: {done.stderr}")


def expected_to(t, until, width=320, height=180):
    """The same, of a run that ends earlier: x from -1 to until - 1."""
    reach_x, reach_y = until / 2 + 0.1, until / 4 + 0.1
    scale = height / 2 / (1.12 * max(reach_y, reach_x * height / width))
    return width / 2 + scale * (t - until / 2), height / 2 - scale * (0.5 * t - until / 4)


def refused(folder):
    before = set(folder.iterdir())
    for words, status, said in ((["-o", "x.avi"], 1, "does not say"), (["-o", "x.png"], 1, "%d"), (["-o", "%s%d.png"], 1, "%d"), (["-o", "%n.png"], 1, "%d"), (["-o", "%99999d.png"], 1, "%d"), (["-o", "no/x.mp4"], 5, "x.mp4"),
                               (["-o", "no/x%d.png"], 5, "no/x1.png"), (["-o", "x.mp4", "--from", "50"], 1, "--from"), (["-o", "x.mp4", "--speed", "1e-4"], 1, "100000"), (["-o", "x.mp4", "--trail", "-1"], 1, "trail"),
                               (["-o", "x.mp4", "--azimuth", "east"], 1, "number"), (["-o", "x.mp4", "--fps", "1e9"], 1, "1000"), (["-o", "x.mp4", "--size", "9999x9999"], 1, "")):
        done = hamel(folder, "film", "flat.ham", *words)
        check(done.returncode == status and said in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    done = hamel(folder, "film", "flat.ham", "-o", "x.mp4", env={**os.environ, "PATH": "/nowhere"})
    check(done.returncode == 5 and "ffmpeg" in done.stderr and "install" in done.stderr and "frames-%04d.png" in done.stderr, "without ffmpeg: " + done.stderr)
    fake = folder / "bin"
    fake.mkdir()
    (fake / "ffmpeg").write_text("#!/bin/sh\necho the disk of ffmpeg is full >&2; exit 1\n")
    (fake / "ffmpeg").chmod(0o755)
    done = hamel(folder, "film", "flat.ham", "-o", "x.mp4", env={**os.environ, "PATH": f"{fake}:/bin"})
    check(done.returncode == 5 and "the disk of ffmpeg is full" in done.stderr, "what ffmpeg says is told: " + done.stderr)
    for does in ("cat >/dev/null", "head -c 100 >/dev/null", "cat >/dev/null; echo film", "kill -9 $$"):
        (fake / "ffmpeg").write_text(f"#!/bin/sh\n{does}\n")
        done = hamel(folder, "film", "flat.ham", "-o", "x.mp4", env={**os.environ, "PATH": f"{fake}:/bin"})
        check(done.returncode == 5 and "cannot make `x.mp4`: ffmpeg" in done.stderr, f"one that does `{does}`: {done.returncode} {done.stderr}")
    check(set(folder.iterdir()) - before == {fake}, "nothing is left behind")


def interrupted(folder):
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        old = b"what was there"
        (folder / "kept.mp4").write_bytes(old)
        run = subprocess.Popen([HAMEL, "film", "flat.ham", "-o", "kept.mp4", "--speed", "0.002", "--until", "2"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(1)
        check(run.poll() is None, "the film is under way")
        os.kill(run.pid, sent)
        run.communicate(timeout=60)
        deadline = time.monotonic() + 30

        def left():
            return subprocess.run(["pgrep", "-s", str(run.pid)], capture_output=True, text=True).stdout

        while left() and time.monotonic() < deadline:
            time.sleep(0.1)
        check(run.returncode != 0 and not left(), f"signal {sent} ends it with its children: {left()}")
        check((folder / "kept.mp4").read_bytes() == old and not list(folder.glob("kept.mp4?*")), "the file that was there is still there, and no half one")


def models(folder):
    """One picture in the middle of models of every kind: contacts, discs, boxes, ellipsoids, arrows, curves, abstract coordinates."""
    for name in ("bouncing_ball", "newtons_cradle", "rolling_disc", "rattleback", "tumbling_box", "bicycle", "car_trailer_path", "henon_heiles", "snakeboard", "ball_in_bowl", "rimless_wheel", "coin_spins_down"):
        done = hamel(folder, "film", name, "-o", f"{name}%d.png", "--fps", "2", "--until", "1", "--size", "160x90")
        check(done.returncode == 0, f"{name}: {done.stderr}")
        rows = png(folder / f"{name}2.png")[2] if done.returncode == 0 else [[]]
        coloured = sum(max(dot) - min(dot) > 60 for row in rows for dot in row)
        check(coloured > 8, f"something is seen of {name}: {coloured}")


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        (folder / "flat.ham").write_text(FLAT), (folder / "tall.ham").write_text(TALL)
        pictures(folder), perspective(folder), encoded(folder), refused(folder), interrupted(folder), models(folder)
    finish()


main()
