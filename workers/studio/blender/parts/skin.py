"""The skin: head, mouth, eyes and neck as one field, with colours and a material."""

import numpy as np

from parts import beard
from parts import eyes
from parts import mouth
from blender import Nodes, add_mesh
from character import Character
from fields import bump, capsule, ellipsoid, join, mesh, ramp, soft_abs
from parts.hairline import above_hairline
from parts.head import head, nostril
from poses import Pose

# The box that contains skin: the whole head, the neck, and the part of the chest above a neckline.
LOW, HIGH = (-1.25, -1.95, -1.25), (1.25, 1.35, 1.25)


def skin(character: Character, pose: Pose, p):
    d = mouth.add_lips(character, pose, p, head(character, pose, p))
    d = eyes.add_lids(character, pose, p, d)
    neck = capsule(p, (0, -0.55, -0.22), (0, -1.55, -0.34), character.neck - 0.02, character.neck + 0.03)
    d = join(d, neck, 0.18)
    return join(d, ellipsoid(p, (0, -1.97, -0.37), (1.00, 0.585, 0.50)), 0.30)


def build(character: Character, pose: Pose, cell: float):
    vertices, faces, normals = mesh(lambda p: skin(character, pose, p), LOW, HIGH, cell)
    colour, roughness, inside = _colours(character, pose, vertices)
    values = {'Roughness': roughness, 'Inside': inside}
    return add_mesh('skin', vertices, faces, _material(), normals, colour, values)


class _Paint:
    """Colours per vertex, painted in layers."""

    def __init__(self, base, count):
        self.colour = np.repeat(base[None], count, 0)

    def over(self, colour, amount):
        self.colour += (np.asarray(colour) - self.colour) * amount[:, None]


def _colours(c: Character, pose: Pose, vertices):
    """Linear RGB, roughness, and depth inside the mouth, per vertex."""
    x, y, z = p = vertices.T
    side = soft_abs(x, 0.01)
    front = ramp(0.1, 0.4, z)
    base, blush = np.array(c.skin), np.array(c.blush)
    paint = _Paint(base, len(vertices))

    # Broad tones: the middle of the face is redder, the forehead lighter and yellower.
    paint.over(base * (1.03, 0.90, 0.86), 0.35 * bump(y + 0.22, 0.26) * front)
    paint.over(base * (1.04, 1.04, 0.98), 0.30 * ramp(0.25, 0.6, y) * front)
    cheek = bump(np.hypot((side - 0.43) / 0.17, (y + 0.26) / 0.13), 1) * front
    paint.over(blush * 0.45 + base * 0.55, c.blush_amount * cheek)
    nose = bump(np.hypot(x / 0.12, (y + 0.24) / 0.10), 1) * ramp(0.85, 0.95, z)
    paint.over(blush * 0.4 + base * 0.6, 0.42 * nose)
    ear = bump(np.hypot((side - 0.90) / 0.10, (y + 0.04) / 0.25), 1)
    paint.over(blush * 0.4 + base * 0.6, 0.5 * ear)
    chin = bump(np.hypot(x / 0.12, (y + 0.90) / 0.09), 1) * front
    paint.over(blush * 0.35 + base * 0.65, 0.25 * chin)

    _paint_lids(c, pose, paint, p)
    if c.freckles > 0:
        paint.over(base * (0.62, 0.42, 0.34), c.freckles * _freckles(c, x, y) * front)
    lips = _paint_lips(c, pose, paint, p)
    hair = (0.45, 0.30, 0.17) * np.array((1 - c.melanin) ** 2) + (0.02, 0.012, 0.008)
    # A shaved head still shows its hairline.
    amount = 0.10 if c.hair == 'bald' else 0.92
    paint.over(hair, amount * ramp(-0.03, 0.05, above_hairline(c, x, y, z)))
    if c.beard:
        shade = 0.42 if c.beard == 'stubble' else 0.75
        paint.over(hair, shade * beard.density(c, *beard.unposed(c, pose, p)) * (1 - lips))

    inside = mouth.inside(c, p, head(c, pose, p))
    paint.over((0.30, 0.05, 0.045), inside)
    paint.colour *= (1 - 0.72 * inside * ramp(0.62, 0.25, z))[:, None]
    hollow = nostril(c, (side, y, z), (0.042, 0.032, 0.056))
    paint.over(base * (0.35, 0.18, 0.15), 0.85 * ramp(0.004, -0.014, hollow))
    # Rough at the sides and on the lids, where lights would draw white streaks.
    roughness = 0.50 - 0.14 * lips - 0.05 * nose + 0.4 * np.maximum(ramp(0.46, 0.66, side), _around_eyes(c, p))
    return np.clip(paint.colour, 0, 1), roughness, inside


def _paint_lids(c: Character, pose: Pose, paint: _Paint, p):
    e = eyes.local(p)
    r, azimuth, elevation = eyes.polar(e)
    edges = eyes.lids(c, pose, azimuth)
    ball = eyes.radius(c)
    outward = np.abs(edges.across)
    near = ramp(ball * 1.45, ball * 1.2, r) * ramp(-0.02, 0.02, e[2]) * ramp(1.3, 1.02, outward)
    base = np.array(c.skin)

    fold = eyes.crease(pose, edges.across)
    upper = ramp(fold + 0.12, fold - 0.25, elevation) * ramp(-0.3, 0.0, elevation - edges.upper)
    paint.over(base * (0.82, 0.63, 0.59), 0.62 * near * upper)
    within = near * ramp(1.0, 0.96, outward)
    rim = ramp(0.06, 0, np.abs(elevation - edges.lower))
    paint.over(np.array((0.225, 0.085, 0.07)) + base * 0.2, 0.5 * within * rim)
    line = ramp(0.10, 0.03, np.abs(elevation - edges.upper + 0.01))
    paint.over((0.05, 0.025, 0.02), c.lid_line * within * line)


def _around_eyes(c: Character, p):
    return ramp(eyes.radius(c) * 1.6, eyes.radius(c) * 1.3, eyes.polar(eyes.local(p))[0])


def _freckles(c: Character, x, y):
    rng = np.random.default_rng(c.seed)
    count = 240
    middles = zip(rng.normal(0, 0.30, count), rng.normal(-0.2, 0.10, count))
    amount = np.zeros(len(x))
    for (cx, cy), size, strength in zip(middles, rng.uniform(0.008, 0.015, count), rng.uniform(0.25, 0.8, count)):
        amount = np.maximum(amount, strength * ramp(size, size * 0.4, np.hypot(x - cx, y - cy)))
    return amount


def _paint_lips(c: Character, pose: Pose, paint: _Paint, p):
    x, y, z = p
    side = soft_abs(x, 0.01)
    front = ramp(0.40, 0.55, z)
    edges = mouth.outline(c, pose, x)
    width = mouth.half_width(c, pose)
    lips = np.minimum(ramp(0.010, -0.012, y - edges.upper_skin), ramp(-0.012, 0.014, y - edges.lower_skin))
    lips = lips * front * ramp(1.04, 0.92, side / width)
    paint.over(c.lip, 0.90 * lips)
    seam = bump(np.minimum(np.abs(y - edges.upper), np.abs(y - edges.lower)), 0.011)
    paint.over(np.array(c.lip) * 0.30, 0.70 * seam * front * ramp(1.05, 1.01, side / width))
    return lips


def _material():
    """Subsurface scattering, except inside the mouth, which would glow."""
    t = Nodes('skin')
    colour = t.add('ShaderNodeAttribute', attribute_name='Colour')
    roughness = t.add('ShaderNodeAttribute', attribute_name='Roughness')
    place = t.add('ShaderNodeTexCoord')
    blotches = t.add('ShaderNodeTexNoise', {'Vector': (place, 'Object'), 'Scale': 7.0, 'Detail': 4.0})
    spread = {'Value': (blotches, 0), 'From Min': 0.3, 'From Max': 0.7, 'To Min': 0.94, 'To Max': 1.05}
    blotches = t.add('ShaderNodeMapRange', spread)
    tone = t.add('ShaderNodeVectorMath', {0: (colour, 'Color'), 'Scale': (blotches, 0)}, operation='SCALE')
    pores = t.add('ShaderNodeTexNoise', {'Vector': (place, 'Object'), 'Scale': 95.0, 'Detail': 3.0})
    relief = t.add('ShaderNodeBump', {'Strength': 0.10, 'Distance': 0.012, 'Height': (pores, 0)})
    surface = {'Base Color': (tone, 0), 'Roughness': (roughness, 'Fac'), 'Normal': (relief, 0)}
    surface |= {'Subsurface Weight': 1.0, 'Subsurface Scale': 0.085, 'Subsurface Radius': (1.0, 0.36, 0.20)}
    surface |= {'Specular IOR Level': 0.36}
    return t.finish(t.add('ShaderNodeBsdfPrincipled', surface))
