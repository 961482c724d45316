import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { startTroupe, troupe } from '../run-troupe.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-logs-'));
  await mkdir(path.join(dataDir, 'logs'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const file = (program: string): string => path.join(dataDir, 'logs', `${program}.log`);
const line = (time: number, level: number, msg: string): string =>
  `${JSON.stringify({ level, time: START + time, pid: 1, msg, sessionId: 'x' })}\n`;
const START = Date.UTC(2026, 0, 1, 12);
const run = (...args: string[]) => troupe(['logs', '--data-dir', dataDir, ...args]);

describe('troupe logs', () => {
  test('prints the lines of all programs in the order of their times', async () => {
    await writeFile(file('control'), line(0, 30, 'one') + line(2_000, 40, 'three'));
    await writeFile(file('worker'), line(1_000, 30, 'two'));
    await writeFile(
      file('media-server'),
      `${JSON.stringify({ level: 'info', ts: (START + 3_000) / 1000, msg: 'four' })}\n`,
    );

    const { code, stdout } = await run();

    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        '12:00:00.000 control      info one sessionId=x',
        '12:00:01.000 worker       info two sessionId=x',
        '12:00:02.000 control      warn three sessionId=x',
        '12:00:03.000 media-server info four',
        '',
      ].join('\n'),
    );
  });

  test('prints the last lines, of one program and level', async () => {
    await writeFile(
      file('control'),
      line(0, 40, 'one') + line(1, 30, 'two') + line(2, 50, 'three'),
    );
    await writeFile(file('worker'), line(3, 50, 'four'));

    const { stdout } = await run('control', '--level', 'warn', '-n', '1', '--json');

    expect(JSON.parse(stdout)).toMatchObject({ program: 'control', msg: 'three', sessionId: 'x' });
  });

  test('follows a log, also into the file after it', async () => {
    await writeFile(file('worker'), line(0, 30, 'one'));
    const clock = new TestClock();
    const stop = new AbortController();
    const args = ['logs', 'worker', '--follow', '--data-dir', dataDir];
    const logs = startTroupe(args, { clock, signal: stop.signal });
    const says = (text: string) =>
      until(() => {
        clock.advance(300);
        return logs.output.stdout.includes(text);
      });
    await says('one');

    await appendFile(file('worker'), line(1, 30, 'two').slice(0, 20));
    await appendFile(file('worker'), line(1, 30, 'two').slice(20));
    await says('two');
    await rename(file('worker'), `${file('worker')}.1`);
    await writeFile(file('worker'), line(2, 30, 'three'));
    await says('three');
    stop.abort();

    expect(await logs.exited).toBe(130);
    expect(logs.output.stdout.match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
  });

  test('says where it looked when there are none', async () => {
    const { code, stderr } = await run();

    expect(code).toBe(5);
    expect(stderr).toContain(`There are no logs in ${path.join(dataDir, 'logs')}`);
  });
});
