import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../src/start/install-speech.ts', import.meta.url));

/** A stand-in for `python3 -m venv` and for pip, which lacks a model when LACKS is set. */
const PYTHON = `#!/bin/sh
if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; exit 0; fi
case "$*" in *--target*) ;; *) exit 0 ;; esac
while [ "$1" != --target ]; do shift; done
cd "$2"
models=moonshine_voice/assets/tiny-en
turn=pipecat/audio/turn/smart_turn/data
mkdir -p $models $turn moonshine_voice-0.1.0.dist-info/licenses pipecat_ai-1.14.0.dist-info/licenses
touch $models/encoder_model.ort $models/decoder_model_merged.ort $turn/smart-turn-v3.2-cpu.onnx
if [ -z "$LACKS" ]; then touch $models/tokenizer.bin; fi
for package in moonshine_voice-0.1.0 pipecat_ai-1.14.0; do touch $package.dist-info/licenses/LICENSE; done
`;

let folder: string;
const speech = () => path.join(folder, 'speech');

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-speech-'));
  await writeFile(path.join(folder, 'python3'), PYTHON);
  await chmod(path.join(folder, 'python3'), 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const install = (env: Record<string, string> = {}) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, speech()], {
    env: { PATH: `${folder}:${process.env['PATH']}`, ...env },
    encoding: 'utf8',
  });

// The stand-in for Python is a shell script.
describe.skipIf(process.platform === 'win32')('speech that is installed ahead of time', () => {
  test('has both parts, and other users may read it', async () => {
    const { status } = install();

    expect(status).toBe(0);
    expect(await readdir(path.join(speech(), 'voice'))).toContain('ready');
    expect(await readdir(path.join(speech(), 'hearing'))).toContain('ready');
    expect((await stat(speech())).mode & 0o005).toBe(0o005);
  });

  test('fails without one of them, and says why', () => {
    const { status, stdout, stderr } = install({ LACKS: 'yes' });

    expect(status).toBe(1);
    expect(stdout).toContain('installing speech recognition failed');
    expect(stderr).toContain('hearing is not installed');
  });
});
