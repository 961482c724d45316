import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#shared/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { Performance } from '../link/performance.ts';
import type { Performer } from './performer/performer.ts';
import { PresenceWatch } from './presence.ts';
import { meaningOf } from './room-signals.ts';
import { LiveSpeech } from './speech/live-speech.ts';
import { Segments } from './speech/segments.ts';
import { nextPhase, startFrameClock } from './sync/frame-clock.ts';
import { Pairing } from './sync/pairing.ts';
import { Playback } from './sync/playback.ts';
import { LeftRoom, type RoomListener, type Transport } from './transport/transport.ts';

export type AssignmentParts = {
  clock: Clock;
  log: Log;
  openTransport(assign: Assign): Transport;
  openPerformer(assign: Assign): Promise<Performer>;
  /** Called with a room token that lasts longer than the assignment's. */
  onRenewed?: (token: string) => void;
  /** Called for each frame shown, with how many before it were missed. */
  onFrame?: (missed: number) => void;
};

/**
 * One session, from joining the room until it has left it.
 *
 * opening   the room is being joined and the performer opened     -> showing when both are there, over on any failure
 * showing   frames and sound go out                               -> over
 * over      `ended` is settled; everything below is being closed
 *
 * Owns transport, performer, speech, sync and all timers, and closes them in this order: what makes frames and sound, then the performer,
 * then the transport.
 */
export class Assignment implements Performance {
  readonly #assign: Assign;
  readonly #parts: AssignmentParts;
  readonly #log: Log;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<EndReason>();
  readonly #transport: Transport;
  readonly #segments: Segments;
  readonly #playback: Playback;
  readonly #presence: PresenceWatch;
  readonly #performing: Promise<Performer>;
  #pairing: Pairing | null = null;
  /** Hears a track from the first frame on: what was said to nobody is not repeated. */
  #live: LiveSpeech | null = null;
  #stopFrames = () => {};
  #isOver = false;
  #closing: Promise<void> | null = null;

  constructor(assign: Assign, parts: AssignmentParts) {
    const { clock } = parts;
    this.#assign = assign;
    this.#parts = parts;
    this.#log = parts.log.child({ ...assign.placement });
    this.#transport = parts.openTransport(assign);
    this.#segments = new Segments(clock, this.#log, () => this.#pairing?.feed());
    this.#playback = new Playback(clock, this.#transport);
    this.#presence = new PresenceWatch(clock, (reason) => this.end(reason));
    // Joining waits for the network: the performer is made meanwhile.
    const joining = this.#transport.join(this.#listener());
    joining.catch(() => {});
    try {
      this.#performing = parts.openPerformer(assign);
    } catch (error) {
      this.#performing = Promise.reject(error);
      void this.close();
      throw error;
    }
    this.#transport.left.then((reason) => this.end(reason), this.#fail);
    this.#open(joining).catch(this.#fail);
  }

  get started(): Promise<void> {
    return this.#started.promise;
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  end(reason: EndReason): void {
    this.#ended.resolve(reason);
    void this.close();
  }

  drop(): void {
    this.end('replaced');
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #open(joining: Promise<void>): Promise<void> {
    const [performer] = await Promise.all([this.#performing, joining]);
    if (this.#isOver) return;
    if (this.#assign.placement.epoch > 1) {
      // The worker before us took with it what the agent still waits for; an agent that waits for nothing ignores this. Never later: it
      // would close the agent's next segment.
      this.#transport.playbackFinished({ positionSeconds: 0, interrupted: true });
    }
    this.#show(performer);
    await this.#transport.publish();
    if (this.#isOver) return;
    this.#started.resolve();
    this.#log.info('the face is in the room');
  }

  /** The first frame at once, the others on this session's place in the frame's time. */
  #show(performer: Performer): void {
    const { clock } = this.#parts;
    const { width, height, fps } = this.#assign.video;
    const frame = new Uint8Array((width * height * 3) / 2);
    const draw = (atMs: number, missed: number) => {
      performer.draw(atMs, frame);
      this.#transport.showFrame(frame, atMs);
      this.#parts.onFrame?.(missed);
    };
    const now = clock.elapsed();
    draw(now, 0);
    this.#stopFrames = startFrameClock(
      clock,
      fps,
      now + (nextPhase() * 1000) / fps,
      (atMs, missed) => {
        try {
          draw(atMs, missed);
        } catch (error) {
          this.#fail(error);
        }
      },
    );
    const pairing = new Pairing({
      clock,
      performer,
      segments: this.#segments,
      transport: this.#transport,
      playback: this.#playback,
    });
    this.#pairing = pairing;
    this.#live = new LiveSpeech({ segments: this.#segments, queuedMs: () => pairing.queuedMs });
    pairing.feed();
  }

  #listener(): RoomListener {
    return {
      begin: (stream, format) =>
        this.#segments.begin(stream, format, (segment) => this.#playback.open(segment)),
      chunk: (stream, bytes) => this.#segments.chunk(stream, bytes),
      end: (stream) => this.#segments.end(stream),
      voice: (samples) => !this.#isOver && this.#live?.hear(samples),
      voiceOver: () => this.#live?.end(),
      clear: () => {
        this.#live?.cut();
        if (this.#pairing) return this.#pairing.clear();
        this.#segments.clear();
        this.#playback.cut();
      },
      renewed: (token) => this.#parts.onRenewed?.(token),
      packet: (topic, bytes) => this.#hear(topic, bytes),
      present: (presence) => !this.#isOver && this.#presence.present(presence),
    };
  }

  #hear(topic: string, bytes: Uint8Array): void {
    const meaning = meaningOf(this.#assign.signals ?? [], topic, bytes);
    switch (meaning?.means) {
      case 'end':
        return this.end('ended_by_client');
      case 'emotion':
        // In their order, also when the performer is still being made.
        this.#performing
          .then((performer) => !this.#isOver && performer.feel?.(meaning.emotion))
          .catch(this.#fail);
        return;
      case undefined:
    }
  }

  /** A room that refuses is an end; anything else is a bug, and costs this session only. */
  #fail = (error: unknown): void => {
    if (error instanceof LeftRoom) {
      this.#log.info({ reason: error.reason, err: error.cause }, 'the room is closed to us');
      return this.end(error.reason);
    }
    this.#ended.reject(error);
    void this.close();
  };

  async #close(): Promise<void> {
    this.#isOver = true;
    this.#presence.close();
    this.#stopFrames();
    this.#pairing?.close();
    this.#segments.clear();
    this.#playback.close();
    const performer = await this.#performing.catch(() => null);
    performer?.close();
    await this.#transport.close();
  }
}
