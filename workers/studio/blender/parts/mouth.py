"""The mouth: its outline in front view, the lips, the cavity, the teeth and the tongue."""

from dataclasses import dataclass

import numpy as np

from blender import add_mesh, principled
from character import Character
from fields import bump, carve, ellipsoid, ramp, soft_abs, turn_x
from poses import Pose

JAW_HINGE = (0, -0.05, -0.10)
FULL_JAW_ANGLE = 0.30  # In radians.


@dataclass(frozen=True)
class Outline:
    """Heights of the four lip edges over x, from the skin above to the skin below."""

    upper_skin: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    lower_skin: np.ndarray
    # 1 in the middle of the mouth, 0 at its corners and beyond.
    fullness: np.ndarray


def jaw_angle(pose: Pose) -> float:
    return FULL_JAW_ANGLE * pose.jaw


def height(character: Character) -> float:
    return -0.515 - character.face_length / 2


def half_width(character: Character, pose: Pose) -> float:
    smile = 0.12 * pose.smile * (1 - pose.pucker)
    return 0.255 * character.mouth_width * (1 + smile + 0.17 * pose.spread - 0.42 * pose.pucker - 0.07 * pose.jaw)


def outline(character: Character, pose: Pose, x) -> Outline:
    width = half_width(character, pose)
    across = np.clip(x / width, -1, 1)
    fullness = 1 - across * across

    # The closed seam: the smile lifts its corners; a small dip lies under the cupid's bow and a swelling beside it.
    lift = 0.11 * pose.smile * (1 - 0.8 * pose.pucker) + 0.010 * pose.spread - 0.008
    closed = (1 - pose.jaw) * (1 - pose.pucker)
    side = soft_abs(x, 0.01)
    seam = height(character) + lift * np.abs(across) ** 2.2
    seam = seam + closed * (0.005 * bump(side - 0.12, 0.06) - 0.008 * bump(x, 0.07))

    arch = np.maximum(fullness, 1e-5) ** (0.66 - 0.16 * pose.pucker - 0.16 * pose.jaw)
    raised = 0.060 * pose.jaw + 0.036 * pose.spread + 0.016 * pose.pucker + 0.052 * pose.bite
    dropped = 0.295 * pose.jaw + 0.028 * pose.spread + 0.038 * pose.pucker - 0.022 * pose.bite
    upper = seam + raised * arch
    lower = seam - dropped * arch

    thin = (1 - 0.40 * pose.press) * (1 - 0.12 * pose.spread) * (1 + 0.10 * pose.pucker)
    body = np.maximum(fullness, 1e-5) ** 0.74 * thin * character.lip_fullness
    bow = 1 + 0.16 * bump(side - 0.062, 0.045) - 0.14 * bump(x, 0.03)
    return Outline(
        upper_skin=upper + 0.064 * (1 - 0.1 * pose.bite) * body * bow,
        upper=upper,
        lower=lower,
        lower_skin=lower - 0.084 * (1 - 0.25 * pose.bite) * body,
        fullness=fullness,
    )


def add_lips(character: Character, pose: Pose, p, face):
    """The face's field with lips added and the mouth carved out."""
    x, y, z = p
    edges = outline(character, pose, x)
    width = half_width(character, pose)
    middle = height(character)
    side = soft_abs(x, 0.02)
    front = ramp(0.35, 0.55, z)

    # Lips swell between their inner edge and the skin, and taper into the corners.
    in_upper = np.clip((y - edges.upper) / np.maximum(edges.upper_skin - edges.upper, 1e-3), 0, 1)
    in_lower = np.clip((edges.lower - y) / np.maximum(edges.lower - edges.lower_skin, 1e-3), 0, 1)
    upper_swell = np.maximum(1 - in_upper**2.2, 0) ** 0.9
    lower_swell = 1.12 * np.maximum(1 - in_lower**2.0, 0) ** 0.8 * (1 - 0.35 * pose.bite)
    is_upper = ramp(-0.004, 0.004, y - (edges.upper + edges.lower) / 2)
    swell = is_upper * upper_swell + (1 - is_upper) * lower_swell
    swell = swell * np.sqrt(np.maximum(edges.fullness, 0)) * (1 + 0.9 * pose.pucker)
    face = face - 0.036 * character.lip_fullness**0.5 * (1 - 0.45 * pose.press) * swell * front

    # A bite draws the lower lip in under the teeth.
    tuck = ramp(0.02, -0.05, y - edges.lower) * ramp(-0.2, -0.05, y - edges.lower) * np.maximum(edges.fullness, 0)
    face = face + 0.020 * pose.bite * front * tuck

    corner = bump(np.hypot(side - width - 0.01, y - middle - 0.11 * pose.smile), 0.055)
    face = face + (0.003 + 0.006 * pose.smile) * front * corner
    face = face + 0.010 * front * bump(y - edges.lower_skin + 0.045, 0.045) * bump(x, 0.13)
    fold = 0.17 + 0.55 * np.clip(-0.27 - y, 0, 0.4)
    fold = bump(side - fold, 0.04) * ramp(-0.25, -0.36, y) * ramp(-0.66, -0.50, y)
    face = face + (0.007 * pose.smile + 0.004 * pose.spread) * front * fold

    cavity = ellipsoid(p, (0, middle - 0.10 * pose.jaw, 0.36), (0.27, 0.11 + 0.19 * pose.jaw, 0.38))
    face = carve(face, cavity, 0.02)
    slit = np.maximum(y - edges.upper, edges.lower - y)
    slit = np.where(edges.fullness <= 0, np.hypot(np.maximum(slit, 0), np.maximum(side - width, 0)), slit)
    # The small offset keeps closed lips closed, more so at the corners.
    slit = slit + 0.0035 + 0.012 * ramp(0.80, 1.0, side / width)
    return carve(face, np.maximum(slit, 0.42 - z), 0.055)


def inside(character: Character, p, face):
    """1 where a point of the skin lies inside the mouth. `face` is the field before the mouth was carved."""
    x, y, z = p
    middle = height(character)
    deep = ramp(-0.035, -0.085, face) * ramp(0.2, 0.3, z) * ramp(0.33, 0.28, soft_abs(x, 0.01))
    return deep * ramp(middle + 0.27, middle + 0.23, y) * ramp(middle - 0.62, middle - 0.58, y)


def build_inner(character: Character, pose: Pose):
    """Teeth, gums and tongue as objects."""
    middle = height(character)
    enamel = {'Subsurface Weight': 0.35, 'Subsurface Scale': 0.03, 'Coat Weight': 0.2}
    tooth = principled('tooth', (0.90, 0.86, 0.78), 0.22, **enamel)
    gum = principled('gum', (0.50, 0.13, 0.13), 0.30, **{'Subsurface Weight': 0.5, 'Subsurface Scale': 0.04})
    flesh = principled('tongue', (0.78, 0.26, 0.25), 0.34, **{'Subsurface Weight': 0.8, 'Subsurface Scale': 0.06})

    # For `f` the upper teeth come forward and down on to the lower lip, otherwise the lip's shadow hides them.
    forward, down = 0.035 * pose.bite, 0.012 * pose.bite
    widths, lengths = [0.125, 0.115, 0.115, 0.11, 0.12, 0.12], [1.0, 0.95, 0.98, 0.94, 0.91, 0.88]
    rows, faces = _arch(middle + 0.085 - down, middle - 0.040 - down, widths, lengths, 0.245, 0.30 + forward)
    objects = [add_mesh('upper teeth', rows, faces, tooth)]
    widths = [0.09, 0.095, 0.105, 0.11, 0.12, 0.13]
    rows, faces = _arch(middle - 0.15, middle - 0.052, widths, [1.0] * 6, 0.200, 0.265)
    objects.append(add_mesh('lower teeth', _with_jaw(rows, pose), faces, tooth))

    ball, faces = unit_sphere(48, 32)
    objects.append(add_mesh('upper gum', ball * (0.21, 0.05, 0.285) + (0, middle + 0.12, 0.445), faces, gum))
    lower = ball * (0.19, 0.05, 0.26) + (0, middle - 0.135, 0.445)
    objects.append(add_mesh('lower gum', _with_jaw(lower, pose), faces, gum))

    ball, faces = unit_sphere(64, 48)
    tip = np.clip(ball[:, 2], 0, 1)
    tongue = ball * (0.155, 0.060, 0.26)
    tongue[:, 1] -= 0.018 * bump(tongue[:, 0], 0.03) * ramp(0, 0.02, tongue[:, 1])
    tongue += (0, middle - 0.075, 0.40)
    tongue[:, 1] += pose.tongue * (0.070 + 0.050 * tip**1.5)
    tongue[:, 2] += pose.tongue * 0.20 * np.clip(ball[:, 2] + 0.3, 0, 1)
    tongue = _with_jaw(tongue, pose)
    tongue[:, 1] += 0.13 * pose.jaw * (1 - 0.55 * tip)
    objects.append(add_mesh('tongue', tongue, faces, flesh))
    return objects


def unit_sphere(across: int, down: int):
    """A sphere of radius 1 as vertices and quads, its poles on the z axis."""
    polar, around = np.meshgrid(
        np.linspace(0, np.pi, down), np.linspace(0, 2 * np.pi, across, endpoint=False), indexing='ij'
    )
    vertices = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], -1)
    row = np.arange(down - 1)[:, None] * across
    here, there = np.arange(across)[None], (np.arange(across)[None] + 1) % across
    quads = np.stack([row + here, row + across + here, row + across + there, row + there], -1)
    return vertices.reshape(-1, 3), quads.reshape(-1, 4)


def _with_jaw(vertices, pose: Pose):
    return np.stack(turn_x(vertices.T, JAW_HINGE, jaw_angle(pose)), -1)


def _arch(root, edge, widths, lengths, across, deep):
    """A row of teeth on an elliptic arch, from the gum's height `root` to the biting height `edge`.

    Widths (in radians on the arch) and lengths are for one side, from the middle outward.
    """
    columns, rows = 241, 28
    angle = np.linspace(-1.25, 1.25, columns)
    edges = np.concatenate([[0], np.cumsum(widths)])
    tooth = np.clip(np.searchsorted(edges, np.abs(angle), side='right') - 1, 0, len(widths) - 1)
    within = np.clip((np.abs(angle) - edges[tooth]) / np.array(widths)[tooth] * 2 - 1, -1, 1)
    crown = (1 - np.abs(within) ** 10)[:, None]  # 1 on a tooth, 0 in the gap between teeth.
    down = np.linspace(0, 1, rows)[None]

    y = root + (edge - root) * down * np.array(lengths)[tooth][:, None] * (0.98 + 0.02 * crown)
    rounding = np.maximum((down - 0.8) / 0.2, 0) ** 2
    out = 0.0035 * (crown - 1) - 0.022 * rounding + 0.006 * np.sin(down * np.pi)
    centre = 0.455
    front = np.stack([(across + out) * np.sin(angle)[:, None], y, centre + (deep + out) * np.cos(angle)[:, None]], -1)
    back = front[:, -1:] * (0.8, 1, 0.8) + (0, 0, centre * 0.2)
    vertices = np.concatenate([front, back], 1)

    rows = vertices.shape[1]
    i, j = np.arange(columns - 1)[:, None] * rows, np.arange(rows - 1)[None]
    quads = np.stack([i + j, i + j + 1, i + rows + j + 1, i + rows + j], -1)
    return vertices.reshape(-1, 3), quads.reshape(-1, 4)
