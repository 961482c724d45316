import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Guard } from '../../src/start/processes/guard.ts';
import { installNaturalVoice } from '../../src/start/natural-voice.ts';

/** A stand-in for what `python3 -m venv` and `pip` do. */
const PYTHON = `#!/bin/sh
echo "$@" >> "$CALLS"
if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; exit 0; fi
if [ -n "$REFUSES" ]; then echo "No matching distribution found" >&2; exit 1; fi
`;

let folder: string;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-voice-'));
  lines = [];
  await writeFile(path.join(folder, 'python3'), PYTHON);
  await chmod(path.join(folder, 'python3'), 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const install = (env: Record<string, string> = {}, python = path.join(folder, 'python3')) =>
  installNaturalVoice({
    dataDir: path.join(folder, 'data'),
    env: { PATH: process.env['PATH'], CALLS: path.join(folder, 'calls'), ...env },
    guard: { watch: () => {}, forget: () => {} } as unknown as Guard,
    say: (line) => lines.push(line),
    signal: new AbortController().signal,
    python,
  });

const calls = async () =>
  (await readFile(path.join(folder, 'calls'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
const ready = () => readFile(path.join(folder, 'data/voice/ready'), 'utf8').catch(() => null);

// The stand-in for Python is a shell script.
describe.skipIf(process.platform === 'win32')('the natural voice', () => {
  test('is installed once, into its own environment', async () => {
    await install();
    await install();

    expect(await calls()).toEqual([
      `-m venv ${path.join(folder, 'data/voice')}`,
      expect.stringMatching(/^-m pip install --require-hashes .*-r \S+requirements\.txt$/),
    ]);
    expect(await ready()).not.toBeNull();
    expect(lines).toEqual([]);
  });

  test('reports a failed installation and retries at the next start', async () => {
    await install({ REFUSES: 'yes' });

    expect(lines).toEqual([expect.stringContaining('No matching distribution found')]);
    expect(await ready()).toBeNull();
    await install();
    expect(await ready()).not.toBeNull();
  });

  test('is not installed when VOICE is flite and nothing else needs its Python', async () => {
    await install({ VOICE: 'flite', HEARING: 'off' });
    await install({ VOICE: 'flite', SHERPA_MODEL_DIR: '/models/whisper' });

    expect(await calls()).toEqual([]);
  });

  test('is installed for speech recognition when VOICE is flite', async () => {
    await install({ VOICE: 'flite' });

    expect(await ready()).not.toBeNull();
  });

  test('is replaced by the small one without Python', async () => {
    await install({}, path.join(folder, 'no-python'));

    expect(lines).toEqual([expect.stringContaining('the small voice')]);
  });
});
