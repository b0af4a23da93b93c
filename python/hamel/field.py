"""The right-hand side z' = f(t, z) as functions that Python's integrators call: a microsecond, from any thread."""
from __future__ import annotations

import ctypes
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np

from . import _library as c
from ._library import lib
from .errors import UsageError

if TYPE_CHECKING:
    from .motion import Motion

# A rate takes less time than to let go of the interpreter and to get it back: these calls keep it.
FUNCTION = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)
RATE, JACOBIAN = 1, 2


class _Native:
    """A hamel_field, freed with its last user."""

    def __init__(self, motion: "Motion", what: int) -> None:
        made = ctypes.c_void_p()
        motion._call(lib.hamel_motion_field, motion._handle, what, ctypes.byref(made))
        assert made.value is not None
        self.handle: int = made.value
        weakref.finalize(self, lib.hamel_field_free, made.value).atexit = False
        self.struct = c.Field.from_address(made.value)
        self.size = int(self.struct.size)


class _Buffers(threading.local):
    """Where a call's numbers lie: each thread has its own, and a work area."""

    def __init__(self, native: _Native, count: int) -> None:
        self.z, self.out = np.empty(native.size), np.empty(count)
        self.at, self.to = self.z.ctypes.data, self.out.ctypes.data
        self.work = lib.hamel_field_work(native.handle)
        if not self.work:
            raise MemoryError("hamel: no memory for a work area")
        weakref.finalize(self.z, lib.hamel_field_work_free, self.work).atexit = False


class Field:
    """z' = f(t, z) of a motion, with the values that its parameters have now."""

    def __init__(self, motion: "Motion") -> None:
        self._jacobian: Optional[Callable[[float, Any], Any]] = None
        native = _Native(motion, RATE)
        self.size = native.size
        rhs = _function(native, native.struct.rate, native.size, "f(t, z); NaN where it has no finite value. z of shape (n, k) gives k of them.")
        # for hamel.Solver, which makes a motion of its own
        rhs.__dict__.update(made_of=motion._made_of, changes=dict(motion._changes))
        self.rhs: Callable[[float, Any], Any] = rhs

    def jac(self, motion: "Motion") -> Callable[[float, Any], Any]:
        if self._jacobian is None:
            native = _Native(motion, JACOBIAN)
            flat = _function(native, native.struct.jacobian, native.size**2, "")
            n = native.size

            def jac(t: float, z: Any) -> Any:
                """df/dz, row by row; NaN where it has no finite value."""
                return flat(t, z).reshape(n, n)
            self._jacobian = jac
        return self._jacobian


def _function(native: _Native, address: Optional[int], count: int, words: str) -> Any:
    if not address:
        raise UsageError("this motion has no such function")
    size, handle, call, buffers = native.size, native.handle, FUNCTION(address), _Buffers(native, count)
    nan = np.full(count, np.nan)

    def function(t: float, z: Any) -> Any:
        b = buffers
        if len(z) != size:
            raise _wrong(size, z)
        try:
            b.z[:] = z
        except ValueError:
            return _many(function, t, z, size)
        try:
            finite = call(handle, b.work, t, b.at, b.to)
        except ctypes.ArgumentError:
            if isinstance(t, (float, str)) or np.ndim(t):
                raise TypeError(f"the time is a number, not {type(t).__name__}") from None
            return function(float(t), z)
        if finite:
            return b.out.copy()
        return nan.copy()

    function.__doc__ = words
    function.__dict__["native"] = native
    return function


def _wrong(size: int, z: Any) -> UsageError:
    return UsageError(f"a state z has {size} numbers, not the shape {np.shape(z)}")


def _many(function: Any, t: Any, z: Any, size: int) -> Any:
    z = np.asarray(z, dtype=float)
    if z.ndim != 2:
        raise _wrong(size, z)
    return np.column_stack([function(t, column) for column in z.T]) if z.shape[1] else np.empty((size, 0))
