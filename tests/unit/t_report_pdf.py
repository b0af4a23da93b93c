#!/usr/bin/env python3
"""`report -o FILE.pdf`: a whole PDF with the words of the page in it, by chromium; by weasyprint where that alone is there; where neither is, status 5 and
what to install. Nothing is left behind, and a file that was there stays where it fails."""
import os
import pathlib
import subprocess
import tempfile

from _checks import check, finish
from commands import HAMEL


def report(folder, path, *words):
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    done = subprocess.run([HAMEL, "report", "pendulum", "--form", "maggi", "--until", "1", *words], cwd=folder, capture_output=True, text=True, timeout=300, env={**os.environ, "PATH": path, "TMPDIR": str(scratch)})
    check(not list(scratch.iterdir()), f"{words}: nothing is left in the folder for temporary files")
    return done


def program(folder, name, script):
    place = folder / ("bin-" + name)
    place.mkdir(exist_ok=True)
    (place / name).write_text("#!/bin/sh\n" + script)
    (place / name).chmod(0o755)
    return str(place)


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        there = folder / "there.pdf"
        there.write_bytes(b"what was there")
        done = report(folder, "/nowhere", "-o", "there.pdf")
        check(done.returncode == 5 and "chromium" in done.stderr and "weasyprint" in done.stderr and there.read_bytes() == b"what was there", "without a program: " + done.stderr)
        for script in ("exit 1\n", "exit 0\n", "for a; do case $a in --print-to-pdf=*) echo '%PDF-1.4 cut' > ${a#*=};; esac; done\n"):
            done = report(folder, program(folder, "chromium", script) + ":/usr/bin:/bin", "-o", "there.pdf")
            check(done.returncode == 5 and "made no PDF" in done.stderr and there.read_bytes() == b"what was there", f"a browser that fails: {script!r} {done.stderr}")
        done = report(folder, program(folder, "weasyprint", "[ -s \"$1\" ] && printf '%%PDF-1.4 a page, by weasyprint %%%%EOF\\n' > \"$2\"\n") , "-o", "w.pdf")
        tried = (folder / "w.pdf").read_bytes() if (folder / "w.pdf").exists() else b""
        check(b"by weasyprint" in tried and done.returncode == 0, "weasyprint takes the page: " + done.stderr)
        done = report(folder, os.environ["PATH"], "-o", "page.pdf")
        page = folder / "page.pdf"
        check(done.returncode == 0 and done.stdout == "page.pdf\n" and page.exists(), "chromium prints: " + done.stderr)
        if page.exists():
            data = page.read_bytes()
            check(data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF") and len(data) > 50000 and data.count(b"/Type /Page\n") >= 3, f"a PDF of several pages: {len(data)}, {data.count(b'/Type /Page')}")
        check(report(folder, os.environ["PATH"], "-o", "page.docx").returncode == 1, "other formats are refused")
    finish()


main()
