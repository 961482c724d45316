/*
 * Secrets at rest: AES-256-GCM, `v1.<nonce>.<tag>.<text>` in base64url. The place where a secret is kept (`sessions/<id>`) is
 * authenticated with it, so a sealed value copied into another row does not open.
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

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

export interface Encryptor {
  encrypt(text: string, place: string): string;
  decrypt(sealed: string, place: string): string;
}

export function createEncryptor(key: Buffer): Encryptor {
  if (key.length !== KEY_BYTES) throw new Error(`A secret key has ${KEY_BYTES} bytes.`);
  // Bytes would be read anew for each secret, which takes longer than sealing it.
  const secret = createSecretKey(key);
  const nextNonce = nonces();
  return {
    encrypt(text, place) {
      const nonce = nextNonce();
      const cipher = createCipheriv(ALGORITHM, secret, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), sealed];
      return ['v1', ...parts.map((part) => part.toString('base64url'))].join('.');
    },
    decrypt(sealed, place) {
      const [version, ...parts] = sealed.split('.');
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (version !== 'v1' || !nonce || tag?.length !== 16 || !text) {
        throw new Error('Not a sealed value.');
      }
      const decipher = createDecipheriv(ALGORITHM, secret, nonce)
        .setAAD(Buffer.from(place))
        .setAuthTag(tag);
      try {
        return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new Error(
          'A stored secret does not open: it was sealed with another TROUPE_SECRET_KEY, or changed.',
          { cause },
        );
      }
    },
  };
}

/** Drawn many at a time: to draw one takes as long. Each is good until the next one is asked for. */
function nonces(): () => Buffer {
  const drawn = Buffer.alloc(NONCE_BYTES * 256);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += NONCE_BYTES;
    return drawn.subarray(used - NONCE_BYTES, used);
  };
}

/** The key given in base64, else the one kept in `dataDir`, which is made at the first start. */
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
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flush: true,
  });
  try {
    // A link appears whole or not at all, and never over a key that another process has just made.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  const key = readKey(file);
  if (!key) throw new Error(`${file} vanished while it was made.`);
  return key;
}
