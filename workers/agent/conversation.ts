import { delay, type Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import {
  CannotPerform,
  type Performance,
  type PerformanceListener,
} from '../runtime/performance.ts';
import { CallRefused, type CallControl } from './call-control.ts';
import { RoomClosed, type CallRoom } from './call-room.ts';
import type { Dialogue, DialogueParts } from './dialogue/dialogue.ts';
import { Lines } from './lines.ts';
import { phrasesIn } from './dialogue/phrases.ts';
import { UserWatch } from './user-watch.ts';
import type { Voice } from './voices/voice.ts';

/** What a conversation needs of its dialogue. */
export type Talk = Pick<
  Dialogue,
  | 'start'
  | 'begin'
  | 'say'
  | 'isSilent'
  | 'playbackStarted'
  | 'playbackFinished'
  | 'sentenceEnd'
  | 'hold'
  | 'close'
>;

export type ConversationParts = {
  clock: Clock;
  log: Log;
  control: CallControl;
  voiceOf: (brief: CallBrief) => Voice;
  hearingOf: (brief: CallBrief) => Promise<DialogueParts['hearing']>;
  openRoom: (brief: CallBrief, hears: boolean) => CallRoom;
  openDialogue: (parts: DialogueParts) => Talk;
  /** How long a call outlives its user. */
  userGraceMs: number;
};

/** The user is told so long before the end. */
const WARNING_MS = 60_000;
/** For how long a sentence, or the goodbye, may go on when the time is up. */
const LAST_WORDS_MS = 15_000;
/** A control plane that is started again is back within it. */
const RECORD_MS = 90_000;
/** Who stops the service waits for it. */
const STOP_MS = 500;
/** After a clear the face answers for what the worker before had sent it. */
const CLEARED_MS = 500;
const LOOK_MS = 50;
/** The user waits for the answer. */
const READ_AGAIN_MS = 2_000;

/**
 * The conversation of one call, from its brief until it has left the room.
 *
 * opening   the brief is asked for, the room joined              -> talking when both are there; over on any failure
 * talking   the user is heard and answered                       -> released when another worker takes over; over
 * released  silent, until that one is here and we are put out    -> over
 * over      the last lines are on their way; `ended` is settled when they are kept, and everything below is closed
 */
export class Conversation implements Performance {
  readonly #assign: Assign;
  readonly #parts: ConversationParts;
  readonly #listener: PerformanceListener;
  readonly #log: Log;
  readonly #lines: Lines;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<EndReason>();
  readonly #stop = new AbortController();
  readonly #userHere = Promise.withResolvers<void>();
  #users: UserWatch | null = null;
  #room: CallRoom | null = null;
  #dialogue: Talk | null = null;
  #isInRoom = false;
  #isReleased = false;
  #leaving: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #endedEarlierMs = 0;
  #timers: (() => void)[] = [];

  constructor(assign: Assign, listener: PerformanceListener, parts: ConversationParts) {
    this.#assign = assign;
    this.#listener = listener;
    this.#parts = parts;
    this.#log = parts.log.child({ ...assign.placement, callId: assign.callId });
    this.#lines = new Lines(parts.control, parts.clock, this.#log);
    this.#open().catch((error: unknown) => this.#fail(error));
  }

  get started(): Promise<void> {
    return this.#started.promise;
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  get endedEarlierMs(): number {
    return this.#endedEarlierMs;
  }

  async release(withinMs: number): Promise<boolean> {
    const { clock } = this.#parts;
    const endsAt = clock.elapsed() + withinMs;
    while (this.#dialogue && !this.#dialogue.isSilent && clock.elapsed() < endsAt && !this.#isOver)
      await delay(clock, Math.min(LOOK_MS, endsAt - clock.elapsed()));
    if (!this.#dialogue || !this.#isInRoom || this.#isOver) return false;
    this.#isReleased = true;
    this.#dialogue.hold();
    // What was said last is read by who takes over.
    await this.#lines.kept(Math.max(0, endsAt - clock.elapsed()) + LOOK_MS);
    return true;
  }

  end(reason: EndReason): void {
    this.#leaving ??= this.#leave(reason);
  }

  drop(): void {
    this.#ended.resolve('replaced');
    void this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  get #isOver(): boolean {
    return this.#leaving !== null || this.#closing !== null;
  }

  async #open(): Promise<void> {
    const { clock, control, hearingOf, voiceOf, openRoom, openDialogue, userGraceMs } = this.#parts;
    const { signal } = this.#stop;
    const brief = await control.brief(signal);
    const hearing = await hearingOf(brief);
    if (this.#isOver) return;

    const room = openRoom(brief, hearing !== null);
    this.#room = room;
    const dialogue = openDialogue({
      brief,
      control,
      lines: this.#lines,
      face: room.face,
      voice: voiceOf(brief),
      hearing,
      clock,
      log: this.#log,
      ...(room.room && { room: room.room }),
    });
    this.#dialogue = dialogue;
    const hasCome = brief.lines.length > 0;
    this.#users = new UserWatch(clock, userGraceMs, hasCome, () => this.end('room_empty'));
    void room.left.then((reason) => this.end(reason));
    await room.join({
      user: (isHere) => this.#user(isHere),
      renewed: (token) => this.#listener.renewed(token),
      playbackStarted: () => dialogue.playbackStarted(),
      playbackFinished: (finished) => dialogue.playbackFinished(finished),
    });
    if (this.#isOver) return;
    this.#limit(brief);
    await dialogue.start();
    const { epoch } = this.#assign.placement;
    await room.tellReady(hearing !== null, epoch);
    this.#isInRoom = true;
    this.#started.resolve();
    this.#log.info({ hears: hearing !== null }, 'the conversation is in its room');
    if (epoch > 1) await this.#silenceFace(room);
    // A greeting into an empty room greets nobody.
    await Promise.race([this.#userHere.promise, aborted(signal)]);
    const lines = epoch > 1 ? await this.#linesByNow(brief) : brief.lines;
    if (!this.#isOver && !this.#isReleased) await dialogue.begin(lines);
  }

  #user(isHere: boolean): void {
    if (this.#isOver) return;
    this.#users?.present(isHere);
    if (isHere) this.#userHere.resolve();
  }

  /** It still says what the worker before had sent it, and would tell us of it as of our own. */
  async #silenceFace({ face }: CallRoom): Promise<void> {
    await face.clear().catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the face could not be told that its agent was replaced');
    });
    await delay(this.#parts.clock, CLEARED_MS);
  }

  /** What was said to the worker before us while we came. When nobody tells that in time it is left at what we knew. */
  async #linesByNow({ lines }: CallBrief): Promise<CallBrief['lines']> {
    const { clock, control } = this.#parts;
    const tooLate = new AbortController();
    const cancel = clock.after(READ_AGAIN_MS, () => tooLate.abort(new Error('took too long')));
    try {
      return (await control.brief(AbortSignal.any([this.#stop.signal, tooLate.signal]))).lines;
    } catch (error) {
      this.#log.warn({ err: error }, 'what was said while we came is not known');
      return lines;
    } finally {
      cancel();
    }
  }

  #limit({ leftMs, language }: CallBrief): void {
    const { clock } = this.#parts;
    const { oneMinuteLeft } = phrasesIn(language);
    if (leftMs > WARNING_MS)
      this.#timers.push(clock.after(leftMs - WARNING_MS, () => this.#dialogue?.say(oneMinuteLeft)));
    this.#timers.push(clock.after(leftMs, () => void this.#timeIsUp()));
  }

  async #timeIsUp(): Promise<void> {
    await this.#dialogue?.sentenceEnd(LAST_WORDS_MS);
    this.end('time_limit');
  }

  async #leave(reason: EndReason): Promise<void> {
    const { clock } = this.#parts;
    this.#stop.abort(new Error(reason));
    const leftAt = clock.elapsed() - (reason === 'room_empty' ? (this.#users?.awayMs ?? 0) : 0);
    await this.#hangUp();
    // They are there when it is told that the call is over.
    await this.#lines.kept(reason === 'service_stopped' ? STOP_MS : RECORD_MS);
    this.#endedEarlierMs = clock.elapsed() - leftAt;
    this.#ended.resolve(reason);
    await this.close();
  }

  /** A room that refuses is an end; what another worker may have is given back; anything else is a bug, and costs this call only. */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    if (error instanceof RoomClosed) return this.end(error.reason);
    this.#ended.reject(
      error instanceof CallRefused ? new CannotPerform(error.message, { cause: error }) : error,
    );
    void this.close();
  }

  /** Whatever fails in it, the call is over. */
  async #hangUp(): Promise<void> {
    this.#users?.close();
    for (const cancel of this.#timers.splice(0)) cancel();
    const failed = (error: unknown) => this.#log.error({ err: error }, 'hanging up failed');
    await this.#dialogue?.close().catch(failed);
    await this.#room?.close().catch(failed);
  }

  async #close(): Promise<void> {
    this.#stop.abort(new Error('over'));
    await this.#hangUp();
    await this.#lines.close();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
