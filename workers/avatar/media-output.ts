import type { Clock } from '#shared/clock.ts';
import type { Video } from '#protocol/gateway-messages.ts';
import { frameBytes, type Performer } from './performer/performer.ts';
import { LiveSpeech } from './speech/live-speech.ts';
import type { Segments } from './speech/segments.ts';
import { nextPhase, startFrameClock } from './sync/frame-clock.ts';
import { Pairing } from './sync/pairing.ts';
import type { Playback } from './sync/playback.ts';
import type { Transport } from './transport/transport.ts';

type MediaOutputParts = {
  clock: Clock;
  video: Video;
  performer: Performer;
  transport: Transport;
  segments: Segments;
  playback: Playback;
  /**
   * Called after each frame, with the number of frames missed before it, and its delay behind the
   * audio if it shows speech.
   */
  onFrame: (missed: number, offsetMs: number | null) => void;
  onError: (error: unknown) => void;
};

/**
 * Everything that a session sends from its first frame on: frames at a fixed rate, and the audio
 * paired with them.
 */
export class MediaOutput {
  readonly pairing: Pairing;
  /** Speech of the agent's track. Begins with the first frame; earlier speech is not played. */
  readonly live: LiveSpeech;
  readonly #stopFrames: () => void;

  /** Draws the first frame at once, the others at this session's phase of the frame interval. */
  constructor(parts: MediaOutputParts) {
    const { clock, video, performer, transport, segments, playback, onFrame, onError } = parts;
    const frame = new Uint8Array(frameBytes(video));
    let pairing: Pairing | null = null;
    const draw = (atMs: number, missed: number) => {
      performer.draw(atMs, frame);
      transport.showFrame(frame, atMs);
      onFrame(missed, pairing === null ? null : pairing.offsetMs(atMs));
    };
    const now = clock.elapsed();
    draw(now, 0);
    const originMs = now + (nextPhase() * 1000) / video.fps;
    this.#stopFrames = startFrameClock(clock, video.fps, originMs, (atMs, missed) => {
      try {
        draw(atMs, missed);
      } catch (error) {
        onError(error);
      }
    });
    const made = new Pairing({ clock, performer, segments, transport, playback });
    pairing = made;
    this.pairing = made;
    this.live = new LiveSpeech({ segments, queuedMs: () => made.queuedMs });
    made.feed();
  }

  close(): void {
    this.#stopFrames();
    this.pairing.close();
  }
}
