/*
 * rtc-node 0.13.35 throws when it disposes a handle that its engine has dropped before. The engine
 * does so with a room whose `connect` it has answered, if the process reacts 15 s later, as after a
 * pause of its machine; and, for a moment, with the tracks of a room that it closes. Such a handle
 * has nothing left to release.
 */

export type Handle = { dispose(): void };

const MESSAGE = 'trying to drop an invalid handle';

/** Garbage collection throws such errors as well, which only the process can catch. */
export const isOfDroppedHandle = (error: unknown): boolean =>
  error instanceof Error && error.message === MESSAGE;

/** May be called twice. */
export function release(handle: Handle): void {
  try {
    handle.dispose();
  } catch (error) {
    if (!isOfDroppedHandle(error)) throw error;
  }
}
