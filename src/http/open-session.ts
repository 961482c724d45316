import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import type { Account } from '../accounts/account.ts';
import type { Usage } from '../accounts/usage.ts';
import type { SessionRecord } from '../records/sessions/sessions.ts';
import type { GuestRoom, OpenSession, Sessions } from '../sessions/sessions.ts';
import { answerInTime } from './limits/deadline.ts';
import type { Answered, Idempotency } from './limits/idempotency.ts';

export type OpeningParts = {
  sessions: Pick<Sessions, 'open' | 'end'>;
  usage: Pick<Usage, 'admission'>;
  idempotency: Idempotency;
  clock: Clock;
};

export type Opening = {
  account: Account;
  log: FastifyBaseLogger;
  wanted: OpenSession;
  idempotencyKey: string | undefined;
  /** All that makes two requests the same. */
  same: unknown;
};

/** Opens a session, or finds the one that an earlier try has opened; `toBody` writes it in the form of the path. */
export async function openInTime<Body>(
  { sessions, usage, idempotency, clock }: OpeningParts,
  { account, log, wanted, idempotencyKey, same }: Opening,
  toBody: (record: SessionRecord, room: GuestRoom | undefined) => Body | Promise<Body>,
): Promise<Answered<Body>> {
  const open = async (isStillWanted: () => boolean) => {
    const { session, room, repeated } = await sessions.open(account, {
      ...wanted,
      ...usage.admission(account),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    log.info({ sessionId: session.id, repeated }, 'session opened');
    // Nobody was told of a room of ours, so nobody will come to it. A caller's own room is found by its next try.
    if (room && !isStillWanted()) await sessions.end(account.id, session.id);
    return { status: 201 as const, body: await toBody(session, room) };
  };
  return answerInTime(clock, log, (isInTime) =>
    idempotencyKey === undefined
      ? open(isInTime)
      : // What comes too late is kept as the answer of the next try.
        idempotency.once(account.id, idempotencyKey, same, () => open(() => true)),
  );
}
