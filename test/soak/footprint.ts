/* Memory and handles of a process, before and after the disturbances. */
import { atMost, type Outcome } from './outcomes.ts';

/** `heapMb`: after garbage collection. `files`: open ones by kind, as sockets and pipes. */
export type Footprint = {
  heapMb: number;
  residentMb: number;
  handles: number;
  files: Record<string, number>;
};

/** Code that is compiled later, and caches. */
const HEAP_GROWTH = 1.25;
const HEAP_ROOM_MB = 10;
/** The allocator keeps what a burst needed. */
const RESIDENT_GROWTH = 1.5;
/**
 * Kept-alive connections of the soak itself. Media add nothing: a worker has 49 files without a session, 54 with one, and 33 more for each
 * other one at the same time, but as many sessions run at both measurements.
 */
const HANDLE_ROOM = 10;

export function judgeFootprint(name: string, before: Footprint, after: Footprint): Outcome[] {
  const files = atMost(
    `open files of ${name}`,
    countOf(after.files),
    countOf(before.files) + HANDLE_ROOM,
  );
  return [
    atMost(`heap of ${name}`, after.heapMb, before.heapMb * HEAP_GROWTH + HEAP_ROOM_MB, ' MB'),
    atMost(`memory of ${name}`, after.residentMb, before.residentMb * RESIDENT_GROWTH, ' MB'),
    atMost(`handles of ${name}`, after.handles, before.handles + HANDLE_ROOM),
    { ...files, ...(!files.holds && { note: changesOf(before.files, after.files) }) },
  ];
}

const countOf = (files: Footprint['files']): number =>
  Object.values(files).reduce((sum, count) => sum + count, 0);

const changesOf = (before: Footprint['files'], after: Footprint['files']): string =>
  Object.entries(after)
    .filter(([kind, count]) => count !== before[kind])
    .map(([kind, count]) => `${kind}: ${before[kind] ?? 0} before, ${count} after`)
    .join('; ');
