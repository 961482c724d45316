/* Runs rounds of faults on the real parts and reports violations. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionBody } from '../client.ts';
import { Conversation } from './conversation.ts';
import { unexplained } from './picture.ts';
import { SESSIONS, type Fault, type Round } from './schedule.ts';
import type { RealStage } from './stage.ts';
import { strike, type Blow } from './fault-injection.ts';
import { within } from '../../stage/time-limit.ts';

export type Say = (line: string) => void;

/** Allowed end reasons after agent and viewer have left. */
const LEFT_REASONS = ['agent_left', 'room_empty', 'room_closed'];
const STEADY_FRAMES = 10;

export async function playReal(stage: RealStage, rounds: Round[], say: Say): Promise<string[]> {
  const run = new Run(stage, say);
  try {
    await run.open();
    for (const [index, round] of rounds.entries()) await run.play(index, round);
    await run.end();
    return run.problems();
  } catch (error) {
    return [...run.problems(), described(error)];
  } finally {
    await run.close();
  }
}

class Run {
  readonly #stage: RealStage;
  readonly #say: Say;
  readonly #conversations: Conversation[] = [];
  readonly #blows: Blow[] = [];
  readonly #startedAt = new Map<string, string>();
  readonly #problems: string[] = [];
  readonly #beganMs = performance.now();

  constructor(stage: RealStage, say: Say) {
    this.#stage = stage;
    this.#say = say;
  }

  async open(): Promise<void> {
    for (let i = 0; i < SESSIONS; i++) {
      const conversation = await Conversation.open(this.#stage, i % 2 === 0 ? 'agent' : 'service');
      this.#conversations.push(conversation);
      await conversation.speak();
    }
    await this.#settled();
    for (const { id } of this.#conversations) {
      const session = await this.#find(id);
      this.#startedAt.set(id, session?.status.started_at ?? '');
    }
    this.#report('sessions are open');
  }

  async play(index: number, round: Round): Promise<void> {
    const title = `round ${index + 1}: ${round.faults.map(name).join(' and ')}${round.isSpeaking ? ', in the middle of speech' : ''}`;
    try {
      const beganMs = performance.now();
      await this.#play(round);
      const gaps = this.#conversations.flatMap((conversation) =>
        conversation
          .gapsUntil(performance.now())
          .filter(({ toMs }) => toMs !== null && toMs > beganMs),
      );
      const longestMs = Math.max(0, ...gaps.map(({ fromMs, toMs }) => (toMs ?? fromMs) - fromMs));
      this.#report(longestMs > 0 ? `${title}: no picture for ${Math.round(longestMs)} ms` : title);
    } catch (error) {
      throw new Error(`${title}: ${described(error)}`, { cause: error });
    }
  }

  async #play({ faults, isSpeaking }: Round): Promise<void> {
    const conversations = this.#conversations;
    if (isSpeaking)
      await Promise.all(conversations.map((conversation) => conversation.beginToSpeak()));
    const blows = await Promise.all(
      faults.map((fault) =>
        strike(fault, { stage: this.#stage, conversations, isAlone: faults.length === 1 }),
      ),
    );
    this.#blows.push(...blows);
    await Promise.all(blows.map((blow) => blow.recovered));
    await this.#seen();
    await Promise.all(conversations.map((conversation) => conversation.finished()));
    await Promise.all(conversations.map((conversation) => conversation.speak()));
    for (const blow of blows) await blow.mend();
    await this.#settled();
    await this.#seen();
    const problems = this.problems();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  /**
   * All participants leave one room, and the client ends the other sessions: nothing may be left of
   * any.
   */
  async end(): Promise<void> {
    this.#problems.push(...this.#watched());
    const [leaver, ...remaining] = this.#conversations as [Conversation, ...Conversation[]];
    await leaver.leave();
    for (const { id } of remaining)
      await this.#stage.client.call('POST', `/v1/sessions/${id}/end`, {});
    for (const { id } of this.#conversations) {
      const reasons = id === leaver.id ? LEFT_REASONS : ['ended_by_client'];
      const session = await this.#completed(id);
      if (!reasons.includes(session.end_reason ?? ''))
        this.#problems.push(`${id} ended as ${session.end_reason}`);
      if (session.status.started_at !== this.#startedAt.get(id))
        this.#problems.push(`${id} has a changed start time`);
    }
    await Promise.all(remaining.map((conversation) => conversation.leave()));
    await this.#settled(0);
    await within(
      this.#stage.bounds.settledMs,
      'every room is gone',
      async () => (await this.#stage.rooms.listRooms()).length === 0,
    );
    const codes = await Promise.all(this.#stage.workers.map((worker) => worker.stop()));
    if (codes.some((code) => code !== 0))
      this.#problems.push(`workers exit with ${codes.join(', ')}`);
    const running = this.#stage.allWorkers.filter(({ isGone }) => !isGone);
    if (running.length > 0)
      this.#problems.push(`processes left: ${running.map(({ pid }) => pid).join(', ')}`);
    this.#report('sessions are over, nothing is left');
  }

  async close(): Promise<void> {
    await Promise.all(this.#conversations.map((conversation) => conversation.leave()));
  }

  problems(): string[] {
    const watched = this.#conversations.some(({ isOver }) => isOver) ? [] : this.#watched();
    return [...new Set([...this.#problems, ...watched, ...this.#placedTwice()])];
  }

  #watched(): string[] {
    return this.#conversations.flatMap((conversation) => [
      ...conversation.problems(),
      ...unexplained(conversation, this.#blows),
    ]);
  }

  /** A placement belongs to one worker. */
  #placedTwice(): string[] {
    const takers = new Map<string, string>();
    const problems: string[] = [];
    for (const { workerId, deeds } of this.#stage.allWorkers) {
      for (const { action, sessionId, epoch } of deeds) {
        if (action !== 'taken') continue;
        const placement = `epoch ${epoch} of ${sessionId}`;
        const earlierTaker = takers.get(placement);
        if (earlierTaker !== undefined && earlierTaker !== workerId)
          problems.push(`${placement} was taken by both ${earlierTaker} and ${workerId}`);
        takers.set(placement, workerId);
      }
    }
    return problems;
  }

  async #seen(): Promise<void> {
    await Promise.all(
      this.#conversations.map(async ({ id, viewer }) => {
        const enough = viewer.frames + STEADY_FRAMES;
        await within(
          this.#stage.bounds.heardMs,
          `the picture of ${id}`,
          () => viewer.frames >= enough,
        );
      }),
    );
  }

  /** Every control plane has the same counts. */
  async #settled(live = this.#conversations.length): Promise<void> {
    let disagreements: string[] = [];
    const agree = async () => {
      disagreements = await this.#stage.disagreements(live);
      if (disagreements.length > 0) await sleep(100);
      return disagreements.length === 0;
    };
    await within(this.#stage.bounds.settledMs, `counts for ${live} sessions`, agree).catch(
      (cause: unknown) => {
        throw new Error(`${described(cause)}: ${disagreements.join('; ')}`, { cause });
      },
    );
  }

  async #completed(id: string): Promise<SessionBody> {
    let session: SessionBody | null = null;
    await within(this.#stage.bounds.settledMs, `${id} is completed`, async () => {
      session = await this.#find(id);
      return session?.status.type === 'completed';
    });
    return session!;
  }

  async #find(id: string): Promise<SessionBody | null> {
    const answer = await this.#stage.client.call<SessionBody>('GET', `/v1/sessions/${id}`);
    return answer?.status === 200 ? answer.body : null;
  }

  #report(message: string): void {
    this.#say(
      `${((performance.now() - this.#beganMs) / 1_000).toFixed(1).padStart(6)} s  ${message}`,
    );
  }
}

function name({ type, ...rest }: Fault): string {
  const details = Object.entries(rest).map(([key, value]) => `${key} ${value}`);
  return `${type} (${details.join(', ')})`;
}

const described = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
