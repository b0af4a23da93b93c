"""A model: read, asked, judged, run.

A `Model` keeps its text and its settings; the library's own object is made of them when it is needed, and made anew after `set()`, after a
limit and after an interrupt. That is why models can be copied, pickled and used in a child of fork().
"""
from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pathlib
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Optional, Union

from . import _library as c
from ._calls import Context, encode, encode_optional
from ._library import lib
from ._run import RunOptions
from ._values import Result, State, convert, limit_number, name_text, number_text, reader, state_text
from .errors import ClosedError, UsageError

if TYPE_CHECKING:
    import numpy as np

    from ._page import Page
    from .derivation import Derivation, Derivations
    from .linear import Linearisation
    from .motion import Motion
    from .sweeps import Sweep
    from .trajectory import Trajectory
    from .verdicts import Verdicts

KINDS = ("coordinates", "quasi-velocities", "parameters", "inputs", "functions", "constraints", "contacts", "events", "resets", "invariants",
         "observables", "claims")
LIMITS = ("time", "memory", "nodes", "rows", "bytes")


class Model:
    """A mechanical system from the text of a model.

    ``name`` is what diagnostics call it and where files that it includes are looked for. Keywords are values of parameters and constants;
    those whose names are no words of Python go into ``values``.

    >>> m = Model('''
    ... param g = 9.81, l = 1
    ... coord th
    ... kinetic l^2*th'^2/2
    ... potential -g*l*cos(th)
    ... initial th = 0.5
    ... ''', l=2)
    >>> print(m.derive())
    Maggi's equations (maggi)
      th'' = -g*sin(th)/l
    """

    def __init__(self, text: Union[str, bytes], name: str = "model", *, values: Optional[Mapping[str, Any]] = None,
                 limits: Optional[Mapping[str, Any]] = None, **more: Any) -> None:
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"the text of a model is a str, not {type(text).__name__}")
        self._begin(text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text, name, {**(values or {}), **more}, limits)

    @classmethod
    def _open(cls, name: str, text: Optional[bytes], values: Mapping[str, Any], limits: Optional[Mapping[str, Any]]) -> "Model":
        self = cls.__new__(cls)
        self._begin(text, name, values, limits)
        return self

    def _shadow(self) -> "Model":
        """The same model, of which the library knows nothing until it is used."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, _values=dict(self._values), _limits=dict(self._limits), _lock=threading.RLock())
        other._clear()
        return other

    def _begin(self, text: Optional[bytes], name: str, values: Mapping[str, Any], limits: Optional[Mapping[str, Any]]) -> None:
        self._text = text  # None: of the library, or a name that it will refuse
        self._name = name
        self._values: dict[str, str] = {}
        self._limits: dict[str, float] = {}
        self._closed = False
        self._symbols: dict[str, Any] = {}  # what names were in SymPy
        self._clear()
        self._lock = threading.RLock()
        self._put(values)
        self.limit(**dict(limits or {}))
        self._native()  # errors in the text come now

    def _clear(self) -> None:
        self._context: Optional[Context] = None
        self._handle: Optional[int] = None
        self._running: Optional["Motion"] = None

    def _native(self) -> tuple[Context, int]:
        """The library's model, made if there is none that can still be used."""
        with self._lock:
            if self._closed:
                raise ClosedError(f"the model {self._name} is closed")
            if self._context is None or self._context.dead or self._handle is None:
                context = Context(self._limits)
                for name, value in self._values.items():
                    context.set(f"{name}={value}")
                made = ctypes.c_void_p()
                if self._text is None:
                    context.call(lib.hamel_model_open, context.handle, encode(self._name, "a name"), ctypes.byref(made))
                else:
                    context.call(lib.hamel_model_parse, context.handle, encode(self._name, "a name"), self._text, len(self._text), ctypes.byref(made))
                self._context, self._handle = context, made.value
            assert self._handle is not None
            return self._context, self._handle

    def _ask(self, function: Callable[..., int], *arguments: Any, tolerated: tuple[int, ...] = ()) -> str:
        context, handle = self._native()
        return context.text(function, handle, *arguments, tolerated=tolerated)

    @contextlib.contextmanager
    def _held(self) -> Iterator[int]:
        """The library's model, which no other thread uses meanwhile."""
        while True:
            context, handle = self._native()
            with context.lock:
                if not context.dead:
                    yield handle
                    return

    def _study(self, function: Callable[..., int], *arguments: Any) -> Result:
        """The JSON of a call with its numbers as floats."""
        return convert(json.loads(self._ask(function, *arguments, c.JSON)))

    # --- what it is -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name that the model gives itself, or that of its file.

        >>> import hamel; hamel.load("sleigh").name
        'sleigh'
        """
        with self._held() as handle:
            return c.text(lib.hamel_model_name(handle))

    @property
    def title(self) -> str:
        """The title that the model gives itself; empty where it has none."""
        with self._held() as handle:
            return c.text(lib.hamel_model_title(handle))

    @property
    def text(self) -> str:
        """The text of the model."""
        if self._text is not None:
            return self._text.decode("utf-8", "surrogateescape")
        index, size = list(c.known("models")).index(self._name), ctypes.c_size_t()
        return ctypes.string_at(lib.hamel_library_text(index, ctypes.byref(size)), size.value).decode()

    def names(self, kind: str) -> list[str]:
        """What the model has of a kind: "coordinates", "parameters", "constraints", "events", "observables", "invariants" ..

        >>> import hamel; hamel.load("sleigh").names("coordinates")
        ['x', 'y', 'theta']
        """
        key, found = encode(kind, "a kind"), list[str]()
        with self._held() as handle:
            while True:
                one = lib.hamel_model_listed(handle, key, len(found))
                if one is None:
                    break
                found.append(c.text(one))
        if not found and kind not in (*KINDS, "bodies", "points"):
            raise UsageError(f"there are no names of the kind {kind!r}; there are {', '.join(KINDS)}")
        return found

    @property
    def coordinates(self) -> list[str]:
        """The names of the coordinates."""
        return self.names("coordinates")

    @property
    def parameters(self) -> dict[str, Optional[float]]:
        """The parameters with their values; None for one without.

        >>> import hamel; hamel.load("sleigh", m=3).parameters
        {'m': 3.0, 'J': 2.0, 'a': 0.5}
        """
        found: dict[str, Optional[float]] = {}
        with self._held() as handle:
            for name in self.names("parameters"):
                value = ctypes.c_double()
                found[name] = value.value if lib.hamel_model_value(handle, name.encode(), ctypes.byref(value)) else None
        return found

    def unit(self, name: str) -> str:
        """The unit of a coordinate, velocity, parameter, observable: "m/s^2"; empty where there is none."""
        with self._held() as handle:
            return c.text(lib.hamel_model_unit(handle, encode(name, "a name")))

    def set(self, values: Optional[Mapping[str, Any]] = None, **more: Any) -> "Model":
        """Other values for parameters and constants, and other modes of contacts: ``m.set(a=2)``, ``m.set({"mode[floor]": "sliding"})``.

        Numbers are taken exactly as they are printed; texts are expressions. The model itself changes, and is returned.
        """
        before = dict(self._values)
        with self._lock:
            self._put({**(values or {}), **more})
            self._clear()
            try:
                self._native()
            except BaseException:
                self._values = before
                self._clear()
                raise
        return self

    def _put(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            self._values[name_text(name)] = number_text(value)

    def limit(self, **limits: Any) -> "Model":
        """What one call may spend: ``time`` in seconds, ``memory`` in bytes, ``nodes`` of expressions, ``rows`` of a run, ``bytes`` of rows.

        Texts such as "2G" are numbers, too; 0 is the default. A call that needs more raises LimitError.
        """
        for name, value in limits.items():
            if name not in LIMITS:
                raise UsageError(f"there is no limit {name!r}; there are {', '.join(LIMITS)}")
            self._limits[name] = limit_number(name, value)
        with self._lock:
            self._clear()
        return self

    # --- equations and verdicts -----------------------------------------------------------------------------------

    def check(self, long: bool = False) -> Result:
        """Classification: order and type of each constraint, degrees of freedom, symmetries.

        >>> import hamel; r = hamel.load("sleigh").check(); r.n, r.m, r.group
        (3, 2, 'SE(2)')
        """
        return convert(json.loads(self._ask(lib.hamel_model_check, c.JSON, int(long))), str)

    def describe(self) -> Result:
        """What the model says after expansion: energies, forces, constraints.

        >>> import hamel; hamel.load("sleigh").describe().kinetic.text
        "(m*(x'^2 + y'^2) + J*theta'^2)/2"
        """
        return convert(json.loads(self._ask(lib.hamel_model_describe, c.JSON)), str)

    def forms(self) -> Result:
        """Every formalism by its id, with whether it applies to this model and why not."""
        context, handle = self._native()
        found = json.loads(context.text(lib.hamel_forms, context.handle, handle, c.JSON))
        return Result((one["id"], convert(one, str)) for one in found["forms"])

    def derive(self, form: Optional[str] = None, *, raw: bool = False, full: bool = False) -> "Derivation":
        """The equations of motion by a formalism; None: Maggi's, or those with multipliers where Maggi's do not apply.

        >>> import hamel; print(hamel.load("sleigh").derive("hamel").equations[0])
        v' = a*w^2
        """
        from .derivation import derive
        return derive(self, form, raw, full)

    def derive_all(self, forms: str = "all") -> "Derivations":
        """The equations by several formalisms: "all" that apply, or ids with commas between."""
        from .derivation import derive_all
        return derive_all(self, forms)

    def prove(self, forms: str = "all", *, certify: bool = False, seed: int = 0) -> "Verdicts":
        """Verdicts on the agreement of the forms, on claims, invariants and the energy balance.

        >>> import hamel; verdicts = hamel.load("sleigh").prove("maggi,hamel"); verdicts.count("refuted")
        0
        """
        from .verdicts import prove
        return prove(self, forms, certify, seed)

    def eval(self, at: State = None, *, form: Optional[str] = None, digits: int = 16, numbers: Any = float) -> Result:
        """Accelerations, multipliers, reactions, energy and residuals at a state, each correct to so many digits.

        ``numbers`` says what they become: float, "decimal", "mpmath", "text" or a callable that reads a text.

        >>> import hamel; r = hamel.load("sleigh").eval({"x'": 2}, digits=30, numbers="decimal"); r.qdd.y
        Decimal('0.533333333333333333333333333333')
        """
        document = self._ask(lib.hamel_model_evaluate, encode_optional(form, "a form"), encode_optional(state_text(at)), _digits(digits), c.JSON)
        return convert(json.loads(document), reader(numbers, digits))

    def assemble(self, at: State = None, *, digits: int = 16, numbers: Any = float) -> Result:
        """The completed initial state: what was given, guessed and solved for."""
        document = self._ask(lib.hamel_model_assemble, encode_optional(state_text(at)), _digits(digits), c.JSON)
        return convert(json.loads(document), reader(numbers, digits))

    # --- motion ---------------------------------------------------------------------------------------------------

    def simulate(self, until: Optional[float] = None, *, output: Union[None, str, "os.PathLike[str]"] = None,
                 progress: Optional[Callable[[float], None]] = None, **options: Any) -> "Trajectory":
        """A run, as columns in memory that NumPy sees without a copy. What is left out is as the model says.

        Options: ``tol``, ``at`` (changes to the initial state), ``every`` (time between rows), ``method``, ``form``, ``step``,
        ``precision`` ("double", "long", "quad"), ``execute`` ("auto", "compiled", "interpreted"), ``verify``, ``project``. ``output``
        is a file (.csv, .h5) that rows go to, and are read from. ``progress`` is called with the part that is done, 0 .. 1; what it raises ends
        the run. Where a run stops early, NumericsError has the rows in ``partial``.

        >>> import hamel; tr = hamel.load("sleigh").simulate(until=4, at={"x'": 2}); tr.t[-1], len(tr["x"]) == len(tr)
        (4.0, True)
        """
        from .trajectory import simulate
        return simulate(self, RunOptions(until=until, **options), output, progress)

    def motion(self, **options: Any) -> "Motion":
        """The model made ready once, to be run as often as wanted from other states and with other parameters.

        Options: ``tol``, ``at``, ``method``, ``form``, ``step``, ``execute`` (None: compiled), ``project``.
        """
        from .motion import Motion
        return Motion(self, RunOptions(**options))

    @property
    def _motion(self) -> "Motion":
        """The motion behind rhs, jac and z0: interpreted, which costs no compiler's second; motion().rhs is compiled."""
        with self._lock:
            if self._running is None:
                self._running = self.motion(execute="interpreted")
            return self._running

    @property
    def rhs(self) -> "Callable[[float, Any], np.ndarray[Any, Any]]":
        """f(t, z) of z' = f(t, z), for solve_ivp and its like; z is named by ``states`` and begins at ``z0``.

        >>> import hamel; m = hamel.load("sleigh"); m.rhs(0, m.z0).round(3)
        array([ 1.   ,  0.15 ,  0.3  ,  0.045, -0.067])
        """
        return self._motion.rhs

    @property
    def jac(self) -> "Callable[[float, Any], np.ndarray[Any, Any]]":
        """df/dz of z' = f(t, z), for implicit methods of solve_ivp."""
        return self._motion.jac

    @property
    def z0(self) -> "np.ndarray[Any, Any]":
        """The state z at the start of the model."""
        return self._motion.z0

    @property
    def states(self) -> list[str]:
        """The names of z: coordinates, then independent velocities and what else is integrated."""
        return self._motion.states

    def sweep(self, values: Mapping[str, Any], until: Optional[float] = None, *, times: Any = None, threads: Optional[int] = None,
              **options: Any) -> "Sweep":
        """Runs with many values of parameters and initial values, arrays that are broadcast against each other, in several threads.

        >>> import hamel; s = hamel.load("sleigh").sweep({"a": [0.1, 0.2, 0.3]}, until=5, threads=1); s["x"].shape
        (3,)
        """
        from .sweeps import sweep
        return sweep(self, values, until, times, threads, RunOptions(**options))

    # --- studies --------------------------------------------------------------------------------------------------

    def steady(self, at: State = None, *, box: State = None, solve: Optional[str] = None, trim: Optional[str] = None,
               closed: bool = False) -> Result:
        """Steady motions: equilibria, and motions that the system's symmetries carry along. ``box``: all in ranges, with a proof."""
        asked = c.Steady(at=encode_optional(state_text(at)), box=encode_optional(ranges_text(box)), solve=encode_optional(solve),
                         trim=encode_optional(trim), closed=int(closed))
        return self._study(lib.hamel_model_steady, ctypes.byref(asked))

    def linearise(self, at: State = None, *, symbolic: bool = False) -> "Linearisation":
        """The linear motion around a steady one: dz' = A dz + B du, M p'' + C p' + K p = F u, eigenvalues and modes.

        >>> import hamel; hamel.load("pendulum").linearise().eigenvalues.shape
        (2,)
        """
        from .linear import linearise
        return linearise(self, at, symbolic)

    def stability(self, vary: State, *, at: State = None) -> Result:
        """Eigenvalues around a steady motion along a parameter or initial value, ``{"v": (1, 10)}``: critical values, and proofs between."""
        return self._study(lib.hamel_model_stability, encode_optional(state_text(at)), encode_optional(ranges_text(vary)), None)

    def follow(self, vary: State, *, at: State = None, orbit: bool = False, period: Any = None, branches: int = 0, steps: int = 0) -> Result:
        """Steady motions, or periodic orbits, followed along a parameter through folds and branches."""
        asked = c.Continue(at=encode_optional(state_text(at)), vary=encode_optional(ranges_text(vary)), orbit=int(orbit),
                           period=_period(period), branches=branches, steps=steps)
        return self._study(lib.hamel_model_continue, ctypes.byref(asked))

    def orbit(self, period: Any = None, **options: Any) -> Result:
        """A periodic orbit near the start of a run, with its Floquet multipliers."""
        run = RunOptions(**options)
        return self._study(lib.hamel_model_orbit, run.native(), _period(period))

    def lyapunov(self, until: Optional[float] = None, **options: Any) -> Result:
        """Lyapunov exponents along a run, with error bars."""
        return self._study(lib.hamel_model_lyapunov, RunOptions(until=until, **options).native())

    def sensitivity(self, until: Optional[float] = None, *, of: Optional[str] = None, to: Optional[str] = None, second: bool = False,
                    **options: Any) -> Result:
        """Derivatives of a run by parameters and initial values, at its end and at its events."""
        run = RunOptions(until=until, **options)
        return self._study(lib.hamel_model_sensitivity, run.native(), encode_optional(of), encode_optional(to), int(second))

    def section(self, event: str, until: Optional[float] = None, *, direction: Optional[str] = None, count: int = 0, **options: Any) -> Result:
        """Poincare's section: the states of a run where an event or an expression crosses zero."""
        asked = c.Section(event=encode(event, "an event"), direction=encode_optional(direction), count=_whole(count, "count"))
        return self._study(lib.hamel_model_section, ctypes.byref(asked), RunOptions(until=until, **options).native())

    def compare(self, form: str, other: str, until: Optional[float] = None, **options: Any) -> Result:
        """Two forms from one initial state: how far apart their motions are, and when they part."""
        run = RunOptions(until=until, **options)
        return self._study(lib.hamel_model_compare, encode(form, "a form"), encode(other, "a form"), run.native())

    # --- files ----------------------------------------------------------------------------------------------------

    def codegen(self, folder: Union[str, "os.PathLike[str]"], target: Optional[str] = None, *, form: Optional[str] = None,
                at: State = None) -> list[pathlib.Path]:
        """The equations as stand-alone code of a target in a folder; the files that were written."""
        words = self._ask(lib.hamel_model_codegen, encode_optional(target, "a target"), encode_optional(form, "a form"),
                          encode_optional(state_text(at)), encode(os.fspath(folder), "a folder"))
        files = (pathlib.Path(line.strip()) for line in words.splitlines())
        return [file if file.exists() else pathlib.Path(folder) / file for file in files if str(file) != "."]

    def report(self, path: Union[None, str, "os.PathLike[str]"] = None, *, forms: Optional[str] = None, **options: Any) -> "Page":
        """The page for a person: equations, proofs, plots, an animation in one HTML file; shown inline in a notebook."""
        from ._page import Page
        run = RunOptions(**options)
        page = Page(self._ask(lib.hamel_model_report, encode_optional(forms, "a form"), run.native(), c.HTML))
        if path is not None:
            page.save(path)
        return page

    # --- copies, the end ------------------------------------------------------------------------------------------

    def copy(self) -> "Model":
        """Another model with the same text, settings and limits."""
        if self._closed:
            raise ClosedError(f"the model {self._name} is closed")
        return self._shadow()

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Model":
        return self.copy()

    def __reduce__(self) -> Any:
        if self._closed:
            raise ClosedError(f"the model {self._name} is closed")
        return _restore, (type(self), self._name, self._text, self._values, self._limits)

    def close(self) -> None:
        """Releases the library's model; what was made of it stays."""
        with self._lock:
            self._clear()
            self._closed = True

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._closed:
            return f"<hamel.Model {self._name}, closed>"
        return f"<hamel.Model {self._name}{''.join(f', {n} = {v}' for n, v in self._values.items())}>"


def _restore(kind: type[Model], name: str, text: Optional[bytes], values: dict[str, str], limits: dict[str, float]) -> Model:
    self = kind.__new__(kind)
    self._begin(text, name, values, limits)
    return self


def load(name: Union[str, "os.PathLike[str]"], *, values: Optional[Mapping[str, Any]] = None, limits: Optional[Mapping[str, Any]] = None,
         **more: Any) -> Model:
    """A model from a file, or from the built-in library by its name.

    >>> load("sleigh", a=0.25)
    <hamel.Model sleigh, a = 0.25>
    """
    path = os.fspath(name)
    if not isinstance(path, str):
        raise TypeError(f"the name of a model is a str, not {type(path).__name__}")
    encode(path, "a name")
    text = pathlib.Path(path).read_bytes() if os.path.isfile(path) else None
    return Model._open(path, text, {**(values or {}), **more}, limits)


def models() -> list[str]:
    """The names of the built-in library.

    >>> "sleigh" in models()
    True
    """
    return list(c.known("models"))


def ranges_text(given: State) -> Optional[str]:
    """Ranges as the library reads them.

    >>> ranges_text({"v": (1, 10), "w": "0 .. 1"})
    'v = 1 .. 10, w = 0 .. 1'
    """
    if given is None or isinstance(given, str):
        return given
    words: Iterable[str] = (f"{name_text(name)} = {value}" if isinstance(value, str)
                            else f"{name_text(name)} = {number_text(value[0])} .. {number_text(value[1])}" for name, value in given.items())
    return ", ".join(words)


def _period(period: Any) -> Optional[bytes]:
    return None if period is None else encode(number_text(period))


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is a whole number, not {type(value).__name__}")
    if not 0 <= int(value) < 2**63:
        raise UsageError(f"{what} is a whole number that is not negative, not {value}")
    return int(value)


def _digits(value: Any) -> int:
    if _whole(value, "digits") >= 2**31:
        raise UsageError(f"digits are fewer than 2^31, not {value}")
    return int(value)
