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

/** With the same sessions at both times. */
export function judgeMemory(name: string, before: Footprint, after: Footprint): Outcome[] {
  const others = atMost(
    `other open files of ${name}`,
    othersIn(after.files),
    othersIn(before.files) + HANDLE_ROOM,
  );
  return [
    atMost(`heap of ${name}`, after.heapMb, before.heapMb * HEAP_GROWTH + HEAP_ROOM_MB, ' MB'),
    atMost(`memory of ${name}`, after.residentMb, before.residentMb * RESIDENT_GROWTH, ' MB'),
    atMost(`handles of ${name}`, after.handles, before.handles + HANDLE_ROOM),
    { ...others, ...(!others.holds && { note: changesOf(before.files, after.files) }) },
  ];
}

/**
 * Without a session at either time: a room's sockets depend on the other rooms of its worker. The media engine gives a room 5, and 28 more
 * as soon as another one joins, until it is left.
 */
export const judgeSockets = (name: string, before: Footprint, after: Footprint): Outcome =>
  atMost(`open sockets of ${name}`, socketsIn(after), socketsIn(before) + HANDLE_ROOM);

const socketsIn = ({ files }: Footprint): number => files['socket'] ?? 0;

const othersIn = (files: Footprint['files']): number =>
  Object.entries(files).reduce((sum, [kind, count]) => (kind === 'socket' ? sum : sum + count), 0);

const changesOf = (before: Footprint['files'], after: Footprint['files']): string =>
  Object.entries(after)
    .filter(([kind, count]) => kind !== 'socket' && count !== before[kind])
    .map(([kind, count]) => `${kind}: ${before[kind] ?? 0} before, ${count} after`)
    .join('; ');
