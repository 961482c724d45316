import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEncryptor, secretKey } from '../../../src/records/engine/encryptor.ts';

describe('an encrypted secret', () => {
  const encryptor = createEncryptor(randomBytes(32));

  test('decrypts in its own place', () => {
    const sealed = encryptor.encrypt('a room token, ünïcode', 'sessions/1');

    expect(encryptor.decrypt(sealed, 'sessions/1')).toBe('a room token, ünïcode');
  });

  test('is different each time and reveals nothing', () => {
    const [first, second] = [encryptor.encrypt('secret', 'a'), encryptor.encrypt('secret', 'a')];

    expect(first).not.toBe(second);
    expect(first + second).not.toContain(Buffer.from('secret').toString('base64url'));
  });

  test('does not decrypt in another place', () => {
    const sealed = encryptor.encrypt('secret', 'sessions/1');

    expect(() => encryptor.decrypt(sealed, 'sessions/2')).toThrow('Cannot decrypt');
  });

  test('does not decrypt with another key', () => {
    const sealed = encryptor.encrypt('secret', 'a');

    expect(() => createEncryptor(randomBytes(32)).decrypt(sealed, 'a')).toThrow(
      'TROUPE_SECRET_KEY',
    );
  });

  test('does not decrypt with a changed bit', () => {
    const [version, nonce, tag, text = ''] = encryptor.encrypt('secret', 'a').split('.');
    const bytes = Buffer.from(text, 'base64url');
    bytes[0] = (bytes[0] ?? 0) ^ 1;

    const changed = [version, nonce, tag, bytes.toString('base64url')].join('.');
    expect(() => encryptor.decrypt(changed, 'a')).toThrow('Cannot decrypt');
  });

  test.each(['', 'v1', 'v1..', 'v2.a.b.c', 'v1.AAAA.AAAA.AAAA'])('is not %o', (text) => {
    expect(() => encryptor.decrypt(text, 'a')).toThrow();
  });
});

describe('the secret key', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  test('is the configured one', () => {
    const key = randomBytes(32);

    expect(secretKey(key.toString('base64'), dataDir)).toEqual(key);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('is created once, readable by its owner only', () => {
    const made = secretKey(undefined, dataDir);

    expect(made).toHaveLength(32);
    expect(secretKey(undefined, dataDir)).toEqual(made);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  test('never replaces an invalid key file', () => {
    writeFileSync(path.join(dataDir, 'secret.key'), 'half');

    expect(() => createEncryptor(secretKey(undefined, dataDir))).toThrow('32 bytes');
  });
});
