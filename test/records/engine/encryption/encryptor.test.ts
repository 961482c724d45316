import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createEncryptor,
  keyIdOfBytes,
} from '../../../../src/records/engine/encryption/encryptor.ts';
import { Keyring, keyIdOf } from '../../../../src/records/engine/encryption/keyring.ts';
import { testEncryptor } from '../../../support/records/encryptor.ts';

describe('an encrypted text', () => {
  const encryptor = testEncryptor();

  test('decrypts in its own place', () => {
    const sealed = encryptor.encrypt('a room token, ünïcode', 'sessions/1');

    expect(encryptor.decrypt(sealed, 'sessions/1')).toBe('a room token, ünïcode');
  });

  test('is different each time and reveals nothing', () => {
    const [firstText, secondText] = [
      encryptor.encrypt('secret', 'a'),
      encryptor.encrypt('secret', 'a'),
    ];

    expect(firstText).not.toBe(secondText);
    expect(firstText + secondText).not.toContain(Buffer.from('secret').toString('base64url'));
  });

  test('may be empty', () => {
    expect(encryptor.decrypt(encryptor.encrypt('', 'a'), 'a')).toBe('');
  });

  test('has no NUL, like text in clear columns', () => {
    expect(encryptor.decrypt(encryptor.encrypt('a\0b', 'a'), 'a')).toBe('a\uFFFDb');
  });

  test('does not decrypt in another place', () => {
    const sealed = encryptor.encrypt('secret', 'sessions/1');

    expect(() => encryptor.decrypt(sealed, 'sessions/2')).toThrow('Cannot decrypt');
  });

  test('names the missing key', () => {
    const key = randomBytes(32);
    const sealed = testEncryptor(key).encrypt('secret', 'a');

    expect(() => encryptor.decrypt(sealed, 'a')).toThrow(
      `its key ${keyIdOf(key)} is missing. Add it to TROUPE_SECRET_KEY`,
    );
  });

  test('does not decrypt with a changed bit', () => {
    const sealed = encryptor.encrypt('secret', 'a').split('.');
    const bytes = Buffer.from(sealed.at(-1)!, 'base64url');
    bytes[0] = (bytes[0] ?? 0) ^ 1;

    const changed = [...sealed.slice(0, -1), bytes.toString('base64url')].join('.');
    expect(() => encryptor.decrypt(changed, 'a')).toThrow('Cannot decrypt');
  });

  test.each(['', 'v1', 'v1..', 'v2.a.b.c', 'v1.AAAA.AAAA.AAAA', 'v3.a'])('is not %o', (text) => {
    expect(() => encryptor.decrypt(text, 'a')).toThrow('Not an encrypted value');
  });

  test('is told from clear text of earlier versions', () => {
    for (const clear of ['', 'Hello', '{"a":1}', 'v2.0 is out', 'v1.2.3.4']) {
      expect(encryptor.readText(clear, 'a')).toBe(clear);
    }
    expect(encryptor.readText(encryptor.encrypt('Hello', 'a'), 'a')).toBe('Hello');
  });
});

describe('a text encrypted by an earlier version', () => {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('sessions/1'));
  const encrypted = Buffer.concat([cipher.update('a room token'), cipher.final()]);
  const parts = [nonce, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64url'));
  const stored = ['v1', ...parts].join('.');

  test('decrypts with any of the keys', () => {
    const encryptor = createEncryptor(new Keyring(() => [randomBytes(32), key]));

    expect(encryptor.decrypt(stored, 'sessions/1')).toBe('a room token');
    expect(encryptor.readText(stored, 'sessions/1')).toBe('a room token');
  });

  test('does not decrypt without its key', () => {
    expect(() => testEncryptor().decrypt(stored, 'sessions/1')).toThrow('TROUPE_SECRET_KEY');
  });
});

describe('encrypted bytes', () => {
  const key = randomBytes(32);
  const encryptor = testEncryptor(key);
  const bytes = Uint8Array.from([0, 255, 128, 10, 0]);

  test('decrypt in their own place only', () => {
    const stored = encryptor.encryptBytes(bytes, 'blobs/1');

    expect([...encryptor.readBytes(stored, 'blobs/1')]).toEqual([...bytes]);
    expect(() => encryptor.readBytes(stored, 'blobs/2')).toThrow('Cannot decrypt');
    expect(keyIdOfBytes(stored)).toBe(keyIdOf(key));
  });

  test('are refused when cut short', () => {
    const stored = encryptor.encryptBytes(bytes, 'a');

    for (const length of [stored.length - 1, 30, 16, 12]) {
      expect(() => encryptor.readBytes(stored.subarray(0, length), 'a')).toThrow('Cannot decrypt');
    }
  });

  test('are told from clear bytes of earlier versions', () => {
    for (const clear of [new Uint8Array(), bytes, Buffer.from('\x89PNG\r\n\x1a\n'.repeat(9))]) {
      expect(encryptor.readBytes(clear, 'a')).toBe(clear);
    }
  });
});

describe('a keyring', () => {
  test('encrypts with the current key and decrypts with all', () => {
    const [old, nextKey] = [randomBytes(32), randomBytes(32)];
    const keyring = new Keyring(() => [old, nextKey]);
    const encryptor = createEncryptor(keyring);
    const oldText = encryptor.encrypt('secret', 'a');

    expect(keyring.use(keyIdOf(nextKey))).toBe(true);

    const newText = encryptor.encrypt('secret', 'a');
    expect(encryptor.decrypt(oldText, 'a')).toBe('secret');
    expect(testEncryptor(nextKey).decrypt(newText, 'a')).toBe('secret');
  });

  test('finds a key that was added meanwhile', () => {
    const [old, nextKey] = [randomBytes(32), randomBytes(32)];
    const keys = [old];
    const encryptor = createEncryptor(new Keyring(() => keys));
    keys.push(nextKey);

    expect(encryptor.decrypt(testEncryptor(nextKey).encrypt('secret', 'a'), 'a')).toBe('secret');
  });

  test('keeps its current key when the next is not given', () => {
    const keyring = new Keyring(() => [randomBytes(32)]);
    const { id } = keyring.current;

    expect(keyring.use('00000000')).toBe(false);

    expect(keyring.current.id).toBe(id);
  });

  test('rejects keys of another length', () => {
    expect(() => new Keyring(() => [randomBytes(31)])).toThrow('32 bytes');
  });
});
