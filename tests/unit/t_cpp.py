#!/usr/bin/python3
"""hamel.hpp: t_cpp.cpp and the program of docs/cpp.md, compiled by g++ and clang++ without a warning, and run."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["HAMEL"]).resolve().parent
LIBRARY = BUILD / "libhamel.so"
FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pthread", f"-I{ROOT / 'include'}"]

passed = failed = 0


def check(what, good, words=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED {what}\n{words}")


def run(compiler, source, folder):
    program = folder / "program"
    made = subprocess.run([compiler, *FLAGS, *SANITIZED, str(source), "-o", str(program), str(LIBRARY), f"-Wl,-rpath,{BUILD}"], capture_output=True, text=True)
    check(f"{compiler} {source.name} compiles", made.returncode == 0, made.stderr)
    if made.returncode:
        return ""
    done = subprocess.run([str(program)], cwd=folder, capture_output=True, text=True)
    check(f"{compiler} {source.name} runs", done.returncode == 0, done.stdout + done.stderr)
    return done.stdout


SANITIZED = ["-fsanitize=address,undefined"] if b"__asan_init" in LIBRARY.read_bytes() else []
page = (ROOT / "docs/cpp.md").read_text()
example, shown = re.search(r"```cpp\n(.*?)```\n.*?```text\n(.*?)```", page, re.S).groups()
for compiler in ["g++"] if SANITIZED else ["g++", "clang++"]:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        said = run(compiler, ROOT / "tests/unit/t_cpp.cpp", folder)
        check(f"{compiler} counts its checks", re.fullmatch(r"\d{2,} checks\n", said), said)
        (folder / "example.cpp").write_text(example)
        said = run(compiler, folder / "example.cpp", folder)
        check(f"{compiler} prints what the page shows", said == shown, said)
        wrong = folder / "wrong.cpp"
        wrong.write_text('#include "hamel.hpp"\nint main() { hamel::context a; hamel::context b = a; return b.handle() == nullptr; }\n')
        refused = subprocess.run([compiler, *FLAGS, "-fsyntax-only", str(wrong)], capture_output=True, text=True)
        check(f"{compiler} refuses a copy", refused.returncode != 0 and "deleted" in refused.stderr, refused.stderr)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
