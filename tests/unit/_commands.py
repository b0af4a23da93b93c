"""The commands and their options, read from `hamel help` and `hamel COMMAND --help` as a person reads them."""
import functools
import os
import re
import subprocess

HAMEL = os.environ["HAMEL"]


@functools.cache
def told(*words):
    done = subprocess.run([HAMEL, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def commands():
    """{name: purpose}"""
    return dict(re.findall(r"^  (\S+) +(\S.*)$", told("help"), re.M))


def section(text, title):
    found = re.search(rf"^{title}\n((?:  .*\n)+)", text, re.M)
    return found[1] if found else ""


def entries(text):
    """{name as it is shown: help in one line} of a section of `hamel COMMAND --help`."""
    found, name = {}, None
    for line in text.splitlines():
        new = re.match(r"  (\S(?:\S| (?! ))*)(?:  +(\S.*))?$", line)
        if new and not line.startswith("   "):
            name = new[1].strip()
            found[name] = [new[2]] if new[2] else []
        else:
            found[name].append(line.strip())
    return {name: " ".join(lines) for name, lines in found.items()}


def options(command):
    """{"-o, --output FILE": help}"""
    return entries(section(told(command, "--help"), "options"))


def names(shown):
    """"-o, --output FILE" -> ["-o", "--output"]"""
    return re.findall(r"(?:^|, )(--?[a-z-]+)", shown)


def takes_value(shown):
    return " " in shown.split(", ")[-1]


def choices(shown):
    """"--log x|y|xy" -> ["x", "y", "xy"]; [] where the value is free"""
    value = shown.split(", ")[-1].partition(" ")[2]
    return value.split("|") if re.fullmatch(r"[a-z]+(\|[a-z]+)+", value) else []
