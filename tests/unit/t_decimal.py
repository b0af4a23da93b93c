"""Doubles in decimal (src/base/decimal.h) beside Python's repr() and float(), which share no code with it."""
import ctypes
import math
import os
import random
import struct
import subprocess
import tempfile

from _checks import check, finish, run_cases

COUNT = run_cases(10_000, 1_000_000)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WRAPPER = r"""
#include "base/decimal.h"
#include <string.h>
void write_all(const double *value, size_t count, char *to) {
    for (size_t i = 0; i < count; i++) {
        to += decimal_write(value[i], to);
        *to++ = '\n';
    }
    *to = 0;
}
// texts end in NUL, one behind the other; taken[i]: how many bytes of each were read
void read_all(const char *from, size_t count, double *value, size_t *taken) {
    for (size_t i = 0; i < count; i++, from += strlen(from) + 1) {
        const char *end;
        value[i] = decimal_read(from, &end);
        taken[i] = (size_t)(end - from);
    }
}
"""


def load(folder):
    source, library = os.path.join(folder, "wrapper.c"), os.path.join(folder, "wrapper.so")
    with open(source, "w") as f:
        f.write(WRAPPER)
    own = [os.path.join(ROOT, "src/base", name) for name in ("decimal_write.c", "decimal_read.c")]
    command = ["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O2", "-shared", "-fPIC", "-I" + ROOT + "/src"]
    subprocess.run([*command, source, *own, "-lm", "-o", library], check=True)
    return ctypes.CDLL(library)


def write(library, values):
    array, room = (ctypes.c_double * len(values))(*values), ctypes.create_string_buffer(32 * len(values) + 1)
    library.write_all(array, ctypes.c_size_t(len(values)), room)
    return room.value.decode().split("\n")[:-1]


def read(library, texts):
    values, taken = (ctypes.c_double * len(texts))(), (ctypes.c_size_t * len(texts))()
    library.read_all(b"".join(t.encode() + b"\0" for t in texts), ctypes.c_size_t(len(texts)), values, taken)
    return list(values), list(taken)


def from_bits(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def bits_of(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def neighbours(value):
    return [value, math.nextafter(value, math.inf), math.nextafter(value, -math.inf)]


def interesting():
    values = [0.0, -0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 9007199254740993.0]
    values += [9.5e-5, 1e-4, 9999999999999998.0, 1e16, 0.1, 0.3, 2 / 3, 5e-324, 1e23, 9.5367431640625e-07, 2.0**-44, 4.35, 0.5]
    for e in range(-1074, 1024):  # powers of two have the lopsided interval
        values += neighbours(math.ldexp(1, e))
    for e in range(-323, 309):
        for digit in (1, 2, 5, 9):
            values += neighbours(float(f"{digit}e{e}"))
    values += [float(i) for i in range(1000)] + [i / 100 for i in range(1000)]
    return values + [-v for v in values if v > 0 and v < math.inf][::7]


def random_doubles(rng, count):
    some = (from_bits(rng.getrandbits(64)) for _ in range(count))  # any pattern: exponents from end to end
    near = (rng.choice((-1, 1)) * rng.random() * 10.0**rng.randint(-6, 18) for _ in range(count // 4))
    tiny = (from_bits(rng.getrandbits(rng.randint(1, 52))) for _ in range(count // 8))  # subnormal
    short = (rng.randint(1, 10**6) * 10.0**rng.randint(-30, 30) for _ in range(count // 8))
    return [v for group in (some, near, tiny, short) for v in group if v == v]


def as_python(value):
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def halfway(value):
    """All digits of the number half way between a double and the one above it, and its neighbours in decimal."""
    above = math.nextafter(value, math.inf)
    top, bottom = value.as_integer_ratio()
    top2, bottom2 = above.as_integer_ratio()
    top, bottom = top * bottom2 + top2 * bottom, 2 * bottom * bottom2
    places = bottom.bit_length()
    digits = str(top * 10**places // bottom)
    return [f"{digits}e-{places}", f"{digits}1e-{places + 1}", f"{int(digits) - 1}e-{places}"]


def decimals(rng, count):
    texts = []
    for _ in range(count):
        digits = "".join(rng.choice("0123456789") for _ in range(rng.choice((1, 3, 8, 16, 17, 18, 19, 20, 21, 25, 40))))
        point = rng.randint(0, len(digits))
        exponent = rng.choice((0, rng.randint(-5, 5), rng.randint(-30, 30), rng.randint(-360, 330)))
        texts.append(rng.choice(("", "-", "+")) + digits[:point] + "." + digits[point:] + rng.choice("eE") + str(exponent))
    return texts


def same(a, b):
    return a != a and b != b or bits_of(a) == bits_of(b)


def main():
    rng = random.Random(20261116)
    with tempfile.TemporaryDirectory() as folder:
        library = load(folder)
    values = interesting() + random_doubles(rng, COUNT)
    texts = write(library, values)
    wrong = [(v.hex(), t) for v, t in zip(values, texts) if t != as_python(v)]
    check(len(texts) == len(values) and not wrong, f"every double has the digits of repr(): {wrong[:5]}")
    back, taken = read(library, texts)
    wrong = [t for v, t, b, n in zip(values, texts, back, taken) if not same(v, b) or n != len(t)]
    check(not wrong, f"what was written reads back as the same double: {wrong[:5]}")
    check(write(library, [math.nan, -math.nan, 0.0, -0.0]) == ["nan", "-nan", "0", "-0"], "nan and zeros have their sign")

    texts = decimals(rng, COUNT)
    for v in random_doubles(rng, COUNT // 20):
        if abs(v) < 1.7e308:
            texts += halfway(abs(v))
    texts += ["0." + "0" * 400 + "1e401", "1" + "0" * 400 + "e-400", "0." + "0" * 100000 + "1e50", "1e400", "-1e400", "1e-400",
              "1e99999999999999999999", "1e-99999999999999999999", "0e99999", "123456789012345678901234567890", "00000.1", "1.", ".5"]
    back, taken = read(library, texts)
    wrong = [t[:60] for t, b, n in zip(texts, back, taken) if not same(float(t), b) or n != len(t)]
    check(not wrong, f"every decimal reads as the nearest double: {wrong[:5]}")

    parts = {"1,5": (1.0, 1), "1.5.2": (1.5, 3), "1e": (1.0, 1), "1e+": (1.0, 1), "x": (0.0, 0), ".": (0.0, 0), "": (0.0, 0), "-": (0.0, 0),
             "0x1p-3": (0.125, 6), "inf": (math.inf, 3), "-infinity": (-math.inf, 9), "nan": (math.nan, 3), " 2": (2.0, 2), "--1": (0.0, 0),
             "0x": (0.0, 1), "1_000": (1.0, 1), "e5": (0.0, 0)}
    back, taken = read(library, list(parts))
    for text, (value, length), b, n in zip(parts, parts.values(), back, taken):
        check(same(value, b) and n == length, f"`{text}` reads as {value}, {length} bytes of it: {b}, {n}")
    finish()


main()
