"""Depth and head weight for the warp that turns the head.

Raw depth tears, because its steps are steeper than the grid of the warp. So the face is first widened over the
background (otherwise the cheek's outline bends with the gap), then everything is smoothed.
"""

import numpy as np
from scipy.ndimage import distance_transform_edt, gaussian_filter, median_filter, minimum_filter

from fields import ramp
from rendering import BEARD, CLOTH, SKIN, depth
from film import DISTANCE, Film
from stage import Stage

NEAR, FAR = 6.5, 9.0  # View distance at 0 and at 65535.
PIVOT = (0.0, -0.75, -0.25)  # Pivot of the neck.

FACE_WIDENED = 9  # In pixels.
DEPTH_BLUR, WEIGHT_BLUR = 7, 6  # One sigma, in pixels.
COLLAR, JAW = -1.36, -0.90  # Heights between which the neck changes from body to head.
CHEST = -1.0  # Skin below is not part of the face.


def depth_and_weight(stage: Stage, film: Film):
    """Returns a 16-bit depth picture and an 8-bit weight picture."""
    distance, kind = _nearest_of_four(*depth(stage, film))
    seen = np.isfinite(distance)
    rows = np.arange(film.height)[:, None] + 0.5
    height = (film.cy - rows) * np.where(seen, distance, 0) / film.focal

    weight = np.where(kind == CLOTH, 0.0, 1.0)
    weight = np.where(kind == SKIN, ramp(COLLAR, JAW, height), weight)
    outside = distance_transform_edt(~seen, return_distances=False, return_indices=True)
    distance, weight = distance[tuple(outside)], weight[tuple(outside)]

    face = seen & ((kind == SKIN) | (kind == BEARD)) & (height > CHEST) & (distance < DISTANCE)
    reach = np.arange(-FACE_WIDENED, FACE_WIDENED + 1)
    disc = np.hypot(reach[:, None], reach[None]) <= FACE_WIDENED
    distance = np.minimum(distance, minimum_filter(np.where(face, distance, FAR), footprint=disc))
    distance = gaussian_filter(median_filter(distance, 3), DEPTH_BLUR)
    weight = gaussian_filter(weight, WEIGHT_BLUR)
    return (
        (np.clip((distance - NEAR) / (FAR - NEAR), 0, 1) * 65535 + 0.5).astype(np.uint16),
        (np.clip(weight, 0, 1) * 255 + 0.5).astype(np.uint8),
    )


def _nearest_of_four(distance, kind):
    """Halves the size by picking samples: the mean of two depths is a place where nothing is."""

    def quads(plane):
        height, width = (side // 2 for side in plane.shape)
        return plane.reshape(height, 2, width, 2).transpose(0, 2, 1, 3).reshape(height, width, 4)

    nearest = quads(distance).argmin(-1)[..., None]
    return tuple(np.take_along_axis(quads(plane), nearest, -1)[..., 0] for plane in (distance, kind))
