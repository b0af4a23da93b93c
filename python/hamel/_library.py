"""The shared library: where it is found, its structs and its calls with their types, as the headers in include/ declare them."""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_size_t, c_uint, c_ulonglong, c_void_p
from typing import Any, Iterator, Optional

NAME = "libhamel.so.0"
ABI = 0

# hamel_format
TEXT, LATEX, MARKDOWN, JSON, SYMPY, HTML, BIBTEX, NUMPY, MATLAB = range(9)
# hamel_part
PARTS = ("coordinates", "unknowns", "residuals", "matrix", "forcing", "velocities", "accelerations", "constraints", "slopes", "forces", "energies",
         "invariants", "observables", "definitions", "states", "rates", "starts")
Later = c_void_p * 4

WRITE = ctypes.CFUNCTYPE(c_int, c_void_p, c_size_t, c_void_p)
PROGRESS = ctypes.CFUNCTYPE(None, c_double, c_void_p)


class Limits(Structure):
    _fields_ = [("time", c_double), ("memory", c_ulonglong), ("nodes", c_ulonglong), ("rows", c_ulonglong), ("bytes", c_ulonglong),
                ("interrupted", POINTER(c_int)), ("later", Later)]


class Plot(Structure):
    _fields_ = [("panels", POINTER(c_char_p)), ("panel_count", c_size_t), ("output", c_char_p), ("title", c_char_p), ("x_label", c_char_p),
                ("y_label", c_char_p), ("log", c_char_p), ("legend", c_char_p), ("width", c_double), ("height", c_double), ("equal", c_int),
                ("grid", c_int), ("events", c_int), ("marks", c_int), ("spectrum", c_int), ("recurrence", c_int), ("near", c_double),
                ("json", c_int), ("columns", c_uint), ("lines", c_uint), ("unicode", c_int), ("colour", c_int), ("later", Later)]


class Run(Structure):
    _fields_ = [("form", c_char_p), ("method", c_char_p), ("at", c_char_p), ("execute", c_char_p), ("precision", c_char_p), ("output", c_char_p),
                ("resume", c_char_p), ("plot", POINTER(Plot)), ("until", c_double), ("tolerance", c_double), ("interval", c_double),
                ("step", c_double), ("verify", c_int), ("project", c_int), ("write", WRITE), ("progress", PROGRESS), ("data", c_void_p),
                ("interrupted", POINTER(c_int)), ("later", Later)]


class Outcome(Structure):
    _fields_ = [("t", c_double), ("rows", c_size_t), ("steps", c_size_t), ("rejected", c_size_t), ("evaluations", c_size_t), ("events", c_size_t),
                ("drift", c_double), ("words", c_char_p), ("later", Later)]


class Steady(Structure):
    _fields_ = [("at", c_char_p), ("box", c_char_p), ("solve", c_char_p), ("trim", c_char_p), ("closed", c_int), ("later", Later)]


class Continue(Structure):
    _fields_ = [("at", c_char_p), ("vary", c_char_p), ("orbit", c_int), ("period", c_char_p), ("branches", c_uint), ("steps", c_uint),
                ("plot", POINTER(Plot)), ("later", Later)]


class Section(Structure):
    _fields_ = [("event", c_char_p), ("direction", c_char_p), ("count", c_ulonglong), ("plot", POINTER(Plot)), ("later", Later)]


class Happening(Structure):
    _fields_ = [("kind", c_char_p), ("name", c_char_p), ("t", c_double), ("direction", c_int), ("from_", c_char_p), ("to", c_char_p),
                ("speed", c_double), ("lost", c_double), ("state", POINTER(c_double)), ("state_count", c_size_t), ("later", Later)]


class Node(Structure):
    _fields_ = [("kind", c_char_p), ("name", c_char_p), ("number", c_char_p), ("operand_count", c_size_t), ("operands", POINTER(c_uint)),
                ("coefficients", POINTER(c_char_p)), ("orders", POINTER(c_uint)), ("role", c_char_p), ("base", c_char_p), ("order", c_uint),
                ("later", Later)]


class Field(Structure):  # its functions as addresses
    _fields_ = [("size", c_size_t), ("columns", c_size_t), ("parameters", c_size_t), ("order", c_uint), ("compiled", c_int), ("rate", c_void_p),
                ("jacobian", c_void_p), ("values", c_void_p), ("taylor", c_void_p)]


handle = c_void_p
out = POINTER(c_void_p)  # of a handle, or of a text, which is taken and released by take()

# name: what it returns, what it takes. tests/python/t_interface.py compares this with the headers.
CALLS: dict[str, tuple[Any, list[Any]]] = {
    "hamel_version": (c_char_p, []),
    "hamel_free": (None, [c_void_p]),
    "hamel_context_create": (handle, []),
    "hamel_context_destroy": (None, [handle]),
    "hamel_context_set": (c_int, [handle, c_char_p]),
    "hamel_context_limit": (c_int, [handle, POINTER(Limits)]),
    "hamel_diagnostic_count": (c_size_t, [handle]),
    "hamel_diagnostics": (c_void_p, [handle]),
    "hamel_diagnostics_json": (c_void_p, [handle, c_int]),
    "hamel_model_open": (c_int, [handle, c_char_p, out]),
    "hamel_model_parse": (c_int, [handle, c_char_p, c_char_p, c_size_t, out]),
    "hamel_model_check": (c_int, [handle, c_int, c_uint, out]),
    "hamel_model_describe": (c_int, [handle, c_int, out]),
    "hamel_model_derive": (c_int, [handle, c_char_p, c_int, c_uint, out]),
    "hamel_model_matrices": (c_int, [handle, c_char_p, c_int, out]),
    "hamel_model_evaluate": (c_int, [handle, c_char_p, c_char_p, c_uint, c_int, out]),
    "hamel_model_assemble": (c_int, [handle, c_char_p, c_uint, c_int, out]),
    "hamel_model_transpose": (c_int, [handle, c_char_p, c_int, out]),
    "hamel_model_simulate": (c_int, [handle, POINTER(Run), c_int, out]),
    "hamel_forms": (c_int, [handle, handle, c_int, out]),
    "hamel_references": (c_int, [handle, c_char_p, c_int, out]),
    "hamel_model_prepare": (c_int, [handle, POINTER(Run), out]),
    "hamel_motion_copy": (c_int, [handle, out]),
    "hamel_motion_free": (None, [handle]),
    "hamel_motion_context": (handle, [handle]),
    "hamel_motion_count": (c_size_t, [handle, c_int]),
    "hamel_motion_name": (c_char_p, [handle, c_int, c_size_t]),
    "hamel_motion_set": (c_int, [handle, c_char_p, c_double]),
    "hamel_motion_get": (c_double, [handle, c_size_t]),
    "hamel_motion_start": (c_int, [handle, c_double, c_void_p]),
    "hamel_motion_start_at": (c_int, [handle, c_char_p]),
    "hamel_motion_run": (c_int, [handle, c_double, c_void_p, c_size_t, c_void_p, POINTER(Outcome)]),
    "hamel_motion_event": (c_int, [handle, c_size_t, POINTER(c_size_t), POINTER(c_double), POINTER(c_int)]),
    "hamel_motion_now": (c_int, [handle, POINTER(c_double), c_void_p, c_void_p]),
    "hamel_motion_rate": (c_int, [handle, c_double, c_void_p, c_void_p]),
    "hamel_model_steady": (c_int, [handle, POINTER(Steady), c_int, out]),
    "hamel_model_linearise": (c_int, [handle, c_char_p, c_char_p, c_uint, c_int, out]),
    "hamel_model_stability": (c_int, [handle, c_char_p, c_char_p, POINTER(Plot), c_int, out]),
    "hamel_model_continue": (c_int, [handle, POINTER(Continue), c_int, out]),
    "hamel_model_sensitivity": (c_int, [handle, POINTER(Run), c_char_p, c_char_p, c_int, c_int, out]),
    "hamel_model_lyapunov": (c_int, [handle, POINTER(Run), c_int, out]),
    "hamel_model_orbit": (c_int, [handle, POINTER(Run), c_char_p, c_int, out]),
    "hamel_model_section": (c_int, [handle, POINTER(Section), POINTER(Run), c_int, out]),
    "hamel_model_compare": (c_int, [handle, c_char_p, c_char_p, POINTER(Run), c_int, out]),
    "hamel_model_report": (c_int, [handle, c_char_p, POINTER(Run), c_int, out]),
    "hamel_model_codegen": (c_int, [handle, c_char_p, c_char_p, c_char_p, c_char_p, out]),
    "hamel_model_prove_seeded": (c_int, [handle, c_char_p, c_int, c_ulonglong, c_int, out]),
    "hamel_known": (c_char_p, [c_char_p, c_size_t, POINTER(c_char_p)]),
    "hamel_library_text": (c_void_p, [c_size_t, POINTER(c_size_t)]),
    "hamel_model_listed": (c_char_p, [handle, c_char_p, c_size_t]),
    "hamel_model_unit": (c_char_p, [handle, c_char_p]),
    "hamel_model_value": (c_int, [handle, c_char_p, POINTER(c_double)]),
    "hamel_model_name": (c_char_p, [handle]),
    "hamel_model_title": (c_char_p, [handle]),
    "hamel_model_trajectory": (c_int, [handle, POINTER(Run), out]),
    "hamel_file_trajectory": (c_int, [handle, c_char_p, out]),
    "hamel_trajectory_free": (None, [handle]),
    "hamel_trajectory_rows": (c_size_t, [handle]),
    "hamel_trajectory_columns": (c_size_t, [handle]),
    "hamel_trajectory_name": (c_char_p, [handle, c_size_t]),
    "hamel_trajectory_kind": (c_char_p, [handle, c_size_t]),
    "hamel_trajectory_unit": (c_char_p, [handle, c_size_t]),
    "hamel_trajectory_column": (c_void_p, [handle, c_size_t]),
    "hamel_trajectory_summary": (c_char_p, [handle, c_int]),
    "hamel_model_equations": (c_int, [handle, c_char_p, out]),
    "hamel_equations_free": (None, [handle]),
    "hamel_equations_form": (c_char_p, [handle]),
    "hamel_equations_count": (c_size_t, [handle, c_int]),
    "hamel_equations_at": (c_uint, [handle, c_int, c_size_t]),
    "hamel_equations_name": (c_char_p, [handle, c_int, c_size_t]),
    "hamel_equations_nodes": (c_size_t, [handle]),
    "hamel_equations_node": (c_int, [handle, c_uint, POINTER(Node)]),
    "hamel_motion_field": (c_int, [handle, c_uint, out]),
    "hamel_field_free": (None, [handle]),
    "hamel_field_work": (c_void_p, [handle]),
    "hamel_field_work_free": (None, [c_void_p]),
    "hamel_trajectory_event": (c_int, [handle, c_size_t, POINTER(Happening)]),
}


def _candidates() -> Iterator[str]:
    """$HAMEL_LIBRARY alone where it is set; else beside this file, as the system finds it, in the build folder of a checkout."""
    named = os.environ.get("HAMEL_LIBRARY")
    if named:
        yield named
        return
    here = pathlib.Path(__file__).resolve().parent
    if (here / NAME).exists():
        yield str(here / NAME)
    yield NAME
    built = here.parent.parent / "build" / NAME
    if built.exists():
        yield str(built)


def _load() -> ctypes.CDLL:
    reasons = []
    for file in _candidates():
        try:
            found = ctypes.CDLL(file)
        except OSError as error:
            reasons.append(str(error))
            continue
        for name, (result, arguments) in CALLS.items():
            try:
                function = getattr(found, name)
            except AttributeError:
                raise ImportError(f"{file} is libhamel of another version: it has no {name}(); install hamel and its Python package "
                                  "from one version") from None
            function.restype, function.argtypes = result, arguments
        return found
    raise ImportError(f"hamel: the shared library {NAME} was not found: {'; '.join(reasons)}\n  = install the package libhamel0, or build "
                      "hamel, or name the library in the environment variable HAMEL_LIBRARY")


lib = _load()


def take(pointer: Optional[int]) -> str:
    """A text that the library made for its caller, who releases it."""
    if not pointer:
        return ""
    try:
        return ctypes.string_at(pointer).decode("utf-8", "backslashreplace")
    finally:
        lib.hamel_free(pointer)


def text(given: Optional[bytes]) -> str:
    """A text that stays the library's; an empty one for NULL."""
    return "" if given is None else given.decode("utf-8", "backslashreplace")


def known(kind: str) -> dict[str, str]:
    """What can be named in a call: "forms", "methods", "targets", "models" .. with what each is, in a few words.

    >>> "maggi" in known("forms")
    True
    """
    found: dict[str, str] = {}
    about = c_char_p()
    while True:
        name = lib.hamel_known(kind.encode(), len(found), ctypes.byref(about))
        if name is None:
            return found
        found[text(name)] = text(about.value)
