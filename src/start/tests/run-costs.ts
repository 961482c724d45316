import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from '#shared/clock.ts';

/**
 * Seconds of the CPU, user and system: of this process; of all children that it has waited for,
 * with those that they waited for; and of all programs of the machine since its start.
 */
export type Cpu = { own: number; waitedFor: number; machine: number };

const OWN = '/proc/self/stat';
const MACHINE = '/proc/stat';
/** Linux counts CPU time in hundredths of a second on every machine. */
const TICKS = 100;

/** Null where the system does not report it. */
export function readCpu(
  read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null),
): Cpu | null {
  const text = read(OWN);
  const machine = read(MACHINE);
  if (text === null || machine === null) return null;
  // The second field, a name in brackets, may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = fields
    .slice(11, 15)
    .map(Number);
  return {
    own: (user + system) / TICKS,
    waitedFor: (userOfChildren + systemOfChildren) / TICKS,
    machine: ofMachine(machine),
  };
}

function ofMachine(text: string): number {
  const [user = 0, nice = 0, system = 0] =
    /^cpu +(.*)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  return (user + nice + system) / TICKS;
}

/** Wall time and CPU time of each run of Vitest, and of all of `npm test`. */
export class RunCosts {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #read: () => Cpu | null;
  readonly #startedAt: number;
  readonly #machineAtStart: number;
  readonly #lines: string[] = [];
  /** CPU time of the children that have a line. */
  #waitedFor = 0;

  constructor(clock: Pick<Clock, 'elapsed'>, read: () => Cpu | null = readCpu) {
    this.#clock = clock;
    this.#read = read;
    this.#startedAt = clock.elapsed();
    this.#machineAtStart = read()?.machine ?? 0;
  }

  /**
   * Returns what to call at once when the run's process has exited: the system adds the CPU time of
   * a whole run at its exit, so the increase is that of this run, also while others go on.
   */
  begin(name: string): () => void {
    const startedAt = this.#clock.elapsed();
    this.#waitedFor = this.#read()?.waitedFor ?? 0;
    return () => {
      const cpu = this.#read();
      this.#lines.push(this.#line(startedAt, cpu && cpu.waitedFor - this.#waitedFor, name));
      this.#waitedFor = cpu?.waitedFor ?? 0;
    };
  }

  lines(): string[] {
    const cpu = this.#read();
    if (!cpu)
      return [
        'Wall time:',
        ...this.#lines,
        this.#line(this.#startedAt, null, 'all, with preparation'),
      ];
    return [
      'Wall time, and CPU time (user and system, without processes that outlived their parents):',
      ...this.#lines,
      this.#line(this.#startedAt, cpu.own + cpu.waitedFor, 'all, with preparation'),
      this.#line(
        this.#startedAt,
        cpu.machine - this.#machineAtStart,
        'the whole machine meanwhile',
      ),
    ];
  }

  #line(startedAt: number, cpu: number | null, name: string): string {
    const wall = (this.#clock.elapsed() - startedAt) / 1000;
    const times = cpu === null ? [wall] : [wall, cpu];
    return `${times.map((seconds) => `${seconds.toFixed(1).padStart(7)} s`).join('')}  ${name}`;
  }
}
