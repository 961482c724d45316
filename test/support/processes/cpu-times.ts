import { existsSync, readFileSync } from 'node:fs';

/**
 * CPU time of the whole machine since its start, in hundredths of a second. `stolen`: what its host gave to other guests; `busy` contains it,
 * but not interrupts, which belong to no process.
 */
export type CpuTimes = { stolen: number; busy: number; all: number };

/** Null where the system does not report them. */
export function cpuTimes(): CpuTimes | null {
  if (!existsSync('/proc/stat')) return null;
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
  if (!line) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] = line
    .split(' ')
    .map(Number);
  const busy = user + nice + system + stolen;
  return { stolen, busy, all: busy + idle + wait + irq + soft };
}
