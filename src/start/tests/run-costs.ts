import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from '#shared/clock.ts';

/** Seconds of the CPU, user and system: of this process, and of all children that it has waited for, with those that they waited for. */
export type Cpu = { own: number; waitedFor: number };

const STAT = '/proc/self/stat';
/** Linux counts CPU time in hundredths of a second on every machine. */
const TICKS = 100;

/** Null where the system does not report it. */
export function readCpu(
  read = () => (existsSync(STAT) ? readFileSync(STAT, 'utf8') : null),
): Cpu | null {
  const text = read();
  if (text === null) return null;
  // The second field, a name in brackets, may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = fields
    .slice(11, 15)
    .map(Number);
  return {
    own: (user + system) / TICKS,
    waitedFor: (userOfChildren + systemOfChildren) / TICKS,
  };
}

/** What each run of Vitest, and all of `npm test`, costs: wall time and CPU time. */
export class RunCosts {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #read: () => Cpu | null;
  readonly #startedAt: number;
  readonly #lines: string[] = [];
  /** Of children that are accounted for. */
  #waitedFor = 0;

  constructor(clock: Pick<Clock, 'elapsed'>, read: () => Cpu | null = readCpu) {
    this.#clock = clock;
    this.#read = read;
    this.#startedAt = clock.elapsed();
  }

  /**
   * Returns what to call at once when the run's process has exited: the system adds the CPU time of a whole run at its exit, so the
   * increase is that of this run, also while others go on.
   */
  begin(name: string): () => void {
    const startedAt = this.#clock.elapsed();
    this.#waitedFor = this.#read()?.waitedFor ?? 0;
    return () => {
      const waitedFor = this.#read()?.waitedFor ?? 0;
      this.#lines.push(this.#line(startedAt, waitedFor - this.#waitedFor, name));
      this.#waitedFor = waitedFor;
    };
  }

  lines(): string[] {
    const { own, waitedFor } = this.#read() ?? { own: 0, waitedFor: 0 };
    return [
      this.#read()
        ? 'Wall time, and CPU time (user and system, without processes that outlived their parents):'
        : 'Wall time:',
      ...this.#lines,
      this.#line(this.#startedAt, own + waitedFor, 'all, with preparation'),
    ];
  }

  #line(startedAt: number, cpu: number, name: string): string {
    const wall = (this.#clock.elapsed() - startedAt) / 1000;
    const times = this.#read() ? [wall, cpu] : [wall];
    return `${times.map((seconds) => `${seconds.toFixed(1).padStart(7)} s`).join('')}  ${name}`;
  }
}
