import { until } from '../support/until.ts';

/** Resolves when the condition holds. Errors of the condition pass through. */
export async function within(ms: number, subject: string, isTrue: () => unknown): Promise<void> {
  const begunAt = performance.now();
  await until(isTrue, ms).catch((cause: unknown) => {
    const isLate = performance.now() - begunAt >= ms;
    throw isLate ? new Error(`not within ${ms / 1000} s: ${subject}`, { cause }) : cause;
  });
}

/** Rejects when the promise does not settle in time. */
export async function inTime<Value>(
  ms: number,
  what: string,
  promise: Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms / 1000} s: ${what}`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
