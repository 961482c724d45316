/** Resolves when `isTrue`; looks after each turn of the event loop, so it costs no time that could be too short or too long. Fails after `patienceMs`. */
export async function until(isTrue: () => unknown, patienceMs = 5_000): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`did not come true: ${String(isTrue)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
