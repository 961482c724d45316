import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../src/http/export/parts.ts';
import type { ArchiveFile } from '../../../src/http/export/tar.ts';

const LETTER_COUNT = 600_000;

async function* pages() {
  yield ['a', 'b', 'c'];
  yield [];
  yield ['d'];
}

async function partsWith(letters: number): Promise<ArchiveFile[]> {
  const parts: ArchiveFile[] = [];
  const toBody = async (letter: string) => letter.repeat(letters);
  for await (const part of partsOf('calls', pages(), toBody)) parts.push(part);
  return parts;
}

describe('a list in parts', () => {
  test('has a file of lines for each page that is not empty', async () => {
    const parts = await partsWith(1);

    const texts = parts.map(({ name, parts }) => [name, ...(parts as Buffer[]).map(String)]);
    expect(texts).toEqual([
      ['calls/0001.ndjson', '"a"\n"b"\n"c"\n'],
      ['calls/0002.ndjson', '"d"\n'],
    ]);
  });

  test('has further files for items that are large', async () => {
    const parts = await partsWith(LETTER_COUNT);

    const sizes = parts.map(({ size }) => Math.floor(size / LETTER_COUNT));
    expect(sizes).toEqual([2, 1, 1]);
  });
});
