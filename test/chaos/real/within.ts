import { until } from '../../support/until.ts';

/** Resolves when it is true; fails after `ms` with what did not happen. */
export async function within(ms: number, what: string, isTrue: () => unknown): Promise<void> {
  await until(isTrue, ms).catch((cause: unknown) => {
    throw new Error(`not within ${ms} ms: ${what}`, { cause });
  });
}
