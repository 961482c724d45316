import type { Page } from 'playwright-core';

/**
 * Pictures and sounds of a page with one video, in milliseconds of its clock. `dark`: pixels of the
 * mouth's area that are dark, as in an open mouth. `shown` counts all pictures, also those whose
 * callback came too late.
 */
export type WatchedFace = {
  pictures: { atMs: number; dark: number; shownCount: number }[];
  /** Begins of sound after at least `QUIET_MS` without any. */
  onsetsMs: number[];
};

type Watching = { watched: WatchedFace };

const QUIET_MS = 60;
/** Above the noise that a codec makes of silence. */
const LOUD = 0.02;

/** Runs in the audio thread. Posts the times of begins, in seconds of the context. */
const EAR = `
registerProcessor('ear', class extends AudioWorkletProcessor {
  lastLoudAt = -Infinity;
  process([input]) {
    (input[0] ?? []).forEach((sample, i) => {
      if (Math.abs(sample) < ${LOUD}) return;
      const at = currentTime + i / sampleRate;
      if (at - this.lastLoudAt > ${QUIET_MS / 1000}) this.port.postMessage(at);
      this.lastLoudAt = at;
    });
    return true;
  }
});`;

/** Call when the page's video has its stream. */
export function watchFace(page: Page): Promise<void> {
  return page.evaluate(async (ear) => {
    const watched: WatchedFace = { pictures: [], onsetsMs: [] };
    (globalThis as unknown as Watching).watched = watched;
    const video = document.querySelector('video')!;

    // Mouths are in the middle of the lower half of the built-in faces.
    const [width, height] = [144, 92];
    const draw = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    // A method: for a function in a variable, tsx calls a helper that pages lack.
    const eye = {
      see(
        this: void,
        _: number,
        { expectedDisplayTime, presentedFrames }: VideoFrameCallbackMetadata,
      ) {
        video.requestVideoFrameCallback(eye.see);
        const { videoWidth: w, videoHeight: h } = video;
        draw.drawImage(video, w * 0.36, h * 0.54, w * 0.28, h * 0.18, 0, 0, width, height);
        const { data } = draw.getImageData(0, 0, width, height);
        let dark = 0;
        for (let i = 0; i < data.length; i += 4) {
          const light = 0.3 * data[i]! + 0.59 * data[i + 1]! + 0.11 * data[i + 2]!;
          if (light < 70) dark += 1;
        }
        watched.pictures.push({ atMs: expectedDisplayTime, dark, shownCount: presentedFrames });
      },
    };
    video.requestVideoFrameCallback(eye.see);

    const context = new AudioContext();
    const module = URL.createObjectURL(new Blob([ear], { type: 'text/javascript' }));
    await context.audioWorklet.addModule(module);
    const node = new AudioWorkletNode(context, 'ear');
    node.port.addEventListener('message', ({ data }: MessageEvent<number>) => {
      // When this sound leaves the loudspeaker. The video element plays it by the same device.
      const { contextTime, performanceTime } = context.getOutputTimestamp();
      watched.onsetsMs.push(performanceTime! + (data - contextTime!) * 1000);
    });
    node.port.start();
    const sound = (video.srcObject as MediaStream).getAudioTracks();
    context.createMediaStreamSource(new MediaStream(sound)).connect(node);
    await context.resume();
  }, EAR);
}

export const watchedFace = (page: Page): Promise<WatchedFace> =>
  page.evaluate(() => (globalThis as unknown as Watching).watched);

/** When the mouth opened, by half of the widest. */
export function mouthOpenings({ pictures }: WatchedFace): number[] {
  const half = Math.max(...pictures.map(({ dark }) => dark)) / 2;
  return pictures
    .filter(({ dark }, i) => i > 0 && dark > half && pictures[i - 1]!.dark <= half)
    .map(({ atMs }) => atMs);
}

/** For each begin of sound, how much later the mouth opened. */
export function lipOffsets(face: WatchedFace): number[] {
  const opensMs = mouthOpenings(face);
  return face.onsetsMs.map((soundAt) =>
    opensMs
      .map((at) => at - soundAt)
      .reduce((least, off) => (Math.abs(off) < Math.abs(least) ? off : least), Infinity),
  );
}

/** Pictures a second between two times; 0 where fewer than two were seen. */
export function pictureRate({ pictures }: WatchedFace, fromMs: number, toMs: number): number {
  const span = pictures.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  if (span.length < 2) return 0;
  const [firstPicture, lastPicture] = [span[0]!, span.at(-1)!];
  return (
    ((lastPicture.shownCount - firstPicture.shownCount) * 1000) /
    (lastPicture.atMs - firstPicture.atMs)
  );
}
