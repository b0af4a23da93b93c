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

# A rate takes less time than to let go of the interpreter and to get it back: these calls keep it. They are given ctypes' own objects, which it
# passes on as they are; to convert Python's numbers by `argtypes` takes longer than a rate.
FUNCTION = ctypes.PYFUNCTYPE(ctypes.c_int)
RATE, JACOBIAN = 1, 2
DOUBLE = np.dtype(float)


class _Native:
    """A hamel_field, freed with its last user."""

    def __init__(self, motion: "Motion", what: int) -> None:
        made = ctypes.c_void_p()
        motion._call(lib.hamel_motion_field, motion._handle, what, ctypes.byref(made))
        assert made.value is not None
        self.handle: int = made.value
        self.flag = motion._flag  # which the library's field looks at to its end
        weakref.finalize(self, _free, lib.hamel_field_free, made.value, self.flag).atexit = False
        self.struct = c.Field.from_address(made.value)
        self.size = int(self.struct.size)


def _free(function: Any, handle: int, flag: ctypes.c_int) -> None:
    function(handle)


class _Place(threading.local):
    """What calls are made with: each thread has its own."""

    def __init__(self, native: _Native, address: int, count: int) -> None:
        out, work = np.empty(count), lib.hamel_field_work(native.handle)
        if not work:
            raise MemoryError("hamel: no memory for a work area")
        weakref.finalize(out, _free, lib.hamel_field_work_free, work, native.flag).atexit = False
        # the function, its arguments but for the state, and what makes an array of its result
        self.all = (FUNCTION(address), ctypes.c_void_p(native.handle), ctypes.c_void_p(work), ctypes.c_double(), ctypes.c_void_p(out.ctypes.data), out.copy)


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
    size, place = native.size, _Place(native, address, count)
    length = 8 * size

    def function(t: float, z: Any) -> Any:
        if type(z) is not np.ndarray or z.dtype is not DOUBLE or z.ndim != 1:
            z = np.asarray(z)
            if z.ndim == 2 and len(z) == size:
                return _many(function, t, z)
            if z.ndim != 1:
                raise _wrong(size, z)
            if z.dtype.kind not in "biufO":
                raise TypeError(f"a state holds numbers, not {z.dtype}")
            z = z.astype(float)
        state = z.tobytes()
        if len(state) != length:
            raise _wrong(size, z)
        call, handle, work, time, out, result = place.all
        time.value = t
        if call(handle, work, time, state, out):
            return result()
        return np.full(count, np.nan)

    function.__doc__ = words
    function.__dict__["native"] = native
    return function


def _wrong(size: int, z: Any) -> UsageError:
    return UsageError(f"a state z has {size} numbers, not the shape {np.shape(z)}")


def _many(function: Any, t: Any, z: Any) -> Any:
    return np.column_stack([function(t, column) for column in z.T]) if z.shape[1] else np.empty(z.shape)
