import { fileURLToPath } from 'node:url';
import { createCanvas } from 'canvas';
import type { Bundle } from '../../workers/bundle/open-bundle.ts';
import { drawI420 } from '../../workers/studio/portrait.ts';
import { readWave } from '../../workers/studio/wave-file.ts';
import { BuiltInPerformer } from '../../workers/avatar/performer/built-in-performer.ts';
import { type Fitted, memoryOf } from '../../workers/avatar/performer/face.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import { fieldArguments, type Pose, STRAIGHT } from '../../workers/avatar/performer/pose.ts';
import { Resampler } from '../../workers/avatar/speech/resample.ts';

type Crop = [x: number, y: number, width: number, height: number];
type Tile = { label: string; draw: (frame: Uint8Array) => void };

const ACROSS = 8;
const FRAME_MS = 40;
const ENDS: Partial<Pose>[] = [
  { yaw: 4 },
  { yaw: -4 },
  { pitch: 3 },
  { pitch: -3 },
  { yaw: 4, pitch: 3, roll: 2, breath: 1.3 },
  { yaw: -4, pitch: -3, roll: -2, breath: -1.3 },
];
const SENTENCE = new URL('../fixtures/lipsync/audio/flite-rms_en_00.flac', import.meta.url);
const SPOKEN_FRAMES = 12;
/** The first words of the sentence. */
const FIRST_FRAME = 15;
/** Speech arrives about 200 ms before it sounds, as from an agent. */
const AHEAD_FRAMES = 5;
const SAMPLES_A_FRAME = (HEARING_RATE * FRAME_MS) / 1000;

/**
 * A PNG of all mouths and eye states in `pose`, the limits of the motion and some frames of a
 * sentence, each cropped to `crop`.
 */
export function drawSheet(bundle: Bundle, pose: Pose, [x, y, width, height]: Crop): Buffer {
  const { width: fullWidth, height: high } = bundle.face.manifest;
  const frame = new Uint8Array(fullWidth * high * 1.5);
  const tiles = [...stills(bundle, pose), ...spoken(bundle)];
  const sheet = createCanvas(ACROSS * width, Math.ceil(tiles.length / ACROSS) * height);
  const context = sheet.getContext('2d');
  tiles.forEach(({ label, draw }, i) => {
    draw(frame);
    const tileX = (i % ACROSS) * width;
    const top = Math.floor(i / ACROSS) * height;
    const picture = drawI420(frame, fullWidth, high);
    context.drawImage(picture, x, y, width, height, tileX, top, width, height);
    context.fillText(label, tileX + 4, top + 12);
  });
  return sheet.toBuffer('image/png');
}

function stills({ face }: Bundle, pose: Pose): Tile[] {
  const memory = memoryOf(face);
  const planes = memory.take();
  const tile = (label: string, fitted: Fitted | null, pose: Pose): Tile => ({
    label,
    draw(frame) {
      if (fitted) memory.add(planes, fitted, 256);
      memory.warp.field(...fieldArguments(pose));
      memory.draw(planes, frame);
      if (fitted) memory.restore(planes, fitted.area);
    },
  });
  return [
    ...face.mouths.map(({ name }, i) => tile(name, memory.mouths[i]!.fitted, pose)),
    ...face.eyes.map(({ name }, i) => tile(`eyes ${name}`, memory.eyes[i]!.fitted, pose)),
    ...ENDS.map((end) => tile(JSON.stringify(end), null, { ...STRAIGHT, ...end })),
  ];
}

/** Every second frame of a sentence. */
function spoken(bundle: Bundle): Tile[] {
  const { pcm, sampleRate, channels } = readWave(fileURLToPath(SENTENCE));
  const performer = new BuiltInPerformer(bundle, { seed: 'contact sheet' });
  const speech = new Resampler(sampleRate, channels, HEARING_RATE).push(pcm);
  let tick = -AHEAD_FRAMES;
  return Array.from({ length: SPOKEN_FRAMES }, (_, i) => ({
    label: `${((FIRST_FRAME + 2 * i) * FRAME_MS) / 1000} s`,
    draw(frame: Uint8Array) {
      for (; tick <= FIRST_FRAME + 2 * i; tick++) {
        const mouthTick = tick + AHEAD_FRAMES;
        const samples = speech.subarray(
          mouthTick * SAMPLES_A_FRAME,
          (mouthTick + 1) * SAMPLES_A_FRAME,
        );
        performer.hear(samples, mouthTick * FRAME_MS);
        if (tick >= 0) performer.draw(tick * FRAME_MS, frame);
      }
      if (i === SPOKEN_FRAMES - 1) performer.close();
    },
  }));
}
