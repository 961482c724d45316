import { GRID_STEP, type Rectangle } from '../../bundle/format.ts';
import type { Difference, Face } from '../../bundle/open-bundle.ts';
import { cellKinds, neededNodes, nodeTable } from './grid.ts';
import { BORDER, claimPlanes, type Planes, putPlanes } from './planes.ts';
import { type Warp, WarpMemory } from './warp-memory.ts';

/** Drawn areas are aligned to two grid cells, because chroma has half the resolution. */
const DRAWN_STEP = 2 * GRID_STEP;

/** A difference in WebAssembly memory. Only `alphaRows` change the outline. */
export type Fitted = Planes & {
  area: Difference['area'];
  alphaRows: { firstRow: number; count: number };
};

const laidOut = new WeakMap<Face, FaceMemory>();

/** The one FaceMemory of an opened face. */
export function memoryOf(face: Face): FaceMemory {
  const sharedMemory = laidOut.get(face);
  if (sharedMemory) return sharedMemory;
  const memory = new FaceMemory(face);
  laidOut.set(face, memory);
  return memory;
}

/**
 * A face in the memory of its own WebAssembly instance. The face is laid out once per process; each
 * session takes its own planes, which hold the face as it looks now, and gives them back at its
 * end. Planes have a border, so that the warp needs no bounds checks. The memory lives as long as
 * the open face.
 */
export class FaceMemory {
  readonly warp: Warp;
  readonly width: number;
  readonly height: number;
  readonly mouths: Fitted[];
  readonly eyes: Fitted[];
  readonly #memory = new WarpMemory();
  readonly #base: Planes;
  readonly #background: number;
  readonly #picture: number;
  readonly #free: Planes[] = [];

  constructor(face: Face) {
    this.warp = this.#memory.warp;
    this.width = face.manifest.width;
    this.height = face.manifest.height;

    this.#background = this.#memory.put(face.background);
    this.#picture = this.#memory.claim(face.background.length);
    this.#base = claimPlanes(this.#memory, face.manifest);
    putPlanes(this.#memory, this.#base, face.base, face.manifest);
    this.mouths = face.mouths.map(({ difference }) => this.#putDifference(difference));
    this.eyes = face.eyes.map(({ difference }) => this.#putDifference(difference));
    this.#setGrid(face);
  }

  /** WebAssembly memory of this face and all its sessions. */
  get byteLength(): number {
    return this.#memory.bytes.byteLength;
  }

  /** Planes for one session, with the face at rest. */
  take(): Planes {
    const planes = this.#free.pop() ?? claimPlanes(this.#memory, this);
    for (const { at, from, bytes } of this.#pairs(planes))
      this.#memory.bytes.copyWithin(at, from, from + bytes);
    return planes;
  }

  giveBack(planes: Planes) {
    this.#free.push(planes);
  }

  /** Resets a rectangle of a session's planes to the face at rest. */
  restore(planes: Planes, { x, y, width, height }: Difference['area']) {
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
   * given.
   */
  draw(planes: Planes, frame: Uint8Array, area: Rectangle = this.#whole) {
    const { x, y, width, height } = area;
    const planeStart = this.#offset(0, 0, this.width + 2 * BORDER, 1);
    const halfPlaneStart = this.#offset(0, 0, this.width / 2 + BORDER, 2);
    this.warp.warp(
      planes.y + planeStart,
      planes.a + planeStart,
      planes.u + halfPlaneStart,
      planes.v + halfPlaneStart,
      planes.halfA + halfPlaneStart,
      this.#background,
      this.#picture,
      x / GRID_STEP,
      y / GRID_STEP,
      (x + width) / GRID_STEP,
      (y + height) / GRID_STEP,
    );
    const pixels = this.width * this.height;
    this.#copyRows(frame, 0, this.width, { x, y, width, height });
    for (const plane of [pixels, 1.25 * pixels])
      this.#copyRows(frame, plane, this.width / 2, halfOf(area));
  }

  /** The part of a frame that a difference in `area` may change in any pose, aligned for `draw`. */
  reachOf({ x, y, width, height }: Rectangle): Rectangle {
    const farthest = (BORDER * this.width) / 512;
    const [leftX, topY] = [stepDown(x - farthest), stepDown(y - farthest)];
    return {
      x: leftX,
      y: topY,
      width: Math.min(this.width, stepUp(x + width + farthest)) - leftX,
      height: Math.min(this.height, stepUp(y + height + farthest)) - topY,
    };
  }

  get #whole(): Rectangle {
    return { x: 0, y: 0, width: this.width, height: this.height };
  }

  #copyRows(frame: Uint8Array, plane: number, stride: number, { x, y, width, height }: Rectangle) {
    const bytes = this.#memory.bytes;
    const from = this.#picture + plane;
    if (width === stride) {
      const at = plane + y * stride;
      frame.set(bytes.subarray(from + y * stride, from + (y + height) * stride), at);
      return;
    }
    for (let row = y; row < y + height; row++) {
      const at = row * stride + x;
      frame.set(bytes.subarray(from + at, from + at + width), plane + at);
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

  #putDifference({ area, y, a, u, v }: Difference): Fitted {
    const colour = { area, y: this.#memory.put(y), u: this.#memory.put(u), v: this.#memory.put(v) };
    if (!a) return { ...colour, a: 0, halfA: 0, alphaRows: { firstRow: 0, count: 0 } };
    const at = this.#memory.put(a);
    const halfA = this.#memory.claim(a.byteLength / 4);
    this.warp.halveDifference(halfA, at, area.width, area.height);
    return { ...colour, a: at, halfA, alphaRows: changingRows(a, area.width) };
  }

  #setGrid(face: Face) {
    const { width, height, camera, pivot } = face.manifest;
    const table = nodeTable(face);
    const nodeCount = table.length / 6;
    const cells = (width * height) / GRID_STEP ** 2;
    const kindsAt = this.#memory.claim(cells);
    const neededAt = this.#memory.claim(nodeCount);
    this.warp.setFace(
      width,
      height,
      this.#memory.put(table),
      nodeCount,
      neededAt,
      kindsAt,
      this.#memory.claim(cells),
      this.#memory.claim(nodeCount * 8 + 16),
      this.#memory.claim(nodeCount * 8 + 16),
    );
    this.warp.setCamera(camera.focal, camera.centreX, camera.centreY, camera.distance, ...pivot);
    const { least, most } = this.#alphaOfCells(cells);
    const kinds = cellKinds(least, most, width / GRID_STEP, height / GRID_STEP);
    this.#memory.bytes.set(kinds, kindsAt);
    this.#memory.bytes.set(neededNodes(kinds, width / GRID_STEP, height / GRID_STEP), neededAt);
  }

  /** Minimum and maximum alpha - 128 in each cell, over all mouths and eyes. */
  #alphaOfCells(cells: number): { least: Int8Array; most: Int8Array } {
    const leastAt = this.#memory.put(new Int8Array(cells).fill(127));
    const mostAt = this.#memory.put(new Int8Array(cells).fill(-128));
    const planes = this.take();
    const alphaStart = planes.a + this.#offset(0, 0, this.width + 2 * BORDER, 1);
    const include = ({ x, y, width, height }: Difference['area']) =>
      this.warp.widen(alphaStart, x, y, width, height, leastAt, mostAt);
    include({ x: 0, y: 0, width: this.width, height: this.height });
    for (const fitted of [...this.mouths, ...this.eyes]) {
      if (fitted.alphaRows.count === 0) continue;
      this.add(planes, fitted, 256);
      include(fitted.area);
      this.restore(planes, fitted.area);
    }
    this.giveBack(planes);
    const copy = (at: number) => new Int8Array(this.#memory.bytes.slice(at, at + cells).buffer);
    return { least: copy(leastAt), most: copy(mostAt) };
  }
}

const stepDown = (value: number) => Math.floor(Math.max(0, value) / DRAWN_STEP) * DRAWN_STEP;
const stepUp = (value: number) => Math.ceil(value / DRAWN_STEP) * DRAWN_STEP;

const halfOf = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: x / 2,
  y: y / 2,
  width: width / 2,
  height: height / 2,
});

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
