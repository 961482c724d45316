"""Beard and moustache: short hairs that move with the jaw. They are placed on the face at rest, so that every
pose has the same hairs."""

import numpy as np

from parts import mouth
from blender import add_curves
from character import Character
from fields import onto_surface, ramp, soft_abs, turn_x, unit
from parts.hair import STRANDS, material
from parts.head import head
from poses import REST, Pose

STEPS = 8
LENGTH = {'stubble': 0.016, 'full': 0.125}
COUNT = {'stubble': 0.45, 'full': 0.6}  # Relative to the strands of a head.
THICKNESS = {'stubble': 0.0013, 'full': 0.0026}


def density(c: Character, x, y, z):
    """Density of the beard at rest, 0 to 1."""
    side = soft_abs(x, 0.02)
    middle = mouth.height(c)
    # The cheek's line runs from the ear down to the moustache's outer end.
    line = np.interp(side, [0.0, 0.25, 0.36, 0.55, 0.68, 0.74], [-0.37, -0.40, -0.47, -0.43, -0.30, -0.14])
    below_line = ramp(line + 0.02, line - 0.05, y)
    in_front = ramp(0.06, 0.18, z)
    jaw_edge = ramp(-1.12 - c.face_length, -1.0 - c.face_length, y)
    # Bare skin beside the lower lip, and as wide as the lips around the mouth.
    bare = (
        ramp(0.07, 0.11, side)
        * ramp(0.25, 0.19, side)
        * ramp(middle - 0.15, middle - 0.11, y)
        * ramp(0.02, 0, y - middle)
    )
    edges = mouth.outline(c, REST, x)
    mouth_gap = np.maximum(y - edges.upper_skin, edges.lower_skin - y)
    mouth_gap = np.maximum(mouth_gap, side - mouth.half_width(c, REST))
    philtrum = ramp(0.012, 0.03, side) * 0.5 + 0.5
    return below_line * in_front * jaw_edge * (1 - 0.8 * bare) * ramp(0.004, 0.02, mouth_gap) * philtrum


def unposed(c: Character, pose: Pose, p):
    """Maps a point of the posed face to its place at rest."""
    share = _with_jaw(c, pose, p[1])
    return _turned(p, -mouth.jaw_angle(pose) * share)


def build(character: Character, pose: Pose, strands: int):
    c = character
    if not c.beard:
        return []
    rng = np.random.default_rng(c.seed + 21)
    roots = _roots(c, rng, int(COUNT[c.beard] * strands))
    count = len(roots)
    grown = LENGTH[c.beard] * rng.uniform(0.6, 1.1, count) * (0.45 + 0.55 * ramp(-0.35, -0.62, roots[:, 1]))
    wild = rng.normal(0, 0.28, (count, 3))
    curl = rng.uniform(0, 2 * np.pi, count)

    share = ramp(mouth.height(c) + 0.01, mouth.height(c) - 0.03, roots[:, 1])
    share = share + (1 - share) * 0.5 * ramp(0.30, 0.45, np.abs(roots[:, 0]))
    roots = np.stack(_turned(roots.T, mouth.jaw_angle(pose) * share), -1)
    roots = _off_lips(c, pose, roots)
    roots, normals = onto_surface(lambda p: head(c, pose, p), roots, 3)

    side = np.tanh(roots[:, 0] / 0.08)
    flow = np.stack([0.35 * side, np.full(count, -1.0), 0.15 + 0 * side], 1)
    # The moustache is parted in the middle.
    moustache = ramp(-0.50, -0.44, roots[:, 1]) * ramp(0.33, 0.27, np.abs(roots[:, 0]))
    flow = flow + np.stack([1.1 * side * moustache, 0.35 * moustache, 0 * side], 1)
    flow = unit(flow + wild - normals * (flow * normals).sum(1, keepdims=True))
    sideways = np.cross(normals, flow)
    hairs = np.empty((count, STEPS, 3), np.float32)
    for k, step in enumerate(np.linspace(0, 1, STEPS)):
        out = normals * (0.55 * step - 0.30 * step**2)
        wave = sideways * (0.14 * np.sin(curl + 7 * step) - 0.14 * np.sin(curl))[:, None]
        hairs[:, k] = roots + (flow * step * 0.9 + out + wave) * grown[:, None]
    thick = THICKNESS[c.beard] * (STRANDS / strands) ** 0.5 * np.clip(1.1 - np.linspace(0, 1, STEPS) ** 3, 0.15, 1)
    return [add_curves('beard', hairs, np.broadcast_to(thick, hairs.shape[:2]), material(c))]


def _roots(c: Character, rng, count):
    found, total = [], 0
    while total < count:
        points = np.array((0, -0.45, 0.05)) + 0.75 * unit(rng.normal(size=(count, 3)) * (1, 1, 1.2))
        points, _ = onto_surface(lambda p: head(c, REST, p), points, 4)
        away = np.abs(head(c, REST, points.T)) < 0.01
        points = points[away & (density(c, *points.T) > rng.random(count))]
        found.append(points)
        total += len(points)
    return np.concatenate(found)[:count]


def _off_lips(c: Character, pose: Pose, roots):
    """Opening lips push adjacent hair away."""
    x, y, z = roots.T
    edges = mouth.outline(c, pose, x)
    beside = np.abs(x) < mouth.half_width(c, pose)
    above = y > (edges.upper + edges.lower) / 2
    moved = np.where(above, np.maximum(y, edges.upper_skin + 0.01), np.minimum(y, edges.lower_skin - 0.01))
    return np.stack([x, np.where(beside, moved, y), z], -1)


def _with_jaw(c: Character, pose: Pose, y):
    middle = mouth.height(c) - 0.15 * pose.jaw
    return ramp(middle + 0.01, middle - 0.05, y)


def _turned(p, angle):
    return turn_x(tuple(p), mouth.JAW_HINGE, angle)
