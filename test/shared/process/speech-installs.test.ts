import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noteInstalling, readInstalling } from '#shared/process/speech-installs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-installs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (text: string) => writeFile(path.join(folder, 'installing.json'), text);

describe('what is being installed', () => {
  test('is known while it is noted', async () => {
    expect(await readInstalling(folder)).toEqual([]);

    await noteInstalling(folder, ['natural_voice', 'speech_recognition']);
    expect(await readInstalling(folder)).toEqual(['natural_voice', 'speech_recognition']);

    await noteInstalling(folder, []);
    await noteInstalling(folder, []);
    expect(await readInstalling(folder)).toEqual([]);
  });

  test('ends with the process that installs it', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);

    await write(JSON.stringify({ pid, parts: ['natural_voice'] }));

    expect(await readInstalling(folder)).toEqual([]);
  });

  test('is nothing if the file is half-written', async () => {
    await write('{"pid":');

    expect(await readInstalling(folder)).toEqual([]);
  });
});
