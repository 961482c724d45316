"""Lids, eyeballs and lashes. Angles are measured at the centre of the ball: azimuth outward, elevation up, in radians."""

from dataclasses import dataclass

import numpy as np

from blender import Nodes, add_curves, add_mesh, image, principled
from character import Character
from fields import bump, carve, ellipsoid, join, ramp, soft_abs, turn_y
from parts.mouth import unit_sphere
from poses import Pose

CENTRE = np.array([0.368, 0.02, 0.515])
TOE_OUT = 0.13
INNER, OUTER = -0.80, 0.89  # Azimuth of the corners.
IRIS = 0.59  # Radius of the iris relative to the ball's.


@dataclass(frozen=True)
class Lids:
    """Elevations of the lid edges at the given azimuths."""

    upper: np.ndarray
    lower: np.ndarray
    # From -1 at the inner corner to 1 at the outer, not clamped.
    across: np.ndarray


def radius(character: Character) -> float:
    return 0.272 * character.eye_size


def lids(character: Character, pose: Pose, azimuth) -> Lids:
    across = (azimuth - (INNER + OUTER) / 2) / ((OUTER - INNER) / 2)
    t = np.clip(across, -1, 1)
    tilt = -0.02 + 0.065 * t
    upper = 0.47 * character.eye_open * np.maximum(1 - np.abs(t + 0.05 * (1 - t * t)) ** 2.2, 0) ** 0.72
    upper = upper + (0.09 * pose.brow - 0.07 * pose.squint) * (1 - t * t)
    # With age the lid's skin rests on its outer half.
    upper = upper - 0.07 * character.age * ramp(0.0, 0.7, t) * (1 - t * t)
    lower = -0.47 * np.maximum(1 - np.abs(t - 0.12 * (1 - t * t)) ** 2.2, 0) ** 0.85
    lower = lower * (1 - 0.12 * pose.smile - 0.30 * pose.squint)
    # Eyes close downward: both edges meet low on the ball.
    shut = 0.62 * lower
    upper = upper + (shut - upper) * pose.blink
    lower = lower + (shut - lower) * pose.blink
    return Lids(tilt + upper, tilt + lower, across)


def crease(pose: Pose, across):
    """Elevation of the fold above the upper lid."""
    t = np.clip(across, -1, 1)
    arc = np.maximum(1 - np.abs(t) ** 2.3, 0) ** 0.72
    return -0.02 + 0.085 * t + 0.575 * arc + 0.13 + 0.05 * pose.brow


def local(p):
    """A point of the head in coordinates of the ball on its side."""
    return turn_y((soft_abs(p[0], 0.04) - CENTRE[0], p[1] - CENTRE[1], p[2] - CENTRE[2]), -TOE_OUT)


def polar(p):
    """Radius, azimuth and elevation of a local point. The azimuth is valid only in front of the ball."""
    x, y, z = p
    r = np.sqrt(x * x + y * y + z * z) + 1e-6
    return r, np.arctan2(x, np.maximum(z, 1e-3)), np.arcsin(np.clip(y / r, -1, 1))


def _sunk(pose: Pose) -> float:
    """Shrinks the ball of a closed eye, otherwise it shines through the lid as a pale arc."""
    return 1 - 0.10 * pose.blink**4


def add_lids(character: Character, pose: Pose, p, face):
    """The face's field with sockets, lids and their opening."""
    e = local(p)
    ball = radius(character)
    r, azimuth, elevation = polar(e)
    edges = lids(character, pose, azimuth)
    face = carve(face, ellipsoid(e, (0.02, 0.02, ball * 1.02), (ball * 1.10, ball * 0.84, ball * 0.34)), 0.18)

    lid = r - (ball + 0.042 - 0.03 * ramp(-1.0, -1.5, edges.across))
    fold = bump(elevation - crease(pose, edges.across), 0.060)
    # Ends well before the outer corner: there the key light shows its lower edge as a pale arc.
    fold = fold * ramp(0, 0.03, e[2]) * ramp(1.0, 0.45, np.abs(edges.across))
    face = join(face, lid + 0.012 * (1 - 0.5 * pose.blink) * fold, 0.15)

    gap = np.maximum(elevation - edges.upper, edges.lower - elevation) * ball + 0.004
    beyond = np.maximum(np.abs(edges.across) - 1, 0) * ball * 0.9
    gap = np.where(beyond > 0, np.hypot(np.maximum(gap, 0), beyond) + 0.004, gap)
    gap = np.maximum(gap, 0.02 - e[2])
    gap = -join(-gap, -(r - (ball + 0.085)), 0.03)
    face = carve(face, gap, 0.020)
    return np.maximum(face, ball * _sunk(pose) - 0.004 - r)


def build_balls(character: Character, pose: Pose):
    """Both eyeballs: a white with a concave iris, under a clear cornea."""
    white, cornea = _white(character), _cornea()
    ball, faces = unit_sphere(96, 96)
    off_axis = np.hypot(ball[:, 0], ball[:, 1])
    in_front = ball[:, 2] > 0

    inner = ball.copy()
    dish = in_front & (off_axis < IRIS)
    inner[dish, 2] = np.sqrt(1 - IRIS**2) - 0.02 - 0.07 * (1 - (off_axis[dish] / IRIS) ** 2)
    outer = ball * 1.004
    bulge = 0.055 * np.clip(1 - (off_axis / (IRIS * 1.12)) ** 2, 0, 1) ** 1.5
    outer[:, 2] += np.where(in_front, bulge, 0)

    size = 0.985 * radius(character) * _sunk(pose)
    objects = []
    for side in (-1, 1):
        # Eyes that look exactly straight ahead seem to look past the viewer.
        yaw = 0.42 * pose.gaze + 0.03 * side
        s, c = np.sin(yaw), np.cos(yaw)
        turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        centre = CENTRE * (side, 1, 1)
        objects.append(add_mesh('eye', inner @ turn.T * size + centre, faces, white, uv=ball[:, :2] / 2 + 0.5))
        objects.append(add_mesh('cornea', outer @ turn.T * size + centre, faces, cornea))
    return objects


def build_lashes(character: Character, pose: Pose):
    hair = principled('lash', (0.012, 0.008, 0.006), 0.45)
    rng = np.random.default_rng(character.seed + 5)
    objects = []
    for side in (-1, 1):
        for row in (_upper_lashes, _lower_lashes):
            strands, thick = row(character, pose, rng)
            strands[..., 0] *= side
            objects.append(add_curves('lash', strands, thick, hair))
    return objects


def _upper_lashes(character: Character, pose: Pose, rng):
    count, steps = character.lashes, np.linspace(0, 1, 7)[None]
    azimuth = (np.linspace(INNER + 0.10, OUTER - 0.01, count) + rng.normal(0, 0.008, count))[:, None]
    outward = np.clip((azimuth - INNER - 0.10) / (OUTER - INNER - 0.11), 0, 1)
    length = (0.036 + 0.040 * outward**1.3) * character.lash_length * rng.uniform(0.8, 1.1, (count, 1))
    # Lashes of an open eye curl up. Those of a closed eye lie on the cheek.
    curl = (0.75 * (1 - pose.blink) - 0.05 * pose.blink) * steps**2 - 0.25 * steps
    elevation = lids(character, pose, azimuth).upper - 0.02 + 4.2 * curl * length
    azimuth = azimuth + (0.16 + 0.40 * outward) * steps * length * 6
    thick = 0.0036 * (1 - 0.85 * steps**1.3) * np.ones((count, 1))
    return _from_ball(character, azimuth, elevation, length * (steps - 0.15 * steps**2) * 1.15), thick


def _lower_lashes(character: Character, pose: Pose, rng):
    count, steps = 46, np.linspace(0, 1, 7)[None]
    azimuth = (np.linspace(-0.3, 0.85, count) + rng.normal(0, 0.008, count))[:, None]
    outward = np.clip((azimuth + 0.8) / 1.77, 0, 1)
    length = 0.013 * character.lash_length * rng.uniform(0.8, 1.1, (count, 1))
    elevation = lids(character, pose, azimuth).lower - (0.25 * steps + 0.1 * steps**2) * length * 10
    azimuth = azimuth + (0.16 + 0.40 * outward) * steps * length * 6
    thick = 0.0016 * (1 - 0.85 * steps**1.3) * np.ones((count, 1))
    return _from_ball(character, azimuth, elevation, length * (steps - 0.15 * steps**2) * 1.15), thick


def _from_ball(character: Character, azimuth, elevation, out):
    r = radius(character) + 0.032 + out
    azimuth, elevation = np.broadcast_arrays(azimuth, elevation)
    p = (r * np.cos(elevation) * np.sin(azimuth), r * np.sin(elevation), r * np.cos(elevation) * np.cos(azimuth))
    return np.stack(turn_y(p, TOE_OUT), -1) + CENTRE


def _white(character: Character):
    t = Nodes('eye')
    place = t.add('ShaderNodeUVMap')
    picture = t.add('ShaderNodeTexImage', {'Vector': (place, 0)}, image=image('iris', _picture(character)))
    surface = {'Base Color': (picture, 0), 'Roughness': 0.35, 'Specular IOR Level': 0.2}
    surface |= {'Subsurface Weight': 0.25, 'Subsurface Scale': 0.03}
    return t.finish(t.add('ShaderNodeBsdfPrincipled', surface))


def _cornea():
    """Fresnel reflection, otherwise transparent. Shadow rays pass, so that the iris is lit."""
    t = Nodes('cornea')
    clear = t.add('ShaderNodeBsdfTransparent')
    gloss = t.add('ShaderNodeBsdfGlossy', {'Roughness': 0.03})
    fresnel = t.add('ShaderNodeFresnel', {'IOR': 1.40})
    surface = t.add('ShaderNodeMixShader', {0: (fresnel, 0), 1: (clear, 0), 2: (gloss, 0)})
    ray = t.add('ShaderNodeLightPath')
    return t.finish(t.add('ShaderNodeMixShader', {0: (ray, 'Is Shadow Ray'), 1: (surface, 0), 2: (clear, 0)}))


def _picture(character: Character, size: int = 768):
    """The eyeball from the front as linear RGB, rows from the bottom."""
    rng = np.random.default_rng(3)
    g = (np.arange(size) + 0.5) / size * 2 - 1
    x, y = np.meshgrid(g, g)
    r, around = np.hypot(x, y), np.arctan2(y, x)
    white = np.array([0.95, 0.94, 0.925])
    picture = white + (np.array([0.80, 0.55, 0.50]) - white) * 0.35 * ramp(0.55, 1.0, r)[..., None]

    fibres = np.zeros_like(r)
    for k, frequency in enumerate([9, 17, 31, 47, 71, 103], 1):
        phase = rng.uniform(0, 2 * np.pi, 2)
        fibres += np.sin(frequency * around + phase[0] + 3 * np.sin(r * 9 + phase[1])) / k**0.5
    within = np.clip(r / IRIS, 0, 1)
    iris = np.array(character.iris) * ((0.42 + 0.95 * ramp(0.95, 0.40, within)) * (1 + 0.063 * fibres))[..., None]
    # Light that a real cornea gathers at the bottom of the iris.
    glow = (bump(y + 0.22, 0.20) * ramp(0.98, 0.6, within) * ramp(0.3, 0.5, within))[..., None]
    iris = iris * (1 + 1.25 * glow) + np.array([0.05, 0.045, 0.02]) * glow
    amber = bump(within - 0.54, 0.09)[..., None] * 0.35
    iris = iris * (1 - amber) + np.array([0.30, 0.17, 0.06]) * amber
    iris = iris * (1 - 0.92 * ramp(0.76, 0.98, within)[..., None])
    pupil = ramp(0.49, 0.45, within)[..., None]
    iris = iris * (1 - pupil) + 0.004 * pupil
    iris = iris * (1 - 0.45 * ramp(-0.1, 0.4, y)[..., None])  # The lid's shadow.

    edge = ramp(IRIS + 0.012, IRIS - 0.012, r)[..., None]
    return np.clip(picture * (1 - edge) + iris * edge, 0, 1)
