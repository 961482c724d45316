import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PIP_INSTALL, requirementsOf } from '#shared/process/python-packages.ts';
import { venvPython } from '#shared/process/venv-python.ts';
import { runPython, wantsHearing, type SpeechInstall } from './speech-install.ts';

/** Speech recognition needs its Python packages, too. */
export const lacksNaturalVoice = ({
  dataDir,
  env,
}: Pick<SpeechInstall, 'dataDir' | 'env'>): boolean =>
  (env['VOICE'] !== 'flite' || wantsHearing(env)) &&
  !existsSync(path.resolve(dataDir, 'voice', 'ready'));

/**
 * Installs the natural voice for agents once, in its own folder, in the background. Until then, and
 * without Python, agents use the small voice. Speech recognition runs by the same Python and
 * packages. The file `ready` marks a complete installation.
 */
export async function installNaturalVoice(install: SpeechInstall): Promise<void> {
  const { dataDir, say, signal } = install;
  const python = install.python ?? 'python3';
  const folder = path.resolve(dataDir, 'voice');
  if (!lacksNaturalVoice(install)) return;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // Remove an interrupted installation.
    await rm(folder, { recursive: true, force: true });
    await runPython(python, ['-m', 'venv', folder], install);
    const args = [...PIP_INSTALL, '-r', requirementsOf('natural-voice')];
    await runPython(venvPython(folder), args, install);
    await writeFile(path.join(folder, 'ready'), '');
  } catch (error) {
    if (signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    say(`Agents use the small voice: installing the natural one failed (${why}).`);
  }
}
