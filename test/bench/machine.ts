import { readFile } from 'node:fs/promises';
import { machineMs } from './rpc.ts';

const TICKS_PER_SECOND = 100;

/** Over this the machine was too busy with other things for the figure to prove anything. */
export const PRESSURE_MAX = 0.3;

/** Share of the time in which something waited for a processor; null where the system does not say. */
export async function startPressure(): Promise<() => Promise<number | null>> {
  const from = await waitedUs();
  const at = machineMs();
  return async () => {
    const until = await waitedUs();
    return from === null || until === null ? null : (until - from) / 1000 / (machineMs() - at);
  };
}

async function waitedUs(): Promise<number | null> {
  try {
    const text = await readFile('/proc/pressure/cpu', 'utf8');
    return Number(/some .*total=(\d+)/.exec(text)?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}

/** Processor seconds that a process has used. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Memory in MB that is a process's own, with its part of what it shares. */
export async function pssMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024;
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};
