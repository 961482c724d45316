/*
 * Encrypts secrets at rest with AES-256-GCM as `v1.<nonce>.<tag>.<text>`, in base64url. The row
 * that holds a secret (`sessions/<id>`) is authenticated with it, so a value copied to another row
 * fails.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  randomBytes,
  randomFillSync,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '#shared/operator-error.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

export interface Encryptor {
  /** `place` identifies the row and field that hold the secret. */
  encrypt(text: string, place: string): string;
  /** Throws if the value was encrypted for another place or with another key. */
  decrypt(encrypted: string, place: string): string;
}

export function createEncryptor(key: Buffer): Encryptor {
  if (key.length !== KEY_BYTES) throw new Error(`A secret key has ${KEY_BYTES} bytes.`);
  // Importing the key for each secret would take longer than the encryption.
  const secret = createSecretKey(key);
  const nextNonce = nonces();
  return {
    encrypt(text, place) {
      const nonce = nextNonce();
      const cipher = createCipheriv(ALGORITHM, secret, nonce).setAAD(Buffer.from(place));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), encrypted];
      return ['v1', ...parts.map((part) => part.toString('base64url'))].join('.');
    },
    decrypt(encrypted, place) {
      const [version, ...parts] = encrypted.split('.');
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (version !== 'v1' || !nonce || tag?.length !== 16 || !text) {
        throw new Error('Not an encrypted value.');
      }
      const decipher = createDecipheriv(ALGORITHM, secret, nonce)
        .setAAD(Buffer.from(place))
        .setAuthTag(tag);
      try {
        return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new OperatorError(
          'Cannot decrypt a stored secret: it was modified or encrypted with another TROUPE_SECRET_KEY.',
          { cause },
        );
      }
    },
  };
}

/**
 * Draws 256 nonces per call to the generator, whose cost is per call. A nonce may be overwritten
 * once the next is drawn.
 */
function nonces(): () => Buffer {
  const pool = Buffer.alloc(NONCE_BYTES * 256);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += NONCE_BYTES;
    return pool.subarray(used - NONCE_BYTES, used);
  };
}

/**
 * Decodes the given base64 key, else reads the one in `dataDir`, creating it at the first start.
 */
export function secretKey(given: string | undefined, dataDir: string): Buffer {
  if (given) return Buffer.from(given, 'base64');
  const file = path.join(dataDir, 'secret.key');
  return readKey(file) ?? makeKey(file);
}

function readKey(file: string): Buffer | null {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function makeKey(file: string): Buffer {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flush: true,
  });
  try {
    // A link is atomic and never replaces a key that another process has just created.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  const key = readKey(file);
  if (!key) throw new Error(`${file} disappeared during its creation.`);
  return key;
}
