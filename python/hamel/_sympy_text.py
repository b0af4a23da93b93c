"""Expressions of the language as SymPy's and back: a parser of hamel's texts, a printer of SymPy's trees, names both ways."""
from __future__ import annotations

import re
from typing import Any, Callable, Optional

import sympy

from .errors import UsageError

FUNCTIONS = {"sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "asin": sympy.asin, "acos": sympy.acos, "atan": sympy.atan,
             "sinh": sympy.sinh, "cosh": sympy.cosh, "tanh": sympy.tanh, "exp": sympy.exp, "log": sympy.log, "sqrt": sympy.sqrt,
             "abs": sympy.Abs, "sign": sympy.sign, "atan2": sympy.atan2, "min": sympy.Min, "max": sympy.Max}
CONSTANTS = {"pi": sympy.pi, "e": sympy.E}
TAKEN = {*FUNCTIONS, *CONSTANTS, "t", "ddt", "diff", "sum", "prod", "lambda", "rot", "pos", "vel", "acc", "omega", "frame", "quat", "transpose",
         "velat", "inertia", "momentum", "dot", "cross", "norm", "reaction"}
GREEK = ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega").split()

TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)|(?P<name>[^\W\d]\w*(?:\[[^\]]*\])?'*)|(?P<sign>\*\*|[-+*/^(),]))")


# --- from hamel's text ------------------------------------------------------------------------------------------------

def parse(text: str, symbol: Optional[Callable[[str], Any]] = None) -> Any:
    """The expression that a text of hamel stands for; ``symbol`` makes what a name stands for, a plain Symbol without it.

    >>> parse("-m*x'^2/2 + sqrt(3)*sin(q[1])")
    -m*x'**2/2 + sqrt(3)*sin(q[1])
    """
    return _Parser(text, symbol or sympy.Symbol).whole()


class _Parser:
    """By precedence: sums, products, signs, powers."""

    def __init__(self, text: str, symbol: Callable[[str], Any]) -> None:
        self.text, self.symbol = text, symbol
        self.tokens, place = [], 0
        while text[place:].strip():
            match = TOKEN.match(text, place)
            if not match:
                raise UsageError(f"this is no expression of the language from character {place + 1} on: {text}")
            self.tokens.append((str(match.lastgroup), match[match.lastgroup or 0]))
            place = match.end()
        self.tokens.append(("end", ""))
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.tokens[self.at][0] in ("sign", "end") else ""

    def take(self, *signs: str) -> Optional[str]:
        if self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in signs:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise UsageError(f"`{sign}` was expected before `{self.tokens[self.at][1]}`: {self.text}")

    def whole(self) -> Any:
        found = self.sum()
        if self.tokens[self.at][0] != "end":
            raise UsageError(f"`{self.tokens[self.at][1]}` was not expected: {self.text}")
        return found

    def sum(self) -> Any:
        terms = [self.product()]
        while True:
            sign = self.take("+", "-")
            if not sign:
                return terms[0] if len(terms) == 1 else sympy.Add(*terms)
            terms.append(self.product() if sign == "+" else -self.product())

    def product(self) -> Any:
        found = self.signed()
        while True:
            sign = self.take("*", "/")
            if not sign:
                return found
            found = found * self.signed() if sign == "*" else found / self.signed()

    def signed(self) -> Any:
        if self.take("-"):
            return -self.signed()
        base = self.atom()
        return base**self.signed() if self.take("^", "**") else base

    def atom(self) -> Any:
        kind, word = self.tokens[self.at]
        if self.take("("):
            inner = self.sum()
            self.expect(")")
            return inner
        self.at += kind != "end"
        if kind == "number":
            return sympy.Rational(word)
        if kind != "name":
            raise UsageError(f"an expression was expected before `{word}`: {self.text}")
        if self.take("("):
            arguments = [self.sum()]
            while self.take(","):
                arguments.append(self.sum())
            self.expect(")")
            if word == "diff":
                return sympy.Derivative(*arguments)
            return FUNCTIONS[word](*arguments) if word in FUNCTIONS else sympy.Function(word)(*arguments)
        return CONSTANTS[word] if word in CONSTANTS else self.symbol(word)


# --- to hamel's text --------------------------------------------------------------------------------------------------

def plain_name(thing: Any) -> str:
    """What the language calls a symbol, a function of the time or its derivative: x, x', x''.

    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> plain_name(dynamicsymbols("theta_1", 1))
    "theta_1'"
    """
    if isinstance(thing, sympy.Derivative):
        if not _is_in_time(thing.expr) or len(thing.variable_count) != 1:
            raise UsageError(f"{thing} is no derivative by the time of a function of the time")
        return plain_name(thing.expr) + "'" * int(thing.variable_count[0][1])
    name = thing.name if isinstance(thing, sympy.Symbol) else thing.func.__name__ if _is_in_time(thing) else None
    if name is None:
        raise UsageError(f"{thing} is neither a symbol nor a function of the time")
    return identifier(name)


def _is_in_time(thing: Any) -> bool:
    return isinstance(thing, sympy.core.function.AppliedUndef) and len(thing.args) == 1 and isinstance(thing.args[0], sympy.Symbol)


def identifier(name: str) -> str:
    r"""A name of the language near to one of SymPy's.

    >>> identifier(r"\dot{m}_{1}"), identifier("e"), identifier("2x")
    ('dot_m_1', 'e_', 'n2x')
    """
    clean = re.sub(r"_+", "_", re.sub(r"[^0-9A-Za-z_\u0370-\u03ff]", "_", name.replace("\\", ""))).strip("_")[:190] or "n"
    if not re.match(r"[A-Za-z\u0370-\u03ff]", clean):
        clean = "n" + clean
    return clean + "_" if clean in TAKEN else clean


class Printer:
    """SymPy's trees as texts; ``names`` gives what symbols and functions of the time are called, by their plain names made unique."""

    def __init__(self, time: Any) -> None:
        self.time = time
        self.names: dict[Any, str] = {}
        self.used: set[str] = set()
        self.lets: dict[Any, str] = {}

    def name(self, thing: Any) -> str:
        """The name of a symbol or of a function of the time, the same for the same."""
        if thing not in self.names:
            base = plain_name(thing)
            chosen, number = base, 2
            while chosen in self.used:
                chosen, number = f"{base}_{number}", number + 1
            self.used.add(chosen)
            self.names[thing] = chosen
        return self.names[thing]

    def text(self, e: Any) -> str:
        return self._print(sympy.sympify(e), 0)

    def _print(self, e: Any, level: int) -> str:
        """``level``: 0 within a sum, 1 within a product, 2 as the base or exponent of a power."""
        kind, words = self._words(e)
        return f"({words})" if kind < level else words

    def _words(self, e: Any) -> tuple[int, str]:
        """The text, and how tightly it holds together: 0 a sum, 1 a product, 2 a power, 3 a whole."""
        if e in self.lets:
            return 3, self.lets[e]
        if e == self.time:
            return 3, "t"
        if e.is_Rational:
            return (0 if e < 0 else 3 if e.q == 1 else 1), str(e)
        if e.is_Float:
            return _float(e)
        if e is sympy.pi:
            return 3, "pi"
        if e is sympy.E:
            return 3, "exp(1)"
        if e.is_Symbol:
            return 3, self.name(e)
        if _is_in_time(e) and e.args[0] == self.time:
            return 3, self.name(e)
        if isinstance(e, sympy.Derivative) and _is_in_time(e.expr) and e.variables and set(e.variables) == {self.time}:
            return 3, self.name(e.expr) + "'" * len(e.variables)
        if e.is_Add:
            terms = [self._term(term) for term in e.args]
            return 0, terms[0] + "".join(f" - {one[1:]}" if one.startswith("-") else f" + {one}" for one in terms[1:])
        if e.is_Mul:
            return self._product(e)
        if e.is_Pow:
            if e.exp == sympy.Rational(1, 2):
                return 3, f"sqrt({self._print(e.base, 0)})"
            if e.base is sympy.E:
                return 3, f"exp({self._print(e.exp, 0)})"
            return 2, f"{self._print(e.base, 3)}^{self._print(e.exp, 3)}"
        return 3, self._call(e)

    def _term(self, e: Any) -> str:
        """Of a sum; one that is a sum itself, by a name, is in brackets."""
        kind, words = self._words(e)
        return words if kind or words.startswith("-") else f"({words})"

    def _product(self, e: Any) -> tuple[int, str]:
        """-3*a*b/2: a number in front is a sign, a factor and a divisor."""
        number, rest = e.as_coeff_Mul()
        if not number.is_Rational or number == 1:
            return 1, "*".join(self._print(factor, 2) for factor in e.args)
        factors = rest.args if rest.is_Mul else (rest,)
        words = "*".join([*([str(abs(number.p))] if abs(number.p) != 1 else []), *(self._print(factor, 2) for factor in factors)])
        words += f"/{number.q}" if number.q != 1 else ""
        return (0, f"-{words}") if number < 0 else (1, words)

    def _call(self, e: Any) -> str:
        for word, function in FUNCTIONS.items():
            if function is not sympy.sqrt and isinstance(e, function):
                return f"{word}({', '.join(self._print(a, 0) for a in e.args)})"
        if isinstance(e, (sympy.sec, sympy.csc, sympy.cot, sympy.sech, sympy.csch, sympy.coth)):
            return f"({self._print(_by_sines(e), 0)})"
        raise UsageError(f"the language has nothing for {type(e).__name__}: {e}\n  = it has + - * / ^, {', '.join(FUNCTIONS)}; functions of the time "
                         "are coordinates or go into `givens`")


def _by_sines(e: Any) -> Any:
    a = e.args[0]
    return {sympy.sec: lambda: 1/sympy.cos(a), sympy.csc: lambda: 1/sympy.sin(a), sympy.cot: lambda: sympy.cos(a)/sympy.sin(a),
            sympy.sech: lambda: 1/sympy.cosh(a), sympy.csch: lambda: 1/sympy.sinh(a), sympy.coth: lambda: sympy.cosh(a)/sympy.sinh(a)}[e.func]()


def _float(e: Any) -> tuple[int, str]:
    """The shortest decimal that reads back the same, of a double; all digits of a longer one."""
    if not e.is_finite:
        raise UsageError(f"{e} is no finite number")
    text = repr(float(e)) if e._prec == 53 else sympy.StrPrinter({"full_prec": True}).doprint(e)
    return (0 if text.startswith("-") else 3), text


def text_of_number(e: Any) -> str:
    """A number of SymPy's, or an expression of the model's parameters."""
    return Printer(None).text(e)
