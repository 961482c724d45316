import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LocalLine } from '../../../src/fleet/local/local-line.ts';
import { AWAY_AFTER_MS } from '../../../src/fleet/waiting-line.ts';
import { requirements } from '../../support/fleet/fleet-requests.ts';
import { TestClock } from '../../support/test-clock.ts';

const newcomer = { account: 'account-1', ticket: null, visitor: null, needs: [requirements] };

const openLine = ({ maxPlaces = 1_000, free = 0 } = {}) => {
  const clock = new TestClock();
  return { clock, line: new LocalLine({ clock, maxPlaces, freeSlots: () => free }) };
};

describe('the line of one control plane', () => {
  test('leaves half of its places to other accounts', async () => {
    const { line } = openLine({ maxPlaces: 4 });
    const accounts = ['a', 'a', 'a', 'b', 'c', 'd'];

    const places = [];
    for (const account of accounts) places.push(await line.join({ ...newcomer, account }));

    expect(places.map((place) => place?.position)).toEqual([1, 2, undefined, 1, 1, undefined]);
  });

  test('numbers those who still ask from 1, in the order of arrival', async () => {
    const action = fc.oneof(
      fc.record({ type: fc.constantFrom('ask', 'leave'), number: fc.nat(7) }),
      fc.record({ type: fc.constant('time_passes'), number: fc.nat(AWAY_AFTER_MS) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const { clock, line } = openLine();
        /** Ticket by caller, in the order of arrival. */
        const tickets = new Map<number, string>();
        const askedAt = new Map<number, number>();
        for (const { type, number } of actions) {
          if (type === 'time_passes') clock.advance(number);
          else if (type === 'leave') {
            await line.leave(newcomer.account, tickets.get(number) ?? 'none');
            tickets.delete(number);
          } else {
            const place = await line.join({ ...newcomer, ticket: tickets.get(number) ?? null });
            // A forgotten place is a new arrival.
            if (place!.ticket !== tickets.get(number)) tickets.delete(number);
            tickets.set(number, place!.ticket);
            askedAt.set(number, clock.elapsed());
            const present = [...tickets.keys()].filter(
              (each) => clock.elapsed() - askedAt.get(each)! < AWAY_AFTER_MS,
            );
            expect(place!.position).toBe(present.indexOf(number) + 1);
            const request = { ...newcomer, ticket: place!.ticket };
            expect(await line.isNext(request)).toBe(place!.position === 1);
          }
        }
      }),
    );
  });

  test('serves all who wait, one for each slot that becomes free', async () => {
    let free = 0;
    const clock = new TestClock();
    const line = new LocalLine({ clock, maxPlaces: 1_000, freeSlots: () => free });
    const callers = [];
    for (let i = 0; i < 5; i++) callers.push((await line.join(newcomer))!.ticket);
    const served: number[] = [];

    for (free = 2; served.length < 5; free = 2) {
      // The last one asks first.
      for (const [i, ticket] of [...callers.entries()].toReversed()) {
        if (served.includes(i) || free === 0) continue;
        if (!(await line.isNext({ ...newcomer, ticket }))) continue;
        free -= 1;
        served.push(i);
        await line.leave(newcomer.account, ticket);
      }
    }

    expect(served).toEqual([1, 0, 3, 2, 4]);
  });
});
