import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';

/** As speech synthesisers send it. */
const RATE = 24_000;
const FRAME = RATE / 10;

/** Rises from 300 Hz by 100 Hz a second: what is heard of it tells its own place. All at once, as from a fast synthesiser. */
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
