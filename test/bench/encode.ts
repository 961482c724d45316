import path from 'node:path';
import { createCanvas } from 'canvas';
import { HEARING_RATE } from '#protocol/audio.ts';
import { systemClock } from '#shared/clock.ts';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import {
  JpegEncoder,
  type JpegOptions,
} from '../../workers/avatar/transport/botroom/jpeg/jpeg-encoder.ts';
import { drawI420 } from '../../workers/studio/portrait.ts';
import { readWave } from '../../workers/studio/wave-file.ts';
import { decoded, fullRange, planesOf, psnr } from '../support/picture/i420.ts';
import { startLoad } from './api/load-meter.ts';
import { pause } from './pause.ts';
import { FPS, perform, type Size } from './avatar-frames.ts';
import { row, type Load, type Row } from './report/row.ts';
import { CAST } from '../support/cast.ts';

const SPEECH = path.join(import.meta.dirname, '../fixtures/lipsync/audio/hibari-heart_en_00.flac');
const NAMES = CAST.map(({ alias }) => alias).toSorted();
const FRAMES = 150;
const FLOOR_FRAMES = 25;
const WARM_UP_ROUNDS = 3;
const QUALITY = 80;
const MOST_CORE = 0.05;
const CHANGING = 'everything changes';

type Scene = 'speaking' | 'idle';
type Frames = { frames: Uint8Array[]; size: Size };
type Run = { spent: { us: number; jpeg: Uint8Array | null }[]; core: number };
type Measured = { runs: Run[]; load: Load };

/** Cost and fidelity of the botroom's pictures. The floor encodes pictures that are RGB already. */
export async function encode(): Promise<Row[]> {
  const scenes = await performAll();
  const rows: Row[] = [];
  for (const scene of ['speaking', 'idle'] as const) {
    const measured = await measure(scenes[scene]);
    rows.push(
      timeRow(scene, measured, canvasTimes(scenes[scene])),
      coreRow(scene, measured),
      ...pictureRows(scene, measured),
      await fidelityRow(scene, scenes[scene], measured),
    );
  }
  const changing = await measure([mixed(scenes.speaking)]);
  return [...rows, timeRow(CHANGING, changing), coreRow(CHANGING, changing)];
}

/** Cores that the encoder takes for a session, by scene. */
export async function encodingCores(): Promise<Row[]> {
  const { speaking, idle } = await performAll();
  return [
    coreRow('speaking', await measure(speaking)),
    coreRow('idle', await measure(idle)),
    coreRow(CHANGING, await measure([mixed(speaking)])),
  ];
}

async function measure(clips: Frames[]): Promise<Measured> {
  const endLoad = startLoad();
  const runs: Run[] = [];
  for (const { frames, size } of clips) {
    const options = { ...size, quality: QUALITY };
    for (let i = 0; i < WARM_UP_ROUNDS; i++) encodeAll(frames, options);
    // The engine's compiler finishes in the background.
    await pause(500);
    const cpuAtStart = process.cpuUsage();
    const spent = encodeAll(frames, options);
    const { user, system } = process.cpuUsage(cpuAtStart);
    runs.push({ spent, core: (((user + system) / 1e6) * FPS) / frames.length });
  }
  return { runs, load: endLoad() };
}

const timeRow = (scene: string, { runs }: Measured, floor?: number[]): Row =>
  row({
    what: `a frame while ${scene}`,
    unit: 'us',
    values: runs.flatMap(({ spent }) => spent.map(({ us }) => us)),
    ...(floor && { floor, note: 'floor: a canvas that holds the picture' }),
  });

const coreRow = (scene: string, { runs, load }: Measured): Row =>
  row({
    what: `encoding ${FPS} frames a second while ${scene}`,
    unit: 'core',
    values: runs.map(({ core }) => core),
    goal: { of: 'worst', atMost: MOST_CORE },
    load,
    calmBy: 'pressure',
  });

const picturesOf = ({ spent }: Run): Uint8Array[] => spent.flatMap(({ jpeg }) => jpeg ?? []);

const bitsOf = (jpegs: Uint8Array[]): number =>
  jpegs.reduce((sum, { length }) => sum + 8 * length, 0);

function pictureRows(scene: Scene, { runs }: Measured): Row[] {
  const seconds = FRAMES / FPS;
  const pictures = runs.map(picturesOf);
  const calmBy = 'always';
  return [
    row({
      what: `a picture while ${scene}`,
      unit: 'kB',
      values: pictures.flat().map(({ length }) => length / 1000),
      note: `${NAMES.length} avatars, ${FRAMES} frames each, quality ${QUALITY}`,
      calmBy,
    }),
    row({
      what: `pictures that change while ${scene}`,
      unit: 'fps',
      values: pictures.map(({ length }) => length / seconds),
      calmBy,
    }),
    row({
      what: `bandwidth of the pictures while ${scene}`,
      unit: 'Mbit/s',
      values: pictures.map((jpegs) => bitsOf(jpegs) / seconds / 1e6),
      calmBy,
    }),
  ];
}

async function fidelityRow(scene: Scene, clips: Frames[], { runs }: Measured): Promise<Row> {
  const values: number[] = [];
  for (const [i, { frames, size }] of clips.entries()) {
    const planes = planesOf(await decoded(picturesOf(runs[i]!)[0]!));
    values.push(psnr(planes, fullRange(frames[0]!, size)).y);
  }
  return row({
    what: `luma of a picture while ${scene}, PSNR`,
    unit: 'dB',
    values,
    better: 'higher',
    calmBy: 'always',
  });
}

/** Frames of all avatars in turn: hardly a block equals the last frame's. */
const mixed = (clips: Frames[]): Frames => ({
  frames: Array.from({ length: FRAMES }, (_, i) => clips[i % clips.length]!.frames[i]!),
  size: clips[0]!.size,
});

async function performAll(): Promise<Record<Scene, Frames[]>> {
  const { sampleRate, channels, pcm } = readWave(SPEECH);
  const speech = new Resampler(sampleRate, channels, HEARING_RATE).push(pcm);
  const scenes: Record<Scene, Frames[]> = { speaking: [], idle: [] };
  for (const avatar of NAMES) {
    scenes.speaking.push(await performed(avatar, speech));
    scenes.idle.push(await performed(avatar));
  }
  return scenes;
}

async function performed(avatar: string, speech?: Int16Array): Promise<Frames> {
  const frames: Uint8Array[] = [];
  const size = await perform({ avatar, frames: FRAMES, speech }, (i420) =>
    frames.push(i420.slice()),
  );
  return { frames, size };
}

function encodeAll(frames: Uint8Array[], options: JpegOptions) {
  const encoder = new JpegEncoder(options);
  return frames.map((frame) => {
    const from = systemClock.elapsed();
    const jpeg = encoder.encode(frame);
    return { us: (systemClock.elapsed() - from) * 1000, jpeg };
  });
}

const canvasTimes = (clips: Frames[]): number[] =>
  clips.flatMap(({ frames, size }) =>
    frames.slice(0, FLOOR_FRAMES).map((frame) => byCanvas(frame, size)),
  );

function byCanvas(frame: Uint8Array, { width, height }: Size): number {
  const picture = createCanvas(width, height);
  picture.getContext('2d').drawImage(drawI420(frame, width, height), 0, 0);
  const from = systemClock.elapsed();
  picture.toBuffer('image/jpeg', QUALITY);
  return (systemClock.elapsed() - from) * 1000;
}
