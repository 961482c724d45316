import { randomBytes } from 'node:crypto';
import type { Database } from '../../../src/records/engine/database.ts';
import {
  createEncryptor,
  type Encryptor,
} from '../../../src/records/engine/encryption/encryptor.ts';
import { Keyring } from '../../../src/records/engine/encryption/keyring.ts';
import { keySource } from '../../../src/records/keys/key-source.ts';
import { openKeyring } from '../../../src/records/keys/open-keyring.ts';

/** An encryptor with one key. */
export const testEncryptor = (key: Buffer = randomBytes(32)): Encryptor =>
  createEncryptor(new Keyring(() => [key]));

/** The encryptor of the service at this place. */
export async function encryptorAt(
  { dataDir }: { dataDir: string },
  db: Database,
): Promise<Encryptor> {
  const { encryptor } = await openKeyring(db, keySource({ DATA_DIR: dataDir }), 0);
  return encryptor;
}
