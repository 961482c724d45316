import { readCommand } from '#shared/process/command-line.ts';

const { values, refuse, number } = readCommand({
  usage: `Usage: npm run conformance -- --cmd 'COMMAND' [--only NAME,NAME] [--long] [--talk SECONDS]

Certifies a worker of any language against a real control plane and a real media server on this machine, and prints a table of
the outcomes. Exit code: 0 if the worker conforms, else 1. /docs/worker-protocol of a running service explains the protocol.
  --cmd COMMAND   starts one worker. It gets CONTROL_URL, WORKER_TOKEN, WORKER_SLOTS, DRAIN_SECONDS and DATA_DIR, and runs
                  after a shell's "exec": for variables of your own write "env NAME=VALUE program"
  --only NAMES    runs these checks only, separated by commas
  --long          the long talk takes ten minutes instead of one: media cannot be played faster
  --talk SECONDS  length of the long talk
CONFORMANCE_LOG=1 prints the last lines of the worker after a failed check.`,
  options: {
    cmd: { type: 'string' },
    only: { type: 'string' },
    long: { type: 'boolean', default: false },
    talk: { type: 'string' },
  },
});
const command = values.cmd ?? refuse('--cmd is missing.');
const talkSeconds = number('--talk', values.talk ?? (values.long ? '600' : '60'), 10);
const only = values.only?.split(',');

// Loads the media engine, which otherwise logs every step to standard output.
process.env['NODE_ENV'] ??= 'production';
const { CHECKS } = await import('./checks.ts');
const unknown = only?.find((name) => !CHECKS.some((check) => check.name === name));
if (unknown !== undefined)
  refuse(`There is no check '${unknown}', only ${CHECKS.map(({ name }) => name).join(', ')}.`);
const { runConformance } = await import('./run.ts');
const { startMediaEngine } = await import('../../workers/runtime/media-engine.ts');
startMediaEngine();
const say = (line: string) => process.stdout.write(`${line}\n`);
const stop = new AbortController();
const { signal } = stop;
// A terminal sends Ctrl-C to this process and to its bootstrap, which sends it on.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
const outcomes = await runConformance({ command, talkSeconds, only, say, signal }).catch(
  (error: unknown) => {
    if (signal.aborted) process.exit(130);
    throw error;
  },
);
const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
say(failed === 0 ? 'The worker conforms.' : `${failed} of ${outcomes.length} checks failed.`);
process.exit(failed === 0 ? 0 : 1);
