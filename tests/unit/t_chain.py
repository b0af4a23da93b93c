#!/usr/bin/env python3
"""Long chains: accelerations, velocities and multipliers of a snake, against the multiplier equations put together and solved here in
doubles, link by link from the geometry; and how much longer the text of the equations gets."""
import json
import math
import os
import subprocess

from _checks import check, finish

HAMEL = os.environ["HAMEL"]
TOLERANCE = 1e-9  # of elimination in doubles, with 80 unknowns


def hamel(*arguments):
    return subprocess.run([HAMEL, *arguments], capture_output=True, text=True, check=True).stdout


def solve(a, b):
    """a x = b by elimination with partial pivoting"""
    n = len(b)
    a = [row[:] + [right] for row, right in zip(a, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[p] = a[p], a[i]
        for r in range(i + 1, n):
            f = a[r][i] / a[i][i]
            if f:
                a[r] = [x - f * y for x, y in zip(a[r], a[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (a[i][n] - sum(a[i][j] * x[j] for j in range(i + 1, n))) / a[i][i]
    return x


def snake(N, m=1.0, l=0.5, J=0.02):
    """q', q'' and lambda at the initial state of models/snake.ham"""
    theta = [0.3 * i - 0.1 * i * i for i in range(1, N + 1)]
    e = [(math.cos(t), math.sin(t)) for t in theta]
    n = [(-s, c) for c, s in e]
    size = N + 2
    slope = []  # of the centres: slope[i][axis][coordinate]
    for i in range(N):
        slope.append([[1.0 - axis, float(axis)] + [-l * n[j][axis] if j < i else -l / 2 * n[j][axis] if j == i else 0.0 for j in range(N)]
                      for axis in (0, 1)])
    blade = [[sum(n[i][axis] * slope[i][axis][c] for axis in (0, 1)) for c in range(size)] for i in range(N)]
    qd = [1.0, 0.2]
    for i in range(N):  # blade . q' = 0, one angle after the other
        qd.append(-sum(blade[i][c] * qd[c] for c in range(i + 2)) / blade[i][i + 2])
    matrix = [[0.0] * (size + N) for _ in range(size + N)]
    right = [0.0] * (size + N)
    for i in range(N):
        speed = [sum(slope[i][axis][c] * qd[c] for c in range(size)) for axis in (0, 1)]
        # centre'' = slope q'' + drift
        drift = [l * sum((0.5 if j == i else 1) * e[j][axis] * qd[j + 2] ** 2 for j in range(i + 1)) for axis in (0, 1)]
        for c in range(size):
            for d in range(size):
                matrix[c][d] += m * sum(slope[i][axis][c] * slope[i][axis][d] for axis in (0, 1))
            right[c] -= m * sum(slope[i][axis][c] * drift[axis] for axis in (0, 1))
            matrix[c][size + i] = -blade[i][c]
            matrix[size + i][c] = blade[i][c]
        matrix[i + 2][i + 2] += J
        # d/dt (n . centre') = 0, n' = -theta' e
        right[size + i] = sum(qd[i + 2] * e[i][axis] * speed[axis] - n[i][axis] * drift[axis] for axis in (0, 1))
    x = solve(matrix, right)
    return qd, x[:size], x[size:]


N = 40
velocities, accelerations, multipliers = snake(N)
names = ["x", "y"] + ["theta[%d]" % i for i in range(1, N + 1)]
for form in "maggi", "multipliers", "voronec":
    said = json.loads(hamel("eval", "snake", "--set", "N=%d" % N, "--form", form, "--json"))
    blades = ["blade[%d]" % i for i in range(1, N + 1)]
    for what, key, expected, keys in (("velocities", "qd", velocities, names), ("accelerations", "qdd", accelerations, names), ("multipliers", "lambda", multipliers, blades)):
        scale = max(map(abs, expected))
        wrong = [k for k, v in zip(keys, expected) if abs(float(said[key][k]) - v) > TOLERANCE * scale]
        check(not wrong, "%s of a snake of %d links by %s" % (what, N, form))

# A straight snake of mass 40 runs at speed 1 against a wall of 200 J that is 2 mm wide: it turns where the wall has 20 J, 3 mm before
# its middle, and is back at 2*5.01 - 10 after 10 s; one that does not see the wall would be at 10.
WALL = """
const N = 40
coord x, y, theta[1..N]
for i in 1..N {
  let tail[i] = (x - sum(j in 1..i, cos(theta[j]))/2, y - sum(j in 1..i, sin(theta[j]))/2, 0)
  body link[i]: mass 1 at tail[i] + (cos(theta[i]), sin(theta[i]), 0)/4 inertia (0, 0.02, 0.02) rotation rot(z, theta[i])
  constraint blade[i]: dot(vel(link[i]), (-sin(theta[i]), cos(theta[i]), 0)) = 0
}
independent x, y
potential 200*exp(-((x - 5.013)/0.002)^2)
initial x = 0, y = 0, x' = 1, y' = 0
"""
for method in "dop853", "taylor":
    run = subprocess.run([HAMEL, "simulate", "-", "--method", method, "--tol", "1e-9", "--until", "10", "--every", "10", "--json"], input=WALL, capture_output=True, text=True)
    check(run.returncode == 0 and abs(float(json.loads(run.stdout)["final"]["x"]) - 0.02) < 0.01, "a long chain does not run through a narrow wall by %s" % method)

PENDULUM = """
const N = 48
coord theta[1..N]
for i in 1..N {
  point P[i]: mass 1 at (sum(j in 1..i, sin(theta[j]))/10, -sum(j in 1..i, cos(theta[j]))/10, 0)
  initial theta[i] = 1 + 0.1*i - 0.002*i^2, theta[i]' = 1/i
}
gravity (0, -9.81, 0)
"""


def pendulum_rate(z):
    """(theta', theta'') of the pendulum of 48 masses, by its full matrix: masses below a joint times l^2 cos(theta_i - theta_j)"""
    n, l = len(z) // 2, 0.1
    q, w = z[:n], z[n:]
    below = [[n - max(i, j) for j in range(n)] for i in range(n)]
    matrix = [[below[i][j] * l * l * math.cos(q[i] - q[j]) for j in range(n)] for i in range(n)]
    right = [-sum(below[i][j] * l * l * math.sin(q[i] - q[j]) * w[j] ** 2 for j in range(n)) - 9.81 * l * below[i][i] * math.sin(q[i]) for i in range(n)]
    return w + solve(matrix, right)


z = [1 + 0.1 * i - 0.002 * i * i for i in range(1, 49)] + [1 / i for i in range(1, 49)]
h = 1 / 4096
for _ in range(8):  # Runge's classical method
    a = pendulum_rate(z)
    b = pendulum_rate([x + h / 2 * d for x, d in zip(z, a)])
    c = pendulum_rate([x + h / 2 * d for x, d in zip(z, b)])
    d = pendulum_rate([x + h * d for x, d in zip(z, c)])
    z = [x + h / 6 * (k + 2 * l + 2 * m + n) for x, k, l, m, n in zip(z, a, b, c, d)]
for method in "dop853", "taylor":
    run = subprocess.run([HAMEL, "simulate", "-", "--method", method, "--tol", "1e-10", "--exec", "interpreted", "--until", "0.001953125", "--every", "0.001953125", "--json"], input=PENDULUM, capture_output=True, text=True)
    final = json.loads(run.stdout)["final"]
    off = max(abs(float(final["theta[%d]'" % (i + 1)]) - z[48 + i]) for i in range(48))
    check(off < 1e-6 * max(map(abs, z[48:])), "a pendulum of 48 masses moves as its full matrix says, by %s" % method)

lengths = [len(hamel("derive", "snake", "--set", "N=%d" % n)) for n in (50, 100)]
check(lengths[1] < 2.3 * lengths[0], "the equations of a chain grow in length as the chain does")
check("2 degrees of freedom" in hamel("check", "snake", "--set", "N=200"), "a chain of 200 links has a regular mass matrix")
finish()
