"""Calls of the library: a context with its lock, statuses as exceptions, Ctrl-C.

A context is for one thread at a time, so each has a lock. ctypes lets go of the interpreter while a call runs. In the main thread, where
Python handles signals between its own instructions only, a call runs in a thread beside it, for which the main thread waits: a wait can
be interrupted. Ctrl-C sets the flag that the library looks at, and is a KeyboardInterrupt when the call has ended; so is any other
exception of a signal handler.
"""
from __future__ import annotations

import _thread
import ctypes
import json
import os
import re
import signal
import sys
import threading
import warnings
import weakref
from typing import Any, Callable, Optional

from . import _library as c
from . import errors
from ._library import lib


# Options of the program in the words of the library, which are arguments here.
OPTION = re.compile(r"(?<![\w-])--(at|until|period|form|set|tol|step|method|vary|box|precision|verify|resume|every|count|direction|trim|solve|to|of|steps|"
                    r"seed|symbolic|long)\b(?=[ ,;.:]|$)")
LIMIT = re.compile(r"(?<![\w-])--limit (\w+)=(\w+(?:[-.]\w+)*)")


class Patience:
    """Ctrl-C within it sets the flag, and is a KeyboardInterrupt at its end: an exception between any two instructions could part the main thread
    from those that it waits for. Handlers of others stay as they are."""

    def __init__(self, flag: ctypes.c_int) -> None:
        self.flag = flag
        self.struck = self.replaced = False

    def strike(self, *_: Any) -> None:
        self.flag.value = 1
        self.struck = True

    def __enter__(self) -> "Patience":
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self.replaced = True
            try:
                signal.signal(signal.SIGINT, self.strike)
            except BaseException:  # the handler of another signal: __exit__ is not called after this
                signal.signal(signal.SIGINT, signal.default_int_handler)
                raise
        return self

    def __exit__(self, *_: Any) -> None:
        if self.replaced:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.struck:
            raise KeyboardInterrupt


def interruptible(function: Callable[..., int], arguments: tuple[Any, ...], flag: ctypes.c_int) -> int:
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    with Patience(flag):
        return _beside(function, arguments, flag)


def _beside(function: Callable[..., int], arguments: tuple[Any, ...], flag: ctypes.c_int) -> int:
    wanted, results = [function], list[Any]()  # who takes the function makes the call, or gives it up
    done = _thread.allocate_lock()
    done.acquire()

    def work() -> None:
        try:
            results.append(wanted.pop()(*arguments))
        except BaseException as error:  # of ctypes: an argument of the wrong type; of pop: the call was given up
            results.append(error)
        finally:
            done.release()

    interrupt: Optional[BaseException] = None
    begun = False
    while True:
        try:
            if not begun:
                begun = True
                _thread.start_new_thread(work, ())
            while not results:
                done.acquire()
            break
        except BaseException as error:  # no thread is to be had, or whatever a signal handler raises
            flag.value = 1
            interrupt = interrupt or error
            try:
                wanted.pop()
                break
            except IndexError:  # it runs, or has run
                pass
    if interrupt is not None:
        raise interrupt
    if isinstance(results[0], BaseException):
        raise results[0]
    status: int = results[0]
    return status


def error_of(status: int, context: Optional[int], partial: Any = None, seen: tuple[int, int] = (0, 0)) -> errors.Error:
    """The exception of a status, with what the context says behind what was `seen` of it before: diagnostics, characters."""
    words, found = "", []
    if context:
        words = c.take(lib.hamel_diagnostics(context))[seen[1]:].strip("\n")
        document = c.take(lib.hamel_diagnostics_json(context, status))
        if document:
            found = json.loads(document)["diagnostics"][seen[0]:]
    kind = errors.CLASSES.get(status, errors.Error)
    words = LIMIT.sub(r"limit(\1=\2)", OPTION.sub(r"`\1`", words))
    return kind(words or f"hamel: status {status}", found, partial)


class Turn:
    """The lock of a context. Who is within the progress function of a run is turned away: it would wait for itself, or meet a call half done."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.told: Optional[int] = None  # the thread in which the progress function is

    def acquire(self, blocking: bool = True) -> bool:
        if self.told == threading.get_ident():
            raise errors.UsageError("a model that runs cannot be used by the progress function of the run; use a copy() of it")
        return self._lock.acquire(blocking)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> "Turn":
        self.acquire()
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()


class Progress:
    """The progress function of a run as the library calls it. What it raises ends the run, and is `failure`."""

    def __init__(self, function: Callable[[float], Any], turn: Turn, flag: ctypes.c_int) -> None:
        self.function, self.turn, self.flag = function, turn, flag
        self.failure: Optional[BaseException] = None

    def __call__(self, fraction: float, _: Any) -> None:
        if self.failure is not None:
            return
        self.turn.told = threading.get_ident()
        try:
            self.function(fraction)
        except BaseException as error:
            self.failure = error
            self.flag.value = 1
        finally:
            self.turn.told = None


class Context:
    """A hamel_context, and everything made through it; one thread at a time. It is destroyed with its last user."""

    def __init__(self, limits: dict[str, float]) -> None:
        made = lib.hamel_context_create()
        if not made:
            raise MemoryError("hamel: no memory for a context")
        self.handle: int = made
        self.lock = Turn()
        self.flag = ctypes.c_int(0)
        self.dead = False  # reached a limit of time or memory, or was interrupted: answers nothing any more
        self.seen = (0, 0)
        self._finalizer = weakref.finalize(self, lib.hamel_context_destroy, made)
        self._finalizer.atexit = False
        contexts.add(self)
        given = c.Limits(interrupted=ctypes.pointer(self.flag), **limits)
        self._given = given  # the flag is looked at for as long as the context is there
        self.call(lib.hamel_context_limit, made, ctypes.byref(given))

    def call(self, function: Callable[..., int], *arguments: Any, tolerated: tuple[int, ...] = ()) -> int:
        """The status, where it is 0 or tolerated; else its exception. Warnings of the library are warnings of Python."""
        with self.lock:
            try:
                status = interruptible(function, arguments, self.flag)
            finally:
                if self.flag.value:
                    self.dead = True
            if status == 6:
                self.dead = True
            if status and status not in tolerated:
                error = error_of(status, self.handle, None, self.seen)
                self.look()
                raise error
            self.tell()
            return status

    def look(self) -> list[dict[str, Any]]:
        """Diagnostics since the last look."""
        count = int(lib.hamel_diagnostic_count(self.handle))
        if count == self.seen[0]:
            return []
        before, words = self.seen, c.take(lib.hamel_diagnostics(self.handle))
        self.seen = (count, len(words))
        document = c.take(lib.hamel_diagnostics_json(self.handle, 0))
        return list(json.loads(document)["diagnostics"][before[0]:]) if document else []

    def tell(self) -> None:
        for one in self.look():
            if one["severity"] == "warning":
                place = "".join(f"{one[key]}:" for key in ("file", "line", "column") if key in one)
                warnings.warn(f"{place}{' ' if place else ''}{one['message']}", errors.HamelWarning, stacklevel=_depth())

    def text(self, function: Callable[..., int], *arguments: Any, tolerated: tuple[int, ...] = ()) -> str:
        """What a call writes that ends in `char **result`."""
        result = ctypes.c_void_p()
        try:
            self.call(function, *arguments, ctypes.byref(result), tolerated=tolerated)
        except BaseException:
            if result.value:
                lib.hamel_free(result.value)
            raise
        return c.take(result.value)

    def set(self, assignment: str) -> None:
        self.call(lib.hamel_context_set, self.handle, encode(assignment))


def _depth() -> int:
    """How many frames up the first one is that is not of this package."""
    depth, frame = 1, sys._getframe(1)
    here = os.path.dirname(__file__)
    while frame is not None and frame.f_code.co_filename.startswith(here):
        above = frame.f_back
        if above is None:
            break
        depth, frame = depth + 1, above
    return depth


contexts: "weakref.WeakSet[Context]" = weakref.WeakSet()


def _after_fork() -> None:
    """In a child of fork() no other thread goes on: contexts that one of them was in are given up, and no lock is held."""
    for one in list(contexts):
        if not one.lock.acquire(blocking=False):
            one.dead = True
            one._finalizer.detach()  # half way through a call: neither to be used nor to be taken apart
        one.lock = Turn()


os.register_at_fork(after_in_child=_after_fork)


def encode(given: Any, what: str = "a text") -> bytes:
    """UTF-8; a text with a NUL in it would be cut there."""
    if isinstance(given, os.PathLike):
        given = os.fspath(given)
    if isinstance(given, bytes):
        data = given
    elif isinstance(given, str):
        data = given.encode("utf-8", "surrogateescape")
    else:
        raise TypeError(f"{what} is a str, not {type(given).__name__}")
    if b"\0" in data:
        raise errors.UsageError(f"{what} holds a NUL character")
    return data


def encode_optional(given: Any, what: str = "a text") -> Optional[bytes]:
    return None if given is None else encode(given, what)
