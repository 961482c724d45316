"""The still picture behind a character: a strongly blurred room. Drawn, not rendered."""

import numpy as np
from scipy.ndimage import gaussian_filter

from character import Character


# A room far beyond the stage, for wide frames of any shape: its edges in portraits.
LEFT, TOP, RIGHT, BOTTOM = -1.6, -0.75, 2.6, 2.0


def draw_room(character: Character, scale: int):
    """The whole room, in which a portrait is `scale` pixels high. RGB from 0 to 255."""
    across = np.arange(2 * round((RIGHT - LEFT) * scale / 2)) + 0.5
    down = np.arange(2 * round((BOTTOM - TOP) * scale / 2)) + 0.5
    # No grain: enlarged, it would cost more bits than the room.
    return _draw(character, LEFT + across / scale, TOP + down / scale, scale, grain=0)


def draw(character: Character, size: int):
    """The part behind a portrait. RGB from 0 to 255."""
    place = (np.arange(size) + 0.5) / size
    return _draw(character, place, place, size, grain=0.9)


def _draw(character: Character, across, down, size: int, grain: float):
    light, dark, things = (np.array(colour) for colour in character.room)
    rng = np.random.default_rng(2)
    x, y = np.meshgrid(across, down)
    room = Room(x, y, size)
    away = np.hypot(x - 0.40, 0.9 * (y - 0.35))[..., None]
    room.picture = light + (dark - light) * (1 - np.exp(-((away / 0.75) ** 1.3)))
    for furnish in SCENES[character.scene]:
        furnish(room, rng, light, dark, things)
    picture = gaussian_filter(room.picture, (0.008 * size, 0.008 * size, 0))
    # Noise of about one level prevents banding in the soft ramps.
    return np.clip(picture * 255 + rng.normal(0, grain, (*x.shape, 1)) + rng.uniform(-0.5, 0.5, picture.shape), 0, 255)


class Room:
    """A canvas for blurred shapes. Positions and blurs are shares of a portrait, of `size` pixels."""

    def __init__(self, x, y, size):
        self.x, self.y, self.size = x, y, size

    def box(self, left, right, top, bottom, colour, amount, blur):
        self._put((self.x > left) & (self.x < right) & (self.y > top) & (self.y < bottom), colour, amount, blur)

    def disc(self, x, y, wide, high, colour, amount, blur):
        self._put(np.hypot((self.x - x) / wide, (self.y - y) / high) < 1, colour, amount, blur)

    def _put(self, mask, colour, amount, blur):
        soft = gaussian_filter(mask.astype(float), blur * self.size)[..., None] * amount
        self.picture = self.picture + (np.array(colour) - self.picture) * soft


def _window(room, rng, light, dark, things):
    for left in (0.02, -0.44, -0.90, -1.36):
        room.box(left, left + 0.28, 0.06, 0.56, np.minimum(light * 1.22, 0.93), 0.75, 0.026)
        room.box(left + 0.135, left + 0.152, 0.06, 0.56, dark, 0.5, 0.014)
        room.box(left, left + 0.28, 0.30, 0.315, dark, 0.5, 0.014)


def _shelves(room, rng, light, dark, things):
    for top in (0.36, 0.62):
        room.box(0.74, 2.1, top, top + 0.035, dark * 0.72, 0.6, 0.016)
    for i in range(30):
        tint = things * rng.uniform(0.75, 1.0) * (1, rng.uniform(0.88, 1.0), rng.uniform(0.78, 1.1))
        left = 0.77 + 0.04 * i
        room.box(left, left + 0.03, 0.62 - rng.uniform(0.08, 0.14), 0.62, tint, 0.6, 0.013)
    room.box(0.82, 0.90, 0.24, 0.36, (0.44, 0.52, 0.43), 0.55, 0.024)


def _plant(room, rng, light, dark, things):
    green = np.array((0.36, 0.45, 0.34))
    for _ in range(9):
        x, y = 0.90 + rng.normal(0, 0.07), 0.46 + rng.normal(0, 0.09)
        room.disc(x, y, rng.uniform(0.02, 0.05), rng.uniform(0.05, 0.10), green * rng.uniform(0.85, 1.25), 0.35, 0.018)
    room.box(0.83, 0.97, 0.66, 0.86, things, 0.55, 0.022)


def _lamp(room, rng, light, dark, things):
    """A lampshade that lights the wall behind it."""
    room.disc(0.90, 0.30, 0.24, 0.26, np.minimum(things * 1.15, 0.95), 0.45, 0.07)
    room.box(0.83, 0.97, 0.24, 0.38, np.minimum(things * 1.25, 0.95), 0.65, 0.022)
    room.box(0.893, 0.907, 0.38, 0.80, dark * 0.7, 0.5, 0.012)


def _curtain(room, rng, light, dark, things):
    for i in range(-14, 5):
        room.box(0.015 + 0.06 * i, 0.045 + 0.06 * i, -0.8, 1.6, light * 1.12, 0.35, 0.02)


def _picture(room, rng, light, dark, things):
    room.box(0.72, 0.93, 0.14, 0.42, dark * 0.7, 0.5, 0.014)
    room.box(0.745, 0.905, 0.175, 0.385, np.minimum(light * 1.12, 0.93), 0.7, 0.012)
    room.disc(0.82, 0.30, 0.05, 0.06, things, 0.5, 0.016)


SCENES = {
    'study': (_window, _shelves),
    'garden room': (_window, _plant),
    'living room': (_curtain, _lamp),
    'gallery': (_curtain, _picture),
}
