"""hamel: a compiler and laboratory for constrained mechanics, from Python.

>>> import hamel
>>> m = hamel.load("sleigh")
>>> print(m.derive())
Maggi's equations (maggi)
  v' = a*w^2
  w' = -m*a*v*w/(J + m*a^2)
  x' = v*cos(theta) - a*w*sin(theta)
  y' = v*sin(theta) + a*w*cos(theta)
  theta' = w
>>> tr = m.simulate(until=10)
>>> bool(abs(tr["energy"] - tr["energy"][0]).max() < 1e-12)
True
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _library
from .errors import ClosedError, Error, HamelWarning, LimitError, ModelError, NumericsError, Refuted, Undecided, UsageError
from .model import Model, load, models
from .motion import Motion
from .trajectory import Happening, Trajectory, read

if TYPE_CHECKING:
    from .derivation import Derivation, Derivations, Equation
    from .linear import Linearisation
    from .solver import Solver
    from .sweeps import Sweep
    from .verdicts import Verdict, Verdicts

#: the version of the library that is loaded
__version__: str = _library.text(_library.lib.hamel_version())

_LATER = {"Derivation": "derivation", "Derivations": "derivation", "Equation": "derivation", "Linearisation": "linear", "Solver": "solver", "Sweep": "sweeps",
          "Verdict": "verdicts", "Verdicts": "verdicts", "from_sympy": "_sympy_in"}

__all__ = ["ClosedError", "Derivation", "Derivations", "Equation", "Error", "Happening", "HamelWarning", "LimitError", "Linearisation", "Model",
           "ModelError", "Motion", "NumericsError", "Refuted", "Solver", "Sweep", "Trajectory", "Undecided", "UsageError", "Verdict", "Verdicts",
           "from_sympy", "known", "load", "models", "read"]


def known(kind: str) -> dict[str, str]:
    """What can be named in a call: "forms", "methods", "formats", "targets", "models" .., with what each is.

    >>> hamel.known("methods")["taylor"]
    'Taylor series of variable order'
    """
    return _library.known(kind)


def __getattr__(name: str) -> Any:
    """Parts that few need, SymPy among them, are imported when they are first used."""
    if name in _LATER:
        import importlib
        found = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
