/*
 * CPU time of the resampler and the lip-sync for a second of speech, in runs of 20 ms.
 *   npx tsx test/bench/lipsync/sound.ts
 */
import { LipSync } from '../../../workers/avatar/lipsync/mouth-track.ts';
import { Resampler } from '../../../workers/avatar/speech/resample.ts';
import { joined } from '../../support/sound/pcm.ts';
import { silence, vowel } from '../../support/sound/vowels.ts';

const RUN_MS = 20;
const TIMES = 9;
const speech = joined(
  ...(['a', 'i', 'u', 'e', 'o'] as const).flatMap((name) => [vowel(name, 300), silence(100)]),
);
const seconds = speech.length / 16_000;

for (const [fromRate, toRate] of [
  [16_000, 48_000],
  [24_000, 48_000],
  [24_000, 16_000],
  [44_100, 48_000],
  [48_000, 16_000],
  [48_000, 48_000],
] as const) {
  // The cost does not depend on the samples, so the same bytes serve at any rate.
  const bytes = new Uint8Array(speech.buffer);
  const runBytes = 2 * Math.round((fromRate * RUN_MS) / 1000);
  print(`resample ${fromRate} -> ${toRate}`, bytes.length / 2 / fromRate, () => {
    const resampler = new Resampler(fromRate, 1, toRate);
    for (let at = 0; at < bytes.length; at += runBytes) {
      resampler.push(bytes.subarray(at, at + runBytes));
    }
    resampler.flush();
  });
}

print('lip-sync, 25 looks a second', seconds, () => {
  const lipSync = new LipSync();
  const run = 16 * RUN_MS;
  for (let at = 0; at < speech.length; at += run) {
    lipSync.hear(speech.subarray(at, at + run), at / 16);
    if (at % (2 * run) === 0) {
      lipSync.mouthAt(at / 16);
      lipSync.loudnessAt(at / 16);
    }
  }
});

const sessions: LipSync[] = [];
const memoryBefore = memory();
for (let i = 0; i < 200; i++) sessions.push(new LipSync());
const perSession = (memory() - memoryBefore) / sessions.length / 1024;
console.log(`${'memory of a lip-sync'.padEnd(32)} ${perSession.toFixed(0)} KiB`);

/** The best of several runs, because other load only adds time. */
function print(title: string, ofSeconds: number, work: () => void) {
  let best = Infinity;
  for (let i = 0; i < TIMES; i++) {
    const from = process.cpuUsage();
    for (let repeat = 0; repeat < 5; repeat++) work();
    const { user, system } = process.cpuUsage(from);
    best = Math.min(best, (user + system) / 1000 / (5 * ofSeconds));
  }
  console.log(`${title.padEnd(32)} ${best.toFixed(2)} ms of CPU for a second of speech`);
}

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
