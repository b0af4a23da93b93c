#!/usr/bin/env python3
"""Sweeps of motions in pieces (contacts, resets, clocks): each run against `simulate` with the same values one by one, to the last digit where the run
ends; extremes and means against its rows; series, parabolas and recurrences that are known; threads; rows at given times."""
import csv
import io
import json
import math
import os
import random
import subprocess
import tempfile

from _checks import check, finish, run_cases

HAMEL = os.environ["HAMEL"]
FOLDER = tempfile.mkdtemp()
RNG = random.Random(11)
SAMPLES = run_cases(4, 24)  # runs of each model


def hamel(*words):
    return subprocess.run([HAMEL, *words], capture_output=True, text=True, cwd=FOLDER)


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as f:
        f.write(text)
    return name


def sweep(model, vary, collect, *words):
    done = hamel("sweep", model, *(w for v in vary for w in ("--vary", v)), "--collect", collect, *words)
    check(done.returncode == 0, f"{model} {vary}: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def near(got, wanted, most, what):
    check(abs(got - wanted) <= most * (1 + abs(wanted)), f"{what}: {got!r}, not {wanted!r}")


# --- against `simulate` ------------------------------------------------------------------------------------------------------------------------------


def mean_of(rows, name):
    """The integral of a column by its length, piece by piece: two rows at one time divide them. Simpson's rule over pairs, what is left over by the trapezium."""
    total, i = 0.0, 0
    t, x = [r["t"] for r in rows], [r[name] for r in rows]
    while i + 1 < len(t):
        h, k = t[i + 1] - t[i], t[i + 2] - t[i + 1] if i + 2 < len(t) else 0
        if h > 0 and abs(k - h) < 1e-9 * h:
            total += (h + k) / 6 * (x[i] + 4 * x[i + 1] + x[i + 2])
            i += 2
        else:
            total += h / 2 * (x[i] + x[i + 1])
            i += 1
    return total / (t[-1] - t[0])


# a model; what is varied, as (name, is it a parameter, least, most); what is looked at; how well rows show extremes and means
LOOKED_AT = [
    ("rimless_wheel", [("s", True, 0.05, 0.2), ("th'", False, 0.4, 1.5)], "th'", 2e-3),
    ("bang_bang", [("a", True, 1, 3), ("x0", True, 1, 4)], "x'", 1e-2),
    ("spring_stop", [("k", True, 100, 800), ("x'", False, 0.3, 2)], "x", 2e-3),
    ("sampled_cart", [("h", True, 0.05, 0.3), ("x", False, -2, 2), ("k", True, 1, 6)], "x", 2e-3),
    ("bouncing_ball", [("e", True, 0.3, 0.9), ("z", False, 0, 2), ("u", True, -1, 1)], "z", 2e-3),
    ("superball", [("e", True, 0.3, 0.9), ("mu", True, 0, 1), ("th'", False, -200, 100)], "x", 2e-3),
    ("thrown_disc", [("mu", True, 0.05, 0.6), ("th'", False, -120, 40)], "x", 2e-3),
    ("wheelspin", [("mu_k", True, 0.1, 0.4), ("c", True, 0.3, 1.5)], "rim", 5e-3),
    ("newtons_cradle", [("d", True, 0.001, 0.02)], "th[1]", 2e-3),
    ("sliding_box", [("mu", True, 0.1, 1.2), ("x'", False, 0.5, 3)], "x", 2e-3),
    ("block_on_belt", [("v", True, 0.2, 1), ("mu_k", True, 0.1, 0.4)], "x", 2e-3),
    ("billiard_ball", [("mu", True, 0, 0.4), ("a'", False, -90, 90)], "y", 2e-3),
    ("ball_off_table", [("mu", True, 0.05, 0.8), ("v0", True, 0.1, 0.4)], "z", 2e-3),
]


def as_simulate_has_them():
    for model, values, looked, close in LOOKED_AT:
        drawn = [f"{name} in uniform({least}, {most})" for name, _, least, most in values]
        names = [name for name, *_ in values]
        fine = ["--every", "0.001"] if model in ("sampled_cart", "bang_bang") else ["--every", "0.002"]
        rows = sweep(model, drawn, f"last = final({looked}), rate = final(energy_now), top = max({looked}), low = min({looked}), mean = mean({looked}), T = final(t)"
                     .replace("energy_now", looked), "--samples", str(SAMPLES), "--seed", str(RNG.randint(1, 999)), "--threads", "2")
        check(len(rows) == SAMPLES, f"{model}: {len(rows)} runs")
        for row in rows:
            words = [w for n, p, *_ in values if p for w in ("--set", f"{n}={row[n]}")]
            at = ", ".join(f"{n}={row[n]}" for n, p, *_ in values if not p)
            words += ["--at", at] if at else []
            what = f"{model} {', '.join(f'{n}={row[n]}' for n in names)}"
            plain, dense = hamel("simulate", model, *words, "-o", "plain.csv"), hamel("simulate", model, *words, *fine, "-o", "dense.csv")
            if row["ended"] == "no start":
                check(plain.returncode != 0 and all(row[k] == "nan" for k in ("last", "T", "top")), f"{what}: has no start, {plain.stderr}")
                continue
            if plain.returncode:
                check(row["ended"] not in ("end", "no start"), f"{what}: {row['ended']}, {plain.stderr}")
                continue
            with open(os.path.join(FOLDER, "plain.csv"), encoding="utf-8") as f:
                last = list(csv.DictReader(line for line in f if not line.startswith("#")))[-1]
            check(row["ended"] == "end" and row["T"] == last["t"], f"{what}: to {row['T']}, {row['ended']}, not {last['t']}")
            check(row["last"] == last[looked], f"{what}: ends at {row['last']}, not {last[looked]}")
            check(dense.returncode == 0, dense.stderr)
            with open(os.path.join(FOLDER, "dense.csv"), encoding="utf-8") as f:
                all_rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(line for line in f if not line.startswith("#"))]
            column = [r[looked] for r in all_rows]
            size = 1 + max(map(abs, column))
            top, low = float(row["top"]), float(row["low"])
            check(-1e-9 * size <= top - max(column) <= close * size, f"{what}: at most {top}, rows {max(column)}")
            check(-1e-9 * size <= min(column) - low <= close * size, f"{what}: at least {low}, rows {min(column)}")
            check(abs(float(row["mean"]) - mean_of(all_rows, looked)) <= close * size, f"{what}: mean {row['mean']}, rows {mean_of(all_rows, looked)}")


def events_are_those_of_simulate():
    """Times of first events and their numbers, of contacts too, as `simulate --json` lists them."""
    for model, values, contacts in [("superball", LOOKED_AT[5][1], ["floor"]), ("wheelspin", LOOKED_AT[7][1], ["floor"]), ("sliding_box", LOOKED_AT[9][1], ["front", "rear"]),
                                    ("block_on_belt", LOOKED_AT[10][1], ["belt"]), ("ball_off_table", LOOKED_AT[12][1], ["table", "floor"]),
                                    ("newtons_cradle", LOOKED_AT[8][1], ["hit[0]", "hit[2]"])]:
        names = [f"{c}.{what}" for c in contacts for what in (("lands", "lifts") if model == "newtons_cradle" else ("lands", "lifts", "slips", "sticks"))]
        names += {"wheelspin": ["cut"], "ball_off_table": ["at_the_edge"]}.get(model, [])
        rows = sweep(model, [f"{n} in uniform({least}, {most})" for n, _, least, most in values],
                     ", ".join(f"first{i} = first({n}), count{i} = count({n})" for i, n in enumerate(names)), "--samples", "8", "--seed", "21", "--threads", "2")
        seen = 0
        for row in rows:
            at = ", ".join(f"{n}={row[n]}" for n, p, *_ in values if not p)
            alone = hamel("simulate", model, *(w for n, p, *_ in values if p for w in ("--set", f"{n}={row[n]}")), *(["--at", at] if at else []), "--json")
            if alone.returncode:
                check(row["ended"] not in ("end",), f"{model}: {row['ended']}, {alone.stderr}")
                continue
            events = json.loads(alone.stdout)["events"]
            for i, n in enumerate(names):
                times = [e["t"] for e in events if e["name"] == n]
                seen += len(times)
                check(row[f"count{i}"] == str(len(times)) and row[f"first{i}"] == (times[0] if times else "nan"), f"{model} {row}: {n} at {times[:3]}, {len(times)} of them")
        check(seen > 8, f"{model}: {seen} events")


# --- what is known ---------------------------------------------------------------------------------------------------------------------------------


def a_ball_bounces():
    """Dropped from h: t1 = sqrt(2h/g), v1 = sqrt(2gh); bounce k takes 2 v1 e^k/g, is e^2k h high; at rest at t1 (1 + e)/(1 - e)."""
    g = 9.81
    rows = sweep("bouncing_ball", ["e in uniform(0, 0.95)", "h in uniform(0.1, 3)"],
                 "x = final(x), z = final(z), vz = final(z'), top = max(z), fast = max(z'), slow = min(z'), mean = mean(z), T = final(t)",
                 "--samples", str(10 * SAMPLES), "--seed", "4", "--until", "2.5")
    for row in rows:
        e, h = float(row["e"]), float(row["h"])
        t1, v1 = math.sqrt(2 * h / g), math.sqrt(2 * g * h)
        # z and its integral from 0 to 2.5
        t, v, integral, z, vz = t1, v1, h * t1 - g * t1**3 / 6, None, None
        if t1 > 2.5:
            z, vz, integral = h - g * 2.5**2 / 2, -g * 2.5, h * 2.5 - g * 2.5**3 / 6
        while z is None:
            v *= e
            length = 2 * v / g
            if v < 1e-11 * v1:
                z, vz = 0, 0
            elif t + length > 2.5:
                s = 2.5 - t
                z, vz, integral = v * s - g * s * s / 2, v - g * s, integral + v * s * s / 2 - g * s**3 / 6
            else:
                t, integral = t + length, integral + v * length**2 / 2 - g * length**3 / 6
        rest = t1 * (1 + e) / (1 - e)
        what = f"a ball with e = {e}, h = {h}"
        check(row["ended"] == "end" and float(row["T"]) == 2.5, what)
        near(float(row["x"]), 0.3 * 2.5, 1e-12, what)
        if abs(rest - 2.5) > 1e-6:  # where the bounces are very small as it ends, their series is what is known
            near(float(row["z"]), z, 1e-7, what), near(float(row["vz"]), vz, 1e-6, what)
        near(float(row["top"]), h, 1e-12, what), near(float(row["mean"]), integral / 2.5, 1e-9, what)
        near(float(row["fast"]), e * v1 if t1 < 2.5 else 0, 1e-9, what), near(float(row["slow"]), -min(v1, g * 2.5), 1e-9, what)


SLIDER = """system slider
param m = 2, g = 9.81, mu = 0.3
coord x, z
point block: mass m at (x, 0, z)
gravity (0, 0, -g)
contact floor: gap z, at block, normal (0, 0, 1), friction mu
initial x' = 3
simulate t = 0 .. 4
"""


def a_block_stops():
    """By Coulomb's friction, behind v0^2/(2 mu g) at v0/(mu g), or not at all where mu = 0"""
    write("slider.ham", SLIDER)
    rows = sweep("slider.ham", ["mu in uniform(0.01, 2)", "x' in uniform(-5, 5)"], "x = final(x), v = final(x'), far = max(abs(x)), mean = mean(x'^2), N = max(reaction(floor).z), R = min(reaction(floor).x), R2 = max(reaction(floor).x), T = first(floor.sticks)",
                 "--samples", str(15 * SAMPLES), "--seed", "8", "--threads", "3")
    rows += sweep("slider.ham", ["mu in {0, -0}", "x' in {2, 0, -1}"], "x = final(x), v = final(x'), far = max(abs(x)), mean = mean(x'^2), N = max(reaction(floor).z), R = min(reaction(floor).x), R2 = max(reaction(floor).x), T = first(floor.sticks)")
    for row in rows:
        mu, v0, g, end = float(row["mu"]), float(row["x'"]), 9.81, 4
        stop = min(end, abs(v0) / (mu * g)) if mu else end
        far = abs(v0) * stop - mu * g * stop**2 / 2
        v = abs(v0) - mu * g * stop
        mean = (abs(v0)**3 - v**3) / (3 * mu * g * end) if mu else v0 * v0
        what = f"a block with mu = {mu}, v = {v0}"
        check(row["ended"] == "end", f"{what}: {row['ended']}")
        near(float(row["x"]), math.copysign(far, v0), 1e-9, what), near(float(row["v"]), math.copysign(v, v0), 1e-9, what)
        near(float(row["far"]), far, 1e-9, what), near(float(row["mean"]), mean, 1e-9, what)
        near(float(row["N"]), 2 * g, 1e-9, what)
        check(math.isnan(float(row["T"])) if stop == end or not v0 else abs(float(row["T"]) - stop) < 1e-9, f"{what}: stops at {row['T']}, not {stop}")
        low, high = sorted((-math.copysign(mu * 2 * g, v0), 0 if stop < end else -math.copysign(mu * 2 * g, v0)))
        if v0:
            near(float(row["R"]), low, 1e-9, what), near(float(row["R2"]), high, 1e-9, what)


def a_sampled_controller():
    """x'' = u/m is constant between two ticks, so that (x, x') goes from tick to tick by a recurrence."""
    m, end = 1, 3.14
    rows = sweep("sampled_cart", ["h in uniform(0.02, 0.4)", "k in uniform(0, 8)", "d in uniform(0.5, 3)", "x in uniform(-2, 2)", "x' in normal(0, 1)"],
                 "x_ = final(x), v_ = final(x'), u = final(held), push = max(held), pull = min(held), mean = mean(held)",
                 "--samples", str(12 * SAMPLES), "--seed", "2", "--until", str(end), "--threads", "4")
    for row in rows:
        h, k, d, x, v = (float(row[n]) for n in ("h", "k", "d", "x", "x'"))
        forces, n, total = [], 0, 0.0
        while n * h < end:
            u = -k * x - d * v
            s = min(h, end - n * h)
            x, v, total, n = x + s * v + s * s / 2 * u / m, v + s * u / m, total + s * u, n + 1
            forces.append(u)
        size = 1 + max(map(abs, forces))
        what = f"a cart with h = {h}, k = {k}, d = {d}"
        near(float(row["x_"]), x, 1e-8 * size, what), near(float(row["v_"]), v, 1e-8 * size, what), near(float(row["u"]), forces[-1], 1e-8 * size, what)
        near(float(row["push"]), max(forces), 1e-8 * size, what), near(float(row["pull"]), min(forces), 1e-8 * size, what)
        near(float(row["mean"]), total / end, 1e-8 * size, what)


def a_wheel_walks():
    """From strike to strike w^2 goes to cos(2a)^2 (w^2 + 4 g/l sin(a) sin(s)), where it comes over the top; counted and timed by events."""
    g, a = 9.81, math.pi / 8
    write("wheel.ham", """param g = 9.81, a = pi/8, s = 0.12, n = 0, w = 0
coord th
kinetic th'^2/2
potential g*cos(th)
when strikes: th - (s + a) { th = s - a, w = cos(2*a)*th', th' = cos(2*a)*th', n = n + 1 }
event upright: th up
event done: n - 4.5 stop
initial th = -0.2, th' = 0.9
simulate t = 0 .. 40, tol = 1e-12
""")
    rows = sweep("wheel.ham", ["s in uniform(0.02, 0.3)", "th' in uniform(1.3, 3)"], "w = final(w), now = final(th'), n = final(n), first = first(strikes), strikes = count(strikes), up = count(upright), top = max(th'), T = final(t)",
                 "--samples", str(10 * SAMPLES), "--seed", "5")
    kinds = set()
    for row in rows:
        s, v = float(row["s"]), float(row["th'"])
        e = v * v / 2 + g * math.cos(-0.2)
        walked, falls = 0, e <= g
        w2 = 2 * (e - g * math.cos(s + a))  # before the first strike
        fastest = math.sqrt(w2)
        while not falls and walked < 5:
            w2 *= math.cos(2 * a)**2
            walked += 1
            if walked == 5:
                break
            if w2 / 2 + g * math.cos(s - a) <= g and s < a:
                falls = True
                break
            w2 += 4 * g * math.sin(a) * math.sin(s)
            fastest = max(fastest, math.sqrt(w2))
        kinds.add(row["ended"])
        if falls:  # it tips back and forth, or stands: no closed form
            continue
        what = f"a wheel on s = {s} at {v}"
        check(row["ended"] == "done", f"{what}: {row['ended']}")
        near(float(row["w"]), math.sqrt(w2), 1e-9, what), near(float(row["now"]), math.sqrt(w2), 1e-9, what), near(float(row["top"]), fastest, 1e-9, what)
        check(float(row["n"]) == 5 and float(row["strikes"]) == 5, f"{what}: {row['n']}, {row['strikes']}")
        check(0 < float(row["first"]) < float(row["T"]), what)
    check("done" in kinds, f"{kinds}")


# --- the same numbers ------------------------------------------------------------------------------------------------------------------------------


def whoever_computes_them():
    for model, vary in [("superball", ["e in uniform(0, 1)", "th' in uniform(-200, 200)"]), ("sampled_cart", ["h = 0.05 .. 0.3 count 8", "x in {1, 2, 3}"]),
                        ("rimless_wheel", ["s in uniform(-0.1, 0.3)"])]:
        bytes_of = set()
        looked = {"superball": "x", "sampled_cart": "x", "rimless_wheel": "th"}[model]
        for threads in ("1", "2", "7"):
            sweep(model, vary, f"a = final({looked}), b = max({looked}), c = mean({looked})", *(("--samples", str(6 * SAMPLES), "--seed", "3") if "uniform" in vary[0] else ()), "--threads", threads, "-o", "rows.csv")
            with open(os.path.join(FOLDER, "rows.csv"), "rb") as f:
                bytes_of.add(f.read())
            os.remove(os.path.join(FOLDER, "rows.csv"))
        check(len(bytes_of) == 1, f"{model}: {len(bytes_of)} files by 1, 2 and 7 threads")


def kills_in_between():
    """Killed at any moment and taken up again by another number of threads: the bytes of one that was left alone."""
    vary = [w for v in ("e in uniform(0, 1)", "th' in uniform(-200, 200)") for w in ("--vary", v)]
    command = ["sweep", "superball", *vary, "--collect", "a = final(x), b = max(x), c = mean(z), d = min(reaction(floor).x)", "--samples", str(150 * SAMPLES), "--seed", "9"]
    hamel(*command, "-o", "left_alone.csv", "--threads", "1")
    killed = 0
    for turn in range(40):
        running = subprocess.Popen([HAMEL, *command, "-o", "killed.csv", "--threads", str(1 + turn % 3), *(["--resume"] if turn else [])], cwd=FOLDER,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            running.wait(RNG.uniform(0.02, 0.3) if turn < 39 else None)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
            killed += 1
            continue
        break
    parts = []
    for name in ("left_alone.csv", "killed.csv"):
        with open(os.path.join(FOLDER, name), "rb") as f:
            parts.append(f.read())
    check(killed and parts[0] == parts[1] and len(parts[0]) > 150 * SAMPLES * 40, f"after {killed} kills: {len(parts[0])} and {len(parts[1])} bytes")


HARD = """param e = 0.5, g = 9.81, on = 1, mu = 0.3, k = 1
coord x, z
point b: mass 1 at (x, 0, z)
gravity (0, 0, -g)
contact floor: gap z + (1 - on)*100, at b, normal (0, 0, 1), friction mu, restitution e
initial z = 1, x' = 1
simulate t = 0 .. 3
event far: x - 2 stop
"""
ENDLESS = """param e = 0.5, g = 9.81
coord z
kinetic z'^2/2
potential g*z
when bounce: -z { z' = -e*z' }
initial z = 1
simulate t = 0 .. 3
"""


ROOT = """param k = 1, n = 0
coord x
kinetic x'^2/2
force x = sqrt(k - t)
every 0.25 { n = n + 1 }
simulate t = 0 .. 3
"""


def what_goes_wrong():
    """Each in its own words, and the sweep goes on; the cause that is told is that of simulate."""
    write("hard.ham", HARD), write("endless.ham", ENDLESS), write("root.ham", ROOT)
    cases = [  # model, what is varied, how it ends, words of the cause
        ("hard.ham", ["z in {-1, 1}"], ["no start", "end"], "closed by more than nothing"),
        ("hard.ham", ["z in {0, -1e-12}", "x' in {1, 0}"], ["end"] * 4, None),
        ("hard.ham", ["e in {-0.5, 0.999, 1, 1.5}"], ["other failure", "end", "end", "end"], "its restitution is -0.5"),
        ("hard.ham", ["mu in {-1, 0, 1e300}"], ["other failure", "far", "end"], "its friction is -1"),
        ("hard.ham", ["on in {0, 1}"], ["far", "end"], None),  # without a contact it falls and flies on
        ("hard.ham", ["g in {0, -9.81}"], ["far", "far"], None),
        ("hard.ham", ["x' in {1e300, 1}", "z in {0}"], ["not finite", "end"], None),
        ("painleve_contact", ["mu in {0.5, 2}", "th in {1}"], ["lies", "no start"], "Painleve's paradox: no motion"),
        ("painleve_contact", ["mu in {2}", "th in {1}", "th' in {5}"], ["no start"], "Painleve's paradox: several motions"),
        ("root.ham", ["k in {2, 3.1, 1.5}"], ["not finite", "end", "not finite"], "not finite"),
        ("endless.ham", ["e in {0.5, 0.6, 1}"], ["step too small", "step too small", "end"], "reached again and again, ever sooner"),
    ]
    for model, vary, ended, words in cases:
        rows = sweep(model, vary, "a = final(t), b = max(t), T = mean(t)")
        check([r["ended"] for r in rows] == ended, f"{model} {vary}: {[r['ended'] for r in rows]}, not {ended}")
        for r in rows:
            check((r["ended"] in ("end", "far", "lies")) == (r["a"] != "nan") == (r["T"] != "nan"), f"{model} {vary}: {r}")
        done = hamel("sweep", model, *(w for v in vary for w in ("--vary", v)), "--collect", "a = final(t)", "-o", f"wrong{len(ended)}.csv")
        check(words is None or words in done.stdout, f"{model} {vary}: {done.stdout}")
        told = json.loads(hamel("sweep", model, *(w for v in vary for w in ("--vary", v)), "--collect", "a = final(t)", "--json").stdout)
        failed = sorted({e for e in ended if e not in ("end", "far", "lies")})
        check(sorted(told["ended"]) == sorted(set(ended)) and told["failed"] == sum(e in failed for e in ended), f"{model}: {told}")
        for kind in failed:
            why = told[kind.replace(" ", "_")]
            k = why["run"]
            names = [v.split(" in ")[0] for v in vary]
            values = [(n, rows[k][n]) for n in names]
            of_state = [f"{n}={v}" for n, v in values if n[0] in "xz" or n[:2] == "th"]
            alone = hamel("simulate", model, *(w for n, v in values if n[0] not in "xz" and n[:2] != "th" for w in ("--set", f"{n}={v}")), *(["--at", ", ".join(of_state)] if of_state else []))
            check(why["why"] in alone.stderr.replace("\n", " "), f"{model} run {k}: {why['why']}, simulate says {alone.stderr}")


def bounces_by_a_reset_never_fall_through():
    """What comes behind infinitely many of them is not known; the run says so, at sqrt(2h/g) (1 + e)/(1 - e), and does not fall on."""
    write("endless.ham", ENDLESS)
    rows = sweep("endless.ham", ["e in uniform(0.005, 0.6)", "z in uniform(0.1, 2)", "g in uniform(5, 50)"], "z_ = final(z), n = count(bounce)", "--samples", "200", "--seed", "13", "--threads", "2")
    for row in rows:
        e, h, g = (float(row[n]) for n in ("e", "z", "g"))
        rests = math.sqrt(2 * h / g) * (1 + e) / (1 - e)
        if rests < 2.999:
            check(row["ended"] == "step too small" and row["z_"] == "nan", f"e = {e}, h = {h}, g = {g}: {row}")
        elif rests > 3.001:
            check(row["ended"] == "end" and float(row["z_"]) > -1e-9, f"e = {e}, h = {h}, g = {g}: {row}")


def runs_that_are_kept():
    sweep("superball", ["e in uniform(0, 1)"], "x = final(x)", "--samples", "5", "--seed", "3", "-o", "kept.csv", "--keep", "2")
    with open(os.path.join(FOLDER, "kept.csv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    for k in (0, 2):
        hamel("simulate", "superball", "--set", f"e={rows[k]['e']}", "-o", "alone.csv")
        parts = []
        for name in (f"kept-{k}.csv", "alone.csv"):
            with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
                parts.append([line for line in f if not line.startswith("#")])
        check(parts[0] == parts[1] and parts[0][-1].split(",")[1] == rows[k]["x"], f"run {k} that is kept is that of simulate")


    write("hard.ham", HARD)
    sweep("hard.ham", ["z in {-1, 1, -2, 0}"], "x_ = final(x)", "-o", "started.csv", "--keep", "4")
    check(sorted(n for n in os.listdir(FOLDER) if n.startswith("started-")) == ["started-1.csv", "started-3.csv"], "runs without a start have no file")


def modes_that_are_named_stay():
    """--set mode[..] makes one smooth motion of it, as ever."""
    done = hamel("sweep", "bouncing_ball", "--set", "mode[floor]=free", "--vary", "h in {1, 2}", "--collect", "z = final(z)", "--until", "1", "--json")
    rows = sweep("bouncing_ball", ["h in {1, 2}"], "z = final(z)", "--set", "mode[floor]=free", "--until", "1")
    check(done.returncode == 0 and [round(float(r["z"]) - float(r["h"]) + 9.81 / 2, 9) for r in rows] == [0, 0], f"{rows} {done.stderr}")


def basins_and_maps():
    """Where a ball that is thrown at a wall comes to rest: e and speed; by closed form x = (1 + e) d - e v t for v t > d."""
    write("wall.ham", "param e = 0.5, d = 1, v = 1\ncoord x\nkinetic x'^2/2\ncontact wall: gap d - x, restitution e\ninitial x' = v\nsimulate t = 0 .. 2\n")
    done = hamel("map", "wall.ham", "--vary", "e = 0 .. 0.9", "--vary", "v = 0.1 .. 3", "--by", "sign(x)", "--cells", "8", "--depth", "3", "--json")
    check(done.returncode == 0, done.stderr)
    classes = {c["name"]: float(c["share"]) for c in json.loads(done.stdout)["classes"]}
    n, inside = 400, 0
    for i in range(n):
        for k in range(n):
            e, v = 0.9 * (i + 0.5) / n, 0.1 + 2.9 * (k + 0.5) / n
            inside += (v * 2 if v * 2 < 1 else (1 + e) - e * v * 2) > 0
    near(classes.get("1", 0), inside / n / n, 0.02, f"the share of x > 0: {classes}")


if __name__ == "__main__":
    as_simulate_has_them()
    events_are_those_of_simulate()
    a_ball_bounces()
    a_block_stops()
    a_sampled_controller()
    a_wheel_walks()
    whoever_computes_them()
    kills_in_between()
    what_goes_wrong()
    bounces_by_a_reset_never_fall_through()
    runs_that_are_kept()
    modes_that_are_named_stay()
    basins_and_maps()
    finish()
