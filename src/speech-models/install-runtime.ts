import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { OperatorError } from '#shared/process/operator-error.ts';
import { PIP_INSTALL, requirementsOf } from '#shared/process/python-packages.ts';
import { venvPython } from '#shared/process/venv-python.ts';

type RuntimeOrder = { folder: string; python: string; signal: AbortSignal };

const execute = promisify(execFile);

/** Runs a command to its end, without the secrets of this process. */
export const run = (command: string, args: readonly string[], signal: AbortSignal) =>
  execute(command, args, { signal, env: childEnvironment(process.env, ['PIP_*']) });

/** Installs what runs the models: a Python environment. The file `ready` marks a complete one. */
export async function installRuntime({ folder, python, signal }: RuntimeOrder): Promise<void> {
  if (existsSync(path.join(folder, 'ready'))) return;
  // Remove an interrupted installation.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await run(python, ['-m', 'venv', folder], signal);
    const args = [...PIP_INSTALL, '-r', requirementsOf('speech-models')];
    await run(venvPython(folder), args, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new OperatorError(
      `What runs speech models cannot be installed: that needs Python 3 with venv, and its packages (${lastWordsOf(cause)}).`,
      { cause },
    );
  }
  await writeFile(path.join(folder, 'ready'), '');
}

/** Last line that a failed command wrote. */
export const lastWordsOf = (error: unknown): string => {
  const { stderr = '', message } = error as Error & { stderr?: string };
  return stderr.trim().split('\n').at(-1) || message;
};
