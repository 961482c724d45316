"""Glasses and earrings. Poses do not move them."""

import numpy as np

from blender import add_curves, add_mesh, principled
from character import Character
from parts.eyes import CENTRE
from parts.mouth import unit_sphere

# Half axes of a lens, and the exponent of its outline: 2 is an ellipse.
SHAPES = {'round': ((0.285, 0.262), 2.3), 'square': ((0.300, 0.225), 4.0)}
RIM, TEMPLE = 0.021, 0.017


def build(character: Character):
    if character.glasses:
        _glasses(character)
    if character.earrings:
        _earrings()


def _glasses(c: Character):
    material = principled('glasses', c.glasses_colour, 0.25, **{'Coat Weight': 0.6, 'Coat Roughness': 0.1})
    (wide, high), squareness = SHAPES[c.glasses]
    # A little more than a full turn, so that the ends overlap.
    angle = np.linspace(0, 2 * np.pi * 1.02, 160)
    x = np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** (2 / squareness) * wide + CENTRE[0]
    y = np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** (2 / squareness) * high - 0.015
    rim = _bent(x, y)
    hinge = (CENTRE[0] + wide, 0.09)
    temple = np.linspace(_bent(*map(np.array, hinge)), (0.93, 0.13, -0.12), 24)
    across = np.linspace(-1, 1, 24)
    bridge = _bent(across * (CENTRE[0] - wide + 0.006), 0.075 - 0.03 * across**2)
    _tube(bridge, RIM * 0.9, material)
    for side in (-1, 1):
        _tube(rim * (side, 1, 1), RIM, material)
        _tube(temple * (side, 1, 1), TEMPLE, material)


def _bent(x, y):
    """Bends a frame around the face: its sides lie further back."""
    return np.stack(np.broadcast_arrays(x, y, 1.02 - 0.34 * x * x + 0.06 * y), -1)


def _tube(line, radius, material):
    add_curves('frame', line[None], np.full((1, len(line)), radius), material)


def _earrings():
    pearl = principled('pearl', (0.85, 0.80, 0.74), 0.15, **{'Coat Weight': 0.8, 'Subsurface Weight': 0.3})
    ball, faces = unit_sphere(40, 28)
    for side in (-1, 1):
        add_mesh('earring', ball * 0.042 + (side * 0.845, -0.285, 0.02), faces, pearl)
