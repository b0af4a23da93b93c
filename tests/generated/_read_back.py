"""Generated Julia and Modelica read back: a small parser of their assignments and expressions, which knows nothing of how they were written.

Neither language is run here (Debian has no tool for them): what stands in the files is evaluated instead.
"""
import math
import re

import numpy as np

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(.))", re.S)


def power(a, b):
    return math.pow(a, b)


FUNCTIONS = {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "sinh": math.sinh, "cosh": math.cosh,
             "tanh": math.tanh, "exp": math.exp, "log": math.log, "abs": abs, "sign": lambda x: (x > 0) - (x < 0), "atan2": math.atan2,
             "atan": lambda *a: math.atan2(*a) if len(a) == 2 else math.atan(*a)}


class Parser:
    """Expressions as functions of an environment (a dictionary of numbers and lists)."""

    def __init__(self, text):
        self.tokens = [m.groups() for m in TOKEN.finditer(text.strip())]
        self.at = 0

    def peek(self):
        return next((t for t in self.tokens[self.at] if t), "") if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if wanted is not None and token != wanted:
            raise SyntaxError("%r where %r was expected" % (token, wanted))
        self.at += 1
        return token

    def whole(self):
        value = self.sum()
        if self.at != len(self.tokens):
            raise SyntaxError("%r behind an expression" % self.peek())
        return value

    def sum(self):
        value = self.negation() if self.peek() == "-" else self.product()
        while self.peek() in ("+", "-"):
            minus = self.take() == "-"
            if self.peek() in ("+", "-"):
                raise SyntaxError("two signs in a row: Modelica has none")
            value = self.minus(value, self.product()) if minus else self.plus(value, self.product())
        return value

    def negation(self):
        self.take("-")
        value = self.product()
        return lambda env: -value(env)

    plus = staticmethod(lambda a, b: lambda env: a(env) + b(env))
    minus = staticmethod(lambda a, b: lambda env: a(env) - b(env))
    times = staticmethod(lambda a, b: lambda env: a(env) * b(env))
    over = staticmethod(lambda a, b: lambda env: a(env) / b(env))
    power = staticmethod(lambda a, b: lambda env: power(a(env), b(env)))

    def product(self):
        value = self.factor()
        while self.peek() in ("*", "/"):
            value = (self.times if self.take() == "*" else self.over)(value, self.factor())
        return value

    def factor(self):
        base = self.primary()
        if self.peek() == "^":
            self.take()
            base = self.power(base, self.primary())
        return base

    def items(self, end):
        found = []
        while self.peek() != end:
            found.append(self.sum())
            if self.peek() != end:
                self.take(",")
        self.take(end)
        return found

    def primary(self):
        token = self.take()
        if token == "(":
            value = self.sum()
            self.take(")")
            return value
        if token == "[":
            found = self.items("]")
            return lambda env: [f(env) for f in found]
        if re.match(r"[\d.]", token):
            number = float(token)
            return lambda env: number
        if not re.match(r"[A-Za-z_]", token):
            raise SyntaxError("%r begins no expression" % token)
        if self.peek() == "(":
            self.take()
            arguments = self.items(")")
            return lambda env: (env.get("()" + token) or FUNCTIONS[token])(*(f(env) for f in arguments))
        if self.peek() == "[":
            self.take()
            (index,) = self.items("]")
            return lambda env: env[token][int(index(env)) - 1]
        return lambda env: env[token]


def solve(n, columns, entries):
    """Rows of the matrix, then the right-hand sides: the solution, column after column."""
    a, b = np.array(entries[:n * n]).reshape(n, n), np.array(entries[n * n:]).reshape(columns, n)
    return np.linalg.solve(a, b.T).T.ravel().tolist()


# --- Julia ---------------------------------------------------------------------------------------


def julia_look_up(time, term, t):
    piece = max(1, min(sum(1 for v in time if v <= t), len(time) - 1)) - 1
    return (time[piece], *term[piece])


class Julia:
    def __init__(self, text):
        self.constants = {}
        for name, body in re.findall(r"^const (\w+) = Float64\[\n(.*?)^\]$", text, re.M | re.S):
            self.constants[name] = [float(v) for v in body.replace("NaN", "nan").split(",")[:-1]]
        for name, body in re.findall(r"^const (data_term_\d+) = \[\n(.*?)^\]$", text, re.M | re.S):
            self.constants[name] = [tuple(float(v) for v in row.strip(",() ").split(", ")) for row in body.splitlines()]
        self.functions = {}
        for name, arguments, body in re.findall(r"^function (\w+)!\(([^)]*)\)\n(.*?)^end$", text, re.M | re.S):
            if "return %s!" % name not in body:
                self.functions[name] = self.statements(body)
        self.inputs = re.search(r"^const input = String\[(.*)\]$", text, re.M).group(1) != ""

    @staticmethod
    def statements(body):
        found = []
        for left, right in re.findall(r"^    (\S[^\n]*?) = (.*?)$(?=\n    (?:\w[^\n]*? = |return nothing))", body, re.M | re.S):
            parsed = Parser(right).whole()
            found.append((left, parsed))
        return found

    def value(self, function, t, z):
        env = {**self.constants, "z": z, "p": self.constants["p0"], "t": t, "()solve_system": lambda n, c, e: solve(int(n), int(c), e), "()look_up": julia_look_up}
        if self.inputs and function != "inputs":
            env["u"] = self.value("inputs", t, z)
        out = []
        for left, right in self.functions[function]:
            value = right(env)
            if left.startswith("out["):
                out.append(value)
            elif "," in left:
                env.update(zip(left.split(", "), value))
            else:
                env[left] = value
        return out


# --- Modelica ------------------------------------------------------------------------------------


class Modelica:
    def __init__(self, text):
        models = re.findall(r"^model (\w+) \"(?:[^\"\\]|\\.)*\"\n(.*?)^equation\n(.*?)^  annotation.*?^end \1;$", text, re.M | re.S)
        self.start, self.data = {}, {}
        for name, body in re.findall(r"^  function (data_\d+) .*?^    constant (.*?)^    Integer k;", text, re.M | re.S):
            lists = [[float(v) for v in part.split(",")] for part in re.findall(r"\{(.*?)\}", body, re.S)]
            self.data[name] = lambda t, begins=lists[0], term=lists[1]: julia_look_up(begins, [term[i:i + 4] for i in range(0, len(term), 4)], t)
        name, declared, equations = models[0]
        self.states, self.parameters = [], {}
        for kind, variable, rest in re.findall(r"^  (parameter |input |)Real (\w+)(.*?);$", declared, re.M):
            if kind == "parameter ":
                self.parameters[variable] = float(re.search(r" = (\S+) \"", rest).group(1))
            elif "fixed = true" in rest:
                self.states.append(variable)
                self.start[variable] = float(re.search(r"start = ([^,]+),", rest).group(1))
        self.lists = {v: int(n) for v, n in re.findall(r"^  Real (\w+)\[(\d+)\];$", "".join(m[1] for m in models), re.M)}
        self.equations = self.parse(equations)
        self.law = self.parse(models[1][2]) if len(models) > 1 else []
        self.shown = re.findall(r"^  Real (\w+)(?:\([^)]*\))? \"((?:[^\"\\]|\\.)*)\";$", declared.split("protected\n  Real")[0], re.M)

    def parse(self, equations):
        found = []
        for left, right in re.findall(r"^  (?! |when|assert|//|end )(.+?) = (.+?);$", equations, re.M):
            unknown = next((v for v in self.lists if v + "[" in left), None)
            found.append((unknown, Parser(left).whole(), Parser(right).whole()) if unknown else (None, left.strip(" {}").split(", "), Parser(right).whole()))
        return found

    def run(self, equations, env):
        waiting = []
        for unknown, left, right in equations:
            if unknown is None:
                value = right(env)
                env.update(zip(left, value if len(left) > 1 else [value]))
                continue
            waiting.append((left, right))
            size = self.lists[unknown]
            if len(waiting) < size:
                continue
            unit = lambda k: {**env, unknown: [float(i == k) for i in range(size)]}
            matrix = [[row(unit(k)) for k in range(size)] for row, _ in waiting]
            env[unknown] = np.linalg.solve(np.array(matrix), np.array([side(env) for _, side in waiting])).tolist()
            waiting = []

    def value(self, t, z):
        """All variables at a state."""
        env = {**self.parameters, **dict(zip(self.states, z)), "time": t, **{"()" + n: f for n, f in self.data.items()}}
        for name, f in self.data.items():
            env["()" + name] = f
        if self.law:
            data = [e for e in self.equations if "()" in str(e[1]) or (e[0] is None and len(e[1]) == 5)]
            self.run(data, env)
            inner = {"motion." + k: v for k, v in env.items()} | {"time": t}
            self.run(self.law, inner)
            env.update({k[len("motion."):]: v for k, v in inner.items() if k.startswith("motion.")})
        self.run(self.equations, env)
        return env
