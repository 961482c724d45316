"""From the stage to pixels: graded pictures, and raw depth."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from PIL import Image

from blender import Nodes
from film import Film, LENS
from stage import Stage

# Kinds of a pixel in the depth pass.
SKIN, CLOTH, BEARD, OTHER = 1, 2, 3, 4


@dataclass(frozen=True)
class Region:
    """A rectangle of the finished picture, in its pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Quality:
    scale: int  # Rendered pixels per finished pixel, along one side.
    samples: int  # Maximum per pixel.


def picture(film: Film, quality: Quality, region: Region | None = None, margin: int = 0) -> Image.Image:
    """RGBA with straight alpha. A margin around the region is rendered and cut off, because the denoiser lacks
    context at a border and would leave a seam."""
    scene = _scene(film.times(quality.scale), quality.samples)
    _frame(scene, film, region, margin)
    scene.render.image_settings.file_format = 'PNG'
    scene.render.image_settings.color_mode = 'RGBA'
    scene.render.image_settings.color_depth = '16'
    with tempfile.TemporaryDirectory() as folder:
        path = _render(scene, Path(folder) / 'picture.png')
        pixels = _load(path)
    pixels = _graded(_reduced(pixels, quality.scale))
    if region:
        pixels = pixels[margin : margin + region.height, margin : margin + region.width]
    return Image.fromarray((pixels * 255 + 0.5).astype(np.uint8))


def depth(stage: Stage, film: Film):
    """Distance along the view (infinite where nothing is) and kind, at twice the size and without smoothing."""
    for thing in bpy.data.objects:
        thing.pass_index = _kind(stage, thing)
    t = Nodes('depth')
    camera, thing = t.add('ShaderNodeCameraData'), t.add('ShaderNodeObjectInfo')
    values = {'Red': (camera, 'View Z Depth'), 'Green': (thing, 'Object Index')}
    override = t.finish(t.add('ShaderNodeEmission', {'Color': (t.add('ShaderNodeCombineColor', values), 0)}))

    scene = _scene(film.times(2), samples=1)
    scene.cycles.use_denoising = scene.cycles.use_adaptive_sampling = False
    usual = scene.cycles.pixel_filter_type, scene.cycles.filter_width
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = 'BOX', 0.01
    _frame(scene, film, None, 0)
    scene.render.image_settings.file_format = 'OPEN_EXR'
    scene.render.image_settings.color_depth = '32'
    scene.view_layers[0].material_override = override
    with tempfile.TemporaryDirectory() as folder:
        pixels = _load(_render(scene, Path(folder) / 'depth.exr'))
    scene.view_layers[0].material_override = None
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = usual
    bpy.data.materials.remove(override)
    return np.where(pixels[..., 3] > 0.5, pixels[..., 0], np.inf), np.rint(pixels[..., 1]).astype(int)


def _kind(stage: Stage, thing) -> int:
    for kind, members in ((SKIN, [stage.skin]), (CLOTH, stage.clothes), (BEARD, stage.beard)):
        if thing in members:
            return kind
    return OTHER


def _scene(film: Film, samples: int):
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    scene.render.resolution_x, scene.render.resolution_y = film.width, film.height
    _aim(scene.camera.data, film)
    scene.render.film_transparent = True
    scene.render.use_persistent_data = True
    cycles = scene.cycles
    cycles.device, cycles.seed, cycles.samples = 'CPU', 7, samples
    cycles.use_denoising, cycles.denoiser = True, 'OPENIMAGEDENOISE'
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.015
    cycles.max_bounces, cycles.transparent_max_bounces = 8, 12
    cycles.diffuse_bounces = cycles.glossy_bounces = 3
    cycles.caustics_reflective = cycles.caustics_refractive = False
    scene.cycles_curves.shape = 'THICK'
    scene.view_settings.view_transform = 'AgX'
    scene.view_settings.look = 'AgX - Medium High Contrast'
    scene.view_settings.exposure = 0.35
    return scene


def _aim(camera, film: Film):
    """Shifts the frame instead of turning the camera, so that projecting is one division."""
    camera.sensor_width = film.width * LENS / film.focal
    camera.shift_x = (film.width / 2 - film.cx) / film.width
    camera.shift_y = (film.cy - film.height / 2) / film.width


def _frame(scene, film: Film, region: Region | None, margin: int):
    scene.render.use_border = scene.render.use_crop_to_border = region is not None
    if region:
        scene.render.border_min_x = (region.x - margin) / film.width
        scene.render.border_max_x = (region.x + region.width + margin) / film.width
        # Blender counts rows from the bottom.
        scene.render.border_min_y = 1 - (region.y + region.height + margin) / film.height
        scene.render.border_max_y = 1 - (region.y - margin) / film.height


def _render(scene, path: Path) -> Path:
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return path


def _load(path: Path):
    """RGBA as float, rows from the top."""
    loaded = bpy.data.images.load(str(path))
    loaded.colorspace_settings.name = 'Non-Color'
    loaded.alpha_mode = 'CHANNEL_PACKED'  # Keeps straight alpha.
    width, height = loaded.size
    pixels = np.empty(width * height * 4, np.float32)
    loaded.pixels.foreach_get(pixels)
    bpy.data.images.remove(loaded)
    return pixels.reshape(height, width, 4)[::-1]


def _reduced(pixels, scale: int):
    """Lanczos on premultiplied colour, otherwise colour under transparent pixels bleeds into hair."""
    if scale == 1:
        return pixels
    height, width = pixels.shape[0] // scale, pixels.shape[1] // scale
    colour = pixels[..., :3] * pixels[..., 3:]
    planes = [*np.moveaxis(colour, -1, 0), pixels[..., 3]]
    planes = [Image.fromarray(np.ascontiguousarray(p)).resize((width, height), Image.LANCZOS) for p in planes]
    small = np.clip(np.stack([np.asarray(p) for p in planes], -1), 0, 1)
    small[..., :3] /= np.maximum(small[..., 3:], 1e-4)
    return np.clip(small, 0, 1)


def _graded(pixels):
    """Restores some saturation and contrast that AgX removes."""
    rgb, alpha = pixels[..., :3], pixels[..., 3:]
    grey = rgb @ np.array([0.30, 0.59, 0.11], np.float32)
    rgb = grey[..., None] + (rgb - grey[..., None]) * 1.28
    rgb = np.clip(rgb + (rgb - 0.5) * 0.06, 0, 1)
    # Invisible pixels are black, so that pictures compress and compare well.
    return np.concatenate([np.where(alpha > 0.5 / 255, rgb, 0), alpha], -1)
