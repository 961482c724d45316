import { afterEach, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { LineProgram } from '../../../../workers/agent/processes/line-program.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });
const ANSWER_MS = 10_000;
const LOAD_MS = 60_000;

/** Answers `echo`; other words make it misbehave. */
const PROGRAM = `
const { createInterface } = require('node:readline');
const tell = (message) => console.log(JSON.stringify(message));
console.log('a library says hello');
tell({ ready: true });
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, word } = JSON.parse(line);
  if (word === 'die') process.exit(3);
  if (word === 'hang') for (;;);
  if (word === 'fail') return tell({ id, failed: 'no' });
  if (word === 'ignore') return;
  if (word in process.env) return tell({ id, echo: process.env[word] });
  tell({ id, echo: word });
});
`;

let clock: TestClock;
let program: LineProgram<{ echo: string }>;
let timesReady: number;
afterEach(() => {
  program.close();
  expect(clock.waiting).toBe(0);
});

function start(source = PROGRAM): void {
  clock = new TestClock();
  timesReady = 0;
  program = new LineProgram({
    name: 'parrot',
    command: process.execPath,
    args: ['-e', source],
    answerMs: ANSWER_MS,
    loadMs: LOAD_MS,
    onReady: () => timesReady++,
    clock,
    log,
  });
}

async function started(): Promise<void> {
  start();
  await until(() => program.isReady);
}

/** The clock stands still: only the end of the program can have set this timer. */
async function restarted(): Promise<void> {
  await until(() => !program.isReady && clock.waiting === 1);
  clock.advance(clock.nextInMs!);
  await until(() => program.isReady);
}

test('answers requests, and reports what fails', async () => {
  await started();

  expect(
    await Promise.all([program.request({ word: 'one' }), program.request({ word: 'two' })]),
  ).toMatchObject([{ echo: 'one' }, { echo: 'two' }]);
  await expect(program.request({ word: 'fail' })).rejects.toThrow('the parrot failed: no');
  expect(timesReady).toBe(1);
});

test.each(['ORT_DISABLE_TELEMETRY', 'OPENBLAS_NUM_THREADS'])(
  'starts with the settings for models: %s',
  async (word) => {
    await started();

    expect(await program.request({ word })).toMatchObject({ echo: '1' });
  },
);

test('refuses requests until it is ready', async () => {
  start();

  await expect(program.request({ word: 'one' })).rejects.toThrow('not ready');
});

test('is restarted when it exits, and pending requests fail', async () => {
  await started();
  const { pid } = program;

  await expect(program.request({ word: 'die' })).rejects.toThrow('exited');
  await restarted();

  expect(program.pid).not.toBe(pid);
  expect(await program.request({ word: 'one' })).toMatchObject({ echo: 'one' });
  expect(timesReady).toBe(2);
});

test('is replaced when it is killed without a request', async () => {
  await started();

  process.kill(program.pid!, 'SIGKILL');
  await restarted();

  expect(await program.request({ word: 'one' })).toMatchObject({ echo: 'one' });
});

test('is replaced when it hangs', async () => {
  await started();
  const { pid } = program;
  const hanging = program.request({ word: 'hang' });
  const behind = program.request({ word: 'one' });

  clock.advance(ANSWER_MS);
  await expect(hanging).rejects.toThrow('timed out');
  await expect(behind).rejects.toThrow('timed out');
  await restarted();

  expect(program.pid).not.toBe(pid);
  expect(await program.request({ word: 'one' })).toMatchObject({ echo: 'one' });
});

test('stays when it answers other requests than the one that is late', async () => {
  await started();
  const { pid } = program;
  const late = program.request({ word: 'ignore' });
  clock.advance(ANSWER_MS / 2);
  await program.request({ word: 'one' });

  clock.advance(ANSWER_MS / 2);
  await expect(late).rejects.toThrow('timed out');

  expect(await program.request({ word: 'two' })).toMatchObject({ echo: 'two' });
  expect(program.pid).toBe(pid);
});

test('is replaced when it does not become ready', async () => {
  start('setInterval(() => {}, 1000)');
  const { pid } = program;

  clock.advance(LOAD_MS);
  await until(() => program.pid === undefined);
  clock.advance(clock.nextInMs!);

  expect(program.pid).toBeDefined();
  expect(program.pid).not.toBe(pid);
});

test('waits longer after each failure, until it answers', async () => {
  await started();
  const delays: number[] = [];
  for (const _ of 'abc') {
    await expect(program.request({ word: 'die' })).rejects.toThrow('exited');
    await until(() => clock.waiting === 1);
    delays.push(clock.nextInMs!);
    clock.advance(clock.nextInMs!);
    await until(() => program.isReady);
  }

  expect(delays[1]).toBeGreaterThanOrEqual(delays[0]!);
  expect(delays[2]).toBeGreaterThan(delays[0]!);
  await program.request({ word: 'one' });
  await expect(program.request({ word: 'die' })).rejects.toThrow('exited');
  await until(() => clock.waiting === 1);
  expect(clock.nextInMs).toBeLessThanOrEqual(500);
});

test('gives a request up when the caller does', async () => {
  await started();
  const giveUp = new AbortController();
  const answer = program.request({ word: 'ignore' }, giveUp.signal);

  giveUp.abort(new Error('no longer wanted'));

  await expect(answer).rejects.toThrow('no longer wanted');
  await expect(program.request({ word: 'one' }, giveUp.signal)).rejects.toThrow('wanted');
});

test('is tried again when its command does not exist', async () => {
  clock = new TestClock();
  program = new LineProgram({
    name: 'parrot',
    command: '/nowhere/python',
    args: [],
    answerMs: ANSWER_MS,
    loadMs: LOAD_MS,
    clock,
    log,
  });

  await until(() => clock.nextInMs! <= 500);

  expect(program.isReady).toBe(false);
});
