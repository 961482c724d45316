/* Frames of a built-in avatar, drawn in this process. */
import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import path from 'node:path';
import { HEARING_RATE } from '#protocol/audio.ts';
import { BuiltInPerformer } from '../../workers/avatar/performer/built-in-performer.ts';
import { openBundle } from '../../workers/bundle/open-bundle.ts';

const AVATARS = path.join(import.meta.dirname, '../../workers/avatar/avatars');
/** The frame rate of sessions. */
export const FPS = 25;
const FRAME_MS = 1000 / FPS;
const FRAME_SAMPLES = HEARING_RATE / FPS;
/** Until the face has settled. */
const FIRST_FRAMES = 50;

type Scene = {
  avatar: string;
  frames: number;
  /** Repeated as long as needed; mono at `HEARING_RATE`. Absent: the avatar is idle. */
  speech?: Int16Array | undefined;
  seed?: string;
};
export type Size = { width: number; height: number };

/** Calls `onFrame` for each frame, whose memory is used again. Returns their size. */
export async function perform(
  { avatar, frames, speech, seed = 'bench' }: Scene,
  onFrame: (i420: Uint8Array, size: Size) => void,
): Promise<Size> {
  const bundle = await openBundle(path.join(AVATARS, `${avatar}.avatar`));
  const { width, height } = PLAIN_FRAME;
  const performer = new BuiltInPerformer(bundle, { seed, scene: PLAIN_FRAME });
  const frame = new Uint8Array(width * height * 1.5);
  for (let i = 0; i < FIRST_FRAMES + frames; i++) {
    if (speech) {
      const from = (i * FRAME_SAMPLES) % (speech.length - FRAME_SAMPLES);
      performer.hear(speech.subarray(from, from + FRAME_SAMPLES), i * FRAME_MS);
    }
    performer.draw(i * FRAME_MS, frame);
    if (i >= FIRST_FRAMES) onFrame(frame, { width, height });
  }
  performer.close();
  bundle.close();
  return { width, height };
}
