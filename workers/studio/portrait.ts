import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { type Canvas, createCanvas } from 'canvas';
import type { Face } from '../bundle/open-bundle.ts';
import { memoryOf } from '../avatar/performer/face.ts';
import { fieldArguments, STRAIGHT } from '../avatar/performer/pose.ts';
import { viewOf } from '../avatar/performer/view.ts';

/** Converts an I420 picture (BT.601, limited range) to a canvas. */
export function drawI420(frame: Uint8Array, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  const halfWidth = width / 2;
  const uAt = width * height;
  const vAt = uAt * 1.25;
  for (let i = 0; i < width * height; i++) {
    const half = Math.floor(i / width / 2) * halfWidth + Math.floor((i % width) / 2);
    const y = 1.164 * ((frame[i] ?? 0) - 16);
    const u = (frame[uAt + half] ?? 0) - 128;
    const v = (frame[vAt + half] ?? 0) - 128;
    image.data[4 * i] = y + 1.596 * v;
    image.data[4 * i + 1] = y - 0.392 * u - 0.813 * v;
    image.data[4 * i + 2] = y + 2.017 * u;
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** A face at rest, looking straight ahead, in a square frame. */
export function drawFace(face: Face): Canvas {
  const { width, height } = PLAIN_FRAME;
  const memory = memoryOf(face, viewOf(face.manifest, PLAIN_FRAME));
  const planes = memory.take();
  const frame = new Uint8Array(width * height * 1.5);
  memory.warp.field(...fieldArguments(STRAIGHT));
  memory.draw(planes, frame);
  memory.giveBack(planes);
  return drawI420(frame, width, height);
}
