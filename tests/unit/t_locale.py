"""The library under a locale that writes 0,5: every byte is the one of the C locale, and the program keeps its locale."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from _checks import check, finish, run_size
from commands import lines, on_model

HAMEL = os.environ["HAMEL"]
LIBRARY = os.environ.get("HAMEL_LIBRARY", "")
PATIENCE = int(os.environ.get("HAMEL_PATIENCE", "1"))
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONG = run_size(False, True)
# one that UTF-8 is not known in (bytes of Greek letters are letters there); one whose decimal mark has two bytes
LOCALES = {"de_DE.UTF-8": ("de_DE", "UTF-8"), "de_DE.ISO-8859-1": ("de_DE", "ISO-8859-1"), "ps_AF": ("ps_AF", "UTF-8")}

# Preloaded into `hamel`, which is then a program that uses the library under such a locale.
PRELOADED = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void begin(void) {
    char number[16];
    if (strcmp(program_invocation_short_name, "hamel") != 0) return;
    if (setlocale(LC_ALL, getenv("TEST_LOCALE")) && snprintf(number, sizeof number, "%.1f", 0.5) > 0 && strcmp(number, "0.5") != 0) return;
    fputs("no locale with another decimal mark\n", stderr);
    abort();
}
"""

# A program with callbacks: what the library writes has points, what the callbacks write a comma.
PROGRAM = r"""
#include <hamel.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
static int write(const void *bytes, size_t size, void *data) {
    char number[16];
    snprintf(number, sizeof number, "%.1f", 0.5);
    if (strcmp(number, "0,5") != 0) *(int *)data = 1;
    return fwrite(bytes, 1, size, stdout) == size;
}
static void progress(double part, void *data) {
    char number[16];
    (void)part, snprintf(number, sizeof number, "%.1f", 0.5);
    if (strcmp(number, "0,5") != 0) *(int *)data = 1;
}
int main(void) {
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return 2;
    const char *locale = setlocale(LC_ALL, NULL);
    char before[512], number[16], *result;
    snprintf(before, sizeof before, "%s", locale);
    int wrong = 0;
    double value;
    hamel_model *m;
    hamel_context *ctx = hamel_context_create();
    const hamel_run run = {.until = 0.5, .interval = 0.1, .output = "-", .write = write, .progress = progress, .data = &wrong};
    if (!ctx || hamel_model_open(ctx, "sleigh", &m) || hamel_model_simulate(m, &run, HAMEL_JSON, &result)) return 3;
    puts(result);
    hamel_free(result);
    hamel_context_destroy(ctx);
    snprintf(number, sizeof number, "%.1f", 0.5);
    if (strcmp(number, "0,5") != 0 || strcmp(setlocale(LC_ALL, NULL), before) != 0) return 4;
    if (!hamel_number_read("0.25", &value) || value != 0.25 || hamel_number_read("0,25", &value)) return 5;
    return wrong ? 6 : 0;
}
"""

# Each runs in an empty folder that holds `run.csv`; what it leaves there is compared too.
COMMANDS = (
    "simulate sleigh --until 0.5 --every 0.1 -o -",
    "simulate sleigh --until 0.5 --every 0.1 -o rows.csv --verify",
    "simulate sleigh --until 0.5 --every 0.25 --json",
    "simulate sleigh --until 0.5 --every 0.1 --method taylor --precision long -o -",
    "simulate sleigh --until 0.5 --every 0.1 --method taylor --precision quad -o -",
    "simulate sleigh --until 0.5 --method nonsense",
    "simulate sleigh --until 0,5",
    "plot run.csv -o figure.svg --size 500.5x300",
    "plot run.csv",
    "plot sleigh --until 0.5 -o -",
    "plot none.csv",
    "report sleigh --until 0.5 -o page.html",
    "codegen sleigh -o code",
    "compare sleigh maggi multipliers --until 0.5 --json",
    "compare sleigh maggi multipliers --until 0.5",
    "eval sleigh --digits 30",
    "check sleigh --set m=1.5 --json",
    "derive snakeboard --format latex",
    "prove sleigh --json",
    "check sleigh --limit memory=0.1M",
    "check sleigh --limit time=1e-9",
)


def run(words, folder, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LC_")}
    environment.update({"LC_ALL": "C"}, **more)
    done = subprocess.run([HAMEL, *words], cwd=folder, capture_output=True, timeout=120 * PATIENCE, env=environment)
    files = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    return done.returncode, done.stdout, done.stderr, files


def compiled(folder, name, text, *options):
    source, made = folder / (name + ".c"), folder / name
    source.write_text(text)
    subprocess.run(["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-I" + str(ROOT / "include"), str(source), *options, "-o", str(made)],
                   check=True)
    return made


def make_locales(folder, names):
    for name in names:
        language, letters = LOCALES[name]
        done = subprocess.run(["localedef", "--no-archive", "-c", "-i", language, "-f", letters, str(folder / name)], capture_output=True,
                              text=True)
        if not (folder / name / "LC_NUMERIC").exists():
            sys.exit("localedef made no locale (Debian package locales): " + done.stderr)


def first_difference(a, b):
    for i, (x, y) in enumerate(zip(a[:3], b[:3])):
        if x != y:
            lines = zip(x.splitlines(), y.splitlines()) if isinstance(x, bytes) else [(x, y)]
            return next((pair for pair in lines if pair[0] != pair[1]), (x, y))
    return [name for name in {**a[3], **b[3]} if a[3].get(name) != b[3].get(name)]


def commands_are_indifferent(folder, names, shim):
    more = {"LD_PRELOAD": str(shim), "LOCPATH": str(folder), "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0:detect_leaks=0"}  # setlocale() leaks
    rows = subprocess.run([HAMEL, "simulate", "sleigh", "--until", "1", "--every", "0.125", "-o", "-"], capture_output=True, check=True)
    tried = [command.split() for command in COMMANDS]
    if LONG:  # all command lines but those that need the file of an HDF5 run or a journal
        tried += [on_model([command, *words], "sleigh") for command, of_command in lines().items() for words in of_command
                  if not any(word.startswith(("rows.h5", "cut.")) for word in words)]
    for i, words in enumerate(tried):
        done = []
        for name in ("C", names[i % len(names)]):
            with tempfile.TemporaryDirectory() as scratch:
                for file in ("run.csv", "rows.csv"):
                    pathlib.Path(scratch, file).write_bytes(rows.stdout)
                done.append(run(words, pathlib.Path(scratch), **({} if name == "C" else dict(more, TEST_LOCALE=name))))
        check(done[0] == done[1], f"`{' '.join(words)}` under {name}: {first_difference(*done)}")
    if LONG:
        for name in names:
            cases = subprocess.run([str(ROOT / "tests/cli/run")], env=dict(os.environ, **more, TEST_LOCALE=name), capture_output=True, text=True)
            check(cases.returncode == 0, f"the command-line cases under {name}:\n{cases.stdout[-3000:]}")


def sources_do_not_heed_it():
    """printf() is used inside of calls only, which are in the C locale; these are not used at all."""
    heedful = re.compile(r"^[^/\"]*\b(setlocale|localeconv|strtod|strtof|atof|[sf]?scanf)\(", re.M)
    found = {str(p.relative_to(ROOT)) for folder in ("src", "cli") for p in (ROOT / folder).rglob("*.[ch]") if heedful.search(p.read_text())}
    check(found == {"src/base/decimal_read.c"}, f"decimal_read() is the one reader of numbers, and nobody sets a locale: {found}")


def programs_keep_their_locale(folder):
    flags = os.environ.get("HAMEL_CFLAGS", "").split()
    program = compiled(folder, "program", PROGRAM, LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY), *flags)
    done = subprocess.run([str(program)], env=dict(os.environ, LOCPATH=str(folder), ASAN_OPTIONS="detect_leaks=0"), capture_output=True, text=True)
    check(done.returncode == 0, f"a program under a German locale keeps it, also in callbacks (status {done.returncode}): {done.stderr}")
    plain = subprocess.run([HAMEL, *"simulate sleigh --until 0.5 --every 0.1 -o -".split()], capture_output=True, text=True)
    check(plain.stdout and done.stdout.startswith(plain.stdout), "its rows have the bytes of `hamel simulate`")


with tempfile.TemporaryDirectory() as place:
    place = pathlib.Path(place)
    chosen = list(LOCALES) if LONG else list(LOCALES)[:2]
    make_locales(place, chosen)
    commands_are_indifferent(place, chosen, compiled(place, "german.so", PRELOADED, "-shared", "-fPIC"))
    sources_do_not_heed_it()
    if LIBRARY:
        programs_keep_their_locale(place)
finish()
