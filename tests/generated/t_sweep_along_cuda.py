#!/usr/bin/python3
"""What `hamel sweep --device cuda` collects along steps, with a compiler in the place of nvcc that makes code for the processor: quantities of every kind of numeric/t_sweep_along.py against their
closed forms; events that cross zero more often than the places of a step at first tell, as closed forms count them."""
import math
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "numeric"), str(HERE.parent / "unit")]
import t_sweep_along as along  # noqa: E402
from _checks import check, finish  # noqa: E402

NVCC = str(HERE.parent / "support" / "nvcc_shim.py")


def swept(text, collect, folder, method):
    return along.rows(text, collect, folder, "--method", method, "--device", "cuda", environment=dict(os.environ, NVCC=NVCC, XDG_CACHE_HOME=str(folder / "cache")))


def quantities(folder):
    some = [(kind, make()) for kind, make in along.KINDS.items()]
    for method in along.METHODS:
        for row in swept(along.FREE + "sweep x in {0, 1.3}\n", along.collected([q for _, q in some]), folder, method):
            for i, (kind, q) in enumerate(some):
                along.compare({"x": row["x"], **{n + "0": row[n + str(i)] for n in ("max", "min", "mean")}}, [q], kind, method + " on a GPU")


def crossings(w, p, level, a):
    """The times at which cos(w x + p) goes through a level, x = a + t from 0 to 10"""
    places = [(s * math.acos(level) + 2 * math.pi * k - p) / w - a for k in range(-5, 200) for s in (1, -1)]
    return sorted(t for t in places if 0 < t <= along.LENGTH)


def events(folder):
    """Of x = a + t, in as many steps as the method likes: pairs of crossings close to each other, and many"""
    pairs = [(3.1, 1e-3), (7.77, 0.02), (5.0, 1e-5)]  # middle, half the distance
    waves = [(along.RNG.uniform(5, 40), along.RNG.uniform(-3, 3), along.RNG.uniform(-0.99, 0.99)) for _ in range(4)]
    text = along.FREE + "".join(f"event p{i}: (x - {c!r})^2 - ({e!r})^2\n" for i, (c, e) in enumerate(pairs))
    text += "".join(f"event w{i}: cos({w!r}*x + ({p!r})) - ({level!r})\n" for i, (w, p, level) in enumerate(waves)) + "sweep x in {0, 1.3}\n"
    text += "event touches: (x - 4)^2 + 1e-7\nevent narrow: exp(-((x - 6)/0.1)^2) - 0.5\n"
    names = [f"p{i}" for i in range(len(pairs))] + [f"w{i}" for i in range(len(waves))] + ["touches", "narrow"]
    wanted = lambda a: [[c - e - a, c + e - a] for c, e in pairs] + [crossings(*w, a) for w in waves] + [[], [6 + s * 0.1 * math.sqrt(math.log(2)) - a for s in (-1, 1)]]
    for method in along.METHODS:
        for row in swept(text, [f"n{name} = count({name})" for name in names] + [f"t{name} = first({name})" for name in names], folder, method):
            for name, times in zip(names, wanted(float(row["x"]))):
                check(float(row["n" + name]) == len(times), f"{method}: {name} crosses {row['n' + name]} times, not {len(times)}")
                first = float(row["t" + name] or "nan")
                check(math.isnan(first) if not times else abs(first - times[0]) < 1e-8, f"{method}: {name} first crosses at {first}, not {times[:1]}")


def main():
    with tempfile.TemporaryDirectory() as name:
        for part in (quantities, events):
            folder = pathlib.Path(name) / part.__name__
            folder.mkdir()
            (folder / "cache").mkdir()
            part(folder)
    finish()


main()
