import type { FastifyBaseLogger } from 'fastify';
import type { Account } from '../../accounts/account.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { GuestRoom, NewSession } from '../../sessions/creation/new-session.ts';
import { answerInTime } from '../limits/deadline.ts';
import type { Answered } from '../limits/idempotency.ts';
import type { Services } from '../services.ts';

type Opening = {
  account: Account;
  log: FastifyBaseLogger;
  wanted: NewSession;
  idempotencyKey: string | undefined;
  /** Equal values mean equal requests. */
  same: unknown;
  /** Whether the client did not wait. */
  isGone?: () => boolean;
};

/** Opens a session, or finds the one of an earlier attempt. `toBody` shapes the answer. */
export async function openInTime<Body>(
  { sessionCreation, sessionEnding, usage, idempotency, clock }: Services,
  { account, log, wanted, idempotencyKey, same, isGone = () => false }: Opening,
  toBody: (record: SessionRecord, room: GuestRoom | undefined) => Body | Promise<Body>,
): Promise<Answered<Body>> {
  const open = async (isStillWanted: () => boolean) => {
    const { session, room, repeated } = await sessionCreation.open(account, {
      ...wanted,
      ...usage.admission(account),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    log.info({ sessionId: session.id, repeated }, 'session opened');
    // The client has left, or got a 503. No one will join a room made for it, or speak in one; a
    // caller's own room is found again by its next attempt.
    const hasNewRoom = room || wanted.botroom || wanted.speech === 'new_botroom';
    if (hasNewRoom && !repeated && !isStillWanted())
      await sessionEnding.end(account.id, session.id);
    return { status: 201 as const, body: await toBody(session, room) };
  };
  return answerInTime(clock, log, (isInTime) =>
    idempotencyKey === undefined
      ? open(() => isInTime() && !isGone())
      : // A late result answers the next attempt under the same key.
        idempotency.once(account.id, idempotencyKey, same, () => open(() => true)),
  );
}
