#!/usr/bin/python3
"""The runner of the examples sees what it is there to see: each document here holds one mistake, the last ones none."""
import os
import pathlib
import sys
import tempfile

from _examples import Document

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAMEL = os.environ.get("HAMEL", ROOT / "build" / "hamel")

MODEL = "coord x\nkinetic x'^2/2\n"
CONSOLE = "```ham\n" + MODEL + "```\n```console\n$ hamel describe example.ham\nT            x'^2/2\nU            0\n```\n"
MESSAGE = ("```ham-wrong\ncoord x\nkinetic y\n```\n```text\nexample.ham:2:9: error: unknown name `y`\n"
           "  | kinetic y\n  |         ^\n```\n")

PROGRAM = ('```c\n#include <hamel.h>\n#include <stdio.h>\nint main(void) {\n    puts(hamel_version()[0] ? "good" : "");\n    return 0;\n}\n```\n'
           "```text\ngood\n```\n")

# name, document, number of mistakes
CASES = [
    ("a model that is refused", "```ham\ncoord x\nkinetic y\n```\n", 1),
    ("an output that differs", CONSOLE.replace("U            0", "U            1"), 1),
    ("an output with a line missing", CONSOLE.replace("U            0\n", ""), 1),
    ("an output with a line too many", CONSOLE.replace("U            0\n", "U            0\n\n"), 1),
    ("a command that fails", "```console\n$ hamel describe nothing\n```\n", 1),
    ("a command that should fail", CONSOLE.replace("```console", "```console exit=2"), 1),
    ("a message that differs", MESSAGE.replace("unknown", "unheard-of"), 1),
    ("a wrong model that is accepted", "```ham-wrong\n" + MODEL + "```\n```text\n```\n", 1),
    ("another exit status", MESSAGE.replace("ham-wrong", "ham-wrong exit=6"), 1),
    ("a wrong model without its message", MESSAGE.split("```text")[0], 1),
    ("an option of rows misspelt", "```csv fiel=rows.csv\na,b\n1,2\n```\n", 1),
    ("rows under another name", "```csv file=rows.csv\na,b\n```\n```console exit=1\n$ hamel plot example.csv\n```\n", 1),
    ("a word misspelt", "```ham-worng\ncoord x\n```\n", 1),
    ("an option misspelt", "```console exti=2\n$ hamel help\n```\n", 1),
    ("a block never closed", "```ham\n" + MODEL, 1),
    ("three mistakes", "```ham\ncoord y\n```\n" + MESSAGE.replace("unknown", "") + CONSOLE.replace("U ", "V "), 3),
    ("a program that does not compile", "```c\nint main(void) { return hamel_version(); }\n```\n```text\n```\n", 1),
    ("a program that prints something else", PROGRAM.replace("good", "bad", 1), 1),
    ("a program without its output", PROGRAM.split("```text")[0], 1),
    ("a program that fails", PROGRAM.replace("return 0", "return 1"), 1),
    ("a program", PROGRAM, 0),
    ("no mistake", CONSOLE + MESSAGE, 0),
    ("a block in a list", "".join("   " + line for line in CONSOLE.splitlines(keepends=True)), 0),
    ("a file included", "```ham file=part.ham\n" + MODEL + "```\n```ham\ninclude \"part.ham\"\n```\n", 0),
    ("blocks nobody runs", "```sh\nmake\n```\n```ham-fragment\nkinetic\n```\n```console\n$ make\nanything\n```\n", 0),
    ("a pipe and a continued line", "```console\n$ hamel show pendulum | \\\n    grep -c '^coord'\n1\n```\n", 0),
]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for name, text, mistakes in CASES:
            path = pathlib.Path(directory, "document.md")
            path.write_text(text, encoding="utf-8")
            document = Document(path, HAMEL)
            document.run()
            good = len(document.failures) == mistakes
            repairable = mistakes and name.startswith(("an output", "a message"))
            if good and repairable:  # --update repairs these
                document.update()
                good = Document(path, HAMEL).run()
            if not good:
                failed += 1
                print(f"FAILED {name}: {len(document.failures)} mistakes found, not {mistakes}")
                document.report()
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
