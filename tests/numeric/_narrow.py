"""Random models with narrow features in their forces, and their motion by a loop that shares no code with the program."""
import math


def gaussian(u):
    return math.exp(-u * u) if abs(u) < 25 else 0.0


def gaussian_slope(u):
    return -2 * u * gaussian(u)


def lorentz(u):
    return 1 / (1 + u * u)


def lorentz_slope(u):
    return -2 * u / (1 + u * u) ** 2


def sech2(u):
    return 1 / math.cosh(u) ** 2 if abs(u) < 300 else 0.0


def sech2_slope(u):
    return -2 * math.tanh(u) * sech2(u)


def wall(u):
    return math.tanh(u)


def arctan(u):
    return math.atan(u)


def arctan_slope(u):
    return 1 / (1 + u * u)


# name: the expression in u, the function, its slope, how far in widths it reaches
SHAPES = {
    "gaussian": ("exp(-({u})^2)", gaussian, gaussian_slope, 7),
    "lorentz": ("1/(1 + ({u})^2)", lorentz, lorentz_slope, 400),
    "sech2": ("(1 - tanh({u})^2)", sech2, sech2_slope, 20),
    "step": ("tanh({u})", wall, sech2, 20),
    "arctan": ("atan({u})", arctan, arctan_slope, 400),
}
LENGTH = 10.0  # of the run: its way in the state, and its time


class Feature:
    """size * shape((along - place)/width) as a potential of x, or as a force in time"""

    def __init__(self, draw, in_time):
        self.in_time = in_time
        self.shape = draw.choice(sorted(SHAPES))
        self.place = draw.uniform(0.15, 0.85) * LENGTH
        self.width = LENGTH * 10 ** draw.uniform(-3, -1.3)
        # a force of size/width over the width: the speed changes by less than half of itself
        self.size = draw.choice((-1, 1)) * draw.uniform(0.02, 0.12)
        if in_time:
            self.size *= 0.3 / self.width
            if self.shape in ("step", "arctan"):
                self.shape = "gaussian"

    def words(self):
        u = f"({'t' if self.in_time else 'x'} - {self.place!r})/{self.width!r}"
        return f"({self.size!r})*" + SHAPES[self.shape][0].format(u=u)

    def force(self, along):
        u = (along - self.place) / self.width
        if self.in_time:
            return self.size * SHAPES[self.shape][1](u)
        return -self.size / self.width * SHAPES[self.shape][2](u)


class Model:
    """x with a unit mass among features; y and z beside it, oscillators pulled by it, or tied to it by a constraint"""

    def __init__(self, draw):
        self.features = [Feature(draw, draw.random() < 0.35) for _ in range(draw.choice((1, 1, 2)))]
        self.kind = draw.choice(("alone", "beside", "knife"))
        self.speed = draw.uniform(0.9, 1.1)
        self.omega = draw.uniform(0.5, 2)

    def text(self):
        forces = [f.words() for f in self.features if f.in_time]
        potentials = [f.words() for f in self.features if not f.in_time]
        lines = ["system narrow"]
        if self.kind == "alone":
            lines += ["coord x", "kinetic x'^2/2"]
        elif self.kind == "beside":
            lines += ["coord x, y, z", "kinetic (x'^2 + y'^2 + z'^2)/2"]
            potentials.append(f"({self.omega!r})^2*y^2/2 + z^2/2")
            forces = forces or ["0"]
        else:  # y' = x' tied: the mass along x is 2
            lines += ["coord x, y", "kinetic (x'^2 + y'^2)/2", "constraint tie: y' = x'"]
        if potentials:
            lines.append("potential " + " + ".join(potentials))
        if forces and forces != ["0"]:
            lines.append("force x = " + " + ".join(forces))
        start = f"initial x = 0, x' = {self.speed!r}"
        if self.kind == "beside":
            start += ", y = 0.3, z' = 0.2"
        lines.append(start)
        return "\n".join(lines) + "\n"

    def acceleration(self, t, x):
        total = sum(f.force(t if f.in_time else x) for f in self.features)
        return total / 2 if self.kind == "knife" else total

    def reference(self, until, steps_in_a_width=24):
        """x and x' at the end by Runge's classical method, steps as short as the narrowest feature nearby asks for."""
        t, x, v = 0.0, 0.0, self.speed
        a = self.acceleration
        while t < until:
            h = until / 4000
            for f in self.features:
                away = abs((t if f.in_time else x) - f.place) / f.width
                reach = min(SHAPES[f.shape][3], 12)
                scale = f.width * max(1, away - reach) if away > reach else f.width * max(1, away / 4)
                h = min(h, scale / steps_in_a_width / max(1, abs(v)))
            h = min(h, until - t)
            k1, l1 = v, a(t, x)
            k2, l2 = v + h / 2 * l1, a(t + h / 2, x + h / 2 * k1)
            k3, l3 = v + h / 2 * l2, a(t + h / 2, x + h / 2 * k2)
            k4, l4 = v + h * l3, a(t + h, x + h * k3)
            x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
            t += h
            if until - t < 1e-13:
                break
        return x, v
