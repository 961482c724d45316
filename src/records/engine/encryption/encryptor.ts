/*
 * Encrypts columns and blobs at rest with AES-256-GCM.
 *
 * text   `v2.<key id>.<nonce>.<tag>.<encrypted>`, the last three in base64url
 *        `v1.<nonce>.<tag>.<encrypted>` in rows of earlier versions, which had one key
 * bytes  MAGIC, key id (4), nonce (12), tag (16), encrypted
 *
 * The place of a value (`calls/<id>/user_name`) is authenticated with it, so that a value copied to
 * another row fails.
 */
import { createCipheriv, createDecipheriv, randomFillSync, type KeyObject } from 'node:crypto';
import type { EncryptionKey, Keyring } from './keyring.ts';
import { storableText } from '../storable.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const ENCRYPTED = /^v2\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22})\.([\w-]*)$/;
const BY_EARLIER_VERSION = /^v1\.([\w-]{16})\.([\w-]{22})\.([\w-]*)$/;

/** No picture, bundle or text begins like this. */
const MAGIC = Buffer.from('\x89TRP2\r\n\0', 'latin1');
/** Length of magic and key id. */
export const BYTES_PREFIX = MAGIC.length + 4;
const BYTES_HEADER = BYTES_PREFIX + NONCE_BYTES + TAG_BYTES;

export interface Encryptor {
  /** `place` identifies the row and field of the value. */
  encrypt(text: string, place: string): string;
  /** Throws if the value was encrypted for another place or with an unknown key. */
  decrypt(encrypted: string, place: string): string;
  encryptBytes(bytes: Uint8Array, place: string): Uint8Array;
  /** Like `decrypt`, but returns clear text of earlier versions as it is. */
  readText(stored: string, place: string): string;
  /** Like `readText`, for bytes. */
  readBytes(stored: Uint8Array, place: string): Uint8Array;
}

type Parts = { nonce: Buffer; tag: Buffer; encrypted: Buffer };

export function createEncryptor(keyring: Keyring): Encryptor {
  const nextNonce = nonces();

  const encryptWith = (key: KeyObject, plain: Uint8Array, place: string): Parts => {
    const nonce = nextNonce();
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { nonce, tag: cipher.getAuthTag(), encrypted };
  };

  const decrypt = (encrypted: string, place: string): string => {
    const [, id, ...parts] = ENCRYPTED.exec(encrypted) ?? [];
    if (id !== undefined) return open(keyOf(keyring, id), toParts(parts), place).toString();
    const [, ...earlier] = BY_EARLIER_VERSION.exec(encrypted) ?? [];
    if (earlier.length === 0) throw new Error('Not an encrypted value.');
    return openWithAny(keyring, toParts(earlier), place).toString();
  };

  return {
    decrypt,

    encrypt(text, place) {
      const { id, secret } = keyring.current;
      const { nonce, tag, encrypted } = encryptWith(secret, Buffer.from(storableText(text)), place);
      const parts = [nonce, tag, encrypted].map((part) => part.toString('base64url'));
      return textPrefix(id) + parts.join('.');
    },

    readText: (stored, place) => (isEncrypted(stored) ? decrypt(stored, place) : stored),

    encryptBytes(bytes, place) {
      const { id, secret } = keyring.current;
      const { nonce, tag, encrypted } = encryptWith(secret, bytes, place);
      return Buffer.concat([bytesPrefix(id), nonce, tag, encrypted]);
    },

    readBytes(stored, place) {
      const id = keyIdOfBytes(stored);
      if (id === null) return stored;
      const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
      const nonce = bytes.subarray(BYTES_PREFIX, BYTES_PREFIX + NONCE_BYTES);
      const tag = bytes.subarray(BYTES_PREFIX + NONCE_BYTES, BYTES_HEADER);
      const encrypted = bytes.subarray(BYTES_HEADER);
      return open(keyOf(keyring, id), { nonce, tag, encrypted }, place);
    },
  };
}

/** How a text begins that this key encrypted. */
export const textPrefix = (keyId: string): string => `v2.${keyId}.`;

/** How bytes begin that this key encrypted. */
export const bytesPrefix = (keyId: string): Buffer =>
  Buffer.concat([MAGIC, Buffer.from(keyId, 'hex')]);

/** Null for clear bytes. `stored` may be cut off after `BYTES_PREFIX`. */
export function keyIdOfBytes(stored: Uint8Array): string | null {
  const prefix = Buffer.from(stored.subarray(0, BYTES_PREFIX));
  if (prefix.length < BYTES_PREFIX || !prefix.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  return prefix.subarray(MAGIC.length).toString('hex');
}

const isEncrypted = (stored: string): boolean =>
  ENCRYPTED.test(stored) || BY_EARLIER_VERSION.test(stored);

function toParts(texts: readonly string[]): Parts {
  const [nonce, tag, encrypted] = texts.map((text) => Buffer.from(text, 'base64url'));
  if (!nonce || !tag || !encrypted) throw new Error('Not an encrypted value.');
  return { nonce, tag, encrypted };
}

function keyOf(keyring: Keyring, id: string): EncryptionKey {
  const key = keyring.find(id);
  if (key) return key;
  throw new Error(
    `Cannot decrypt a stored value: its key ${id} is missing. Add it to TROUPE_SECRET_KEY or to the key file.`,
  );
}

function open({ secret }: EncryptionKey, { nonce, tag, encrypted }: Parts, place: string): Buffer {
  try {
    const decipher = createDecipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch (cause) {
    throw new Error('Cannot decrypt a stored value: it was modified or belongs to another row.', {
      cause,
    });
  }
}

/** Values of earlier versions do not name their key. */
function openWithAny(keyring: Keyring, parts: Parts, place: string): Buffer {
  let lastError: unknown;
  for (const key of keyring.all()) {
    try {
      return open(key, parts, place);
    } catch (error) {
      lastError = error;
    }
  }
  throw new Error(
    'Cannot decrypt a stored value: it was modified or encrypted with another TROUPE_SECRET_KEY.',
    { cause: lastError },
  );
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
