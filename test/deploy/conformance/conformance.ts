/*
 * Our avatar worker and the example in Python conform; and for every check there is a worker that
 * breaks it, which the kit must find.
 */
import type { Outcome } from '../../conformance/run.ts';
import { FAULTS } from './faults.ts';
import { stopInBetween } from './stop-in-between.ts';
import { hashedEnvironment } from '../hashed-environment.ts';

const TALK_SECONDS = 60;
/** Longer than the faults need. */
const SHORT_TALK_SECONDS = 10;

export async function conformance(): Promise<void> {
  // Set before the media engine loads: otherwise it logs every step to standard output.
  process.env['NODE_ENV'] ??= 'production';
  const { startMediaEngine } = await import('../../../workers/runtime/media-engine.ts');
  const { runConformance } = await import('../../conformance/run.ts');
  startMediaEngine();
  const python = await hashedEnvironment(
    'python-worker',
    'deploy/examples/python-worker/requirements.txt',
  );
  const workers = {
    'our avatar worker': `${process.execPath} --import tsx workers/avatar/main.ts`,
    'the example in Python': `${python} deploy/examples/python-worker/worker.py`,
  };
  const problems: string[] = [];
  for (const [name, command] of Object.entries(workers)) {
    say(`  ${name}`);
    const outcomes = await runConformance({ command, talkSeconds: TALK_SECONDS, say: indented });
    problems.push(...failuresOf(outcomes).map(({ name: check }) => `${name} fails ${check}`));
  }
  say('  broken workers');
  for (const [fault, check] of FAULTS) {
    const outcomes = await runConformance({
      command: `${python} test/deploy/conformance/broken_worker.py ${fault}`,
      talkSeconds: SHORT_TALK_SECONDS,
      only: [check],
      say: () => {},
    });
    const [failure] = failuresOf(outcomes);
    const [first = ''] = failure?.problems[0]?.split('\n') ?? [];
    indented(`${check.padEnd(14)}${fault}: ${failure ? first : 'NOT FOUND'}`);
    if (!failure) problems.push(`${check} does not find ${fault}`);
  }
  say('  stopped by a signal');
  problems.push(...(await stopInBetween()));
  if (problems.length > 0) throw new Error(problems.join('; '));
}

const failuresOf = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ problems }) => problems.length > 0);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function indented(line: string): void {
  say(`    ${line}`);
}
