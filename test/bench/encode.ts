import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { HEARING_RATE } from '#protocol/audio.ts';
import { systemClock } from '#shared/clock.ts';
import { BuiltInPerformer } from '../../workers/avatar/performer/built-in.ts';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import {
  JpegEncoder,
  type JpegOptions,
} from '../../workers/avatar/transport/botroom/jpeg/jpeg-encoder.ts';
import { openBundle } from '../../workers/bundle/open.ts';
import { drawI420 } from '../../workers/studio/portrait.ts';
import { readWave } from '../../workers/studio/wave-file.ts';
import { decoded, fullRange, planesOf, psnr } from '../support/picture/i420.ts';
import type { Tools } from './bench.ts';
import { pause } from './pause.ts';
import { row, type Row } from './report/row.ts';

const AVATARS = path.join(import.meta.dirname, '../../workers/avatar/avatars');
const SPEECH = path.join(import.meta.dirname, '../fixtures/lipsync/audio/hibari-heart_en_00.flac');
const NAMES = ['ines', 'nora', 'samuel', 'theo'];
const FPS = 25;
const FRAME_MS = 1000 / FPS;
const FIRST_FRAMES = 50;
const FRAMES = 150;
const FLOOR_FRAMES = 25;
const WARM_UP_ROUNDS = 3;
const QUALITY = 80;
const MOST_CORE = 0.05;

type Scene = 'speaking' | 'idle';
type Frames = { frames: Uint8Array[]; size: { width: number; height: number } };

/** Cost and fidelity of the botroom's pictures. The floor encodes pictures that are RGB already. */
export async function encode({ say }: Tools): Promise<Row[]> {
  const scenes: Record<Scene, Frames[]> = { speaking: [], idle: [] };
  for (const name of NAMES) {
    scenes.speaking.push(await performed(name, 'speaking'));
    scenes.idle.push(await performed(name, 'idle'));
  }
  const rows: Row[] = [];
  for (const scene of ['speaking', 'idle'] as const) {
    const runs = await measured(scenes[scene]);
    const pictures = runs.map(({ spent }) => spent.flatMap(({ jpeg }) => jpeg ?? []));
    const floor = scenes[scene].flatMap(({ frames, size }) =>
      frames.slice(0, FLOOR_FRAMES).map((frame) => byCanvas(frame, size)),
    );
    const fidelity: number[] = [];
    for (const [i, { frames, size }] of scenes[scene].entries()) {
      const first = planesOf(await decoded(pictures[i]![0]!));
      fidelity.push(psnr(first, fullRange(frames[0]!, size)).y);
    }
    say(`${scene}: ${pictures.flat().length} of ${NAMES.length * FRAMES} pictures are sent`);
    rows.push(
      ...costRows(scene, runs, floor),
      row({
        what: `a picture while ${scene}`,
        unit: 'kB',
        values: pictures.flat().map(({ length }) => length / 1000),
        note: `${NAMES.length} avatars, ${FRAMES} frames each, quality ${QUALITY}`,
        calmBy: 'always',
      }),
      row({
        what: `luma of a picture while ${scene}, PSNR`,
        unit: 'dB',
        values: fidelity,
        better: 'higher',
        calmBy: 'always',
      }),
    );
  }
  rows.push(...costRows('everything changes', await measured([mixed(scenes.speaking)])));
  return rows;
}

/** Cores that the encoder takes for a session, by scene. */
export const encodingCores = async (tools: Tools): Promise<Row[]> =>
  (await encode(tools)).filter(({ unit }) => unit === 'core');

type Run = { spent: { us: number; jpeg: Uint8Array | null }[]; core: number };

async function measured(all: Frames[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const { frames, size } of all) {
    const options = { ...size, quality: QUALITY };
    for (let i = 0; i < WARM_UP_ROUNDS; i++) encodeAll(frames, options);
    // The engine's compiler finishes in the background.
    await pause(500);
    const before = process.cpuUsage();
    const spent = encodeAll(frames, options);
    const { user, system } = process.cpuUsage(before);
    runs.push({ spent, core: (((user + system) / 1e6) * FPS) / frames.length });
  }
  return runs;
}

const costRows = (scene: string, runs: Run[], floor?: number[]): Row[] => [
  row({
    what: `a frame while ${scene}`,
    unit: 'us',
    values: runs.flatMap(({ spent }) => spent.map(({ us }) => us)),
    ...(floor && { floor, note: 'floor: a canvas that holds the picture' }),
  }),
  row({
    what: `encoding ${FPS} frames a second while ${scene}`,
    unit: 'core',
    values: runs.map(({ core }) => core),
    goal: { of: 'worst', atMost: MOST_CORE },
  }),
];

/** Frames of all avatars in turn: hardly a block equals the last frame's. */
const mixed = (all: Frames[]): Frames => ({
  frames: Array.from({ length: FRAMES }, (_, i) => all[i % all.length]!.frames[i]!),
  size: all[0]!.size,
});

async function performed(name: string, scene: Scene): Promise<Frames> {
  const bundle = await openBundle(path.join(AVATARS, `${name}.avatar`));
  const { width, height } = bundle.face.manifest;
  const performer = new BuiltInPerformer(bundle, { seed: 'bench' });
  const speech = readWave(SPEECH);
  const resampler = new Resampler(speech.sampleRate, speech.channels, HEARING_RATE);
  const bytesAFrame = (2 * speech.sampleRate * FRAME_MS) / 1000;
  const frame = new Uint8Array(width * height * 1.5);
  const frames: Uint8Array[] = [];
  for (let i = 0; i < FIRST_FRAMES + FRAMES; i++) {
    if (scene === 'speaking') {
      const from = (i * bytesAFrame) % (speech.pcm.length - bytesAFrame);
      const heard = resampler.push(speech.pcm.subarray(from, from + bytesAFrame));
      performer.hear(heard, i * FRAME_MS);
    }
    performer.draw(i * FRAME_MS, frame);
    if (i >= FIRST_FRAMES) frames.push(frame.slice());
  }
  performer.close();
  bundle.close();
  return { frames, size: { width, height } };
}

function encodeAll(frames: Uint8Array[], options: JpegOptions) {
  const encoder = new JpegEncoder(options);
  return frames.map((frame) => {
    const from = systemClock.elapsed();
    const jpeg = encoder.encode(frame);
    return { us: (systemClock.elapsed() - from) * 1000, jpeg };
  });
}

function byCanvas(frame: Uint8Array, { width, height }: { width: number; height: number }): number {
  const picture = createCanvas(width, height);
  picture.getContext('2d').drawImage(drawI420(frame, width, height), 0, 0);
  const from = systemClock.elapsed();
  picture.toBuffer('image/jpeg', QUALITY);
  return (systemClock.elapsed() - from) * 1000;
}
