import type { Expression } from '../../bundle/expressions.ts';
import type { Rectangle } from '../../bundle/format.ts';
import type { Face } from '../../bundle/open-bundle.ts';
import { merged } from './areas.ts';
import { type Backdrop, backdropI420, nothingBehind } from './backdrop.ts';
import { type FaceMemory, memoryOf, type SessionPlanes } from './face.ts';
import { type Look, Looks } from './looks.ts';
import { fieldArguments, type Pose } from './pose.ts';
import type { View } from './view.ts';

/** A session's copy of a face in one view: the sprites that it shows now, and what is behind. */
export class ShownFace {
  readonly view: View;
  readonly #memory: FaceMemory;
  /** By expression in the bundle. */
  readonly #looks: ReadonlyMap<Expression, Looks>;
  readonly #planes: SessionPlanes;
  #fitted: Look[] = [];
  #isClosed = false;

  constructor(face: Face, view: View) {
    this.view = view;
    this.#memory = memoryOf(face, view);
    const expressions = new Set(face.mouths.map(({ expression }) => expression));
    this.#looks = new Map(
      [...expressions].map((each) => [each, new Looks(face, this.#memory, each)] as const),
    );
    this.#planes = this.#memory.take();
    // A sprite that cannot be unpacked fails the frame that needs it.
    this.#memory.warm().catch(() => {});
  }

  /** Size of the head compared to the one for which movements are tuned. */
  get zoom(): number {
    return this.#memory.zoom;
  }

  /** Undefined for an expression that the bundle lacks. */
  looksOf(expression: Expression): Looks | undefined {
    return this.#looks.get(expression);
  }

  setBackdrop(backdrop: Backdrop): void {
    this.#memory.setBackground(this.#planes, this.backdrop(backdrop));
  }

  /** Draws the face so that a backdrop can be laid behind it later. */
  clearBackground(): void {
    this.#memory.setBackground(this.#planes, nothingBehind(this.#memory));
  }

  /** As I420 of `size`; null: the face's own room. */
  backdrop(backdrop: Backdrop): Uint8Array | null {
    return backdropI420(backdrop, this.#memory, () => this.#memory.ownRoom());
  }

  /** The view's size, rounded up for the warp's grid. */
  get size(): { width: number; height: number } {
    return this.#memory;
  }

  /**
   * Removes all fitted regions before it fits the new ones, because regions overlap. Returns the
   * areas of the frame that may change.
   */
  fit(looks: Look[]): Rectangle[] {
    const changed = [
      ...this.#fitted.filter((look) => isNew(look, looks)),
      ...looks.filter((look) => isNew(look, this.#fitted)),
    ];
    if (changed.length === 0) return [];
    for (const { fitted } of this.#fitted) this.#memory.restore(this.#planes, fitted.area);
    for (const { fitted, weight } of looks) this.#memory.add(this.#planes, fitted, weight);
    this.#fitted = looks;
    return merged(changed.map(({ fitted }) => this.#memory.reachOf(fitted.area)));
  }

  /** Draws the whole frame in a pose. */
  draw(pose: Pose, frame: Uint8Array, hasOpacity: boolean): void {
    this.#memory.warp.field(...fieldArguments(pose, this.zoom));
    this.#memory.draw(this.#planes, frame, { hasOpacity });
  }

  /**
   * Draws in the last frame what has changed: `areas`, and all that moved by `heldPx` or more
   * (null: nothing moved). Returns false if nothing was drawn.
   */
  redraw(
    pose: Pose,
    frame: Uint8Array,
    {
      areas,
      heldPx,
      hasOpacity,
    }: { areas: Rectangle[]; heldPx: number | null; hasOpacity: boolean },
  ): boolean {
    this.#memory.warp.field(...fieldArguments(pose, this.zoom));
    for (const area of areas) this.#memory.draw(this.#planes, frame, { area, hasOpacity });
    if (heldPx === null) return areas.length > 0;
    const area = this.#memory.figure;
    const hasMoved = this.#memory.draw(this.#planes, frame, { area, heldPx, hasOpacity });
    return hasMoved || areas.length > 0;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#memory.giveBack(this.#planes);
  }
}

const isNew = ({ fitted, weight }: Look, among: Look[]) =>
  fitted.area.width > 0 && !among.some((look) => look.fitted === fitted && look.weight === weight);
