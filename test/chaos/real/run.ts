import type { Bounds } from './bounds.ts';
import { playReal, type Say } from './play.ts';
import { roundsOf } from './schedule.ts';
import { RealStage } from './stage.ts';

/** One run on newly started real parts. Prints the seed first and, on failure, how to repeat it. */
export async function chaosWithRealParts(
  { seed, rounds, bounds }: { seed: number; rounds: number; bounds: Bounds },
  say: Say,
): Promise<string[]> {
  say(`seed ${seed}, ${rounds} rounds`);
  const stage = await RealStage.open(bounds);
  try {
    const problems = await playReal(stage, roundsOf(seed, rounds), say);
    if (problems.length === 0) return problems;
    const replay = `npm run chaos -- --real --seed ${seed} --rounds ${rounds} --for 0`;
    say(`seed ${seed}: FAILED\n${problems.join('\n')}\nto repeat: ${replay}`);
    if (process.env['CHAOS_LOG'])
      for (const { pid, lastLines } of stage.allWorkers) say(`worker ${pid}:\n${lastLines}`);
    return problems;
  } finally {
    await stage.close();
  }
}
