import { expect, test } from 'vitest';
import type { Fleet } from '../../src/fleet/fleet.ts';
import type { LineRequest } from '../../src/fleet/waiting-line.ts';
import {
  AWAY_AFTER_MS,
  FORGOTTEN_AFTER_MS,
  MAX_PLACES_PER_VISITOR,
} from '../../src/fleet/waiting-line.ts';
import { FakeConnection } from '../support/fleet/fake-connection.ts';
import { requirements, reserve } from '../support/fleet/fleet-requests.ts';
import type { TestClock } from '../support/test-clock.ts';

const newcomer: LineRequest = {
  account: 'account-1',
  ticket: null,
  visitor: null,
  needs: [requirements],
};

/** Takes a new place, and returns the request that keeps it. */
async function enter({ line }: Fleet, request: Partial<LineRequest> = {}): Promise<LineRequest> {
  const place = await line.join({ ...newcomer, ...request });
  if (!place) throw new Error('no place');
  return { ...newcomer, ...request, ticket: place.ticket };
}

const positionsOf = async ({ line }: Fleet, requests: LineRequest[]) => {
  const positions: (number | undefined)[] = [];
  for (const request of requests) positions.push((await line.join(request))?.position);
  return positions;
};

const areNext = async ({ line }: Fleet, requests: LineRequest[]) => {
  const answers: boolean[] = [];
  for (const request of requests) answers.push(await line.isNext(request));
  return answers;
};

/** Behaviour of the line of every fleet, with one or several control planes. */
export function waitingLineContract(open: () => Promise<{ fleet: Fleet; clock: TestClock }>) {
  test('keeps places in the order of arrival, whoever asks first', async () => {
    const { fleet } = await open();
    const callers = [await enter(fleet), await enter(fleet), await enter(fleet)];

    const positions = await positionsOf(fleet, callers.toReversed());

    expect(positions).toEqual([3, 2, 1]);
    expect(new Set(callers.map(({ ticket }) => ticket)).size).toBe(3);
    await fleet.close();
  });

  test('lets only the first one ask while no slot is free', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 1));
    await reserve(fleet, 'session-1');
    const [first, second] = [await enter(fleet), await enter(fleet)];

    expect(await areNext(fleet, [second, newcomer, first])).toEqual([false, false, true]);
    await fleet.close();
  });

  test('lets as many ask as slots are free, and nobody overtake them', async () => {
    const { fleet } = await open();
    const callers = [await enter(fleet), await enter(fleet), await enter(fleet)];
    await fleet.join(new FakeConnection('worker-a', 2));
    const stranger = { ...newcomer, ticket: undefined };

    expect(await areNext(fleet, [...callers, newcomer, stranger])).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    await fleet.close();
  });

  test('needs a free slot of each kind', async () => {
    const { fleet } = await open();
    const needs = [requirements, { ...requirements, kind: 'agent' as const }];
    const [, second] = [await enter(fleet, { needs }), await enter(fleet, { needs })];
    await fleet.join(new FakeConnection('worker-a', 5));
    await fleet.join(new FakeConnection('agent-a', 1, 'default', 'agent'));

    expect(await fleet.line.isNext(second)).toBe(false);
    await fleet.join(new FakeConnection('agent-b', 1, 'default', 'agent'));
    expect(await fleet.line.isNext(second)).toBe(true);
    await fleet.close();
  });

  test('does not hold back calls that those ahead leave slots for', async () => {
    const { fleet } = await open();
    await enter(fleet, { needs: [{ ...requirements, avatarId: 'theo' }] });
    const other = await enter(fleet);
    await fleet.join(new FakeConnection('worker-a', 1));

    expect(await fleet.line.isNext(other)).toBe(true);
    await fleet.close();
  });

  test('holds back no call that no connected worker could serve', async () => {
    const { fleet } = await open();
    await enter(fleet);

    expect(await fleet.line.isNext(newcomer)).toBe(true);
    await fleet.close();
  });

  test('moves up when somebody leaves', async () => {
    const { fleet } = await open();
    const [first, second] = [await enter(fleet), await enter(fleet)];

    await fleet.line.leave(first.account, String(first.ticket));

    expect(await positionsOf(fleet, [second])).toEqual([1]);
    await fleet.close();
  });

  test('passes one that stays away, but keeps its place for a while', async () => {
    const { fleet, clock } = await open();
    const [absent, present] = [await enter(fleet), await enter(fleet)];
    await fleet.join(new FakeConnection('worker-a', 1));
    clock.advance(AWAY_AFTER_MS - 1);
    await fleet.line.join(present);
    const wasNext = await fleet.line.isNext(present);

    clock.advance(1);

    expect([wasNext, await fleet.line.isNext(present)]).toEqual([false, true]);
    expect(await positionsOf(fleet, [present, absent, present])).toEqual([1, 1, 2]);
    await fleet.close();
  });

  test('gives a new place for a ticket that is forgotten, unknown or of another account', async () => {
    const { fleet, clock } = await open();
    const forgotten = await enter(fleet);
    clock.advance(FORGOTTEN_AFTER_MS);
    const known = await enter(fleet);
    const foreign = await enter(fleet, { account: 'account-2' });

    await fleet.line.leave('account-1', String(foreign.ticket));
    const positions = await positionsOf(fleet, [
      forgotten,
      { ...newcomer, ticket: 'x' },
      { ...newcomer, ticket: foreign.ticket },
      known,
      foreign,
    ]);

    expect(positions).toEqual([2, 3, 4, 1, 1]);
    await fleet.close();
  });

  test('gives no place to clients that know no tickets', async () => {
    const { fleet } = await open();

    expect(await fleet.line.join({ ...newcomer, ticket: undefined })).toBeNull();
    await fleet.close();
  });

  test('limits the places of one visitor', async () => {
    const { fleet } = await open();
    const visitor = 'somebody';
    const callers = [];
    for (let i = 0; i < MAX_PLACES_PER_VISITOR; i++) callers.push(await enter(fleet, { visitor }));

    expect(await fleet.line.join({ ...newcomer, visitor })).toBeNull();
    expect(await fleet.line.join({ ...newcomer, visitor: 'another' })).not.toBeNull();
    expect(await positionsOf(fleet, callers.slice(0, 1))).toEqual([1]);
    await fleet.close();
  });

  test('counts those who wait between their requests as waiting', async () => {
    const { fleet, clock } = await open();
    await fleet.join(new FakeConnection('worker-a', 1));
    await enter(fleet);
    await enter(fleet);

    const { waiting } = await fleet.counts();
    clock.advance(AWAY_AFTER_MS);

    expect(waiting).toBe(2);
    expect(await fleet.counts()).toMatchObject({ waiting: 0 });
    await fleet.close();
  });
}
