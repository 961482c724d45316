import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readInstalling } from '#shared/process/speech-installs.ts';
import { installSpeech, missingSpeech } from '../../src/start/default-speech.ts';
import type { Guard } from '../../src/start/processes/guard.ts';

/** A stand-in for Python that records what is noted while it runs. */
const PYTHON = `#!/bin/sh
cat "$DATA/installing.json" >> "$SEEN"
echo >> "$SEEN"
if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; exit 0; fi
if echo "$@" | grep -q hearing; then exit 1; fi
`;

let folder: string;
let dataDir: string;
let lines: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-speech-'));
  dataDir = path.join(folder, 'data');
  lines = [];
  await mkdir(dataDir);
  await writeFile(path.join(folder, 'python3'), PYTHON);
  await chmod(path.join(folder, 'python3'), 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const install = (data = dataDir) =>
  installSpeech({
    dataDir: data,
    env: { PATH: process.env['PATH'], DATA: data, SEEN: path.join(folder, 'seen') },
    guard: { watch: () => {}, forget: () => {} } as unknown as Guard,
    say: (line) => lines.push(line),
    signal: new AbortController().signal,
    python: path.join(folder, 'python3'),
  });

const seen = async () => {
  const text = await readFile(path.join(folder, 'seen'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { parts: string[] }).parts);
};

test.each([
  [{}, ['natural_voice', 'speech_recognition']],
  [{ HEARING: 'off' }, ['natural_voice']],
  [{ VOICE: 'flite', HEARING: 'off' }, []],
])('what is missing with the settings %j', (env, parts) => {
  expect(missingSpeech({ dataDir, env })).toEqual(parts);
});

// The stand-in for Python is a shell script.
describe.skipIf(process.platform === 'win32')('installing speech', () => {
  test('notes what is not there yet, until it is or has failed', async () => {
    await install();

    const both = ['natural_voice', 'speech_recognition'];
    expect(await seen()).toEqual([both, both, ['speech_recognition']]);
    expect(await readInstalling(dataDir)).toEqual([]);
    expect(lines.join()).toContain('installing speech recognition failed');
  });

  test('says so when it cannot write', async () => {
    await install(path.join(folder, 'missing', 'data'));

    expect(lines).toEqual([expect.stringMatching(/^Speech not installed: ENOENT/)]);
  });
});
