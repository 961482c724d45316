"""Thin wrapper around the few Blender calls in use.

Blender's z is up and its y points away from the viewer, so the model's (x, y, z) becomes (x, -z, y).
"""

import bpy
import numpy as np


def axes(points):
    points = np.asarray(points, np.float32)
    return np.stack([points[..., 0], -points[..., 2], points[..., 1]], -1)


def add_mesh(name, vertices, faces, material, normals=None, colour=None, values=None, uv=None):
    """A smooth mesh. The material can read `colour` and each of `values`, which are per vertex."""
    data = bpy.data.meshes.new(name)
    vertices, faces = axes(vertices), np.asarray(faces, np.int32)
    data.vertices.add(len(vertices))
    data.vertices.foreach_set('co', vertices.ravel())
    data.loops.add(faces.size)
    data.loops.foreach_set('vertex_index', faces.ravel())
    data.polygons.add(len(faces))
    data.polygons.foreach_set('loop_start', np.arange(0, faces.size, faces.shape[1], dtype=np.int32))
    data.update(calc_edges=True)
    data.polygons.foreach_set('use_smooth', np.full(len(faces), True))
    if normals is not None:
        data.normals_split_custom_set_from_vertices(axes(normals))
    if colour is not None:
        rgba = np.concatenate([colour, np.ones((len(colour), 1))], 1).astype(np.float32)
        data.attributes.new('Colour', 'FLOAT_COLOR', 'POINT').data.foreach_set('color', rgba.ravel())
    for value_name, value in (values or {}).items():
        data.attributes.new(value_name, 'FLOAT', 'POINT').data.foreach_set('value', value.astype(np.float32))
    if uv is not None:
        data.uv_layers.new(name='UV').data.foreach_set('uv', uv[faces.ravel()].astype(np.float32).ravel())
    data.materials.append(material)
    return _link(name, data)


def add_curves(name, strands, radii, material):
    """Hair: `strands` (count, steps, 3), `radii` (count, steps)."""
    data = bpy.data.hair_curves.new(name)
    data.add_curves([strands.shape[1]] * len(strands))
    data.position_data.foreach_set('vector', axes(strands).ravel())
    radius = data.attributes.get('radius') or data.attributes.new('radius', 'FLOAT', 'POINT')
    radius.data.foreach_set('value', radii.astype(np.float32).ravel())
    data.materials.append(material)
    return _link(name, data)


def remove(objects):
    """Deletes objects with their geometry, and unused materials and images."""
    for thing in objects:
        data = thing.data
        bpy.data.objects.remove(thing)
        (bpy.data.meshes if isinstance(data, bpy.types.Mesh) else bpy.data.hair_curves).remove(data)
    for kind in (bpy.data.materials, bpy.data.images):
        for unused in [each for each in kind if each.users == 0]:
            kind.remove(unused)


def image(name, linear):
    """An image for a material from linear RGB (height, width, 3), rows from the bottom."""
    height, width, _ = linear.shape
    result = bpy.data.images.new(name, width, height, float_buffer=False)
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = np.where(linear < 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    result.pixels.foreach_set(rgba.ravel())
    return result


class Nodes:
    """A material under construction. An input is a value, or (node, output) to link."""

    def __init__(self, name):
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()

    def add(self, kind, inputs=None, **settings):
        node = self.tree.nodes.new(kind)
        for key, value in settings.items():
            setattr(node, key, value)
        for key, value in (inputs or {}).items():
            if isinstance(value, tuple) and isinstance(value[0], bpy.types.Node):
                self.tree.links.new(value[0].outputs[value[1]], node.inputs[key])
            else:
                node.inputs[key].default_value = value
        return node

    def finish(self, shader):
        output = self.tree.nodes.new('ShaderNodeOutputMaterial')
        self.tree.links.new(shader.outputs[0], output.inputs['Surface'])
        return self.material


def principled(name, colour, roughness, **inputs):
    t = Nodes(name)
    surface = {'Base Color': (*colour, 1), 'Roughness': roughness, **inputs}
    return t.finish(t.add('ShaderNodeBsdfPrincipled', surface))


def _link(name, data):
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    return thing
