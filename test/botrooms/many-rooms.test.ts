import { expect, test } from 'vitest';
import type { BotroomPeer } from '../support/botrooms/botroom-peer.ts';
import { startRelay } from '../support/botrooms/relay-server.ts';
import { until } from '../support/until.ts';

const ROOMS = 100;
/** Each side sends as many before and after the handover. */
const MESSAGES = 12;

async function talk(worker: BotroomPeer, client: BotroomPeer, mark: number): Promise<void> {
  for (let count = 0; count < MESSAGES; count++) {
    client.say(mark);
    worker.say(mark);
    if (count % 2 === 0) worker.show(mark, 20_000);
  }
  await until(() => worker.count('audio') === MESSAGES);
}

test(`${ROOMS} rooms at once keep to themselves, through a handover of all`, async () => {
  const server = await startRelay();
  const rooms = await Promise.all(
    Array.from({ length: ROOMS }, async (_, mark) => {
      const room = await server.relay.create();
      const [client, worker] = await Promise.all([server.client(room), server.worker(room)]);
      return { room, mark, client, worker };
    }),
  );

  await Promise.all(rooms.map(({ worker, client, mark }) => talk(worker, client, mark)));
  await until(() => rooms.every(({ client }) => client.count('audio') === MESSAGES));
  await Promise.all(
    rooms.map(async ({ room, client, worker, mark }) => {
      const successor = await server.worker(room, 2);
      successor.show(mark);
      await worker.closes();
      await talk(successor, client, mark);
    }),
  );
  await until(() => rooms.every(({ client }) => client.count('audio') === 2 * MESSAGES));

  for (const { client, worker, mark } of rooms) {
    expect(client.closed).toBeNull();
    expect(worker.closed?.code).toBe(4409);
    const marks = client.records.filter(({ blob }) => blob.length > 0).map(({ blob }) => blob[0]);
    expect(new Set(marks)).toEqual(new Set([mark]));
  }
  expect(server.relay.size).toBe(ROOMS);
  expect(server.relay.unsentBytes).toBe(0);

  await server.stop();

  expect(server.relay.size).toBe(0);
  await until(() => rooms.every(({ client }) => client.closed?.code === 1001));
  await server.close();
});
