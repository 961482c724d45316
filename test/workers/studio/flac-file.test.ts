import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decodeFlac } from '../../../workers/studio/flac-file.ts';

const FILE = path.join(import.meta.dirname, '../../fixtures/lipsync/audio/espeak-m1_fr_01.flac');
const bytes = readFileSync(FILE);

test('a FLAC file decodes to the samples of its checksum', () => {
  const { channels, sampleRate, pcm } = decodeFlac(bytes);

  expect([channels, sampleRate]).toEqual([1, 24_000]);
  expect(pcm.length).toBe(2 * 24_000 * 11.6);
});

test('a FLAC file with a wrong bit is refused', () => {
  const broken = Uint8Array.from(bytes);
  broken[bytes.length >> 1]! ^= 1;

  expect(() => decodeFlac(broken)).toThrow('FLAC');
});
