"""Camera, lights, and one character."""

import math

import bpy
from mathutils import Vector

from parts import accessories
from parts import beard
from parts import brows
from parts import clothes
from parts import eyes
from parts import hair
from parts import hands
from parts import mouth
from parts import skin
from blender import axes, remove
from character import Character
from film import DISTANCE, LENS
from poses import REST, Pose


class Stage:
    """Holds the scene. Hair, cloth and lights stay; `show` replaces the parts that a pose changes."""

    def __init__(self, character: Character, cell: float, strands: int):
        self.character = character
        self.cell, self.strands = cell, strands
        self.shown: Pose | None = None
        self.moving = []
        bpy.ops.wm.read_factory_settings(use_empty=True)
        _camera()
        _lights()
        # The hands belong to the body that stays when the head turns.
        self.clothes = [*clothes.build(character), hands.build(character)]
        hair.build(character, strands)
        accessories.build(character)

    def show(self, pose: Pose = REST):
        if pose == self.shown:
            return
        remove(self.moving)
        self.skin = skin.build(self.character, pose, self.cell)
        self.beard = beard.build(self.character, pose, self.strands)
        self.moving = [
            self.skin,
            *eyes.build_balls(self.character, pose),
            *mouth.build_inner(self.character, pose),
            *brows.build(self.character, pose),
            *eyes.build_lashes(self.character, pose),
            *self.beard,
        ]
        self.shown = pose


def _camera():
    data = bpy.data.cameras.new('camera')
    data.lens, data.sensor_fit = LENS, 'HORIZONTAL'
    camera = bpy.data.objects.new('camera', data)
    camera.location = Vector(axes((0, 0, DISTANCE)))
    camera.rotation_euler = (math.pi / 2, 0, 0)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def _lights():
    """A warm key light from the upper left, a cool fill, two rim lights that separate hair from background, a little from below."""
    _area('key', (-3.4, 2.7, 4.0), (0, -0.2, 0.4), (2.6, 3.0), 420, (1, 0.955, 0.90))
    fill = _area('fill', (4.0, 0.3, 4.2), (0, -0.4, 0), (3.5, 3.5), 60, (0.88, 0.94, 1))
    # Its reflection would cover the pupil of an eye that looks to its side.
    fill.visible_glossy = False
    _area('right rim', (2.9, 2.2, -2.6), (0, 0, 0), (1.2, 2.6), 170, (1, 0.95, 0.90))
    _area('left rim', (-3.0, 1.6, -2.8), (0, 0, 0), (1.0, 2.6), 80, (0.85, 0.92, 1))
    _area('below', (0, -3.2, 3.6), (0, -0.5, 0), (2.5, 1.2), 16, (1, 0.93, 0.88))
    world = bpy.data.worlds.new('world')
    world.use_nodes = True
    sky = world.node_tree.nodes['Background'].inputs
    sky[0].default_value, sky[1].default_value = (0.70, 0.78, 0.90, 1), 0.16
    bpy.context.scene.world = world


def _area(name, place, target, size, watts, colour):
    data = bpy.data.lights.new(name, 'AREA')
    data.energy, data.color, data.shape = watts, colour, 'RECTANGLE'
    data.size, data.size_y = size
    light = bpy.data.objects.new(name, data)
    place, target = Vector(axes(place)), Vector(axes(target))
    light.location = place
    light.rotation_euler = (target - place).to_track_quat('-Z', 'Y').to_euler()
    bpy.context.scene.collection.objects.link(light)
    return light
