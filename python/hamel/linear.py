"""The linear motion around a steady one, as NumPy arrays."""
from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library as c
from ._calls import encode_optional
from ._library import lib
from ._values import Result, State, convert, state_text

if TYPE_CHECKING:
    from .model import Model


@dataclasses.dataclass
class Linearisation:
    """dz' = A dz + B du; M p'' + C p' + K p = F u; outputs by ``observe`` and ``feedthrough``.

    The arrays hold floats, or SymPy's expressions where they were asked for as symbols; then there are no eigenvalues.
    """

    states: list[str]
    inputs: list[str]
    outputs: list[str]
    coordinates: list[str]
    A: Any
    B: Any
    observe: Any
    feedthrough: Any
    M: Any
    C: Any
    K: Any
    F: Any
    eigenvalues: Any  #: complex
    modes: Any  #: complex, a column for each eigenvalue
    stable: str  #: "yes", "no" or what is known
    more: Result

    def __str__(self) -> str:
        return f"states {', '.join(self.states)}\nA =\n{self.A}\neigenvalues {self.eigenvalues}\nstable {self.stable}"


def _matrix(rows: list[list[str]], height: int, width: int, symbolic: bool) -> Any:
    if symbolic:
        import sympy

        from ._sympy_text import parse
        return sympy.Matrix(height, width, [parse(entry) for row in rows for entry in row])
    return np.array([[float(entry) for entry in row] for row in rows], dtype=float).reshape(height, width)


def linearise(model: "Model", at: State, symbolic: bool) -> Linearisation:
    document = json.loads(model._ask(lib.hamel_model_linearise, encode_optional(state_text(at)), None, int(symbolic), c.JSON))
    names = [document.get(key, []) for key in ("states", "inputs", "outputs", "coordinates")]
    z, u, y, p = map(len, names)
    sizes = {"A": (z, z), "B": (z, u), "observe": (y, z), "feedthrough": (y, u), "M": (p, p), "C": (p, p), "K": (p, p), "F": (p, u)}
    matrices = {key: _matrix(document[key], *size, symbolic) if document.get(key) is not None else None for key, size in sizes.items()}
    values = document.get("eigenvalues") or []
    modes = np.array([[complex(float(v["mode"][name]["re"]), float(v["mode"][name]["im"])) if name in v.get("mode", {}) else complex("nan")
                       for v in values] for name in names[0]], dtype=complex).reshape(z, len(values))
    return Linearisation(*names, **matrices,  # type: ignore[misc]
                         eigenvalues=np.array([complex(float(v["re"]), float(v["im"])) for v in values], dtype=complex),
                         modes=modes, stable=str(document.get("stable", "")), more=convert(document, str if symbolic else float))
