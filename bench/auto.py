#!/usr/bin/env python3
"""Special points of hamel's models as AUTO-07p finds them, from the equations that hamel derives: the other side of `hamel continue`.

  bench/auto.py [--json] [--results DIRECTORY] [CASE..]

Needs Debian's auto-07p and gfortran; AUTO_DIR names AUTO's folder if it is not /usr/lib/auto-07p. Where one is missing the script says so and
ends with status 0. Equations come from `hamel derive --format sympy` and are written as Fortran for AUTO; a force that depends on time becomes two
more unknowns, x' = x + w y - x (x^2 + y^2), y' = -w x + y - y (x^2 + y^2), with cos(w t) = y. AUTO's first orbit is the one that `hamel orbit` finds at the
same value of the parameter, as a Fourier series.

Each case has its special points in closed form, or with the digits of another program, and AUTO's are compared with these. `hamel continue` follows the
same branch over the same interval, and its special points are compared with AUTO's, to 8 digits: status 1 where they differ, or where hamel needs more
processor time. That is of the whole of hamel, derivation included, and of AUTO's compiled program alone, the least of three runs of each; what gfortran needs
before is told apart.
"""
import argparse
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

import sympy as sp

from _bounds import bound

HAMEL = str(pathlib.Path(os.environ.get("HAMEL", "build/hamel")).resolve())
AUTO = pathlib.Path(os.environ.get("AUTO_DIR", "/usr/lib/auto-07p"))
KINDS = {1: "branch", 2: "fold", 3: "hopf", 5: "fold", 6: "branch", 7: "period-doubling", 8: "torus"}  # AUTO's types of points
BEAD = """system bead "Bead on a turning hoop, with friction"
param m = 1, r = 0.5, g = 9.81, b = 0.2, w = 3
coord theta
kinetic m*r^2/2*(theta'^2 + w^2*sin(theta)^2)
potential -m*g*r*cos(theta)
dissipation b*theta'^2/2
initial theta = 0
"""
STRUT = """system strut "A strut that snaps through and buckles sideways"
param p = -1
coord x, y
kinetic x'^2/2 + y'^2/2
potential x^4/4 - x^2/2 - p*x + y^2/2*(3/2 - x) + y^4/4
dissipation x'^2/5 + y'^2/5
initial x = -1.32471795724474602596
"""
# A wheel on a caster whose kingpin springs sideways, towed with the speed V: it shimmies
CASTER = """system caster "A towed caster on a kingpin that springs"
param V = 1, k = 20, l = 0.3, m = 1, J = 0.05, b = 0.5, a = 0.1
coord y, psi
kinetic m/2*((y' - a*cos(psi)*psi')^2 + (a*sin(psi)*psi')^2) + J*psi'^2/2
potential k*y^2/2 + 20*y^4
dissipation b*psi'^2/2
constraint y'*cos(psi) - l*psi' - V*sin(psi) = 0
initial y = 0, psi = 0
"""
# model, what is varied and from where to where, values of other parameters, the frequency of a force, and the points that are known
CASES = {
    "bead": {"model": BEAD, "vary": "w", "from": 3.0, "to": 6.0, "known": [("branch", math.sqrt(9.81 / 0.5))]},  # w^2 = g/r
    "ziegler": {"model": "ziegler", "vary": "P", "from": 1.0, "to": 2.0, "set": {"b": 0.1}, "known": [("hopf", 41 / 28 + 0.1**2 / 2)]},
    # folds where 3 x^2 = 1, a branch point at x = 3/2
    "strut": {"model": STRUT, "vary": "p", "from": -1.0, "to": 2.0, "start": {"x": -1.32471795724474602596},
              "known": [("fold", 2 / 27**0.5), ("fold", -2 / 27**0.5), ("branch", 1.875)]},
    # linear: L = m y'' - m a psi'' + k y with (J + m a^2) psi'' - m a y'' + b psi' = -l L, y' = l psi' + V psi; by Routh V (J + m a^2 - m a l) = b l
    "caster": {"model": CASTER, "vary": "V", "from": 0.1, "to": 10.0, "known": [("hopf", 0.5 * 0.3 / (0.05 + 0.1**2 - 0.1 * 0.3))]},
    # by series of order 30 in 24 digits: tests/numeric/t_classics.py
    "driven": {"model": "driven_pendulum", "vary": "A", "from": 1.05, "to": 1.0825, "force": ("w", 2 / 3),
               "known": [("period-doubling", 1.066372862455207), ("period-doubling", 1.0793139059037155)]},
}
TIMES = 3  # each is run so often
DOUBLINGS = 3  # branches of orbits of twice the period, each from the one before


# ---- the equations as Fortran --------------------------------------------------------------------------------------------------

def derived(model, folder):
    """{q'': expression} and the values of the parameters."""
    if "\n" in model:
        (folder / "model.ham").write_text(model)
        model = str(folder / "model.ham")
    words = subprocess.run([HAMEL, "derive", model, "--format", "sympy"], capture_output=True, text=True, check=True).stdout
    described = json.loads(subprocess.run([HAMEL, "describe", model, "--json"], capture_output=True, text=True, check=True).stdout)
    names = {name: sp.Symbol(name) for name in re.findall(r"[A-Za-z_]\w*", words)}
    names.update(Eq=sp.Eq, sin=sp.sin, cos=sp.cos, tan=sp.tan, sqrt=sp.sqrt, exp=sp.exp, pi=sp.pi, Rational=sp.Rational, Integer=sp.Integer)
    rates = {}
    for line in re.findall(r"^Eq\(.*\)$", words, re.M):
        equation = sp.sympify(line, locals=names)
        highest = equation.lhs if equation.lhs.is_Symbol else next(s for s in sorted(equation.lhs.free_symbols, key=str) if s.name.endswith("_tt"))
        rates[highest] = equation.rhs / (equation.lhs / highest)  # one equation for each
    values = {p["name"]: p["sympy"] for p in described["parameters"]}
    return rates, values, [c["sympy"] for c in described["coords"]]


def first_orbit(case, rates, coords):
    """Rows (q, q') of one period from the state that `hamel orbit` finds, by the method of Runge and Kutta."""
    period, count, parts = 2 * math.pi / case["force"][1], 128, 40
    found = json.loads(subprocess.run([HAMEL, "orbit", case["model"], "--period", repr(period), "--set", f"{case['vary']}={case['from']}", "--json"],
                                      capture_output=True, text=True, check=True).stdout)
    n, h = len(coords), period / count / parts
    f = sp.lambdify([sp.Symbol("t"), [sp.Symbol(c) for c in coords] + [sp.Symbol(c + "_t") for c in coords]], rates, "math")
    at = [float(found["state"][name]) for name in coords + [c + "'" for c in coords]]
    rows, t = [], 0.0
    for step in range(count * parts):
        if step % parts == 0:
            rows.append(list(at))
        slopes = []
        for part in (0, h / 2, h / 2, h):
            here = [a + part * s for a, s in zip(at, slopes[-1])] if slopes else at
            slopes.append(here[n:] + list(f(t + part, here)))
        at = [a + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4) for a, k1, k2, k3, k4 in zip(at, *slopes)]
        t += h
    return rows


def series(rows):
    """Lines of Fortran that set U(1), U(2), .. to a Fourier series in T through the rows."""
    count, lines = len(rows), []
    for i in range(len(rows[0])):
        lines.append(f"U({i + 1}) = {sum(r[i] for r in rows) / count!r}d0")
        for k in range(1, count // 2):
            a = 2 / count * sum(r[i] * math.cos(2 * math.pi * k * m / count) for m, r in enumerate(rows))
            b = 2 / count * sum(r[i] * math.sin(2 * math.pi * k * m / count) for m, r in enumerate(rows))
            if math.hypot(a, b) > 1e-9:
                lines.append(f"U({i + 1}) = U({i + 1}) + ({a:.17g}d0)*cos({8 * k}*atan(1d0)*T) + ({b:.17g}d0)*sin({8 * k}*atan(1d0)*T)")
    return [re.sub(r"e([-+]\d+)d0", r"d\1", line) for line in lines]


def fortran(case, folder):
    rates, parameters, coords = derived(case["model"], folder)
    known = {}
    for name, value in parameters.items():  # one may be defined by those before it
        known[name] = case.get("set", {}).get(name, float(sp.sympify(value, locals=known)))
    varied = sp.Symbol(case["vary"])
    fixed = {sp.Symbol(k): sp.Float(v, 20) for k, v in known.items() if k != case["vary"]}
    # velocities that constraints give are no unknowns
    free = [c for c in coords if sp.Symbol(c + "_tt") in rates]
    n = len(coords)
    unknowns = coords + [c + "_t" for c in free]
    place = {sp.Symbol(name): sp.Symbol(f"u{i + 1}") for i, name in enumerate(unknowns)}
    size = len(unknowns) + (2 if "force" in case else 0)
    lines = []
    for i, name in enumerate(unknowns):
        rate = sp.Symbol(name + ("_t" if i < n else "t"))
        e = rates.get(rate, rate)
        if "force" in case:
            w = sp.Symbol(case["force"][0])
            e = e.subs(sp.cos(w * sp.Symbol("t")), sp.Symbol(f"u{2 * n + 2}"))
        e = e.subs(fixed).subs(varied, sp.Symbol("lam")).subs(place)
        lines.append(f"F({i + 1}) = " + sp.fcode(e, standard=95, source_format="free").replace("\n", " ").replace("&", " "))
    start = ["U = 0d0"] + [f"U({unknowns.index(name) + 1}) = {value!r}d0" for name, value in case.get("start", {}).items()]
    if "force" in case:
        w, x, y = case["force"][1], f"u{2 * n + 1}", f"u{2 * n + 2}"
        lines += [f"F({2 * n + 1}) = {x} + {w!r}d0*{y} - {x}*({x}**2 + {y}**2)", f"F({2 * n + 2}) = -{w!r}d0*{x} + {y} - {y}*({x}**2 + {y}**2)"]
        start += [f"U({2 * n + 1}) = sin(8*atan(1d0)*T)", f"U({2 * n + 2}) = cos(8*atan(1d0)*T)", f"PAR(11) = {2 * math.pi / w!r}d0"]
        start += series(first_orbit(case, [rates[sp.Symbol(c + "_tt")].subs(fixed).subs(varied, case["from"]) for c in coords], coords))
    names = ", ".join(f"u{i + 1}" for i in range(size))
    body = "\n".join(f"  u{i + 1} = U({i + 1})" for i in range(size)) + "\n  lam = PAR(1)\n" + "\n".join("  " + line for line in lines)
    return size, f"""SUBROUTINE FUNC(NDIM,U,ICP,PAR,IJAC,F,DFDU,DFDP)
  IMPLICIT NONE
  INTEGER, INTENT(IN) :: NDIM, IJAC, ICP(*)
  DOUBLE PRECISION, INTENT(IN) :: U(NDIM), PAR(*)
  DOUBLE PRECISION, INTENT(OUT) :: F(NDIM)
  DOUBLE PRECISION, INTENT(INOUT) :: DFDU(NDIM,*), DFDP(NDIM,*)
  DOUBLE PRECISION {names}, lam
{body}
END SUBROUTINE FUNC
SUBROUTINE STPNT(NDIM,U,PAR,T)
  IMPLICIT NONE
  INTEGER, INTENT(IN) :: NDIM
  DOUBLE PRECISION, INTENT(INOUT) :: U(NDIM), PAR(*)
  DOUBLE PRECISION, INTENT(IN) :: T
  PAR(1) = {case['from']!r}d0
  {chr(10).join('  ' + s for s in start).strip()}
END SUBROUTINE STPNT
""" + "".join(f"SUBROUTINE {name}\nEND SUBROUTINE {name}\n" for name in ("BCND", "ICND", "FOPT", "PVLS"))


# ---- AUTO ----------------------------------------------------------------------------------------------------------------------

def constants(case, size, **more):
    orbit = "force" in case
    values = {"NDIM": size, "IPS": 2 if orbit else 1, "IRS": 0, "ILP": 1, "ICP": "[1, 11]" if orbit else "[1]", "NTST": 60, "NCOL": 5, "IAD": 3, "ISP": 2, "ISW": 1,
              "IPLT": 0, "NBC": 0, "NINT": 0, "NMX": 600, "NPR": 600, "MXBF": 0, "IID": 2, "ITMX": 80, "ITNW": 9, "NWTN": 4, "JAC": 0, "EPSL": "1e-12",
              "EPSU": "1e-12", "EPSS": "1e-11", "DS": 0.01, "DSMIN": "1e-7", "DSMAX": 0.05, "IADS": 1, "NPAR": 36,
              "RL0": case["from"] - 0.5, "RL1": case["to"], "THL": "{11: 0.0}" if orbit else "{}", "THU": "{}", **more}
    return "".join(f"{k} = {v}\n" for k, v in values.items())


def points_of(file, vary):
    """Special points of fort.7, with their labels."""
    found = []
    for line in file.read_text().splitlines():
        words = line.split()
        if len(words) < 5 or words[0] == "0":
            continue
        kind = KINDS.get(abs(int(words[2])) % 10)
        if kind:
            found.append({"kind": kind, "parameter": vary, "value": float(words[4].replace("D", "E")), "label": int(words[3])})
    return found


def spent(before):
    """Processor time of child processes since `before`."""
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime


def clock():
    return resource.getrusage(resource.RUSAGE_CHILDREN)


def run_auto(name, case):
    """Special points, seconds of the compiled program, seconds of gfortran."""
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        size, source = fortran(case, folder)
        (folder / "equations.f90").write_text(source)
        before = clock()
        subprocess.run(["gfortran", "-O2", "-ffree-line-length-none", "-c", "equations.f90"], cwd=folder, check=True)
        subprocess.run(["gfortran", "-fopenmp", "equations.o", *map(str, sorted((AUTO / "lib").glob("*.o"))), "-o", "equations"], cwd=folder, check=True)
        compiling = spent(before)

        def go(restart, **more):
            (folder / "fort.2").write_text(constants(case, size, **more))
            (folder / "fort.3").write_text(restart)
            done = subprocess.run(["./equations"], cwd=folder, capture_output=True, text=True, timeout=600, env={**os.environ, "OMP_NUM_THREADS": "1"})
            if not (folder / "fort.7").exists():
                raise SystemExit(f"AUTO on {name}: {done.stdout[-500:]}{done.stderr[-500:]}")
            return points_of(folder / "fort.7", case["vary"]), (folder / "fort.8").read_text()

        def all_of_it():
            points, solutions = go("")
            more = points
            for k in range(1, DOUBLINGS if "force" in case else 1):  # onto the orbits of twice the period
                first = next((p for p in more if p["kind"] == "period-doubling"), None)
                if not first:
                    break
                more, solutions = go(solutions, IRS=first["label"], ISW=-1, NTST=60 * 2**k, DS=0.01 / 4**k, DSMAX=0.05 / 4**k)  # intervals shrink by 4.67
                more = [p for p in more if p["kind"] == "period-doubling" and abs(p["value"] - first["value"]) > 1e-6]
                points = points + more
            return points

        times = []
        for _ in range(TIMES):
            before = clock()
            points = all_of_it()
            times.append(spent(before))
        return points, min(times), compiling


# ---- hamel ---------------------------------------------------------------------------------------------------------------------

def run_hamel(case):
    """Special points over the same interval, and the processor time of the whole call."""
    with tempfile.TemporaryDirectory() as directory:
        model = case["model"]
        if "\n" in model:
            model = str(pathlib.Path(directory) / "model.ham")
            pathlib.Path(model).write_text(case["model"])
        more = [word for name, value in case.get("set", {}).items() for word in ("--set", f"{name}={value}")]
        if "force" in case:
            more += ["--orbit", "--period", repr(2 * math.pi / case["force"][1]), "--set", f"{case['vary']}={case['from']}", "--branches", str(DOUBLINGS)]
        times = []
        for _ in range(TIMES):
            before = clock()
            words = subprocess.run([HAMEL, "continue", model, "--vary", f"{case['vary']}={case['from']}..{case['to']}", "--json", *more],
                                   capture_output=True, text=True, check=True).stdout
            times.append(spent(before))
    found = {}
    for branch in json.loads(words)["branches"]:
        for point in branch["special"]:
            if point["kind"] != "end":
                found[point["kind"], point["value"]] = point
    return list(found.values()), min(times)


# ---- the comparison ------------------------------------------------------------------------------------------------------------

def compare(ours, theirs, digits=8):
    """Each of our special points with AUTO's nearest of the same kind: [(ours, theirs or None, relative difference)]."""
    table = []
    for point in ours:
        same = [p for p in theirs if p["kind"] == point["kind"]]
        nearest = min(same, key=lambda p: abs(p["value"] - float(point["value"])), default=None)
        apart = abs(nearest["value"] - float(point["value"])) / max(1, abs(float(point["value"]))) if nearest else math.inf
        table.append((point, nearest, apart))
    return table, all(apart < 10.0**-digits for _, _, apart in table)


def write(name, case, of):
    """One case in words."""
    print(f"{name}: {case['vary']} from {case['from']} to {case['to']}")
    print(f"  processor time: AUTO {of['seconds']:.3f} s, and gfortran {of['compiling']:.2f} s before; hamel {of['hamel_seconds']:.3f} s, derivation included")
    for point, nearest, apart in of["against_known"]:
        print(f"  {point['kind']:16} {point['value']:.12f} is known; AUTO is off by {apart:.1e}" if nearest else f"  {point['kind']} at {point['value']}: not found by AUTO")
    for point, nearest, apart in of["pairs"]:
        print(f"  {point['kind']:16} {point['value']} by hamel; AUTO's differs by {apart:.1e}" if nearest else f"  {point['kind']} {point['value']} by hamel: not found by AUTO")


def write_results(directory, out):
    with open(os.path.join(directory, "auto.md"), "w") as file:
        file.write("# Special points against AUTO-07p\n`bench/auto.py`: the same branches of the same equations. Times are AUTO's compiled program over the whole of hamel, derivation included;\n"
                   "what gfortran needs before AUTO begins is in the last column, over hamel's time too.\n\n")
        file.write("| case | point | hamel | differs by | times faster | with gfortran |\n|---|---|---|---|---|---|\n")
        for name, of in out.items():
            for point, _, apart in of["pairs"]:
                file.write(f"| {name} | {point['kind']} | {of['parameter']} = {float(point['value']):.12f} | {apart:.0e} | {of['seconds'] / of['hamel_seconds']:.2g} "
                           f"| {(of['seconds'] + of['compiling']) / of['hamel_seconds']:.2g} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--results", metavar="DIRECTORY")
    parser.add_argument("case", nargs="*", choices=[[], *CASES], default=[])
    asked = parser.parse_args()
    if not (AUTO / "lib" / "periodic.o").exists() or not shutil.which("gfortran"):
        print("AUTO-07p is not here: apt-get install auto-07p gfortran, or set AUTO_DIR; nothing is compared")
        return 0
    out, holds = {}, True
    for name in asked.case or CASES:
        case = CASES[name]
        points, seconds, compiling = run_auto(name, case)
        ours, our_seconds = run_hamel(case)
        known, agrees = compare([{"kind": kind, "value": value} for kind, value in case["known"]], points)
        pairs, same = compare(ours, points)
        same = same and len(ours) >= len(case["known"])
        out[name] = {"parameter": case["vary"], "points": points, "seconds": seconds, "compiling": compiling, "agrees": agrees, "against_known": known,
                     "hamel": ours, "hamel_seconds": our_seconds, "same": same, "pairs": pairs}
        if not asked.json:
            write(name, case, out[name])
            worst = max((apart for _, _, apart in pairs), default=math.inf)
            holds = bound(f"{name}, special points of hamel and AUTO-07p differ by", worst if same else math.inf, 1e-8) and holds
            holds = bound(f"{name}, processor time of hamel over that of AUTO-07p and gfortran", our_seconds / (seconds + compiling), 1) and holds
        holds = holds and same
    if asked.results:
        write_results(asked.results, out)
    if asked.json:
        print(json.dumps(out, indent=1))
    return 0 if holds else 1


raise SystemExit(main())
