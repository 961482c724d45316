import { createHash, createSecretKey, type KeyObject } from 'node:crypto';

export const KEY_BYTES = 32;

/** `id` is derived from the key, so that a wrong key cannot pass for the right one. */
export type EncryptionKey = { id: string; secret: KeyObject };

export const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('troupe key id').update(key).digest('hex').slice(0, 8);

export function toEncryptionKey(key: Buffer): EncryptionKey {
  if (key.length !== KEY_BYTES) throw new Error(`A secret key has ${KEY_BYTES} bytes.`);
  // Importing the key for each value would take longer than the encryption.
  return { id: keyIdOf(key), secret: createSecretKey(key) };
}

/** All given keys decrypt; the current one encrypts. */
export class Keyring {
  readonly #read: () => Buffer[];
  #keys = new Map<string, EncryptionKey>();
  #current: EncryptionKey;

  /** `read` returns the given keys, at least one. The first is current until `use`. */
  constructor(read: () => Buffer[]) {
    this.#read = read;
    const [firstKey] = this.#reread().values();
    if (!firstKey) throw new Error('A keyring needs a key.');
    this.#current = firstKey;
  }

  get current(): EncryptionKey {
    return this.#current;
  }

  all(): EncryptionKey[] {
    return [...this.#keys.values()];
  }

  /** Reads the keys again for an unknown id: another process may have added one. */
  find(id: string): EncryptionKey | undefined {
    return this.#keys.get(id) ?? this.#reread().get(id);
  }

  /** False if the key is not given; the current one stays. */
  use(id: string): boolean {
    const key = this.find(id);
    if (key) this.#current = key;
    return key !== undefined;
  }

  /** Keeps keys that are no longer given: they may still be needed. */
  #reread(): Map<string, EncryptionKey> {
    for (const key of this.#read().map(toEncryptionKey)) this.#keys.set(key.id, key);
    return this.#keys;
  }
}
