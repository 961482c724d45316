"""Two hands at rest before the belly, the right one over the left one."""

import numpy as np

from blender import add_mesh, principled
from character import Character
from fields import capsule, ellipsoid, join, mesh

LOW, HIGH = (-0.62, -4.5, 0.35), (0.62, -3.6, 1.25)
CELL = 0.012

# Knuckles and tips of the fingers of the hand on top, from the index finger on.
FINGERS = [
    ((0.07, -3.90, 0.925), (0.20, -3.925, 0.945), (0.335, -3.985, 0.86)),
    ((0.085, -3.985, 0.94), (0.225, -4.02, 0.955), (0.36, -4.085, 0.86)),
    ((0.075, -4.07, 0.935), (0.205, -4.115, 0.94), (0.325, -4.18, 0.85)),
    ((0.05, -4.145, 0.915), (0.16, -4.195, 0.915), (0.26, -4.25, 0.835)),
]
RADII = (0.062, 0.064, 0.060, 0.053)


def build(character: Character):
    colour = np.array(character.skin) * (1.0, 0.93, 0.90)
    skin = principled('hands', colour, 0.5, **{'Subsurface Weight': 0.8, 'Subsurface Scale': 0.06})
    vertices, faces, normals = mesh(_hands, LOW, HIGH, CELL)
    return add_mesh('hands', vertices, faces, skin, normals)


def _hands(p):
    return join(_upper(p), _lower(p), 0.02)


def _upper(p):
    """From the picture's left."""
    d = capsule(p, (-0.44, -4.02, 0.60), (-0.20, -4.00, 0.80), 0.15, 0.14)
    d = join(d, ellipsoid(p, (-0.08, -4.01, 0.86), (0.22, 0.165, 0.095)), 0.10)
    for (knuckle, middle, tip), radius in zip(FINGERS, RADII):
        finger = join(capsule(p, knuckle, middle, radius, radius * 0.97), capsule(p, middle, tip, radius * 0.97, radius * 0.84), 0.03)
        d = join(d, finger, 0.035)
    thumb = join(
        capsule(p, (-0.17, -3.90, 0.90), (-0.03, -3.805, 0.95), 0.078, 0.066),
        capsule(p, (-0.03, -3.805, 0.95), (0.10, -3.80, 0.935), 0.066, 0.056),
        0.03,
    )
    return join(d, thumb, 0.05)


def _lower(p):
    """From the picture's right; most of it is behind the other."""
    d = capsule(p, (0.44, -4.02, 0.60), (0.22, -4.03, 0.72), 0.15, 0.14)
    d = join(d, ellipsoid(p, (0.10, -4.06, 0.76), (0.24, 0.19, 0.10)), 0.10)
    thumb = capsule(p, (0.16, -3.88, 0.80), (0.0, -3.87, 0.86), 0.07, 0.055)
    return join(d, thumb, 0.05)
