import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tar, wholeFile, type ArchiveFile } from '../../../src/http/export/tar.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* filesFrom(files: ArchiveFile[]) {
  yield* files;
}

async function archiveOf(files: ArchiveFile[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of tar(filesFrom(files), Date.UTC(2026, 0, 1))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('an archive', () => {
  test('is unpacked by tar, byte by byte', async () => {
    const files = [0, 1, 511, 512, 513, 100_000].map((size) => ({
      name: `folder/${size}.bin`,
      bytes: Buffer.alloc(size, size % 251),
    }));
    const archive = await archiveOf(files.map(({ name, bytes }) => wholeFile(name, bytes)));
    writeFileSync(path.join(folder, 'all.tar'), archive);

    execFileSync('tar', ['-xf', 'all.tar'], { cwd: folder });

    for (const { name, bytes } of files) {
      expect(readFileSync(path.join(folder, name)).equals(bytes), name).toBe(true);
      expect(statSync(path.join(folder, name)).mtime).toEqual(new Date('2026-01-01T00:00:00Z'));
    }
  });

  test('may be empty', async () => {
    writeFileSync(path.join(folder, 'all.tar'), await archiveOf([]));

    expect(execFileSync('tar', ['-tf', 'all.tar'], { cwd: folder }).toString()).toBe('');
  });

  test('is not finished with a file of another size', async () => {
    const file = { name: 'a', size: 3, parts: [Buffer.alloc(1), Buffer.alloc(1)] };

    await expect(archiveOf([file])).rejects.toThrow('2 bytes instead of 3');
  });

  test.each(['', 'a'.repeat(101), 'Zoë', 'a b'])('refuses the name %o', async (name) => {
    await expect(archiveOf([wholeFile(name, Buffer.alloc(1))])).rejects.toThrow('cannot name');
  });
});
