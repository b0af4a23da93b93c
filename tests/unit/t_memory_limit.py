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
COMMANDS = (
    ("check", "snake", "--set", "N=60"),
    ("describe", "snake", "--set", "N=60"),
    ("derive", "snake", "--set", "N=150"),
    ("derive", "rattleback"),
    ("eval", "snake", "--set", "N=40"),
    ("prove", "sleigh"),
    ("simulate", "sleigh", "--until", "1"),
    ("simulate", "sleigh", "--until", "1", "-o", "run.h5"),
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


def main():
    if "asan" in os.path.dirname(HAMEL):  # AddressSanitizer maps terabytes for itself
        print("0 passed, 0 failed")
        return 0
    passed = failed = exhausted = 0
    with tempfile.TemporaryDirectory() as scratch:
        for megabytes in LIMITS:
            for command in COMMANDS:
                done = subprocess.run([HAMEL, *command], cwd=scratch, capture_output=True, text=True, timeout=60 * PATIENCE,
                                      preexec_fn=lambda: limited(megabytes))
                exhausted += done.returncode == 6
                good = done.returncode in DOCUMENTED and (done.returncode != 6 or "memory exhausted" in done.stderr)
                passed, failed = passed + good, failed + (not good)
                if not good or os.environ.get("HAMEL_VERBOSE"):
                    print(f"{megabytes} MB, {' '.join(command)}: status {done.returncode}, {done.stderr[-300:]!r}")
    if not exhausted:
        failed += 1
        print("no command ran out of memory: the limits limit nothing")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
