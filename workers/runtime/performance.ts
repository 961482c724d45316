import type { EndReason } from '#protocol/end-reasons.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { OpenSegments } from '#protocol/worker-messages.ts';

/** What it needs for the session could not be had, and it was in no room yet: another worker may have it. */
export class CannotPerform extends Error {
  override readonly name = 'CannotPerform';
}

/** One session as a worker performs it, from the assignment until it has left the room. Slots owns it and closes it. */
export interface Performance {
  /** The face's first frame was sent. Stays pending when the session ends before. */
  readonly started: Promise<void>;
  /** Resolves once, when the session is over here, whoever ended it. A rejection with `CannotPerform` gives it back; any other is a bug: it is logged and reported as `worker_lost`. */
  readonly ended: Promise<EndReason>;
  /** How long before `ended` resolved that it was over for the people in the room; absent: it was only then. */
  readonly endedEarlierMs?: number;
  /** Pictures sent so far; absent: it shows none. */
  readonly framesShown?: number;
  /**
   * Another worker will take over: fall silent where no speech is cut, at the latest after `withinMs`, and stay so. Resolves then; with false
   * when the face is not in the room yet: it must not come any more.
   */
  release(withinMs: number): Promise<boolean>;
  /** Leave the room in good order; `ended` resolves with `reason` unless another reason came first. */
  end(reason: EndReason): void;
  /** Leave at once: another worker performs this session, or nobody should. Nothing is reported. */
  drop(): void;
  /** Waits until nothing of it is alive. May be called twice. */
  close(): Promise<void>;
}

/** What a performance says while it lasts. */
export type PerformanceListener = {
  /** The room gave a token that lasts longer than the one before. */
  renewed(token: string): void;
  /** How much was heard of each segment that the agent waits for, in seconds. Not called before the agent has sent a stream. */
  spoke(open: OpenSegments): void;
  /** Something for the flight record. */
  noted(happening: WorkerTimelineEvent): void;
};

/** Begins to perform and returns at once; joining the room goes on behind it. Throws when the assignment cannot be taken: it is then refused. */
export type Perform = (assign: Assign, listener: PerformanceListener) => Performance;
