import type { Framing } from '#protocol/pictures/frames.ts';
import type { Backdrop } from './backdrop.ts';

/** The parts of the picture that move. */
export type Movement = 'all' | 'mouth' | 'nothing';

/** Bytes of one I420 frame. */
export const frameBytes = ({ width, height }: { width: number; height: number }): number =>
  (width * height * 3) / 2;

/**
 * Turns the speech of one session into frames. All times are media time: milliseconds on the
 * session's clock, which paces audio and video. Speech arrives before it is played: up to about 600
 * ms early if the agent sends it ahead, by its cushion if it comes in real time.
 */
export interface Performer {
  /**
   * Takes 16-bit mono speech at `HEARING_RATE`, played from `atMs`. A gap between two runs is
   * silence.
   */
  hear(samples: Int16Array, atMs: number): void;
  /** Cancels speech from `atMs` on: the mouth closes at its natural speed. */
  hush(atMs: number): void;
  /** Sets whether the avatar listens. Absent if listening looks like idling. */
  attend?(isListening: boolean): void;
  /**
   * Sets the emotion, in the agent's words; unknown words are ignored. Absent if the avatar has no
   * expressions.
   */
  feel?(emotion: string): void;
  /** Moves smoothly to another framing. Absent: a performer with one framing. */
  frame?(framing: Framing): void;
  /**
   * Changes what is behind the avatar, not to or from `transparent`. Absent: a performer that
   * always shows the same.
   */
  place?(backdrop: Backdrop): void;
  /**
   * Sets what moves, to save CPU time; at first everything. With `nothing`, the mouth shuts and no
   * speech is analysed. Absent: a performer that always moves.
   */
  move?(movement: Movement): void;
  /**
   * Writes the frame for `atMs` as packed I420 into `frame`. Pass the buffer of the last call
   * unmodified, or any other buffer, which is then overwritten. Returns false if nothing was drawn,
   * as the frame equals the last one. Times must not decrease.
   */
  draw(atMs: number, frame: Uint8Array): boolean;
  close(): void;
}
