import { createCanvas } from 'canvas';

type Type = 'image/png' | 'image/jpeg' | 'image/webp';

type Logo = { side?: number; type?: Type; color?: string };

export function logoBytes({ side = 32, type = 'image/png', color = 'navy' }: Logo = {}): Buffer {
  const canvas = createCanvas(side, side);
  const context = canvas.getContext('2d');
  context.fillStyle = color;
  context.fillRect(0, 0, side, side);
  return canvas.encodeSync(type.slice('image/'.length) as 'png');
}

export const dataUrlOf = (bytes: Uint8Array, type: string = 'image/png'): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
