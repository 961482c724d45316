import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '#shared/process/operator-error.ts';
import { fetchFile } from './fetch-file.ts';
import { installRuntime, lastWordsOf, run } from './install-runtime.ts';
import type { SpeechModel } from './models.ts';

export type ModelOrder = {
  /** DATA_DIR. */
  dataDir: string;
  /** Replaces the address of the model. */
  mirror: string | undefined;
  signal: AbortSignal;
  onProgress: (share: number) => void;
  python?: string;
};

const modelFolder = (dataDir: string, { id }: Pick<SpeechModel, 'id'>): string =>
  path.resolve(dataDir, 'speech-models', id);

export const isInstalled = (dataDir: string, model: Pick<SpeechModel, 'id'>): boolean =>
  existsSync(path.join(modelFolder(dataDir, model), 'ready'));

/**
 * Installs a model and what runs it. Agent workers notice when it is complete
 * (workers/agent/stt/installed-models.ts).
 */
export async function installModel(model: SpeechModel, order: ModelOrder): Promise<void> {
  const { dataDir, signal, python = 'python3' } = order;
  await installRuntime({ folder: path.resolve(dataDir, 'speech-models/python'), python, signal });
  if (!isInstalled(dataDir, model)) await fetchModel(model, { ...order, python });
}

/** Fetches the model and unpacks what is needed of it. The file `ready` marks a complete one. */
async function fetchModel(
  model: SpeechModel,
  { dataDir, mirror, signal, onProgress, python }: ModelOrder & { python: string },
): Promise<void> {
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
    await run(python, ['-m', 'tarfile', '-e', archive, unpacked], signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new OperatorError(
      `${model.archive} cannot be unpacked by Python 3 (${lastWordsOf(cause)}).`,
      { cause },
    );
  }
  const top = path.join(unpacked, path.basename(model.archive, '.tar.bz2'));
  for (const file of model.keeps) await rename(path.join(top, file), path.join(folder, file));
  await rm(unpacked, { recursive: true });
  await rm(archive);
  const { languages, isStreaming } = model;
  await writeFile(path.join(folder, 'model.json'), JSON.stringify({ languages, isStreaming }));
  await writeFile(path.join(folder, 'ready'), '');
}
