import { constants, getPriority, setPriority } from 'node:os';

const WATCH_EVERY_MS = 20;
const MIB = 1024 ** 2;

/**
 * Makes this process a child that ends with its parent, and that running sessions have priority
 * over. Calls `exceed` at most every 20 ms while it takes more memory, buffers included. Returns
 * what ends that watch.
 */
export function boundChild(memoryMiB: number, exceed: () => void): () => void {
  // A parent that is nicer already may not have its priority raised.
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  process.on('disconnect', () => process.exit());
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryMiB * MIB) exceed();
  }, WATCH_EVERY_MS);
  return () => clearInterval(watch);
}
