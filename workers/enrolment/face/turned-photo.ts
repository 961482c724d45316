import { type Photo, placed } from '../picture/photo.ts';
import type { FaceFinder } from './landmarks.ts';
import { isUpright } from './find-face.ts';

const SIDE = 768;
const SQUARE = { width: SIDE, height: SIDE };

/** Quarter turns clockwise. A photo upside down is more likely than a lying one. */
const TURNS = [2, 1, 3] as const;
type Turns = (typeof TURNS)[number];

/**
 * A photo that may lie or stand on its head, in the turns in which the finder sees an upright face.
 * It sees some in a face upside down, too.
 */
export function* turnedPhotos(photo: Photo, finder: FaceFinder): Generator<Photo> {
  const { width, height } = photo;
  const scale = SIDE / Math.max(width, height);
  for (const turns of TURNS) {
    const square = placed(photo, SQUARE, {
      from: [width / 2, height / 2],
      to: [SIDE / 2, SIDE / 2],
      scale,
      angle: (-turns * Math.PI) / 2,
    });
    if (finder.find(square).some(isUpright)) yield turnPhoto(photo, turns);
  }
}

function turnPhoto({ width, height, values }: Photo, turns: Turns): Photo {
  const isHalf = turns === 2;
  const result = {
    width: isHalf ? width : height,
    height: isHalf ? height : width,
    values: new Uint8Array(values.length),
  };
  const from = new Uint32Array(values.buffer, values.byteOffset, width * height);
  const into = new Uint32Array(result.values.buffer);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      into[placeOf(x, y, { width, height }, turns)] = from[y * width + x]!;
    }
  }
  return result;
}

function placeOf(x: number, y: number, { width, height }: Omit<Photo, 'values'>, turns: Turns) {
  switch (turns) {
    case 1:
      return x * height + (height - 1 - y);
    case 2:
      return (height - 1 - y) * width + (width - 1 - x);
    case 3:
      return (width - 1 - x) * height + y;
  }
}
