import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newName, newSecret } from '#shared/ids.ts';

/** What the three processes show each other. */
export type ServiceKeys = {
  workerToken: string;
  mediaServerKey: string;
  mediaServerSecret: string;
};

/** Made at the first start and kept in the data folder, readable by its owner only. */
export function keptKeys(dataDir: string): ServiceKeys {
  const file = path.join(dataDir, 'service-keys.json');
  const kept = read(file);
  const keys: ServiceKeys = {
    workerToken: kept.workerToken ?? newSecret(),
    mediaServerKey: kept.mediaServerKey ?? newName('troupe'),
    mediaServerSecret: kept.mediaServerSecret ?? newSecret(),
  };
  if (Object.keys(kept).length < Object.keys(keys).length) write(file, keys);
  return keys;
}

function read(file: string): Partial<ServiceKeys> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<ServiceKeys>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: mend or delete it`, { cause: error });
  }
}

/** Whole or not at all: half a file would lock the next start out. */
function write(file: string, keys: ServiceKeys): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
