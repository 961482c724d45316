import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { OpenSegments } from '#protocol/worker-messages.ts';
import type { Performance } from '../runtime/performance.ts';
import { MediaOutput } from './media-output.ts';
import type { Performer } from './performer/performer.ts';
import { PresenceWatch } from './presence.ts';
import { meaningOf } from './room-signals.ts';
import { Segments } from './speech/segments.ts';
import { FrameNotes } from './sync/frame-notes.ts';
import { Playback } from './sync/playback.ts';
import { SpeechProgress } from './sync/speech-progress.ts';
import { takeoverOf } from './takeover.ts';
import { LeftRoom, type RoomListener, type Transport } from './transport/transport.ts';

type AssignmentParts = {
  clock: Clock;
  log: Log;
  openTransport(assign: Assign): Transport;
  openPerformer(assign: Assign): Promise<Performer>;
  /** The room issued a token that expires later than the current one. */
  onRenewed?: (token: string) => void;
  /**
   * Seconds played of each segment that the agent waits for. Not called before the agent has sent a
   * stream.
   */
  onSpeech?: (open: OpenSegments) => void;
  onTimelineEvent?: (event: WorkerTimelineEvent) => void;
  /**
   * Called after each frame, with the number of frames missed before it, and its delay behind the
   * audio if it shows speech.
   */
  onFrame?: (missed: number, offsetMs: number | null) => void;
};

/** How often a release checks whether the agent is silent. */
const SILENCE_CHECK_MS = 50;

/*
 * opening     joining the room, opening the performer     -> publishing when both are done
 * publishing  drawing frames, publishing the tracks       -> showing
 * showing     the avatar is in the room                   -> released when another worker takes over
 * released    frames and silence until the successor joins
 * over        from any state; `ended` is settled and everything is closing
 */
type State =
  | { type: 'opening' | 'over' }
  | { type: 'publishing' | 'showing' | 'released'; output: MediaOutput };

/**
 * One session, from joining the room until it has left it. Owns transport, performer, speech, sync
 * and all timers. Closes the sources of frames and audio first, then the performer, then the
 * transport.
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
  #state: State = { type: 'opening' };
  #framesShown = 0;
  #releasing: Promise<boolean> | null = null;
  #stopWaiting = () => {};
  #closing: Promise<void> | null = null;

  constructor(assign: Assign, parts: AssignmentParts) {
    const { clock } = parts;
    this.#assign = assign;
    this.#parts = parts;
    this.#log = parts.log.child({ ...assign.placement });
    this.#transport = parts.openTransport(assign);
    this.#segments = new Segments(clock, this.#log, () => this.#output?.pairing.feed());
    this.#progress = new SpeechProgress(clock, {
      read: () => this.#playback.positions,
      tell: (open) => parts.onSpeech?.(open),
    });
    this.#playback = new Playback(clock, {
      playbackStarted: (segment) => {
        this.#transport.playbackStarted();
        this.#record({ kind: 'speech_started', segment });
      },
      playbackFinished: (event, segment) => {
        this.#transport.playbackFinished(event);
        this.#progress.changed();
        this.#record({ kind: 'speech_finished', segment, ...event });
      },
    });
    this.#frameNotes = new FrameNotes(clock, assign.video.fps, (kept) =>
      this.#record({ kind: 'frames', ...kept }),
    );
    this.#presence = new PresenceWatch(clock, (reason) => this.end(reason));
    // Joining waits for the network, so the performer opens meanwhile. Two cases join only with the
    // performer: when the bundle must be fetched (it may fail, and people would see a participant
    // come and go), and on a takeover (joining replaces the previous worker, whose picture stays
    // until then).
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

  get #isOver(): boolean {
    return this.#state.type === 'over';
  }

  /** Null before the first frame and when over. */
  get #output(): MediaOutput | null {
    return 'output' in this.#state ? this.#state.output : null;
  }

  async #open(joining: Promise<void>): Promise<void> {
    const [performer] = await Promise.all([this.#performing, joining]);
    if (this.#isOver) return;
    const output = this.#show(performer);
    await this.#transport.publish();
    if (this.#isOver) return;
    this.#state = { type: 'showing', output };
    this.#started.resolve();
    this.#log.info('avatar is in the room');
  }

  async #release(withinMs: number): Promise<boolean> {
    await this.#silence(withinMs);
    if (this.#state.type !== 'showing') return false;
    const { output } = this.#state;
    this.#state = { type: 'released', output };
    output.pairing.hold();
    // The final positions, exact to the millisecond.
    this.#progress.changed();
    return true;
  }

  /** Resolves when all that the agent sent has been played, or after `withinMs`. */
  #silence(withinMs: number): Promise<void> {
    const { clock } = this.#parts;
    const endsAt = clock.elapsed() + withinMs;
    return new Promise((resolve) => {
      const check = () => {
        const leftMs = endsAt - clock.elapsed();
        if (this.#isOver || this.#isSilent || leftMs <= 0) return resolve();
        const cancel = clock.after(Math.min(SILENCE_CHECK_MS, leftMs), check);
        this.#stopWaiting = () => {
          cancel();
          resolve();
        };
      };
      check();
    });
  }

  get #isSilent(): boolean {
    return this.#state.type === 'showing' && !this.#hasOpen;
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
    this.#record({ kind: 'joined' });
    // The agent has its answers now: a later takeover must not repeat them.
    if (takeover?.byStreams) this.#progress.changed();
  }

  #show(performer: Performer): MediaOutput {
    const output = new MediaOutput({
      clock: this.#parts.clock,
      video: this.#assign.video,
      performer,
      transport: this.#transport,
      segments: this.#segments,
      playback: this.#playback,
      onFrame: (missed, offsetMs) => {
        this.#framesShown += 1;
        this.#frameNotes.count(missed);
        this.#parts.onFrame?.(missed, offsetMs);
      },
      onError: this.#fail,
    });
    this.#state = { type: 'publishing', output };
    return output;
  }

  #listener(): RoomListener {
    return {
      begin: (stream, format) =>
        this.#segments.begin(stream, format, (segment) => {
          this.#playback.open(segment);
          this.#progress.changed();
          this.#record({ kind: 'speech_received', segment });
        }),
      chunk: (stream, bytes) => this.#segments.chunk(stream, bytes),
      end: (stream) => this.#segments.end(stream),
      voice: (samples) => this.#output?.live.hear(samples),
      voiceEnded: () => this.#output?.live.end(),
      clear: () => this.#clear(),
      hasOpen: () => this.#hasOpen,
      renewed: (token) => this.#parts.onRenewed?.(token),
      packet: (topic, bytes) => this.#receivePacket(topic, bytes),
      listens: (isListening) => this.#withPerformer((performer) => performer.attend?.(isListening)),
      present: (presence) => !this.#isOver && this.#presence.present(presence),
    };
  }

  #clear(): void {
    this.#record({ kind: 'interrupted', segments: this.#playback.positions.length });
    const output = this.#output;
    if (output) {
      output.live.cut();
      output.pairing.clear();
    } else {
      this.#segments.clear();
      this.#playback.cut();
    }
  }

  #record(event: WorkerTimelineEvent): void {
    this.#parts.onTimelineEvent?.(event);
  }

  #receivePacket(topic: string, bytes: Uint8Array): void {
    const meaning = meaningOf(this.#assign.signals ?? [], topic, bytes);
    switch (meaning?.means) {
      case 'end':
        return this.end('ended_by_client');
      case 'emotion':
        return this.#withPerformer((performer) => performer.feel?.(meaning.emotion));
      case undefined:
    }
  }

  /** Calls `use` in order of arrival, once the performer is open. */
  #withPerformer(use: (performer: Performer) => void): void {
    this.#performing.then((performer) => !this.#isOver && use(performer)).catch(this.#fail);
  }

  /**
   * A refusal by the room is an end reason. Any other error is a bug and ends only this session.
   */
  #fail = (error: unknown): void => {
    if (error instanceof LeftRoom) {
      this.#log.info({ reason: error.reason, err: error.cause }, 'left the room');
      return this.end(error.reason);
    }
    this.#ended.reject(error);
    void this.close();
  };

  async #close(): Promise<void> {
    const output = this.#output;
    this.#state = { type: 'over' };
    this.#presence.close();
    output?.close();
    this.#frameNotes.close();
    this.#stopWaiting();
    this.#segments.clear();
    this.#progress.close();
    this.#playback.close();
    const performer = await this.#performing.catch(() => null);
    performer?.close();
    await this.#transport.close();
  }
}
