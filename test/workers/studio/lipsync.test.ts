import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { joined } from '../../support/sound/pcm.ts';
import { RATE, silence, vowel } from '../../support/sound/vowels.ts';
import { waveOf } from '../../support/sound/wave.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lipsync-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the lipsync command writes a look for each picture of a file, and metadata', () => {
  const file = path.join(folder, 'word.wav');
  const out = path.join(folder, 'out.jsonl');
  writeFileSync(file, waveOf(joined(silence(400), vowel('o', 300), silence(300)), RATE));

  const command = 'workers/studio/lipsync.ts';
  execFileSync(process.execPath, ['--import', 'tsx', command, '--out', out, file]);

  const [{ meta }, word] = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(meta).toMatchObject({ system: 'troupe', lookahead_ms: 60 });
  expect(word).toMatchObject({ file: 'word.wav', fps: 25 });
  expect(word.frames).toHaveLength(25);
  expect(word.frames[4]).toMatchObject({ viseme: 'sil', open: 0 });
  expect(['O', 'U']).toContain(word.frames[14].viseme);
  expect(word.frames[14].round).toBeGreaterThan(0.4);
});
