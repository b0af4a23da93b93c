#!/usr/bin/python3
"""`hamel codegen --target c` on library models that have values (one in twelve; all of them in make test-long): the project compiles without a warning by gcc and clang, and what it computes
is what `hamel eval --digits 30` says: z', multipliers, reactions, energy, residuals, M u = F; the Jacobian is that of the same code in quadruple precision."""
import concurrent.futures
import ctypes
import json
import os
import re
import sys
import tempfile

from _evaluation import HAMEL, elsewhere, evaluate, run, run_size, symbol_value

STRICT = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
TOLERANCE = 1e-14  # of sums of a few dozen terms in double, next to the size of the terms
EVERY = run_size(12, 1)
ALSO = [("snake", ["--set", "N=9"])]  # large enough to be written in parts

# The same source in quadruple precision, differentiated by central differences: the error is about h^2 = 1e-18.
QUAD_PREFIX = "#include <math.h>\n#include <quadmath.h>\ntypedef double plain;\n#define double __float128\n" + "".join(
    "#define %s %sq\n" % (f, f) for f in "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt pow fabs".split())
QUAD_PROBE = """#include "@.h"
enum { N = @_state_count };
void probe_jacobian(plain t, const plain *z, plain *out) {
    @_system s;
    double at[N], above[N], below[N];
    @_defaults(&s);
    for (int i = 0; i < N; i++) at[i] = z[i];
    INPUTS
    for (int j = 0; j < N; j++) {
        const double h = 1e-9Q;
        at[j] = z[j] + h, @_rate(&s, t, at, HELD above);
        at[j] = z[j] - h, @_rate(&s, t, at, HELD below);
        at[j] = z[j];
        for (int i = 0; i < N; i++) out[i * N + j] = (plain)((above[i] - below[i]) / (2 * h));
    }
}
"""


class Code:
    """A generated project, compiled and loaded."""

    def __init__(self, folder):
        header = [f for f in os.listdir(folder) if f.endswith(".h")][0]
        self.folder, self.name = folder, header[:-2]
        self.header = open(os.path.join(folder, header)).read()
        self.form = re.search(r"^//\n// [^(]*\(([a-z][\w-]*)\)", self.header, re.M).group(1)
        self.sizes = {f: int(n) for f, n in re.findall(r"enum \{ %s_(\w+)_count = (\d+) \};" % self.name, self.header)}
        self.n = int(re.search(r"%s_state_count = (\d+)" % self.name, self.header).group(1))
        self.system = (ctypes.c_double * sum(int(n) for n in re.findall(r"double [pc]\[(\d+)\];", self.header)))()
        inputs = re.search(r"    %s_input_count = (\d+)" % self.name, self.header)
        self.inputs = int(inputs.group(1)) if inputs else 0

    def file(self, name):
        return os.path.join(self.folder, name)

    def compile(self):
        """What the compilers complain about."""
        source, main = self.file(self.name + ".c"), self.file("main.c")
        said = [run("gcc", *STRICT, "-shared", "-fPIC", "-o", self.file("gcc.so"), source, "-lm").stderr,
                run("gcc", *STRICT, "-c", "-o", self.file("main.o"), main).stderr,
                run("clang", *STRICT, "-c", "-o", self.file("clang.o"), source).stderr]
        open(self.file("quad.h"), "w").write(QUAD_PREFIX)
        open(self.file("quad.c"), "w").write(QUAD_PROBE.replace("INPUTS", "double u[@_input_count];\n    @_inputs(&s, t, at, u);" if self.inputs else "")
                                              .replace("HELD", "u," if self.inputs else "").replace("@", self.name))
        said.append(run("gcc", "-O0", "-shared", "-fPIC", "-include", self.file("quad.h"), "-o", self.file("quad.so"), source, self.file("quad.c"),
                        "-lquadmath", "-lm").stderr)
        return "".join(said)[:400]

    def load(self):
        self.code, self.quad = ctypes.CDLL(self.file("gcc.so")), ctypes.CDLL(self.file("quad.so"))
        getattr(self.code, self.name + "_defaults")(self.system)
        names = (ctypes.c_char_p * self.n).in_dll(self.code, self.name + "_state_name")
        self.state = [names[i].decode() for i in range(self.n)]

    def value(self, function, t, z):
        """With inputs as the model states them."""
        out, more = (ctypes.c_double * self.sizes[function])(), []
        state = (ctypes.c_double * self.n)(*z)
        if self.inputs and function != "inputs":
            more = [(ctypes.c_double * self.inputs)()]
            getattr(self.code, self.name + "_inputs")(self.system, ctypes.c_double(t), state, *more)
        getattr(self.code, "%s_%s" % (self.name, function))(self.system, ctypes.c_double(t), state, *more, out)
        return list(out)

    def entries(self, function):
        """The names the comment above a declaration lists."""
        comment = re.search(r"((?://[^\n]*\n)+)enum \{ %s_%s_count" % (self.name, function), self.header).group(1)
        words = " ".join(line[2:].strip() for line in comment.splitlines())
        return [w.strip() for w in re.split(r",\s(?![^\[]*\])", re.sub(r"^[^:]*: |^.* u = \(|\)$", "", words))]


def scales(code, function, t, z):
    """How much each output moves with z: 1 + |f| + sum_j |df/dz_j| max(1, |z_j|). A rounded z alone moves it by that many units of the last place."""
    base = code.value(function, t, z)
    scale = [1 + abs(v) for v in base]
    for j in range(code.n):
        h = 1e-6 * max(1, abs(z[j]))
        moved = code.value(function, t, z[:j] + [z[j] + h] + z[j + 1:])
        scale = [s + abs(m - v) * 1e6 for s, m, v in zip(scale, moved, base)]
    return base, scale


def differences(what, found, expected, scale):
    return ["%s %d: %.17g for %.17g" % (what, i, a, b) for i, (a, b, s) in enumerate(zip(found, expected, scale)) if not abs(a - b) <= TOLERANCE * s]


def compare(code, e):
    """Everything the code computes at the state of an evaluation."""
    t, z, n = float(e["t"]), [float(symbol_value(e, s)) for s in code.state], code.n
    quad = (ctypes.c_double * (n * n))()
    code.quad.probe_jacobian(ctypes.c_double(t), (ctypes.c_double * n)(*z), quad)
    expected = {
        "rate": [symbol_value(e, s + "'") for s in code.state],
        "jacobian": quad,
        "velocities": e["qd"].values(),
        "energy": [e["energy"]],
        "multipliers": e["lambda"].values(),
        "reactions": e["reaction"].values(),
        "residuals": e["residual"].values(),
    }
    wrong = []
    for function in set(expected) & set(code.sizes):
        found, scale = scales(code, function, t, z)
        if function == "jacobian":  # an entry that is 0 is a sum of terms as large as others of its row
            scale = [max(scale[i - i % n:i - i % n + n]) for i in range(n * n)]
        wrong += differences(function, found, [float(v) for v in expected[function]], scale)
    u = [float(symbol_value(e, name)) for name in code.entries("mass")]
    (mass, wide), (forcing, high) = scales(code, "mass", t, z), scales(code, "forcing", t, z)
    for i in range(len(u)):
        row = range(i * len(u), i * len(u) + len(u))
        left, scale = sum(mass[k] * u[k - row[0]] for k in row), high[i] + sum(wide[k] * abs(u[k - row[0]]) for k in row)
        wrong += differences("M u = F", [left], [forcing[i]], [scale])
    return wrong


def judge(case):
    model, options = case
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "made")
        made = run(HAMEL, "codegen", "--target", "c", "-o", folder, model, *options)
        if made.returncode:
            return ["no code, but values: " + made.stderr[:300]] if evaluate(model, options, None) else []
        code = Code(folder)
        options = options + ["--form", code.form]
        first = evaluate(model, options, None)
        if first is None:
            return ["code, but no values"]
        said = code.compile()
        if said:
            return ["the compiler says: " + said]
        code.load()
        second = elsewhere(model, options, first)
        states = [first] + ([second] if second else [])
        counts["states"] += len(states)
        return sum((compare(code, e) for e in states), [])


counts = {"states": 0}
models = [m["name"] for m in json.loads(run(HAMEL, "models", "--json").stdout)["models"]]
cases = [(m, []) for m in sys.argv[1:]] or [(m, []) for m in models[::EVERY]] + ALSO
failed = 0
with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
    for case, wrong in zip(cases, pool.map(judge, cases)):
        failed += bool(wrong)
        if wrong:
            print("FAIL %s: %s" % (" ".join([case[0]] + case[1]), "; ".join(wrong[:4])))
if counts["states"] < 1.5 * len(cases):
    failed += 1
    print("FAIL the library was compared at two states a model: only %d" % counts["states"])
print("%d passed, %d failed" % (len(cases) + 1 - failed, failed))
sys.exit(bool(failed))
