#!/usr/bin/python3
"""The targets python, matlab, julia and modelica of `hamel codegen` on library models that have values (one in six; all of them in make test-long) and on random models with names that
the languages keep for themselves: what the code computes at two states is what `hamel eval --digits 30` says. Python and GNU Octave run it, for one state and for many at once; Julia and
Modelica are read back by _read_back.py. Where a state is moved, results move: that is what differences are measured by, as in t_c_slow.py.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

import _read_back
from _evaluation import HAMEL, elsewhere, evaluate, run, run_size, symbol_value

TOLERANCE = 1e-14  # of sums of a few dozen terms in double, next to the size of the terms
SLOPE = 1e-5  # of the Jacobian against differences in double: their error is about 1e-16/h + h^2
EVERY = run_size(6, 1)
RANDOM = run_size(8, 40)
ALSO = [("snake", ["--set", "N=9"]), ("ball_off_table", ["--set", "mode[table]=sliding"]), ("measured_road", []), ("cart_pole", []), ("n_trailer", ["--set", "N=4"])]
TARGETS = ("python", "matlab", "julia", "modelica")
RNG = random.Random(27)


# --- random models -------------------------------------------------------------------------------

NAMES = ["lambda", "end", "in", "def", "der", "function", "model", "t_", "z", "p", "c", "u", "f", "np", "math", "is", "algorithm", "when", "module", "struct", "local", "i", "j", "pass",
         "class", "out", "r1", "solution1", "inputs", "rhs", "mass", "events", "q[1]", "q[2]", "θ", "Ωx", "x_dot", "x", "energy", "motion", "sign_", "real_sqrt", "ans", "parameter"]
TERMS = ["sin({a})*{b}", "abs({a} - {b})", "min({a}, {b}^2)", "max({a}, 2*{b})", "atan2({a}, 3 + {b}^2)", "sqrt(1 + {a}^2)", "exp(-{a}^2)*{b}", "log(2 + {b}^2)*{a}", "tanh({a})*cos({b})",
         "(1 + {a}^2)^(3/2)/(2 + sin({b}))", "sinh({a}/4) - cosh({b}/3)", "asin({a}/9)*acos({b}/9)", "sign({a} + 1/3)*{b}", "(1 + {a}^2)^(1/3)", "{a}*tan({b}/7)", "pi*{a}/e^{b}"]


# Dense linear systems, which are solved in numbers: symmetric, and with multipliers among the unknowns.
CHAIN = """system chain
const N = 8
coord x[1..N]
for i in 1..N {
  let at[i] = (sum(j in 1..i, sin(x[j])), -sum(j in 1..i, cos(x[j])), 0)
  point bob[i]: mass 1 at at[i]
  initial x[i] = i/10
}
potential -9*sum(i in 1..N, sum(j in 1..i, cos(x[j])))
"""
HELD = CHAIN.replace("chain", "held") + "constraint c: x[1]' + x[2]'*cos(x[3]) - x[8]'*x[1] = 0\ninitial x[1]' = 0.3, x[2]' = 0.1\n"


def chains(folder):
    for name, text in (("chain", CHAIN), ("held", HELD)):
        (folder / (name + ".ham")).write_text(text)
    return [(str(folder / "chain.ham"), []), (str(folder / "held.ham"), ["--form", "multipliers"])]


def random_model(folder, number):
    names = RNG.sample([n for n in NAMES if not n.startswith("q[")], 7)
    names[0:2] = ["q[1]", "q[2]"]
    coordinates, parameters, u = names[:3], names[3:6], names[6]
    a = lambda: RNG.choice(coordinates)
    b = lambda: RNG.choice(coordinates + parameters)
    term = lambda: RNG.choice(TERMS).format(a=a(), b=b())
    p, q, r = parameters
    lines = ["system random_%d" % number, "coord q[1..2], %s" % names[2], "param " + ", ".join("%s = %g" % (n, RNG.uniform(0.5, 2)) for n in parameters), "input %s = %s" % (u, term()),
             "kinetic (1 + %s^2)/2*q[1]'^2 + q[2]'^2*(2 + sin(%s))/2 + (%s^2 + q[1]^2 + 1)*%s'^2/2" % (p, names[2], q, names[2]), "potential " + term(), "potential " + term(),
             "force %s = %s" % (a(), u), "force q[1] = %s*t" % term()]
    if number % 2:
        lines.append("constraint roll: q[1]'*cos(%s) + %s*q[2]' - %s'*sin(q[2])/3 = 0" % (names[2], r, names[2]))
    lines += ["observe seen = " + term(), "event hits: q[1] - %s stop" % p, "event falls: %s" % term(),
              "initial " + ", ".join("%s = %g" % (c, RNG.uniform(-1, 1)) for c in coordinates) + ", q[2]' = 0.25, %s' = -0.5" % names[2], ""]
    path = folder / ("random_%d.ham" % number)
    path.write_text("\n".join(lines))
    return str(path)


# --- the code of a model -------------------------------------------------------------------------

OCTAVE = """
s = %s();
Z = dlmread('states.txt');
for k = 1:max(Z(1, :))
  columns = find(Z(1, :) == k);
  t = Z(2, columns(1));
  z = Z(3:end, columns);
  names = {%s};
  for j = 1:numel(names)
    many = s.(names{j})(t, z);
    one = s.(names{j})(t, z(:, 1));
    if ndims(many) == 3, one = one.'; many = permute(many, [2, 1, 3]); end
    many = reshape(many, [], numel(columns));
    file = fopen([names{j} '.txt'], 'at');
    fprintf(file, [repmat('%%.17g ', 1, size(many, 1)) '\\n'], [one(:), many]);
    fclose(file);
  end
end
"""


class Code:
    """The projects of one model, and its states, each with others around it."""

    def __init__(self, model, options, folder):
        self.model, self.options, self.folder = model, options, folder
        self.refused = None
        for target in TARGETS:
            made = run(HAMEL, "codegen", "--target", target, "-o", str(folder / target), model, *options)
            if made.returncode:
                self.refused = made.stderr
                return
        self.module = next(p for p in (folder / "python").glob("*.py") if p.name != "main.py")
        text = self.module.read_text()
        self.form = re.search(r"^#\n# [^(]*\(([a-z][\w-]*)\)", text, re.M).group(1)
        space = {"__name__": "module"}
        exec(compile(text, str(self.module), "exec"), space)
        self.python = space
        self.state, self.names = space["STATE"], [n for n in space["_SHAPES"] if n != "inputs"]
        self.julia = _read_back.Julia(next(p for p in (folder / "julia").glob("*.jl") if p.name != "main.jl").read_text())
        self.modelica = _read_back.Modelica(next((folder / "modelica").glob("*.mo")).read_text())

    def set_states(self, evaluations):
        self.evaluations = evaluations
        self.around = []
        for e in evaluations:
            z = [float(symbol_value(e, s)) for s in self.state]
            self.around.append((float(e["t"]), np.array([z] + [[v + (i == j) * self.step(v) for i, v in enumerate(z)] for j in range(len(z))]).T))
        table = np.hstack([np.vstack([np.full((1, z.shape[1]), k + 1), np.full((1, z.shape[1]), t), z]) for k, (t, z) in enumerate(self.around)])
        np.savetxt(self.folder / "matlab" / "states.txt", table, fmt="%.17g")

    @staticmethod
    def step(v):
        return 1e-6 * max(1, abs(v))

    def octave_script(self):
        source = next(p for p in (self.folder / "matlab").glob("*.m") if p.name != "main.m")
        text = OCTAVE % (source.stem, ", ".join("'%s'" % n for n in self.names))
        return "cd('%s');\nclear functions;\n" % (self.folder / "matlab") + text

    def read_octave(self):
        self.octave = {}
        for name in self.names:
            rows = [[float(v) for v in line.split()] for line in (self.folder / "matlab" / (name + ".txt")).read_text().splitlines()]
            width = len(rows) // len(self.around)
            self.octave[name] = [rows[k * width:(k + 1) * width] for k in range(len(self.around))]

    def values(self, target, which):
        """function -> results at the state and at those around it, and what is wrong."""
        t, z = self.around[which]
        found, wrong = {}, []
        if target == "modelica":
            columns = [self.modelica.value(t, z[:, k].tolist()) for k in range(z.shape[1])]
            found["rhs"] = [[env["der(%s)" % s] for s in self.modelica.states] for env in columns]
            entries = self.python["ENTRIES"]
            shown = {said: name for name, said in self.modelica.shown}
            for name in ("energy", "multipliers", "observables", "residuals", "invariants"):
                if name in self.names:
                    found[name] = [[env[shown[e]] for e in entries[name]] for env in columns]
            return found, wrong
        for name in self.names:
            if target == "python":
                many, one = self.python[name](t, z), self.python[name](t, z[:, 0])
                found[name] = [np.ravel(many[..., k]).tolist() for k in range(z.shape[1])]
                one = np.ravel(one)
            elif target == "matlab":
                one, *found[name] = self.octave[name][which]
            else:
                found[name] = [self.julia.value(name, t, z[:, k].tolist()) for k in range(z.shape[1])]
                continue
            if not np.abs(np.array(one) - found[name][0]).max(initial=0) <= 1e-12 * (1 + np.abs(one).max(initial=0)):  # a system solved in another order of sums
                wrong.append("%s of one state is not that of many" % name)
        return found, wrong

    def scale(self, rows, z):
        base = np.abs(rows[0]) + 1
        for j, moved in enumerate(rows[1:]):
            base = base + np.abs(np.array(moved) - rows[0]) * max(1, abs(z[j, 0])) / self.step(z[j, 0])
        return base

    def compare(self, target, which):
        e, (t, z) = self.evaluations[which], self.around[which]
        values, wrong = self.values(target, which)
        expected = {"rhs": [symbol_value(e, s + "'") for s in self.state], "velocities": e["qd"].values(), "energy": [e["energy"]], "multipliers": e["lambda"].values(),
                    "reactions": e["reaction"].values(), "residuals": e["residual"].values()}
        for name in set(expected) & set(values):
            right = np.array([float(v) for v in expected[name]])
            off = np.abs(np.array(values[name][0]) - right) / self.scale(values[name], z)
            if not off.max(initial=0) <= TOLERANCE:
                wrong.append("%s: %s for %s" % (name, values[name][0], right.tolist()))
        if "jacobian" in values:
            n = len(self.state)
            held = {"u": self.python["inputs"](t, z[:, :1])} if self.python["INPUTS"] else {}
            f = self.python["rhs"](t, z, **held).T
            slope = np.array([(f[j + 1] - f[0]) / self.step(z[j, 0]) for j in range(n)]).T.reshape(n, n)
            made = np.array(values["jacobian"][0]).reshape(n, n)
            size = np.abs(slope).max(initial=0) + np.abs(f).max(initial=0) + 1 + np.abs(np.array(values["jacobian"]) - values["jacobian"][0]).max(initial=0) / 1e-6
            if not np.abs(made - slope).max(initial=0) <= SLOPE * size:
                wrong.append("jacobian: off by %.3g" % np.abs(made - slope).max())
        if "mass" in values:
            comment = re.search(r"def mass\(.*?\n    \".*? u = \((.*)\)\"", self.module.read_text()).group(1)
            u = np.array([float(symbol_value(e, name)) for name in re.split(r",\s(?![^\[]*\])", comment)])
            mass, forcing = np.array(values["mass"][0]).reshape(len(u), len(u)), np.array(values["forcing"][0])
            scale = self.scale(values["forcing"], z) + self.scale(values["mass"], z).reshape(len(u), len(u)) @ np.abs(u)
            if not (np.abs(mass @ u - forcing) / scale).max(initial=0) <= TOLERANCE:
                wrong.append("M u = F: %s for %s" % ((mass @ u).tolist(), forcing.tolist()))
        self.found = values
        return wrong


def prepare(case, folder):
    """The code of a case with its states; or what is wrong; or nothing, where hamel has no values either."""
    model, options = case
    folder.mkdir()
    try:
        code = Code(model, options, folder)
    except (SyntaxError, KeyError, AttributeError, IndexError) as error:
        return "%s: %s" % (type(error).__name__, error)
    if code.refused:
        return ("no code, but values: " + code.refused[:300]) if evaluate(model, options, None) else None
    options = options + ([] if "--form" in options else ["--form", code.form])
    first = evaluate(model, options, None)
    if first is None:
        return "code, but no values"
    second = elsewhere(model, options, first)
    code.set_states([first] + ([second] if second else []))
    return code


def judge(code):
    wrong = []
    for target in TARGETS:
        for which in range(len(code.around)):
            try:
                wrong += ["%s: %s" % (target, w) for w in code.compare(target, which)]
            except (ArithmeticError, ValueError, KeyError, IndexError) as error:
                wrong.append("%s: %s: %s" % (target, type(error).__name__, error))
    return wrong


def main():
    models = [m["name"] for m in json.loads(run(HAMEL, "models", "--json").stdout)["models"]]
    failed = compared = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        cases = [(m, []) for m in sys.argv[1:]] or [(m, []) for m in models[::EVERY]] + ALSO + chains(scratch) + [(random_model(scratch, i), []) for i in range(RANDOM)]
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            made = list(pool.map(lambda c: prepare(c[1], scratch / str(c[0])), enumerate(cases)))
        codes = [(case, c) for case, c in zip(cases, made) if isinstance(c, Code)]
        script = scratch / "all.m"
        script.write_text("warning('off');\n" + "".join("try\n%scatch problem\n  printf('%s: %%s\\n', problem.message);\nend\n" % (c.octave_script(), case[0]) for case, c in codes))
        said = subprocess.run(["octave", "--no-gui", "--norc", "--quiet", str(script)], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
        if said:
            failed += 1
            print("FAIL octave says: " + said[:600])
        for case, c in zip(cases, made):
            wrong = [c] if isinstance(c, str) else []
            if isinstance(c, Code):
                c.read_octave()
                wrong = judge(c)
                compared += len(c.around)
            failed += bool(wrong)
            if wrong:
                print("FAIL %s: %s" % (" ".join([case[0]] + case[1]), "; ".join(w[:300] for w in wrong[:4])))
    if compared < 1.5 * len(cases):
        failed += 1
        print("FAIL only %d states were compared" % compared)
    print("%d passed, %d failed" % (len(cases) + 2 - failed, failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
