/*
 * How busy the machine is during a bench: in total (pressure), and by processes outside the bench
 * (others).
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Load } from '../report/row.ts';
import { machineMs } from '../rpc.ts';

type Process = { pid: number; parent: number; ticks: number };
type Sample = { atMs: number; waitedUs: number | null; ticks: Ticks | null };
type Ticks = { busy: number; all: number; own: number };

/** Call the returned function at the end. */
export function startLoad(): () => Load {
  const before = sample();
  return () => loadBetween(before, sample());
}

export function loadBetween(before: Sample, after: Sample): Load {
  const pressure =
    before.waitedUs === null || after.waitedUs === null
      ? null
      : (after.waitedUs - before.waitedUs) / 1000 / (after.atMs - before.atMs);
  return { pressure, others: othersBetween(before.ticks, after.ticks) };
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

/**
 * CPU ticks of `root` and all its descendants. A parent's ticks include those of its reaped
 * children.
 */
export function ticksUnder(root: number, processes: Process[]): number {
  const isOwn = new Set([root]);
  for (let before = 0; before < isOwn.size;) {
    before = isOwn.size;
    for (const { pid, parent } of processes) if (isOwn.has(parent)) isOwn.add(pid);
  }
  return processes.reduce((sum, { pid, ticks }) => sum + (isOwn.has(pid) ? ticks : 0), 0);
}

function othersBetween(before: Ticks | null, after: Ticks | null): number | null {
  if (!before || !after || after.all <= before.all) return null;
  const others = after.busy - before.busy - (after.own - before.own);
  return Math.max(0, others) / (after.all - before.all);
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

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    // A process may exit while the folder is read.
    const stat = /^\d+$/.test(name) ? contents(`/proc/${name}/stat`) : null;
    if (!stat) return [];
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
  });
}

function contents(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
