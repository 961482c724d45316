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
/** Kept-alive connections of the soak itself. */
const HANDLE_ROOM = 10;
/** Pipes and events of threads that start with the first session: nine in a worker, eight in a control plane. */
const THREAD_FILES = 15;

/** With the same sessions at both times. */
export const judgeMemory = (name: string, before: Footprint, after: Footprint): Outcome[] => [
  atMost(`heap of ${name}`, after.heapMb, before.heapMb * HEAP_GROWTH + HEAP_ROOM_MB, ' MB'),
  atMost(`memory of ${name}`, after.residentMb, before.residentMb * RESIDENT_GROWTH, ' MB'),
  atMost(`handles of ${name}`, after.handles, before.handles + HANDLE_ROOM),
];

/**
 * Without a session at either time: a room's sockets depend on the other rooms of its worker. The media engine gives a room 5, and 28 more
 * as soon as another one joins, until it is left.
 */
export function judgeFiles(
  name: string,
  { files: before }: Footprint,
  { files: after }: Footprint,
): Outcome[] {
  const most = (before['socket'] ?? 0) + HANDLE_ROOM;
  const others = atMost(
    `other open files of ${name}`,
    othersIn(after),
    othersIn(before) + THREAD_FILES,
  );
  return [
    atMost(`open sockets of ${name}`, after['socket'] ?? 0, most),
    { ...others, ...(!others.holds && { note: changesOf(before, after) }) },
  ];
}

const othersIn = (files: Footprint['files']): number =>
  Object.entries(files).reduce((sum, [kind, count]) => (kind === 'socket' ? sum : sum + count), 0);

const changesOf = (before: Footprint['files'], after: Footprint['files']): string =>
  Object.entries(after)
    .filter(([kind, count]) => count !== before[kind])
    .map(([kind, count]) => `${kind}: ${before[kind] ?? 0} before, ${count} after`)
    .join('; ');
