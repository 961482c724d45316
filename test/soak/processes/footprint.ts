/* Memory and handles of a process, before and after the disturbances. */
import { atMost, type Outcome } from '../outcomes.ts';

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
export function judgeMemory(name: string, start: Footprint, end: Footprint): Outcome[] {
  const otherFiles = atMost(
    `other open files of ${name}`,
    othersIn(end.files),
    othersIn(start.files) + HANDLE_ROOM,
  );
  return [
    atMost(`heap of ${name}`, end.heapMb, start.heapMb * HEAP_GROWTH + HEAP_ROOM_MB, ' MB'),
    atMost(`memory of ${name}`, end.residentMb, start.residentMb * RESIDENT_GROWTH, ' MB'),
    atMost(`handles of ${name}`, end.handles, start.handles + HANDLE_ROOM),
    { ...otherFiles, ...(!otherFiles.holds && { note: changesOf(start.files, end.files) }) },
  ];
}

/**
 * Without a session at either time: a room's sockets depend on the other rooms of its worker. The
 * media engine gives a room 5, and 28 more as soon as another one joins, until it is left.
 * Measured with eight sessions, opened and ended three times: 10 sockets without a room, 15, 48
 * and 81 with one to three rooms, and 10 again after each end; other files stay at 39.
 */
export const judgeSockets = (name: string, start: Footprint, end: Footprint): Outcome =>
  atMost(`open sockets of ${name}`, socketsIn(end), socketsIn(start) + HANDLE_ROOM);

const socketsIn = ({ files }: Footprint): number => files['socket'] ?? 0;

const othersIn = (files: Footprint['files']): number =>
  Object.entries(files).reduce((sum, [kind, count]) => (kind === 'socket' ? sum : sum + count), 0);

const changesOf = (start: Footprint['files'], end: Footprint['files']): string =>
  Object.entries(end)
    .filter(([kind, count]) => kind !== 'socket' && count !== start[kind])
    .map(([kind, count]) => `${kind}: ${start[kind] ?? 0} before, ${count} after`)
    .join('; ');
