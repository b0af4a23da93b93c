"""Motions: a model made ready once and run as often as wanted, and its right-hand side for other people's integrators."""
from __future__ import annotations

import ctypes
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional

import numpy as np

from . import _library as c
from ._calls import Context, encode, error_of, interruptible
from ._library import lib
from ._run import RunOptions
from ._values import State, name_text, state_text
from .errors import ClosedError, Error, UsageError
from .field import Field
from .trajectory import Happening, Trajectory

if TYPE_CHECKING:
    from .model import Model

QUICK: tuple[Any, ...] = (lib.hamel_motion_set, lib.hamel_motion_now)  # they take less time than a thread
STATE, COLUMN, PARAMETER, EVENT = range(4)  # hamel_motion_kind


def _names(handle: int, kind: int) -> list[str]:
    return [c.text(lib.hamel_motion_name(handle, kind, i)) for i in range(lib.hamel_motion_count(handle, kind))]


class Motion:
    """A motion of a model. It keeps nothing of the model, has a lock of its own, and is run by one thread at a time.

    >>> import hamel; mo = hamel.load("sleigh").motion(execute="interpreted")
    >>> tr = mo.set(a=0.25).run(5, times=[1, 2, 5]); tr.t
    array([1., 2., 5.])
    """

    def __init__(self, model: "Model", options: RunOptions) -> None:
        context, handle = model._native()
        self._name = model._name
        self._made_of: tuple["Model", RunOptions] = (model._shadow(), options)
        self._changes: dict[str, float] = {}
        self._flag = ctypes.c_int(0)
        self._lock = threading.RLock()
        self._prepare(context, handle, options)

    def _prepare(self, context: Context, handle: int, options: RunOptions) -> None:
        with context.lock:
            run = options.native(flag=self._flag)
            made = ctypes.c_void_p()
            context.call(lib.hamel_model_prepare, handle, ctypes.byref(run), ctypes.byref(made))
        self._adopt(made.value)

    def _adopt(self, handle: Optional[int]) -> None:
        assert handle is not None
        self._started = False
        self._field: Optional[Field] = None
        self._owner: Optional[_Owner] = _Owner(handle, self._flag)
        self._broken = False  # a call other than a run was interrupted: it answers nothing any more

    def _renew(self) -> None:
        model, options = self._made_of
        self._prepare(*model._native(), options)
        for name, number in self._changes.items():
            self._call(lib.hamel_motion_set, self._handle, encode(name, "a name"), number)

    @property
    def _handle(self) -> int:
        if self._owner is None:
            raise ClosedError(f"the motion of {self._name} is closed")
        if self._broken:
            self._renew()
        return self._owner.handle

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        seen = _seen(lib.hamel_motion_context(self._handle))
        try:
            status = function(*arguments) if function in QUICK else interruptible(function, arguments, self._flag)
        except BaseException:
            self._flag.value = 0
            self._broken = self._broken or function != lib.hamel_motion_run
            raise
        if status and function != lib.hamel_motion_run:
            self._started = False
        self._check(status, seen)

    def _check(self, status: int, seen: tuple[int, int] = (0, 0)) -> None:
        """Raises what a status stands for, with the words behind those that were `seen` before."""
        if status:
            context = lib.hamel_motion_context(self._handle)
            now = _seen(context)
            raise error_of(status, context, None, seen if now[0] > seen[0] else (0, 0))

    # --- names ----------------------------------------------------------------------------------------------------

    @property
    def states(self) -> list[str]:
        """The names of z."""
        with self._lock:
            self._ready()
            return _names(self._handle, STATE)

    @property
    def columns(self) -> list[str]:
        """What a row holds: "t", "x", "x'", "energy" .."""
        with self._lock:
            self._ready()
            return _names(self._handle, COLUMN)

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with the values that count from the next start on."""
        with self._lock:
            return {name: float(lib.hamel_motion_get(self._handle, i)) for i, name in enumerate(_names(self._handle, PARAMETER))}

    # --- settings and starts --------------------------------------------------------------------------------------

    def set(self, values: Optional[Mapping[str, Any]] = None, **more: Any) -> "Motion":
        """Other values for parameters, from the next start on, which comes with the next run."""
        with self._lock:
            for name, value in {**(values or {}), **more}.items():
                key, number = name_text(name), _double(value)
                self._call(lib.hamel_motion_set, self._handle, encode(key, "a name"), number)
                self._changes[key] = number
            self._started = False
            self._field = None
        return self

    def start(self, at: State = None, *, t: float = 0.0, z: Any = None) -> "Motion":
        """A start: from the state ``z`` at ``t``, from changes ``at`` to the initial state of the model, or as the model says."""
        if at is not None and z is not None:
            raise UsageError("a motion starts at `at` or at `z`, not at both")
        with self._lock:
            self._field = None
            if at is not None:
                self._call(lib.hamel_motion_start_at, self._handle, encode(state_text(at) or "", "a state"))
            elif z is not None:
                self._ready()
                state = self._state(z)
                self._call(lib.hamel_motion_start, self._handle, float(t), state.ctypes.data)
            else:
                self._call(lib.hamel_motion_start, self._handle, 0.0, None)
            self._started = True
        return self

    def _state(self, z: Any) -> Any:
        state = np.ascontiguousarray(z, dtype=float)
        size = lib.hamel_motion_count(self._handle, STATE)
        if state.shape != (size,):
            raise UsageError(f"a state z has {size} numbers ({', '.join(_names(self._handle, STATE))}), not the shape {state.shape}")
        return state

    def _ready(self) -> None:
        handle = self._handle
        if not self._started:
            self._call(lib.hamel_motion_start, handle, 0.0, None)
            self._started = True

    def now(self) -> tuple[float, Any, dict[str, float]]:
        """Where the motion is: t, z, and its row."""
        with self._lock:
            self._ready()
            t = ctypes.c_double()
            z, row = np.empty(lib.hamel_motion_count(self._handle, STATE)), np.empty(lib.hamel_motion_count(self._handle, COLUMN))
            self._call(lib.hamel_motion_now, self._handle, ctypes.byref(t), z.ctypes.data, row.ctypes.data)
            return t.value, z, dict(zip(_names(self._handle, COLUMN), row.tolist()))

    @property
    def z0(self) -> Any:
        """The state at the start of the model."""
        with self._lock:
            self._started = False
            return self.now()[1]

    # --- runs -----------------------------------------------------------------------------------------------------

    def run(self, until: float, times: Any = None, *, steps: int = 0) -> Trajectory:
        """On from where the motion is to the time ``until``: rows at ``times``, or behind each of at most ``steps`` steps, or none but the last.

        Where it stops early NumericsError has the rows up to there in ``partial``.
        """
        with self._lock:
            self._ready()
            wanted = None if times is None else np.ascontiguousarray(np.atleast_1d(np.asarray(times, dtype=float)))
            if wanted is not None and wanted.ndim != 1:
                raise TypeError("times are a list of numbers")
            if wanted is not None and not np.all(wanted <= until):
                raise UsageError(f"the times of the rows are numbers up to {until}, the end of the run")
            if isinstance(steps, bool) or not 0 <= steps < 2**31:
                raise UsageError(f"the number of steps is not negative and below 2^31, not {steps}")
            count = len(wanted) if wanted is not None else steps
            rows = np.empty((count, lib.hamel_motion_count(self._handle, COLUMN)))
            outcome = c.Outcome()
            failed: Optional[Error] = None
            try:
                self._call(lib.hamel_motion_run, self._handle, _double(until), wanted.ctypes.data if wanted is not None and count else None, count,
                           rows.ctypes.data if count else None, ctypes.byref(outcome))
            except Error as error:
                failed = error
            rows = rows[:outcome.rows]
            if not count:
                rows = np.array([list(self.now()[2].values())]) if failed is None else rows
            found = self._trajectory(rows, outcome)
            if failed is not None:
                failed.partial = found
                raise failed
            return found

    def _trajectory(self, rows: Any, outcome: "c.Outcome") -> Trajectory:
        names, events = _names(self._handle, COLUMN), _names(self._handle, EVENT)
        happened: list[Happening] = []
        which, t, direction = ctypes.c_size_t(), ctypes.c_double(), ctypes.c_int()
        while lib.hamel_motion_event(self._handle, len(happened), ctypes.byref(which), ctypes.byref(t), ctypes.byref(direction)):
            happened.append(Happening("event", events[which.value], t.value, direction.value))
        words = c.text(outcome.words)
        found = Trajectory({name: rows[:, i] for i, name in enumerate(names)}, events=happened, words=words)
        found.summary.update(outcome=words, t=outcome.t, steps=outcome.steps, rejected=outcome.rejected, evaluations=outcome.evaluations,
                             drift=outcome.drift)
        return found

    def rate(self, t: float, z: Any) -> Any:
        """z' = f(t, z)."""
        return self.rhs(t, z)

    # --- the field ------------------------------------------------------------------------------------------------

    @property
    def field(self) -> Field:
        """The functions of this motion with its parameters as they are now, to be called from several threads."""
        with self._lock:
            if self._field is None:
                self._ready()
                self._field = Field(self)
            return self._field

    @property
    def rhs(self) -> Callable[[float, Any], Any]:
        """f(t, z) of z' = f(t, z)."""
        return self.field.rhs

    @property
    def jac(self) -> Callable[[float, Any], Any]:
        """df/dz."""
        with self._lock:
            return self.field.jac(self)

    # --- copies, the end ------------------------------------------------------------------------------------------

    def copy(self) -> "Motion":
        """Another motion with the same settings, which shares nothing with this one."""
        with self._lock:
            other = Motion.__new__(Motion)
            # the library's copy looks at the flag of the original
            other._name, other._flag, other._made_of, other._changes = self._name, self._flag, self._made_of, dict(self._changes)
            other._lock = threading.RLock()
            made = ctypes.c_void_p()
            self._call(lib.hamel_motion_copy, self._handle, ctypes.byref(made))
            other._adopt(made.value)
            return other

    __copy__ = copy

    def __reduce__(self) -> Any:
        raise TypeError("a motion cannot be pickled; pickle its model and make another")

    def close(self) -> None:
        """Releases the motion, as soon as no function of its field is needed any more."""
        with self._lock:
            self._owner = None
            self._field = None

    def __enter__(self) -> "Motion":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<hamel.Motion of {self._name}{', closed' if self._owner is None else ''}>"


class _Owner:
    """A hamel_motion, released with its last user; it looks at the flag until then."""

    def __init__(self, handle: int, flag: ctypes.c_int) -> None:
        self.handle = handle
        self.flag = flag
        weakref.finalize(self, _free, handle, flag).atexit = False


def _free(handle: int, flag: ctypes.c_int) -> None:
    lib.hamel_motion_free(handle)


def _seen(context: Optional[int]) -> tuple[int, int]:
    if not context or not lib.hamel_diagnostic_count(context):
        return 0, 0
    return int(lib.hamel_diagnostic_count(context)), len(c.take(lib.hamel_diagnostics(context)))


def _double(value: Any) -> float:
    if isinstance(value, (str, bytes, bool)):
        raise TypeError(f"a number is wanted, not {type(value).__name__}")
    return float(value)
