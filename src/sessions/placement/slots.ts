/* Reserves all slots of a new session, or none: for the avatar and, of a call, the conversation. */
import type { Clock } from '#shared/clock.ts';
import type { Canary } from '../canary/canary.ts';
import { Fault, FAULTS } from '../../errors.ts';
import type { Lease, Refusal, Requirements, SessionFleet, WorkerKind } from '../../fleet/fleet.ts';

type SessionSlotsParts = {
  fleet: Pick<SessionFleet, 'reserve' | 'refusal' | 'free'>;
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
};

export type Slots = { face: Lease; conversation: Lease | null };

const RETRY_AFTER_SECONDS = 2;

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

  /** Throws `at_capacity` when a slot does not come free in time. */
  async reserve(request: SlotRequest): Promise<Slots> {
    const { fleet, clock, reserveMs } = this.#parts;
    const { account, requirements, sessionId, conversationId } = request;
    const options = { account, giveUpAt: clock.elapsed() + reserveMs };
    // The conversation first: its slot costs less to hold while the face is waited for.
    const conversation =
      conversationId === null
        ? null
        : await this.#reserve(conversationId, { ...requirements, kind: 'agent' }, options);
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
    const reason = await fleet.refusal(requirements);
    throw new Fault('at_capacity', {
      detail: detailOf(reason, requirements),
      about: { reason },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

function detailOf(reason: Refusal, { kind, transport, hasSpeechSource }: Requirements): string {
  const isBotroom = transport === 'botroom' || hasSpeechSource;
  if (reason === 'no_worker_for_avatar' && isBotroom)
    return 'No avatar worker that is connected can show this avatar with the transport botroom.';
  return REFUSED[kind][reason] ?? FAULTS.at_capacity.detail;
}
