/*
 * How an avatar worker shows its sessions. Without enough CPU time it goes down, one by one, and
 * later back up. Best first.
 */
export const QUALITIES = {
  full: 'Every frame, of full size.',
  fewer_frames: 'Every other frame.',
  smaller_picture:
    'Every other frame, of half the width and height. In botrooms the size stays the same.',
  mouth_only: 'The same, and only the mouth moves.',
  still_picture: 'A still face with its mouth shut, and whole sound.',
} as const;

export type Quality = keyof typeof QUALITIES;

/** Best first. */
export const QUALITY_NAMES = Object.keys(QUALITIES) as [Quality, ...Quality[]];

export const isQuality = (name: string): name is Quality => Object.hasOwn(QUALITIES, name);
