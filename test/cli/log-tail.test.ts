import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogTail } from '../../src/cli/log-tail.ts';

let folder: string;
let file: string;
let tail: LogTail;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-logs-'));
  file = path.join(folder, 'worker.log');
  tail = new LogTail(folder, 'worker');
});
afterEach(() => rm(folder, { recursive: true }));

const texts = async () => (await tail.read()).map(({ text }) => text);

test('a line that is read while it is written stays whole', async () => {
  const line = Buffer.from('Zoë speaks\n');
  await writeFile(file, line.subarray(0, 3));
  expect(await texts()).toEqual([]);

  await appendFile(file, line.subarray(3));

  expect(await texts()).toEqual(['Zoë speaks']);
  expect(await texts()).toEqual([]);
});

test('a new file does not begin with the rest of the former one', async () => {
  await writeFile(file, 'a first line\nand half of');
  expect(await texts()).toEqual(['a first line']);

  await writeFile(file, 'another one\n');

  expect(await texts()).toEqual(['another one']);
});
