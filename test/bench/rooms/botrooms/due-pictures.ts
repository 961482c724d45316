import { HEARING_RATE } from '#protocol/audio.ts';
import { JpegEncoder } from '../../../../workers/avatar/transport/botroom/jpeg/jpeg-encoder.ts';
import { FPS, perform } from '../../avatar-frames.ts';
import { babble } from '../speech.ts';

export type DueRate = { fps: number; longestGapMs: number };

/**
 * The pictures that a client is owed while an avatar speaks for `seconds`: those that differ from
 * the one before. Each of `times` has another seed, as sessions do.
 */
export async function duePictures(
  avatar: string,
  seconds: number,
  times: number,
): Promise<DueRate[]> {
  const speech = babble(HEARING_RATE, seconds * 1000);
  const frames = seconds * FPS;
  const rates: DueRate[] = [];
  for (let i = 0; i < times; i++) {
    let encoder: JpegEncoder | null = null;
    let pictures = 0;
    let still = 0;
    let longestStill = 0;
    await perform({ avatar, frames, speech, seed: `due ${i}` }, (i420, size) => {
      encoder ??= new JpegEncoder({ ...size, quality: 80 });
      const isDue = encoder.encode(i420) !== null;
      still = isDue ? 0 : still + 1;
      longestStill = Math.max(longestStill, still);
      if (isDue) pictures += 1;
    });
    rates.push({ fps: pictures / seconds, longestGapMs: ((longestStill + 1) * 1000) / FPS });
  }
  return rates;
}
