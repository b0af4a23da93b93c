"""The options of a run, checked here by type and by the library by value, as the struct that calls take."""
from __future__ import annotations

import ctypes
import dataclasses
import math
import numbers
from typing import Any, Callable, Optional

from . import _library as c
from ._calls import encode_optional
from ._values import State, number_text, state_text
from .errors import UsageError


@dataclasses.dataclass
class RunOptions:
    """What a run is to be; None is as the model says, else a default."""

    until: Any = None
    tol: Any = None
    at: State = None
    every: Any = None
    method: Optional[str] = None
    form: Optional[str] = None
    step: Any = None
    precision: Optional[str] = None
    execute: Optional[str] = None
    verify: bool = False
    project: bool = False

    def native(self, progress: Optional[Callable[[float, Any], None]] = None, output: Optional[str] = None, flag: Any = None) -> "c.Run":
        run = c.Run(form=encode_optional(self.form, "a form"), method=encode_optional(self.method, "a method"),
                    at=encode_optional(state_text(self.at)), execute=encode_optional(self.execute, "execute"),
                    precision=encode_optional(self.precision, "a precision"), output=encode_optional(output, "a file"),
                    until=positive(self.until, "until", any_sign=True), tolerance=positive(self.tol, "tol"),
                    interval=positive(self.every, "every"), step=positive(self.step, "step"), verify=int(self.verify), project=int(self.project))
        if flag is not None:
            run.interrupted = ctypes.pointer(flag)
        if progress is not None:
            run.progress = c.PROGRESS(progress)
        return run

    def plain(self) -> dict[str, Any]:
        """For pickles."""
        return {**dataclasses.asdict(self), "at": state_text(self.at)}


def positive(value: Any, what: str, any_sign: bool = False) -> float:
    """A number of a run; 0 stands for none, so that a 0 that was asked for is refused here."""
    if value is None:
        return 0.0
    if isinstance(value, (str, bool)) or not (isinstance(value, numbers.Real) or hasattr(value, "__float__")):
        raise TypeError(f"{what} is a number, not {type(value).__name__}")
    number = float(value)
    if not math.isfinite(number):
        raise UsageError(f"{what} is a finite number, not {number_text(str(number))}")
    if number == 0 or (number < 0 and not any_sign):
        raise UsageError(f"{what} is a number {'other than' if any_sign else 'above'} 0, not {number}")
    return number
