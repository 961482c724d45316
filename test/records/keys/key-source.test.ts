import { randomBytes } from 'node:crypto';
import fs, { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keySource, newKey } from '../../../src/records/keys/key-source.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-key-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('the secret keys', () => {
  test('are the configured ones', () => {
    const keys = [randomBytes(32), randomBytes(32)];
    const keyText = keys.map((key) => key.toString('base64')).join(', ');

    const source = keySource({ TROUPE_SECRET_KEY: keyText, DATA_DIR: dataDir });

    expect(source.read()).toEqual(keys);
    expect(source.file).toBeNull();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('are created once, readable by their owner only', () => {
    const source = keySource({ DATA_DIR: dataDir });
    expect(source.read()).toEqual([]);

    source.file?.create([newKey()]);
    const createdKeys = source.read();
    source.file?.create([newKey()]);

    expect(createdKeys.map(({ length }) => length)).toEqual([32]);
    expect(source.read()).toEqual(createdKeys);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  test('lie in the configured file', () => {
    const file = path.join(dataDir, 'elsewhere', 'troupe.key');
    const source = keySource({ TROUPE_SECRET_KEY_FILE: file, DATA_DIR: dataDir });

    source.file?.create([newKey()]);

    expect(source.name).toBe(file);
    expect(readdirSync(dataDir)).toEqual(['elsewhere']);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  test('are added and removed one by one', () => {
    const { read, file } = keySource({ DATA_DIR: dataDir });
    file?.create([newKey()]);
    const [firstKey] = read();
    const second = newKey();

    file?.add(second);
    expect(read()).toEqual([firstKey, second]);

    file?.remove(firstKey!);
    expect(read()).toEqual([second]);
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  test('survive a power cut: their folder is written after each change of its file', () => {
    const { file } = keySource({ DATA_DIR: dataDir });
    const written: string[][] = [];
    const { fsyncSync } = fs;
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      fsyncSync(descriptor);
      const isFolder = fs.fstatSync(descriptor).ino === statSync(dataDir).ino;
      if (isFolder) written.push(readdirSync(dataDir));
    });
    syncBuiltinESMExports();
    const key = newKey();

    file?.create([newKey()]);
    file?.add(key);
    file?.remove(key);
    vi.restoreAllMocks();
    syncBuiltinESMExports();

    expect(written).toEqual([
      expect.arrayContaining(['secret.key']),
      ['secret.key'],
      ['secret.key'],
    ]);
  });

  test('are changed by one command at a time', () => {
    const { read, file } = keySource({ DATA_DIR: dataDir });
    file?.create([newKey()]);
    const keysBefore = read();
    writeFileSync(path.join(dataDir, 'secret.key.new'), '');

    expect(() => file?.add(newKey())).toThrow('Another command changes the keys.');

    expect(read()).toEqual(keysBefore);
  });

  test.each(['half', '', `${randomBytes(32).toString('base64')}\nhalf\n`])(
    'are never replaced in an invalid file: %j',
    (text) => {
      writeFileSync(path.join(dataDir, 'secret.key'), text);

      expect(() => keySource({ DATA_DIR: dataDir }).read()).toThrow(/one a line: 32 bytes/);
    },
  );
});
