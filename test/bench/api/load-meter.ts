/*
 * How busy the machine is during a bench: in total (pressure), and by processes outside the bench
 * (others).
 */
import type { Load } from '../report/row.ts';
import { machineMs } from '../rpc.ts';
import { contents, processes, SeenTicks, ticksUnder } from './own-ticks.ts';

type Sample = { atMs: number; waitedUs: number | null; ticks: Ticks | null };
type Ticks = { busy: number; all: number; own: number };

const LOOK_EVERY_MS = 1_000;

/** Call the returned function at the end. */
export function startLoad(): () => Load {
  const before = sample();
  const seenTicks = new SeenTicks(process.pid);
  const look = () => {
    if (before.ticks) seenTicks.look(processes());
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    return loadBetween(before, sample(), seenTicks.spent);
  };
}

/** `seenTicks`: of own processes, as they were seen in between. */
export function loadBetween(before: Sample, after: Sample, seenTicks = 0): Load {
  const pressure =
    before.waitedUs === null || after.waitedUs === null
      ? null
      : (after.waitedUs - before.waitedUs) / 1000 / (after.atMs - before.atMs);
  return { pressure, others: othersBetween(before.ticks, after.ticks, seenTicks) };
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

function othersBetween(
  before: Ticks | null,
  after: Ticks | null,
  seenTicks: number,
): number | null {
  if (!before || !after || after.all <= before.all) return null;
  // Both miss something, and count nothing twice.
  const ownTicks = Math.max(after.own - before.own, seenTicks);
  const otherTicks = after.busy - before.busy - ownTicks;
  return Math.max(0, otherTicks) / (after.all - before.all);
}

const sample = (): Sample => ({ atMs: machineMs(), waitedUs: waitedUs(), ticks: ticks() });

function waitedUs(): number | null {
  const total = /some .*total=(\d+)/.exec(contents('/proc/pressure/cpu') ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

/** CPU time of the whole machine since its start. `busy` contains what its host gave to other guests, but not interrupts. */
function ticks(): Ticks | null {
  const line = /^cpu +(.*)$/m.exec(contents('/proc/stat') ?? '')?.[1];
  if (!line) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] = line
    .split(' ')
    .map(Number);
  const busy = user + nice + system + stolen;
  const total = busy + idle + wait + irq + soft;
  return { busy, all: total, own: ticksUnder(process.pid, processes()) };
}
