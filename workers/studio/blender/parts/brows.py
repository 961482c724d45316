"""Eyebrows: short hairs that rise at the inner end and lie outward further on."""

import numpy as np

from blender import add_curves, principled
from character import Character
from fields import onto_surface
from parts.head import head
from poses import Pose

STEPS = 7


def build(character: Character, pose: Pose):
    c = character
    rng = np.random.default_rng(c.seed + 6)
    brown = np.array([0.22, 0.11, 0.05]) * (1 - c.melanin) ** 1.6 * 0.9 + (0.010, 0.007, 0.005)
    shade = brown + (np.array([0.30, 0.28, 0.26]) - brown) * 0.75 * c.grey
    material = principled('brow', tuple(shade), 0.55)
    objects = []
    for side in (-1, 1):
        roots, along, across = _roots(c, pose, side, rng)
        strands = _hairs(c, pose, rng, roots, along, across)
        strands[..., 0] *= side
        # Fine hairs at both ends: a brow with abrupt ends looks stuck on.
        thin = np.clip(0.45 + 2.6 * along, 0, 1) * np.clip(0.45 + 2.2 * (1 - along), 0, 1)
        radii = 0.0027 * thin[:, None] * (1 - 0.85 * np.linspace(0, 1, STEPS))
        objects.append(add_curves('brow', strands, radii, material))
    return objects


def _roots(c: Character, pose: Pose, side, rng):
    """Positions of the hairs: x and y, distance along the brow (0 at the inner end), and distance from its middle (-1 to 1)."""
    along = rng.beta(1.2, 1.25, c.brows)
    across = rng.normal(0, 0.5, c.brows).clip(-1.15, 1.15)
    arch = c.brow_arch * np.sin(np.pi * np.clip(0.78 * along + 0.06, 0, 1)) ** 1.2
    y = 0.375 + arch - 0.055 * np.clip(along - 0.62, 0, 1) / 0.38 - 0.012 * (1 - along) ** 2
    y = y + 0.085 * pose.brow * (1 - 0.35 * along)
    y = y + pose.worry * (0.075 * (1 - along) ** 1.5 - 0.02 * along) + pose.quirk * (0.075 if side > 0 else -0.012)
    thickness = 0.031 * (1 - 0.75 * along**1.4) * c.brow_thickness * np.clip(0.22 + 2.8 * along, 0, 1)
    return (
        np.stack([0.118 - 0.022 * pose.worry * (1 - along) + 0.46 * along, y + across * thickness], -1),
        along,
        across,
    )


def _hairs(c: Character, pose: Pose, rng, roots, along, across):
    angle = np.deg2rad(44 - 48 * np.clip(1.5 * along, 0, 1) - 14 * along) - 0.35 * across * np.clip(2 * along, 0, 1)
    length = (0.075 + 0.03 * rng.random(len(roots))) * (1 - 0.40 * along) * np.clip(0.55 + 2.5 * along, 0, 1)
    step = np.linspace(0, 1, STEPS)
    bent = angle[:, None] - 0.45 * step * (1 - along)[:, None]
    reach = length[:, None] * step
    strands = np.stack([roots[:, :1] + np.cos(bent) * reach, roots[:, 1:] + np.sin(bent) * reach, 0.85 + 0 * reach], -1)
    points, normals = onto_surface(lambda p: head(c, pose, p), strands.reshape(-1, 3), 4)
    raised = 0.003 + 0.008 * np.tile(np.sin(np.pi * step * 0.8), len(roots))
    return (points + normals * raised[:, None]).reshape(len(roots), STEPS, 3)
