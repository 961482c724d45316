/*
 * Requests between a process and its child, in both directions. An answer that is an error keeps
 * the name and the sentence of a fault; of other errors the message alone.
 */
import { Fault, type FaultName } from '../errors.ts';

/** A child process, or this process as seen by its parent. */
type Channel = {
  send?: ((message: Message, sent: (error: Error | null) => void) => boolean) | undefined;
  on(event: 'message', receive: (message: unknown) => void): unknown;
};

/** Requests that one side answers. The signal aborts when the answer is no longer wanted. */
export type Verbs = Record<string, (request: never, signal: AbortSignal) => Promise<unknown>>;

type Message =
  | { type: 'request'; id: number; verb: string; request: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'failure'; id: number; failure: Failure };

type Failure = { message: string; fault?: FaultName; retryAfterSeconds?: number | undefined };

export class ProcessCalls<Other extends Verbs> {
  readonly #channel: Channel;
  readonly #verbs: Verbs;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #answering = new Set<Promise<void>>();
  /** Requests that are being answered, by id. */
  readonly #cancellations = new Map<number, AbortController>();
  #lastId = 0;
  #end: Error | null = null;

  constructor(channel: Channel, verbs: Verbs) {
    this.#channel = channel;
    this.#verbs = verbs;
    channel.on('message', (message) => this.#receive(message as Message));
  }

  async call<Verb extends keyof Other & string>(
    verb: Verb,
    request: Parameters<Other[Verb]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Other[Verb]>>> {
    if (this.#end) throw this.#end;
    signal?.throwIfAborted();
    const id = (this.#lastId += 1);
    const waiting = Promise.withResolvers<unknown>();
    const cancel = () => {
      this.#waiting.delete(id);
      this.#send({ type: 'cancel', id });
      waiting.reject(signal?.reason);
    };
    this.#waiting.set(id, waiting);
    this.#send({ type: 'request', id, verb, request });
    signal?.addEventListener('abort', cancel);
    try {
      return (await waiting.promise) as Awaited<ReturnType<Other[Verb]>>;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Fails all requests from now on. Resolves when this side has answered its last one. */
  async end(reason: Error): Promise<void> {
    this.#end = reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    for (const cancellation of this.#cancellations.values()) cancellation.abort(reason);
    await Promise.all(this.#answering);
  }

  #receive(message: Message): void {
    if (message.type === 'request') {
      const answering = this.#answer(message).finally(() => this.#answering.delete(answering));
      this.#answering.add(answering);
      return;
    }
    if (message.type === 'cancel') {
      this.#cancellations.get(message.id)?.abort(new Error('the request was cancelled'));
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'answer') waiting?.resolve(message.answer);
    else waiting?.reject(toError(message.failure));
  }

  async #answer({ id, verb, request }: Message & { type: 'request' }): Promise<void> {
    const cancellation = new AbortController();
    this.#cancellations.set(id, cancellation);
    try {
      const answer = await this.#verbs[verb]!(request as never, cancellation.signal);
      this.#send({ type: 'answer', id, answer });
    } catch (error) {
      this.#send({ type: 'failure', id, failure: toFailure(error) });
    } finally {
      this.#cancellations.delete(id);
    }
  }

  #send(message: Message): void {
    // A message to a process that has just ended is lost; `end` follows.
    if (!this.#end) this.#channel.send?.(message, () => {});
  }
}

function toFailure(error: unknown): Failure {
  const { message } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof Fault)) return { message };
  return { message, fault: error.fault, retryAfterSeconds: error.retryAfterSeconds };
}

function toError({ message, fault, retryAfterSeconds }: Failure): Error {
  if (!fault) return new Error(message);
  return new Fault(fault, {
    detail: message,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
