/* Reserves all slots of a new session, or none: for the avatar and, of a call, the conversation. */
import type { Clock } from '#shared/clock.ts';
import type { Canary } from '../canary/canary.ts';
import { Fault, FAULTS } from '../../errors.ts';
import type { Lease, Refusal, Requirements, SessionFleet, WorkerKind } from '../../fleet/fleet.ts';
import type { LineCaller, LineRequest } from '../../fleet/waiting-line.ts';

type SessionSlotsParts = {
  fleet: Pick<SessionFleet, 'reserve' | 'refusal' | 'free' | 'line'>;
  clock: Clock;
  /** Wait of a request for all its slots together. */
  reserveMs: number;
  /** Undefined: no pool is ever on trial. */
  canary?: Pick<Canary, 'poolFor' | 'placed'> | undefined;
};

type SlotRequest = {
  account: string;
  /** Requirements of the avatar session. */
  requirements: Requirements;
  sessionId: string;
  /** Session id of the conversation; null without one. */
  conversationId: string | null;
  /** The caller's place in line. Sessions without a call have none. */
  line?: Omit<LineCaller, 'account'> | undefined;
};

export type Slots = { face: Lease; conversation: Lease | null };

const RETRY_AFTER_SECONDS = 2;
/** Further back in a line, callers ask less often. */
const LATER_RETRY_SECONDS = 5;
const FRONT_OF_LINE = 10;

/** Refusals that end when other calls end. */
const CURED_BY_WAITING: readonly Refusal[] = ['full', 'draining', 'overflow_full'];

const REFUSED: Record<WorkerKind, Partial<Record<Refusal, string>>> = {
  avatar: {
    full: FAULTS.at_capacity.detail,
    draining: 'Every avatar worker that could perform is about to stop. Please try again shortly.',
    no_worker_for_avatar: 'No avatar worker that is connected can show this avatar.',
    overflow_full:
      'No avatar worker is free, and the outside service of the pool has as many sessions as it may. Please try again shortly.',
    overflow_ceiling:
      'No avatar worker is free, and the cost ceiling of the outside service is reached. Please try again later.',
  },
  agent: {
    full: 'Every agent worker is busy. Please try again shortly.',
    draining: 'Every agent worker is about to stop. Please try again shortly.',
    no_agent_worker: 'No agent worker is connected that could hold the conversation.',
  },
};

export class SessionSlots {
  readonly #parts: SessionSlotsParts;

  constructor(parts: SessionSlotsParts) {
    this.#parts = parts;
  }

  /**
   * Throws `at_capacity` when a slot does not come free in time, or when those that are free belong
   * to calls ahead in the line.
   */
  async reserve(request: SlotRequest): Promise<Slots> {
    if (!request.line) return this.#reserveAll(request);
    const { line } = this.#parts.fleet;
    const lineCall = lineRequest(request, request.line);
    if (!(await line.isNext(lineCall)))
      throw await this.#withPlace(refusalFor('full', request.requirements), lineCall);
    try {
      const slots = await this.#reserveAll(request);
      if (lineCall.ticket) await line.leave(lineCall.account, lineCall.ticket);
      return slots;
    } catch (error) {
      throw error instanceof Fault ? await this.#withPlace(error, lineCall) : error;
    }
  }

  /** Tells the refused caller its place, if waiting helps. */
  async #withPlace(refusal: Fault, lineCall: LineRequest): Promise<Fault> {
    const { reason } = refusal.about;
    if (!CURED_BY_WAITING.some((each) => each === reason)) return refusal;
    const place = await this.#parts.fleet.line.join(lineCall);
    if (!place) return refusal;
    const { ticket, position } = place;
    return new Fault(refusal.fault, {
      detail: refusal.message,
      about: { ...refusal.about, line_ticket: ticket, line_position: position },
      retryAfterSeconds: position > FRONT_OF_LINE ? LATER_RETRY_SECONDS : RETRY_AFTER_SECONDS,
    });
  }

  async #reserveAll(request: SlotRequest): Promise<Slots> {
    const { fleet, clock, reserveMs } = this.#parts;
    const { account, requirements, sessionId, conversationId } = request;
    const options = { account, giveUpAt: clock.elapsed() + reserveMs };
    // The conversation first: its slot costs less to hold while the face is waited for.
    const conversation =
      conversationId === null
        ? null
        : await this.#reserve(conversationId, conversationOf(requirements), options);
    try {
      return { face: await this.#reserve(sessionId, requirements, options), conversation };
    } catch (error) {
      if (conversation) await fleet.free(conversation);
      throw error;
    }
  }

  async free({ face, conversation }: Slots): Promise<void> {
    const { fleet } = this.#parts;
    await fleet.free(face);
    if (conversation) await fleet.free(conversation);
  }

  async #reserve(
    sessionId: string,
    requirements: Requirements,
    { account, giveUpAt }: { account: string; giveUpAt: number },
  ): Promise<Lease> {
    const { fleet, clock, canary } = this.#parts;
    const { pool } = requirements;
    const placement = { sessionId, epoch: 1 };
    const trialPool = canary?.poolFor(pool) ?? null;
    const trialLease =
      trialPool === null
        ? null
        : await fleet.reserve(
            placement,
            { ...requirements, pool: trialPool },
            { waitMs: 0, account },
          );
    const waitMs = giveUpAt - clock.elapsed();
    const lease = trialLease ?? (await fleet.reserve(placement, requirements, { waitMs, account }));
    if (lease) {
      canary?.placed(sessionId, pool, trialLease !== null);
      return lease;
    }
    throw refusalFor(await fleet.refusal(requirements), requirements);
  }
}

const conversationOf = (requirements: Requirements): Requirements => ({
  ...requirements,
  kind: 'agent',
});

const lineRequest = (
  { account, requirements, conversationId }: SlotRequest,
  caller: Omit<LineCaller, 'account'>,
): LineRequest => ({
  ...caller,
  account,
  needs: conversationId === null ? [requirements] : [requirements, conversationOf(requirements)],
});

const refusalFor = (reason: Refusal, requirements: Requirements): Fault =>
  new Fault('at_capacity', {
    detail: detailOf(reason, requirements),
    about: { reason },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

function detailOf(reason: Refusal, { kind, transport, hasSpeechSource }: Requirements): string {
  const isBotroom = transport === 'botroom' || hasSpeechSource;
  if (reason === 'no_worker_for_avatar' && isBotroom)
    return 'No avatar worker that is connected can show this avatar with the transport botroom.';
  return REFUSED[kind][reason] ?? FAULTS.at_capacity.detail;
}
