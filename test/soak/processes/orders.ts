/* Requests to `process-probe.ts`, one JSON object a line. Each is answered by a line. */
import path from 'node:path';

export type Order =
  /** The wall clock is the true time plus `offsetMs`. Monotonic time and timers do not change. */
  | { type: 'clock'; offsetMs: number }
  /** While broken, no name is resolved. */
  | { type: 'names'; areBroken: boolean }
  /** Collects garbage first. */
  | { type: 'measure' };

export type Measured = { heapMb: number; residentMb: number; handles: number };

export const socketOf = (folder: string, pid: number): string => path.join(folder, `${pid}.sock`);
