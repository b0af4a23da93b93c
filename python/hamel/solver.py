"""hamel's own integrators behind the interface of SciPy's: ``solve_ivp(m.rhs, span, m.z0, method=hamel.Solver)``."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Callable, Optional

import numpy as np
from scipy.integrate import DenseOutput, OdeSolver

from . import _library as c
from ._library import lib
from .errors import UsageError
from .motion import COLUMN, Motion


class Solver(OdeSolver):
    """Steps by Taylor series, or by what hamel chooses, in place of SciPy's steps in Python; with the dense output that t_eval and events want.

    It goes with the right-hand side of a model or a motion, forwards in time. ``rtol`` is the tolerance (None: that of the model).

    >>> import hamel, numpy; from scipy.integrate import solve_ivp
    >>> m = hamel.load("sleigh"); found = solve_ivp(m.rhs, (0, 5), m.z0, method=hamel.Solver, rtol=1e-12)
    >>> bool(abs(found.y[0, -1] - m.simulate(until=5).final["x"]) < 1e-10)
    True
    """

    t: Any
    y: Any
    n: int

    def __init__(self, fun: Callable[..., Any], t0: float, y0: Any, t_bound: float, vectorized: bool = False, rtol: Optional[float] = None,
                 atol: Optional[float] = None, **extraneous: Any) -> None:
        made_of = getattr(fun, "made_of", None)
        if made_of is None:
            raise UsageError("hamel.Solver goes with the rhs of a model or a motion, not with another function")
        if extraneous:
            raise UsageError(f"hamel.Solver has no option {', '.join(extraneous)}; it has rtol")
        if t_bound < t0:
            raise UsageError("hamel.Solver goes forwards in time only")
        super().__init__(fun, t0, y0, t_bound, vectorized, support_complex=False)
        model, options = made_of
        tolerance = rtol if rtol is not None else options.tol
        idle = fun.__dict__.setdefault("idle", {}).setdefault(tolerance, [])  # motions of solvers that came to their end
        self._motion = idle.pop() if idle else Motion(model, dataclasses.replace(options, tol=tolerance, at=None)).set(fun.__dict__["changes"])
        self._idle = idle
        motion = self._motion
        motion._field = None
        if not motion._started:
            motion.start(t=t0, z=self.y)
        self._buffer, self._t, self._outcome = np.array(self.y), ctypes.c_double(), c.Outcome()
        self._row = np.empty(lib.hamel_motion_count(motion._handle, COLUMN))
        self._at, self._to = self._buffer.ctypes.data, self._row.ctypes.data
        self._t_at, self._outcome_at = ctypes.byref(self._t), ctypes.byref(self._outcome)
        motion._check(lib.hamel_motion_start(motion._handle, t0, self._at))
        self._behind = _Behind(motion)

    def _step_impl(self) -> tuple[bool, Optional[str]]:
        # one step is over before anybody could interrupt it
        handle = self._motion._handle
        self._from = (self.t, self.y)
        if lib.hamel_motion_run(handle, self.t_bound, None, 1, self._to, self._outcome_at):
            return False, c.text(self._outcome.words) or "the numerics failed"
        if lib.hamel_motion_now(handle, self._t_at, self._at, None):
            return False, "the numerics failed"
        self.nfev += self._outcome.evaluations
        t = self._t.value
        if t <= self.t:
            return False, "the motion ended at an event of the model that stops it"
        self.t, self.y = t, self._buffer.copy()
        if t >= self.t_bound:
            self._idle.append(self._motion)  # for the next one
        return True, None

    def _dense_output_impl(self) -> "Between":
        return Between(*self._from, self.t, self.y, self._behind)


class _Behind:
    """A second motion, which goes back to the beginning of a step."""

    def __init__(self, motion: Motion) -> None:
        self.first = motion
        self.motion: Optional[Motion] = None
        self.places: list[int] = []

    def rows(self, t_old: float, y_old: Any, times: Any) -> Any:
        if self.motion is None:
            self.motion = self.first.copy()
            self.motion._ready()
            columns = {name: i for i, name in enumerate(self.motion.columns)}
            self.places = [columns[name] for name in self.motion.states]
        with self.motion._lock:
            return self.motion.start(t=t_old, z=y_old).run(max(float(times[-1]), t_old), times).array()[:, self.places]


class Between(DenseOutput):
    """The motion within a step, computed again from its beginning: as accurate as its end."""

    def __init__(self, t_old: float, y_old: Any, t: float, y: Any, behind: _Behind) -> None:
        super().__init__(t_old, t)  # type: ignore[call-arg, unused-ignore]
        self._y_old, self._y, self._behind = y_old, y, behind

    def _call_impl(self, t: Any) -> Any:
        times = np.atleast_1d(t)
        order = np.argsort(times, kind="stable")
        within = np.clip(times[order], self.t_old, self.t)
        unique, place = np.unique(within, return_inverse=True)
        rows = np.empty((len(times), len(self._y)))
        rows[order] = self._behind.rows(self.t_old, self._y_old, unique)[place]
        return rows[0] if np.ndim(t) == 0 else rows.T
