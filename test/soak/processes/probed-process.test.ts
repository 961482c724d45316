import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { programEnv } from '../../support/processes/program-env.ts';
import { probedEnv, ProbedProcess } from './probed-process.ts';

/** Tells its time, and how it resolves a name. */
const PROGRAM = `
  import http from 'node:http';
  process.on('message', async () => {
    const [now, made, elapsed] = [Date.now(), new Date().getTime(), performance.now()];
    const asked = http.get('http://media.localhost:9', { agent: false });
    const error = await new Promise((resolve) => asked.on('error', resolve));
    const isDate = new Date() instanceof Date && new Date(5).getTime() === 5;
    process.send({ now, made, elapsed, code: error.code, isDate });
  });
  process.send('ready');
`;

type Answer = { now: number; made: number; elapsed: number; code: string; isDate: boolean };

const HOUR_MS = 3_600_000;

let folder: string;
let child: ChildProcess;
let exit: Promise<unknown>;
let probed: ProbedProcess;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-probed-'));
  child = fork('-', [], {
    execArgv: ['--input-type=module', '--eval', PROGRAM],
    env: { ...programEnv, ...probedEnv(folder) },
  });
  exit = once(child, 'exit');
  await once(child, 'message');
  probed = new ProbedProcess('the program', folder, child.pid!);
});
afterEach(async () => {
  child.kill('SIGKILL');
  await exit;
  await rm(folder, { recursive: true });
});

async function ask(): Promise<Answer> {
  child.send('tell');
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

describe('a process under orders', () => {
  test('has its own wall clock, and the true time again', async () => {
    const answerBefore = await ask();
    await probed.jumpClock(HOUR_MS);
    const answerDuring = await ask();
    await probed.jumpClock(0);
    const answerAfter = await ask();

    expect(answerDuring.now - answerBefore.now).toBeGreaterThanOrEqual(HOUR_MS);
    expect(answerDuring.made - answerBefore.made).toBeGreaterThanOrEqual(HOUR_MS);
    expect(answerDuring.elapsed - answerBefore.elapsed).toBeLessThan(HOUR_MS);
    expect(Math.abs(answerAfter.now - Date.now())).toBeLessThan(60_000);
    expect(answerDuring.isDate).toBe(true);
  });

  test('resolves no name while names are broken', async () => {
    const codes = [(await ask()).code];
    for (const areBroken of [true, false]) {
      await probed.breakNames(areBroken);
      codes.push((await ask()).code);
    }

    expect(codes).toEqual(['ECONNREFUSED', 'EAI_AGAIN', 'ECONNREFUSED']);
  });

  test.each(['SIGSTOP', 'SIGKILL'] as const)(
    'makes orders fail that end with it, after %s',
    async (signal) => {
      child.kill(signal);
      const order = probed.footprint();
      child.kill('SIGKILL');

      await expect(order).rejects.toThrow('the program does not follow: measure');
    },
  );

  test('measures itself', async () => {
    const { heapMb, residentMb, handles, files } = await probed.footprint();

    expect(heapMb).toBeGreaterThan(1);
    expect(residentMb).toBeGreaterThan(heapMb);
    expect(handles).toBeGreaterThan(0);
    expect(files).toMatchObject({ socket: expect.any(Number), pipe: expect.any(Number) });
  });
});
