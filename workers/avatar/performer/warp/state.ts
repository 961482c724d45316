/** State of one instance; see index.ts. */
/** A head of 750 pixels moves its pixels farther than others, by at most this. */
export const PAD: i32 = 80;
export const CELL: i32 = 8;

/** Cell kinds: background only, face only, or both. */
export const EMPTY: i32 = 0;
export const SOLID: i32 = 1;
export const EDGE: i32 = 2;

export let width: i32 = 0;
export let height: i32 = 0;
export let nodes: usize = 0;
export let nodeCount: i32 = 0;
export let needed: usize = 0;
export let classes: usize = 0;
export let dirty: usize = 0;
export let forward: usize = 0;
export let backward: usize = 0;
export let focal: f32 = 0;
export let centreX: f32 = 0;
export let centreY: f32 = 0;
export let distance: f32 = 0;
export let pivotX: f32 = 0;
export let pivotY: f32 = 0;
export let pivotZ: f32 = 0;

/**
 * `nodes`: six rows of `nodeCount` f32, padded to a multiple of 4: position relative to the pivot
 * x, y, z, weight, position in the picture x, y. `needed`: a byte per node, 0 where the face is
 * never visible. `classes`: the kind of each cell of the face, widened by one cell. `dirty`: a byte
 * per cell, 1 where the last `warp` drew. `forward`, `backward`: scratch, two f32 per node and 16 spare bytes.
 */
export function setFace(
  aWidth: i32,
  aHeight: i32,
  aNodes: usize,
  aNodeCount: i32,
  aNeeded: usize,
  aClasses: usize,
  aDirty: usize,
  aForward: usize,
  aBackward: usize,
): void {
  width = aWidth;
  height = aHeight;
  nodes = aNodes;
  nodeCount = aNodeCount;
  needed = aNeeded;
  classes = aClasses;
  dirty = aDirty;
  forward = aForward;
  backward = aBackward;
}

export function setCamera(
  aFocal: f32,
  aCentreX: f32,
  aCentreY: f32,
  aDistance: f32,
  aPivotX: f32,
  aPivotY: f32,
  aPivotZ: f32,
): void {
  focal = aFocal;
  centreX = aCentreX;
  centreY = aCentreY;
  distance = aDistance;
  pivotX = aPivotX;
  pivotY = aPivotY;
  pivotZ = aPivotZ;
}

