import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';
import type { Look } from '../avatar/lipsync/mouth-track.ts';
import { readWeights } from '../avatar/lipsync/network.ts';
import { looksIn } from './looks.ts';
import { readWave } from './wave-file.ts';

const { values, positionals, number, refuse } = readCommand({
  usage: `Usage: npm run --silent lipsync -- --out OUT.jsonl [--fps 25] [--ahead 60] [--weights FILE.json] FILE.flac|wav ...

Runs lip-sync over sound files as a worker does, and writes one line of JSON for each file, as the scorer of the lip-sync set
reads it.
  --ahead MS           look-ahead: how much sound after the end of a frame the network gets
  --weights FILE.json  weights to use instead of the shipped ones`,
  options: {
    fps: { type: 'string', default: '25' },
    ahead: { type: 'string', default: '60' },
    out: { type: 'string' },
    weights: { type: 'string' },
  },
  positionals: { min: 1, max: Infinity },
});
const out = values.out ?? refuse('--out is missing.');

const fps = number('--fps', values.fps, 1);
const aheadMs = number('--ahead', values.ahead);
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
writeFileSync(out, [{ meta }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));

function written({ viseme, opening, rounding }: Look) {
  return { viseme, open: Number(opening.toFixed(3)), round: Number(rounding.toFixed(3)) };
}
