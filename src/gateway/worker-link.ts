import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { CLOSE, type CloseName } from '#protocol/close-codes.ts';
import { writeMessage } from '#protocol/codec.ts';
import type { GatewayMessage } from '#protocol/gateway-messages.ts';
import type { BuildPlacement } from '#protocol/worker-messages.ts';
import type { Builder, BuildOrder } from '../avatars/builders.ts';
import type { ConnectedWorker, Job, Placement, WorkerFacts } from '../fleet/fleet.ts';

type Answer = 'accepted' | 'refused' | 'silent' | 'gone';

/** A worker that leaves more than this unread is not alive, whatever its heartbeat says. In bytes. */
const MOST_UNREAD = 1024 * 1024;

const GATHER_MS = 1;

export type WorkerLinkOptions = {
  socket: WebSocket;
  /** What the socket writes to. */
  stream: Duplex;
  facts: WorkerFacts;
  clock: Clock;
  /** How long the worker may take to answer an assignment. */
  answerMs: number;
};

/** One registered connection of one worker. The gateway owns the socket and says when it `broke`. */
export class WorkerLink implements ConnectedWorker, Builder {
  readonly facts: WorkerFacts;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #clock: Clock;
  readonly #answerMs: number;
  readonly #questions = new Map<string, (answer: Answer) => void>();
  #isBroken = false;
  #isGathering = false;

  constructor({ socket, stream, facts, clock, answerMs }: WorkerLinkOptions) {
    this.facts = facts;
    this.#socket = socket;
    this.#stream = stream;
    this.#clock = clock;
    this.#answerMs = answerMs;
  }

  get workerId(): string {
    return this.facts.workerId;
  }

  assign(placement: Placement, job: Job): Promise<Answer> {
    if (this.#isBroken) return Promise.resolve('gone');
    return new Promise((resolve) => {
      const name = nameOf(placement);
      const cancel = this.#clock.after(this.#answerMs, () => {
        // It may have taken it all the same, or take it yet.
        this.drop(placement);
        this.#settle(name, 'silent');
      });
      this.#questions.set(name, (answer) => {
        cancel();
        resolve(answer);
      });
      this.send({ type: 'assign', placement, ...job });
    });
  }

  /** The worker's answer to `assign`; false when nobody waits for it any more. */
  answered(placement: Placement, answer: 'accepted' | 'refused'): boolean {
    return this.#settle(nameOf(placement), answer);
  }

  end(placement: Placement, reason: EndReason): void {
    this.send({ type: 'end', placement, reason });
  }

  release(placement: Placement, withinMs: number): void {
    this.send({ type: 'release', placement, withinMs });
  }

  drop(placement: Placement): void {
    this.send({ type: 'drop', placement });
  }

  build({ avatarId, epoch, name, pictureHash, background, backgroundHash }: BuildOrder): void {
    this.send({
      type: 'build',
      placement: { avatarId, epoch },
      name,
      picture: pictureHash,
      background,
      ...(backgroundHash !== null && { backgroundPicture: backgroundHash }),
    });
  }

  dropBuild(placement: BuildPlacement): void {
    this.send({ type: 'drop_build', placement });
  }

  drain(): void {
    this.send({ type: 'drain' });
  }

  send(message: GatewayMessage): void {
    if (this.#isBroken) return;
    this.#gather();
    this.#socket.send(writeMessage(message));
    if (this.#socket.bufferedAmount > MOST_UNREAD) this.#socket.terminate();
  }

  /** Says why and closes: from now on nothing more is sent or answered. */
  close(name: CloseName): void {
    this.broke();
    closeSocket(this.#socket, name, this.#clock);
  }

  /** The socket is gone, or as good as. */
  broke(): void {
    this.#isBroken = true;
    for (const name of this.#questions.keys()) this.#settle(name, 'gone');
  }

  /** What is said within a moment leaves in one piece: each write of its own would cost more than what it says. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#stream.cork();
    setTimeout(() => {
      this.#isGathering = false;
      this.#stream.uncork();
    }, GATHER_MS);
  }

  #settle(name: string, answer: Answer): boolean {
    const settle = this.#questions.get(name);
    this.#questions.delete(name);
    settle?.(answer);
    return settle !== undefined;
  }
}

/** Says why, and cuts the connection when the worker does not say goodbye in time. */
export function closeSocket(socket: WebSocket, name: CloseName, clock: Clock): void {
  const cancel = clock.after(1_000, () => socket.terminate());
  socket.once('close', cancel);
  socket.close(CLOSE[name].code, name);
}

const nameOf = ({ sessionId, epoch }: Placement): string => `${sessionId} ${epoch}`;
