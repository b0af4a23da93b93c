#!/usr/bin/python3
"""Keeps C at 100 columns and markdown at 120; tools/layout calls it.

  tools/widths.py               names the lines of C and the paragraphs of markdown that are too wide, and fails if there are any
  tools/widths.py --fix         fills those paragraphs again; long strings and comments in C are for people
  tools/widths.py --self-test

In markdown, what cannot be broken is left alone: blocks of code, displayed formulas, tables, headings, raw HTML, one long word, `code`,
$formula$ or the address of a link. docs/misprints.md and bench/results are left alone too: programs write them. In C, a table between
`clang-format off` and `clang-format on` may be as wide as it must.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE_COLUMNS, COLUMNS = 100, 120
CODE = ("src", "cli", "mpi", "include", "tests", "bench")
LEFT_ALONE = ("docs/misprints.md", "bench/results/")
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])\s+")
ATOM = re.compile(r"(?:\$[^$\n]+\$|`[^`]*`|\]\([^)]*\)|\S)+")
MARKER = re.compile(r"^([-*+#>|]+|\d+[.)])$")  # at the start of a line this would mean something else


def words(text):
    """The pieces of a paragraph that stay together on a line."""
    found = []
    for atom in ATOM.findall(text):
        if found and MARKER.match(atom):
            found[-1] += " " + atom
        else:
            found.append(atom)
    return found


def fill_paragraph(lines):
    """The same words in lines of at most COLUMNS, with the indent of the first line and of a list item."""
    item = ITEM.match(lines[0])
    first = item[0] if item else re.match(r"\s*", lines[0])[0]
    rest = " " * len(first)
    out, line = [], first
    for word in words(" ".join(l.strip() for l in [lines[0][len(first):], *lines[1:]])):
        if line.strip() and line != first and len(line) + 1 + len(word) > COLUMNS:
            out.append(line)
            line = rest + word
        else:
            line += word if line in (first, rest) else " " + word
    return out + [line]


def paragraphs(lines):
    """Yields (start, end) of what may be filled."""
    start, inside = None, None
    for i, line in enumerate(lines + [""]):
        text = line.strip()
        fence = re.match(r"```+|\$\$", text)
        closes = inside and text.startswith(inside)
        plain = not inside and not fence and text and text[0] not in "|#<"
        if start is not None and (not plain or ITEM.match(line)):
            yield start, i
            start = None
        if plain and start is None:
            start = i
        if closes:
            inside = None
        elif fence and not inside and not (fence[0] == "$$" and text.endswith("$$") and len(text) > 2):
            inside = fence[0]


def fill(text):
    """The text with every paragraph filled that has a line too long, and the numbers of the first lines of these."""
    lines, changed = text.split("\n"), []
    for start, end in reversed(list(paragraphs(lines))):
        if any(len(line) > COLUMNS for line in lines[start:end]):
            filled = fill_paragraph(lines[start:end])
            if filled != lines[start:end]:
                changed.insert(0, start + 1)
                lines[start:end] = filled
    return "\n".join(lines), changed


def self_test():
    long = "word " * 40
    cases = {  # text: number of paragraphs that are filled
        long: 1, "short\n\n" + long + "\n\n" + long: 2, "- " + long: 1, "1. " + long + "\n   more\n2. next": 1,
        "```\n" + long + "\n```": 0, "| " + long: 0, "$$\n" + long + "\n$$\n" + long: 1, "`" + long + "`": 0,
        "# " + long: 0, "[a](" + "x" * 200 + ")": 0, "$$ x $$\n" + long: 1}
    wrong = 0
    for text, count in cases.items():
        filled, changed = fill(text)
        good = len(changed) == count and not fill(filled)[1] and filled.split() == text.split()
        good = good and (count == 0 or max(map(len, filled.split("\n"))) <= COLUMNS or "```" in text or "$$\n" in text)
        wrong += not good
        if not good:
            print(f"FAILED {text[:40]!r}: {len(changed)} filled, not {count}")
    numbers = fill("a " * 59 + "b - c " + "d " * 20)[0]
    if re.search(r"(?m)^- ", numbers):
        wrong += 1
        print("FAILED: a minus begins a line")
    code = "x" * 100 + "\n" + "x" * 101 + "\n// clang-format off\n" + "x" * 101 + "\n// clang-format on\n" + "é" * 100 + "\n" + "x" * 101
    if list(wide_lines(code)) != [2, 7]:
        wrong += 1
        print("FAILED: lines of C", list(wide_lines(code)))
    print(f"{len(cases) + 2 - wrong} passed, {wrong} failed")
    return wrong != 0


def wide_lines(text):
    """The numbers of the lines of C that are too wide."""
    table = False
    for number, line in enumerate(text.split("\n"), 1):
        table = "clang-format off" in line or (table and "clang-format on" not in line)
        if len(line) > CODE_COLUMNS and not table:
            yield number


def markdown_files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    names = listed or [str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]]  # no git here
    return [name for name in names if not name.startswith(LEFT_ALONE) and (ROOT / name).exists()]


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    wrong = 0
    for name in markdown_files():
        text = (ROOT / name).read_text(encoding="utf-8")
        filled, changed = fill(text)
        if changed and arguments == ["--fix"]:
            (ROOT / name).write_text(filled, encoding="utf-8")
        elif changed:
            wrong += 1
            print(f"{name}:{changed[0]}: over {COLUMNS} columns, and {len(changed) - 1} more such paragraphs (tools/layout --fix)")
    for path in sorted(path for room in CODE for path in (ROOT / room).rglob("*.[ch]")):
        for number in wide_lines(path.read_text(encoding="utf-8", errors="replace")):
            wrong += 1
            print(f"{path.relative_to(ROOT)}:{number}: over {CODE_COLUMNS} columns")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
