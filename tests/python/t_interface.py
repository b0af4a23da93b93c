#!/usr/bin/env python3
"""What the package says of the calls and structs of the library is what the headers say of them, and what the compiler makes of these."""
import ctypes
import functools
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import _run
from hamel import _library

HEADERS = sorted((_run.ROOT / "include").glob("hamel*.h"))


def code():
    """The headers without comments, on one line."""
    text = "\n".join(path.read_text() for path in HEADERS)
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"(?m)^#.*", "", text)
    return re.sub(r"\s+", " ", text)


@functools.cache
def enumerations():
    return re.findall(r"typedef enum \w* ?{[^}]*} (\w+);", code())


def kind(words):
    """A type of C in few words: "pointer", "double", "int", "size_t" .."""
    if "*" in words or "(" in words or "[" in words:
        return "pointer"
    words = re.sub(r"\b(const|volatile|HAMEL_API)\b", "", words).split()
    if not words:
        return "void"
    plain = {"hamel_editor_text": "pointer", "hamel_expr": "unsigned", "int": "int", "double": "double", "size_t": "size_t", "void": "void",
             "unsigned": "unsigned", **{name: "int" for name in enumerations()}}
    if words[:3] == ["unsigned", "long", "long"]:
        return "unsigned long long"
    return plain[words[0]]


def kind_of_ctypes(one):
    if one is None:
        return "void"
    if one in (ctypes.c_char_p, ctypes.c_void_p) or hasattr(one, "contents") or issubclass(one, ctypes._Pointer):
        return "pointer"
    sizes = {ctypes.c_int: "int", ctypes.c_uint: "unsigned", ctypes.c_double: "double", ctypes.c_size_t: "size_t", ctypes.c_ulonglong: "unsigned long long"}
    if one is ctypes.c_size_t:
        return "size_t"
    return sizes[one]


def arguments(text):
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [] if text.strip() in ("void", "") else [kind(part) for part in parts]


def declared():
    """name: (result, arguments) of each call of the headers."""
    found = {}
    for match in re.finditer(r"HAMEL_API ([\w ]+?[ *]+)(hamel_\w+)\(", code()):
        text, depth = code()[match.end():match.end() + 2000], 1
        for i, sign in enumerate(text):
            depth += (sign == "(") - (sign == ")")
            if depth == 0:
                found[match[2]] = (kind(match[1]), arguments(text[:i]))
                break
    return found


SAME = {"size_t": "unsigned long", "unsigned long long": "unsigned long"}  # one size, one class of registers


class Interface(unittest.TestCase):
    def test_calls_are_as_the_headers_declare_them(self):
        headers = declared()
        self.assertGreater(len(headers), 60)
        for name, (result, taken) in _library.CALLS.items():
            with self.subTest(name):
                self.assertTrue(name in headers, f"{name} is in no header")
                mine = (kind_of_ctypes(result), [kind_of_ctypes(one) for one in taken])
                self.assertEqual([SAME.get(k, k) for k in (mine[0], *mine[1])], [SAME.get(k, k) for k in (headers[name][0], *headers[name][1])])

    def test_structs_have_the_members_of_the_headers_where_the_compiler_puts_them(self):
        compiler = shutil.which("cc") or self.skipTest("no C compiler")
        structs = {"hamel_limits": _library.Limits, "hamel_plot": _library.Plot, "hamel_run": _library.Run, "hamel_outcome": _library.Outcome,
                   "hamel_steady": _library.Steady, "hamel_continue": _library.Continue, "hamel_section": _library.Section,
                   "hamel_happening": _library.Happening, **getattr(_library, "MORE_STRUCTS", {})}
        lines = ["#include <hamel.h>", "#include <stdio.h>", "int main(void) {"]
        wanted = []
        for name, one in structs.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            wanted.append(f"{name} {ctypes.sizeof(one)}")
            for member, *_ in one._fields_:
                plain = member.rstrip("_")
                lines.append(f'printf("{name}.{plain} %zu %zu\\n", offsetof({name}, {plain}), sizeof((({name} *)0)->{plain}));')
                wanted.append(f"{name}.{plain} {getattr(one, member).offset} {getattr(one, member).size}")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "sizes.c"
            source.write_text("\n".join([*lines, "}"]))
            subprocess.run([compiler, "-I", _run.ROOT / "include", source, "-o", source.with_suffix("")], check=True)
            said = subprocess.run([source.with_suffix("")], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(said, wanted)


if __name__ == "__main__":
    _run.main()
