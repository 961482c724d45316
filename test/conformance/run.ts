import { CHECKS } from './checks.ts';
import type { Check, Finding } from './check.ts';
import { Kit, type KitOptions } from './kit.ts';

export type Outcome = Finding & Pick<Check, 'name' | 'what'> & { seconds: number };

type RunOptions = KitOptions & {
  /** Names of checks; absent: all. */
  only?: readonly string[] | undefined;
  say: (line: string) => void;
  /** Ends all processes and rejects. */
  signal?: AbortSignal;
};

/** Certifies one worker. Prints each outcome as it comes. */
export async function runConformance(runOptions: RunOptions): Promise<Outcome[]> {
  const { only, say, signal, ...options } = runOptions;
  const kit = await Kit.open(options);
  const outcomes: Outcome[] = [];
  const stopped = new Promise<never>((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Nothing awaits it between two checks.
  stopped.catch(() => {});
  try {
    for (const check of CHECKS.filter(({ name }) => !only || only.includes(name))) {
      const outcome = await Promise.race([runCheck(kit, check), stopped]);
      outcomes.push(outcome);
      say(lineOf(outcome));
      for (const problem of outcome.problems) say(`              ${problem}`);
      // The next check begins with a new worker.
      if (outcome.problems.length > 0) {
        if (process.env['CONFORMANCE_LOG']) say(kit.lastLines);
        await kit.clear();
      }
    }
    return outcomes;
  } finally {
    await kit.close();
  }
}

async function runCheck(kit: Kit, check: Check): Promise<Outcome> {
  const begunMs = performance.now();
  const finding = await check.run(kit).catch((error: unknown): Finding => ({
    problems: [(error as Error).message],
    facts: '',
  }));
  const { name, what } = check;
  return { name, what, ...finding, seconds: (performance.now() - begunMs) / 1000 };
}

const lineOf = ({ name, what, problems, seconds, facts }: Outcome): string =>
  [
    name.padEnd(14),
    (problems.length === 0 ? 'passed' : 'FAILED').padEnd(8),
    `${seconds.toFixed(1)} s`.padStart(8),
    `  ${problems.length === 0 ? facts : what}`,
  ]
    .join('')
    .trimEnd();
