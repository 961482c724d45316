import { trackOf } from '#protocol/pictures/frames.ts';
import type { Video } from '#protocol/worker/gateway-messages.ts';
import type { Quality } from '#protocol/qualities.ts';
import { frameBytes, type Movement, type Performer } from '../performer/performer.ts';
import type { PictureSize, Transport } from '../transport/transport.ts';
import { HalfPicture } from './half-picture.ts';

type Rung = {
  /** A frame is shown at every this many ticks. */
  every: number;
  isSmall: boolean;
  moves: Movement;
};

const RUNGS: Record<Quality, Rung> = {
  full: { every: 1, isSmall: false, moves: 'all' },
  fewer_frames: { every: 2, isSmall: false, moves: 'all' },
  smaller_picture: { every: 2, isSmall: true, moves: 'all' },
  mouth_only: { every: 2, isSmall: true, moves: 'mouth' },
  // Twice a second: a session that shows no frame for two seconds counts as stalled.
  still_picture: { every: 12, isSmall: true, moves: 'nothing' },
};

type SessionFramesParts = {
  video: Video;
  performer: Performer;
  transport: Pick<Transport, 'showFrame' | 'showsSmaller'>;
  /** Called after each frame shown, with the number of frames not shown since the last one. */
  onShown: (atMs: number, leftOut: number) => void;
};

/** Draws and shows the frames of one session at the current quality. */
export class SessionFrames {
  readonly #parts: SessionFramesParts;
  readonly #track: PictureSize;
  readonly #frame: Uint8Array;
  readonly #half: HalfPicture | null;
  #moves: Movement = 'all';
  /** Frames left out since the last shown one. Null before the first. */
  #leftOut: number | null = null;

  constructor(parts: SessionFramesParts) {
    this.#parts = parts;
    this.#track = trackOf(parts.video);
    this.#frame = new Uint8Array(frameBytes(this.#track));
    this.#half = parts.transport.showsSmaller ? new HalfPicture(this.#track) : null;
  }

  /** The last frame, whole, as I420. The next one overwrites it. */
  get last(): Uint8Array {
    return this.#frame;
  }

  /** The frame for `atMs` is due; `missed` ones before it were not shown. */
  tick(atMs: number, missed: number, quality: Quality): void {
    const { every, isSmall, moves } = RUNGS[quality];
    const leftOut = this.#leftOut === null ? null : this.#leftOut + missed;
    if (leftOut !== null && leftOut + 1 < every) {
      this.#leftOut = leftOut + 1;
      return;
    }
    this.#leftOut = 0;
    this.#draw(atMs, moves);
    this.#show(atMs, isSmall);
    this.#parts.onShown(atMs, leftOut ?? 0);
  }

  #draw(atMs: number, moves: Movement): void {
    const { performer } = this.#parts;
    if (moves !== this.#moves) performer.move?.(moves);
    this.#moves = moves;
    if (moves !== 'nothing' || performer.move) performer.draw(atMs, this.#frame);
  }

  #show(atMs: number, isSmall: boolean): void {
    const { transport } = this.#parts;
    if (isSmall && this.#half)
      transport.showFrame(this.#half.of(this.#frame), atMs, this.#half.size);
    else transport.showFrame(this.#frame, atMs, this.#track);
  }
}
