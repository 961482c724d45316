/*
 * The public interface of an outside service, as far as overflow uses it. No answer holds its key
 * or a room token.
 */
import { inTime, type Clock } from '#shared/clock.ts';
import { AddressRefused } from '#shared/network/address-policy.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { OutgoingAnswer, RequestOutgoing } from '../egress/outgoing-request.ts';
import { explain } from '../egress/post.ts';
import type { OverflowTarget } from '../records/overflow/overflows.ts';
import type { SeenSession } from './advance-outside.ts';

type Target = Pick<OverflowTarget, 'url' | 'apiKey'>;

export type NewOutsideSession = {
  /** Equal for repeated requests. Found again in the metadata. */
  name: string;
  avatarId: string;
  room: { url: string; token: string };
  maxMinutes: number;
};

export type OutsideAnswer =
  | { type: 'seen'; session: SeenSession }
  /** `problem`: for the operator. `isUnknown`: the service has no such avatar. */
  | { type: 'refused'; problem: string; isUnknown: boolean }
  | { type: 'absent' }
  | { type: 'silent'; problem: string };

type OutsideServiceParts = {
  request: RequestOutgoing;
  /** Public address of one of our rooms. */
  publicUrl: (roomUrl: string) => string;
  clock: Clock;
};

/** Longer than a service may wait for a slot. */
export const ANSWER_WITHIN_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 ** 2;
const MAX_SHOWN = 200;
/** Clocks may differ this much when a session is looked for. */
const OLDER_MS = 10 * 60_000;
const PAGE = 50;
const MAX_PAGES = 20;
const NAME = 'troupe_overflow';

export class OutsideService {
  readonly #parts: OutsideServiceParts;
  readonly #closed = new AbortController();

  constructor(parts: OutsideServiceParts) {
    this.#parts = parts;
  }

  async create(target: Target, session: NewOutsideSession): Promise<OutsideAnswer> {
    const { name, avatarId, room, maxMinutes } = session;
    const answer = await this.#send(target, 'POST', '/v1/sessions', name, {
      avatar_id: avatarId,
      url: this.#parts.publicUrl(room.url),
      token: room.token,
      max_session_length_minutes: maxMinutes,
      metadata: { [NAME]: name },
    });
    if (answer.type !== 'answer') return answer;
    const { status, body } = answer;
    if (status >= 200 && status < 300) return seenIn(body);
    const problem = problemOf(status, body)
      .replaceAll(room.token, '***')
      .replaceAll(target.apiKey, '***');
    // Any other failure may come from a request that goes on there. `reason`: no slot was free.
    const isRefused = (status >= 400 && status < 500) || typeof body['reason'] === 'string';
    return isRefused
      ? { type: 'refused', problem, isUnknown: status === 404 }
      : { type: 'silent', problem };
  }

  retrieve(target: Target, id: string): Promise<OutsideAnswer> {
    return this.#one(target, 'GET', `/v1/sessions/${encodeURIComponent(id)}`);
  }

  end(target: Target, id: string): Promise<OutsideAnswer> {
    return this.#one(target, 'POST', `/v1/sessions/${encodeURIComponent(id)}/end`);
  }

  /**
   * Looks for a session whose creation was not answered. `askedAt`: milliseconds since the epoch.
   */
  async find(target: Target, name: string, askedAt: number): Promise<OutsideAnswer> {
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await this.#send(target, 'GET', `/v1/sessions?limit=${PAGE}${query}`);
      if (answer.type !== 'answer') return answer;
      const { data, next_cursor: nextCursor } = answer.body;
      if (answer.status !== 200 || !Array.isArray(data)) return unusable(answer);
      for (const each of data as Record<string, unknown>[]) {
        if (metadataOf(each)[NAME] === name) return seenIn(each);
        const createdAt = timeOf(each['created_at']);
        if (createdAt !== null && createdAt < askedAt - OLDER_MS) return { type: 'absent' };
      }
      if (typeof nextCursor !== 'string') return { type: 'absent' };
      cursor = nextCursor;
    }
    // It may be among the older ones.
    return { type: 'silent', problem: 'It lists too many sessions to find one among them.' };
  }

  /** Ends running requests, with unknown outcomes. */
  close(): void {
    this.#closed.abort();
  }

  async #one(target: Target, method: 'GET' | 'POST', path: string): Promise<OutsideAnswer> {
    const answer = await this.#send(target, method, path);
    if (answer.type !== 'answer') return answer;
    if (answer.status === 404) return { type: 'absent' };
    return answer.status === 200 ? seenIn(answer.body) : unusable(answer);
  }

  async #send(
    { url, apiKey }: Target,
    method: 'GET' | 'POST',
    path: string,
    idempotencyKey?: string,
    body?: object,
  ): Promise<Answer | Silence> {
    const { request, clock } = this.#parts;
    const tooLate = new AbortController();
    const sending = request({
      url: `${url.replace(/\/+$/, '')}${path}`,
      method,
      headers: {
        accept: 'application/json',
        'x-api-key': apiKey,
        'user-agent': `Troupe/${SOFTWARE_VERSION}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: body ? JSON.stringify(body) : '',
      signal: AbortSignal.any([tooLate.signal, this.#closed.signal]),
      maxBytes: MAX_ANSWER_BYTES,
    });
    try {
      const answer = await inTime(clock, ANSWER_WITHIN_MS, sending, () => new TooLate());
      return { type: 'answer', status: answer.status, body: objectIn(answer) };
    } catch (error) {
      tooLate.abort();
      return { type: 'silent', problem: whySilent(error) };
    }
  }
}

type Answer = { type: 'answer'; status: number; body: Record<string, unknown> };
type Silence = Extract<OutsideAnswer, { type: 'silent' }>;

class TooLate extends Error {
  override readonly name = 'TooLate';
}

function whySilent(error: unknown): string {
  if (error instanceof TooLate) return `It did not answer within ${ANSWER_WITHIN_MS / 1_000} s.`;
  return error instanceof AddressRefused ? error.message : explain(error);
}

const unusable = ({ status }: Answer): Silence => ({
  type: 'silent',
  problem:
    status === 401 || status === 403
      ? `It refuses the key (${status}).`
      : `It answers with status ${status}.`,
});

function problemOf(status: number, { detail }: Record<string, unknown>): string {
  if (status === 401 || status === 403) return `It refuses the key (${status}).`;
  const quotation = typeof detail === 'string' ? ` It says: ${detail.slice(0, MAX_SHOWN)}` : '';
  return `It refuses the session (${status}).${quotation.toWellFormed()}`;
}

/** Empty if the body is not a JSON object. */
function objectIn({ body }: OutgoingAnswer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const STATUSES = ['to_start', 'ongoing', 'completed'] as const;

function seenIn(body: Record<string, unknown>): OutsideAnswer {
  const { id, end_reason: endReason } = body;
  const status = (body['status'] ?? {}) as Record<string, unknown>;
  const type = STATUSES.find((each) => each === status['type']);
  if (typeof id !== 'string' || type === undefined)
    return { type: 'silent', problem: 'Its answer is not a session.' };
  return {
    type: 'seen',
    session: {
      id,
      status: type,
      startedAt: timeOf(status['started_at']),
      endedAt: timeOf(status['ended_at']),
      endReason: typeof endReason === 'string' ? endReason.slice(0, 100) : null,
    },
  };
}

const metadataOf = (session: Record<string, unknown>): Record<string, unknown> =>
  (session?.['metadata'] ?? {}) as Record<string, unknown>;

function timeOf(text: unknown): number | null {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
