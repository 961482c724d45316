/*
 * How busy the machine is during a bench: in total (pressure), and by processes outside the bench
 * (others).
 */
import type { Load } from '../report/row.ts';
import { machineMs } from '../rpc.ts';
import { contents, processes, SeenTicks, ticksUnder } from './own-ticks.ts';

type Sample = { atMs: number; waitedUs: number | null; ticks: Ticks | null };
type Ticks = { busy: number; total: number; bench: number };

const LOOK_EVERY_MS = 1_000;

/** Call the returned function at the end. */
export function startLoad(): () => Load {
  const start = sample();
  const seenTicks = new SeenTicks(process.pid);
  const look = () => {
    if (start.ticks) seenTicks.look(processes());
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    return loadBetween(start, sample(), seenTicks.spent);
  };
}

/** `seenTicks`: of own processes, as they were seen in between. */
export function loadBetween(start: Sample, end: Sample, seenTicks = 0): Load {
  const pressure =
    start.waitedUs === null || end.waitedUs === null
      ? null
      : (end.waitedUs - start.waitedUs) / 1000 / (end.atMs - start.atMs);
  return { pressure, others: othersBetween(start.ticks, end.ticks, seenTicks) };
}

/** Mean of windows of about equal length. */
export function meanLoad(loads: Load[]): Load {
  const mean = (of: keyof Load) =>
    loads.reduce<number | null>((sum, load) => {
      const share = load[of];
      return sum === null || share === null ? null : sum + share / loads.length;
    }, 0);
  return { pressure: mean('pressure'), others: mean('others') };
}

function othersBetween(start: Ticks | null, end: Ticks | null, seenTicks: number): number | null {
  if (!start || !end || end.total <= start.total) return null;
  // Both miss something, and count nothing twice.
  const ownTicks = Math.max(end.bench - start.bench, seenTicks);
  const otherTicks = end.busy - start.busy - ownTicks;
  return Math.max(0, otherTicks) / (end.total - start.total);
}

const sample = (): Sample => ({ atMs: machineMs(), waitedUs: waitedUs(), ticks: ticks() });

function waitedUs(): number | null {
  const total = /some .*total=(\d+)/.exec(contents('/proc/pressure/cpu') ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

/** CPU time of the whole machine. `busy` has what its host gave to other guests, not interrupts. */
function ticks(): Ticks | null {
  const line = /^cpu +(.*)$/m.exec(contents('/proc/stat') ?? '')?.[1];
  if (!line) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] = line
    .split(' ')
    .map(Number);
  const busy = user + nice + system + stolen;
  const total = busy + idle + wait + irq + soft;
  return { busy, total, bench: ticksUnder(process.pid, processes()) };
}
