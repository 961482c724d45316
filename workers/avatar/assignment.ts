import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { OpenSegments } from '#protocol/worker-messages.ts';
import type { Performance } from '../runtime/performance.ts';
import type { Performer } from './performer/performer.ts';
import { PresenceWatch } from './presence.ts';
import { meaningOf } from './room-signals.ts';
import { LiveSpeech } from './speech/live-speech.ts';
import { Segments } from './speech/segments.ts';
import { nextPhase, startFrameClock } from './sync/frame-clock.ts';
import { FrameNotes } from './sync/frame-notes.ts';
import { Pairing } from './sync/pairing.ts';
import { Playback } from './sync/playback.ts';
import { SpeechProgress } from './sync/speech-progress.ts';
import {
  LeftRoom,
  type RoomListener,
  type Takeover,
  type Transport,
} from './transport/transport.ts';

export type AssignmentParts = {
  clock: Clock;
  log: Log;
  openTransport(assign: Assign): Transport;
  openPerformer(assign: Assign): Promise<Performer>;
  /** Called with a room token that lasts longer than the assignment's. */
  onRenewed?: (token: string) => void;
  /** Called with what was heard of the agent's open segments, once it has sent one. */
  onSpeech?: (open: OpenSegments) => void;
  /** Called with what happens, for the flight record. */
  onNoted?: (happening: WorkerTimelineEvent) => void;
  /** Called for each frame shown, with how many before it were missed and, while speech sounds, how much later than that it left. */
  onFrame?: (missed: number, offsetMs: number | null) => void;
};

/** How often it is looked whether nobody speaks. */
const LOOK_MS = 50;

/**
 * One session, from joining the room until it has left it.
 *
 * opening   the room is being joined and the performer opened     -> showing when both are there, over on any failure
 * showing   frames and sound go out                               -> released when another worker takes over, over
 * released  frames and silence go out until that one is here      -> over
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
  readonly #progress: SpeechProgress;
  readonly #frameNotes: FrameNotes;
  readonly #presence: PresenceWatch;
  readonly #performing: Promise<Performer>;
  #pairing: Pairing | null = null;
  /** Hears a track from the first frame on: what was said to nobody is not repeated. */
  #live: LiveSpeech | null = null;
  #stopFrames = () => {};
  #isInRoom = false;
  #framesShown = 0;
  #releasing: Promise<boolean> | null = null;
  #stopLooking = () => {};
  #isOver = false;
  #closing: Promise<void> | null = null;

  constructor(assign: Assign, parts: AssignmentParts) {
    const { clock } = parts;
    this.#assign = assign;
    this.#parts = parts;
    this.#log = parts.log.child({ ...assign.placement });
    this.#transport = parts.openTransport(assign);
    this.#segments = new Segments(clock, this.#log, () => this.#pairing?.feed());
    this.#progress = new SpeechProgress(clock, {
      read: () => this.#playback.positions,
      tell: (open) => parts.onSpeech?.(open),
    });
    this.#playback = new Playback(clock, {
      playbackStarted: (segment) => {
        this.#transport.playbackStarted();
        this.#note({ kind: 'speech_started', segment });
      },
      playbackFinished: (event, segment) => {
        this.#transport.playbackFinished(event);
        this.#progress.changed();
        this.#note({ kind: 'speech_finished', segment, ...event });
      },
    });
    this.#frameNotes = new FrameNotes(clock, assign.video.fps, (kept) =>
      this.#note({ kind: 'frames', ...kept }),
    );
    this.#presence = new PresenceWatch(clock, (reason) => this.end(reason));
    // Joining waits for the network: the performer is made meanwhile. But a face that has to be had first comes first, and so does one that
    // takes over: nobody sees somebody come who may have to leave at once, or somebody leave whose successor has no face yet.
    const joinsAtOnce = assign.bundle === undefined && assign.placement.epoch === 1;
    const joining = joinsAtOnce ? this.#join() : null;
    joining?.catch(() => {});
    try {
      this.#performing = parts.openPerformer(assign);
    } catch (error) {
      this.#performing = Promise.reject(error);
      void this.close();
      throw error;
    }
    this.#transport.left.then((reason) => this.end(reason), this.#fail);
    this.#open(joining ?? this.#joinLater()).catch(this.#fail);
  }

  get started(): Promise<void> {
    return this.#started.promise;
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  get framesShown(): number {
    return this.#framesShown;
  }

  release(withinMs: number): Promise<boolean> {
    this.#releasing ??= this.#release(withinMs);
    return this.#releasing;
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
    this.#show(performer);
    await this.#transport.publish();
    if (this.#isOver) return;
    this.#isInRoom = true;
    this.#started.resolve();
    this.#log.info('the face is in the room');
  }

  async #release(withinMs: number): Promise<boolean> {
    await this.#silence(withinMs);
    if (!this.#pairing || !this.#isInRoom || this.#isOver) return false;
    this.#pairing.hold();
    // To the millisecond: it is the last word on it.
    this.#progress.changed();
    return true;
  }

  /** Resolves when the agent has nothing to say that was not said, or when it is too late to wait for it. */
  #silence(withinMs: number): Promise<void> {
    const { clock } = this.#parts;
    const endsAt = clock.elapsed() + withinMs;
    return new Promise((resolve) => {
      const look = () => {
        const leftMs = endsAt - clock.elapsed();
        if (this.#isOver || this.#isSilent || leftMs <= 0) return resolve();
        const cancel = clock.after(Math.min(LOOK_MS, leftMs), look);
        this.#stopLooking = () => {
          cancel();
          resolve();
        };
      };
      look();
    });
  }

  get #isSilent(): boolean {
    return this.#isInRoom && !this.#hasOpen;
  }

  get #hasOpen(): boolean {
    return this.#playback.positions.length > 0 || this.#segments.first !== undefined;
  }

  async #joinLater(): Promise<void> {
    await this.#performing;
    if (!this.#isOver) await this.#join();
  }

  async #join(): Promise<void> {
    const takeover = takeoverOf(this.#assign);
    await this.#transport.join(this.#listener(), takeover);
    this.#note({ kind: 'joined' });
    // Who takes over from us need not tell the agent again.
    if (takeover?.byStreams) this.#progress.changed();
  }

  /** The first frame at once, the others on this session's place in the frame's time. */
  #show(performer: Performer): void {
    const { clock } = this.#parts;
    const { width, height, fps } = this.#assign.video;
    const frame = new Uint8Array((width * height * 3) / 2);
    const draw = (atMs: number, missed: number) => {
      performer.draw(atMs, frame);
      this.#transport.showFrame(frame, atMs);
      this.#framesShown += 1;
      this.#frameNotes.count(missed);
      this.#parts.onFrame?.(missed, this.#pairing?.offsetMs(atMs) ?? null);
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
        this.#segments.begin(stream, format, (segment) => {
          this.#playback.open(segment);
          this.#progress.changed();
          this.#note({ kind: 'speech_received', segment });
        }),
      chunk: (stream, bytes) => this.#segments.chunk(stream, bytes),
      end: (stream) => this.#segments.end(stream),
      voice: (samples) => !this.#isOver && this.#live?.hear(samples),
      voiceOver: () => this.#live?.end(),
      clear: () => {
        this.#note({ kind: 'interrupted', segments: this.#playback.positions.length });
        this.#live?.cut();
        if (this.#pairing) return this.#pairing.clear();
        this.#segments.clear();
        this.#playback.cut();
      },
      hasOpen: () => this.#hasOpen,
      renewed: (token) => this.#parts.onRenewed?.(token),
      packet: (topic, bytes) => this.#hear(topic, bytes),
      listens: (isListening) => this.#withPerformer((performer) => performer.attend?.(isListening)),
      present: (presence) => !this.#isOver && this.#presence.present(presence),
    };
  }

  #note(happening: WorkerTimelineEvent): void {
    this.#parts.onNoted?.(happening);
  }

  #hear(topic: string, bytes: Uint8Array): void {
    const meaning = meaningOf(this.#assign.signals ?? [], topic, bytes);
    switch (meaning?.means) {
      case 'end':
        return this.end('ended_by_client');
      case 'emotion':
        return this.#withPerformer((performer) => performer.feel?.(meaning.emotion));
      case undefined:
    }
  }

  /** In their order, also when the performer is still being made. */
  #withPerformer(tell: (performer: Performer) => void): void {
    this.#performing.then((performer) => !this.#isOver && tell(performer)).catch(this.#fail);
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
    this.#frameNotes.close();
    this.#stopLooking();
    this.#pairing?.close();
    this.#segments.clear();
    this.#progress.close();
    this.#playback.close();
    const performer = await this.#performing.catch(() => null);
    performer?.close();
    await this.#transport.close();
  }
}

/** After what is known of, one more for speech that went to nobody in between; an agent that waits for none ignores it. */
function takeoverOf({ placement, unanswered }: Assign): Takeover | undefined {
  if (placement.epoch === 1) return undefined;
  const positions = [...(unanswered ?? []), 0];
  return {
    unanswered: positions.map((positionSeconds) => ({ positionSeconds, interrupted: true })),
    byStreams: unanswered !== undefined,
  };
}
