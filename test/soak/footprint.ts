/* Memory and handles of a process, before and after the disturbances. */
import { atMost, type Outcome } from './outcomes.ts';

/** `heapMb`: after garbage collection. `files` include sockets. */
export type Footprint = { heapMb: number; residentMb: number; handles: number; files: number };

/** Code that is compiled later, and caches. */
const HEAP_GROWTH = 1.25;
const HEAP_ROOM_MB = 10;
/** The allocator keeps what a burst needed. */
const RESIDENT_GROWTH = 1.5;
/** Kept-alive connections of the soak itself. */
const HANDLE_ROOM = 10;

export function judgeFootprint(name: string, before: Footprint, after: Footprint): Outcome[] {
  return [
    atMost(`heap of ${name}`, after.heapMb, before.heapMb * HEAP_GROWTH + HEAP_ROOM_MB, ' MB'),
    atMost(`memory of ${name}`, after.residentMb, before.residentMb * RESIDENT_GROWTH, ' MB'),
    atMost(`handles of ${name}`, after.handles, before.handles + HANDLE_ROOM),
    atMost(`open files of ${name}`, after.files, before.files + HANDLE_ROOM),
  ];
}
