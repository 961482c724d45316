import { PLAIN_FRAME, type VideoWish } from '#protocol/pictures/frames.ts';
import type { Video } from '#protocol/worker/gateway-messages.ts';

/** The shape of a screen. */
export const SCREENS = ['landscape', 'portrait'] as const;
export type Screen = (typeof SCREENS)[number];

/** Frame sizes by name. */
export const VIDEO_PRESETS = {
  square: { width: PLAIN_FRAME.width, height: PLAIN_FRAME.height },
  landscape: { width: 1280, height: 720 },
  portrait: { width: 720, height: 1280 },
} as const;

/**
 * Frame sizes of managed rooms, by the visitor's screen: a page shows other things beside the
 * picture, and half the pixels of 720p cost half as much to encode.
 */
export const SCREEN_SIZES = {
  landscape: { width: 960, height: 540 },
  portrait: { width: 540, height: 960 },
} as const;

/** The picture for some wishes, of which the first one counts, part by part. */
export function videoFor(...wishes: (VideoWish | null | undefined)[]): Video {
  const first = <Part extends keyof VideoWish>(part: Part): VideoWish[Part] | undefined =>
    wishes.find((wish) => wish?.[part] !== undefined)?.[part];
  const framing = first('framing');
  const background = first('background');
  return {
    width: PLAIN_FRAME.width,
    height: PLAIN_FRAME.height,
    ...first('size'),
    fps: first('fps') ?? PLAIN_FRAME.fps,
    ...(framing !== undefined && { framing }),
    ...(background !== undefined && background.kind !== 'own' && { background }),
  };
}

/** The picture of a running session after a change. */
export function videoWith(
  { background, ...video }: Video,
  change: Pick<VideoWish, 'framing' | 'background'>,
): Video {
  const nextBackground = change.background ?? background;
  return {
    ...video,
    ...(change.framing !== undefined && { framing: change.framing }),
    ...(nextBackground && nextBackground.kind !== 'own' && { background: nextBackground }),
  };
}

/** Whether workers of all versions can draw it. */
export const isPlain = ({ width, height, fps, framing, background }: Video): boolean =>
  width === PLAIN_FRAME.width &&
  height === PLAIN_FRAME.height &&
  fps === PLAIN_FRAME.fps &&
  framing === undefined &&
  background === undefined;
