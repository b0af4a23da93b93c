"""Runs the examples of a markdown document. What a fenced block holds is said by the words behind its opening ```:

  ham [file=NAME]       a complete model: `hamel check` must accept it (exit 0). It is saved as example.ham (or NAME) in a scratch
                        directory of the document, where the console blocks below it run.
  ham-fragment          a piece of a model: not run.
  ham-wrong [exit=N]    a model that `hamel check example.ham` must refuse with exit 2 (or N). The next block must be ```text: the
                        exact standard error.
  csv [file=NAME]       rows, saved as example.csv (or NAME) in the same directory.
  c [file=NAME]         a C program: compiled against hamel.h and the library ($HAMEL_LIBRARY, or build/libhamel.so) with all warnings
                        as errors, and run. The next block must be ```text: the exact standard output.
  console [exit=N]      lines `$ hamel ...` (or `$ build/hamel ...`) are run by bash; the lines up to the next `$` are the exact
                        standard output. The exit status must be 0 (or N). Other commands, and what follows them, are skipped.

Blocks with other words are not looked at. A block inside a list may be indented.
"""
import difflib
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT = 20 * float(os.environ.get("HAMEL_PATIENCE", "1"))  # seconds a command; sanitizers are given more
FENCE = re.compile(r"^( *)(```+)\s*(.*?)\s*$")
COMMAND = re.compile(r"^\$ (?:build/)?hamel\b(.*)$")
KINDS = {"ham": {"file"}, "ham-fragment": set(), "ham-wrong": {"exit"}, "csv": {"file"}, "c": {"file"}, "console": {"exit"}}


class Block:
    """A fenced block: lines[start:end] of the document lie between its fences."""

    def __init__(self, info, start, indent):
        words = info.split() or [""]
        self.kind, self.start, self.end, self.indent = words[0], start, start, indent
        self.options = dict(word.partition("=")[::2] for word in words[1:])

    def text(self, lines):
        return "".join(line[self.indent:] if line[:self.indent].isspace() or not self.indent else line.lstrip(" ")
                       for line in lines[self.start:self.end])

    def wanted_exit(self, usual):
        return int(self.options.get("exit", usual))


class Document:
    def __init__(self, path, hamel, name=None):
        self.path, self.hamel = pathlib.Path(path), str(pathlib.Path(hamel).resolve())
        self.name = name or self.path.name
        self.lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        self.passed, self.failures = 0, []  # failures: (line, what, detail)
        self.changes = []  # (start, end, new text, indent) of what --update would write

    # --- reading ------------------------------------------------------------------------------------------------------

    def blocks(self):
        found, block, fence = [], None, ""
        for i, line in enumerate(self.lines):
            match = FENCE.match(line.rstrip("\n"))
            if block is None and match:
                block, fence = Block(match[3], i + 1, len(match[1])), match[2]
            elif block is not None and match and match[2] == fence and not match[3]:
                block.end = i
                found.append(block)
                block = None
        if block is not None:
            self.fail(block.start, "this block is never closed")
        return found

    # --- results ------------------------------------------------------------------------------------------------------

    def fail(self, line, what, detail=""):
        self.failures.append((line, what, detail))

    def compare(self, line, what, wanted, got, wanted_exit, exit_status):
        """One example: passes if text and exit status are those wanted."""
        if wanted == got and exit_status == wanted_exit:
            self.passed += 1
            return
        detail = "".join(f"    {l}" if l.endswith("\n") else f"    {l}\n" for l in difflib.unified_diff(
            wanted.splitlines(keepends=True), got.splitlines(keepends=True), "document", "hamel", n=2))
        if exit_status != wanted_exit:
            what += f": exit status {exit_status}, not {wanted_exit}"
        self.fail(line, what, detail)

    # --- running ------------------------------------------------------------------------------------------------------

    def bash(self, command, directory):
        """Returns standard output, standard error, exit status."""
        environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", COLUMNS="80", program=self.hamel)
        # `head` reads all of its input: else a program before it in a pipeline may or may not be ended by SIGPIPE
        script = 'hamel() { "$program" "$@"; }\nhead() { command head "$@"; cat >/dev/null; }\nset -o pipefail\n' + command
        try:
            done = subprocess.run(["bash", "-c", script], cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return "", f"no answer within {TIMEOUT:g} seconds\n", -1
        return done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), done.returncode

    def run_model(self, block, scratch):
        file = block.options.get("file", "example.ham")
        (scratch / file).write_text(block.text(self.lines), encoding="utf-8")
        _, errors, status = self.bash(f"hamel check '{file}'", scratch)
        if status == 0:
            self.passed += 1
        else:
            self.fail(block.start, f"a model is refused with exit status {status}", "".join(f"    {l}\n" for l in errors.splitlines()))

    def run_wrong(self, block, message):
        if message is None or message.kind != "text":
            self.fail(block.start, "a `ham-wrong` block is not followed by a `text` block")
            return
        with tempfile.TemporaryDirectory() as directory:
            pathlib.Path(directory, "example.ham").write_text(block.text(self.lines), encoding="utf-8")
            _, errors, status = self.bash("hamel check example.ham", directory)
        self.compare(message.start, "a wrong model", message.text(self.lines), errors, block.wanted_exit(2), status)
        self.changes.append((message.start, message.end, errors, message.indent))

    def run_program(self, block, output, scratch):
        if output is None or output.kind != "text":
            self.fail(block.start, "a `c` block is not followed by a `text` block")
            return
        (scratch / "example.c").write_text(block.text(self.lines), encoding="utf-8")
        library = pathlib.Path(os.environ.get("HAMEL_LIBRARY", ROOT / "build" / "libhamel.so")).resolve()
        flags = os.environ.get("HAMEL_CFLAGS", "")
        built = self.bash(f"cc -std=c11 -O1 -Wall -Wextra -Werror {flags} -I'{ROOT}/include' example.c -o example '{library}' "
                          f"-Wl,-rpath,'{library.parent}'", scratch)
        if built[2]:
            self.fail(block.start, "a program does not compile", "".join(f"    {l}\n" for l in built[1].splitlines()))
            return
        got, errors, status = self.bash("./example", scratch)
        self.compare(output.start, "a program", output.text(self.lines), got + errors, 0, status)
        self.changes.append((output.start, output.end, got, output.indent))

    def run_console(self, block, scratch):
        lines, i = block.text(self.lines).splitlines(keepends=True), 0
        while i < len(lines):
            start, command = i, lines[i].rstrip("\n")
            i += 1
            while command.endswith("\\") and i < len(lines):  # the command goes on in the next line
                command += "\n" + lines[i].rstrip("\n")
                i += 1
            output = i
            while i < len(lines) and not lines[i].startswith("$ "):
                i += 1
            match = COMMAND.match(command.split("\n")[0])
            if not match:
                continue
            got, errors, status = self.bash("hamel" + match[1] + command[len(command.split("\n")[0]):], scratch)
            at = block.start + start
            self.compare(at, command, "".join(lines[output:i]), got, block.wanted_exit(0), status)
            if status != block.wanted_exit(0) and self.failures and errors:
                line, what, detail = self.failures[-1]
                self.failures[-1] = (line, what, detail + "".join(f"    {l}\n" for l in errors.splitlines()))
            self.changes.append((block.start + output, block.start + i, got, block.indent))

    def run(self):
        blocks = self.blocks()
        with tempfile.TemporaryDirectory() as directory:
            scratch = pathlib.Path(directory)
            for block, following in zip(blocks, blocks[1:] + [None]):
                if block.kind.startswith("ham") or block.kind in KINDS:
                    strange = set(block.options) - KINDS.get(block.kind, set())
                    if block.kind not in KINDS or strange:
                        self.fail(block.start, f"no kind of block: `{' '.join([block.kind, *strange])}`")
                    elif block.kind == "ham":
                        self.run_model(block, scratch)
                    elif block.kind == "ham-wrong":
                        self.run_wrong(block, following)
                    elif block.kind == "csv":
                        (scratch / block.options.get("file", "example.csv")).write_text(block.text(self.lines), encoding="utf-8")
                    elif block.kind == "c":
                        self.run_program(block, following, scratch)
                    elif block.kind == "console":
                        self.run_console(block, scratch)
        return not self.failures

    def update(self):
        """Writes what hamel printed into the document. Exit statuses and refused models stay failures."""
        for start, end, text, indent in reversed(self.changes):
            self.lines[start:end] = [" " * indent * (line != "\n") + line for line in text.splitlines(keepends=True)]
        self.path.write_text("".join(self.lines), encoding="utf-8")

    def report(self):
        for line, what, detail in self.failures:
            print(f"FAILED {self.name}:{line}: {what}\n{detail}", end="")
