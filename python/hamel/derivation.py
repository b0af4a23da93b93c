"""Equations of motion: as text, as LaTeX, as SymPy's objects."""
from __future__ import annotations

import dataclasses
import html
import json
from typing import TYPE_CHECKING, Any, Iterator, Optional

from . import _library as c
from ._calls import encode_optional
from ._library import lib
from .errors import UsageError

if TYPE_CHECKING:
    from ._sympy_out import Symbolic
    from .model import Model

RAW, FULL = 2, 4  # HAMEL_DERIVE_*


@dataclasses.dataclass(frozen=True)
class Equation:
    """One equation, ``lhs = rhs``; where it is solved, ``unknown = value``."""

    kind: str  #: "motion", "velocity", "constraint" ..
    lhs: str
    rhs: str
    latex: str
    unknown: Optional[str] = None
    value: Optional[str] = None

    def __str__(self) -> str:
        return f"{self.unknown} = {self.value}" if self.unknown and self.value is not None else f"{self.lhs} = {self.rhs}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"


class Derivation:
    """The equations of motion by one formalism.

    A notebook typesets them; ``str()`` is their text, ``latex`` their LaTeX, ``to_sympy()`` what SymPy goes on with, ``matrix`` and
    ``forcing`` M and F of M x + F = 0 in the ``unknowns``.

    >>> import hamel; d = hamel.load("pendulum").derive(); d.unknowns
    ["x''"]
    """

    def __init__(self, model: "Model", document: dict[str, Any], flags: int) -> None:
        self._model = model
        self._flags = flags
        self._symbolic: Optional["Symbolic"] = None
        self.id: str = document["id"]
        self.name: str = document["name"]
        self.unknowns: list[str] = document.get("unknowns", [])
        self.equations = [_equation(one) for one in document.get("equations", [])]
        self.definitions = [_equation(one) for one in document.get("definitions", [])]

    def __iter__(self) -> Iterator[Equation]:
        return iter(self.equations)

    def __len__(self) -> int:
        return len(self.equations)

    @property
    def latex(self) -> str:
        """The equations with `align*`, as ``hamel derive --format latex`` writes them."""
        return self._model._ask(lib.hamel_model_derive, self.id.encode(), c.LATEX, self._flags)

    @property
    def text(self) -> str:
        """All that ``hamel derive`` prints of the form."""
        return self._model._ask(lib.hamel_model_derive, self.id.encode(), c.TEXT, self._flags)

    def to_sympy(self, plain: bool = False) -> "Symbolic":
        """The equations as SymPy's objects: coordinates are functions of the time, as sympy.physics.mechanics has them; with ``plain``
        they and their derivatives are symbols."""
        from ._sympy_out import symbolic
        return symbolic(self._model, self.id, plain)

    def _matrices(self) -> "Symbolic":
        if self._symbolic is None:
            self._symbolic = self.to_sympy()
        return self._symbolic

    @property
    def matrix(self) -> Any:
        """M of M x + F = 0, a SymPy Matrix."""
        return self._matrices().M

    @property
    def forcing(self) -> Any:
        """F of M x + F = 0, a SymPy Matrix."""
        return self._matrices().F

    def __str__(self) -> str:
        return "\n".join([f"{self.name} ({self.id})", *(f"  {one}" for one in self.equations)])

    def __repr__(self) -> str:
        return f"<hamel.Derivation {self.id}: {len(self.equations)} equations>"

    def _aligned(self) -> str:
        lines = [one.latex.replace(" = ", " &= ", 1) for one in [*self.equations, *self.definitions]]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$$\n{self._aligned()}\n$$"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.name)}</p>\n$$\n{html.escape(self._aligned(), quote=False)}\n$$"


class Derivations(list):  # type: ignore[type-arg]
    """The equations by several formalisms, in the order in which `hamel forms` lists them; ``found["hamel"]`` is one."""

    #: ids of the formalisms that do not apply, with the reason
    refused: dict[str, str]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            for one in self:
                if one.id == key:
                    return one
            raise KeyError(f"no form {key!r} here: {self.refused.get(key, 'there are ' + ', '.join(one.id for one in self))}")
        return super().__getitem__(key)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "\n".join(one._repr_html_() for one in self)


def _equation(one: dict[str, Any]) -> Equation:
    return Equation(one.get("kind", "definition"), one.get("lhs", one.get("name", "")), one.get("rhs", one.get("value", "")), one.get("latex", ""),
                    one.get("unknown"), one.get("value"))


def derive_all(model: "Model", forms: Optional[str], flags: int = 0) -> Derivations:
    document = json.loads(model._ask(lib.hamel_model_derive, encode_optional(forms, "forms"), c.JSON, flags))
    found = Derivations(Derivation(model, one, flags) for one in document["forms"] if one["applies"])
    found.refused = {one["id"]: str(one.get("reason", "")) for one in document["forms"] if not one["applies"]}
    return found


def derive(model: "Model", form: Optional[str], raw: bool, full: bool) -> Derivation:
    if form is not None and (form == "all" or "," in form):
        raise UsageError("derive() takes one formalism; derive_all() takes several")
    found = derive_all(model, form, RAW*bool(raw) + FULL*bool(full))
    derived: Derivation = list.__getitem__(found, 0)
    return derived
