#!/usr/bin/env python3
"""What the program needs to begin: libraries for .h5 files and pictures are loaded with the first of these, and where HDF5 is missing nothing is lost."""
import os
import subprocess
import tempfile

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
# Formalisms, proofs and runs need FLINT and SUNDIALS; forty more come with HDF5, and as many with librsvg.
LATER = ["hdf5", "curl", "crypto", "sz.so", "rsvg", "cairo", "glib"]
WITHOUT_HDF5 = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void *dlopen(const char *name, int how) {
    void *(*real)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return name && strstr(name, "hdf5") ? NULL : real(name, how);
}
"""


def nothing_for_files_and_pictures_is_loaded_at_the_start():
    needed = subprocess.run(["ldd", HAMEL], capture_output=True, text=True).stdout
    for name in LATER:
        check(name not in needed, "the program begins without a library %s" % name)


def without_hdf5_words_say_so_and_no_row_is_lost(folder):
    shim = os.path.join(folder, "shim.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", shim], input=WITHOUT_HDF5.encode(), check=True)
    options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"

    def hamel(*words, **environment):
        return subprocess.run([HAMEL, *words], cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})

    missing = {"LD_PRELOAD": shim, "ASAN_OPTIONS": options}
    run = ["simulate", "sleigh", "--until", "4", "--exec", "interpreted", "-o"]
    whole = hamel(*run, "whole.h5")
    check(whole.returncode == 0, "with HDF5 a run is written")
    failed = hamel(*run, "run.h5", **missing)
    check(failed.returncode == 5 and "HDF5" in failed.stderr and "cannot be loaded" in failed.stderr, "without HDF5 the words are: %r" % failed.stderr)
    check(not os.path.exists(os.path.join(folder, "run.h5")), "there is no half file")
    check(hamel("recover", "run.h5").returncode == 0, "recover makes the file of the journal once HDF5 is there")
    same = [open(os.path.join(folder, name), "rb").read() for name in ("run.h5", "whole.h5")]
    check(same[0] == same[1], "no row is lost")
    read = hamel("plot", "whole.h5", "x:y", **missing)
    check(read.returncode == 5 and "cannot read `whole.h5`: HDF5" in read.stderr, "reading says it, too: %r" % read.stderr)


nothing_for_files_and_pictures_is_loaded_at_the_start()
with tempfile.TemporaryDirectory() as scratch:
    without_hdf5_words_say_so_and_no_row_is_lost(scratch)
finish()
