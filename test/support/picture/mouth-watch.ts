import type { VideoFrame } from '@livekit/rtc-node';

/** Mouths are in the middle of the lower half of the built-in faces. */
const AREA = { left: 0.36, top: 0.54, width: 0.28, height: 0.18 };
const EVERY = 4;
/** Mean luma difference. Coding noise and a breathing head stay below it. */
const ANOTHER = 2;

/** Counts frames whose mouth differs from the frame before. */
export class MouthWatch {
  #previousMouth: number[] | null = null;
  moves = 0;

  see({ data, width, height }: Pick<VideoFrame, 'data' | 'width' | 'height'>): void {
    const mouth: number[] = [];
    const top = Math.round(height * AREA.top);
    const leftEdge = Math.round(width * AREA.left);
    for (let y = top; y < top + height * AREA.height; y += EVERY) {
      for (let x = leftEdge; x < leftEdge + width * AREA.width; x += EVERY)
        mouth.push(data[y * width + x]!);
    }
    if (this.#previousMouth?.length === mouth.length) {
      const previousMouth = this.#previousMouth;
      const difference = mouth.reduce(
        (sum, light, i) => sum + Math.abs(light - previousMouth[i]!),
        0,
      );
      if (difference / mouth.length > ANOTHER) this.moves += 1;
    }
    this.#previousMouth = mouth;
  }
}
