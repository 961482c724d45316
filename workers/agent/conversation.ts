import { aborted } from '#shared/aborted.ts';
import { delay, type Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { faultLevel } from '../runtime/disconnects.ts';
import {
  CannotPerform,
  type Performance,
  type PerformanceListener,
} from '../runtime/performance.ts';
import { placementFields } from '../runtime/traces/traced-perform.ts';
import { CallBudget } from './call-budget.ts';
import { CallRefused, type CallControl } from './call-control.ts';
import { RoomClosed, type CallRoom } from './call-room.ts';
import { nextState, type ConversationState } from './conversation-state.ts';
import type { Dialogue, DialogueParts } from './dialogue/dialogue.ts';
import { Lines } from './lines.ts';
import { phrasesIn } from './dialogue/phrases.ts';
import type { CallRecognizer } from './stt/speech-recognition.ts';
import { UserWatch } from './user-watch.ts';
import type { Voice } from './voices/voice.ts';

/** The part of the dialogue that a conversation uses. */
export type ConversationDialogue = Pick<
  Dialogue,
  | 'start'
  | 'begin'
  | 'ask'
  | 'say'
  | 'isSilent'
  | 'playbackStarted'
  | 'playbackFinished'
  | 'sentenceEnd'
  | 'hold'
  | 'farewell'
  | 'close'
>;

type ConversationParts = {
  clock: Clock;
  log: Log;
  control: CallControl;
  voiceOf: (brief: CallBrief) => Voice;
  recognizerFor: (brief: CallBrief) => CallRecognizer | null;
  openRoom: (brief: CallBrief, facts: { hears: boolean; budget: CallBudget }) => CallRoom;
  openDialogue: (parts: DialogueParts) => ConversationDialogue;
  /** How long a call continues after its user has left. */
  userGraceMs: number;
};

/** The agent announces the end this long before. */
const WARNING_MS = 60_000;
/** How long the current sentence may continue after the time limit. */
const LAST_WORDS_MS = 15_000;
/** How long the current speech may continue when the budget is used up, and the last sentence. */
const FINISH_MS = 30_000;
const FAREWELL_MS = 20_000;
/** Dates the end of a call whose user never came before its start, so that it has no length. */
const BEFORE_START_MS = 24 * 60 * 60_000;
/** Time to save the last lines; covers a restart of the control plane. */
const RECORD_MS = 90_000;
/** The same when the service stops, because the operator waits for it. */
const STOP_MS = 500;
/** Time to report the last costs of a call that another worker performs. */
const COSTS_MS = 10_000;
/**
 * From joining until the room shows that the agent listens. On a busy machine, the signalling
 * socket of a new room sometimes carries nothing (rtc-node 0.13.35).
 */
const SHOWN_MS = 10_000;
/**
 * From joining until the room shows the avatar or the user. The avatar is in a healthy room within
 * two seconds; a machine may be ten times slower. A room that shows neither carries no events.
 */
const ALONE_MS = 20_000;
/** After a clear the avatar reports on speech from the previous worker. */
const CLEARED_MS = 500;
const POLL_MS = 50;
/** Short, because the user waits for an answer. */
const SECOND_BRIEF_MS = 2_000;

/** The parts of a call that stay when the room is joined again. */
type OpenedCall = {
  brief: CallBrief;
  recognizer: CallRecognizer | null;
  budget: CallBudget;
};

/**
 * The conversation of one call, from its brief until it has left the room. Owns the room, the
 * dialogue and the lines. `ended` settles when the last lines are saved.
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
  #dialogue: ConversationDialogue | null = null;
  #budget: CallBudget | null = null;
  /** Typed before the dialogue could answer. */
  #earlyTexts: string[] = [];
  #state: ConversationState = 'opening';
  /** Resolves when the room that was left for joining again is closed. Null: never rejoined. */
  #formerRoom: Promise<void> | null = null;
  #leaving: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #endedEarlierMs = 0;
  #timers: (() => void)[] = [];

  constructor(assign: Assign, listener: PerformanceListener, parts: ConversationParts) {
    this.#assign = assign;
    this.#listener = listener;
    this.#parts = parts;
    this.#log = parts.log.child({ ...placementFields(assign), callId: assign.callId });
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
      await delay(clock, Math.min(POLL_MS, endsAt - clock.elapsed()));
    if (!this.#dialogue || this.#state === 'opening' || this.#isOver) return false;
    this.#state = nextState(this.#state, 'released');
    this.#dialogue.hold();
    // The successor reads the last lines from the record.
    await this.#lines.kept(Math.max(0, endsAt - clock.elapsed()) + POLL_MS);
    return true;
  }

  end(reason: EndReason): void {
    if (this.#leaving) return;
    this.#state = nextState(this.#state, 'ended');
    this.#leaving = this.#leave(reason);
  }

  drop(): void {
    this.#ended.resolve('replaced');
    void this.close();
  }

  close(): Promise<void> {
    this.#state = nextState(this.#state, 'ended');
    this.#closing ??= this.#close();
    return this.#closing;
  }

  get #isOver(): boolean {
    return this.#state === 'over';
  }

  async #open(): Promise<void> {
    const { clock, control, recognizerFor, userGraceMs } = this.#parts;
    const brief = await control.brief(this.#stop.signal);
    if (this.#isOver) return;
    const recognizer = recognizerFor(brief);

    const budget = new CallBudget({ budget: brief.budget, control, clock, log: this.#log });
    this.#budget = budget;
    const hasCome = brief.lines.length > 0;
    this.#users = new UserWatch(clock, userGraceMs, hasCome, () => this.end('room_empty'));
    this.#limit(brief);
    await this.#enter({ brief, recognizer, budget });
  }

  async #enter(call: OpenedCall): Promise<void> {
    const { clock } = this.#parts;
    const { brief, budget } = call;
    const { room, dialogue } = this.#furnish(call);
    void room.ended.then((reason) => this.#room === room && this.end(reason));
    await room.join({
      user: (isPresent) => this.#user(isPresent),
      typed: (text) => this.#typed(text),
      renewed: (token) => this.#listener.renewed(token),
      playbackStarted: () => dialogue.playbackStarted(),
      playbackFinished: (finished) => dialogue.playbackFinished(finished),
    });
    if (this.#isOver) return;
    const cancelUnseen = clock.after(SHOWN_MS, () =>
      this.#fail(new CannotPerform(`the room did not show the agent within ${SHOWN_MS} ms`)),
    );
    this.#timers.push(cancelUnseen);
    this.#watchRoom(room, call);
    await dialogue.start();
    void this.#announce(room, cancelUnseen);
    void this.#listenWhenReady(room, call);
    this.#state = nextState(this.#state, 'joined');
    for (const text of this.#earlyTexts.splice(0)) dialogue.ask(text);
    const { epoch } = this.#assign.placement;
    if (epoch > 1) await this.#silenceAvatar(room);
    // Greet when the user is present.
    await Promise.race([this.#userHere.promise, aborted(this.#stop.signal)]);
    const lines = epoch > 1 ? await this.#currentLines(brief) : brief.lines;
    if (this.#state !== 'talking' || this.#room !== room) return;
    budget.start(() => void this.#sayGoodbye(dialogue, brief));
    if (!budget.isUsedUp) await dialogue.begin(lines);
  }

  #furnish({ brief, recognizer, budget }: OpenedCall) {
    const { clock, control, voiceOf, openRoom, openDialogue } = this.#parts;
    const room = openRoom(brief, { hears: recognizer?.isReady ?? false, budget });
    this.#room = room;
    const dialogue = openDialogue({
      brief,
      control,
      lines: this.#lines,
      room,
      speech: { voice: voiceOf(brief), hearing: recognizer?.hearing ?? null },
      budget,
      clock,
      log: this.#log,
    });
    this.#dialogue = dialogue;
    return { room, dialogue };
  }

  /** Before a user was seen, nothing is lost by joining again. */
  #watchRoom(room: CallRoom, call: OpenedCall): void {
    const cancel = this.#parts.clock.after(ALONE_MS, () => {
      this.#rejoin(call).catch((error: unknown) => this.#fail(error));
    });
    this.#timers.push(cancel);
    Promise.race([room.avatar.whenVisible(false), this.#userHere.promise]).then(cancel, cancel);
  }

  /** Once; then another worker gets the call. */
  async #rejoin(call: OpenedCall): Promise<void> {
    // A successor performs a released call.
    if (this.#state !== 'talking') return;
    const problem = `the room showed no participant within ${ALONE_MS} ms`;
    if (this.#formerRoom) throw new CannotPerform(problem);
    this.#log.warn({ aloneMs: ALONE_MS }, 'the room shows no participant: joining it again');
    this.#state = nextState(this.#state, 'left');
    this.#formerRoom = this.#leaveRoom(this.#room, this.#dialogue);
    this.#room = null;
    await this.#formerRoom;
    try {
      if (!this.#isOver) await this.#enter(call);
    } catch (cause) {
      // The room admitted the agent before.
      throw cause instanceof RoomClosed ? new CannotPerform(problem, { cause }) : cause;
    }
  }

  /** The session has started when the room shows the agent. */
  async #announce(room: CallRoom, cancelUnseen: () => void): Promise<void> {
    await room.tellReady(this.#assign.placement.epoch);
    cancelUnseen();
    this.#started.resolve();
    this.#log.info({ hears: room.hears }, 'conversation started');
  }

  /** Speech recognition may be installed during the call. */
  async #listenWhenReady(room: CallRoom, { recognizer }: OpenedCall): Promise<void> {
    if (!(await recognizer?.whenReady) || this.#room !== room || this.#isOver || room.hears) return;
    this.#log.info('the agent hears from now on');
    room.hear();
  }

  #user(isPresent: boolean): void {
    if (this.#isOver) return;
    this.#users?.present(isPresent);
    if (isPresent) this.#userHere.resolve();
  }

  #typed(text: string): void {
    if (this.#state === 'opening') this.#earlyTexts.push(text);
    else this.#dialogue?.ask(text);
  }

  /** Discards speech from the previous worker: its playback reports would be taken for ours. */
  async #silenceAvatar({ avatar }: CallRoom): Promise<void> {
    await avatar.clear().catch((error: unknown) => {
      this.#log[faultLevel(error)](
        { err: error },
        'speech from the previous worker could not be interrupted',
      );
    });
    await delay(this.#parts.clock, CLEARED_MS);
  }

  /**
   * Includes lines said to the previous worker during the takeover. Falls back to the first brief.
   */
  async #currentLines({ lines }: CallBrief): Promise<CallBrief['lines']> {
    const { clock, control } = this.#parts;
    const tooLate = new AbortController();
    const cancel = clock.after(SECOND_BRIEF_MS, () => tooLate.abort(new Error('timed out')));
    try {
      return (await control.brief(AbortSignal.any([this.#stop.signal, tooLate.signal]))).lines;
    } catch (error) {
      this.#log.warn({ err: error }, 'lines said during the takeover are unknown');
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

  /** The call has cost as much as it may. */
  async #sayGoodbye(dialogue: ConversationDialogue, { language }: CallBrief): Promise<void> {
    const { clock } = this.#parts;
    dialogue.hold();
    const endsAt = clock.elapsed() + FINISH_MS;
    while (!dialogue.isSilent && clock.elapsed() < endsAt && this.#state === 'talking')
      await delay(clock, POLL_MS);
    if (this.#state !== 'talking') return;
    this.#log.info('budget of the call reached');
    await dialogue
      .farewell(phrasesIn(language).budgetReached, FAREWELL_MS)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'the last sentence was not said'));
    this.end('budget_reached');
  }

  async #timeIsUp(): Promise<void> {
    await this.#dialogue?.sentenceEnd(LAST_WORDS_MS);
    this.end('time_limit');
  }

  async #leave(reason: EndReason): Promise<void> {
    const { clock } = this.#parts;
    this.#stop.abort(new Error(reason));
    const leftAt = clock.elapsed() - (reason === 'room_empty' ? this.#emptyMs() : 0);
    await this.#hangUp();
    // The record is complete when the end of the call is reported.
    const waitMs = reason === 'service_stopped' ? STOP_MS : RECORD_MS;
    await Promise.all([this.#budget?.close(waitMs), this.#lines.kept(waitMs)]);
    this.#endedEarlierMs = clock.elapsed() - leftAt;
    this.#ended.resolve(reason);
    await this.close();
  }

  #emptyMs(): number {
    if (!this.#users) return 0;
    return this.#users.hasCome ? this.#users.awayMs : BEFORE_START_MS;
  }

  /**
   * A refused room ends the call. A refused brief gives the call back. All else is a bug and ends
   * only this call.
   */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    if (error instanceof RoomClosed) return this.end(error.reason);
    this.#ended.reject(
      error instanceof CallRefused ? new CannotPerform(error.message, { cause: error }) : error,
    );
    void this.close();
  }

  /** Failures are logged: the call is over anyway. */
  async #hangUp(): Promise<void> {
    this.#users?.close();
    for (const cancel of this.#timers.splice(0)) cancel();
    await this.#formerRoom;
    await this.#leaveRoom(this.#room, this.#dialogue);
  }

  async #leaveRoom(room: CallRoom | null, dialogue: ConversationDialogue | null): Promise<void> {
    const failed = (error: unknown) => this.#log.error({ err: error }, 'failed to hang up');
    await dialogue?.close().catch(failed);
    await room?.close().catch(failed);
  }

  async #close(): Promise<void> {
    this.#stop.abort(new Error('over'));
    await this.#hangUp();
    await this.#budget?.close(COSTS_MS);
    await this.#lines.close();
  }
}
