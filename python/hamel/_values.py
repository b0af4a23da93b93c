"""Numbers and states on their way into the library and out of it: exact texts one way, floats, Decimals or mpmath's numbers the other."""
from __future__ import annotations

import decimal
import fractions
import math
import numbers
import re
from typing import Any, Callable, Mapping, Union

from .errors import UsageError

State = Union[None, str, Mapping[Any, Any]]  # "x=1, x'=2" or {"x": 1, "x'": 2}


def number_text(value: Any) -> str:
    """The exact text of a number; a str is taken as it is, an expression of the model ("pi/3", "32.2 [ft/s^2]").

    >>> number_text(0.1), number_text(fractions.Fraction(1, 3)), number_text("pi/3")
    ('0.1', '1/3', 'pi/3')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise TypeError("a truth value is no number")
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, fractions.Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise UsageError(f"{value} is no finite number")
        return format(value, "f") if -30 < value.adjusted() < 30 else str(value)
    if hasattr(value, "free_symbols") or str(type(value).__module__).startswith("mpmath"):
        return _symbolic_text(value)
    if not isinstance(value, numbers.Real) and getattr(value, "shape", None) != ():
        raise TypeError(f"a number or a text is wanted, not {type(value).__name__}")
    value = float(value)
    if not math.isfinite(value):
        raise UsageError(f"{value} is no finite number")
    return repr(value)


def _symbolic_text(value: Any) -> str:
    if not hasattr(value, "free_symbols"):
        import mpmath
        if not mpmath.isfinite(value):
            raise UsageError(f"{value} is no finite number")
        return str(mpmath.nstr(value, mpmath.mp.dps + 3, min_fixed=-30, max_fixed=30))
    from ._sympy_text import text_of_number
    return text_of_number(value)


def name_text(name: Any) -> str:
    """The name of a coordinate or velocity: a text, or SymPy's x(t), x(t).diff(t), x."""
    if isinstance(name, str):
        return name
    if hasattr(name, "free_symbols"):  # SymPy's
        from ._sympy_text import plain_name
        return plain_name(name)
    raise TypeError(f"a name is a str, not {type(name).__name__}")


def state_text(at: State) -> Union[str, None]:
    """A state as the library reads it.

    >>> state_text({"x": 1, "x'": 0.5})
    "x = 1, x' = 0.5"
    """
    if at is None or isinstance(at, str):
        return at
    if not isinstance(at, Mapping):
        raise TypeError(f"a state is a dict of names and numbers or a text, not {type(at).__name__}")
    return ", ".join(f"{name_text(name)} = {number_text(value)}" for name, value in at.items())


NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?\Z")


def reader(numbers_as: Any, digits: int) -> Callable[[str], Any]:
    """What makes numbers of texts: float, "decimal", "mpmath", "text", or a callable."""
    if numbers_as in (float, "float"):
        return float
    if numbers_as in (decimal.Decimal, "decimal"):
        return decimal.Decimal
    if numbers_as in (str, "text"):
        return str
    if numbers_as == "mpmath" or getattr(numbers_as, "__module__", "").startswith("mpmath"):
        import mpmath

        def read(text: str) -> Any:
            with mpmath.workdps(max(mpmath.mp.dps, digits + 5)):
                return mpmath.mpf(text)
        return read
    if callable(numbers_as):
        return numbers_as
    raise UsageError(f"numbers are float, \"decimal\", \"mpmath\", \"text\" or a callable, not {numbers_as!r}")


def convert(document: Any, read: Callable[[str], Any] = float) -> Any:
    """A JSON document of the library with its numbers, which are texts there, as numbers, and its objects as `Result`s."""
    if isinstance(document, dict):
        return Result((key, convert(value, read)) for key, value in document.items())
    if isinstance(document, list):
        return [convert(value, read) for value in document]
    if isinstance(document, str) and NUMBER.match(document):
        return read(document)
    return document


class Result(dict):  # type: ignore[type-arg]
    """What a study found: a dict whose entries are attributes, too.

    >>> r = Result(t=1.5, q=Result(x=2.0))
    >>> r.q.x
    2.0
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no {name!r} here; there is {', '.join(map(str, self))}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *map(str, self)]

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __str__(self) -> str:
        return "\n".join(_lines(self, 0))


def _short(value: Any) -> bool:
    return not isinstance(value, (dict, list)) or not value or (isinstance(value, list) and all(not isinstance(v, (dict, list)) for v in value))


def _plain(value: Any) -> str:
    return f"[{', '.join(map(_plain, value))}]" if isinstance(value, list) else str(value)


def _lines(value: Any, indent: int) -> list[str]:
    space, lines = " " * indent, []
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in pairs:
        if _short(one):
            lines.append(f"{space}{key!s:<{max(20 - indent, 1)}} {_plain(one)}")
        else:
            lines.append(f"{space}{key}")
            lines += _lines(one, indent + 2)
    return lines


SUFFIXES = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def limit_number(name: str, value: Any) -> Any:
    """A limit as a number: "2G" is 2e9."""
    if isinstance(value, str):
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?)([kMGT]?)", value.strip())
        if not match:
            raise UsageError(f"the limit {name} is a number, or one with k, M, G or T behind it, not {value!r}")
        value = float(match[1]) * SUFFIXES.get(match[2], 1)
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"the limit {name} is a number, not {type(value).__name__}")
    value = float(value) if name == "time" or not isinstance(value, int) else value
    if not (value >= 0 and math.isfinite(value)):
        raise UsageError(f"the limit {name} is a number that is not negative, not {value}")
    if name == "time":
        return float(value)
    if value >= 2**64:
        raise UsageError(f"the limit {name} is below 2^64, not {value}")
    return int(value)
