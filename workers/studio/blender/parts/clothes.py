"""Clothes: a jersey with a round neck or a turtleneck, a shirt, or a blazer over a turtleneck."""

import numpy as np

from blender import Nodes, add_mesh
from character import Character
from fields import capsule, carve, ellipsoid, join, mesh, ramp, soft_abs, sphere

LOW, HIGH = (-2.0, -5.6, -1.3), (2.0, -0.85, 1.3)
CELL = 0.02
ELBOW, WRIST = (1.36, -3.42, -0.30), (0.40, -4.02, 0.56)


def build(character: Character):
    """The garments as objects, innermost first."""
    c = character
    pieces = {
        'crew': [(_crew, c.cloth)],
        'turtleneck': [(_turtleneck, c.cloth)],
        'shirt': [(_shirt, c.cloth)],
        'blazer': [(_turtleneck, c.under), (_blazer, c.cloth)],
    }[c.clothes]
    return [_garment(c, field, colour) for field, colour in pieces]


def _garment(c: Character, field, colour):
    vertices, faces, normals = mesh(lambda p: field(c, p), LOW, HIGH, CELL)
    return add_mesh('cloth', vertices, faces, _material(colour), normals)


def _body(p):
    x, y, _ = p
    side = soft_abs(x, 0.05)
    d = ellipsoid(p, (0, -2.0, -0.36), (1.07, 0.655, 0.56))
    d = join(d, sphere((side, p[1], p[2]), (0.98, -1.98, -0.42), 0.36), 0.35)
    # Ribs, waist and hips.
    d = join(d, ellipsoid(p, (0, -2.75, -0.33), (0.98, 1.0, 0.60)), 0.3)
    d = join(d, ellipsoid(p, (0, -4.1, -0.34), (0.86, 1.2, 0.56)), 0.4)
    d = join(d, ellipsoid(p, (0, -5.4, -0.34), (1.12, 1.0, 0.66)), 0.5)
    d = join(d, _arms(p), 0.09)
    folds = np.sin(9 * side + 5 * y + 2 * np.sin(3 * y))
    d = d + 0.012 * folds * ramp(-1.6, -2.0, y) * ramp(0.3, 0.6, side)
    # Cloth gathers at the waist and above the bent elbows.
    gathers = np.sin(17 * y + 3.0 * np.sin(2.2 * side + 1.3 * y)) * np.sin(2.6 * side + 0.7)
    return d + 0.014 * gathers * ramp(-2.7, -3.3, y)


def _arms(p):
    """Upper arms that hang, and forearms that meet before the belly."""
    side = soft_abs(p[0], 0.02)
    q = (side, p[1], p[2])
    upper = capsule(q, (1.06, -2.08, -0.42), ELBOW, 0.33, 0.27)
    return join(upper, capsule(q, ELBOW, WRIST, 0.27, 0.185), 0.10)


def _neck(c: Character, p, more):
    return capsule(p, (0, -0.55, -0.22), (0, -1.55, -0.34), c.neck - 0.02 + more, c.neck + 0.03 + more)


def _crew(c: Character, p):
    d = _body(p)
    opening = ellipsoid(p, (0, -1.27, -0.12), (c.neck + 0.18, 0.36, c.neck + 0.27))
    collar = np.sqrt(d * d + (opening - 0.012) ** 2) - 0.036
    return join(carve(np.abs(d) - 0.022, opening, 0.03), collar, 0.02)


def _turtleneck(c: Character, p):
    """The collar is folded over once, so its edge is thick and round."""
    d = join(_body(p), _neck(c, p, 0.045), 0.16)
    top = p[1] - 0.22 * (p[2] + 0.25) + 1.13
    ribs = 0.004 * np.sin(34 * np.arctan2(p[0], p[2] + 0.28)) * ramp(-1.42, -1.34, p[1])
    fold = np.maximum(np.abs(_neck(c, p, 0.070)) - 0.028, np.abs(top + 0.10) - 0.11)
    shell = np.maximum(np.abs(d) - 0.022, top)
    return join(shell, fold + ribs, 0.05)


def _shirt(c: Character, p):
    """One button is open. The collar lies around the neck and falls to both sides in points."""
    x, y, z = p
    side = soft_abs(x, 0.004)
    d = join(_body(p), _neck(c, p, 0.055), 0.12)
    # Distance inside the cloth's edge: the V in front, the neck's height behind.
    beside = 0.54 * (1.55 * side - y - 1.66)
    below = -1.10 - 0.10 * (z + 0.25) - y
    within = join(np.where(z > -0.2, beside, 1.0), below, 0.05)
    cloth = np.maximum(np.abs(d) - 0.018, -within)
    placket = np.maximum(np.abs(d - 0.022) - 0.010, np.maximum(np.abs(x) - 0.06, y + 1.665))
    cloth = join(cloth, np.maximum(placket, -z), 0.012)

    tips = -1.63 + 0.10 * side - y
    collar = np.maximum(np.abs(d - 0.048) - 0.017, np.maximum(-within, within - 0.175))
    return join(cloth, np.maximum(collar, np.where(z > 0, tips, -1.0)), 0.015)


def _blazer(c: Character, p):
    x, y, z = p
    side = soft_abs(x, 0.004)
    d = _body(p) - 0.05
    shoulder = sphere((side, y, z), (1.0, -1.90, -0.42), 0.36)
    d = join(d, shoulder, 0.25)
    # The V runs from the neck's sides to a button below the picture.
    edge = 0.06 + 0.50 * (y + 2.15)
    opening = np.maximum((side - edge) * 0.89, -0.25 - z)
    opening = np.minimum(opening, _neck(c, p, 0.13))
    cloth = carve(np.abs(d) - 0.028, opening, 0.03)

    # Lapels lie on the cloth; the notch is where collar and lapel meet.
    away = side - edge
    width = 0.22 - 0.10 * ramp(-1.60, -1.95, y)
    notch = 0.10 * ramp(0.045, 0.0, np.abs(y + 1.50 + 0.3 * (away - 0.15))) * ramp(0.06, 0.16, away)
    lapel = np.maximum(np.abs(d - 0.045) - 0.016, np.maximum(-away + 0.012, away - width + notch))
    lapel = np.maximum(lapel, -0.30 - z)
    return join(cloth, lapel, 0.012)


def _material(colour):
    t = Nodes('cloth')
    place = t.add('ShaderNodeTexCoord')
    weave = t.add('ShaderNodeTexNoise', {'Vector': (place, 'Object'), 'Scale': 60.0, 'Detail': 2.0})
    relief = t.add('ShaderNodeBump', {'Strength': 0.25, 'Distance': 0.02, 'Height': (weave, 0)})
    surface = {'Base Color': (*colour, 1), 'Roughness': 0.85, 'Normal': (relief, 0)}
    surface |= {'Sheen Weight': 0.5, 'Sheen Roughness': 0.4}
    return t.finish(t.add('ShaderNodeBsdfPrincipled', surface))
