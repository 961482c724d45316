/* Processor time and memory of each process of a soak, as the kernel counts them. */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { systemClock } from '#shared/clock.ts';
import { atMost, type Outcome } from '../outcomes.ts';

const EVERY_MS = 5_000;
const TICKS_PER_SECOND = 100;
const PAGES_PER_MB = 256;
/** A MB a minute for half an hour: such a leak takes a day to fill 1.4 GB. */
const MOST_RISE_MB = 30;

type Watched = { name: string; pid: number };
type Look = { ticks: number; mb: number };
type Sample = { atMs: number; mb: number };
type Counted = { ticks: number; firstTicks: number; samples: Sample[] };

export class ResourceWatch {
  readonly #watched: Watched[] = [];
  readonly #counted = new Map<Watched, Counted>();
  readonly #beganMs = performance.now();
  readonly #stop: () => void;

  constructor(watched: Watched[]) {
    for (const each of watched) this.add(each);
    this.#stop = systemClock.every(EVERY_MS, () => this.#watched.forEach(this.#look));
  }

  add(watched: Watched): void {
    this.#watched.push(watched);
    this.#look(watched);
  }

  stop(): void {
    this.#stop();
  }

  /** Use of these processes between two times of `performance.now`. */
  rises(names: string[], fromMs: number, toMs: number): Outcome[] {
    return names.map((name) => {
      const samples = this.#samplesOf(name);
      const windowSamples = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
      return atMost(
        `rise of the memory of ${name}, by its trend`,
        riseOf(windowSamples),
        MOST_RISE_MB,
        ' MB',
      );
    });
  }

  /** One line: the processors that each process has used on average. */
  get processorText(): string {
    const seconds = (performance.now() - this.#beganMs) / 1_000;
    const parts = [...this.#counted].map(([{ name }, { ticks, firstTicks }]) => {
      const processors = (ticks - firstTicks) / TICKS_PER_SECOND / seconds;
      return { text: `${name} ${processors.toFixed(2)}`, processors };
    });
    const sum = parts.reduce((total, { processors }) => total + processors, 0);
    const machine = `all ${sum.toFixed(2)} of ${os.cpus().length}`;
    return `processors in use: ${[...parts.map(({ text }) => text), machine].join(', ')}`;
  }

  #samplesOf(name: string): Sample[] {
    const entry = [...this.#counted].find(([watched]) => watched.name === name);
    return entry?.[1].samples ?? [];
  }

  readonly #look = (watched: Watched): void => {
    const look = lookAt(watched.pid);
    if (!look) return;
    const { ticks, mb } = look;
    const sample = { atMs: performance.now(), mb };
    const { firstTicks = ticks, samples = [] } = this.#counted.get(watched) ?? {};
    this.#counted.set(watched, { ticks, firstTicks, samples: [...samples, sample] });
  };
}

/**
 * From the start of the samples to their end, on the line that fits them best: a burst in between
 * is no rise. Not a number without two samples.
 */
export function riseOf(samples: Sample[]): number {
  const midMs = meanOf(samples, ({ atMs }) => atMs);
  const midMb = meanOf(samples, ({ mb }) => mb);
  const slope =
    meanOf(samples, ({ atMs, mb }) => (atMs - midMs) * (mb - midMb)) /
    meanOf(samples, ({ atMs }) => (atMs - midMs) ** 2);
  return slope * ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0));
}

const meanOf = (samples: Sample[], part: (sample: Sample) => number): number =>
  samples.reduce((sum, sample) => sum + part(sample), 0) / samples.length;

/** Null when the process is gone. */
function lookAt(pid: number): Look | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { ticks: fields[11]! + fields[12]!, mb: fields[21]! / PAGES_PER_MB };
  } catch {
    return null;
  }
}
