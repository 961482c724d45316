/*
 * How long the picture of a session may be away at a viewer: a lost face is back within seconds, after up to 15 s of waiting for a
 * free slot. A run is judged by these figures only.
 */

/** Without a fault that stops it: decoders and a machine with one core make frames late, nothing else may. */
export const STEADY_MS = 1_500;

/** After `kill -9` of the worker, whose connections then close at once. */
export const KILLED_MS = 5_000;

/** After SIGSTOP of the worker: only its silence shows it. */
export const SILENT_MS = 4_000;

/** While a drained worker hands the face over. */
export const HANDED_OVER_MS = 1_500;

/** How much longer while a control plane or Redis is away at the same moment. */
export const TOGETHER_MS = 15_000;

/** From the request to the first frame of a new session, also when the first worker answers too late. */
export const FIRST_FRAME_MS = 10_000;

/** From the last end to all slots free, and from a fault to counts that agree at every control plane. */
export const SETTLED_MS = 30_000;
