"""Hair: about a hundred guides are combed along the head; many thin strands follow their nearest guides."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from blender import Nodes, add_curves
from character import Character
from fields import gradient, join, onto_surface, ramp, unit
from parts.hairline import above_hairline
from parts.head import COVERS_EARS, SKULL_CENTRE, SKULL_RADII, ear, head, skull
from poses import REST

STRANDS = 34_000


def build(character: Character, strands: int = STRANDS):
    c = character
    rng = np.random.default_rng(c.seed + 11)
    if c.hair == 'bald':
        return
    style = STYLES[c.hair]
    guide_roots = _roots(c, rng, style.guides)
    guides = style.comb(c, rng, guide_roots)
    hairs = _children(c, rng, style, guide_roots, guides, _roots(c, rng, strands))
    if c.hair == 'bun':
        hairs = np.concatenate([hairs, _knot(rng, strands // 5, hairs.shape[1])])

    steps = np.linspace(0, 1, hairs.shape[1])
    taper = np.clip(1.25 - 1.05 * steps**3, 0.15, 1)
    # Fewer strands are thicker, so that a draft covers the head as well.
    thick = 0.0030 * (STRANDS / strands) ** 0.5 * style.thickness
    add_curves('hair', hairs, np.broadcast_to(thick * taper, hairs.shape[:2]), material(c))


def _roots(c: Character, rng, count):
    found, total = [], 0
    while total < count:
        points = np.array(SKULL_CENTRE) + unit(rng.normal(size=(count, 3))) * SKULL_RADII
        points, _ = onto_surface(lambda p: head(c, REST, p), points, 3)
        if c.hair not in COVERS_EARS:
            # Hair on or before the ear shows the rear lights as white specks.
            points = points[ear(c, points.T) > 0.05]
        # A hairline is thin at its edge.
        points = points[above_hairline(c, *points.T) > np.abs(rng.normal(0, 0.012, len(points)))]
        found.append(points)
        total += len(points)
    return np.concatenate(found)[:count]


def _waves(points, scale, seed):
    """A smooth random value per point, about -2 to 2."""
    rng = np.random.default_rng(seed)
    return sum(np.sin(points @ rng.normal(size=3) * scale + rng.uniform(0, 2 * np.pi)) for _ in range(6)) / 6**0.5


def _side(c: Character, points):
    """The side of the parting: -1 or 1."""
    return np.where(points[:, 0] > c.parting + 0.02 * np.sin(9 * points[:, 2]), 1.0, -1.0)


def _bob_form(p):
    """The skull with a tube below that keeps long hair off neck and cheeks."""
    narrow = 0.80 - 0.09 * ramp(-0.2, -1.0, p[1])
    tube = (np.sqrt((p[0] / narrow) ** 2 + ((p[2] + 0.24) / (narrow - 0.06)) ** 2) - 1) * 0.78
    return join(skull(p), np.maximum(tube, p[1] - 0.35), 0.25)


def _comb_bob(c: Character, rng, roots):
    """Away from the parting, back from the face, down, and inward at the tips."""
    steps, stride = 46, 0.066
    guides = np.zeros((len(roots), steps, 3), np.float32)
    _, y0, z0 = roots.T
    side = _side(c, roots)
    # Long hair is wavier and falls freely. A bob turns inward at its tips.
    long = c.hair == 'long'
    tip = (-1.60 if long else -0.90) * c.hair_length + 0.06 * _waves(roots, 2.5, 3)
    volume = 0.035 + 0.085 * rng.random(len(roots)) ** 1.2 + 0.02 * _waves(roots, 3, 8) + 0.035 * ramp(0.9, 1.2, y0)
    phase = 2.2 * _waves(roots * (1, 0.4, 1), 3.0, 21)
    back, forehead = ramp(-0.1, -0.6, z0), ramp(0.2, 0.6, z0)
    fringe = ramp(0.0, 0.5, z0) * ramp(0.35, 0.75, y0)

    place, heading, growing = roots.copy(), None, np.full(len(roots), True)
    for k in range(steps):
        guides[:, k] = place
        x, y, z = place.T
        done = k / steps
        normal, distance = gradient(_bob_form, place, 0.01)
        normal = unit(normal)
        top = ramp(0.55, 1.15, y)
        flow_x = side * (0.15 + 1.1 * top * (1 - 0.75 * back))
        flow_y = -(1.0 - 0.65 * top)
        flow_z = -0.55 * ramp(0.05, 0.5, z) * ramp(1.0, 0.4, y) - 0.50 * top * back
        flow_z = flow_z - 0.10 * ramp(0.4, 0.0, y) * ramp(-0.1, 0.3, z)
        flow_z = flow_z - 1.2 * ramp(0.45, 0.15, y) * ramp(0.22, 0.45, z)
        # Keep hair out of the face.
        face = ramp(0.10, 0.35, z) * ramp(0.92, 0.55, np.abs(x)) * ramp(0.86, 0.62, y)
        flow_x = flow_x + 2.6 * side * face
        flow_y = flow_y * (1 - 0.55 * face)
        flow_z = flow_z - 0.9 * face
        rising = fringe * ramp(0.5, 0.2, done)
        flow_y = flow_y * (1 - 0.9 * rising) + 0.35 * fringe * ramp(0.16, 0.04, done)
        flow_z = flow_z - 0.60 * fringe * ramp(0, 0.12, done + 0.03)

        flow = np.stack([flow_x, flow_y, flow_z], 1)
        flow = unit(flow - normal * (flow * normal).sum(1, keepdims=True))
        flow = (
            flow
            + np.cross(normal, flow)
            * ((1.1 if long else 0.62) * np.sin(0.36 * k + phase) * ramp(0.2, 0.55, done))[:, None]
        )
        heading = unit(flow if heading is None else 0.6 * heading + 0.4 * flow)
        off = (volume + 0.07 * forehead * ramp(0.5, 0.1, done)) * ramp(-0.03, 0.26, done + 0.10 * forehead)
        off = (
            off * (1 + 0.5 * ramp(0.25, 0.7, done))
            + 0.008
            - (0.02 if long else 0.22) * ramp(tip + 0.38, tip - 0.05, y) ** 1.5
        )
        pull = np.clip((off - distance) * 0.45, -0.05, 0.05)[:, None] * normal
        place = np.where(growing[:, None], place + heading * stride + pull, place).astype(np.float32)
        growing = growing & (place[:, 1] > tip)
    return guides


def _comb_short(c: Character, rng, roots):
    """Up and back on top, down and close at the sides."""
    steps = 18
    guides = np.zeros((len(roots), steps, 3), np.float32)
    _, y0, z0 = roots.T
    random = rng.random(len(roots))
    top, front = ramp(0.45, 0.95, y0), ramp(-0.2, 0.7, z0)
    length = (0.13 + 0.42 * top * (0.75 + 0.25 * front)) * (0.85 + 0.3 * random) * c.hair_length
    lift = (0.05 + 0.30 * top * front + 0.16 * top) * (0.75 + 0.5 * random) * c.hair_length
    phase = 1.6 * _waves(roots, 3.2, 21)
    stray = 0.25 * _waves(roots, 2.2, 5)
    side = np.tanh((roots[:, 0] - c.parting) / 0.12)
    if c.hair == 'swept':
        lift, stray, side = 0.55 * lift, 0.3 * stray, 1.6 * side
        length = length * (1 + 0.5 * top)

    place = roots.copy()
    for k in range(steps):
        guides[:, k] = place
        done = k / (steps - 1)
        normal, distance = gradient(skull, place, 0.01)
        normal = unit(normal)
        flow_x = top * (0.75 * side * (0.55 + 0.45 * front) + stray)
        flow_y = -0.9 * (1 - top) + 0.25 * top * front
        flow_z = -0.35 * (1 - top) * ramp(-0.3, 0.5, z0) - 0.65 * top
        flow = np.stack([flow_x, flow_y, flow_z], 1)
        flow = unit(flow - normal * (flow * normal).sum(1, keepdims=True))
        flow = flow + np.cross(normal, flow) * (0.35 * np.sin(0.3 * k + phase) * top)[:, None]
        heading = unit(flow + normal * (3.2 * lift * (1 - done))[:, None] * (1 - 0.2 * done))
        off = 0.012 + 0.75 * lift * ramp(0, 0.8, done)
        pull = np.clip((off - distance) * 0.25, -0.02, 0.02)[:, None] * normal
        place = (place + heading * (length / (steps - 1))[:, None] + pull).astype(np.float32)
    return guides


def _comb_curls(c: Character, rng, roots):
    """Away from the scalp, close at the sides. The child strands wind around these guides."""
    steps = 20
    guides = np.zeros((len(roots), steps, 3), np.float32)
    top = ramp(0.30, 0.95, roots[:, 1])
    front = ramp(-0.2, 0.7, roots[:, 2])
    length = (0.10 + 0.36 * top) * rng.uniform(0.8, 1.2, len(roots)) * c.hair_length
    aside = np.tanh((roots[:, 0] - c.parting) / 0.25)
    stray = np.stack([_waves(roots, 4.0, seed) for seed in (31, 32, 33)], 1)
    place = roots.copy()
    for k in range(steps):
        guides[:, k] = place
        done = k / (steps - 1)
        normal, _ = gradient(skull, place, 0.01)
        flow = np.stack([0.35 * aside * top, -0.5 * (1 - top) - 0.5 * done * top, 0.45 * front * top - 0.2], 1)
        heading = unit(unit(normal) * (1.15 - 0.9 * done) + flow + 0.35 * stray)
        place = (place + heading * (length / (steps - 1))[:, None]).astype(np.float32)
    return guides


KNOT, KNOT_SIZE = np.array([0.0, 1.40, -0.40]), np.array([0.25, 0.20, 0.22])


def _comb_bun(c: Character, rng, roots):
    """Drawn back tightly from all sides to the knot."""
    steps = 30
    guides = np.zeros((len(roots), steps, 3), np.float32)
    volume = 0.03 + 0.04 * rng.random(len(roots)) + 0.012 * _waves(roots, 3, 8)
    target = KNOT - (0, 0.16, 0)
    reach = np.linalg.norm(roots - target, axis=1)
    place = roots.copy()
    lifted = 0.05 * ramp(0.3, 0.7, roots[:, 2]) * ramp(0.3, 0.7, roots[:, 1])
    for k in range(steps):
        guides[:, k] = place
        done = k / (steps - 1)
        normal, distance = gradient(skull, place, 0.01)
        normal = unit(normal)
        flow = target - place
        left = np.linalg.norm(flow, axis=1)
        flow = unit(flow - normal * (flow * normal).sum(1, keepdims=True) * ramp(0.2, 0.5, left)[:, None])
        off = (volume + lifted) * ramp(0, 0.35, done)
        pull = np.clip((off - distance) * 0.4, -0.04, 0.04)[:, None] * normal
        stride = np.minimum(reach * 1.5 / steps, left)
        place = (place + flow * stride[:, None] + pull).astype(np.float32)
    return guides


def _knot(rng, count, steps):
    """Strands wound around the knot in a few bands."""
    band = rng.integers(0, 5, count)
    tilt = np.array([0.0, 0.5, -0.45, 0.95, -0.9])[band] + rng.normal(0, 0.10, count)
    turn = np.array([0.0, 0.9, 2.1, 1.4, 2.7])[band] + rng.normal(0, 0.10, count)
    height = rng.normal(0, 0.26, count)
    around = rng.uniform(0, 2 * np.pi, count)[:, None] + np.linspace(0, 2.4, steps)[None]
    flat = np.sqrt(np.maximum(1 - height**2, 0.1))[:, None]
    ring = np.stack([np.cos(around) * flat, np.broadcast_to(height[:, None], around.shape), np.sin(around) * flat], 0)
    x, y, z = ring
    s, k = np.sin(tilt)[:, None], np.cos(tilt)[:, None]
    x, y = k * x - s * y, s * x + k * y
    s, k = np.sin(turn)[:, None], np.cos(turn)[:, None]
    x, z = k * x + s * z, -s * x + k * z
    size = KNOT_SIZE * rng.uniform(0.90, 1.0, (count, 1, 1))
    return (KNOT + np.stack([x, y, z], -1) * size).astype(np.float32)


@dataclass(frozen=True)
class Style:
    comb: Callable
    guides: int
    spread: float  # Distance of strands from their guide.
    thickness: float = 0.85
    clump: float = 0.6
    parted: bool = False
    curl: float = 0.0  # Radius of the helix shared by the strands of one guide.
    turns: float = 0.0


STYLES = {
    'bob': Style(_comb_bob, 900, 0.017, thickness=1, parted=True),
    'long': Style(_comb_bob, 900, 0.020, thickness=1, parted=True),
    'short': Style(_comb_short, 1500, 0.012),
    'swept': Style(_comb_short, 1500, 0.010, parted=True),
    'curls': Style(_comb_curls, 1100, 0.006, clump=0.92, curl=0.034, turns=2.6),
    'bun': Style(_comb_bun, 900, 0.008),
}


def _wound(c: Character, style: Style, guides, nearest):
    """Offsets that wind all strands of one guide into a ringlet."""
    rng = np.random.default_rng(c.seed + 17)
    steps = guides.shape[1]
    along = unit(guides[:, -1] - guides[:, 0])
    first = unit(np.cross(along, (0.31, 0.2, 0.93)))
    second = np.cross(along, first)
    radius = style.curl * rng.uniform(0.6, 1.25, len(guides))
    angle = rng.uniform(0, 2 * np.pi, len(guides))[:, None] + np.linspace(0, 1, steps) * (
        2 * np.pi * style.turns * rng.uniform(0.8, 1.2, len(guides))[:, None]
    )
    grown = ramp(0, 0.35, np.linspace(0, 1, steps))[None] * radius[:, None]
    offset = first[:, None] * (np.cos(angle) * grown)[..., None] + second[:, None] * (np.sin(angle) * grown)[..., None]
    return offset[nearest]


def _children(c: Character, rng, style: Style, guide_roots, guides, roots):
    count, steps = len(roots), guides.shape[1]
    step = np.linspace(0, 1, steps)
    # The side of the parting counts as distance, so that no strand is a mean of left and right.
    apart = 0.5 if style.parted else 0.0
    tree = cKDTree(np.c_[guide_roots, apart * _side(c, guide_roots)])
    distance, nearest = tree.query(np.c_[roots, apart * _side(c, roots)], k=3)
    share = 1 / (distance + 0.012) ** 2
    share /= share.sum(1, keepdims=True)

    between = (guides[nearest] * share[:, :, None, None]).sum(1)
    clump = style.clump * ramp(0.05, 0.8, step)[None, :, None]
    hairs = between * (1 - clump) + guides[nearest[:, 0]] * clump
    hairs = hairs + (roots[:, None] - between[:, :1]) * (1 - ramp(0, 0.5, step))[None, :, None]
    hairs = hairs + rng.normal(0, style.spread, (count, 1, 3)) * ramp(0.05, 0.6, step)[None, :, None]
    if style.curl:
        hairs = hairs + _wound(c, style, guides, nearest[:, 0])
    loose = (rng.random(count) < 0.03)[:, None, None]
    hairs = hairs + loose * rng.normal(0, 0.03, (count, 1, 3)) * step[None, :, None]
    return _out_of_skull(hairs.reshape(-1, 3).astype(np.float32)).reshape(count, steps, 3)


def _out_of_skull(points):
    clearance = 0.006
    inside = np.where(skull(points.T) < clearance)[0]
    if len(inside):
        slope, distance = gradient(skull, points[inside], 0.01)
        out = slope / np.maximum((slope**2).sum(1, keepdims=True), 0.2)
        points[inside] += (clearance - distance)[:, None] * out
    return points


def material(c: Character):
    t = Nodes('hair')
    strand = t.add('ShaderNodeBsdfHairPrincipled')
    strand.parametrization = 'MELANIN'
    look = {'Melanin': c.melanin, 'Melanin Redness': c.redness, 'Roughness': 0.38, 'Radial Roughness': 0.35}
    look |= {'Random Color': 0.35, 'Random Roughness': 0.1, 'Coat': 0.0}
    for key, value in look.items():
        strand.inputs[key].default_value = value
    if c.grey > 0:
        # Single white hairs among the others.
        each = t.add('ShaderNodeHairInfo')
        spread = {'Value': (each, 'Random'), 'From Min': c.grey - 0.08, 'From Max': c.grey + 0.08}
        spread |= {'To Min': 0.035, 'To Max': c.melanin}
        pigment = t.add('ShaderNodeMapRange', spread)
        t.tree.links.new(pigment.outputs[0], strand.inputs['Melanin'])
    return t.finish(strand)
