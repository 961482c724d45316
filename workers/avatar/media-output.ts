import type { Clock } from '#shared/clock.ts';
import { trackOf } from '#protocol/pictures/frames.ts';
import type { Video } from '#protocol/worker/gateway-messages.ts';
import type { AgentSpeech } from './agent-speech.ts';
import type { Performer } from './performer/performer.ts';
import { Stills } from './pictures/stills.ts';
import type { QualityLadder } from './quality/quality-ladder.ts';
import { SessionFrames } from './quality/session-frames.ts';
import { LiveSpeech } from './speech/live-speech.ts';
import { nextPhase, startFrameClock } from './sync/frame-clock.ts';
import { Pairing } from './sync/pairing.ts';
import type { Transport } from './transport/transport.ts';

type MediaOutputParts = {
  clock: Clock;
  video: Video;
  performer: Performer;
  transport: Transport;
  speech: Pick<AgentSpeech, 'segments' | 'playback'>;
  /** Absent: the quality is always full. */
  ladder?: Pick<QualityLadder, 'quality' | 'count'> | undefined;
  /**
   * Called after each frame, with the number of frames not shown before it, and its delay behind
   * the audio if it shows speech.
   */
  onFrame: (leftOut: number, offsetMs: number | null) => void;
  onError: (error: unknown) => void;
};

/**
 * Everything that a session sends from its first frame on: frames at a fixed rate, and the audio
 * paired with them.
 */
export class MediaOutput {
  readonly pairing: Pairing;
  /** Speech of the agent's track. */
  readonly live: LiveSpeech;
  readonly #frames: SessionFrames;
  readonly #stills: Stills;
  readonly #stopFrames: () => void;

  /** Draws the first frame at once, the others at this session's phase of the frame interval. */
  constructor(parts: MediaOutputParts) {
    const { clock, video, performer, transport, ladder, onFrame, onError } = parts;
    const { segments, playback } = parts.speech;
    let pairing: Pairing | null = null;
    const frames = new SessionFrames({
      video,
      performer,
      transport,
      onShown: (atMs, leftOut) =>
        onFrame(leftOut, pairing === null ? null : pairing.offsetMs(atMs)),
    });
    this.#frames = frames;
    this.#stills = new Stills(trackOf(video), video);
    const tick = (atMs: number, missed: number) => {
      ladder?.count(missed, video.fps);
      frames.tick(atMs, missed, ladder?.quality ?? 'full');
    };
    const now = clock.elapsed();
    tick(now, 0);
    const originMs = now + (nextPhase() * 1000) / video.fps;
    this.#stopFrames = startFrameClock(clock, video.fps, originMs, (atMs, missed) => {
      try {
        tick(atMs, missed);
      } catch (error) {
        onError(error);
      }
    });
    const newPairing = new Pairing({ clock, performer, segments, transport, playback });
    pairing = newPairing;
    this.pairing = newPairing;
    this.live = new LiveSpeech({ segments, queuedMs: () => newPairing.queuedMs });
    newPairing.feed();
  }

  /** Audio of the agent's track. Dropped until speech may play: the track does not wait. */
  voice(samples: Int16Array): void {
    if (!this.pairing.isWaiting) this.live.hear(samples);
  }

  /** A small JPEG of the last frame. */
  still(): Uint8Array {
    return this.#stills.take(this.#frames.last);
  }

  close(): void {
    this.#stopFrames();
    this.pairing.close();
  }
}
