/* A user rates a call once it was live, and may change the rating until a day after its end. */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';
import { callRated } from '../events/events.ts';
import type { CallRating, CallRecord, CallRecords } from '../records/calls/calls.ts';
import type { Outbox } from '../records/webhooks/outbox.ts';

const CHANGEABLE_MS = 86_400_000;

type CallRatingsParts = {
  calls: Pick<CallRecords, 'rate'>;
  outbox: Pick<Outbox, 'add'>;
  clock: Clock;
};

export interface CallRatings {
  /** Replaces an earlier rating. Throws `conflict` for a call that cannot be rated. */
  rate(call: CallRecord, rating: CallRating): Promise<void>;
}

export const callRatings = ({ calls, outbox, clock }: CallRatingsParts): CallRatings => ({
  async rate(call, { rating, ratingComment }) {
    const now = clock.now();
    // A call that never started has zero length.
    if (call.startedAt === null || call.startedAt === call.endedAt)
      throw new Fault('conflict', { detail: 'The call was never live.' });
    if (call.endedAt !== null && now >= call.endedAt + CHANGEABLE_MS)
      throw new Fault('conflict', { detail: 'The call ended more than a day ago.' });
    if (call.rating === rating && call.ratingComment === ratingComment) return;
    await calls.rate(call.id, { rating, ratingComment }, (trx, rated) =>
      outbox.add(trx, callRated(rated, now)),
    );
  },
});
