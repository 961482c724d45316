import { execFileSync } from 'node:child_process';

/** Rooms between two measurements; the first of them warms the process up. */
const STEP = 10;

type Resources = Record<'privateMb' | 'heapMb' | 'threads' | 'files', number>;

/** Growth of a worker's process for each room that it has left, in steps of ten rooms. */
export function growthByRooms(rooms: number): Record<keyof Resources, number[]> {
  const script = 'test/reproductions/rtc-node-room-growth.ts';
  const flags = ['--expose-gc', '--import', 'tsx', script, 'product', `${rooms}`];
  const report = execFileSync(process.execPath, flags, { encoding: 'utf8' });
  const steps = Array.from({ length: rooms / STEP }, (_, i) => heldAfter((i + 1) * STEP, report));
  const growth = (resource: keyof Resources) =>
    steps.slice(1).map((step, i) => (step[resource] - steps[i]![resource]) / STEP);
  return {
    privateMb: growth('privateMb'),
    heapMb: growth('heapMb'),
    threads: growth('threads'),
    files: growth('files'),
  };
}

function heldAfter(rooms: number, report: string): Resources {
  const line = report.split('\n').find((each) => each.trim().startsWith(`${rooms} rooms:`));
  const figure = (name: RegExp) => Number(name.exec(line ?? '')?.[1] ?? Number.NaN);
  return {
    privateMb: figure(/([\d.]+) MB private/),
    heapMb: figure(/heap ([\d.]+)/),
    threads: figure(/threads (\d+)/),
    files: figure(/files (\d+)/),
  };
}
