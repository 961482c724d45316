import type { Page } from 'playwright-core';

/** Counts the frames shown within `ms`, and those whose mouth differs from the frame before. */
export function mouthPictures(
  page: Page,
  ms = 2500,
): Promise<{ frames: number; different: number }> {
  return page.evaluate(async (durationMs) => {
    const video = document.querySelector('video');
    if (!video) throw new Error('no video on the page');
    // The try page draws a botroom's pictures itself.
    const drawn = document.querySelector<HTMLCanvasElement>('canvas[data-shown="true"]');
    const draw = new OffscreenCanvas(96, 48).getContext('2d', { willReadFrequently: true });
    if (!draw) throw new Error('no canvas');
    let previousPixels: Uint8ClampedArray | null = null;
    let frames = 0;
    let different = 0;
    const until = performance.now() + durationMs;
    while (performance.now() < until) {
      await new Promise((resolve) =>
        drawn ? requestAnimationFrame(resolve) : video.requestVideoFrameCallback(resolve),
      );
      const width = drawn?.width ?? video.videoWidth;
      const height = drawn?.height ?? video.videoHeight;
      // A square frame shows the head close, others show the bust: see `viewOf` of the performer.
      const isSquare = Math.abs(width / height - 1) < 0.2;
      const middle = height * (isSquare ? 0.465 : 0.41);
      const head = isSquare ? 0.69 * height : 0.46 * Math.min(height, 1.3 * width);
      // Mouths are in the middle of the lower half of the built-in faces.
      draw.drawImage(
        drawn ?? video,
        width / 2 - 0.2 * head,
        middle + 0.11 * head,
        0.4 * head,
        0.26 * head,
        0,
        0,
        96,
        48,
      );
      const pixels = draw.getImageData(0, 0, 96, 48).data;
      if (previousPixels) {
        const reference = previousPixels;
        const total = pixels.reduce(
          (sum, value, at) => sum + Math.abs(value - (reference[at] ?? 0)),
          0,
        );
        // Coding noise alone stays below this.
        if (total / pixels.length > 1.5) different += 1;
      }
      previousPixels = pixels;
      frames += 1;
    }
    return { frames, different };
  }, ms);
}

type Tapped = { webAudio?: MediaStream };

/** RMS of the page's audio, 0..1: of the loudest tenth of a second, and of the last one. */
export async function measureSound(
  page: Page,
  ms = 2500,
): Promise<{ loudest: number; lastLevel: number }> {
  // The audio element may appear after the first frame. `webAudio`: see `TryPage`.
  await page.waitForFunction(
    () => document.querySelector('audio')?.srcObject ?? (globalThis as Tapped).webAudio,
  );
  return page.evaluate(async (durationMs) => {
    const { webAudio } = globalThis as Tapped;
    const stream = document.querySelector('audio')?.srcObject ?? webAudio;
    if (!(stream instanceof MediaStream)) throw new Error('no sound on the page');
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 4096;
    context.createMediaStreamSource(stream).connect(analyser);
    await context.resume();
    const samples = new Float32Array(analyser.fftSize);
    let loudest = 0;
    let lastLevel = 0;
    const until = performance.now() + durationMs;
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      analyser.getFloatTimeDomainData(samples);
      lastLevel = Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
      loudest = Math.max(loudest, lastLevel);
    }
    await context.close();
    return { loudest, lastLevel };
  }, ms);
}
