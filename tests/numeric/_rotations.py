"""Rotations of quaternions, by NumPy."""
import numpy


def vector(v):
    return "(" + ", ".join(repr(float(x)) for x in v) + ")"


def matrix(q):
    """The rotation of a quaternion, by the formula of Euler and Rodrigues."""
    a, b, c, d = numpy.array(q) / numpy.linalg.norm(q)
    return numpy.array([[a*a + b*b - c*c - d*d, 2*(b*c - a*d), 2*(b*d + a*c)],
                        [2*(b*c + a*d), a*a - b*b + c*c - d*d, 2*(c*d - a*b)],
                        [2*(b*d - a*c), 2*(c*d + a*b), a*a - b*b - c*c + d*d]])


def unit(v):
    return numpy.array(v) / numpy.linalg.norm(v)


def omega(q, dq):
    """2 q' q* of a unit quaternion: angular velocity in space."""
    a, u, da, du = q[0], numpy.array(q[1:]), dq[0], numpy.array(dq[1:])
    return 2 * (a * du - da * u + numpy.cross(u, du))
