"""Programs of a build with one of its sources changed: that source alone is compiled again, with the flags the build has for it, and linked before
the library of the build."""
import json
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PATIENCE = float(os.environ.get("HAMEL_PATIENCE", "1"))


def quietly(command, cwd):
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True)


class Build:
    """The flags and objects of a build directory."""

    def __init__(self, directory):
        self.directory = directory
        self.commands = {pathlib.Path(c["file"]).resolve(): shlex.split(c["command"])
                         for c in json.loads((directory / "compile_commands.json").read_text())}
        self.objects, self.flags, self.libraries = {}, {}, {}  # of each program, by its name
        name = None
        for line in (directory / "build.ninja").read_text().splitlines():
            if line.startswith("build "):
                target, _, inputs = line[6:].partition(": ")
                name = target.split("/")[-1] if "C_EXECUTABLE_LINKER" in inputs else None
                if name:
                    self.objects[name] = [word for word in inputs.split(" | ")[0].split() if word.endswith(".o")]
            elif name and line.strip().startswith("LINK_FLAGS = "):
                self.flags[name] = line.partition("=")[2].split()
            elif name and line.strip().startswith("LINK_LIBRARIES = "):
                self.libraries[name] = line.partition("=")[2].split()

    def program(self, name):
        """The build's own."""
        return self.directory / (name if name == "hamel" else f"tests/{name}")

    def compile(self, source, patched, scratch, includes=()):
        """fault.o of `patched`, which takes the place of `source`; `includes` are folders whose headers go first."""
        command = list(self.commands[source])
        output, target = command.index("-o"), command.index("-c")
        command[output + 1], command[target + 1] = str(scratch / "fault.o"), str(patched)
        command = [word for word in command if word not in ("-Werror", "-Wall", "-Wextra", "-Wconversion")] + ["-w", "-O0"]  # it runs once
        command[1:1] = [f"-I{folder}" for folder in includes]
        quietly(command, self.directory)

    def link(self, name, source, scratch):
        """The program `name` with fault.o in it."""
        command = self.commands[source]
        sanitizers = [word for word in command if word.startswith("-fsanitize")]
        made = scratch / name
        quietly([command[0], *sanitizers, *self.flags.get(name, ()), "-o", str(made), *self.objects[name], str(scratch / "fault.o"), *self.libraries[name]], self.directory)
        return made


def environment(program):
    """What tests find in theirs; XDG_CACHE_HOME: no cache, so that what one does depends on no run before it."""
    usual = {"HAMEL_PATIENCE": "1", "XDG_CACHE_HOME": "/dev/null", "ASAN_OPTIONS": "exitcode=99:detect_stack_use_after_return=1",
             "LSAN_OPTIONS": f"suppressions={ROOT}/tests/lsan.supp:print_suppressions=0", "UBSAN_OPTIONS": "halt_on_error=1"}
    return {**usual, **os.environ, "HAMEL": str(program), "PYTHONDONTWRITEBYTECODE": "1"}


def failure(command, program, seconds):
    """What a failing test says, None of one that passes. Running for too long is failing, too; what it started is ended with it."""
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen([str(word) for word in command], cwd=ROOT, env=environment(program), stdin=subprocess.DEVNULL,
                                   stdout=said, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            if process.wait(seconds * PATIENCE) == 0:
                return None
        except subprocess.TimeoutExpired:
            return "takes too long"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        said.seek(0)
        return said.read() or "fails"


class Catcher:
    """A test by its name in ctest (`unit-t_normal`, `numeric-t_runs`), or `cli NAME..`: golden cases of tests/cli."""

    def __init__(self, words):
        self.words = words.split()
        group, _, stem = self.words[0].partition("-")
        self.script = ROOT / "tests" / group / (stem + ".py")
        self.is_c = self.words[0] != "cli" and not self.script.exists()

    @property
    def program(self):
        return self.words[0] if self.is_c else "hamel"

    def exists(self, build):
        if self.words[0] == "cli":
            return all(list((ROOT / "tests/cli").glob(name + ".*")) for name in self.words[1:])
        return self.script.exists() or self.words[0] in build.objects

    def notices(self, program, seconds=120):
        """What the test says of a program that is wrong, or None."""
        if self.is_c:
            return failure([program], program, seconds)
        if self.words[0] == "cli":
            return failure([ROOT / "tests/cli/run", "--hamel", program, *self.words[1:]], program, seconds)
        return failure(["/usr/bin/python3", self.script], program, seconds)

    def __str__(self):
        return " ".join(self.words)
