import { GRID_STEP, type Rectangle } from '../../bundle/format.ts';
import type { Difference, Face } from '../../bundle/open-bundle.ts';
import { halfOf, within } from './areas.ts';
import { CellMap } from './cells.ts';
import { framedBackground, framedBase, framedDifference, isWhole, sourceOf } from './framed.ts';
import { nodeTable } from './grid.ts';
import { BORDER, claimPlanes, type Planes, putPlanes } from './planes.ts';
import { type View, wholeView } from './view.ts';
import { type Warp, WarpMemory } from './warp-memory.ts';

/** Drawn areas are aligned to two grid cells, because chroma has half the resolution. */
const DRAWN_STEP = 2 * GRID_STEP;

/** In pixels: no pose moves any pixel farther in a face whose head is `USUAL_HEAD` high. */
const FARTHEST = 32;
/** Height of the head in the pictures for which movements are tuned, in pixels. */
const USUAL_HEAD = 352;

/** A difference in WebAssembly memory. Only `alphaRows` change the outline. */
export type Fitted = Planes & {
  area: Rectangle;
  alphaRows: { firstRow: number; count: number };
};

/** A mouth or eye state, which is scaled and laid out when it is first shown. */
export type Sprite = { readonly fitted: Fitted };

/**
 * The face as one session sees it, the picture behind it, and the last frame, with what `warp`
 * remembers of it.
 */
export type SessionPlanes = Planes & { background: number; picture: number; drawn: number };

/** Bytes per cell of what `warp` remembers. */
const DRAWN_BYTES = 12;
/** Fractional bits of its displacements. */
const HELD_UNIT = 2 ** 18;

export type DrawOptions = { area?: Rectangle; heldPx?: number; hasOpacity?: boolean };

type Unpacking = Face['mouths'][number] | Face['eyes'][number];

const laidOut = new WeakMap<Face, Map<string, FaceMemory>>();
/** Views of one face that stay laid out; the least recently used is forgotten. */
const MOST_VIEWS = 4;

/** The one FaceMemory of an opened face in a view. */
export function memoryOf(face: Face, view: View = wholeView(face.manifest)): FaceMemory {
  const memories = laidOut.get(face) ?? new Map<string, FaceMemory>();
  laidOut.set(face, memories);
  const key = JSON.stringify(view);
  const memory = memories.get(key) ?? new FaceMemory(face, view);
  memories.delete(key);
  memories.set(key, memory);
  const [oldest] = memories.keys();
  if (memories.size > MOST_VIEWS) memories.delete(oldest!);
  return memory;
}

/**
 * A face in the memory of its own WebAssembly instance, cropped and scaled to one view. It is laid
 * out once per process; each session takes its own planes, which hold the face as it looks now, and
 * gives them back at its end. Planes have a border, so that the warp needs no bounds checks. The
 * memory lives as long as its users.
 */
export class FaceMemory {
  readonly warp: Warp;
  readonly view: View;
  /** The view's size, rounded up for the warp's grid. */
  readonly width: number;
  readonly height: number;
  /** Size of the head compared to the one for which movements are tuned. */
  readonly zoom: number;
  readonly mouths: Sprite[];
  readonly eyes: Sprite[];
  readonly #face: Face;
  readonly #memory = new WarpMemory();
  readonly #base: Planes;
  readonly #background: number;
  readonly #cells: CellMap;
  readonly #free: SessionPlanes[] = [];
  #opacity = 0;
  #waiting: { unpack(): Promise<unknown> }[] = [];
  #isWarming = false;

  constructor(face: Face, view: View = wholeView(face.manifest)) {
    this.warp = this.#memory.warp;
    this.view = view;
    this.width = stepUp(view.width);
    this.height = stepUp(view.height);
    this.zoom = (face.manifest.head.height * view.scale) / USUAL_HEAD;
    this.#face = face;

    const background = framedBackground(face, view, this);
    this.#background = this.#memory.put(background);
    this.#base = claimPlanes(this.#memory, this);
    if (isWhole(face, view)) putPlanes(this.#memory, this.#base, face.base, this);
    else this.#putFramed(framedBase(face, view, this));
    this.#cells = this.#setGrid();
    this.mouths = face.mouths.map((mouth) => this.#sprite(mouth));
    this.eyes = face.eyes.map((eyes) => this.#sprite(eyes));
  }

  /** WebAssembly memory of this face and all its sessions. */
  get byteLength(): number {
    return this.#memory.bytes.byteLength;
  }

  /** The part of the frame that the face may cover in any pose. */
  get figure(): Rectangle {
    return this.#cells.figure;
  }

  get whole(): Rectangle {
    return { x: 0, y: 0, width: this.width, height: this.height };
  }

  /**
   * Lays out all sprites one after the other, unpacked off the event loop, so that no frame waits
   * for one. Does nothing while another call runs.
   */
  async warm(): Promise<void> {
    if (this.#isWarming) return;
    this.#isWarming = true;
    for (const sprite of this.#waiting.splice(0)) await sprite.unpack();
    this.#isWarming = false;
  }

  /** Planes for one session, with the face at rest in its own room. */
  take(): SessionPlanes {
    const planes = this.#free.pop() ?? {
      ...claimPlanes(this.#memory, this),
      background: this.#memory.claim(1.5 * this.width * this.height),
      picture: this.#memory.claim(1.5 * this.width * this.height),
      drawn: this.#memory.claim((DRAWN_BYTES * this.width * this.height) / GRID_STEP ** 2),
    };
    for (const { at, from, bytes } of this.#pairs(planes))
      this.#memory.bytes.copyWithin(at, from, from + bytes);
    this.setBackground(planes, null);
    return planes;
  }

  giveBack(planes: SessionPlanes) {
    this.#free.push(planes);
  }

  /** I420 of this memory's width and height; null: the face's own room. */
  setBackground(planes: SessionPlanes, i420: Uint8Array | null) {
    const bytes = this.#memory.bytes;
    const end = this.#background + 1.5 * this.width * this.height;
    if (i420) bytes.set(i420, planes.background);
    else bytes.copyWithin(planes.background, this.#background, end);
  }

  /** A copy of the room behind the face, as I420. */
  ownRoom(): Uint8Array {
    const end = this.#background + 1.5 * this.width * this.height;
    return this.#memory.bytes.slice(this.#background, end);
  }

  /** Resets a rectangle of a session's planes to the face at rest. */
  restore(planes: Planes, { x, y, width, height }: Rectangle) {
    for (const { at, from, stride, scale } of this.#pairs(planes)) {
      const offset = this.#offset(x / scale, y / scale, stride, scale);
      this.warp.restore(at + offset, from + offset, stride, width / scale, height / scale);
    }
  }

  /** Adds a mouth or eye difference to a session's planes. `weight` 256 is the full difference. */
  add(planes: Planes, fitted: Fitted, weight: number) {
    const { x, y, width, height } = fitted.area;
    const stride = this.width + 2 * BORDER;
    const halfStride = stride / 2;
    const at = this.#offset(x, y, stride, 1);
    const halfAt = this.#offset(x / 2, y / 2, halfStride, 2);
    this.warp.add(planes.y + at, stride, fitted.y, width, height, weight);
    this.warp.add(planes.u + halfAt, halfStride, fitted.u, width / 2, height / 2, weight);
    this.warp.add(planes.v + halfAt, halfStride, fitted.v, width / 2, height / 2, weight);
    const { firstRow, count } = fitted.alphaRows;
    if (count === 0) return;
    this.warp.add(
      planes.a + at + firstRow * stride,
      stride,
      fitted.a + 2 * firstRow * width,
      width,
      count,
      weight,
    );
    this.warp.add(
      planes.halfA + halfAt + (firstRow / 2) * halfStride,
      halfStride,
      fitted.halfA + (firstRow / 2) * width,
      width / 2,
      count / 2,
      weight,
    );
  }

  /**
   * Writes the I420 frame of a session's planes, warped by the last `warp.field`. Only `area`, if
   * given. Cells that moved by less than `heldPx` since they were drawn stay as they are. With
   * `hasOpacity`, the frame is twice as wide, and its right half shows the opacity. Returns false
   * if nothing changed.
   */
  draw(
    planes: SessionPlanes,
    frame: Uint8Array,
    { area = this.whole, heldPx = -1, hasOpacity = false }: DrawOptions = {},
  ): boolean {
    if (this.#compose(planes, area, heldPx, hasOpacity) === 0) return false;
    const { width, height } = this.view;
    const frameWidth = hasOpacity ? 2 * width : width;
    const pixels = frameWidth * height;
    const own = this.width * this.height;
    const part = within(area, this.view);
    const luma = { stride: this.width, frameStride: frameWidth };
    const chroma = { stride: this.width / 2, frameStride: frameWidth / 2 };
    this.#copyRows(frame, { ...luma, from: planes.picture, to: 0 }, part);
    if (hasOpacity) this.#copyRows(frame, { ...luma, from: this.#opacity, to: width }, part);
    const half = halfOf(part);
    this.#copyRows(frame, { ...chroma, from: planes.picture + own, to: pixels }, half);
    this.#copyRows(
      frame,
      { ...chroma, from: planes.picture + 1.25 * own, to: 1.25 * pixels },
      half,
    );
    return true;
  }

  /** The part of a frame that a difference in `area` may change in any pose, aligned for `draw`. */
  reachOf({ x, y, width, height }: Rectangle): Rectangle {
    const farthest = FARTHEST * this.zoom;
    const [leftX, topY] = [stepDown(x - farthest), stepDown(y - farthest)];
    const right = Math.min(this.width, stepUp(x + width + farthest));
    const bottom = Math.min(this.height, stepUp(y + height + farthest));
    return {
      x: leftX,
      y: topY,
      width: Math.max(0, right - leftX),
      height: Math.max(0, bottom - topY),
    };
  }

  /** Returns the number of cells drawn. */
  #compose(
    planes: SessionPlanes,
    { x, y, width, height }: Rectangle,
    heldPx: number,
    hasOpacity: boolean,
  ): number {
    if (hasOpacity && this.#opacity === 0)
      this.#opacity = this.#memory.claim(this.width * this.height);
    const planeStart = this.#offset(0, 0, this.width + 2 * BORDER, 1);
    const halfPlaneStart = this.#offset(0, 0, this.width / 2 + BORDER, 2);
    return this.warp.warp(
      planes.y + planeStart,
      planes.a + planeStart,
      planes.u + halfPlaneStart,
      planes.v + halfPlaneStart,
      planes.halfA + halfPlaneStart,
      planes.background,
      planes.picture,
      hasOpacity ? this.#opacity : 0,
      planes.drawn,
      Math.round(heldPx * HELD_UNIT),
      x / GRID_STEP,
      y / GRID_STEP,
      (x + width) / GRID_STEP,
      (y + height) / GRID_STEP,
    );
  }

  #copyRows(
    frame: Uint8Array,
    plane: { from: number; to: number; stride: number; frameStride: number },
    { x, y, width, height }: Rectangle,
  ) {
    const bytes = this.#memory.bytes;
    const { from, to, stride, frameStride } = plane;
    // Whole rows, because the rest of them is as in the last frame.
    if (stride === frameStride) {
      frame.set(bytes.subarray(from + y * stride, from + (y + height) * stride), to + y * stride);
      return;
    }
    for (let row = y; row < y + height; row++) {
      const at = from + row * stride + x;
      frame.set(bytes.subarray(at, at + width), to + row * frameStride + x);
    }
  }

  #offset(x: number, y: number, stride: number, scale: number): number {
    return (y + BORDER / scale) * stride + x + BORDER / scale;
  }

  /** A session's planes paired with the base's. */
  #pairs(planes: Planes) {
    const stride = this.width + 2 * BORDER;
    const bytes = stride * (this.height + 2 * BORDER);
    const full = { stride, bytes, scale: 1 };
    const half = { stride: stride / 2, bytes: bytes / 4, scale: 2 };
    return [
      { at: planes.y, from: this.#base.y, ...full },
      { at: planes.a, from: this.#base.a, ...full },
      { at: planes.u, from: this.#base.u, ...half },
      { at: planes.v, from: this.#base.v, ...half },
      { at: planes.halfA, from: this.#base.halfA, ...half },
    ];
  }

  #putFramed(base: Face['base']) {
    const stride = this.width + 2 * BORDER;
    const rows = this.height + 2 * BORDER;
    for (const name of ['y', 'a', 'u', 'v'] as const) {
      this.#memory.bytes.set(base[name], this.#base[name]);
      this.warp.bias(this.#base[name], base[name].length);
    }
    this.warp.halvePlane(this.#base.halfA, this.#base.a, stride, rows);
  }

  #sprite(sprite: Unpacking): Sprite {
    let laidOutSprite: Fitted | undefined;
    const put = (difference: Difference) => (laidOutSprite ??= this.#putDifference(difference));
    this.#waiting.push({
      unpack: async () => laidOutSprite ?? put(await sprite.unpack()),
    });
    return {
      get fitted() {
        return laidOutSprite ?? put(sprite.unpackNow());
      },
    };
  }

  #putDifference(difference: Difference): Fitted {
    const { area, y, a, u, v } = isWhole(this.#face, this.view)
      ? difference
      : framedDifference(difference, this.view, this);
    const colour = { area, y: this.#memory.put(y), u: this.#memory.put(u), v: this.#memory.put(v) };
    if (!a) return { ...colour, a: 0, halfA: 0, alphaRows: { firstRow: 0, count: 0 } };
    const at = this.#memory.put(a);
    const halfA = this.#memory.claim(a.byteLength / 4);
    this.warp.halveDifference(halfA, at, area.width, area.height);
    const alphaRows = changingRows(a, area.width);
    const fitted = { ...colour, a: at, halfA, alphaRows };
    if (alphaRows.count > 0) this.#includeOutline(fitted);
    return fitted;
  }

  #setGrid(): CellMap {
    const { camera, pivot } = this.#face.manifest;
    const { view } = this;
    const table = nodeTable(this.#face, view, this);
    const nodeCount = table.length / 6;
    const cells = new CellMap(this.#memory, this, {
      farthestCells: Math.ceil((FARTHEST * this.zoom) / GRID_STEP) + 1,
      alphaStart: this.#offset(0, 0, this.width + 2 * BORDER, 1),
    });
    this.warp.setFace(
      this.width,
      this.height,
      this.#memory.put(table),
      nodeCount,
      cells.neededAt,
      cells.kindsAt,
      this.#memory.claim((this.width * this.height) / GRID_STEP ** 2),
      this.#memory.claim(nodeCount * 8 + 16),
      this.#memory.claim(nodeCount * 8 + 16),
    );
    const centre = sourceOf(view, camera.centreX, camera.centreY);
    this.warp.setCamera(camera.focal * view.scale, centre.x, centre.y, camera.distance, ...pivot);
    cells.include(this.#base.a, this.whole);
    return cells;
  }

  /** Draws the face also where this difference extends its outline. */
  #includeOutline(fitted: Fitted) {
    const planes = this.take();
    this.add(planes, fitted, 256);
    this.#cells.include(planes.a, within(fitted.area, this));
    this.giveBack(planes);
  }
}

const stepDown = (value: number) => Math.floor(Math.max(0, value) / DRAWN_STEP) * DRAWN_STEP;
const stepUp = (value: number) => Math.ceil(value / DRAWN_STEP) * DRAWN_STEP;

/** The rows with changes, aligned to even rows. */
function changingRows(plane: Int16Array, width: number): { firstRow: number; count: number } {
  let from = 0;
  let to = plane.length;
  while (from < to && plane[from] === 0) from++;
  while (to > from && plane[to - 1] === 0) to--;
  if (from === to) return { firstRow: 0, count: 0 };
  const firstRow = 2 * Math.floor(from / width / 2);
  return { firstRow, count: 2 * Math.ceil(to / width / 2) - firstRow };
}
