"""The still picture behind a character: a room far out of focus. Drawn, not rendered."""

import numpy as np
from scipy.ndimage import gaussian_filter

from character import Character


def draw(character: Character, size: int):
    """RGB from 0 to 255."""
    light, dark, things = (np.array(colour) for colour in character.room)
    rng = np.random.default_rng(2)
    x, y = np.meshgrid((np.arange(size) + 0.5) / size, (np.arange(size) + 0.5) / size)
    picture = light + (dark - light) * np.clip(np.hypot(x - 0.40, 0.9 * (y - 0.35)) / 0.85, 0, 1)[..., None] ** 1.3

    def box(left, right, top, bottom, colour, amount, blur):
        mask = ((x > left) & (x < right) & (y > top) & (y < bottom)).astype(float)
        mask = gaussian_filter(mask, blur * size)[..., None] * amount
        return picture + (np.array(colour) - picture) * mask

    picture = box(0.02, 0.30, 0.06, 0.56, np.minimum(light * 1.22, 0.93), 0.75, 0.026)
    picture = box(0.155, 0.172, 0.06, 0.56, dark, 0.5, 0.014)
    picture = box(0.02, 0.30, 0.30, 0.315, dark, 0.5, 0.014)
    for top in (0.36, 0.62):
        picture = box(0.74, 1.1, top, top + 0.035, dark * 0.72, 0.6, 0.016)
    for i in range(6):
        tint = things * rng.uniform(0.75, 1.0) * (1, rng.uniform(0.88, 1.0), rng.uniform(0.78, 1.1))
        left = 0.77 + 0.04 * i
        picture = box(left, left + 0.03, 0.62 - rng.uniform(0.08, 0.14), 0.62, tint, 0.6, 0.013)
    picture = box(0.82, 0.90, 0.24, 0.36, (0.44, 0.52, 0.43), 0.55, 0.024)
    picture = gaussian_filter(picture, (0.008 * size, 0.008 * size, 0))
    # Noise of about one level keeps the soft ramps from showing as bands.
    return np.clip(picture * 255 + rng.normal(0, 0.9, (size, size, 1)) + rng.uniform(-0.5, 0.5, picture.shape), 0, 255)
