#!/usr/bin/env python3
"""The man page, as groff sets it, says of every command and option what `hamel COMMAND --help` says; so does `hamel help --json`.
Every example of the help ends in status 0."""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time

from _checks import check, finish
from commands import HAMEL, commands, entries, names, options, section, told

WIDE = 2000  # columns: no line of the page is broken


def page():
    """The page as text, and what groff has to say about it."""
    done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", f"-rLL={WIDE}n"], input=told("manual"), capture_output=True,
                          text=True)
    return done.stdout, done.stderr


def plain(words):
    """Without what is bold on the page and quoted in the help, in single spaces."""
    return " ".join(words.replace("`", "").split())


def section_of(text, command):
    found = re.search(rf"^   hamel {command}\n(.*?)(?=^   hamel |^[A-Z])", text, re.M | re.S)
    return found[1] if found else ""


def page_options(text):
    """{"--form ID": help} of one section of the page"""
    found = {}
    lines = text.splitlines()
    for i, line in enumerate(lines):
        option = re.match(r"       ((?:-[a-z], )?--[a-z-]+)(?: (.*))?$", line)
        if not option:
            continue
        words, rest = option[1], (option[2] or "")
        if rest.startswith(" ") or (rest and i + 1 < len(lines) and not lines[i + 1].startswith("              ")):
            found[words] = rest.strip()  # a short name, its help in the same line
        else:
            found[f"{words} {rest}".strip()] = lines[i + 1].strip()
    return found


def main():
    if not shutil.which("groff"):
        print("no groff: the page is not looked at")
        return
    text, complaints = page()
    check(not complaints, f"groff has nothing to say about the page: {complaints}")
    check("\n--" not in told("manual") and "\\-\\-form" in told("manual"), "options are written with minus signs, so that they can be copied")
    data = {c["name"]: c for c in json.loads(told("help", "--json"))["commands"]}
    check(list(data) == list(commands()), "help and help --json list the same commands")
    for command, purpose in commands().items():
        there, wanted = section_of(text, command), options(command)
        check(plain(purpose) in plain(there), f"{command}: the page tells its purpose")
        got = page_options(there)
        check({plain(k): plain(v) for k, v in got.items()} == {plain(k): plain(v) for k, v in wanted.items()},
              f"{command}: the options of the page are those of --help\n  page {got}\n  help {wanted}")
        check([o["usage"] for o in data[command]["options"]] == list(wanted), f"{command}: the options of help --json are those of --help")
        for shown in wanted:
            used = told(command, "--help").split("\n\n")[0]
            check(any(re.search(rf"\[{name}[ \]]", used) for name in names(shown)), f"{command}: {shown} stands in the usage")
        for argument in entries(section(told(command, "--help"), "arguments")):
            check(argument in there, f"{command}: {argument} stands on the page")
    check(sum(len(options(c)) for c in commands()) > 80, "there was something to look at")


def leave_a_journal(folder):
    """run.h5.journal, of a run that was killed."""
    process = subprocess.Popen([HAMEL, "simulate", "sleigh", "--until", "9e5", "--every", "0.01", "-o", "run.h5"], cwd=folder)
    journal = os.path.join(folder, "run.h5.journal")
    while process.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) > 100000):
        time.sleep(0.01)
    process.kill()
    process.wait()


def examples():
    for command in commands():
        for line in re.findall(r"^  hamel (.*)$", section(told(command, "--help"), "examples"), re.M):
            with tempfile.TemporaryDirectory() as folder:
                if command == "recover":
                    leave_a_journal(folder)
                if command == "fmt":
                    subprocess.run([HAMEL, "new", "swing"], cwd=folder, stdout=subprocess.DEVNULL)
                done = subprocess.run([HAMEL, *shlex.split(line)], cwd=folder, capture_output=True, text=True)
            check(done.returncode == 0, f"`hamel {line}` ends in status 0: {done.stderr}")


main()
examples()
finish()
