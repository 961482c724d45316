/*
 * Limits for interruptions of a session's picture at a viewer. A lost avatar is back within
 * seconds, after up to 15 s of waiting for a free slot. Runs are judged only by these figures.
 */

/**
 * Without a fault that stops the picture: allows only for late frames from decoders and single-core
 * machines.
 */
export const STEADY_MS = 1_500;

/** After `kill -9` of the worker, which closes its connections at once. */
export const KILLED_MS = 5_000;

/** After SIGSTOP of the worker, which shows only by its silence. */
export const SILENT_MS = 4_000;

/** During the handover of a drained worker. */
export const HANDED_OVER_MS = 1_500;

/** Additional time if a control plane or Redis is down at the same time. */
export const TOGETHER_MS = 15_000;

/**
 * From the request to the first frame of a new session, even if the first worker answers too late.
 */
export const FIRST_FRAME_MS = 10_000;

/** From the last end to all slots free, and from a fault to equal counts at every control plane. */
export const SETTLED_MS = 30_000;
