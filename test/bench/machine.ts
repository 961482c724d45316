import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';

const TICKS_PER_SECOND = 100;

export type Busyness = {
  /** Load average of the last minute. */
  load: number;
  /**
   * Share of the last ten seconds in which a task waited for a processor; null if the system does
   * not report it.
   */
  pressure: number | null;
};

export type Machine = {
  cpu: string;
  threads: number;
  memoryGb: number;
  kernel: string;
  node: string;
};

export const describeMachine = (): Machine => ({
  cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
  threads: os.cpus().length,
  memoryGb: Math.round(os.totalmem() / 2 ** 30),
  kernel: `${os.type()} ${os.release()} ${os.arch()}`,
  node: process.version,
});

export function busyness(): Busyness {
  let pressure: number | null = null;
  try {
    const share = /some avg10=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    pressure = share === undefined ? null : Number(share) / 100;
  } catch {
    // Some kernels do not report it.
  }
  return { load: os.loadavg()[0]!, pressure };
}

/** CPU seconds used by a process. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Proportional set size (PSS) of a process, in MB. */
export async function pssMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024;
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};
