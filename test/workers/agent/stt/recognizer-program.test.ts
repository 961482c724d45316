import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { RecognizerProgram } from '../../../../workers/agent/stt/recognizer-program.ts';
import {
  DIES,
  FAILS,
  HANGS,
  RATE,
  RECOGNIZER,
  SHORT,
} from '../../../support/sound/recognizer-stand-in.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });
const ANSWER_MS = 15_000;

let clock: TestClock;
let program: RecognizerProgram;
let timesReady: number;
/** Names of the answers, in their order. */
let order: string[];

beforeEach(() => {
  clock = new TestClock();
  timesReady = 0;
  order = [];
  program = new RecognizerProgram({
    name: 'recognizer',
    command: process.execPath,
    args: ['-e', RECOGNIZER],
    answerMs: ANSWER_MS,
    onReady: () => timesReady++,
    clock,
    log,
  });
});
afterEach(async () => {
  program.close();
  await settle();
  expect(clock.waiting).toBe(0);
});

const sound = (samples: number) => new Float32Array(samples).fill(0.1);
const recognize = async (samples: number) => (await program.recognize(sound(samples), RATE)).text;
const noted = async <Answer>(name: string, answer: Promise<Answer>): Promise<Answer> => {
  const result = await answer;
  order.push(name);
  return result;
};
const endOfTurn = () => program.endOfTurn(new Int16Array(RATE));

/** Its successor starts when the clock passes the delay. */
async function restarted(): Promise<void> {
  const before = timesReady;
  await until(() => program.pid === undefined);
  clock.advance(500);
  await until(() => timesReady > before);
}

test('transcribes, from before the program is ready', async () => {
  expect(timesReady).toBe(0);
  expect(await recognize(RATE)).toBe('1 seconds');
  expect(timesReady).toBe(1);
});

test('transcribes long speech in pieces that the program can take', async () => {
  await recognize(SHORT);
  const speech = sound(3 * RATE).fill(0, 1.5 * RATE, 1.6 * RATE);

  expect(await program.recognize(speech, RATE)).toEqual({
    text: '1.55 seconds 1.45 seconds',
    certainty: 0.7,
  });
});

test('takes turns: a long utterance leaves others their turn after each piece', async () => {
  await recognize(SHORT);
  const long = noted('long', recognize(9 * RATE));
  const short = noted('short', recognize(SHORT));
  const other = noted('other', recognize(SHORT));

  await Promise.all([long, short, other]);

  expect(order).toEqual(['short', 'other', 'long']);
});

test('judges the end of a turn without waiting for transcriptions', async () => {
  await recognize(SHORT);
  const answers = [
    noted('one', recognize(SHORT)),
    noted('two', recognize(SHORT)),
    noted('end of turn', endOfTurn()),
  ];

  await Promise.all(answers);

  expect(order.indexOf('end of turn')).toBeLessThan(order.indexOf('two'));
  expect(await endOfTurn()).toBe(0.5);
});

test('judges nothing while the program is not ready', async () => {
  await expect(endOfTurn()).rejects.toThrow('not ready');
});

test('reports what the program cannot do, and goes on', async () => {
  await expect(recognize(FAILS)).rejects.toThrow('the recognizer failed: no');
  expect(await recognize(RATE)).toBe('1 seconds');
});

test('survives the end of its program, and repeats what was lost', async () => {
  await recognize(SHORT);
  const { pid } = program;
  process.kill(pid!, 'SIGSTOP');
  const lost = recognize(RATE);
  await settle();

  process.kill(pid!, 'SIGKILL');
  await restarted();

  expect(await lost).toBe('1 seconds');
  expect(program.pid).not.toBe(pid);
});

test('gives up speech that ends its program twice, not the speech after it', async () => {
  await recognize(SHORT);
  const deadly = recognize(DIES);
  const gaveUp = expect(deadly).rejects.toThrow('exited');
  const next = recognize(RATE);

  await restarted();
  await until(() => program.pid === undefined);
  await gaveUp;
  clock.advance(1_000);

  expect(await next).toBe('1 seconds');
});

test('gives up speech on which its program hangs, and replaces the program', async () => {
  await recognize(SHORT);
  const { pid } = program;
  const hanging = expect(recognize(HANGS)).rejects.toThrow('timed out');
  const next = recognize(RATE);
  await settle();

  clock.advance(ANSWER_MS);
  await hanging;
  await restarted();

  expect(await next).toBe('1 seconds');
  expect(program.pid).not.toBe(pid);
});

test('gives up requests that wait too long', async () => {
  await recognize(SHORT);
  process.kill(program.pid!, 'SIGSTOP');
  const first = expect(recognize(SHORT)).rejects.toThrow();
  const second = expect(recognize(SHORT)).rejects.toThrow();

  clock.advance(2 * ANSWER_MS);
  await Promise.all([first, second]);
  await restarted();

  expect(await recognize(RATE)).toBe('1 seconds');
});

test('fails what is pending when it is closed', async () => {
  await recognize(SHORT);
  const pending = [recognize(HANGS), recognize(SHORT)].map((text) =>
    expect(text).rejects.toThrow(/closed|exited/),
  );
  await settle();

  program.close();

  await Promise.all(pending);
});
