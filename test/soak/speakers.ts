/* The sessions of a soak: each says one utterance after the other until it is stopped. */
import { delay, systemClock } from '#shared/clock.ts';
import { Conversation } from '../chaos/real/conversation.ts';
import type { SessionBody } from '../chaos/client.ts';
import { inTime } from '../stage/time-limit.ts';
import type { SoakStage } from './stage.ts';
import { allOf, atMost, without, type Outcome } from './outcomes.ts';

const PAUSE_MS = 500;
/** One in this many utterances is listened to. */
const HEARD_EACH = 4;
/** Longer than any utterance. An agent whose media server is gone may wait without end. */
const STOP_MS = 60_000;
/** A machine that is busy with everything at once. */
const LONGEST_GAP_MS = 4_000;

export class Speakers {
  readonly #stage: SoakStage;
  readonly #conversations: Conversation[] = [];
  readonly #stopped = new AbortController();
  readonly #problems: string[] = [];
  #speaking: Promise<unknown> = Promise.resolve();
  #said = 0;
  #finished = 0;

  constructor(stage: SoakStage) {
    this.#stage = stage;
  }

  async open(sessions: number): Promise<void> {
    for (let i = 0; i < sessions; i += 1)
      this.#conversations.push(
        await Conversation.open(this.#stage, i % 2 === 0 ? 'agent' : 'service'),
      );
    this.#speaking = Promise.all(
      this.#conversations.map((conversation) => this.#speak(conversation)),
    );
  }

  get finished(): number {
    return this.#finished;
  }

  /** Resolves when the last utterance has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await inTime(STOP_MS, 'the last utterances', this.#speaking).catch((error: Error) =>
      this.#problems.push(error.message),
    );
  }

  /** Call it while the sessions are open. */
  async outcomes(): Promise<Outcome[]> {
    const states = await Promise.all(
      this.#conversations.map((conversation) => this.#stateOf(conversation)),
    );
    const moved = this.#conversations.filter(({ seats }) => seats !== 1).length;
    const problems = this.#conversations.flatMap((conversation) => conversation.problems());
    const gaps = this.#conversations.flatMap((conversation) =>
      conversation.gapsUntil(performance.now()),
    );
    const longestMs = Math.max(
      0,
      ...gaps.map(({ fromMs, toMs }) => (toMs ?? performance.now()) - fromMs),
    );
    return [
      allOf(
        'sessions that are still running',
        states.filter((state) => state === 'ongoing').length,
        states.length,
        states.filter((state) => state !== 'ongoing'),
      ),
      atMost('sessions that moved to another worker', moved, 0),
      allOf('utterances that ended, and were heard if listened to', this.#finished, this.#said),
      atMost('longest time without a picture', Math.round(longestMs), LONGEST_GAP_MS, ' ms'),
      without('avatars and reports of speech are as they should be', [
        ...this.#problems,
        ...problems,
      ]),
    ];
  }

  /** Ends all sessions. */
  async end(): Promise<void> {
    for (const { id } of this.#conversations)
      await this.#stage.client.call('POST', `/v1/sessions/${id}/end`, {});
    await this.leave();
  }

  async leave(): Promise<void> {
    await Promise.all(this.#conversations.map((conversation) => conversation.leave()));
  }

  async #speak(conversation: Conversation): Promise<void> {
    const { signal } = this.#stopped;
    for (let turn = 0; !signal.aborted; turn += 1) {
      this.#said += 1;
      try {
        await (turn % HEARD_EACH === 0 ? conversation.speak() : conversation.tell());
        this.#finished += 1;
      } catch (error) {
        this.#problems.push(error instanceof Error ? error.message : String(error));
      }
      await delay(systemClock, PAUSE_MS, signal).catch(() => {});
    }
  }

  /** `ongoing`, or why it is over. */
  async #stateOf({ id }: Conversation): Promise<string> {
    const answer = await this.#stage.client.call<SessionBody>('GET', `/v1/sessions/${id}`);
    return answer?.body.end_reason ?? answer?.body.status?.type ?? 'unknown';
  }
}
