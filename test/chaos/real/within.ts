import { until } from '../../support/until.ts';

/** Resolves when the condition holds; after `ms` it fails with `what`. */
export async function within(ms: number, what: string, isTrue: () => unknown): Promise<void> {
  await until(isTrue, ms).catch((cause: unknown) => {
    throw new Error(`not within ${ms} ms: ${what}`, { cause });
  });
}
