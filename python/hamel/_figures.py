"""Figures of a trajectory by matplotlib, which is imported when the first one is drawn."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from .errors import UsageError

if TYPE_CHECKING:
    from .trajectory import Trajectory


def _split(text: str, mark: str) -> list[str]:
    """At each mark that does not stand in double quotes or in square brackets, as in mode[floor] or q[1,2]."""
    parts, depth, quoted = [""], 0, False
    for sign in text:
        quoted ^= sign == '"'
        depth += (sign == "[") - (sign == "]")
        if sign == mark and not quoted and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip().strip('"') for part in parts]


def _curves(run: "Trajectory", panel: str) -> list[tuple[str, str]]:
    """"x:y, x:z" as pairs of names; a name alone is drawn against the time."""
    first, found = run.names[0], []
    for one in _split(panel, ","):
        sides = _split(one, ":")
        if len(sides) > 2 or not all(sides):
            raise UsageError(f"a panel is \"x:y\" or \"x, y\", not {panel!r}")
        pair = (sides[0], sides[1]) if len(sides) == 2 else (first, sides[0])
        for name in pair:
            run[name]  # KeyError with the names that there are
        found.append(pair)
    return found


def _usual(run: "Trajectory") -> list[str]:
    if "x" in run and "y" in run and run.kinds.get("x", "coordinate") == "coordinate":
        return ["x:y"]
    named = [f'"{name}"' for name in run.names[1:] if run.kinds.get(name, "coordinate") == "coordinate"]
    return [", ".join(named or [f'"{name}"' for name in run.names[1:]])]


def _label(run: "Trajectory", name: str) -> str:
    return f"{name} [{run.units[name]}]" if name in run.units else name


def _with_gaps(t: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Curves are broken where the motion jumps: two rows of one time."""
    jumps = np.flatnonzero(np.diff(t) <= 0) + 1
    return np.insert(x, jumps, np.nan), np.insert(y, jumps, np.nan)


def plot(run: "Trajectory", panels: Sequence[str], title: Optional[str], figure: Any, figsize: Optional[tuple[float, float]]) -> Any:
    curves = [_curves(run, panel) for panel in panels or _usual(run)]
    if figure is None:
        figure = _figure(figsize or (6.4, 1 + 2.6 * len(curves)))
    for axes, pairs in zip(np.ravel(figure.subplots(len(curves), 1, squeeze=False)), curves):
        for across, up in pairs:
            axes.plot(*_with_gaps(run.t, run[across], run[up]), label=up if across == run.names[0] else f"{up} over {across}")
        axes.set_xlabel(_label(run, pairs[0][0]))
        axes.set_ylabel(_label(run, pairs[0][1]) if len(pairs) == 1 else "")
        axes.grid(True, alpha=0.3)
        if len(pairs) > 1:
            axes.legend()
        if all({across, up} <= {"x", "y", "z"} for across, up in pairs):
            axes.set_aspect("equal", adjustable="datalim")
    if title:
        figure.suptitle(title)
    return figure


def _figure(size: tuple[float, float]) -> Any:
    """A figure without a window, which a notebook shows."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plot() needs matplotlib: in Debian, the package python3-matplotlib") from None

    class Shown(Figure):  # type: ignore[misc]
        def _repr_png_(self) -> bytes:
            import io
            out = io.BytesIO()
            self.savefig(out, format="png")
            return out.getvalue()

    return Shown(figsize=size, layout="constrained")
