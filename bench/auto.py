#!/usr/bin/env python3
"""Special points of hamel's models as AUTO-07p finds them, from the equations that hamel derives: the other side of `hamel continue`.

  bench/auto.py [--json] [CASE..]

Needs Debian's auto-07p and gfortran; AUTO_DIR names AUTO's folder if it is not /usr/lib/auto-07p. Where one is missing the script says so and
ends with status 0. Equations come from `hamel derive --format sympy` and are written as Fortran for AUTO; a force that depends on time becomes two
more unknowns, x' = x + w y - x (x^2 + y^2), y' = -w x + y - y (x^2 + y^2), with cos(w t) = y.

Each case has its special points in closed form, or with the digits of another program, and AUTO's are compared with these. Steady cases are followed by
`hamel continue` too, and its special points are compared with AUTO's, to 8 digits: status 1 where they differ.
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
# model, what is varied and from where to where, values of other parameters, the frequency of a force, and the points that are known
CASES = {
    "bead": {"model": BEAD, "vary": "w", "from": 3.0, "to": 6.0, "known": [("branch", math.sqrt(9.81 / 0.5))]},  # w^2 = g/r
    "ziegler": {"model": "ziegler", "vary": "P", "from": 1.0, "to": 2.0, "set": {"b": 0.1}, "known": [("hopf", 41 / 28 + 0.1**2 / 2)]},
    # folds where 3 x^2 = 1, a branch point at x = 3/2
    "strut": {"model": STRUT, "vary": "p", "from": -1.0, "to": 2.0, "start": {"x": -1.32471795724474602596},
              "known": [("fold", 2 / 27**0.5), ("fold", -2 / 27**0.5), ("branch", 1.875)]},
    # by series of order 30 in 24 digits: tests/numeric/t_classics.py
    "driven": {"model": "driven_pendulum", "vary": "A", "from": 0.0, "to": 1.075, "force": ("w", 2 / 3), "known": [("period-doubling", 1.066372862455207)]},
}


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
        rates[equation.lhs] = equation.rhs
    values = {p["name"]: p["sympy"] for p in described["parameters"]}
    return rates, values, [c["sympy"] for c in described["coords"]]


def fortran(case, folder):
    rates, parameters, coords = derived(case["model"], folder)
    known = {}
    for name, value in parameters.items():  # one may be defined by those before it
        known[name] = case.get("set", {}).get(name, float(sp.sympify(value, locals=known)))
    varied = sp.Symbol(case["vary"])
    fixed = {sp.Symbol(k): sp.Float(v, 20) for k, v in known.items() if k != case["vary"]}
    n = len(coords)
    unknowns = coords + [c + "_t" for c in coords]
    place = {sp.Symbol(name): sp.Symbol(f"u{i + 1}") for i, name in enumerate(unknowns)}
    size = 2 * n + (2 if "force" in case else 0)
    lines = []
    for i in range(n):
        lines.append(f"F({i + 1}) = u{n + i + 1}")
        e = rates[sp.Symbol(coords[i] + "_tt")]
        if "force" in case:
            w = sp.Symbol(case["force"][0])
            e = e.subs(sp.cos(w * sp.Symbol("t")), sp.Symbol(f"u{2 * n + 2}"))
        e = e.subs(fixed).subs(varied, sp.Symbol("lam")).subs(place)
        lines.append(f"F({n + i + 1}) = " + sp.fcode(e, standard=95, source_format="free").replace("\n", " ").replace("&", " "))
    start = ["U = 0d0"] + [f"U({unknowns.index(name) + 1}) = {value!r}d0" for name, value in case.get("start", {}).items()]
    if "force" in case:
        w, x, y = case["force"][1], f"u{2 * n + 1}", f"u{2 * n + 2}"
        lines += [f"F({2 * n + 1}) = {x} + {w!r}d0*{y} - {x}*({x}**2 + {y}**2)", f"F({2 * n + 2}) = -{w!r}d0*{x} + {y} - {y}*({x}**2 + {y}**2)"]
        start += [f"U({2 * n + 1}) = sin(8*atan(1d0)*T)", f"U({2 * n + 2}) = cos(8*atan(1d0)*T)", f"PAR(11) = {2 * math.pi / w!r}d0"]
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


def run_auto(name, case):
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        size, source = fortran(case, folder)
        (folder / "equations.f90").write_text(source)
        subprocess.run(["gfortran", "-O2", "-ffree-line-length-none", "-c", "equations.f90"], cwd=folder, check=True)
        subprocess.run(["gfortran", "-fopenmp", "equations.o", *map(str, sorted((AUTO / "lib").glob("*.o"))), "-o", "equations"], cwd=folder, check=True)

        def go(restart, **more):
            (folder / "fort.2").write_text(constants(case, size, **more))
            (folder / "fort.3").write_text(restart)
            done = subprocess.run(["./equations"], cwd=folder, capture_output=True, text=True, timeout=600)
            if not (folder / "fort.7").exists():
                raise SystemExit(f"AUTO on {name}: {done.stdout[-500:]}{done.stderr[-500:]}")
            return points_of(folder / "fort.7", case["vary"]), (folder / "fort.8").read_text()

        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        # near a branch point of orbits Newton's method cannot reach the finest tolerance
        points, solutions = go("", **({"EPSL": "1e-7", "EPSU": "1e-7", "EPSS": "1e-5"} if "force" in case else {}))
        first = next((p for p in points if p["kind"] == "branch"), None)
        if "force" in case and first:  # the symmetric orbit gives way to a pair: their branch has the period doubling
            more, _ = go(solutions, IRS=first["label"], ISW=-1, DS=0.01)
            points += [p for p in more if p["kind"] == "period-doubling"]
        return points, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


# ---- hamel ---------------------------------------------------------------------------------------------------------------------

def run_hamel(case):
    """Special points of steady motions from where AUTO begins, and the processor time of the whole call."""
    with tempfile.TemporaryDirectory() as directory:
        model = case["model"]
        if "\n" in model:
            model = str(pathlib.Path(directory) / "model.ham")
            pathlib.Path(model).write_text(case["model"])
        more = [word for name, value in case.get("set", {}).items() for word in ("--set", f"{name}={value}")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        words = subprocess.run([HAMEL, "continue", model, "--vary", f"{case['vary']}={case['from']}..{case['to']}", "--json", *more],
                               capture_output=True, text=True, check=True).stdout
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    found = {}
    for branch in json.loads(words)["branches"]:
        for point in branch["special"]:
            if point["kind"] != "end":
                found[point["kind"], point["value"]] = point
    return list(found.values()), seconds


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("case", nargs="*", choices=[[], *CASES], default=[])
    asked = parser.parse_args()
    if not (AUTO / "lib" / "periodic.o").exists() or not shutil.which("gfortran"):
        print("AUTO-07p is not here: apt-get install auto-07p gfortran, or set AUTO_DIR; nothing is compared")
        return 0
    out, same = {}, True
    for name in asked.case or CASES:
        case = CASES[name]
        points, seconds = run_auto(name, case)
        known = [{"kind": kind, "value": value} for kind, value in case["known"]]
        table, good = compare(known, points)
        out[name] = {"parameter": case["vary"], "points": points, "seconds": seconds, "agrees": good}
        ours, spent = ([], 0) if "force" in case else run_hamel(case)
        pairs, agree = compare(ours, points)
        if "force" not in case:
            same = same and agree and len(ours) >= len(case["known"])
            out[name].update(hamel=ours, hamel_seconds=spent, same=agree)
        if not asked.json:
            print(f"{name}: {case['vary']} from {case['from']} to {case['to']}, {seconds:.2f} s of processor time")
            for p in points:
                print(f"  {p['kind']:16} {case['vary']} = {p['value']:.10f}")
            for point, nearest, apart in table:
                print(f"  {point['kind']:16} {point['value']:.12f} is known; AUTO is off by {apart:.1e}" if nearest else f"  {point['kind']} at {point['value']}: not found")
            for point, nearest, apart in pairs:
                print(f"  {point['kind']:16} {point['value']} by hamel; AUTO's differs by {apart:.1e}")
            if ours:
                print(f"  hamel: {spent:.2f} s of processor time, derivation included; {'the same to 8 digits' if agree else 'NOT the same to 8 digits'}")
    if asked.json:
        print(json.dumps(out, indent=1))
    return 0 if same else 1


raise SystemExit(main())
