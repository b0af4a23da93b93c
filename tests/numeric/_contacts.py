"""What tests of contacts share: when modes change, the pieces of a trajectory between, and the work of friction along them."""
import numpy as np

from _checks import check
from _runs import summary, trajectory  # noqa: F401


def changes(out, name, kind="mode"):
    return [c for c in out["changes"] if c["name"] == name and c["kind"] == kind]


def times(out, name, to=None):
    """When contact `name` took the mode `to` (or any)."""
    return [float(c["t"]) for c in changes(out, name) if to in (None, c["to"])]


def impacts(out, name):
    return [(float(c["t"]), -float(c["speed"]), float(c["lost"])) for c in changes(out, name, "impact")]


def resets(out, name):
    return [float(c["t"]) for c in changes(out, name, "reset")]


def modes(out, name):
    """The modes that a contact goes through."""
    return [out["modes_at_start"][name]] + [c["to"] for c in changes(out, name)]


def check_modes(model, out, name, expected):
    check(f"{model}: modes of {name}", modes(out, name) == expected, str(modes(out, name)))


def integral(t, f):
    """The integral of a smooth function by its samples: over each interval, that of the polynomial through the eight nearest."""
    t, f, total = np.asarray(t), np.asarray(f), 0.0
    if len(t) < 2:
        return 0.0
    points = min(8, len(t))
    for i in range(len(t) - 1):
        first = min(max(0, i + 1 - points // 2), len(t) - points)
        place = t[first:first + points] - t[i]
        width = t[i + 1] - t[i]
        coefficients = np.linalg.solve(np.vander(place / width, increasing=True), f[first:first + points])
        total += width * sum(c / (k + 1) for k, c in enumerate(coefficients))
    return float(total)


def pieces(run):
    """The rows of each piece: where it ends the time stands twice, or a mode changes."""
    t, start, found = run["t"], 0, []
    mode = list(zip(*[column for name, column in run.items() if name.startswith("mode[")]))
    for i in range(1, len(t) + 1):
        if i == len(t) or t[i] <= t[i - 1] or mode[i] != mode[i - 1]:
            found.append(range(start, i))
            start = i
    return found
