"""Signed-distance fields and their conversion to meshes.

A field takes three coordinate arrays (x right, y up, z to the viewer; a head is about 2.3 units high) and
returns the distance to a surface, negative inside. All blends are smooth, because a hard minimum or an |x|
leaves a visible crease.
"""

import numpy as np
from skimage.measure import marching_cubes

BLOCK = 8  # Cells per side of a block. Only blocks near the surface are evaluated in full.


def ellipsoid(p, centre, radii):
    x, y, z = (p[i] - centre[i] for i in range(3))
    a, b, c = radii
    k0 = np.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2) + 1e-6
    k1 = np.sqrt((x / a**2) ** 2 + (y / b**2) ** 2 + (z / c**2) ** 2) + 1e-6
    return k0 * (k0 - 1) / k1


def sphere(p, centre, radius):
    return np.sqrt(sum((p[i] - centre[i]) ** 2 for i in range(3))) - radius


def capsule(p, start, end, start_radius, end_radius):
    axis = [e - s for s, e in zip(start, end)]
    along = sum((p[i] - start[i]) * axis[i] for i in range(3)) / sum(a * a for a in axis)
    along = np.clip(along, 0, 1)
    away = np.sqrt(sum((p[i] - start[i] - along * axis[i]) ** 2 for i in range(3)))
    return away - (start_radius + (end_radius - start_radius) * along)


def join(a, b, k):
    """Union of two fields, rounded over a width of `k`."""
    h = np.maximum(k - np.abs(a - b), 0) / k
    return np.minimum(a, b) - h * h * h * k / 6


def carve(a, b, k):
    """Field `a` without field `b`, rounded over a width of `k`."""
    return -join(-a, b, k)


def turn_x(p, centre, angle):
    s, c = np.sin(angle), np.cos(angle)
    y, z = p[1] - centre[1], p[2] - centre[2]
    return p[0], centre[1] + c * y - s * z, centre[2] + s * y + c * z


def turn_y(p, angle):
    s, c = np.sin(angle), np.cos(angle)
    return c * p[0] + s * p[2], p[1], -s * p[0] + c * p[2]


def turn_z(p, angle):
    s, c = np.sin(angle), np.cos(angle)
    return c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]


def soft_abs(x, width):
    """|x| with its crease rounded within about `width`."""
    return np.sqrt(x * x + width * width)


def ramp(start, end, x):
    """0 before `start`, 1 after `end`, smooth in between. `start` may be the greater."""
    t = np.clip((x - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)


def bump(x, width):
    """A bell curve of the given width, 1 at zero."""
    return np.exp(-((x / width) ** 2))


# The four corners of a tetrahedron give a gradient with two evaluations fewer than central differences.
CORNERS = np.array([(1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)], np.float32)


def gradient(field, points, step):
    """Gradient and value of a field at points (n, 3)."""
    slope = np.zeros_like(points)
    value = np.zeros(len(points), np.float32)
    for start in range(0, len(points), 300_000):  # Limits working memory.
        part = slice(start, start + 300_000)
        x, y, z = points[part].T
        for corner in CORNERS:
            dx, dy, dz = corner * step
            at = field((x + dx, y + dy, z + dz))
            slope[part] += corner * (at / (4 * step))[:, None]
            value[part] += at / 4
    return slope, value


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)


def onto_surface(field, points, rounds):
    """Projects points on to the surface; returns them with the surface's normals."""
    points = points.astype(np.float32)
    for _ in range(rounds):
        slope, distance = gradient(field, points, 0.004)
        points = points - distance[:, None] * slope / np.maximum((slope**2).sum(1, keepdims=True), 0.1)
    return points, unit(gradient(field, points, 0.006)[0])


def mesh(field, low, high, cell):
    """Vertices, triangles and normals of a field's surface within a box, at the given cell size."""
    low = np.array(low, float)
    blocks = np.ceil((np.array(high, float) - low) / (cell * BLOCK)).astype(int)
    grid = _sample(field, low, blocks, cell)
    vertices, triangles, _, _ = marching_cubes(grid, 0.0)
    vertices = (vertices * cell + low).astype(np.float32)

    # Marching cubes places vertices by linear interpolation. Two Newton steps remove the facets.
    for _ in range(2):
        slope, distance = gradient(field, vertices, cell * 0.35)
        step = distance[:, None] * slope / np.maximum((slope**2).sum(1, keepdims=True), 0.05)
        vertices = vertices - np.clip(step, -cell / 2, cell / 2)
    return vertices, triangles.copy(), unit(gradient(field, vertices, cell * 0.5)[0])


def _sample(field, low, blocks, cell):
    size = blocks * BLOCK + 1
    axes = [(low[i] + np.arange(size[i]) * cell).astype(np.float32) for i in range(3)]
    middles = [(low[i] + (np.arange(blocks[i]) + 0.5) * cell * BLOCK).astype(np.float32) for i in range(3)]
    coarse = field(np.stack(np.meshgrid(*middles, indexing='ij')).reshape(3, -1)).reshape(blocks)

    grid = coarse
    for axis in range(3):
        grid = np.repeat(grid, BLOCK, axis)
    grid = np.pad(grid, ((0, 1),) * 3, mode='edge').astype(np.float32)

    # Half a block's diagonal, and half as much again because blended fields understate distance.
    reach = cell * BLOCK * 0.5 * 3**0.5 * 1.5
    near = np.argwhere(np.abs(coarse) < reach)
    offsets = np.arange(BLOCK + 1)
    offsets = np.stack(np.meshgrid(offsets, offsets, offsets, indexing='ij')).reshape(3, 1, -1)
    for start in range(0, len(near), 600):
        i, j, k = (near[start : start + 600].T[:, :, None] * BLOCK + offsets).reshape(3, -1)
        grid[i, j, k] = field((axes[0][i], axes[1][j], axes[2][k]))
    return grid
