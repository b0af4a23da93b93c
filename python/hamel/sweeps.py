"""Runs with many values, in several threads: arrays in, arrays out."""
from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from ._calls import Patience
from ._run import RunOptions
from ._values import name_text, number_text, state_text
from .errors import Error, LimitError, NumericsError, UsageError

if TYPE_CHECKING:
    from .model import Model
    from .motion import Motion


class Sweep:
    """What the runs of a sweep came to. ``s["x"]`` has the shape of the values, with the times behind it where there are some; NaN is what a
    run did not reach, and ``failures`` says why, by its index."""

    def __init__(self, values: dict[str, Any], times: Any, columns: dict[str, Any], failures: dict[tuple[int, ...], Error]) -> None:
        self.values = values  #: the arrays, broadcast
        self.times = times
        self.columns = columns
        self.failures = failures

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    def __getitem__(self, name: str) -> Any:
        try:
            return self.columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}; there are {', '.join(self.columns)}") from None

    def __repr__(self) -> str:
        shape = next(iter(self.values.values())).shape if self.values else ()
        return f"<hamel.Sweep over {', '.join(self.values)}: {int(np.prod(shape))} runs, {len(self.failures)} of which stopped early>"


def _arrays(values: Mapping[str, Any]) -> dict[str, Any]:
    if not values:
        raise UsageError("a sweep is over values of at least one parameter or initial value")
    names, given = [name_text(name) for name in values], [np.asarray(value, dtype=float) for value in values.values()]
    try:
        return dict(zip(names, np.broadcast_arrays(*given)))
    except ValueError:
        raise UsageError("the shapes of the values do not go together: " + ", ".join(f"{n} {a.shape}" for n, a in zip(names, given))) from None


def sweep(model: "Model", values: Mapping[str, Any], until: Any, times: Any, threads: Optional[int], options: RunOptions) -> Sweep:
    arrays = _arrays(values)
    shape = next(iter(arrays.values())).shape
    moments = None if times is None else np.atleast_1d(np.asarray(times, dtype=float))
    if until is None:
        if moments is None or not len(moments):
            raise UsageError("a sweep wants `until`, the time at which runs end, or `times`")
        until = float(moments[-1])
    motion = model.motion(**{**options.plain(), "at": None, "until": None} if options.at is None else {**options.plain(), "until": None})
    parameters = set(motion.parameters)
    base = state_text(options.at)
    flat = {name: array.ravel() for name, array in arrays.items()}
    count = int(np.prod(shape))
    rows = np.full((count, 1 if moments is None else len(moments), len(motion.columns)), np.nan)
    work = _Work(flat, parameters, base, float(until), moments, rows, motion._flag)
    wanted = min(threads or os.cpu_count() or 1, max(count, 1))
    if wanted < 1:
        raise UsageError(f"the number of threads is at least 1, not {threads}")
    _in_threads(work, motion, wanted)  # also where it is one: in the main thread each run would need another for itself
    if work.fatal:
        raise work.fatal
    whole = rows.reshape(*shape, rows.shape[1], rows.shape[2]) if moments is not None else rows[:, 0].reshape(*shape, rows.shape[2])
    failures = {tuple(int(i) for i in np.unravel_index(k, shape)) if shape else (): error for k, error in sorted(work.failures.items())}
    return Sweep(arrays, moments, {name: whole[..., i] for i, name in enumerate(motion.columns)}, failures)


class _Work:
    """The runs by their number; threads take the next one each."""

    def __init__(self, flat: dict[str, Any], parameters: set[str], base: Optional[str], until: float, times: Any, rows: Any, flag: Any) -> None:
        self.set = {name: array for name, array in flat.items() if name in parameters}
        self.start = {name: array for name, array in flat.items() if name not in parameters}
        self.base, self.until, self.times, self.rows = base, until, times, rows
        self.next, self.lock = 0, threading.Lock()
        self.failures: dict[int, Error] = {}
        self.fatal: Optional[BaseException] = None
        self.stopped, self.flag = False, flag  # of Ctrl-C

    def take(self) -> Optional[int]:
        with self.lock:
            if self.stopped or self.flag.value or self.next >= len(self.rows):
                return None
            self.next += 1
            return self.next - 1

    def one(self, motion: "Motion", k: int) -> None:
        motion.set({name: array[k] for name, array in self.set.items()})
        if self.start:
            state = ", ".join([*([self.base] if self.base else []), *(f"{n} = {number_text(a[k])}" for n, a in self.start.items())])
            motion.start(state)
        else:
            motion.start()
        found, failure = None, None  # type: ignore[var-annotated]
        try:
            found = motion.run(self.until, self.times)
        except (NumericsError, LimitError) as error:
            found, failure, error.partial = error.partial, error, None
        if failure is not None:
            self.failures[k] = failure
        if found is not None and len(found) and (failure is None or self.times is not None):
            self.rows[k, :len(found)] = found.array()

    def loop(self, motion: "Motion") -> None:
        while True:
            k = self.take()
            if k is None:
                return
            try:
                self.one(motion, k)
            except NumericsError as error:  # of the start
                self.failures[k] = error
            except BaseException as error:
                self.fatal = self.fatal or error
                self.stopped = True
                return


def _in_threads(work: _Work, motion: "Motion", count: int) -> None:
    motions = [motion, *(motion.copy() for _ in range(count - 1))]
    running = [threading.Thread(target=work.loop, args=(one,)) for one in motions]
    interrupt: Optional[BaseException] = None
    try:
        with Patience(motion._flag):
            for one in running:
                one.start()
            for one in running:
                while one.is_alive():
                    try:
                        one.join()
                    except BaseException as error:  # of another handler
                        interrupt = interrupt or error
                        motion._flag.value = 1
    finally:
        motion._flag.value = 0
    if interrupt is not None:
        raise interrupt
