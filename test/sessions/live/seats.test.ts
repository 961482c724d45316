import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';

type Seat = { url?: string; room?: string; identity?: string };

let plane: ControlPlane;
let worker: SimulatedWorker;
beforeEach(async () => {
  plane = await startControlPlane();
  worker = await plane.worker({ slots: 4 }).join();
});
afterEach(() => plane.close());

let tokens = 0;

/** Every token is another one, as those of a client that creates a session again. */
function tokenFor({ room = 'room-1', identity = 'bey-avatar-agent' }: Seat): string {
  const claims = { jti: `${++tokens}`, sub: identity, video: { roomJoin: true, room } };
  const encoded = [{ alg: 'HS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...encoded, 'signature'].join('.');
}

async function open(seat: Seat = {}) {
  const room = { url: seat.url ?? 'wss://rooms.example', token: tokenFor(seat) };
  await plane.creation.open(ACCOUNT, request({ room }));
  const assigned = await worker.next('assign');
  await worker.started(assigned.placement);
  return assigned;
}

/** A session whose agent speaks: 1.5 s of a segment were heard, nothing of the next one. */
async function speaking() {
  const { placement } = await open();
  worker.say({ type: 'speech', placement, open: [1.5, 0] });
  await worker.atRest();
  return placement;
}

describe('a session in the seat of another one', () => {
  test('answers for the speech that the other one has not played', async () => {
    const placement = await speaking();

    const { unanswered } = await open();
    await worker.ended(placement, 'replaced');

    expect(unanswered).toEqual([1.5, 0]);
  });

  test('answers for it once, even if the seat is taken again before', async () => {
    await speaking();
    await open();
    const third = await open();
    worker.say({ type: 'speech', placement: third.placement, open: [] });
    await worker.atRest();

    expect(third.unanswered).toEqual([1.5, 0]);
    expect((await open()).unanswered).toEqual([]);
  });

  test('answers for it with another path or token of the same server', async () => {
    await speaking();

    expect((await open({ url: 'wss://rooms.example/rtc' })).unanswered).toEqual([1.5, 0]);
  });

  test.each<[string, Seat]>([
    ['with another identity', { identity: 'other-avatar' }],
    ['in another room', { room: 'room-2' }],
    ['on another server', { url: 'wss://other.example' }],
  ])('%s answers for nothing', async (_, seat) => {
    await speaking();

    expect((await open(seat)).unanswered).toBeUndefined();
  });

  test('answers for nothing when the other one has ended, or was sent no speech', async () => {
    const { placement } = await open();
    const { unanswered } = await open();
    await worker.ended(placement, 'replaced');
    const spokenPlacement = await speaking();
    await worker.ended(spokenPlacement, 'agent_left');

    expect(unanswered).toBeUndefined();
    expect((await open()).unanswered).toBeUndefined();
  });
});
