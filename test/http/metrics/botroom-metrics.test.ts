import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { BotroomPeer } from '../../support/botrooms/botroom-peer.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp();
});
afterEach(() => service.close());

/** Values of the metrics of botrooms by name and labels. */
async function values(): Promise<Record<string, number>> {
  const { body } = await service.app.server.inject({ url: '/metrics' });
  const lines = body.split('\n').filter((line) => line.startsWith('troupe_botroom'));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
}

test('count rooms, bytes and dropped pictures', async () => {
  const reply = await service.call('POST', '/v1/sessions', {
    payload: { avatar_id: NORA, transport: 'botroom' },
  });
  const { id, token } = reply.json();
  const { room } = await service.workers[0]!.next('assign');
  const client = new BotroomPeer(`${service.url}${room.url}`, token);
  await client.opened;
  const worker = new BotroomPeer(`${service.url}${room.url}?epoch=1`, room.token);
  await worker.opened;
  client.say(1);
  await worker.hears('presence', 'audio 1');
  worker.show(1);
  await client.hears('ready', 'video 1');

  const { troupe_botrooms: rooms, ...counts } = await values();
  await service.call('POST', `/v1/sessions/${id}/end`);
  await client.closes();
  await worker.closes();

  expect(rooms).toBe(1);
  expect(counts).toEqual({
    'troupe_botroom_bytes_total{direction="in"}': client.sentBytes,
    'troupe_botroom_bytes_total{direction="out"}': worker.sentBytes + READY_BYTES,
    troupe_botroom_pictures_dropped_total: 0,
  });
  expect(await values()).toMatchObject({ troupe_botrooms: 0 });
});

/** `ready` with an empty header. */
const READY_BYTES = 11;
