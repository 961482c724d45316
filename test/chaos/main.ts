import { readCommand } from '#shared/process/command-line.ts';
import { outliveDroppedHandles } from '../support/processes/outlive-dropped-handles.ts';
import type { Step } from './schedule.ts';

const { values, number } = readCommand({
  usage: `Usage: npm run chaos [-- --seed N --steps N --for SECONDS --whole]
       npm run chaos -- --real [--seed N --rounds N --for SECONDS]

Plays random schedules of faults, one seed after the other, and prints the shortest part of each schedule that breaks an
invariant, with what was logged about it. Exit code: 0 if none does, else 1.
  --seed N       first seed (default 1)
  --steps N      steps of a schedule (default 24)
  --for SECONDS  starts no further seed after this time (default 60)
  --whole        prints the whole schedule instead of its shortest failing part
  --real         plays with a real media server, worker processes and media; CHAOS_LOG=1 shows what its workers logged
  --rounds N     with --real: faults of a schedule (default: one of every kind)`,
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '24' },
    for: { type: 'string', default: '60' },
    whole: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const firstSeed = number('--seed', values.seed);
const steps = number('--steps', values.steps, 1);
const endsAt = performance.now() + number('--for', values.for) * 1_000;
if (values.real) {
  // Loads the media engine.
  const { chaosWithRealParts } = await import('./real/run.ts');
  const { LIMITS } = await import('./real/bounds.ts');
  const { EVERY_KIND } = await import('./real/schedule.ts');
  const { startMediaEngine } = await import('../../workers/runtime/media-engine.ts');
  startMediaEngine();
  outliveDroppedHandles();
  const rounds = number('--rounds', values.rounds ?? String(EVERY_KIND), 1);
  let isRight = true;
  for (let seed = firstSeed; ; seed += 1) {
    isRight =
      (await chaosWithRealParts({ seed, rounds, bounds: LIMITS }, say)).length === 0 && isRight;
    if (performance.now() > endsAt) break;
  }
  process.exit(isRight ? 0 : 1);
}
const { play } = await import('./play.ts');
const { scheduleOf, shrink } = await import('./schedule.ts');
const { openServers } = await import('./servers.ts');
const servers = await openServers();
let failed = 0;
try {
  for (let seed = firstSeed; ; seed += 1) {
    const schedule = scheduleOf(seed, steps);
    const startedAt = performance.now();
    const problems = await play(servers, seed, schedule);
    const tookS = Math.round((performance.now() - startedAt) / 1_000);
    say(`seed ${seed}: ${problems.length === 0 ? 'passed' : 'FAILED'} (${tookS} s)`);
    if (problems.length > 0) {
      failed += 1;
      const steps = values.whole ? schedule : await shrunk(seed, schedule);
      say(`${problems.join('\n')}\n${steps.map((step) => JSON.stringify(step)).join('\n')}`);
    }
    if (performance.now() > endsAt) break;
  }
} finally {
  await servers.close();
}
process.exit(failed > 0 ? 1 : 0);

function shrunk(seed: number, schedule: Step[]): Promise<Step[]> {
  return shrink(schedule, async (part) => (await play(servers, seed, part)).length > 0);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
