import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#shared/process/operator-error.ts';
import { fetchFile } from './fetch-file.ts';
import type { SpeechModel } from './models.ts';

type ModelOrder = {
  /** DATA_DIR. */
  dataDir: string;
  /** Replaces the address of the model. */
  mirror: string | undefined;
  signal: AbortSignal;
  onProgress: (share: number) => void;
  python?: string;
};

const run = promisify(execFile);

/** Folder of an installed model. */
export const modelFolder = (dataDir: string, { id }: Pick<SpeechModel, 'id'>): string =>
  path.resolve(dataDir, 'speech-models', id);

export const isInstalled = (dataDir: string, model: Pick<SpeechModel, 'id'>): boolean =>
  existsSync(path.join(modelFolder(dataDir, model), 'ready'));

/** Fetches the model and unpacks what is needed of it. The file `ready` marks a complete one. */
export async function installModel(model: SpeechModel, order: ModelOrder): Promise<void> {
  const { dataDir, mirror, signal, onProgress, python = 'python3' } = order;
  if (isInstalled(dataDir, model)) return;
  const folder = modelFolder(dataDir, model);
  const archive = path.join(path.dirname(folder), model.archive);
  const { bytes, sha256 } = model;
  const url = `${(mirror ?? model.address).replace(/\/+$/, '')}/${model.archive}`;
  if (!existsSync(archive))
    await fetchFile({ url, file: archive, bytes, sha256, signal, onProgress });

  await rm(folder, { recursive: true, force: true });
  const unpacked = path.join(folder, 'unpacked');
  await mkdir(unpacked, { recursive: true });
  try {
    // Node cannot read bzip2.
    await run(python, ['-m', 'tarfile', '-e', archive, unpacked], { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new OperatorError(`${model.archive} cannot be unpacked: that needs Python 3.`, { cause });
  }
  const top = path.join(unpacked, path.basename(model.archive, '.tar.bz2'));
  for (const file of model.keeps) await rename(path.join(top, file), path.join(folder, file));
  await rm(unpacked, { recursive: true });
  await rm(archive);
  await writeFile(path.join(folder, 'ready'), '');
}
