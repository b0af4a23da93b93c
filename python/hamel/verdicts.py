"""Verdicts as a table."""
from __future__ import annotations

import dataclasses
import html
import json
from typing import TYPE_CHECKING, Any, Iterator

from . import _library as c
from ._calls import encode
from ._library import lib
from ._values import Result, convert
from .errors import Refuted, Undecided, UsageError

if TYPE_CHECKING:
    from .model import Model

SIGNS = {"proved": "\u2713", "refuted": "\u2717", "undecided": "?"}


@dataclasses.dataclass(frozen=True)
class Verdict:
    """One statement, and what was found of it."""

    kind: str  #: "form", "claim", "invariant", "energy", "mass" ..
    name: str
    verdict: str  #: "proved", "refuted", "undecided" ..
    method: str = ""  #: "modular", "normal form" ..
    bound: str = ""  #: the probability of an error is below, "2^-149"
    witness: Result = dataclasses.field(default_factory=Result)  #: of a refuted one: a state where it does not hold
    more: Result = dataclasses.field(default_factory=Result)  #: everything that was said of it

    @property
    def proved(self) -> bool:
        return self.verdict == "proved"

    def __str__(self) -> str:
        how = ", ".join(filter(None, (self.method, f"error below {self.bound}" if self.bound else "")))
        return f"{self.kind} {self.name}: {self.verdict}{f' ({how})' if how else ''}"


class Verdicts:
    """A table of verdicts: ``len()``, ``for v in ..``, ``table["energy"]`` by name, and a table in a notebook."""

    def __init__(self, rows: list[Verdict]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.rows)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            for one in self.rows:
                if one.name == key:
                    return one
            raise KeyError(f"no verdict on {key!r}; there are those on {', '.join(one.name for one in self.rows)}")
        return Verdicts(self.rows[key]) if isinstance(key, slice) else self.rows[key]

    def count(self, verdict: str) -> int:
        """How many are "proved", "refuted" .."""
        return sum(one.verdict == verdict for one in self.rows)

    @property
    def all_proved(self) -> bool:
        return self.count("proved") == len(self.rows)

    def require(self) -> "Verdicts":
        """Raises Refuted or Undecided unless everything was proved; the table is in the exception's ``partial``."""
        for word, kind in (("refuted", Refuted), ("undecided", Undecided)):
            bad = [str(one) for one in self.rows if one.verdict == word]
            if bad:
                raise kind("\n".join(bad), partial=self)
        return self

    def __str__(self) -> str:
        table = [("kind", "name", "verdict", "how")]
        table += [(v.kind, v.name, v.verdict, ", ".join(filter(None, (v.method, f"error below {v.bound}" if v.bound else "")))) for v in self.rows]
        widths = [max(len(row[i]) for row in table) for i in range(3)]
        return "\n".join("  ".join([*(cell.ljust(w) for cell, w in zip(row, widths)), row[3]]).rstrip() for row in table)

    def __repr__(self) -> str:
        return f"<hamel.Verdicts: {', '.join(f'{self.count(word)} {word}' for word in sorted({one.verdict for one in self.rows}))}>"

    def _repr_html_(self) -> str:
        lines = ["<table><thead><tr><th>kind</th><th>name</th><th>verdict</th><th>how</th></tr></thead><tbody>"]
        for v in self.rows:
            how = ", ".join(filter(None, (v.method, f"error below {v.bound}" if v.bound else "")))
            cells = (v.kind, v.name, f"{SIGNS.get(v.verdict, '')} {v.verdict}".strip(), how)
            lines.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
        return "\n".join([*lines, "</tbody></table>"])


def prove(model: "Model", forms: str, certify: bool, seed: int) -> Verdicts:
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"a seed is a whole number, not {type(seed).__name__}")
    if not 0 <= int(seed) < 2**64:
        raise UsageError(f"a seed is a whole number below 2^64, not {seed}")
    document = model._ask(lib.hamel_model_prove_seeded, encode(forms, "forms"), int(bool(certify)), int(seed), c.JSON,
                          tolerated=(Refuted.status, Undecided.status))
    rows = []
    for one in json.loads(document)["verdicts"]:
        rows.append(Verdict(one["kind"], one["name"], one["verdict"], one.get("method") or "", one.get("bound") or "",
                            convert(one.get("witness") or {}), convert(one, str)))
    return Verdicts(rows)
