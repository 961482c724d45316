/*
 * What the mouth does in sound files, one line of JSON for each, as the scorer of the lip-sync set reads it:
 *   npm run --silent lipsync -- --fps 25 --out OUT.jsonl [--ahead 60] FILE.wav ...
 * The sound goes through the worker's own code in runs of 10 ms; `--ahead` is how many milliseconds of it are told before the end of a
 * picture's span. 0 is speech that comes at its own pace, more is speech that comes early.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LipSync, type Look } from '../lipsync/mouth-track.ts';
import { HEARING_RATE } from '../performer/performer.ts';
import { Resampler } from '../speech/resample.ts';
import { readWave, type Wave } from './wave-file.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fps: { type: 'string', default: '25' },
    ahead: { type: 'string', default: '60' },
    out: { type: 'string' },
  },
});
if (!values.out || positionals.length === 0) {
  throw new Error('lipsync --fps 25 --out OUT.jsonl FILE.wav ...');
}

const fps = Number(values.fps);
const aheadMs = Number(values.ahead);
let heardSeconds = 0;
const cpuAtStart = process.cpuUsage();
const lines = positionals.map((file) => {
  const wave = readWave(file);
  heardSeconds += wave.pcm.length / (2 * wave.channels * wave.sampleRate);
  return { file: path.basename(file), fps, frames: looksIn(wave).map(written) };
});
const cpu = process.cpuUsage(cpuAtStart);
const meta = {
  system: 'troupe',
  lookahead_ms: aheadMs,
  cpu_s_per_audio_s: Number(((cpu.user + cpu.system) / 1e6 / heardSeconds).toFixed(5)),
};
writeFileSync(values.out, [{ meta }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));

/** One look for each picture, at the middle of its span. */
function looksIn(wave: Wave): Look[] {
  const resampler = new Resampler(wave.sampleRate, wave.channels, HEARING_RATE);
  const lipSync = new LipSync();
  const bytesPerRun = 2 * wave.channels * Math.round(wave.sampleRate / 100);
  let told = 0;
  let sent = 0;
  const hearUntil = (untilMs: number) => {
    while (sent < wave.pcm.length && (told * 1000) / HEARING_RATE < untilMs) {
      const samples = resampler.push(wave.pcm.subarray(sent, sent + bytesPerRun));
      sent += bytesPerRun;
      lipSync.hear(samples, (told * 1000) / HEARING_RATE);
      told += samples.length;
    }
  };
  const seconds = wave.pcm.length / (2 * wave.channels * wave.sampleRate);
  return Array.from({ length: Math.floor(seconds * fps) }, (_, frame) => {
    hearUntil(((frame + 1) * 1000) / fps + aheadMs);
    return lipSync.lookAt(((frame + 0.5) * 1000) / fps);
  });
}

function written({ viseme, opening, rounding }: Look) {
  return { viseme, open: Number(opening.toFixed(3)), round: Number(rounding.toFixed(3)) };
}
