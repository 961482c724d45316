import { describe, expect, test } from 'vitest';
import {
  advanceOutside,
  type OutsideEvent,
  type SeenSession,
} from '../../src/overflow/advance-outside.ts';
import type { OutsideSession, OutsideState } from '../../src/records/overflow/outside-session.ts';

const MINUTE = 60_000;
const LIMIT = 10 * MINUTE;
const AT = 1_000_000;

const inState = (state: OutsideState, fields: Partial<OutsideSession> = {}): OutsideSession => ({
  sessionId: 'ours',
  epoch: 1,
  pool: 'default',
  state,
  priceMicros: 100_000,
  limitMs: LIMIT,
  costMicros: 1_000_000,
  reservedAt: AT,
  heardAt: AT,
  lengthMs: 0,
  endReason: null,
  dueAt: 0,
  failures: 0,
  version: 0,
  ...fields,
});
const waiting = inState({ type: 'waiting', outsideId: 'theirs' });
const showing = inState({ type: 'showing', outsideId: 'theirs' });
const ending = inState({ type: 'ending', outsideId: 'theirs' });
const unknown = inState({ type: 'ending', outsideId: null });
const creating = inState({ type: 'creating' });

const to_start: SeenSession = {
  id: 'theirs',
  status: 'to_start',
  startedAt: null,
  endedAt: null,
  endReason: null,
};
const ongoing: SeenSession = { ...to_start, status: 'ongoing', startedAt: 5_000 };
const completed = (endReason: string | null, minutes = 3): SeenSession => ({
  ...ongoing,
  status: 'completed',
  endedAt: 5_000 + minutes * MINUTE,
  endReason,
});

const seenEvent = (session: SeenSession, at = AT): OutsideEvent => ({ type: 'seen', at, session });
const absentAt = (delayMs: number): OutsideEvent => ({ type: 'absent', at: AT + delayMs });
const silentAt = (delayMs: number): OutsideEvent => ({ type: 'silent', at: AT + delayMs });
const closed = { type: 'closed', outsideId: 'theirs' };

describe('a session at an outside service', () => {
  test('is created, begins once, and costs its length when it ends', () => {
    const requested = advanceOutside(inState({ type: 'reserved' }), { type: 'asked', at: AT + 1 });
    const opened = advanceOutside(requested.session, seenEvent(to_start));
    const begun = advanceOutside(opened.session, seenEvent(ongoing));
    const goesOn = advanceOutside(begun.session, seenEvent(ongoing, AT + MINUTE));
    const ended = advanceOutside(
      goesOn.session,
      seenEvent(completed('agent_left'), AT + 3 * MINUTE),
    );

    expect(requested.session).toMatchObject({ state: { type: 'creating' }, heardAt: AT + 1 });
    expect(opened).toMatchObject({ session: { state: waiting.state }, report: null });
    expect(begun).toMatchObject({
      session: { state: showing.state },
      report: { type: 'started' },
    });
    expect(goesOn).toMatchObject({ session: { lengthMs: MINUTE }, report: null });
    expect(ended).toMatchObject({
      session: { state: closed, lengthMs: 3 * MINUTE, costMicros: 300_000 },
      report: { type: 'ended', reason: 'agent_left' },
    });
  });

  test.each(['time_limit', 'worker_lost', 'service_stopped', 'never_started', 'ended_by_client'])(
    'goes on elsewhere when it ended there by %s',
    (reason) => {
      expect(advanceOutside(showing, seenEvent(completed(reason)))).toMatchObject({
        session: { state: closed, endReason: reason },
        report: { type: 'lost', isSilent: false },
      });
    },
  );

  test('ends here, too, for a reason that is not known here', () => {
    expect(advanceOutside(showing, seenEvent(completed(null))).report).toEqual({
      type: 'ended',
      reason: 'removed',
    });
  });

  test('is not reported once the session here needs it no longer', () => {
    const released = advanceOutside(showing, { type: 'released' });

    expect(released).toMatchObject({ session: { state: ending.state }, report: null });
    expect(advanceOutside(ending, seenEvent(ongoing))).toMatchObject({
      session: { state: ending.state },
      report: null,
    });
    expect(advanceOutside(ending, seenEvent(completed('ended_by_client', 2)))).toMatchObject({
      session: { state: closed, costMicros: 200_000 },
      report: null,
    });
  });

  test('costs nothing when it was refused, freed before it was asked for, or never began', () => {
    const never = { ...completed('never_started'), startedAt: 5_000, endedAt: 5_000 };
    for (const { session } of [
      advanceOutside(creating, { type: 'refused' }),
      advanceOutside(inState({ type: 'reserved' }), { type: 'released' }),
      advanceOutside(waiting, seenEvent(never)),
    ]) {
      expect(session).toMatchObject({ state: { type: 'closed' }, costMicros: 0, lengthMs: 0 });
    }
  });

  test('is looked for until an unanswered request cannot arrive any more', () => {
    expect(advanceOutside(creating, absentAt(14_999)).session.state).toEqual(creating.state);
    expect(advanceOutside(creating, absentAt(15_000))).toMatchObject({
      session: { state: { type: 'closed' }, costMicros: 0 },
      report: { type: 'lost', isSilent: false },
    });
    expect(advanceOutside(unknown, absentAt(15_000))).toMatchObject({
      session: { state: { type: 'closed' }, costMicros: 0 },
      report: null,
    });
    expect(advanceOutside(unknown, seenEvent(ongoing)).session.state).toEqual(ending.state);
  });

  test('that is gone there without a word costs the time until then', () => {
    expect(advanceOutside(showing, { type: 'absent', at: AT + MINUTE })).toMatchObject({
      session: { state: closed, costMicros: 100_000 },
      report: { type: 'lost' },
    });
  });

  test('is lost when the provider is silent for a minute, and is then to be ended there', () => {
    expect(advanceOutside(showing, silentAt(59_999))).toMatchObject({
      session: { state: showing.state, failures: 1 },
      report: null,
    });
    expect(advanceOutside(showing, silentAt(60_000))).toMatchObject({
      session: { state: ending.state },
      report: { type: 'lost', isSilent: true },
    });
    expect(advanceOutside(creating, silentAt(60_000)).session.state).toEqual(unknown.state);
  });

  test('is given up when it must have ended by itself, at its full cost', () => {
    const deadline = AT + LIMIT + 180_000;

    expect(advanceOutside(ending, { type: 'silent', at: deadline - 1 }).session.state).toEqual(
      ending.state,
    );
    expect(advanceOutside(ending, { type: 'silent', at: deadline })).toMatchObject({
      session: { state: closed, lengthMs: LIMIT, costMicros: 1_000_000 },
      report: null,
    });
  });

  test('never costs more than its limit, whatever the provider says', () => {
    const { session } = advanceOutside(showing, seenEvent(completed('agent_left', 500)));

    expect(session).toMatchObject({ lengthMs: LIMIT, costMicros: 1_000_000 });
  });

  test('is ended from here when the provider lets it go on for too long', () => {
    const late = (ms: number) =>
      advanceOutside({ ...showing, lengthMs: LIMIT }, seenEvent(ongoing, AT + ms));

    expect(late(MINUTE).session.state).toEqual(showing.state);
    expect(late(MINUTE + 1)).toMatchObject({
      session: { state: ending.state },
      report: { type: 'lost', isSilent: false },
    });
  });

  test('does not change once it is closed', () => {
    const closedSession = inState({ type: 'closed', outsideId: 'theirs' }, { costMicros: 7 });
    const events: OutsideEvent[] = [
      seenEvent(ongoing),
      { type: 'refused' },
      { type: 'released' },
      { type: 'absent', at: AT },
      { type: 'silent', at: AT * 9 },
    ];
    for (const event of events)
      expect(advanceOutside(closedSession, event)).toEqual({
        session: closedSession,
        report: null,
      });
  });
});
