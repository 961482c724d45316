"""A jersey with a round neck."""

import numpy as np

from blender import Nodes, add_mesh
from character import Character
from fields import carve, ellipsoid, join, mesh, ramp, soft_abs, sphere


def build(character: Character):
    vertices, faces, normals = mesh(lambda p: _jersey(character, p), (-1.7, -2.9, -1.3), (1.7, -0.95, 0.7), 0.02)
    return add_mesh('cloth', vertices, faces, _material(character), normals)


def _jersey(character: Character, p):
    x, y, _ = p
    side = soft_abs(x, 0.05)
    d = ellipsoid(p, (0, -2.0, -0.36), (1.07, 0.655, 0.56))
    d = join(d, sphere((side, p[1], p[2]), (0.98, -1.98, -0.42), 0.36), 0.35)
    d = join(d, ellipsoid(p, (0, -3.0, -0.3), (1.25, 0.9, 0.62)), 0.4)
    folds = np.sin(9 * side + 5 * y + 2 * np.sin(3 * y))
    d = d + 0.012 * folds * ramp(-1.6, -2.0, y) * ramp(0.3, 0.6, side)

    neck = character.neck
    opening = ellipsoid(p, (0, -1.27, -0.12), (neck + 0.18, 0.36, neck + 0.27))
    collar = np.sqrt(d * d + (opening - 0.012) ** 2) - 0.036
    return join(carve(np.abs(d) - 0.022, opening, 0.03), collar, 0.02)


def _material(character: Character):
    t = Nodes('cloth')
    place = t.add('ShaderNodeTexCoord')
    weave = t.add('ShaderNodeTexNoise', {'Vector': (place, 'Object'), 'Scale': 60.0, 'Detail': 2.0})
    relief = t.add('ShaderNodeBump', {'Strength': 0.25, 'Distance': 0.02, 'Height': (weave, 0)})
    surface = {'Base Color': (*character.cloth, 1), 'Roughness': 0.85, 'Normal': (relief, 0)}
    surface |= {'Sheen Weight': 0.5, 'Sheen Roughness': 0.4}
    return t.finish(t.add('ShaderNodeBsdfPrincipled', surface))
