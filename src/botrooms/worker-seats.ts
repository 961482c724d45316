/*
 * Pure state of a room's workers. A newer worker gets the client's records as soon as it joins; its
 * pictures replace those of the older one from its first picture on, so that a handover has no gap.
 */
export type Epoch = { readonly epoch: number };

export type WorkerSeats<Leg extends Epoch> =
  | { type: 'empty'; highestEpoch: number }
  | { type: 'performing'; leg: Leg }
  | { type: 'handing_over'; from: Leg; to: Leg };

/** `shown`: sent its first picture. */
export type SeatEvent<Leg> = { type: 'joined' | 'shown' | 'left'; leg: Leg };

/** `replaced`: legs that lost their seat or were refused one. */
export type SeatStep<Leg extends Epoch> = { seats: WorkerSeats<Leg>; replaced: Leg[] };

export function changeSeats<Leg extends Epoch>(
  seats: WorkerSeats<Leg>,
  { type, leg }: SeatEvent<Leg>,
): SeatStep<Leg> {
  switch (type) {
    case 'joined':
      return join(seats, leg);
    case 'shown':
      if (seats.type !== 'handing_over' || leg !== seats.to) return { seats, replaced: [] };
      return { seats: { type: 'performing', leg }, replaced: [seats.from] };
    case 'left':
      return { seats: leave(seats, leg), replaced: [] };
  }
}

/** Receives the client's records. */
export const newestOf = <Leg extends Epoch>(seats: WorkerSeats<Leg>): Leg | null =>
  seats.type === 'performing' ? seats.leg : seats.type === 'handing_over' ? seats.to : null;

/** Its records reach the client. */
export const showingOf = <Leg extends Epoch>(seats: WorkerSeats<Leg>): Leg | null =>
  seats.type === 'performing' ? seats.leg : seats.type === 'handing_over' ? seats.from : null;

export const allOf = <Leg extends Epoch>(seats: WorkerSeats<Leg>): Leg[] =>
  seats.type === 'performing'
    ? [seats.leg]
    : seats.type === 'handing_over'
      ? [seats.from, seats.to]
      : [];

function join<Leg extends Epoch>(seats: WorkerSeats<Leg>, leg: Leg): SeatStep<Leg> {
  const newest = newestOf(seats);
  const highestEpoch = newest?.epoch ?? (seats.type === 'empty' ? seats.highestEpoch : 0);
  // A worker that lost its session without knowing it.
  if (leg.epoch < highestEpoch) return { seats, replaced: [leg] };
  if (!newest) return { seats: { type: 'performing', leg }, replaced: [] };
  // The same worker connected again: its former connection is dead.
  const isSame = leg.epoch === newest.epoch;
  if (seats.type === 'handing_over') return { seats: { ...seats, to: leg }, replaced: [seats.to] };
  return isSame
    ? { seats: { type: 'performing', leg }, replaced: [newest] }
    : { seats: { type: 'handing_over', from: newest, to: leg }, replaced: [] };
}

function leave<Leg extends Epoch>(seats: WorkerSeats<Leg>, leg: Leg): WorkerSeats<Leg> {
  switch (seats.type) {
    case 'empty':
      return seats;
    case 'performing':
      return leg === seats.leg ? { type: 'empty', highestEpoch: leg.epoch } : seats;
    case 'handing_over':
      if (leg === seats.from) return { type: 'performing', leg: seats.to };
      return leg === seats.to ? { type: 'performing', leg: seats.from } : seats;
  }
}
