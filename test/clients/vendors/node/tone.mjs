import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';

/** The frame length of speech synthesisers. */
const RATE = 24_000;
const FRAME = RATE / 10;

/**
 * Rises from 300 Hz by 100 Hz a second, so that any part reveals its position. Pushed at once, as
 * by a fast synthesiser.
 */
export function tone(seconds) {
  const frames = seconds * 10;
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent === frames) return controller.close();
      const data = Int16Array.from({ length: FRAME }, (_, i) => {
        const t = (sent * FRAME + i) / RATE;
        return Math.round(8_000 * Math.sin(2 * Math.PI * (300 * t + 50 * t * t)));
      });
      sent += 1;
      controller.enqueue(new AudioFrame(data, RATE, 1, FRAME));
    },
  });
}
