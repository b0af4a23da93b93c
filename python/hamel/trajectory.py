"""Trajectories: the rows of a run as columns with names."""
from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import weakref
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Union

import numpy as np

from . import _library as c
from ._calls import Context, Progress, encode
from ._library import lib
from ._run import RunOptions
from ._values import Result, convert
from .errors import Error, NumericsError, UsageError

if TYPE_CHECKING:
    from ._page import Page
    from .model import Model

Array = Any  # numpy.ndarray of doubles


@dataclasses.dataclass(frozen=True)
class Happening:
    """What happened at one time of a run."""

    kind: str  #: "event"; "mode" or "impact" of a contact; "reset"
    name: str  #: of the event, the contact or the reset
    t: float
    direction: int = 0  #: of an event: 1 from negative to positive, -1
    before: str = ""  #: the mode of a contact before: "free", "sliding", "sliding-", "sticking"
    after: str = ""  #: .. and after
    speed: float = 0.0  #: of an impact, along the normal before it
    lost: float = 0.0  #: energy


class _Owner:
    """A hamel_trajectory, released with the last array that looks into it."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        weakref.finalize(self, lib.hamel_trajectory_free, handle).atexit = False


class _Column:
    """Memory of the library as NumPy sees it; the array keeps this object, and this the owner."""

    def __init__(self, owner: _Owner, address: int, rows: int) -> None:
        self.owner = owner
        self.__array_interface__ = {"shape": (rows,), "typestr": "<f8", "data": (address, True), "version": 3}


class Trajectory:
    """The rows of a run. Columns are NumPy arrays that look into the library's memory and cannot be written to.

    ``tr["x"]`` is a column, ``tr.t`` the time, ``tr[3]`` a row as a dict, ``tr[10:20]`` and ``tr[mask]`` are some of the rows,
    ``tr(times)`` is what lies between them. ``events`` are what happened, ``summary`` is what the program says of the run.

    >>> import hamel; tr = hamel.load("sleigh").simulate(until=1)
    >>> tr.names[:4], tr[0]["x'"], len(tr[::2])
    (['t', 'x', 'y', 'theta'], 1.0, 11)
    """

    def __init__(self, columns: dict[str, Array], units: Optional[dict[str, str]] = None, kinds: Optional[dict[str, str]] = None,
                 events: Optional[list[Happening]] = None, summary: Optional[Result] = None, words: str = "",
                 source: Optional[tuple["Model", RunOptions]] = None) -> None:
        if not columns:
            raise UsageError("a trajectory has at least one column")
        self._columns = columns
        self.units: dict[str, str] = units or {}  #: of the columns that have one
        self.kinds: dict[str, str] = kinds or {}  #: "time", "coordinate", "velocity", "energy", "residual" ..
        self.events: list[Happening] = events or []  #: in the order of time
        self.summary: Result = summary if summary is not None else Result()  #: steps, drift of energy, final state, warnings
        self._words = words
        self._source = source

    # --- columns and rows -----------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The names of the columns, as in the first line of a CSV file."""
        return list(self._columns)

    def keys(self) -> Any:
        return self._columns.keys()

    def items(self) -> Any:
        return self._columns.items()

    def values(self) -> Any:
        return self._columns.values()

    @property
    def t(self) -> Array:
        """The first column: the time."""
        return next(iter(self._columns.values()))

    def __len__(self) -> int:
        return len(self.t)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            try:
                return self._columns[key]
            except KeyError:
                raise KeyError(f"no column {key!r}; there are {', '.join(self._columns)}") from None
        if isinstance(key, tuple):
            raise TypeError("a trajectory takes a name, a row's number, a slice or an array of rows")
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            return {name: float(column[key]) for name, column in self._columns.items()}
        first = self.t[key]
        if first.ndim != 1:
            raise TypeError("a trajectory takes a name, a row's number, a slice or an array of rows")
        return self._like({name: column[key] for name, column in self._columns.items()})

    def _like(self, columns: dict[str, Array]) -> "Trajectory":
        return Trajectory(columns, self.units, self.kinds, self.events, self.summary, "", self._source)

    def array(self, *names: str) -> Array:
        """Some columns, or all, side by side: a copy of shape (rows, columns).

        >>> import hamel; hamel.load("sleigh").simulate(until=1).array("x", "y").shape
        (21, 2)
        """
        return np.column_stack([self[name] for name in names or self._columns])

    @property
    def final(self) -> dict[str, float]:
        """The last row."""
        last: dict[str, float] = self[-1]
        return last

    # --- between the rows -----------------------------------------------------------------------------------------

    def __call__(self, times: Any, degree: int = 5) -> Any:
        return self.interpolate(times, degree)

    def interpolate(self, times: Any, degree: int = 5) -> Any:
        """Rows at other times: a Trajectory, or a dict for one time.

        By polynomials through the nearest rows that lie between the same two jumps (rows with one time twice); modes of contacts stay
        those of the row before. How near that comes depends on how near the rows are: ``every=`` of simulate() says.
        """
        asked = np.asarray(times, dtype=float)
        if asked.ndim > 1:
            raise TypeError("times are a number or a list of numbers")
        t, wanted = self.t, np.atleast_1d(asked)
        if not len(t):
            raise UsageError("there are no rows")
        if not np.all((wanted >= t[0]) & (wanted <= t[-1])):
            raise UsageError(f"rows are from t = {t[0]} to {t[-1]}")
        if degree < 1:
            raise UsageError("the degree is at least 1")
        stencils, weights = _stencils(t, wanted, degree)
        before = np.searchsorted(t, wanted, side="right") - 1
        columns = {name: column[before] if name.startswith("mode[") else np.einsum("ij,ij->i", weights, column[stencils])
                   for name, column in self._columns.items()}
        columns[self.names[0]] = wanted.copy()
        if asked.ndim == 0:
            return {name: float(column[0]) for name, column in columns.items()}
        return self._like(columns)

    # --- for other programs and for the eye -----------------------------------------------------------------------

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the time as its index; units are in its ``attrs``."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas: in Debian, the package python3-pandas") from None
        rest = list(self._columns.items())[1:]
        frame = pandas.DataFrame(dict(rest), index=pandas.Index(self.t, name=self.names[0]))
        frame.attrs["units"] = dict(self.units)
        return frame

    def plot(self, *panels: str, title: Optional[str] = None, figure: Any = None, figsize: Optional[tuple[float, float]] = None) -> Any:
        """A figure by matplotlib, a panel for each text: "x:y" is y against x, "x, y" both against the time; none: what seems best.

        A notebook shows it; elsewhere ``plot().savefig("run.pdf")``, or ``plot(figure=matplotlib.pyplot.figure())`` for a window.
        """
        from ._figures import plot
        return plot(self, panels, title, figure, figsize)

    def animate(self, height: int = 420) -> "Page":
        """The animation of the report page, inline in a notebook, or as a page to save. The run is made again for it."""
        from ._page import animation
        if self._source is None:
            raise UsageError("only a run of a model can be animated, not rows of a file")
        return animation(*self._source, height)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the rows: .npz with an array of each name, or .csv with the shortest digits that read back the same."""
        file = os.fspath(path)
        if file.endswith(".npz"):
            np.savez(file, **{name.replace("/", "_"): column for name, column in self._columns.items()})
        elif file.endswith(".csv"):
            with open(file, "w", encoding="utf-8", newline="") as out:
                out.write(",".join(f'"{n}"' if "," in n or '"' in n else n for n in self._columns) + "\n")
                for row in zip(*(column.tolist() for column in self._columns.values())):
                    out.write(",".join("" if value != value else repr(value) for value in row) + "\n")
        else:
            raise UsageError(f"{file} ends neither in .npz nor in .csv; simulate(output=..) writes .h5")

    def __str__(self) -> str:
        return self._words.rstrip("\n") or repr(self)

    def __repr__(self) -> str:
        span = f", t = {self.t[0]:g} .. {self.t[-1]:g}" if len(self) else ""
        return f"<hamel.Trajectory {len(self)} rows of {len(self._columns)} columns{span}>"

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["_columns"] = {name: np.array(column) for name, column in self._columns.items()}
        if self._source is not None and self._source[0]._closed:
            state["_source"] = None
        return state

    def __deepcopy__(self, memo: Any) -> "Trajectory":
        other = self._like({name: np.array(column) for name, column in self._columns.items()})
        other._words = self._words
        return other


def _stencils(t: Array, wanted: Array, degree: int) -> tuple[Array, Array]:
    """For each time the rows of its polynomial, and their weights by Lagrange's formula."""
    jumps = np.flatnonzero(np.diff(t) <= 0) + 1
    begins, ends = np.concatenate([[0], jumps]), np.concatenate([jumps, [len(t)]])
    piece = np.searchsorted(jumps, np.searchsorted(t, wanted, side="right") - 1, side="right")
    low, high = np.asarray(begins[piece]), np.asarray(ends[piece])
    count = min(degree + 1, len(t))
    place: Array = np.searchsorted(t, wanted, side="right") - 1
    first = np.clip(place - (count - 1) // 2, low, np.maximum(high - count, low))
    rows = first[:, None] + np.arange(count)
    valid = rows < high[:, None]
    rows = np.where(valid, rows, np.asarray(low)[:, None])
    nodes = t[rows]
    weights = np.ones(rows.shape)
    for j in range(count):
        for k in range(count):
            if k != j:
                both = valid[:, j] & valid[:, k]
                gap = np.where(both, nodes[:, j] - nodes[:, k], 1.0)
                weights[:, j] *= np.where(both, (wanted - nodes[:, k]) / gap, 1.0)
    return rows, np.where(valid, weights, 0.0)


# --- from the library -------------------------------------------------------------------------------------------------

def _happenings(handle: int) -> list[Happening]:
    found: list[Happening] = []
    one = c.Happening()
    while lib.hamel_trajectory_event(handle, len(found), ctypes.byref(one)):
        found.append(Happening(c.text(one.kind), c.text(one.name), one.t, one.direction, c.text(one.from_), c.text(one.to), one.speed, one.lost))
    return found


def adopt(handle: int, source: Optional[tuple["Model", RunOptions]] = None) -> Trajectory:
    """A hamel_trajectory as a Trajectory, which owns it from here on."""
    owner, rows = _Owner(handle), int(lib.hamel_trajectory_rows(handle))
    columns, units, kinds = {}, {}, {}
    for i in range(lib.hamel_trajectory_columns(handle)):
        name, address = c.text(lib.hamel_trajectory_name(handle, i)), lib.hamel_trajectory_column(handle, i)
        columns[name] = np.asarray(_Column(owner, address, rows)) if rows and address else np.empty(0)
        unit, kind = lib.hamel_trajectory_unit(handle, i), lib.hamel_trajectory_kind(handle, i)
        if unit:
            units[name] = c.text(unit)
        if kind:
            kinds[name] = c.text(kind)
    words, document = lib.hamel_trajectory_summary(handle, c.TEXT), lib.hamel_trajectory_summary(handle, c.JSON)
    summary = convert(json.loads(c.text(document))) if document else Result()
    return Trajectory(columns, units, kinds, _happenings(handle), summary, c.text(words), source)


def _run(context: Context, function: Callable[..., int], arguments: tuple[Any, ...], source: Optional[tuple["Model", RunOptions]]) -> Trajectory:
    made = ctypes.c_void_p()
    try:
        context.call(function, *arguments, ctypes.byref(made))
    except Error as error:
        if made.value:
            error.partial = adopt(made.value, source)
        raise
    except BaseException:
        if made.value:
            lib.hamel_trajectory_free(made.value)
        raise
    assert made.value is not None
    return adopt(made.value, source)


def simulate(model: "Model", options: RunOptions, output: Any, progress: Optional[Callable[[float], None]]) -> Trajectory:
    context, handle = model._native()
    source = (model._shadow(), options)
    file = None if output is None else os.fspath(output)
    told = None if progress is None else Progress(progress, context.lock, context.flag)
    try:
        return _simulate(context, handle, options, told, file, source)
    finally:
        if told is not None and told.failure is not None:
            raise told.failure


def _simulate(context: Context, handle: int, options: RunOptions, told: Optional[Progress], file: Optional[str],
              source: tuple["Model", RunOptions]) -> Trajectory:
    with context.lock:
        run = options.native(told, file, context.flag)
        if file is None:
            return _run(context, lib.hamel_model_trajectory, (handle, ctypes.byref(run)), source)
        if file == "-" or not file.endswith((".csv", ".h5")):
            raise UsageError(f"{file} ends neither in .csv nor in .h5")
        result = ctypes.c_void_p()
        try:
            context.call(lib.hamel_model_simulate, handle, ctypes.byref(run), c.JSON, ctypes.byref(result))
        except Error as error:
            c.take(result.value)
            if isinstance(error, NumericsError) and os.path.exists(file):
                error.partial = read(file)
            raise
        summary = convert(json.loads(c.take(result.value)))
    found = read(file)
    found.summary, found._source = summary, source
    return found


def read(path: Union[str, "os.PathLike[str]"]) -> Trajectory:
    """Rows in a file: an .h5 file of a run, or a .csv file with a line of names first, where an empty cell is a gap (NaN)."""
    context = Context({})
    return _run(context, lib.hamel_file_trajectory, (context.handle, encode(os.fspath(path), "a file")), None)
