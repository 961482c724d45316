import path from 'node:path';
import { systemClock } from '#shared/clock.ts';
import type { Page } from 'playwright-core';

type Entry = { way: string; step: string; seconds: number; picture: string | null };
type Goal = { name: string; seconds: number; limit: number };

/** Records the steps with their times and pictures. */
export class Walk {
  readonly #folder: string;
  readonly #entries: Entry[] = [];
  readonly #goals: Goal[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `look`: the page to take a picture of afterwards. */
  async step<Result>(
    way: string,
    step: string,
    run: () => Promise<Result>,
    look?: Page,
  ): Promise<Result> {
    const begunAt = systemClock.elapsed();
    const result = await run();
    const seconds = (systemClock.elapsed() - begunAt) / 1000;
    const number = String(this.#entries.length + 1).padStart(2, '0');
    const picture = look ? `${number}-${way}.png` : null;
    if (look) await look.screenshot({ path: path.join(this.#folder, picture!), fullPage: true });
    this.#entries.push({ way, step, seconds, picture });
    process.stdout.write(`${way.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s  ${step}\n`);
    return result;
  }

  /** Seconds of all steps of these ways so far. */
  secondsOf(...ways: string[]): number {
    return this.#entries
      .filter(({ way }) => ways.includes(way))
      .reduce((sum, { seconds }) => sum + seconds, 0);
  }

  goal(name: string, seconds: number, limit: number): void {
    this.#goals.push({ name, seconds, limit });
  }

  /** Prints goals and pictures. False if a goal was missed, or not reached. */
  report(): boolean {
    const lines = this.#goals.map(
      ({ name, seconds, limit }) =>
        `${seconds <= limit ? 'held  ' : 'MISSED'} ${name}: ${seconds.toFixed(1)} s, goal ${limit} s`,
    );
    const pictures = this.#entries.filter(({ picture }) => picture !== null);
    lines.push(...pictures.map(({ picture, way, step }) => `${picture}  ${way}: ${step}`));
    process.stdout.write(`\n${lines.join('\n')}\n`);
    return this.#goals.length > 0 && this.#goals.every(({ seconds, limit }) => seconds <= limit);
  }
}
