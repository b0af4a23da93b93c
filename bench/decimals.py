#!/usr/bin/python3
"""Numbers of CSV files: decimal_write() of src/base against std::to_chars of the system's C++ library, both the shortest digits that read back the same,
over the numbers of a trajectory and over random ones; processor time, the least of many passes, in turns.

    decimals.py BUILD [RESULTS]      writes RESULTS/decimal.md; fails if the bound does not hold
"""
import array
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

from _bounds import bound

BOUND, ROUNDS, COUNT = 1.2, 5, 200000
PEER = """#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
int main(int, char **word) {
    enum { PASSES = 15, MOST = 1 << 20 };
    double *value = (double *)malloc(sizeof(double) * MOST);
    char *line = (char *)malloc((size_t)MOST * 32);
    FILE *f = fopen(word[1], "rb");
    size_t n = fread(value, sizeof(double), MOST, f), bytes = 0;
    double least = 1e9;
    for (int pass = 0; pass < PASSES; pass++) {
        clock_t start = clock();
        char *to = line;
        for (size_t i = 0; i < n; i++) to = std::to_chars(to, to + 32, value[i]).ptr, *to++ = ',';
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        bytes = to - line;
        if (seconds < least) least = seconds;
    }
    printf("%.2f %zu\\n", 1e9 * least / n, bytes);
}
"""


def trajectory(build):
    rows = subprocess.run([os.path.join(build, "hamel"), "simulate", "rattleback", "--until", "100", "--every", "0.01", "-o", "-"], capture_output=True,
                          text=True, check=True).stdout.splitlines()[1:]
    return [float(number) for row in rows for number in row.split(",")][:COUNT]


def main():
    build = sys.argv[1]
    if not shutil.which("g++"):
        print("there is no g++: nothing to compare with")
        return 0
    source = random.Random(1)
    kinds = {"a trajectory": trajectory(build), "random in 0 .. 1": [source.random() for _ in range(COUNT)],
             "random bits": [x for x in (struct.unpack("d", source.randbytes(8))[0] for _ in range(COUNT)) if x - x == 0]}
    table, failed = ["| numbers | over std::to_chars | bound | holds |", "|---|---|---|---|"], 0
    with tempfile.TemporaryDirectory() as scratch:
        peer, numbers = os.path.join(scratch, "peer"), os.path.join(scratch, "numbers")
        subprocess.run(["g++", "-O2", "-std=c++17", "-xc++", "-", "-o", peer], input=PEER.encode(), check=True)
        for what, values in kinds.items():
            pathlib.Path(numbers).write_bytes(array.array("d", values).tobytes())
            turns = [[float(subprocess.run([program, numbers], capture_output=True, text=True, check=True).stdout.split()[0])
                      for program in (os.path.join(build, "bench", "decimal"), peer)] for _ in range(ROUNDS)]
            own, other = (min(times) for times in zip(*turns))
            holds = bound("%s, over std::to_chars" % what, own / other, BOUND)
            failed += not holds
            print("%-20s %6.1f ns a number, std::to_chars %6.1f ns: %.2f times  %s" % (what, own, other, own / other, "" if holds else "OVER %g" % BOUND))
            table.append("| %s | %.2f | %g | %s |" % (what, own / other, BOUND, "yes" if holds else "NO"))
    if sys.argv[2:]:
        pathlib.Path(sys.argv[2], "decimal.md").write_text("# Numbers in CSV\n\n`bench/decimals.py`\n\n" + "\n".join(table) + "\n")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
