#!/usr/bin/python3
"""Documents for contributors name what is there: every `file.c`, `folder/file` or test in backticks exists, every target of make, every
test that a `ctest -R` line asks for, every script with its options. `make` and `ctest` commands are asked, not run; scripts are run with
--help or --list where that is cheap."""
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HAMEL", ROOT / "build" / "hamel")).resolve().parent
DOCUMENTS = ("CONTRIBUTING.md", "README.md", "docs/architecture.md", "docs/style.md", "docs/testing.md")
FILE = re.compile(r"[\w./*-]+\.(?:c|h|def|js|css|py|sh|mjs|md|txt|ham|cff)\b|(?:src|tests|tools|cli|web|docs|models|bench|include)/[\w./*-]*")
MADE = {"example.ham", "blade.html", "path.pdf", "run.csv", "wire.c"}  # by commands that the documents show
PLACEHOLDER = re.compile(r"NAME|ROOM|WORD|FILE|DIR|\b[A-Z]{2,}\b|build/")
passed, failures = 0, []


def check(good, where, what):
    global passed
    passed += bool(good)
    if not good:
        failures.append(f"FAILED {where}: {what}")


def all_files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    return [name for name in listed if name and (ROOT / name).exists()] or [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]


FILES = all_files()
NAMES = {name.rpartition("/")[2] for name in FILES}
FOLDERS = {str(parent) for name in FILES for parent in pathlib.PurePosixPath(name).parents}


def exists(name):
    name = name.rstrip("/")
    return (name in FOLDERS or name in NAMES or name in FILES or bool(fnmatch.filter(NAMES if "/" not in name else FILES, name))
            or any(path.endswith("/" + name) for path in FILES))


def tests():
    done = subprocess.run(["ctest", "--test-dir", str(BUILD), "--show-only=json-v1"], capture_output=True, text=True)
    return [test["name"] for test in json.loads(done.stdout)["tests"]] if done.returncode == 0 else []


TESTS = tests()
TARGETS = set(re.findall(r"(?m)^([a-z-]+):.*##", (ROOT / "Makefile").read_text()))


def check_names(document, text):
    """Files and tests in backticks, outside of blocks of code."""
    prose = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    for span in re.findall(r"`([^`\n]+)`", prose):
        if " " in span or "<" in span or span.startswith(("-", "$", "http")):
            continue
        if re.fullmatch(r"(unit|identity|agreement|numeric|generated|browser|docs)-[\w*]+", span):
            check(not TESTS or fnmatch.filter(TESTS, span), document, f"there is no test `{span}`")
        elif re.fullmatch(r"t_\w+", span):
            check(any(name.endswith("-" + span) for name in TESTS) or not TESTS, document, f"there is no test `{span}`")
        elif FILE.fullmatch(span) and not PLACEHOLDER.search(span) and span not in MADE:
            check(exists(span), document, f"there is no file `{span}`")


def commands(text):
    """Lines of blocks without a language, and spans that begin as a command does."""
    for block in re.findall(r"(?ms)^```(?:sh)?\n(.*?)^```", text):
        yield from (line.split("#")[0].strip() for line in block.splitlines())
    prose = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    yield from (span for span in re.findall(r"`([^`]+)`", prose))


def check_command(document, line):
    words = [word for word in line.split() if not re.match(r"[A-Z_]+=", word)]  # FUZZ_SECONDS=0 make test
    if not words:
        return
    if words[0] == "make" and len(words) < 4:
        for target in words[1:]:
            check(target in TARGETS or re.match(r"[A-Z]+=|-", target), document, f"`{line}`: make knows no `{target}`")
    elif words[0] == "ctest" and "-R" in words:
        pattern = words[words.index("-R") + 1].strip("'\"")
        check(not TESTS or any(re.search(pattern, name) for name in TESTS), document, f"`{line}`: no test matches")
    elif words[0] == "ninja":
        done = subprocess.run(["ninja", "-C", str(BUILD), "-n", *words[3:]], capture_output=True, text=True)
        check(done.returncode == 0, document, f"`{line}`: {done.stdout[-200:]}{done.stderr[-200:]}")
    elif re.match(r"(tools|tests)/", words[0]) and len(words) > 1:
        check(os.access(ROOT / words[0], os.X_OK), document, f"`{line}`: no such program")
        text = (ROOT / words[0]).read_text(errors="replace") if (ROOT / words[0]).exists() else ""
        for option in (word.strip("[]") for word in words[1:]):
            if option.startswith("--"):
                check(option in text, document, f"`{line}`: `{words[0]}` knows no {option}")
    elif words[0] == "cmake" and "--preset" in words:
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        wanted = words[words.index("--preset") + 1] if len(words) > words.index("--preset") + 1 else "release"
        check(wanted in {p["name"] for p in presets}, document, f"`{line}`: no such preset")


def check_quick_commands():
    """What CONTRIBUTING shows and what takes a second is run."""
    for command in (["make", "help"], ["make", "-n", "DEPS=no", "quick"], ["tests/cli/run", "--list"], ["tests/mutation/run", "--list"], ["tools/check-layers"],
                    ["tests/cli/run", "help_lists_the_commands"]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        check(done.returncode == 0, "CONTRIBUTING.md", f"`{' '.join(command)}`: exit {done.returncode}\n{done.stderr[-500:]}")


def check_packages():
    """Plain make names what is missing and installs nothing: a dpkg-query that knows no package, and no apt-get at all."""
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("dpkg-query", "exit 1"), ("apt-get", f"touch {folder}/installed"), ("sudo", f"touch {folder}/installed")):
            path = pathlib.Path(folder, name)
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
        done = subprocess.run(["tools/install-deps", "--look", "--test"], cwd=ROOT, capture_output=True, text=True, env=environment)
        check(done.returncode == 0 and "missing: gcc" in done.stderr and "libcmocka-dev" in done.stderr, "tools/install-deps --look", done.stderr)
        check(not pathlib.Path(folder, "installed").exists(), "tools/install-deps --look", "it installs")


def check_citation():
    version = re.search(r'HAMEL_VERSION "([\d.]+)"', (ROOT / "include/hamel.h").read_text())[1]
    check(f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(), "CITATION.cff", f"is not of version {version}")


def self_check():
    """Wrong names are noticed."""
    before = len(failures)
    check_names("self", "`nothing.c` `unit-t_nothing`" if TESTS else "`nothing.c` `none.h`")
    check_command("self", "make nonsense")
    check_command("self", "tests/cli/run --nonsense")
    found = len(failures) - before
    del failures[before:]
    check(found == 4, "self-check", f"{found} of 4 mistakes are noticed")


for document in DOCUMENTS:
    if (ROOT / document).exists():
        text = (ROOT / document).read_text(encoding="utf-8")
        check_names(document, text)
        for line in commands(text):
            check_command(document, line)
check_quick_commands()
check_packages()
check_citation()
self_check()
print("\n".join(failures) + "\n" * bool(failures) + f"{passed} passed, {len(failures)} failed")
sys.exit(bool(failures))
