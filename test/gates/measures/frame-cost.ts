/*
 * Measures the cost of drawing each avatar, in its own process, and prints the figures as JSON. The
 * flags of `frameCosts` prevent concurrent compilation and garbage collection, so that byte counts
 * are reproducible.
 */
import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import type { Figures } from '../baseline.ts';
import { metered } from './metering.ts';

const FLAGS = [
  '--expose-gc',
  '--single-threaded',
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  // Without these, V8 recompiles code at times that depend on the machine's load.
  '--predictable',
  '--no-flush-bytecode',
  '--random-seed=1',
  '--hash-seed=1',
];
const FRAME_MS = 40;
/**
 * Each scene is repeated, and the repetition with the fewest bytes counts: when V8 compiles a
 * function during one, that allocates too, and depends on the size of the environment.
 */
const REPETITIONS = 3;
const WARM_UP_FRAMES = 300;
const FRAMES = 150;
const SCENES = ['idle', 'speaking', 'listening'] as const;

/**
 * Measures 6 s of each avatar and scene: pictures drawn, and bytes allocated and WebAssembly
 * instructions per frame.
 */
export function frameCosts(): { pictures: Figures; bytes: Figures; instructions: Figures } {
  const script = fileURLToPath(import.meta.url);
  // Code from a cache is compiled at other moments.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const out = execFileSync(process.execPath, [...FLAGS, script], { encoding: 'utf8', env });
  return JSON.parse(out) as ReturnType<typeof frameCosts>;
}

async function measure() {
  const instances: WebAssembly.Instance[] = [];
  const { Module, Instance } = WebAssembly;
  WebAssembly.Module = class extends Module {
    constructor(bytes: BufferSource) {
      super(metered(new Uint8Array(bytes as Uint8Array<ArrayBuffer>)));
    }
  };
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      instances.push(this);
    }
  };
  const executed = () =>
    instances.reduce(
      (sum, { exports }) => sum + (exports.instructions as { value: bigint }).value,
      0n,
    );

  // Imported late, because these modules load their WebAssembly at once.
  const { openBundle } = await import('../../../workers/bundle/open-bundle.ts');
  const { readWave } = await import('../../../workers/studio/wave-file.ts');
  const { BuiltInPerformer } =
    await import('../../../workers/avatar/performer/built-in-performer.ts');
  const { HEARING_RATE } = await import('../../../src/protocol/audio.ts');
  const { Resampler } = await import('../../../workers/avatar/speech/resample.ts');

  const fixtures = path.join(import.meta.dirname, '../../fixtures');
  const speech = readWave(path.join(fixtures, 'lipsync/audio/hibari-heart_en_00.flac'));
  const bytesAFrame = (2 * speech.sampleRate * FRAME_MS) / 1000;
  const avatars = path.join(import.meta.dirname, '../../../workers/avatar/avatars');
  const figures = { pictures: {} as Figures, bytes: {} as Figures, instructions: {} as Figures };

  for (const file of readdirSync(avatars)
    .filter((name) => name.endsWith('.avatar'))
    .sort()) {
    const bundle = await openBundle(path.join(avatars, file));
    const frame = new Uint8Array(PLAIN_FRAME.width * PLAIN_FRAME.height * 1.5);
    for (const scene of SCENES) {
      const name = `${path.basename(file, '.avatar')} ${scene}`;
      figures.bytes[name] = Infinity;
      for (let repetition = 0; repetition < REPETITIONS; repetition++) {
        const performer = new BuiltInPerformer(bundle, { seed: 'gate', scene: PLAIN_FRAME });
        const resampler = new Resampler(speech.sampleRate, speech.channels, HEARING_RATE);
        performer.attend(scene === 'listening');
        const show = (i: number) => {
          const from = (i * bytesAFrame) % (speech.pcm.length - bytesAFrame);
          if (scene === 'speaking') {
            const samples = resampler.push(speech.pcm.subarray(from, from + bytesAFrame));
            performer.hear(samples, i * FRAME_MS);
          }
          return performer.draw(i * FRAME_MS, frame);
        };
        for (let i = 0; i < WARM_UP_FRAMES; i++) show(i);
        globalThis.gc!();
        const garbage = new GCProfiler();
        garbage.start();
        const [bytesBefore, executedBefore] = [allocated(), executed()];
        let drawn = 0;
        for (let i = WARM_UP_FRAMES; i < WARM_UP_FRAMES + FRAMES; i++) drawn += Number(show(i));
        const [bytes, instructions] = [allocated() - bytesBefore, executed() - executedBefore];
        if (garbage.stop().statistics.length > 0)
          throw new Error('garbage was collected during the measurement');
        figures.pictures[name] = drawn;
        figures.bytes[name] = Math.min(figures.bytes[name], Math.round(bytes / FRAMES));
        figures.instructions[name] = Number(instructions) / FRAMES;
        performer.close();
      }
    }
    bundle.close();
  }
  process.stdout.write(JSON.stringify(figures));
}

const allocated = () => getHeapStatistics().used_heap_size + process.memoryUsage().arrayBuffers;

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure();
