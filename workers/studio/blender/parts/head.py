"""The head without mouth and eyes: skull, face, jaw, nose and ears as one field."""

import numpy as np

from character import Character
from fields import bump, capsule, carve, ellipsoid, join, ramp, soft_abs, turn_x, turn_y, turn_z
from parts.mouth import JAW_HINGE, height, jaw_angle
from poses import Pose

COVERS_EARS = ('bob', 'long')
SKULL_CENTRE = (0, 0.36, -0.14)
SKULL_RADII = (0.85, 0.92, 0.98)


def skull(p):
    return ellipsoid(p, SKULL_CENTRE, SKULL_RADII)


def head(character: Character, pose: Pose, p):
    c = character
    mirrored = (soft_abs(p[0], 0.047), p[1], p[2])
    jaw = turn_x(p, JAW_HINGE, -jaw_angle(pose))
    # Cheeks follow the jaw by half. Following fully, they leave a dent below the cheekbone.
    cheek = turn_x(mirrored, JAW_HINGE, -jaw_angle(pose) / 2)
    jaw_mirrored = (mirrored[0], jaw[1], jaw[2])
    longer = c.face_length
    middle = height(c)

    d = skull(p)
    d = join(d, ellipsoid(p, (0, -0.13, 0.10), (0.665 + 0.3 * c.jaw_width, 0.78, 0.70)), 0.25)
    d = join(d, ellipsoid(jaw, (0, -0.58 - longer / 2, 0.22), (0.42 + c.jaw_width, 0.36, 0.44)), 0.30)
    chin = (0.20 + 0.5 * c.jaw_width, 0.165, 0.17)
    d = join(d, ellipsoid(jaw, (0, -0.835 - longer, 0.545 + c.chin), chin), 0.34)

    lift = 0.03 * pose.smile + 0.02 * pose.squint
    round_cheek = (0.285 + c.cheek, 0.29 + c.cheek, 0.27 + c.cheek)
    d = join(d, ellipsoid(mirrored, (0.375, -0.30 + lift + 0.3 * c.cheek, 0.45 + lift / 4), round_cheek), 0.22)
    low_cheek = (0.25 + c.jaw_width, 0.28, 0.28)
    d = join(d, ellipsoid(cheek, (0.265, -0.50, 0.32), low_cheek), 0.30)
    d = join(d, ellipsoid(jaw_mirrored, (0.20, -0.56 - longer / 2, 0.33), low_cheek), 0.32)

    # The swelling below the lips.
    forward = 0.56 + 0.03 * pose.pucker
    d = join(d, ellipsoid(p, (0, middle + 0.06, forward), (0.30, 0.24, 0.235)), 0.22)
    d = join(d, ellipsoid(jaw, (0, middle - 0.08, forward), (0.25, 0.20, 0.20)), 0.24)

    # Temple, brow ridge, and a fill in the corner between eye and nose.
    d = join(d, ellipsoid(mirrored, (0.47, 0.06, 0.33), (0.235, 0.36, 0.27)), 0.22)
    d = join(d, ellipsoid(mirrored, (0.27, 0.37, 0.57), (0.34, 0.15, 0.20)), 0.30)
    d = join(d, ellipsoid(p, (0, 0.27, 0.61), (0.20, 0.27, 0.185)), 0.32)
    d = join(d, ellipsoid(mirrored, (0.115, -0.02, 0.61), (0.10, 0.22, 0.15)), 0.20)

    d = _nose(c, p, mirrored, d)
    philtrum = bump(p[0], 0.032) * ramp(-0.49, -0.41, p[1]) * ramp(-0.27, -0.33, p[1]) * ramp(0.5, 0.6, p[2])
    d = d + 0.008 * philtrum
    d = _aged(c, pose, mirrored, jaw_mirrored, d)
    return d if c.hair in COVERS_EARS else join(d, ear(c, p), 0.05)


def nostril(character: Character, p, size):
    """The hollow of a nostril. `p` is mirrored; `size` holds the half axes for a nose of default width."""
    extra = character.nose_width
    centre = (0.053 + 0.6 * extra, -0.268 - character.nose_length, 0.935)
    return ellipsoid(p, centre, (size[0] + 0.4 * extra, size[1], size[2]))


def _nose(c: Character, p, mirrored, d):
    wide, long = c.nose_width, c.nose_length
    d = join(d, capsule(p, (0, 0.24, 0.730), (0, -0.15 - long, 0.915), 0.062, 0.070 + wide / 2), 0.20)
    d = join(d, ellipsoid(p, (0, -0.190 - long, 0.970), (0.090 + wide, 0.082, 0.088)), 0.11)
    wing = ellipsoid(mirrored, (0.086 + wide, -0.222 - long, 0.885), (0.056 + 0.4 * wide, 0.052, 0.075))
    d = join(d, wing, 0.07)
    return carve(d, nostril(c, mirrored, (0.034, 0.024, 0.048)), 0.045)


def _aged(c: Character, pose: Pose, p, jaw, d):
    """Folds and lines as shallow grooves. A smile deepens them."""
    if c.age == 0:
        return d
    x, y, z = p
    front = ramp(0.25, 0.5, z)
    # From the nose's wing past the corner of the mouth.
    fold = bump(x - 0.155 - 0.50 * np.clip(-0.24 - y, 0, 0.4), 0.035) * ramp(-0.22, -0.30, y) * ramp(-0.66, -0.50, y)
    marionette = (
        bump(jaw[0] - 0.27 - 0.1 * (-0.62 - jaw[1]), 0.03) * ramp(-0.58, -0.64, jaw[1]) * ramp(-0.82, -0.72, jaw[1])
    )
    forehead = sum(bump(y - at - 0.02 * np.cos(4 * x), 0.016) for at in (0.50, 0.575, 0.645)) * ramp(0.42, 0.25, x)
    below_eye = bump(x - 0.34, 0.15) * bump(y + 0.27 - 0.9 * (x - 0.36) ** 2, 0.035)
    angle = np.arctan2(y - 0.02, x - 0.45)
    feet = np.sin(angle * 11) * bump(np.hypot(x - 0.68, y - 0.02), 0.09) * ramp(0.60, 0.66, x)
    depth = 0.026 * (0.6 + pose.smile) * fold + 0.013 * marionette + 0.0065 * (1 + pose.brow) * forehead
    depth = depth + 0.017 * below_eye + 0.006 * (0.5 + pose.smile + pose.squint) * feet
    return d + c.age * depth * front


def ear(c: Character, p):
    p = (p[0], (p[1] + 0.04) / c.ears - 0.04, p[2])
    e = (soft_abs(p[0], 0.047) - 0.80, p[1] + 0.04, p[2] + 0.06)
    e = turn_z(turn_y(e, 0.42), 0.16)
    ear = ellipsoid(e, (0.03, 0, -0.06), (0.060, 0.235, 0.150))
    ear = carve(ear, ellipsoid(e, (0.085, 0.03, -0.05), (0.05, 0.155, 0.088)), 0.05)
    ear = join(ear, ellipsoid(e, (0.045, -0.02, 0.035), (0.035, 0.05, 0.03)), 0.05)
    return join(ear, ellipsoid(e, (0.03, 0.02, -0.09), (0.03, 0.13, 0.035)), 0.05)
