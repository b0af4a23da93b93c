"""Four-bar linkages: a model of one, and the angles at which it closes."""
import math

TEXT = """param a = {a!r}, b = {b!r}, c = {c!r}, d = {d!r}
coord p, q, r
kinetic (p'^2 + q'^2 + r'^2)/2
constraint x: a*cos(p) + b*cos(q) - c*cos(r) = d
constraint y: a*sin(p) + b*sin(q) - c*sin(r) = 0
initial p = {p!r}, p' = 1
guess q = {q!r}, r = {r!r}
"""


def closed(a, b, c, d, p, side):
    """Angles q, r of coupler and rocker, the joint between them on one side of the diagonal from the crank's end to the other bearing."""
    x, y = d - a * math.cos(p), -a * math.sin(p)  # the diagonal, from the crank's end
    e = math.hypot(x, y)
    turn = side * math.acos((b**2 + e**2 - c**2) / (2 * b * e))
    q = math.atan2(y, x) + turn
    return q, math.atan2(a * math.sin(p) + b * math.sin(q), a * math.cos(p) + b * math.cos(q) - d)
