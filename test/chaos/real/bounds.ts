/* How long a session and its picture may wait. A longer absence is a violation. */
import { PATIENCE_MS } from '../../support/patience.ts';

export type Bounds = {
  /** Without a fault that stops the picture: late frames of decoders and single-core machines. */
  steadyMs: number;
  /** After `kill -9` of the worker, which closes its connections at once. */
  killedMs: number;
  /** After SIGSTOP of the worker, which shows only by its silence. */
  silentMs: number;
  /** During the handover of a drained worker. */
  handedOverMs: number;
  /** Additional time if a control plane or Redis is down at the same time. */
  togetherMs: number;
  /** From the request to a new session's first frame, even if a worker answers too late. */
  firstFrameMs: number;
  /** From speech that was sent to its sound at the viewer, and to its report. */
  heardMs: number;
  /** From the last end to free slots, and from a fault to equal counts at all control planes. */
  settledMs: number;
};

/** For runs that judge time: a lost avatar waits up to 15 s for a free slot. */
export const LIMITS: Bounds = {
  steadyMs: 1_500,
  killedMs: 5_000,
  silentMs: 4_000,
  handedOverMs: 1_500,
  togetherMs: 15_000,
  firstFrameMs: 10_000,
  heardMs: 8_000,
  settledMs: 30_000,
};

/** For tests, which judge that all of it happens, on any machine. */
export const PATIENT: Bounds = {
  steadyMs: PATIENCE_MS,
  killedMs: PATIENCE_MS,
  silentMs: PATIENCE_MS,
  handedOverMs: PATIENCE_MS,
  togetherMs: PATIENCE_MS,
  firstFrameMs: PATIENCE_MS,
  heardMs: PATIENCE_MS,
  settledMs: PATIENCE_MS,
};
