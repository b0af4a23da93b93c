"""Rigid bodies with contacts, by Newton and Euler: a second simulator of unilateral contacts, Coulomb friction and Newton's restitution.

Nothing of hamel is used. Bodies have velocities v and a constant mass matrix; a contact has a gap, and rows D(q) with speeds D v - u along its normal and tangents, whose rates come from a complex step
along the motion. Closed contacts are bilateral constraints or friction forces in an ODE by DOP853; what they do next, and impacts, are fixed points of projections onto the cones of friction
(Moreau, Jean, Alart and Curnier), not cases. A scene ends early where it is no longer comparable: grazing, bounces that accumulate, two answers, too many changes.
"""
import math

import numpy as np
from scipy.integrate import solve_ivp

H = 1e-40  # of complex steps
FREE, SLIDING, STICKING = "free", "sliding", "sticking"
CLOSED_GAP, NO_SPEED = 1e-9, 1e-9
GRAZING, STEP = 0.05, 0.003  # bounces of slower impacts are shorter than some steps, and not seen
MOST_CHANGES = 24


class Incomparable(Exception):
    """From here on two right programs may differ."""


# --- bodies --------------------------------------------------------------------------------------

class Body:
    """kind: disc and box (x, z, th about y), point (x, z), mote (x, y, z), ball (x, y, z and the angular velocity)."""

    def __init__(self, kind, mass, inertia=0.0, radius=0.0, spring=None, push=None):
        self.kind, self.mass, self.inertia, self.radius, self.spring, self.push = kind, mass, inertia, radius, spring, push
        self.linear = {"disc": (0, 2), "box": (0, 2), "point": (0, 2), "mote": (0, 1, 2), "ball": (0, 1, 2)}[kind]
        self.angular = {"disc": (1,), "box": (1,), "ball": (0, 1, 2)}.get(kind, ())
        self.coordinates = len(self.linear) + (1 if kind in ("disc", "box") else 0)
        self.velocities = len(self.linear) + len(self.angular)


class Contact:
    """gap along a normal. Of body `a` with a half-plane (base, normal), a post (centre, post) or body `b`; at a corner, or round."""

    def __init__(self, name, a, friction=(0.0, 0.0), restitution=0.0, base=None, normal=None, corner=None, post=None, b=None, belt=(0.0, 0.0, 0.0), shake=None):
        self.name, self.a, self.b, self.mu_s, self.mu_k, self.e = name, a, b, friction[0], friction[1], restitution
        self.base = None if base is None else np.array(base, float)
        self.normal = None if normal is None else np.array(normal, float)
        self.corner, self.post, self.belt, self.shake = corner, post, np.array(belt, float), shake


class Scene:
    def __init__(self, bodies, contacts, gravity, q, v):
        self.bodies, self.contacts, self.gravity = bodies, contacts, np.array(gravity, float)
        self.q, self.v = np.array(q, float), np.array(v, float)
        self.at_q = np.cumsum([0] + [b.coordinates for b in bodies])
        self.at_v = np.cumsum([0] + [b.velocities for b in bodies])
        self.nv = self.at_v[-1]
        mass = []
        for b in bodies:
            mass += [b.mass] * len(b.linear) + [b.inertia] * len(b.angular)
        self.mass = np.array(mass)

    def centre(self, i, q):
        at = np.zeros(3, dtype=q.dtype)
        for k, axis in enumerate(self.bodies[i].linear):
            at[axis] = q[self.at_q[i] + k]
        return at

    def rate_of_q(self, v):
        qd = np.zeros(self.at_q[-1], dtype=v.dtype)
        for i, b in enumerate(self.bodies):
            qd[self.at_q[i]:self.at_q[i + 1]] = v[self.at_v[i]:self.at_v[i] + b.coordinates]
        return qd

    def force(self, q, v, t):
        f = np.zeros(self.nv)
        for i, b in enumerate(self.bodies):
            total = b.mass * self.gravity
            if b.spring:
                total = total - b.spring[0] * (self.centre(i, q) - np.array(b.spring[1]))
            if b.push:
                total = total + np.array(b.push[0]) * math.sin(b.push[1] * t)
            for k, axis in enumerate(b.linear):
                f[self.at_v[i] + k] = total[axis]
        return f

    def is_plane(self, c):
        return self.bodies[c.a].kind in ("disc", "box", "point")

    # gap, rows D and what is taken off: speeds are D v - u
    def look(self, c, q, t):
        centre = self.centre(c.a, q)
        spread = self.bodies[c.a].radius
        lift, fly = 0.0, 0.0
        if c.shake:
            lift, fly = c.shake[0] * np.sin(c.shake[1] * t), c.shake[0] * c.shake[1] * np.cos(c.shake[1] * t)
        if c.corner is not None:
            th = q[self.at_q[c.a] + 2]
            place = centre + np.array([c.corner[0] * np.cos(th) + c.corner[1] * np.sin(th), 0, -c.corner[0] * np.sin(th) + c.corner[1] * np.cos(th)])
            n, gap = c.normal, np.dot(c.normal, place - c.base) - lift
        elif c.base is not None:
            n, place = c.normal, centre - spread * c.normal
            gap = np.dot(n, centre - c.base) - spread - lift
        else:
            other = np.array(c.post[0]) if c.post else self.centre(c.b, q)
            apart = centre - other
            d = np.sqrt(np.sum(apart * apart))
            n, gap = apart / d, d - spread - (c.post[1] if c.post else self.bodies[c.b].radius)
            place = centre - spread * n
        y = np.array([0.0, 1.0, 0.0])
        if self.is_plane(c):
            axes = [n, np.cross(y, n)]
        else:
            first = np.cross(y if abs(n[1]) < 0.9 else np.array([1.0, 0, 0]), n)
            first = first / np.sqrt(np.sum(first * first))
            axes = [n, first, np.cross(n, first)]
        if c.mu_s == 0 and c.mu_k == 0:
            axes = axes[:1]
        rows = np.zeros((len(axes), self.nv), dtype=np.result_type(q, float))
        for k, axis in enumerate(axes):
            for sign, body in ((1, c.a), (-1, c.b)):
                if body is None:
                    continue
                b = self.bodies[body]
                turn = np.cross(place - self.centre(body, q), axis)
                start = self.at_v[body]
                for j, component in enumerate(b.linear):
                    rows[k, start + j] += sign * axis[component]
                for j, component in enumerate(b.angular):
                    rows[k, start + len(b.linear) + j] += sign * turn[component]
        surface = np.array([np.dot(axis, c.belt + fly * n) for axis in axes])
        return gap, rows, surface


# --- what follows: fixed points of projections ----------------------------------------------------

def fixed_point(g, c, parts):
    """P with y = G P + c in the law. parts: (rows, mu, along): `along` the direction of one that slides already, None: it may stick, and slides along -P_t."""
    p = np.zeros(len(c))
    step = 0.9 / max(np.abs(g).sum(axis=1).max(), 1e-300)
    scale = np.abs(c).max() + 1e-300
    for _ in range(60000):
        y, before = g @ p + c, p.copy()
        for rows, mu, along in parts:
            n = rows[0]
            p[n] = max(0.0, p[n] - step * y[n])
            if len(rows) == 1:
                continue
            if along is not None:
                p[rows[1:]] = -mu * p[n] * along
            else:
                trial = p[rows[1:]] - step * y[rows[1:]]
                size, most = np.linalg.norm(trial), mu * p[n]
                p[rows[1:]] = trial if size <= most else trial * (most / size)
            y = g @ p + c  # each contact sees what the others have done
        if np.abs(p - before).max() <= 1e-16 * np.abs(p).max() and np.abs(p - before).max() <= 1e-15 * scale * step * 1e4:
            break
    else:
        raise Incomparable("no fixed point")
    return p, g @ p + c


# --- the run -------------------------------------------------------------------------------------

class Run:
    def __init__(self, scene):
        self.s, self.t, self.q, self.v = scene, 0.0, scene.q.copy(), scene.v.copy()
        self.mode, self.fastest = [FREE] * len(scene.contacts), 1e-6
        self.direction = [None] * len(scene.contacts)
        self.changes, self.rows, self.begins, self.why = [], [], None, ""
        self.shared_from = math.inf  # from when on forces are shared in many ways, so that modes are names for one of them

    def scale(self):
        self.fastest = max(self.fastest, math.sqrt(float(np.sum(self.s.mass * self.v**2) / self.s.mass.min())))
        return self.fastest

    def speeds(self):
        return [rows @ self.v - u for _, rows, u in (self.s.look(c, self.q, self.t) for c in self.s.contacts)]

    # impacts of those that are closed and approach
    def take_impacts(self, closed):
        for _ in range(20):
            speed = self.speeds()
            tolerance = NO_SPEED * self.scale()
            if not any(closed[i] and speed[i][0] < -tolerance for i in range(len(closed))):
                return
            for i, c in enumerate(self.s.contacts):
                if closed[i] and speed[i][0] < -tolerance:
                    if speed[i][0] > -GRAZING and c.e > 0:
                        raise Incomparable("small bounces")
                    self.changes.append((self.t, "impact", c.name, -float(speed[i][0])))
            which = [i for i in range(len(closed)) if closed[i]]
            blocks = [self.s.look(self.s.contacts[i], self.q, self.t)[1] for i in which]
            rows = np.vstack(blocks)
            c = np.concatenate([np.concatenate([[(1 + self.s.contacts[i].e) * speed[i][0]], speed[i][1:]]) for i in which])
            parts, at = [], 0
            for i, block in zip(which, blocks):
                if self.s.contacts[i].mu_s != self.s.contacts[i].mu_k:
                    mu = self.s.contacts[i].mu_s  # decided below
                else:
                    mu = self.s.contacts[i].mu_k
                parts.append((list(range(at, at + len(block))), mu, None))
                at += len(block)
            g = (rows / self.s.mass) @ rows.T
            p, y = fixed_point(g, c, parts)
            again = [(r, self.s.contacts[i].mu_k if len(r) > 1 and np.linalg.norm(y[r[1:]]) > 1e-9 * self.scale() else mu, along) for i, (r, mu, along) in zip(which, parts)]
            if again != parts:
                p, y = fixed_point(g, c, again)
            self.v = self.v + (rows.T @ p) / self.s.mass
        raise Incomparable("impacts at once")

    def settle(self, landed=(), lifted=(), slipped=()):
        s, n = self.s, len(self.s.contacts)
        looks = [s.look(c, self.q, self.t) for c in s.contacts]
        speed = self.speeds()
        tolerance = NO_SPEED * self.scale()
        closed = [self.mode[i] != FREE or i in landed or (looks[i][0] <= CLOSED_GAP and speed[i][0] <= tolerance) for i in range(n)]
        self.take_impacts(closed)
        speed, tolerance = self.speeds(), NO_SPEED * self.scale()
        for i in range(n):
            if closed[i] and speed[i][0] > tolerance:
                if s.contacts[i].e > 0 and speed[i][0] < GRAZING:
                    raise Incomparable("small bounces")
                closed[i] = False
        self.choose([i for i in range(n) if closed[i]], speed, lifted, slipped)

    # modes by accelerations
    def choose(self, which, speed, lifted, slipped):
        s, before = self.s, list(self.mode)
        self.mode = [FREE] * len(s.contacts)
        which = [i for i in which if i not in lifted]
        if which:
            rows, rates = self.rates(which)
            g, c = (rows / s.mass) @ rows.T, rates
            if np.linalg.matrix_rank(g, tol=1e-9 * np.abs(g).max()) < len(g):
                self.shared_from = min(self.shared_from, self.t)
            parts, at = [], 0
            for i in which:
                k, con = len(speed[i]), s.contacts[i]
                slip = speed[i][1:]
                slides = k > 1 and np.linalg.norm(slip) > 1e-8 * self.scale()
                parts.append((list(range(at, at + k)), con.mu_k if slides else con.mu_s, slip / np.linalg.norm(slip) if slides else None))
                at += k
            p, y = fixed_point(g, c, parts)
            size, loose = np.abs(c).max() + 1e-300, []
            for i, (r, mu, along) in zip(which, parts):
                if len(r) > 1 and along is None and (i in slipped or np.linalg.norm(y[r[1:]]) > 1e-8 * size) and p[r[0]] > 0:
                    loose.append(i)
            if any(s.contacts[i].mu_k != s.contacts[i].mu_s for i in loose):
                parts = [(r, s.contacts[i].mu_k if i in loose else mu, along) for i, (r, mu, along) in zip(which, parts)]
                p, y = fixed_point(g, c, parts)
            self.name_modes(which, parts, p, y, size, slipped)
        for i, c in enumerate(s.contacts):
            if self.mode[i] != before[i]:
                self.changes.append((self.t, "mode", c.name, before[i] + ">" + self.mode[i]))

    def name_modes(self, which, parts, p, y, size, slipped):
        push = np.abs(p).max() + 1e-300
        for i, (r, mu, along) in zip(which, parts):
            normal, rate = p[r[0]], y[r[0]]
            if normal < 1e-7 * push and rate < 1e-7 * size:
                raise Incomparable("neither open nor closed")
            if normal < 1e-7 * push:
                continue
            if len(r) == 1:
                self.mode[i] = SLIDING
            elif along is not None:
                self.mode[i], self.direction[i] = SLIDING, along
            else:
                side = np.linalg.norm(p[r[1:]])
                moves = np.linalg.norm(y[r[1:]])
                if moves > 1e-7 * size or i in slipped:
                    if side == 0:
                        raise Incomparable("slides nowhere")
                    self.mode[i], self.direction[i] = SLIDING, -p[r[1:]] / side
                elif side < mu * normal * (1 - 1e-6):
                    self.mode[i] = STICKING
                else:
                    raise Incomparable("at the limit of friction")

    def rates(self, which, q=None, v=None, t=None):
        """Rows D of contacts and their rates without contact forces: D M^-1 F + D' v - u'."""
        q, v, t = (self.q, self.v, self.t) if q is None else (q, v, t)
        ahead = q + 1j * H * self.s.rate_of_q(v)
        free = self.s.force(q, v, t) / self.s.mass
        rows, rates = [], []
        for i in which:
            _, d, u = self.s.look(self.s.contacts[i], ahead, t + 1j * H)
            rows.append(d.real)
            rates.append(d.real @ free + (d.imag @ v - np.imag(u)) / H)
        return np.vstack(rows), np.concatenate(rates)

    # forces of the closed contacts in their modes
    def solve(self, t, q, v):
        s = self.s
        free = s.force(q, v, t) / s.mass
        which = [i for i in range(len(s.contacts)) if self.mode[i] != FREE]
        if not which:
            return free, {}
        rows, rates = self.rates(which, q, v, t)
        columns, wanted, at, places = [], [], 0, []
        for i in which:
            c = s.contacts[i]
            k = 1 if c.mu_s == 0 and c.mu_k == 0 else 2 if s.is_plane(c) else 3
            if self.mode[i] == STICKING:
                places.append((i, len(columns), k, None))
                columns += [rows[at + j] for j in range(k)]
                wanted += list(range(at, at + k))
            else:
                along = None
                if k > 1:
                    along = self.direction[i]
                    if k == 3:
                        slip = rows[at + 1:at + 3] @ v - s.look(c, q, t)[2][1:]
                        size = np.linalg.norm(slip)
                        along = slip / size if size > 1e-13 else along
                places.append((i, len(columns), k, along))
                columns.append(rows[at] - (c.mu_k * along @ rows[at + 1:at + k] if k > 1 else 0))
                wanted.append(at)
            at += k
        push = (np.array(columns) / s.mass).T
        matrix = rows[wanted] @ push
        p = np.linalg.lstsq(matrix, -rates[wanted], rcond=1e-12)[0]
        forces = {}
        for i, start, k, along in places:
            forces[i] = p[start:start + k] if self.mode[i] == STICKING else np.concatenate([[p[start]], [] if along is None else -s.contacts[i].mu_k * p[start] * along])
        return free + push @ p, forces

    def events(self):
        """(kind, contact, function of (t, y)); each falls through zero."""
        s, nq, out = self.s, len(self.q), []
        for i, c in enumerate(s.contacts):
            def gap(t, y, c=c):
                return s.look(c, y[:nq], t)[0]

            def normal(t, y, i=i):
                return self.solve(t, y[:nq], y[nq:])[1][i][0]

            def reserve(t, y, i=i, c=c):
                f = self.solve(t, y[:nq], y[nq:])[1][i]
                return (c.mu_s * f[0])**2 - float(f[1:] @ f[1:])

            def ahead(t, y, i=i, c=c):
                _, rows, u = s.look(c, y[:nq], t)
                slip = rows[1:] @ y[nq:] - u[1:]
                return float(slip @ self.direction[i]) if len(slip) == 1 else float(np.linalg.norm(slip)) - 1e-9 * self.scale()
            has_friction = c.mu_s > 0 or c.mu_k > 0
            if self.mode[i] == FREE:
                out.append(("lands", i, gap))
            else:
                out.append(("lifts", i, normal))
                if has_friction:
                    out.append(("slips", i, reserve) if self.mode[i] == STICKING else ("sticks", i, ahead))
        return out

    def go(self, until, times):
        """Up to `until`; rows (t, q, v) at `times`. Returns how far it came and is comparable."""
        try:
            self.settle()
            self.changes = [c for c in self.changes if c[1] != "mode"]
            self.begins = list(self.mode)
            while self.t < until:
                self.piece(until, times)
        except Incomparable as why:
            self.why = str(why)
            return self.t
        return until

    def begin_sliding(self):
        """In space the direction of sliding is u/|u|: a first small slip along it."""
        for i, c in enumerate(self.s.contacts):
            if self.mode[i] != SLIDING or self.s.is_plane(c) or (c.mu_s == 0 and c.mu_k == 0):
                continue
            _, rows, u = self.s.look(c, self.q, self.t)
            slip = rows[1:] @ self.v - u[1:]
            if np.linalg.norm(slip) < 1e-8 * self.scale():
                g = (rows / self.s.mass) @ rows.T
                change = np.concatenate([[0], 4e-9 * self.scale() * self.direction[i] - slip])
                self.v = self.v + (rows.T @ np.linalg.solve(g, change)) / self.s.mass

    def piece(self, until, times):
        if len(self.changes) > MOST_CHANGES:
            raise Incomparable("many changes")
        nq = len(self.q)
        self.begin_sliding()

        def rate(t, y):
            return np.concatenate([self.s.rate_of_q(y[nq:]), self.solve(t, y[:nq], y[nq:])[0]])
        start = np.concatenate([self.q, self.v])
        functions = []
        for kind, i, f in self.events():
            floor = f(self.t, start)

            def event(t, y, f=f):
                return f(t, y)
            event.terminal, event.direction, event.kind, event.contact, event.start = kind != "", -1.0, kind, i, floor
            functions.append(event)
        done = solve_ivp(rate, (self.t, until), start, "DOP853", events=functions, rtol=1e-11, atol=1e-12, dense_output=True, max_step=STEP)
        end = done.t[-1]
        for t in times:
            if self.t < t <= end + 1e-15:
                y = done.sol(t)
                self.rows.append((t, y[:nq], y[nq:]))
        fired = [f for f, at in zip(functions, done.t_events) if len(at)]
        passed = end - self.t
        self.t, self.q, self.v = float(end), done.y[:nq, -1].copy(), done.y[nq:, -1].copy()
        if done.status == 0:
            return
        if passed < 1e-7:
            raise Incomparable("changes too near to one another")
        end_kinds = {(f.kind, f.contact) for f in fired}
        for f in functions:  # at the same time to rounding
            if abs(f(self.t, done.y[:, -1])) < 1e-11 and f.kind == "lands":
                end_kinds.add((f.kind, f.contact))
        self.stop_slips([i for kind, i in end_kinds if kind == "sticks"])
        of = {kind: [i for k, i in end_kinds if k == kind] for kind in ("lands", "lifts", "slips", "sticks")}
        self.settle(of["lands"], of["lifts"], of["slips"])

    def stop_slips(self, which):
        for i in which:
            _, rows, u = self.s.look(self.s.contacts[i], self.q, self.t)
            closed = [j for j in range(len(self.s.contacts)) if self.mode[j] != FREE]
            every = [self.s.look(self.s.contacts[j], self.q, self.t)[1][:1] for j in closed if j != i]
            all_rows = np.vstack([rows] + every)
            change = np.zeros(len(all_rows))
            change[1:len(rows)] = -(rows[1:] @ self.v - u[1:])
            g = (all_rows / self.s.mass) @ all_rows.T
            self.v = self.v + (all_rows.T @ np.linalg.lstsq(g, change, rcond=1e-12)[0]) / self.s.mass
