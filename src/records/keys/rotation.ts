/* The actions of `npm run keys`. `key-upkeep.ts` applies them in a running service. */
import type { BlobFiles } from '../engine/blob-files.ts';
import type { Database } from '../engine/database.ts';
import { BYTES_PREFIX } from '../engine/encryption/encryptor.ts';
import { keyIdOf } from '../engine/encryption/keyring.ts';
import { encryptedColumns } from './encrypted-columns.ts';
import { keyRecords } from './key-records.ts';
import { newKey, type KeySource } from './key-source.ts';
import { addCount, countValues, type ValueCounts } from './stored-values.ts';

export type ListedKey = {
  id: string;
  /** `current`: encrypts. `retired`: no value was left. `unused`: never encrypted. */
  state: 'current' | 'decrypts' | 'retired' | 'unused';
  isGiven: boolean;
  values: number;
};

export type KeyList = {
  keys: ListedKey[];
  /** Values that no listed key is known to encrypt. */
  earlier: number;
  clear: number;
};

export async function listKeys(
  db: Database,
  files: BlobFiles,
  source: KeySource,
): Promise<KeyList> {
  const knownKeys = await keyRecords(db).list();
  const givenIds = source.read().map(keyIdOf);
  const counts = await countAll(db, files);
  const ids = new Set([...knownKeys.map(({ id }) => id), ...givenIds, ...counts.byKey.keys()]);
  const keys = [...ids].map((id): ListedKey => {
    const record = knownKeys.find((key) => key.id === id);
    const values = counts.byKey.get(id) ?? 0;
    const isGiven = givenIds.includes(id);
    if (id === knownKeys.at(-1)?.id) return { id, state: 'current', isGiven, values };
    if (values > 0 || record?.retiredAt === null) return { id, state: 'decrypts', isGiven, values };
    return { id, state: record ? 'retired' : 'unused', isGiven, values };
  });
  return { keys, earlier: counts.earlier, clear: counts.clear };
}

/**
 * Makes an unused key current: a given one, else a new one in the key file. Returns its id; null if
 * there is neither.
 */
export async function rotateKey(
  db: Database,
  source: KeySource,
  now: number,
): Promise<string | null> {
  const records = keyRecords(db);
  const listed = await records.list();
  const knownIds = new Set(listed.map(({ id }) => id));
  const unused = () => source.read().find((key) => !knownIds.has(keyIdOf(key)));
  if (!unused()) source.file?.add(newKey());
  const key = unused();
  if (!key) return null;
  // Clocks of different machines may disagree about which key is newer.
  await records.activate(keyIdOf(key), Math.max(now, (listed.at(-1)?.activatedAt ?? 0) + 1));
  return keyIdOf(key);
}

/**
 * Removes a key that is no longer needed from the key file. Returns why it cannot; else null.
 * `onRemoving` runs before the removal.
 */
export async function removeKey(
  db: Database,
  files: BlobFiles,
  source: KeySource,
  id: string,
  onRemoving: () => Promise<void> = async () => {},
): Promise<string | null> {
  const { keys, earlier } = await listKeys(db, files, source);
  const listed = keys.find((key) => key.id === id);
  const key = source.read().find((each) => keyIdOf(each) === id);
  if (!listed || !key) return `${source.name} has no key ${id}.`;
  if (listed.state === 'current') return `${id} is the current key. Rotate first.`;
  if (listed.state === 'decrypts' || earlier > 0) {
    return `${id} is still needed: the running service has not yet re-encrypted all values.`;
  }
  if (!source.file) return `Remove the key from ${source.name} yourself: no value needs it.`;
  await onRemoving();
  source.file.remove(key);
  return null;
}

async function countAll(db: Database, files: BlobFiles): Promise<ValueCounts> {
  const counts = await countValues(db, encryptedColumns);
  for (const name of await files.names()) {
    const start = await files.readStart(name, BYTES_PREFIX);
    if (start) addCount(counts, start, 1);
  }
  return counts;
}
