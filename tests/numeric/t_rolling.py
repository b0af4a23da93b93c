"""`touch` and `roll`: the point of contact and the distance against a search over the surface of the body, the velocity of the material point
there, models of the library that are written by hand, and closed forms."""
import json
import math
import random
import subprocess

import numpy
from scipy.optimize import minimize

from _checks import check, finish, near
from _rotations import matrix, omega, unit, vector
from _runs import HAMEL, LIMIT, call, summary, trajectory
from t_symmetries import text_model


def hamel(command, text, *more):
    done = subprocess.run([HAMEL, command, "-", "--json", *more], input=text, capture_output=True, text=True, timeout=LIMIT)
    check(f"{command} of a text", done.returncode == 0, done.stderr + text)
    return json.loads(done.stdout)


def numbers(words):
    return {name: float(value) for name, value in words.items()}


def few(draw, low, high):
    """A number with few digits: numbers of a text are exact, and roots of sums of long ones outgrow doubles."""
    return round(draw.uniform(low, high), 2)


# --- shapes as sets of points, in the axes of the body ---------------------------------------------

def frame_of(axis):
    k = unit(axis)
    e = unit(numpy.cross(k, (0, 0, 1) if abs(k[2]) < 0.9 else (1, 0, 0)))
    return e, numpy.cross(k, e), k


def random_shape(draw):
    """How it is written, and its points as a function of two angles."""
    kind = draw.choice(("ball", "disc", "ellipsoid", "torus"))
    R, r = few(draw, 0.5, 1.5), few(draw, 0.05, 0.4)
    if kind == "ball":
        return f"ball {R!r}", lambda u, v: R * numpy.array((math.cos(u) * math.cos(v), math.sin(u) * math.cos(v), math.sin(v)))
    if kind == "ellipsoid":
        half = [few(draw, 0.3, 1.5) for _ in range(3)]
        return f"ellipsoid {vector(half)}", lambda u, v: numpy.array(half) * (math.cos(u) * math.cos(v), math.sin(u) * math.cos(v), math.sin(v))
    axis = [few(draw, -2, 2) for _ in range(3)] if draw.random() < 0.5 else (0, 0, 1)
    e, f, k = frame_of(axis)
    tube = 0 if kind == "disc" else r
    words = (f"disc {R!r}" if kind == "disc" else f"torus {R!r}, {r!r}") + (f" axis {vector(axis)}" if axis != (0, 0, 1) else "")
    return words, lambda u, v: (R + tube * math.cos(v)) * (math.cos(u) * e + math.sin(u) * f) + tube * math.sin(v) * k


def lowest(points, n):
    """The point with the smallest n.x: a net, then a search from its best points."""
    net = sorted((float(n @ points(u, v)), u, v) for u in numpy.linspace(-math.pi, math.pi, 25) for v in numpy.linspace(-math.pi, math.pi, 25))
    best = min((minimize(lambda a: float(n @ points(*a)), start[1:], method="BFGS", options={"gtol": 1e-10}) for start in net[:3]), key=lambda s: s.fun)
    return best.fun, points(*best.x)


GEOMETRY = "observe px = touch_point.x, py = touch_point.y, pz = touch_point.z, nx = touch_normal.x, ny = touch_normal.y, nz = touch_normal.z, gap = touch_gap\n"
FRAME = ("let T = touch_tangent, A = touch_across, N = touch_normal\n"
         "observe tt = dot(T, T), aa = dot(A, A), ta = dot(T, A), tn = dot(T, N), right = dot(cross(T, A), N)\n")


def first_row(text):
    return {name: column[0] for name, column in trajectory(text_model(text), until=0.001).items()}


def the_point_of_contact_is_the_lowest_one():
    draw = random.Random(21)
    for _ in range(24):
        words, points = random_shape(draw)
        q, place, offset = [draw.uniform(-1, 1) for _ in range(4)], [draw.uniform(-1, 1) for _ in range(3)], [draw.uniform(-0.3, 0.3) for _ in range(3)]
        normal, through = [draw.uniform(-2, 2) for _ in range(3)], [draw.uniform(-1, 1) for _ in range(3)]
        plain = draw.random() < 0.3
        if plain:
            normal, through = (0, 0, 1), (0, 0, 0)
        if draw.random() < 0.4:
            offset = (0, 0, 0)
        text = (f"coord x, y, z\nbody b: mass 1 at (x, y, z) inertia (1, 1, 1) rotation quat({', '.join(map(repr, q))})\n"
                f"touch b as {words}{'' if offset == (0, 0, 0) else ' at ' + vector(offset)} on plane"
                + ("" if plain else f" through {vector(through)} normal {vector(normal)}") + "\n" + GEOMETRY + FRAME
                + f"initial x = {place[0]!r}, y = {place[1]!r}, z = {place[2]!r}, x' = 1\nsimulate t = 0 .. 1\n")
        row = first_row(text)
        n, R = unit(normal), matrix(q)
        centre = numpy.array(place) + R @ offset
        height, point = lowest(lambda u, v: R @ points(u, v), n)
        near(f"distance of {words}", row["gap"], float(n @ (centre - through)) + height, 1e-9)
        near(f"point of {words}", float(numpy.linalg.norm(numpy.array([row["px"], row["py"], row["pz"]]) - centre - point)), 0, 2e-4)
        near("it lies in its plane", float(n @ ([row["px"], row["py"], row["pz"]] - numpy.array(through))), row["gap"], 1e-12)
        near("normal", float(numpy.linalg.norm(numpy.array([row["nx"], row["ny"], row["nz"]]) - n)), 0, 1e-12)
        for name, expected in (("tt", 1), ("aa", 1), ("ta", 0), ("tn", 0), ("right", 1)):
            near(f"the frame: {name}", row[name], expected, 1e-12)


def balls_on_spheres_and_cylinders():
    draw = random.Random(22)
    for _ in range(16):
        r, R, inside = few(draw, 0.1, 0.5), few(draw, 1, 2), draw.random() < 0.5
        place, around, axis = ([few(draw, -2, 2) for _ in range(3)] for _ in range(3))
        cylinder = draw.random() < 0.5
        support = (f"cylinder {R!r} around {vector(around)} axis {vector(axis)}" if cylinder else f"sphere {R!r} around {vector(around)}") + (" inside" if inside else "")
        text = (f"coord x, y, z\nbody b: mass 1 at (x, y, z) inertia (1, 1, 1)\ntouch b as ball {r!r} on {support}\n" + GEOMETRY + FRAME
                + f"initial x = {place[0]!r}, y = {place[1]!r}, z = {place[2]!r}, x' = 1\nsimulate t = 0 .. 1\n")
        row = first_row(text)
        way = numpy.array(place) - around
        if cylinder:
            way -= way @ unit(axis) * unit(axis)
        far, n = float(numpy.linalg.norm(way)), unit(way) * (-1 if inside else 1)
        near(f"distance on {support}", row["gap"], (R - r - far) if inside else (far - R - r), 1e-12)
        for i, letter in enumerate("xyz"):
            near(f"point on {support}", row["p" + letter], place[i] - r * n[i], 1e-12)
            near(f"normal of {support}", row["n" + letter], n[i], 1e-12)
        for name, expected in (("tt", 1), ("aa", 1), ("ta", 0), ("tn", 0), ("right", 1)):
            near(f"the frame: {name}", row[name], expected, 1e-12)


def the_foot_on_a_surface_is_its_nearest_point():
    """A ball above a paraboloid that is turned and bent at random: the nearest point of the surface by a search of SciPy."""
    draw = random.Random(23)
    for _ in range(8):
        a, b, c, d = draw.uniform(-0.3, 0.5), draw.uniform(-0.3, 0.5), draw.uniform(-0.3, 0.3), draw.uniform(-0.1, 0.1)
        place, r = [draw.uniform(-0.6, 0.6), draw.uniform(-0.6, 0.6), draw.uniform(0.6, 0.9)], 0.2
        height = lambda X, Y: a * X**2 / 2 + b * Y**2 / 2 + c * X * Y + d * X**3  # noqa: E731
        text = (f"coord x, y, z\nbody b: mass 1 at (x, y, z) inertia (1, 1, 1)\n"
                f"touch b as ball {r!r} on surface (X, Y, Z): Z - ({a!r}*X^2/2 + {b!r}*Y^2/2 + {c!r}*X*Y + {d!r}*X^3)\n" + GEOMETRY
                + f"initial x = {place[0]!r}, y = {place[1]!r}, z = {place[2]!r}, x' = 1\nsimulate t = 0 .. 1\n")
        row = first_row(text)
        found = minimize(lambda s: math.dist(place, (s[0], s[1], height(*s))), place[:2], method="BFGS", options={"gtol": 1e-12})
        near("distance", row["gap"], found.fun - r, 1e-9)
        near("X of the foot", row["X"], found.x[0], 1e-4)
        near("Y of the foot", row["Y"], found.x[1], 1e-4)
        for name in ("touch_foot.x", "touch_foot.y", "touch_foot.z"):
            near("no force holds the foot", float(hamel("eval", text)["lambda"][name]), 0, 1e-14)


# --- rolling ----------------------------------------------------------------------------------------

def the_material_point_is_at_rest_and_reactions_are_forces():
    """Random shapes in random states, rolling on a random plane: q, q', q'' and multipliers by `eval`; Newton's and Euler's laws by NumPy."""
    draw = random.Random(24)
    tried = 0
    while tried < 14:
        words, _ = random_shape(draw)
        q, inertia = unit([draw.uniform(-1, 1) for _ in range(4)]), [few(draw, 1, 1.5) for _ in range(3)]
        normal = [few(draw, -1, 1), few(draw, -1, 1), few(draw, 0.5, 1)]
        w, g = [few(draw, -3, 3) for _ in range(3)], [few(draw, -5, 5) for _ in range(3)]
        body = (f"coord x, y, z\norientation p of b\nbody b: mass 2 at (x, y, z) inertia {vector(inertia)}\ngravity {vector(g)}\n"
                f"roll c: b as {words} on plane normal {vector(normal)}\n"
                "let w = omega(b)\nquasi w1 = w.x\nquasi w2 = w.y\nquasi w3 = w.z\n"
                "observe px = c_point.x, py = c_point.y, pz = c_point.z, t1 = c_tangent.x, t2 = c_tangent.y, t3 = c_tangent.z, a1 = c_across.x, a2 = c_across.y, a3 = c_across.z\n"
                "initial x = 0.2, y = -0.1, " + ", ".join(f"p[{i}] = {q[i]!r}" for i in (1, 2, 3)) + f", w1 = {w[0]!r}, w2 = {w[1]!r}, w3 = {w[2]!r}\n"
                f"guess p[0] = {q[0]!r}, z = 1\nsimulate t = 0 .. 1\n")
        row, found = first_row(body), hamel("eval", body)
        tried += 1
        at, rate, second, force = (numbers(found[key]) for key in ("q", "qd", "qdd", "lambda"))
        centre, velocity, acceleration = (numpy.array([v["x"], v["y"], v["z"]]) for v in (at, rate, second))
        p, dp, ddp = ([v[f"p[{i}]"] for i in range(4)] for v in (at, rate, second))
        point = numpy.array([row["px"], row["py"], row["pz"]])
        near(f"{words}: the material point rests", float(numpy.linalg.norm(velocity + numpy.cross(omega(p, dp), point - centre))), 0, 1e-12)
        # the force at the contact, in its frame
        F = force["c.x"] * numpy.array([row["t1"], row["t2"], row["t3"]]) + force["c.y"] * numpy.array([row["a1"], row["a2"], row["a3"]]) + force["c.z"] * unit(normal)
        near(f"{words}: Newton", float(numpy.linalg.norm(2 * acceleration - 2 * numpy.array(g) - F)), 0, 1e-9)
        # Euler: I w' + w x I w is its moment; w' = 2 (q'' q*), since (q' q*)' has no vector part beside it
        R, turn, rate_of_turn = matrix(p), omega(p, dp), omega(p, ddp)
        I = R @ numpy.diag(inertia) @ R.T
        near(f"{words}: Euler", float(numpy.linalg.norm(I @ rate_of_turn + numpy.cross(turn, I @ turn) - numpy.cross(point - centre, F))), 0, 1e-9)


def the_same_motions_as_models_written_by_hand():
    """Accelerations of library models at random states, and of the same systems with `roll` in more coordinates."""
    draw = random.Random(25)
    rolled = {
        "rolling_disc": ("param m = 1, r = 0.5, g = 9.81\ncoord X, Y, Z, psi, theta, phi\nlet A = m*r^2/4\n"
                         "body disc: mass m at (X, Y, Z) inertia (A, 2*A, A) rotation rot(z, psi)*rot(x, theta)*rot(y, phi)\ngravity (0, 0, -g)\n"
                         "roll disc as disc r axis (0, 1, 0) on plane\nindependent psi, theta, phi\n", ("psi", "theta", "phi")),
        "rattleback": ("param m = 1, a = 0.2, b = 0.03, c = 0.02, h = 0.01, g = 9.81, Ix = 0.0002, Iy = 0.0016, Iz = 0.0017, Ixy = -0.00002\ncoord x, y, z, psi, theta, phi\n"
                       "body stone: mass m at (x, y, z) inertia (Ix, Iy, Iz, Ixy, 0, 0) rotation rot(z, psi)*rot(y, theta)*rot(x, phi)\ngravity (0, 0, -g)\n"
                       "roll stone as ellipsoid (a, b, c) at (0, 0, h) on plane\nindependent psi, theta, phi\n", ("x", "y", "psi", "theta", "phi")),
        "chaplygin_ball": ("param m = 1, r = 0.5, A = 0.05, B = 0.08, C = 0.1\ncoord x, y, z, psi, theta, phi\n"
                           "body ball: mass m at (x, y, z) inertia (A, B, C) rotation rot(z, psi)*rot(x, theta)*rot(z, phi)\n"
                           "roll ball as ball r on plane\nindependent psi, theta, phi\n", ("x", "y", "psi", "theta", "phi")),
        "ball_on_turntable": ("param m = 1, r = 0.1, Omega = 1.5\ncoord x, y, z, psi, theta, phi\nlet J = 2/5*m*r^2\n"
                              "body ball: mass m at (x, y, z) inertia (J, J, J) rotation rot(z, psi)*rot(x, theta)*rot(z, phi)\n"
                              "roll ball as ball r on plane moving cross((0, 0, Omega), roll_point)\nindependent psi, theta, phi\n", ("x", "y", "psi", "theta", "phi")),
    }
    for model, (text, common) in rolled.items():
        for _ in range(4):
            state = {"psi": draw.uniform(-1, 1), "theta": draw.uniform(0.3, 1), "phi": draw.uniform(-1, 1), "psi'": draw.uniform(-2, 2), "theta'": draw.uniform(-2, 2), "phi'": draw.uniform(-2, 2)}
            if "x" in common:
                state.update(x=draw.uniform(-1, 1), y=draw.uniform(-1, 1))
            at = ", ".join(f"{name} = {value!r}" for name, value in state.items())
            by_hand = json.loads(call("eval", model, "--json", at=at))
            by_roll = hamel("eval", text + "initial " + at + "\nguess z = 1\n".replace("z", "Z" if model == "rolling_disc" else "z"))
            for name in common:
                near(f"{model}: {name}''", float(by_roll["qdd"][name]), float(by_hand["qdd"][name]), 1e-11)


def a_ball_swings_in_a_bowl_as_it_should():
    """Small motions: w^2 = 5 g/(7 (R - r)), in the bowl of `sphere` and in that of `surface`."""
    for text in ("roll ball as ball r on sphere R inside\n", "roll ball as ball r on surface (X, Y, Z): R - sqrt(X^2 + Y^2 + Z^2)\nguess Z = -1\n"):
        model = ("param m = 1, r = 0.1, R = 1, g = 9.81\ncoord x, y, z\norientation p of ball\nlet J = 2/5*m*r^2\nbody ball: mass m at (x, y, z) inertia (J, J, J)\n"
                 "gravity (0, 0, -g)\n" + text + "initial x = 1e-4, y = 0\nguess z = -1\nsimulate t = 0 .. 10, tol = 1e-12, output = 0.1\n")
        run = trajectory(text_model(model))
        w = math.sqrt(5 * 9.81 / (7 * 0.9))
        near("x(t) = x0 cos(w t)", max(abs(x - 1e-4 * math.cos(w * t)) for t, x in zip(run["t"], run["x"])) / 1e-4, 0, 1e-6)


def at_the_bottom_of_a_bowl_nothing_is_special():
    """Where x = X = 0 the ball rests; eigenvalues there by `linearise`: +-i w, w^2 = 5 g/(7 (a - r)), a the radius of curvature, twice."""
    for surface in ("surface (X, Y, Z): Z - (X^2 + Y^2)/(2*a)", "sphere a around (0, 0, a) inside"):
        model = ("param m = 1, r = 0.1, a = 0.7, g = 9.81\ncoord x, y, z, psi, theta, phi\nlet J = 2/5*m*r^2\n"
                 "body ball: mass m at (x, y, z) inertia (J, J, J) rotation rot(z, psi)*rot(x, theta)*rot(z, phi)\ngravity (0, 0, -g)\n"
                 f"roll ball as ball r on {surface}\ninitial x = 0, y = 0, psi = 0.3, theta = 1, phi = 0\nguess z = 0.1\n")
        found = hamel("linearise", model)["eigenvalues"]
        speeds = sorted(abs(float(v["im"])) for v in found if abs(float(v["im"])) > 1e-9)
        w = math.sqrt(5 * 9.81 / (7 * 0.6))
        check(f"two modes swing on {surface}", len(speeds) == 4, str(found))
        for speed in speeds:
            near("at this frequency", speed, w, 1e-12)


def a_ball_in_a_cylinder_comes_up_again():
    """z = z0 (cos(k t) - 1), k = sqrt(2/7) W, from rest in height; W from w3 by rolling: (R - r) W = -r w3."""
    run = trajectory("ball_in_cylinder")
    W = 9 * 0.2 / 0.3
    k = math.sqrt(2 / 7) * W
    depth = 5 / 7 * 9.81 / k**2
    near("the height", max(abs(z - depth * (math.cos(k * t) - 1)) for t, z in zip(run["t"], run["z"])), 0, 1e-9)
    for name, angle in (("x", 0), ("y", -math.pi / 2)):
        near(f"{name} goes round", max(abs(x - 0.3 * math.cos(W * t + angle)) for t, x in zip(run["t"], run[name])), 0, 1e-9)


def a_pebble_rocks_at_the_frequency_of_its_curvature():
    """An ellipsoid on its flattest side, rolled about an axis: w^2 = g (a^2 - c^2)/(c (k^2 + c^2)), k^2 = (a^2 + c^2)/5."""
    for long, turn, other in ((0.5, "theta", "phi"), (0.4, "phi", "theta")):
        run = trajectory("rolling_ellipsoid", at=f"{other} = 0, {turn} = 1e-5, psi' = 0, theta' = 0, phi' = 0", until=3)
        w = math.sqrt(9.81 * (long**2 - 0.09) / (0.3 * ((long**2 + 0.09) / 5 + 0.09)))
        near("its turn", max(abs(p - 1e-5 * math.cos(w * t)) for t, p in zip(run["t"], run[turn])) / 1e-5, 0, 1e-6)


def a_thin_torus_is_a_disc():
    """r -> 0 with the moments of a disc: the same accelerations in the limit, an error of order r."""
    text = ("param m = 1, R = 0.5, g = 9.81\ncoord x, y, z, psi, theta, phi\nlet A = m*R^2/4\n"
            "body b: mass m at (x, y, z) inertia (A, 2*A, A) rotation rot(z, psi)*rot(x, theta)*rot(y, phi)\ngravity (0, 0, -g)\nroll b as {} axis (0, 1, 0) on plane\n"
            "independent psi, theta, phi\ninitial psi = 0.1, theta = 0.4, phi = 0.2, psi' = 0.5, theta' = -0.3, phi' = 4\nguess z = 1\n")
    disc = hamel("eval", text.format("disc R"))["qdd"]
    errors = [max(abs(float(hamel("eval", text.format(f"torus R, {r}"))["qdd"][q]) - float(disc[q])) for q in ("psi", "theta", "phi")) for r in ("1e-6", "1e-7")]
    near("ten times thinner, ten times nearer", errors[0] / errors[1], 10, 0.01)


def a_ball_keeps_its_energy_through_all_orientations():
    """A heavy ball off its centre of mass, and a pebble, tumble over the table: all four p change their sign, and nothing fails there."""
    text = ("param m = 1, r = 0.3, g = 9.81\ncoord x, y, z\norientation p of b\nbody b: mass m at (x, y, z) inertia (0.03, 0.035, 0.04)\ngravity (0, 0, -g)\n"
            "roll b as ball r at (0.02, 0.01, 0.03) on plane\nlet w = omega(b)\nquasi w1 = w.x\nquasi w2 = w.y\nquasi w3 = w.z\n"
            "initial w1 = 3, w2 = -7, w3 = 2\nguess z = 0.3\nsimulate t = 0 .. 20, tol = 1e-12, output = 0.1\n")
    pebble = text.replace("ball r at (0.02, 0.01, 0.03)", "ellipsoid (r, 0.25, 0.35)")
    for text, method in ((text, "taylor"), (text, "dop853"), (pebble, "dop853")):
        out, run = summary(text_model(text), method=method), trajectory(text_model(text), method=method)
        check(f"{method} reaches the end", out["outcome"] == "the end was reached", str(out["outcome"]))
        near(f"{method} keeps the energy", float(out["drift"]["energy"]), 0, 1e-10)
        for i in range(4):
            check(f"p[{i}] has both signs", min(run[f"p[{i}]"]) < -0.1 and max(run[f"p[{i}]"]) > 0.1)


def a_spun_coin_stands_or_falls():
    """Upright with spin n about the vertical it stands for n^2 > 4 g/(5 r): just below a small lean grows without end, just above it stays small."""
    limit = math.sqrt(4 * 9.81 / (5 * 0.5))
    lean = {}
    for factor in (0.97, 1.03):
        run = trajectory("spinning_coin", at=f"p[1] = {math.sqrt(0.5) + 1e-6!r}, w1 = 0, w2 = {factor * limit!r}, w3 = 0", until=15)
        lean[factor] = max(map(abs, run["lean"])) / abs(run["lean"][0])
    check("below it falls", lean[0.97] > 10000, str(lean))
    check("above it stands", lean[1.03] < 50, str(lean))


def several_bodies_roll_in_a_loop():
    text = ("const N = 3\nparam r = 0.1\ncoord x[1..N], y[1..N], z[1..N], a[1..N], b[1..N], c[1..N]\nfor i in 1..N {\n"
            "body B[i]: mass i at (x[i], y[i], z[i]) inertia (0.01, 0.01, 0.01) rotation rot(z, a[i])*rot(x, b[i])*rot(z, c[i])\n"
            "roll k[i]: B[i] as ball r*i on plane\ninitial a[i] = 0.1*i, b[i] = 1, c[i] = 0, b[i]' = i\n}\ngravity (0, 0, -9.81)\n")
    found = hamel("eval", text)
    for i in (1, 2, 3):
        near(f"z[{i}]", float(found["q"][f"z[{i}]"]), 0.1 * i, 1e-15)
        near(f"lambda[k[{i}].z]", float(found["lambda"][f"k[{i}].z"]), 9.81 * i, 1e-12)


def the_reaction_is_the_force_in_space():
    """Newton's and Euler's laws with reaction(c), proved; the same claims with one sign wrong are refuted."""
    text = ("param m = 1, r = 0.1, R = 1, g = 9.81\ncoord x, y, z, psi, theta, phi\nlet J = 2/5*m*r^2\n"
            "body b: mass m at (x, y, z) inertia (J, 2*J, J) rotation rot(z, psi)*rot(x, theta)*rot(z, phi)\ngravity (0, 0, -g)\nroll c[2]: b as {}\n"
            "initial x = 0.2, y = 0.1, psi = 0.2, theta = 1.4, phi = -0.4, psi' = 2, theta' = 1\nguess z = {}\n"
            "claim newton: m*acc(b) = (0, 0, -m*g) + reaction(c[2])\nclaim euler: ddt(momentum(b, pos(b))) = cross(c_point[2] - pos(b), reaction(c[2]))\n")
    for words, start in (("ball r on sphere R inside", -1), ("ball r on sphere R", 1), ("disc r on plane normal (0.3, 0.1, 1)", 1), ("ball r on cylinder R axis (1, 0, 0.1)", 1)):
        for sign in (1, -1):
            written = text.format(words, start) if sign > 0 else text.format(words, start).replace("+ reaction", "- reaction").replace("cross(c_point[2] - pos(b)", "cross(pos(b) - c_point[2]")
            done = subprocess.run([HAMEL, "prove", "-", "--json", "--form", "maggi"], input=written, capture_output=True, text=True, timeout=LIMIT)
            found = [v["verdict"] for v in json.loads(done.stdout)["verdicts"] if v["kind"] == "claim"]
            check(f"{words}, {sign}", found == ["proved"] * 6 if sign > 0 else "refuted" in found and "proved" not in found[:3], str(found))


the_point_of_contact_is_the_lowest_one()
balls_on_spheres_and_cylinders()
the_foot_on_a_surface_is_its_nearest_point()
the_material_point_is_at_rest_and_reactions_are_forces()
the_same_motions_as_models_written_by_hand()
a_ball_swings_in_a_bowl_as_it_should()
at_the_bottom_of_a_bowl_nothing_is_special()
a_ball_in_a_cylinder_comes_up_again()
a_pebble_rocks_at_the_frequency_of_its_curvature()
a_thin_torus_is_a_disc()
a_ball_keeps_its_energy_through_all_orientations()
a_spun_coin_stands_or_falls()
several_bodies_roll_in_a_loop()
the_reaction_is_the_force_in_space()
finish()
