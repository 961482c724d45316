import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Background } from '#protocol/pictures/frames.ts';
import type { Assign, ChangePicture } from '#protocol/worker/gateway-messages.ts';
import {
  CannotPerform,
  type Performance,
  type PerformanceListener,
} from '../runtime/performance.ts';
import { placementFields } from '../runtime/traces/traced-perform.ts';
import { AgentSpeech } from './agent-speech.ts';
import {
  advanceAssignment,
  type AssignmentEffect,
  type AssignmentEvent,
  type AssignmentState,
} from './assignment-state.ts';
import { MediaOutput } from './media-output.ts';
import type { Backdrop } from './performer/backdrop.ts';
import type { Performer } from './performer/performer.ts';
import { recordQuality, type QualityLadder } from './quality/quality-ladder.ts';
import { PresenceWatch } from './presence.ts';
import { meaningOf } from './room-signals.ts';
import { SilenceWait } from './silence-wait.ts';
import { FrameNotes } from './sync/frame-notes.ts';
import { takeoverOf } from './takeover.ts';
import {
  LeftRoom,
  TracksNotTaken,
  type RoomListener,
  type Transport,
} from './transport/transport.ts';

type AssignmentParts = {
  clock: Clock;
  log: Log;
  openTransport(assign: Assign): Transport;
  openPerformer(assign: Assign): Promise<Performer>;
  /** Absent: the session keeps its background. */
  openBackdrop?(background: Background): Promise<Backdrop>;
  listener?: Partial<PerformanceListener>;
  ladder?: Pick<QualityLadder, 'quality' | 'count' | 'onChange'>;
  /**
   * Called after each frame, with the number of frames not shown before it, and its delay behind
   * the audio if it shows speech.
   */
  onFrame?: (leftOut: number, offsetMs: number | null) => void;
};

/** Viewers buffer some tenths of a second of sound and lose it when a successor takes over. */
const PLAYED_OUT_MS = 500;

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
  readonly #speech: AgentSpeech;
  readonly #frameNotes: FrameNotes;
  readonly #presence: PresenceWatch;
  readonly #silence: SilenceWait;
  #stopListening = () => {};
  readonly #performing: Promise<Performer>;
  #state: AssignmentState<MediaOutput> = { type: 'opening' };
  #framesShown = 0;
  #wishedBackground: Background | null = null;
  #endDetail: string | undefined;
  #releasing: Promise<boolean> | null = null;
  #closing: Promise<void> | null = null;

  constructor(assign: Assign, parts: AssignmentParts) {
    const { clock } = parts;
    this.#assign = assign;
    this.#parts = parts;
    this.#log = parts.log.child(placementFields(assign));
    this.#transport = parts.openTransport(assign);
    this.#speech = new AgentSpeech({
      clock,
      log: this.#log,
      transport: this.#transport,
      onChange: () => this.#output?.pairing.feed(),
      onProgress: (open) => parts.listener?.speechProgressed?.(open),
      record: (event) => this.#record(event),
    });
    this.#frameNotes = new FrameNotes(clock, assign.video.fps, (rates) =>
      this.#record({ kind: 'frames', ...rates }),
    );
    this.#presence = new PresenceWatch(clock, {
      onOver: (reason, detail) => this.#leave(reason, detail),
      onMissing: (detail) => {
        this.#log.warn({ detail }, 'the agent is not in the room');
        this.#record({ kind: 'agent_missing', detail });
      },
    });
    this.#silence = new SilenceWait(clock, () => this.#isSilent);
    // Joining waits for the network, so the performer opens meanwhile. Two cases join only with the
    // performer: when the bundle must be fetched (it may fail, and people would see a participant
    // come and go), and on a takeover (joining replaces the previous worker, whose picture stays
    // until then).
    const joinsAtOnce = assign.bundle === undefined && takeoverOf(assign) === undefined;
    const joining = joinsAtOnce ? this.#join() : null;
    joining?.catch(() => {});
    try {
      this.#performing = parts.openPerformer(assign);
    } catch (error) {
      this.#performing = Promise.reject(error);
      void this.close();
      throw error;
    }
    this.#transport.ended.then((reason) => this.#leave(reason), this.#fail);
    this.#open(joining ?? this.#joinLater()).catch(this.#fail);
  }

  get started(): Promise<void> {
    return this.#started.promise;
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  get endDetail(): string | undefined {
    return this.#endDetail ?? this.#speech.problem ?? undefined;
  }

  get framesShown(): number {
    return this.#framesShown;
  }

  still(): Uint8Array | null {
    return this.#output?.still() ?? null;
  }

  changePicture({ framing, background, emotion }: Omit<ChangePicture, 'type' | 'placement'>): void {
    this.#withPerformer((performer) => {
      if (framing !== undefined) performer.frame?.(framing);
      if (emotion !== undefined) performer.feel?.(emotion);
    });
    if (background !== undefined) void this.#changeBackground(background);
  }

  release(withinMs: number): Promise<boolean> {
    this.#releasing ??= this.#release(withinMs);
    return this.#releasing;
  }

  end(reason: EndReason): void {
    // The agent waits for a report on each segment. While a released session is in the room, it has
    // no successor that sends them.
    if (!this.#isOver) this.#cutSpeech();
    this.#leave(reason);
  }

  drop(): void {
    this.#leave('replaced');
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

  /** The first reason counts, with its detail. */
  #leave(reason: EndReason, detail?: string): void {
    if (!this.#closing) this.#endDetail = detail;
    this.#ended.resolve(reason);
    void this.close();
  }

  async #open(joining: Promise<void>): Promise<void> {
    const [performer] = await Promise.all([this.#performing, joining]);
    if (this.#isOver) return;
    this.#dispatch({ type: 'output_started', output: this.#startOutput(performer) });
    void this.#transport.audible.then(() => this.#output?.pairing.begin());
    await this.#transport.publish();
    this.#dispatch({ type: 'published' });
  }

  #dispatch(event: AssignmentEvent<MediaOutput>): void {
    const { state, effects } = advanceAssignment(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: AssignmentEffect<MediaOutput>): void {
    switch (effect.type) {
      case 'report_started':
        this.#started.resolve();
        return this.#log.info('avatar is in the room');
      case 'hold_speech':
        effect.output.pairing.hold();
        this.#transport.released?.();
        return this.#speech.reportProgress();
    }
  }

  async #release(withinMs: number): Promise<boolean> {
    await this.#silence.wait(withinMs);
    const leftMs = PLAYED_OUT_MS - this.#speech.silentMs;
    this.#dispatch({ type: 'silenced' });
    if (this.#isReleased && leftMs > 0) await this.#silence.rest(leftMs);
    return this.#isReleased;
  }

  get #isReleased(): boolean {
    return this.#state.type === 'released';
  }

  /** All that the agent sent has been played, or will not be. */
  get #isSilent(): boolean {
    return this.#isOver || (this.#state.type === 'showing' && !this.#speech.hasOpen);
  }

  async #joinLater(): Promise<void> {
    await this.#performing;
    if (!this.#isOver) await this.#join();
  }

  async #join(): Promise<void> {
    await this.#transport.join(this.#listener(), takeoverOf(this.#assign));
    this.#record({ kind: 'joined' });
  }

  #startOutput(performer: Performer): MediaOutput {
    const record = (event: WorkerTimelineEvent) => this.#record(event);
    this.#stopListening = recordQuality(this.#parts.ladder, record);
    return new MediaOutput({
      clock: this.#parts.clock,
      video: this.#assign.video,
      performer,
      transport: this.#transport,
      speech: this.#speech,
      ladder: this.#parts.ladder,
      onFrame: (leftOut, offsetMs) => {
        this.#framesShown += 1;
        this.#frameNotes.count(leftOut);
        this.#parts.onFrame?.(leftOut, offsetMs);
      },
      onError: this.#fail,
    });
  }

  #listener(): RoomListener {
    return {
      begin: (stream, format) => this.#speech.begin(stream, format),
      chunk: (stream, bytes) => this.#speech.segments.chunk(stream, bytes),
      end: (stream) => this.#speech.segments.end(stream),
      voice: (samples) => this.#output?.voice(samples),
      voiceEnded: () => this.#output?.live.end(),
      clear: () => this.#clear(),
      hasOpen: () => this.#speech.hasOpen,
      renewed: (token) => this.#parts.listener?.renewed?.(token),
      packet: (topic, bytes) => this.#receivePacket(topic, bytes),
      listens: (isListening) => this.#withPerformer((performer) => performer.attend?.(isListening)),
      present: (presence) => !this.#isOver && this.#presence.present(presence),
      // A later takeover must not repeat them.
      answered: () => takeoverOf(this.#assign)?.byStreams && this.#speech.reportProgress(),
    };
  }

  #clear(): void {
    this.#record({ kind: 'interrupted', segments: this.#speech.openSegments });
    this.#cutSpeech();
  }

  /** Reports all open segments as interrupted. */
  #cutSpeech(): void {
    const output = this.#output;
    if (output) {
      output.live.cut();
      output.pairing.clear();
    } else {
      this.#speech.clear();
    }
  }

  #record(event: WorkerTimelineEvent): void {
    this.#parts.listener?.record?.(event);
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

  /** The last of several changes counts. */
  async #changeBackground(background: Background): Promise<void> {
    const parts = this.#parts;
    const wasTransparent = this.#assign.video.background?.kind === 'transparent';
    if (!parts.openBackdrop || wasTransparent || background.kind === 'transparent') return;
    this.#wishedBackground = background;
    try {
      const backdrop = await parts.openBackdrop(background);
      if (this.#wishedBackground !== background) return;
      this.#withPerformer((performer) => performer.place?.(backdrop));
    } catch (err) {
      this.#log.warn({ err }, 'the background stays as it is');
    }
  }

  /** Calls `use` in order of arrival, once the performer is open. */
  #withPerformer(use: (performer: Performer) => void): void {
    this.#performing.then((performer) => !this.#isOver && use(performer)).catch(this.#fail);
  }

  /**
   * A refusal by the room is an end reason. Without an answer, another attempt may succeed. Any
   * other error is a bug and ends only this session.
   */
  #fail = (error: unknown): void => {
    if (error instanceof LeftRoom) {
      const { reason, detail, cause } = error;
      this.#log.info({ reason, detail, err: cause }, 'left the room');
      return this.#leave(reason, detail);
    }
    const isUnanswered = error instanceof TracksNotTaken;
    this.#ended.reject(isUnanswered ? new CannotPerform(error.message) : error);
    void this.close();
  };

  async #close(): Promise<void> {
    const output = this.#output;
    this.#dispatch({ type: 'closed' });
    this.#presence.close();
    this.#stopListening();
    output?.close();
    this.#frameNotes.close();
    this.#silence.stop();
    this.#speech.close();
    const performer = await this.#performing.catch(() => null);
    performer?.close();
    await this.#transport.close();
  }
}
