#!/usr/bin/python3
"""Contacts that hold a body by more than it takes, that stand on one another, and modes that are entered at the edge of their law, against closed forms with random numbers."""
import json
import math
import random

from _checks import check, finish, near, run

TIME = 1e-12
G = 9.81
rng = random.Random(1717)


def told(model, *options, status=0):
    done = run(model, "--json", *options, status=status)
    return json.loads(done.stdout), done.stderr


def when(out, name, to):
    return [float(c["t"]) for c in out["changes"] if c["name"] == name and c.get("to", "").startswith(to)]


# --- at the edge from the start on ------------------------------------------------------------------------------------------------


def what_is_pushed_by_a_hair_too_much_slides():
    """|F| = mu m g (1 + h) + c t: from 0 on it slides, and x = h mu g t^2/2 + c t^3/(6 m)."""
    for hair in (1e-15, 3e-15, 1e-14, 1e-12, 1e-10, 5e-10, 2e-9):
        for sign in (1, -1):
            m, c, mu = rng.uniform(0.5, 3), rng.uniform(0.5, 2), rng.uniform(0.1, 0.8)
            out, _ = told(f"""system hair
coord x, z
param mu = {mu!r}, m = {m!r}
point P: mass m at (x, 0, z)
gravity (0, 0, -{G})
contact floor: gap z, at P, normal (0, 0, 1), friction mu
force x = {sign}*(mu*m*{G}*(1 + {hair!r}) + {c!r}*t)
simulate t = 0 .. 2, tol = 1e-13
""")
            near(f"pushed by {hair} too much", float(out["final"]["x"]), sign * (hair * mu * G * 2 + c * 8 / (6 * m)), 1e-9)


def what_is_lifted_from_the_start_on_leaves_the_floor():
    """A force m g + c t^k: N = 0 at the start, and z = c t^(k+2)/(m (k+1) (k+2)); with m g - c t^k it stays."""
    for power in (1, 2, 3):
        m, c = rng.uniform(0.5, 3), rng.uniform(0.5, 2)
        for sign, height in ((1, c * 2**(power + 2) / (m * (power + 1) * (power + 2))), (-1, 0)):
            out, _ = told(f"""system lift
coord x, z
param m = {m!r}
point P: mass m at (x, 0, z)
gravity (0, 0, -{G})
contact floor: gap z, at P, normal (0, 0, 1), friction 0.3
force z = m*{G} + {sign * c!r}*t^{power}
simulate t = 0 .. 2, tol = 1e-13
""")
            near(f"lifted by {sign} t^{power}", float(out["final"]["z"]), height, 1e-11)


# --- more than it takes -----------------------------------------------------------------------------------------------------------


def three_feet_in_a_row_hold_as_one():
    """Whatever they share: at rest until F = c t exceeds mu m g, or from v on until v/(mu g)."""
    for _ in range(3):
        m, mu, c, h, v = rng.uniform(0.5, 3), rng.uniform(0.1, 0.4), rng.uniform(0.5, 2), rng.uniform(0, 0.2), rng.uniform(0.5, 2)
        places = rng.uniform(-1, -0.5), rng.uniform(-0.3, 0.3), rng.uniform(0.5, 1)
        feet = "".join(f"let foot{k} = pos(B) + frame(B)*({p!r}, 0, {-h!r})\ncontact c{k}: gap foot{k}.z, at B foot{k}, normal (0, 0, 1), friction {mu!r}\n"
                       for k, p in enumerate(places))
        model = f"""system feet
coord x, z, th
body B: mass {m!r} at (x, 0, z) inertia (1, 1, 1) rotation rot(y, th)
gravity (0, 0, -{G})
{feet}initial z = {h!r}
"""
        end = mu * m * G / c
        out, errors = told(model + f"force x = {c!r}*t\nsimulate t = 0 .. {end + 1!r}, tol = 1e-12\n")
        check("what each carries is open", errors.count("more contacts hold a body than it takes") == 1, errors)
        near("it slides from there on", float(out["final"]["x"]), c / (6 * m), 1e-9)
        out, _ = told(model + f"initial x' = {v!r}\nsimulate t = 0 .. {v / (mu * G) + 1!r}, tol = 1e-12\n")
        near("it stops", float(out["final"]["x"]), v * v / (2 * mu * G), 1e-11)
        check("and stays", abs(float(out["final"]["x'"])) < 1e-14, out["final"]["x'"])


def a_particle_in_a_corner_rests_where_it_falls():
    """Along the diagonal with e both bounces end at once, at t1 (1 + e)/(1 - e); what floor and wall carry is open."""
    for _ in range(3):
        e, mu, x, z = rng.uniform(0.1, 0.7), rng.uniform(0.05, 0.9), rng.uniform(0.2, 2), rng.uniform(0.2, 2)
        out, errors = told(f"""system corner
coord x, z
point P: mass 1 at (x, 0, z)
gravity (-{x!r}, 0, -{z!r})
contact floor: gap z, at P, normal (0, 0, 1), restitution {e!r}, friction {mu!r}
contact wall: gap x, at P, normal (1, 0, 0), restitution {e!r}, friction {mu!r}
initial x = {x!r}, z = {z!r}
simulate t = 0 .. {math.sqrt(2) * (1 + e) / (1 - e) + 1!r}
""")
        check("it says that the share is open", "more contacts hold a body than it takes" in errors, errors)
        for name in ("x", "z"):
            near("it rests in the corner", float(out["final"][name]), 0, 1e-12)


def a_ladder_between_rough_walls_slips_when_no_share_of_the_load_holds_it():
    """Floor and wall both rough: it stands as long as some N1, F1, N2, F2 in their cones carry it. A load at s along it, with tan(a) the
    slope from the vertical: both at their limits, N2 = mu1 N1, N1 + mu2 N2 = W; moments about the foot: W s tan(a) = 2 l N2 (1 + mu2 tan(a))."""
    for _ in range(4):
        l, weight, a, v = 2.0, rng.uniform(200, 600), rng.uniform(0.4, 0.7), 0.3
        mu1, mu2 = rng.uniform(0.2, 0.35), rng.uniform(0.1, 0.3)
        n2 = mu1 * weight / (1 + mu1 * mu2)
        s = 2 * l * n2 * (1 / math.tan(a) + mu2) / weight
        if s > 2 * l:
            continue
        out, errors = told(f"""system ladder
param l = {l}, a = {a!r}, W = {weight!r}
coord x, z, th
let along = (-sin(th), 0, cos(th))
body ladder: mass 1e-3 at (x, 0, z) inertia (1e-3, 1e-3, 1e-3) rotation rot(y, -th)
let foot = pos(ladder) - l*along
let top = pos(ladder) + l*along
contact floor: gap foot.z, at ladder foot, normal (0, 0, 1), friction {mu1!r}
contact wall: gap top.x, at ladder top, normal (1, 0, 0), friction {mu2!r}
force on ladder = (0, 0, -W)
torque on ladder = cross(({v}*t - l)*along, (0, 0, -W))
initial x = l*sin(a), z = l*cos(a), th = a
simulate t = 0 .. {s / v + 1e-3!r}, tol = 1e-12
""")
        check("it says that the share is open", "more contacts hold a body than it takes" in errors, errors)
        moved = [float(c["t"]) for c in out["changes"]]
        near(f"it slips, mu {mu1:.3g} and {mu2:.3g}", moved[-1], s / v, 1e-9)
        check("and falls", float(out["final"]["th"]) > a, out["final"]["th"])


# --- one on the other -------------------------------------------------------------------------------------------------------------


def blocks_that_bounce_on_one_another_come_to_rest_as_a_stack():
    """Two blocks that fall, bounce and rest; a force c t on the lower one: both go together from mu1 (m + M) g on, the upper one slips on it
    where that asks for more than mu2 g."""
    for kinds, e in ((("point", "point"), 0.2), (("body", "body"), 0.0), (("point", "body"), 0.2), (("body", "point"), 0.35), (("point", "point"), 0.6)):
        m, M, c = rng.uniform(0.5, 2), rng.uniform(0.5, 2), rng.uniform(2, 4)
        mu1, mu2 = rng.uniform(0.3, 0.5), rng.uniform(0.1, 0.25)
        text = ""
        for kind, name, mass, place in zip(kinds, "PQ", (m, M), ("(x, 0, z)", "(X, 0, Z)")):
            text += f"{kind} {name}: mass {mass!r} at {place}" + (" inertia (1, 1, 1) rotation rot(y, 0)\n" if kind == "body" else "\n")
        begin = mu1 * (m + M) * G / c
        slip = begin + mu2 * G * (m + M) / c
        model = f"""system stack
coord x, z, X, Z
{text}gravity (0, 0, -{G})
contact floor: gap z, at P, normal (0, 0, 1), friction {mu1!r}, restitution {e!r}
contact between: gap Z - z - 0.1, at Q, against P, normal (0, 0, 1), friction {mu2!r}, restitution {e!r}
force x = {c!r}*t
initial z = 0.05, Z = 0.2
simulate t = 0 .. {slip + 1!r}, tol = 1e-12
"""
        out, _ = told(model)
        head, *rows = [line.split(",") for line in run(model, "-o", "-").stdout.splitlines()]
        before = next(float(row[head.index("X")]) for row in rows if float(row[0]) >= begin * (1 - TIME))
        near(f"{kinds}, e = {e:.3g}: they go", when(out, "floor", "sliding")[-1], begin, TIME)
        near("the upper one slips", when(out, "between", "sliding")[-1], slip, TIME)
        near("how far it went", float(out["final"]["X"]) - before, (c * (slip - begin)**3 / 6 + c * (slip - begin)**2 / 2) / (m + M) + mu2 * G / 2, 1e-9)
        near("it lies on the other", float(out["final"]["Z"]), 0.1, 1e-9)


# --- hardly sliding ---------------------------------------------------------------------------------------------------------------


def a_disc_whose_slip_hardly_grows_does_not_chatter():
    """Thrown with a tilt it slides, rolls, and begins to slide again where friction is just enough for the slip of before: two rows a change, and
    those that were asked for."""
    model = """system disc
coord x, y, z, psi, theta, phi
param m = 1, r = 0.2
body d: mass m at (x, y, z) inertia (m*r^2/4, m*r^2/4, m*r^2/2) rotation rot(z, psi)*rot(x, theta)*rot(z, phi)
gravity (0, 0, -9.81)
let k = frame(d)*(0, 0, 1)
let down = cross(k, cross(k, (0, 0, 1)))
let c = pos(d) + r*down/norm(down)
contact floor: gap c.z, at d c, normal (0, 0, 1), friction 0.3, restitution 0.3
initial x = 0, y = 0, z = 0.4, psi = 0, theta = 1.2, phi = 0, x' = 1, phi' = 10
simulate t = 0 .. 1.2, tol = 1e-8, output = 0.01
"""
    out, _ = told(model)
    rows = run(model, "-o", "-", "--exec", "interpreted").stdout.count("\n") - 1
    check("rows", rows <= 121 + 2 * len(out["changes"]) + 10, f"{rows} rows, {len(out['changes'])} changes")
    check("it rolls on the way, and slides at the end", out["modes"]["floor"] == "sliding" and len(when(out, "floor", "sticking")) == 1, str(out["changes"][-3:]))


# --- prescribed motion ------------------------------------------------------------------------------------------------------------


def what_constraints_drive_into_a_surface_is_said_to_be_that():
    out, errors = told("""system driven
coord z
point P: mass 1 at (0, 0, z)
constraint drive: z = cos(t)
contact floor: gap z, at P, normal (0, 0, 1), restitution 0.5
simulate t = 0 .. 3, tol = 1e-12
""", status=5)
    check("it is said", "constraints drive the motion into contact `floor`" in errors, errors)
    near("there", float(out["t"]), math.pi / 2, 1e-12)


what_is_pushed_by_a_hair_too_much_slides()
what_is_lifted_from_the_start_on_leaves_the_floor()
three_feet_in_a_row_hold_as_one()
a_particle_in_a_corner_rests_where_it_falls()
a_ladder_between_rough_walls_slips_when_no_share_of_the_load_holds_it()
blocks_that_bounce_on_one_another_come_to_rest_as_a_stack()
a_disc_whose_slip_hardly_grows_does_not_chatter()
what_constraints_drive_into_a_surface_is_said_to_be_that()
finish()
