import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newName, newSecret } from '#shared/ids.ts';

/** Shared secrets of the control plane, the workers and the media server. */
export type ServiceKeys = {
  workerToken: string;
  mediaServerKey: string;
  mediaServerSecret: string;
};

/**
 * Created at the first start and kept in the data folder, readable by its owner only.
 * `isNewSecret`: this start created the media server's secret.
 */
export function keptKeys(dataDir: string): { keys: ServiceKeys; isNewSecret: boolean } {
  const file = path.join(dataDir, 'service-keys.json');
  const storedKeys = read(file);
  const keys: ServiceKeys = {
    workerToken: storedKeys.workerToken ?? newSecret(),
    mediaServerKey: storedKeys.mediaServerKey ?? newName('troupe'),
    mediaServerSecret: storedKeys.mediaServerSecret ?? newSecret(),
  };
  if (Object.keys(storedKeys).length < Object.keys(keys).length) write(file, keys);
  return { keys, isNewSecret: storedKeys.mediaServerSecret === undefined };
}

function read(file: string): Partial<ServiceKeys> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<ServiceKeys>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: repair or delete it`, { cause: error });
  }
}

/** Writes by rename: half a file would break the next start. Examples may start at once. */
function write(file: string, keys: ServiceKeys): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
