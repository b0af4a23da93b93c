"""Commands under `ulimit -v`: every exit status is a documented one, and status 6 says what was being done."""
import os
import resource
import subprocess
import sys
import tempfile

HAMEL = os.environ["HAMEL"]
PATIENCE = int(os.environ.get("HAMEL_PATIENCE", "1"))
DOCUMENTED = range(0, 7)
LIMITS = (60, 100, 200, 500)  # MB
COMPILER_LIMITS = (3, 20, 40)  # MB: the shell cannot start it, it cannot start its passes, or these run out
COMMANDS = (
    ("check", "snake", "--set", "N=60"),
    ("describe", "snake", "--set", "N=60"),
    ("derive", "snake", "--set", "N=150"),
    ("derive", "rattleback"),
    ("eval", "snake", "--set", "N=40"),
    ("prove", "sleigh"),
    ("simulate", "sleigh", "--until", "1"),
    ("simulate", "sleigh", "--until", "1", "-o", "run.h5"),
    ("simulate", "sleigh", "--until", "1", "--exec", "compiled"),
    ("plot", "sleigh", "-o", "run.png"),
    ("plot", "sleigh", "-o", "run.svg"),
    ("compare", "sleigh", "maggi", "multipliers", "--until", "1"),
    ("report", "sleigh", "-o", "page.html"),
    ("codegen", "sleigh", "-o", "code"),
    ("forms", "sleigh"),
    ("models",),
)


def limited(megabytes):
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def run(command, scratch, **more):
    return subprocess.run([HAMEL, *command], cwd=scratch, capture_output=True, text=True, timeout=60 * PATIENCE, **more)


def compile_with(megabytes, scratch):
    """The compiler alone has too little: the run is interpreted, says so, and gives the same rows. A list of complaints."""
    compiler = os.path.join(scratch, "compiler")
    with open(compiler, "w") as f:
        f.write(f"#!/bin/sh\nulimit -v {megabytes << 10}\nexec cc \"$@\"\n")
    os.chmod(compiler, 0o755)
    command = ("simulate", "sleigh", "--until", "1", "-o", "-", "--exec")
    interpreted = run((*command, "interpreted"), scratch)
    done = run((*command, "compiled"), scratch,
               env={**os.environ, "CC": compiler, "XDG_CACHE_HOME": "/dev/null", "TMPDIR": scratch})
    return [what for what, wrong in (
        (f"status {done.returncode}", done.returncode != 0),
        ("other rows than those of the interpreter", done.stdout != interpreted.stdout or not done.stdout),
        (f"not said: {done.stderr!r}", "the run is interpreted, with the same results" not in done.stderr),
        ("files are left", os.listdir(scratch) != ["compiler"])) if wrong]


def main():
    if "asan" in os.path.dirname(HAMEL):  # AddressSanitizer maps terabytes for itself
        print("0 passed, 0 failed")
        return 0
    passed = failed = exhausted = 0
    with tempfile.TemporaryDirectory() as scratch:
        for megabytes in LIMITS:
            for command in COMMANDS:
                done = run(command, scratch, preexec_fn=lambda: limited(megabytes))
                exhausted += done.returncode == 6
                good = done.returncode in DOCUMENTED and (done.returncode != 6 or "memory exhausted" in done.stderr)
                passed, failed = passed + good, failed + (not good)
                if not good or os.environ.get("HAMEL_VERBOSE"):
                    print(f"{megabytes} MB, {' '.join(command)}: status {done.returncode}, {done.stderr[-300:]!r}")
    for megabytes in COMPILER_LIMITS:
        with tempfile.TemporaryDirectory() as scratch:
            wrong = compile_with(megabytes, scratch)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        for what in wrong:
            print(f"{megabytes} MB for the compiler: {what}")
    if not exhausted:
        failed += 1
        print("no command ran out of memory: the limits limit nothing")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
