import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEncryptor, secretKey } from '../../../src/records/engine/encryptor.ts';

describe('a sealed secret', () => {
  const encryptor = createEncryptor(randomBytes(32));

  test('opens where it was sealed', () => {
    const sealed = encryptor.encrypt('a room token, ünïcode', 'sessions/1');

    expect(encryptor.decrypt(sealed, 'sessions/1')).toBe('a room token, ünïcode');
  });

  test('looks different each time and shows nothing', () => {
    const [first, second] = [encryptor.encrypt('secret', 'a'), encryptor.encrypt('secret', 'a')];

    expect(first).not.toBe(second);
    expect(first + second).not.toContain(Buffer.from('secret').toString('base64url'));
  });

  test('opens at no other place', () => {
    const sealed = encryptor.encrypt('secret', 'sessions/1');

    expect(() => encryptor.decrypt(sealed, 'sessions/2')).toThrow('does not open');
  });

  test('opens with no other key', () => {
    const sealed = encryptor.encrypt('secret', 'a');

    expect(() => createEncryptor(randomBytes(32)).decrypt(sealed, 'a')).toThrow(
      'TROUPE_SECRET_KEY',
    );
  });

  test('does not open when a bit is changed', () => {
    const [version, nonce, tag, text = ''] = encryptor.encrypt('secret', 'a').split('.');
    const bytes = Buffer.from(text, 'base64url');
    bytes[0] = (bytes[0] ?? 0) ^ 1;

    const changed = [version, nonce, tag, bytes.toString('base64url')].join('.');
    expect(() => encryptor.decrypt(changed, 'a')).toThrow('does not open');
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

  test('is the one that is given', () => {
    const key = randomBytes(32);

    expect(secretKey(key.toString('base64'), dataDir)).toEqual(key);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('is made once, for its owner only', () => {
    const made = secretKey(undefined, dataDir);

    expect(made).toHaveLength(32);
    expect(secretKey(undefined, dataDir)).toEqual(made);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  test('is never made anew over a file that cannot be one', () => {
    writeFileSync(path.join(dataDir, 'secret.key'), 'half');

    expect(() => createEncryptor(secretKey(undefined, dataDir))).toThrow('32 bytes');
  });
});
