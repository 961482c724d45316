import { systemClock } from '#shared/clock.ts';
export type Say = (line: string) => void;

/** Reports progress of a task, e.g. `12 of 71 MB`. */
export type Detail = (text: string) => void;

const FIRST_MS = 2_000;
const EVERY_MS = 5_000;

/**
 * Runs a task. A task that takes longer prints its title after two seconds and its progress every
 * five.
 */
export async function withProgress<T>(
  say: Say,
  title: string,
  work: (detail: Detail) => Promise<T>,
): Promise<T> {
  let detail = '';
  const begunAt = systemClock.elapsed();
  const speak = () => {
    const seconds = Math.round((systemClock.elapsed() - begunAt) / 1000);
    say(`${title}: ${seconds} s${detail && `, ${detail}`}`);
  };
  let repeat: NodeJS.Timeout | undefined;
  const firstTimer = setTimeout(() => {
    speak();
    repeat = setInterval(speak, EVERY_MS);
  }, FIRST_MS);
  try {
    return await work((text) => (detail = text));
  } finally {
    clearTimeout(firstTimer);
    clearInterval(repeat);
  }
}
