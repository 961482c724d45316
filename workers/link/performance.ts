import type { EndReason } from '#shared/end-reasons.ts';
import type { Assign } from '#protocol/gateway-messages.ts';

/** One session as a worker performs it, from the assignment until it has left the room. Slots owns it and closes it. */
export interface Performance {
  /** The face's first frame was sent. Stays pending when the session ends before. */
  readonly started: Promise<void>;
  /** Resolves once, when the session is over here, whoever ended it. A rejection is a bug: it is logged and reported as `worker_lost`. */
  readonly ended: Promise<EndReason>;
  /** Leave the room in good order; `ended` resolves with `reason` unless another reason came first. */
  end(reason: EndReason): void;
  /** Leave at once: another worker performs this session, or nobody should. Nothing is reported. */
  drop(): void;
  /** Waits until nothing of it is alive. May be called twice. */
  close(): Promise<void>;
}

/**
 * Begins to perform and returns at once; joining the room goes on behind it. Throws when the assignment cannot be taken: it is then refused.
 * `onRenewed` is to be called with each room token that lasts longer than the one before.
 */
export type Perform = (assign: Assign, onRenewed: (token: string) => void) => Performance;
