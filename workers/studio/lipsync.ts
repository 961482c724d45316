/*
 * Prints the mouth's motion for sound files as JSON lines, the input of the lip-sync set's scorer:
 *   npm run --silent lipsync -- --fps 25 --out OUT.jsonl [--ahead 60] [--weights FILE.json]
 *     FILE.flac|wav ...
 * The sound passes through the worker's own code as in a session. `--ahead` is how many
 * milliseconds of it arrive before the end of a picture's span.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Look } from '../avatar/lipsync/mouth-track.ts';
import { readWeights } from '../avatar/lipsync/network.ts';
import { looksIn } from './looks.ts';
import { readWave } from './wave-file.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fps: { type: 'string', default: '25' },
    ahead: { type: 'string', default: '60' },
    out: { type: 'string' },
    weights: { type: 'string' },
  },
});
if (!values.out || positionals.length === 0) {
  throw new Error('usage: npm run lipsync -- --fps 25 --out OUT.jsonl FILE.flac|wav ...');
}

const fps = Number(values.fps);
const aheadMs = Number(values.ahead);
const weights = values.weights ? readWeights(values.weights) : undefined;
let heardSeconds = 0;
let cpuMicroseconds = 0;
const lines = positionals.map((file) => {
  const wave = readWave(file);
  heardSeconds += wave.pcm.length / (2 * wave.channels * wave.sampleRate);
  const cpuBefore = process.cpuUsage();
  const frames = looksIn(wave, { fps, aheadMs, weights }).map(written);
  const { user, system } = process.cpuUsage(cpuBefore);
  cpuMicroseconds += user + system;
  return { file: path.basename(file), fps, frames };
});
const meta = {
  system: 'troupe',
  lookahead_ms: aheadMs,
  cpu_s_per_audio_s: Number((cpuMicroseconds / 1e6 / heardSeconds).toFixed(5)),
};
writeFileSync(values.out, [{ meta }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));

function written({ viseme, opening, rounding }: Look) {
  return { viseme, open: Number(opening.toFixed(3)), round: Number(rounding.toFixed(3)) };
}
