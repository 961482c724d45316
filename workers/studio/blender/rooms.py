"""Draws the backgrounds that ship with the software: python rooms.py FOLDER [NAME ...]

Each is a room out of focus, or a plain backdrop, as NAME.png. `npm run backgrounds` packs them.
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

from backdrop import Room

WIDTH, HEIGHT = 1440, 960
UNIT = HEIGHT  # Positions are shares of the height; x runs from 0 to 1.5.
OUT_OF_FOCUS = 0.011  # Of a lens that is focused on a person.


def draw(name: str):
    """RGB from 0 to 255."""
    x, y = np.meshgrid((np.arange(WIDTH) + 0.5) / UNIT, (np.arange(HEIGHT) + 0.5) / UNIT)
    room = Room(x, y, UNIT)
    SCENES[name](room, np.random.default_rng(5))
    picture = gaussian_filter(room.picture, (OUT_OF_FOCUS * UNIT, OUT_OF_FOCUS * UNIT, 0))
    away = np.hypot((x - 0.75) / 1.1, (y - 0.45) / 0.9)[..., None]
    picture *= 1 - 0.22 * np.clip(away - 0.25, 0, 1)
    return np.clip(picture * 255 + 0.5, 0, 255).astype(np.uint8)


def _wall(room, light, dark, lit_at=(0.4, 0.2), reach=1.0):
    away = np.hypot(room.x - lit_at[0], room.y - lit_at[1])[..., None]
    light, dark = np.array(light), np.array(dark)
    room.picture = light + (dark - light) * (1 - np.exp(-((away / reach) ** 1.4)))


def _floor(room, top, colour, shine):
    room.box(-0.2, 1.7, top, 1.2, colour, 0.92, 0.012)
    room.box(-0.2, 1.7, top, top + 0.10, shine, 0.25, 0.04)


def _window(room, left, right, top, bottom, sky=(0.93, 0.96, 1.0), panes=2, frame=(0.80, 0.80, 0.79)):
    room.disc((left + right) / 2, (top + bottom) / 2, right - left, bottom - top, sky, 0.35, 0.12)
    room.box(left - 0.012, right + 0.012, top - 0.012, bottom + 0.012, frame, 0.9, 0.006)
    room.box(left, right, top, bottom, sky, 0.95, 0.006)
    room.box(left, right, bottom - 0.4 * (bottom - top), bottom, (0.72, 0.82, 0.74), 0.45, 0.05)
    for pane in range(1, panes):
        at = left + (right - left) * pane / panes
        room.box(at - 0.007, at + 0.007, top, bottom, frame, 0.85, 0.005)


def _plant(room, rng, x, y, size, green=(0.27, 0.42, 0.27)):
    room.box(x - 0.22 * size, x + 0.22 * size, y, y + 0.55 * size, (0.80, 0.77, 0.72), 0.95, 0.008)
    for _ in range(26):
        leaf = np.array(green) * rng.uniform(0.7, 1.45)
        dx, dy = rng.normal(0, 0.34 * size), -abs(rng.normal(0.42, 0.30)) * size
        room.disc(x + dx, y + dy, rng.uniform(0.05, 0.10) * size, rng.uniform(0.10, 0.24) * size, leaf, 0.8, 0.006)


def _lamp(room, x, top, size, glow=(1.0, 0.86, 0.62)):
    room.disc(x, top + 0.5 * size, 2.6 * size, 2.6 * size, glow, 0.30, 0.12)
    room.box(x - 0.5 * size, x + 0.5 * size, top, top + size, (1.0, 0.93, 0.78), 0.97, 0.010)
    room.box(x - 0.03 * size, x + 0.03 * size, top + size, top + 3.0 * size, (0.25, 0.22, 0.20), 0.9, 0.004)


def _books(room, rng, left, right, bottom, height, hue=1.0):
    at = left
    while at < right:
        wide = rng.uniform(0.014, 0.034)
        tone = rng.uniform(0.22, 0.75) * np.array((1.0, rng.uniform(0.72, 0.98), rng.uniform(0.55, 1.0)))
        tall = height * rng.uniform(0.66, 0.95)
        if rng.random() > 0.08:
            room.box(at, min(right, at + wide - 0.003), bottom - tall, bottom, np.clip(tone * hue, 0, 1), 0.95, 0.004)
        at += wide


def _shelves(room, rng, left, right, tops, wood, height):
    room.box(left - 0.02, right + 0.02, tops[0] - height - 0.03, tops[-1] + 0.03, np.array(wood) * 0.55, 0.95, 0.008)
    for top in tops:
        _books(room, rng, left, right, top, height)
        room.box(left - 0.02, right + 0.02, top, top + 0.022, wood, 0.98, 0.004)
    for edge in (left - 0.03, (left + right) / 2 - 0.01, right + 0.01):
        room.box(edge, edge + 0.022, tops[0] - height - 0.04, tops[-1] + 0.03, wood, 0.95, 0.004)


def office(room, rng):
    _wall(room, (0.80, 0.82, 0.83), (0.56, 0.60, 0.64), (0.25, 0.3))
    for left in (-0.12, 0.20):
        _window(room, left, left + 0.29, 0.05, 0.62, panes=1)
    room.box(0.98, 1.55, 0.06, 0.86, (0.62, 0.68, 0.71), 0.75, 0.010)
    for at in (0.98, 1.26):
        room.box(at - 0.008, at + 0.008, 0.04, 0.90, (0.24, 0.26, 0.28), 0.9, 0.005)
    room.box(0.96, 1.55, 0.04, 0.058, (0.24, 0.26, 0.28), 0.9, 0.005)
    for x in (1.06, 1.20, 1.38):
        room.disc(x, 0.13, 0.030, 0.018, (1.0, 0.97, 0.90), 0.95, 0.010)
    _floor(room, 0.86, (0.44, 0.42, 0.40), (0.80, 0.82, 0.84))
    room.box(-0.1, 0.50, 0.70, 0.735, (0.66, 0.54, 0.42), 0.97, 0.006)
    room.box(0.08, 0.30, 0.55, 0.70, (0.16, 0.17, 0.19), 0.95, 0.006)
    _plant(room, rng, 0.62, 0.72, 0.24)
    _plant(room, rng, 1.44, 0.74, 0.22)


def studio(room, rng):
    _wall(room, (0.36, 0.38, 0.43), (0.13, 0.14, 0.18), (0.75, 0.42), 0.75)
    for i in range(7):
        left = 0.02 + 0.215 * i
        room.box(left, left + 0.19, 0.08, 0.80, (0.20, 0.21, 0.25), 0.55, 0.010)
        room.box(left + 0.016, left + 0.026, 0.10, 0.78, (0.38, 0.40, 0.46), 0.30, 0.010)
    room.disc(0.12, 0.20, 0.10, 0.09, (1.0, 0.84, 0.62), 0.95, 0.02)
    room.disc(0.12, 0.20, 0.42, 0.40, (0.95, 0.62, 0.38), 0.32, 0.10)
    room.disc(1.38, 0.22, 0.09, 0.08, (0.62, 0.78, 1.0), 0.95, 0.02)
    room.disc(1.38, 0.22, 0.40, 0.40, (0.34, 0.52, 0.92), 0.30, 0.10)
    _floor(room, 0.86, (0.12, 0.12, 0.14), (0.42, 0.44, 0.50))
    for x in (0.12, 1.38):
        room.box(x - 0.007, x + 0.007, 0.29, 0.98, (0.07, 0.07, 0.08), 0.95, 0.005)


def home(room, rng):
    _wall(room, (0.90, 0.84, 0.76), (0.64, 0.55, 0.47), (0.3, 0.25))
    _window(room, 0.04, 0.40, 0.08, 0.58)
    for left in (-0.04, 0.42):
        room.box(left, left + 0.075, 0.03, 0.86, (0.93, 0.90, 0.85), 0.75, 0.014)
    room.box(0.86, 1.06, 0.16, 0.40, (0.45, 0.36, 0.30), 0.95, 0.006)
    room.box(0.875, 1.045, 0.175, 0.385, (0.86, 0.80, 0.72), 0.95, 0.006)
    room.disc(0.95, 0.30, 0.05, 0.055, (0.76, 0.50, 0.38), 0.8, 0.012)
    _floor(room, 0.88, (0.55, 0.42, 0.31), (0.86, 0.72, 0.58))
    room.box(0.74, 1.60, 0.62, 0.92, (0.46, 0.55, 0.56), 0.96, 0.020)
    room.box(0.70, 1.60, 0.72, 0.94, (0.53, 0.62, 0.62), 0.96, 0.016)
    for x, tone in ((0.90, (0.84, 0.62, 0.45)), (1.12, (0.90, 0.86, 0.78)), (1.36, (0.80, 0.58, 0.44))):
        room.box(x, x + 0.15, 0.58, 0.73, tone, 0.95, 0.016)
    _lamp(room, 1.30, 0.22, 0.15)
    _plant(room, rng, 0.60, 0.72, 0.26)


def library(room, rng):
    _wall(room, (0.50, 0.38, 0.27), (0.22, 0.15, 0.10), (0.75, 0.25), 0.9)
    tops = (0.16, 0.37, 0.58, 0.79)
    _shelves(room, rng, -0.06, 0.46, tops, (0.46, 0.31, 0.20), 0.17)
    _shelves(room, rng, 1.04, 1.58, tops, (0.46, 0.31, 0.20), 0.17)
    _window(room, 0.60, 0.90, 0.06, 0.58, sky=(1.0, 0.93, 0.80), frame=(0.40, 0.28, 0.19))
    _floor(room, 0.88, (0.30, 0.20, 0.14), (0.62, 0.44, 0.28))
    room.disc(0.50, 0.36, 0.24, 0.26, (1.0, 0.80, 0.50), 0.22, 0.10)
    room.disc(1.00, 0.36, 0.24, 0.26, (1.0, 0.80, 0.50), 0.22, 0.10)


def plain_light(room, rng):
    _wall(room, (0.955, 0.95, 0.94), (0.74, 0.745, 0.76), (0.62, 0.30), 1.15)


def plain_dark(room, rng):
    _wall(room, (0.27, 0.29, 0.33), (0.065, 0.07, 0.085), (0.70, 0.36), 0.72)


SCENES = {
    'office': office,
    'studio': studio,
    'home': home,
    'library': library,
    'plain-light': plain_light,
    'plain-dark': plain_dark,
}


def main():
    arguments = argparse.ArgumentParser(description='Draws the backgrounds that ship with the software.')
    arguments.add_argument('folder', type=Path)
    arguments.add_argument('names', nargs='*', help=f'of {", ".join(SCENES)}; default: all')
    wanted = arguments.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for name in wanted.names or SCENES:
        Image.fromarray(draw(name)).save(wanted.folder / f'{name}.png')


if __name__ == '__main__':
    main()
