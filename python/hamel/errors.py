"""The exceptions of this package: one class a status of the library, each with the text that the program prints, line and caret included."""
from __future__ import annotations

from typing import Any, Optional


class Error(Exception):
    """Something that hamel could not do.

    ``str()`` is what the program prints: file, line, column, the line itself with a caret, and what to do. ``status`` is the exit status
    of the program, ``diagnostics`` the same as data, ``partial`` what was computed all the same: a trajectory up to where a run stopped, a
    table of verdicts, or None.
    """

    status = 0

    def __init__(self, message: str, diagnostics: Optional[list[dict[str, Any]]] = None, partial: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = diagnostics or []
        self.partial = partial

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.diagnostics, self.partial)


class UsageError(Error, ValueError):
    """Wrong usage: an unknown form, a malformed option, a name that the model does not have."""

    status = 1


class ClosedError(UsageError):
    """A model, motion or trajectory was used after its close()."""


class ModelError(Error, ValueError):
    """The model is wrong."""

    status = 2


class Refuted(Error):
    """A statement was refuted where a proof was required; ``partial`` is the table of verdicts."""

    status = 3


class Undecided(Error):
    """A statement was not decided where a proof was required; ``partial`` is the table of verdicts."""

    status = 4


class NumericsError(Error, ArithmeticError):
    """The numerics failed, or the system refused to read or write a file; ``partial`` is the trajectory up to there, if there is one."""

    status = 5


class LimitError(Error, RuntimeError):
    """A limit of time, memory, expressions or rows was reached."""

    status = 6


class HamelWarning(UserWarning):
    """A remark of the library on a model or a call that succeeded."""


CLASSES: dict[int, type[Error]] = {one.status: one for one in (UsageError, ModelError, Refuted, Undecided, NumericsError, LimitError)}
