"""The hairline."""

import numpy as np

from character import Character

# Height of the line over the angle around the head: 0 at the forehead, 180 at the nape.
ANGLES = np.deg2rad([0, 20, 38, 55, 68, 80, 95, 115, 140, 180])
HEIGHTS = {
    'bob': [0.745, 0.745, 0.69, 0.50, 0.22, 0.10, 0.20, -0.10, -0.42, -0.52],
    'long': [0.745, 0.745, 0.69, 0.50, 0.22, 0.10, 0.20, -0.10, -0.42, -0.52],
    'short': [0.745, 0.75, 0.715, 0.53, 0.22, 0.10, 0.20, -0.10, -0.42, -0.52],
    'swept': [0.745, 0.76, 0.735, 0.56, 0.24, 0.10, 0.20, -0.10, -0.42, -0.52],
    'curls': [0.745, 0.75, 0.715, 0.53, 0.22, 0.10, 0.20, -0.10, -0.42, -0.52],
    'bun': [0.745, 0.735, 0.67, 0.47, 0.24, 0.14, 0.22, -0.10, -0.42, -0.52],
    'bald': [0.745, 0.76, 0.735, 0.56, 0.24, 0.10, 0.20, -0.10, -0.42, -0.52],
}


def above_hairline(character: Character, x, y, z):
    """Height of a point above the line. The line is slightly wavy, like a real one."""
    angle = np.arctan2(np.sqrt(x * x + 1e-4), z + 0.10)
    lowered = character.hairline * np.clip(1 - angle / ANGLES[4], 0, 1) ** 0.5
    waver = 0.012 * np.sin(17 * angle + 3 * np.tanh(x / 0.05)) + 0.010 * np.sin(31 * angle)
    return y - np.interp(angle, ANGLES, HEIGHTS[character.hair]) - lowered - waver
