import { describe, expect, test } from 'vitest';
import {
  allOf,
  changeSeats,
  newestOf,
  showingOf,
  type SeatEvent,
  type SeatStep,
  type WorkerSeats,
} from '../../src/botrooms/worker-seats.ts';

type Leg = { name: string; epoch: number };

const leg = (name: string, epoch: number): Leg => ({ name, epoch });
const [firstLeg, second, third] = [leg('first', 1), leg('second', 2), leg('third', 3)] as const;

/** Where the legs are after the events, and which were replaced. */
function after(...events: [SeatEvent<Leg>['type'], Leg][]) {
  let seats: WorkerSeats<Leg> = { type: 'empty', highestEpoch: 0 };
  const replaced: string[] = [];
  for (const [type, leg] of events) {
    const step: SeatStep<Leg> = changeSeats(seats, { type, leg });
    seats = step.seats;
    replaced.push(...step.replaced.map(({ name }) => name));
  }
  const showing = showingOf(seats)?.name;
  return { type: seats.type, showing, newest: newestOf(seats)?.name, replaced };
}

describe('the seats of workers', () => {
  test('the first worker performs at once', () => {
    expect(after(['joined', firstLeg])).toEqual({
      type: 'performing',
      showing: 'first',
      newest: 'first',
      replaced: [],
    });
  });

  test('a newer worker is heard by the client from its first picture on', () => {
    const joined: [SeatEvent<Leg>['type'], Leg][] = [
      ['joined', firstLeg],
      ['joined', second],
    ];

    expect(after(...joined)).toMatchObject({ showing: 'first', newest: 'second', replaced: [] });
    expect(after(...joined, ['shown', second])).toEqual({
      type: 'performing',
      showing: 'second',
      newest: 'second',
      replaced: ['first'],
    });
  });

  test('pictures of the older worker end no handover', () => {
    expect(after(['joined', firstLeg], ['joined', second], ['shown', firstLeg])).toMatchObject({
      showing: 'first',
      newest: 'second',
    });
  });

  test('a newer worker that leaves before its first picture hands back', () => {
    expect(after(['joined', firstLeg], ['joined', second], ['left', second])).toMatchObject({
      type: 'performing',
      showing: 'first',
      newest: 'first',
    });
  });

  test('an older worker that leaves makes room at once', () => {
    expect(after(['joined', firstLeg], ['joined', second], ['left', firstLeg])).toMatchObject({
      type: 'performing',
      showing: 'second',
    });
  });

  test('the newest of three is awaited', () => {
    expect(after(['joined', firstLeg], ['joined', second], ['joined', third])).toMatchObject({
      showing: 'first',
      newest: 'third',
      replaced: ['second'],
    });
  });

  test('a stale worker gets no seat, also in an empty room', () => {
    expect(after(['joined', second], ['joined', firstLeg]).replaced).toEqual(['first']);
    expect(after(['joined', second], ['left', second], ['joined', firstLeg])).toMatchObject({
      type: 'empty',
      replaced: ['first'],
    });
  });

  test('a worker that connects again replaces itself', () => {
    const returningLeg = leg('again', 1);

    expect(after(['joined', firstLeg], ['joined', returningLeg], ['left', firstLeg])).toEqual({
      type: 'performing',
      showing: 'again',
      newest: 'again',
      replaced: ['first'],
    });
  });

  test('lists every worker once', () => {
    expect(allOf({ type: 'empty', highestEpoch: 0 })).toEqual([]);
    expect(allOf({ type: 'handing_over', from: firstLeg, to: second })).toEqual([firstLeg, second]);
  });
});
