/*
 * A POST that carries an Idempotency-Key is answered once: a repeat gets the first one's status and body, and one that comes while the
 * first still runs waits for it. Only successes are kept, so a request that failed may be tried again under its key; they are kept as long
 * as the sessions, whose keys are unique for good.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { problem } from '../errors.ts';
import type { Reply, ReplyRecords } from '../records/replies.ts';

const MAX_KEY_LENGTH = 255;

export type Answered<Body> = { status: 201; body: Body };

export class Idempotency {
  readonly #replies: ReplyRecords;
  readonly #clock: Clock;
  readonly #running = new Map<
    string,
    { requestHash: string; answer: Promise<Answered<unknown>> }
  >();

  constructor(replies: ReplyRecords, clock: Clock) {
    this.#replies = replies;
    this.#clock = clock;
  }

  /** `request` is all that makes two requests the same: method, path and body. */
  async once<Body>(
    accountId: string,
    key: string,
    request: unknown,
    run: () => Promise<Answered<Body>>,
  ): Promise<Answered<Body>> {
    checkKey(key);
    const requestHash = hashOf(request);
    const place = `${accountId}/${key}`;

    const running = this.#running.get(place);
    if (running) {
      checkSame(running.requestHash, requestHash, key);
      return (await running.answer) as Answered<Body>;
    }
    const answer = this.#answer(accountId, key, requestHash, run);
    this.#running.set(place, { requestHash, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(place);
    }
  }

  async #answer<Body>(
    accountId: string,
    key: string,
    requestHash: string,
    run: () => Promise<Answered<Body>>,
  ): Promise<Answered<Body>> {
    const known = await this.#replies.find(accountId, key);
    if (known) {
      checkSame(known.requestHash, requestHash, key);
      return { status: 201, body: JSON.parse(known.body) as Body };
    }
    const answered = await run();
    const reply: Reply = {
      requestHash,
      status: answered.status,
      body: JSON.stringify(answered.body),
    };
    await this.#replies.keep(accountId, key, reply, this.#clock.now());
    return answered;
  }
}

function checkKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !/^[\x21-\x7e]+$/.test(key)) {
    throw refusal(key, `Input should be 1 to ${MAX_KEY_LENGTH} visible ASCII characters`);
  }
}

function checkSame(first: string, now: string, key: string): void {
  if (first !== now) throw refusal(key, 'This key was used for another request already');
}

const refusal = (key: string, text: string) =>
  problem('idempotency_key', ['header', 'idempotency-key'], text, key);

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
