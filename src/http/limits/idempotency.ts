/*
 * A POST with an Idempotency-Key runs once. For a day a repeat gets the stored status and body; a
 * repeat during the first request waits for it. Only successes are stored, so a failed request may
 * be retried under its key. Later requests purge expired replies.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { Fault, problem } from '../../errors.ts';
import type { Reply, ReplyRecords } from '../../records/replies.ts';

const MAX_KEY_LENGTH = 255;
const KEPT_MS = 24 * 3_600_000;
const PURGE_EVERY_MS = 3_600_000;

export type Answered<Body, Status extends number = 201> = { status: Status; body: Body };

type IdempotencyParts = { replies: ReplyRecords; clock: Clock; log: Pick<Log, 'error'> };

/** Close before the records. */
export class Idempotency {
  readonly #parts: IdempotencyParts;
  readonly #running = new Map<
    string,
    { requestHash: string; answer: Promise<Answered<unknown, number>> }
  >();
  #purgedAt = -Infinity;
  #purging: Promise<void> = Promise.resolve();

  constructor(parts: IdempotencyParts) {
    this.#parts = parts;
  }

  /**
   * `request` identifies the request: method, path and body. A different one under the same key is
   * a 409.
   */
  async once<Body, Status extends number = 201>(
    accountId: string,
    key: string | undefined,
    request: unknown,
    run: () => Promise<Answered<Body, Status>>,
  ): Promise<Answered<Body, Status>> {
    if (key === undefined) return run();
    checkKey(key);
    const requestHash = hashOf(request);
    const place = `${accountId}/${key}`;

    const running = this.#running.get(place);
    if (running) {
      checkSame(running.requestHash, requestHash);
      return (await running.answer) as Answered<Body, Status>;
    }
    const answer = this.#answer(accountId, key, requestHash, run);
    this.#running.set(place, { requestHash, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(place);
      this.#purge();
    }
  }

  async close(): Promise<void> {
    await this.#purging;
  }

  async #answer<Body, Status extends number>(
    accountId: string,
    key: string,
    requestHash: string,
    run: () => Promise<Answered<Body, Status>>,
  ): Promise<Answered<Body, Status>> {
    const { replies, clock } = this.#parts;
    const since = clock.now() - KEPT_MS;
    const storedReply = await replies.find(accountId, key, since);
    if (storedReply) {
      checkSame(storedReply.requestHash, requestHash);
      return { status: storedReply.status as Status, body: JSON.parse(storedReply.body) as Body };
    }
    await replies.release(accountId, key, since);
    const answered = await run();
    const { status } = answered;
    const reply: Reply = { requestHash, status, body: JSON.stringify(answered.body) };
    await replies.keep(accountId, key, reply, clock.now());
    return answered;
  }

  #purge(): void {
    const { replies, clock, log } = this.#parts;
    const now = clock.now();
    if (now - this.#purgedAt < PURGE_EVERY_MS) return;
    this.#purgedAt = now;
    this.#purging = replies
      .purge(now - KEPT_MS)
      .catch((error: unknown) => log.error({ err: error }, 'purging old replies failed'));
  }
}

function checkKey(key: string): void {
  if (key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return;
  const text = `Input should be 1 to ${MAX_KEY_LENGTH} visible ASCII characters`;
  throw problem('idempotency_key', ['header', 'idempotency-key'], text, key);
}

function checkSame(storedHash: string, requestHash: string): void {
  if (storedHash === requestHash) return;
  const detail = 'This Idempotency-Key was already used for another request.';
  throw new Fault('conflict', { detail });
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
