/** What is true soon is so within the process; longer waits are for others, whom a busy loop would keep from it. */
const EAGER_TURNS = 20;
const LOOK_EVERY_MS = 2;

/** Resolves when `isTrue`: looks after each turn of the event loop, later every few milliseconds. Fails after `patienceMs`. */
export async function until(isTrue: () => unknown, patienceMs = 5_000): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (let turns = 1; !(await isTrue()); turns++) {
    if (performance.now() > giveUpAt) throw new Error(`did not come true: ${String(isTrue)}`);
    await new Promise((resolve) => {
      if (turns <= EAGER_TURNS) setImmediate(resolve);
      else setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}
