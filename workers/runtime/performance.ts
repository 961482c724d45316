import type { EndReason } from '#protocol/end-reasons.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Assign, ChangePicture } from '#protocol/worker/gateway-messages.ts';
import type { OpenSegments } from '#protocol/worker/worker-messages.ts';

/**
 * Something that the session needs is unavailable, and it has shown nothing in the room: another
 * worker may succeed.
 */
export class CannotPerform extends Error {
  override readonly name = 'CannotPerform';
}

/**
 * One session on a worker, from its assignment until it has left the room. Slots owns and closes
 * it.
 */
export interface Performance {
  /** Resolves with the first frame sent. Stays pending if the session ends before. */
  readonly started: Promise<void>;
  /**
   * Resolves once, when the session is over on this worker. A rejection with `CannotPerform`
   * returns the session to the gateway; any other rejection is a bug: it is logged and reported as
   * `worker_lost`.
   */
  readonly ended: Promise<EndReason>;
  /**
   * How long before `ended` resolved the session ended for the people in the room. Absent: at the
   * same time.
   */
  readonly endedEarlierMs?: number;
  /** More about the end than its reason, for the session's owner. Set before `ended` resolves. */
  readonly endDetail?: string | undefined;
  /** Frames sent so far. Absent for performances without video. */
  readonly framesShown?: number;
  /** A small JPEG of the last frame; null before the first. Absent without video. */
  still?(): Uint8Array | null;
  /** Changes framing, background or emotion. Absent without video. */
  changePicture?(change: Omit<ChangePicture, 'type' | 'placement'>): void;
  /**
   * Prepares a handover: falls silent at the next pause in speech, after `withinMs` at the latest,
   * and stays silent. Resolves then; to false if the session is not in the room yet, in which case
   * it must not join.
   */
  release(withinMs: number): Promise<boolean>;
  /** Leaves the room; `ended` resolves to `reason` unless another reason came first. */
  end(reason: EndReason): void;
  /** Leaves at once and reports nothing: another worker performs the session, or none should. */
  drop(): void;
  /** Resolves when all resources are released. May be called twice. */
  close(): Promise<void>;
}

/** Receives what a performance reports while it runs. */
export type PerformanceListener = {
  /** The room issued a token that expires later than the current one. */
  renewed(token: string): void;
  /**
   * Seconds played of each segment that the agent waits for. Not called before the agent has sent a
   * stream.
   */
  speechProgressed(open: OpenSegments): void;
  record(event: WorkerTimelineEvent): void;
};

/**
 * Starts a performance and returns at once; joining the room continues in the background. Throws to
 * refuse the assignment.
 */
export type Perform = (assign: Assign, listener: PerformanceListener) => Performance;
