/*
 * `npm run chaos -- [--seed N] [--steps M] [--for SECONDS]`: runs schedules of faults for
 * consecutive seeds until the time is over. Reports failing seeds with the shortest part of the
 * schedule that still fails. CHAOS_LOG=1 shows the output of the processes.
 *
 * `npm run chaos -- --real [--seed N] [--rounds M] [--for SECONDS]`: the same with a real media
 * server, worker processes and media.
 */
import { parseArgs } from 'node:util';
import { play } from './play.ts';
import { EVERY_KIND } from './real/schedule.ts';
import { scheduleOf, shrink, type Step } from './schedule.ts';
import { openServers } from './servers.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '24' },
    for: { type: 'string', default: '60' },
    whole: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(EVERY_KIND) },
  },
});
const endsAt = performance.now() + Number(values.for) * 1_000;
if (values.real) {
  // Imported late, because they load the media engine.
  const { chaosWithRealParts } = await import('./real/run.ts');
  const { quietEngine } = await import('../../workers/runtime/quiet-engine.ts');
  quietEngine();
  const rounds = Number(values.rounds);
  let isRight = true;
  for (let seed = Number(values.seed); ; seed += 1) {
    isRight = (await chaosWithRealParts(seed, rounds, say)).length === 0 && isRight;
    if (performance.now() > endsAt) break;
  }
  process.exit(isRight ? 0 : 1);
}
const servers = await openServers();
let failed = 0;
try {
  for (let seed = Number(values.seed); ; seed += 1) {
    const schedule = scheduleOf(seed, Number(values.steps));
    const startedAt = performance.now();
    const problems = await play(servers, seed, schedule);
    const tookS = Math.round((performance.now() - startedAt) / 1_000);
    say(`seed ${seed}: ${problems.length === 0 ? 'ok' : 'FAILED'} (${tookS} s)`);
    if (problems.length > 0) {
      failed += 1;
      const shown = values.whole ? schedule : await shrunk(seed, schedule);
      say(`${problems.join('\n')}\n${shown.map((step) => JSON.stringify(step)).join('\n')}`);
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
