import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import { CLOSE, type CloseName } from '#protocol/worker/close-codes.ts';
import { writeMessage } from '#protocol/codec.ts';
import type { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import { placementKey, type Placement } from '#protocol/placement.ts';
import type { Answer, Question, ResultOf } from '#protocol/worker/questions.ts';
import type { Builder } from '../avatars/builders.ts';
import type { ConnectedWorker, Job, WorkerFacts } from '../fleet/fleet.ts';
import { QUESTION_RULES } from '../fleet/question-rules.ts';
import { OpenQuestions } from './open-questions.ts';

type AssignAnswer = 'accepted' | 'refused' | 'silent' | 'gone';

/** A worker that leaves more unread counts as dead. In bytes. */
const MAX_UNREAD = 1024 * 1024;

const CORK_MS = 1;

/** After a pause of the control plane one step passes, then answers that arrived are read. */
const ANSWER_STEPS = 4;

type WorkerLinkOptions = {
  socket: WebSocket;
  /** The socket's TCP stream. */
  stream: Duplex;
  facts: WorkerFacts;
  /** Null for WORKER_TOKEN. */
  tokenId: string | null;
  clock: Clock;
  /** Time for the worker's answer to an assignment. */
  answerMs: number;
};

/** One registered connection of a worker. The gateway owns the socket and calls `markClosed`. */
export class WorkerLink implements ConnectedWorker, Builder {
  #facts: WorkerFacts;
  readonly tokenId: string | null;
  readonly #questions: OpenQuestions;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #clock: Clock;
  readonly #answerMs: number;
  readonly #pending = new Map<string, (answer: AssignAnswer) => void>();
  #pingedAt = 0;
  #roundTripMs: number | null = null;
  #isClosed = false;
  #isCorked = false;

  constructor({ socket, stream, facts, tokenId, clock, answerMs }: WorkerLinkOptions) {
    this.#facts = facts;
    this.tokenId = tokenId;
    this.#socket = socket;
    this.#stream = stream;
    this.#clock = clock;
    this.#answerMs = answerMs;
    this.#questions = new OpenQuestions(clock);
  }

  get facts(): WorkerFacts {
    return this.#facts;
  }

  changeAbilities(abilities: string[]): void {
    this.#facts = { ...this.#facts, abilities };
  }

  get workerId(): string {
    return this.facts.workerId;
  }

  /** Round trip of the last pings, with more weight on slow ones. Null: none was answered yet. */
  get roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  ping(): void {
    this.#pingedAt = this.#clock.elapsed();
    this.send({ type: 'ping' });
  }

  receivePong(): void {
    // The answers of a busy worker vary: a slow one counts for several pings.
    const earlierMs = (this.#roundTripMs ?? 0) / 2;
    this.#roundTripMs = Math.max(earlierMs, this.#clock.elapsed() - this.#pingedAt);
  }

  assign(placement: Placement, job: Job): Promise<AssignAnswer> {
    if (this.#isClosed) return Promise.resolve('gone');
    return new Promise((resolve) => {
      const key = placementKey(placement);
      const cancel = this.#afterAnswerTime(() => {
        // The worker may have accepted, or may still accept.
        this.send({ type: 'drop', placement });
        this.#settle(key, 'silent');
      });
      this.#pending.set(key, (answer) => {
        cancel();
        resolve(answer);
      });
      this.send({ type: 'assign', placement, ...job });
    });
  }

  /** The answer to `assign`. False when it came too late or was already given. */
  answered(placement: Placement, answer: 'accepted' | 'refused'): boolean {
    return this.#settle(placementKey(placement), answer);
  }

  async ask<OneQuestion extends Question>(question: OneQuestion): Promise<ResultOf<OneQuestion>> {
    const { ability } = QUESTION_RULES[question.type];
    if (this.#isClosed || !this.facts.abilities.includes(ability)) return null;
    const answer = this.#questions.ask(question, () => this.send(question));
    return answer as Promise<ResultOf<OneQuestion>>;
  }

  /** The answer to `ask`. */
  receiveAnswer(answer: Answer): void {
    this.#questions.answered(answer);
  }

  send(message: GatewayMessage): void {
    if (this.#isClosed) return;
    this.#cork();
    this.#socket.send(writeMessage(message));
    if (this.#socket.bufferedAmount > MAX_UNREAD) this.#socket.terminate();
  }

  /** Sends the reason and closes. Pending assignments answer `gone`. */
  close(name: CloseName): void {
    this.markClosed();
    closeSocket(this.#socket, name, this.#clock);
  }

  /** The socket is closed or closing. */
  markClosed(): void {
    this.#isClosed = true;
    for (const name of this.#pending.keys()) this.#settle(name, 'gone');
    this.#questions.close();
  }

  /** Collects messages of one moment into one write: a system call costs more than a message. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#stream.cork();
    setTimeout(() => {
      this.#isCorked = false;
      this.#stream.uncork();
    }, CORK_MS);
  }

  #afterAnswerTime(run: () => void): () => void {
    const stepMs = this.#answerMs / ANSWER_STEPS;
    let stepsLeft = ANSWER_STEPS;
    const step = () => {
      stepsLeft -= 1;
      if (stepsLeft === 0) run();
      else cancel = this.#clock.after(stepMs, step);
    };
    let cancel = this.#clock.after(stepMs, step);
    return () => cancel();
  }

  #settle(name: string, answer: AssignAnswer): boolean {
    const settle = this.#pending.get(name);
    this.#pending.delete(name);
    settle?.(answer);
    return settle !== undefined;
  }
}

/** Sends the reason; terminates the connection when the worker does not close it in time. */
export function closeSocket(socket: WebSocket, name: CloseName, clock: Clock): void {
  const cancel = clock.after(1_000, () => socket.terminate());
  socket.once('close', cancel);
  socket.close(CLOSE[name].code, name);
}
