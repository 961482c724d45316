import { describe, expect, test } from 'vitest';
import { createOutgoing } from '#shared/network/address-policy.ts';
import type { Fault } from '../../src/errors.ts';
import { createCallerRooms } from '../../src/rooms/caller-rooms.ts';
import { MediaServer } from '../../src/rooms/media-servers.ts';
import { roomToken } from '../support/api/build-app.ts';
import { TestClock } from '../support/test-clock.ts';

const clock = new TestClock();
const token = await roomToken();
const names = { url: 'room.url', token: 'room.token' };
/** The key of `roomToken`, with another secret. */
const ownServer = new MediaServer({
  url: 'ws://10.9.9.9:7880',
  publicUrl: 'wss://media.own.example',
  apiKey: 'their-key',
  apiSecret: 'not the secret of that token, 32 letters',
});

const addresses: Record<string, string> = {
  'public.example': '8.8.8.8',
  'inside.example': '10.1.2.3',
  'allowed.example': '192.168.1.5',
};
const rooms = createCallerRooms({
  servers: [ownServer],
  addresses: ['ws://127.0.0.1:7880', 'wss://media.inside.example'],
  clock,
  outgoing: createOutgoing('192.168.0.0/16', (name, _options, answer) => {
    const address = addresses[name];
    if (address) answer(null, [{ address, family: 4 }]);
    else answer(new Error('unknown'), []);
  }),
});

const complaints = (url: string) =>
  rooms.check({ url, token }, names).then(
    () => [],
    ({ problems }: Fault) => problems?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`),
  );

describe('the room of a caller', () => {
  test.each([
    'wss://public.example',
    'https://8.8.8.8',
    'wss://allowed.example:7880',
    'ws://allowed.example:7880',
    'http://192.168.7.7',
    'wss://not-resolved.example',
    'ws://127.0.0.1:7880',
    'http://localhost:7880/rtc',
    'wss://media.inside.example:443/path',
  ])('may be at %s', async (url) => {
    expect(await complaints(url)).toEqual([]);
  });

  test.each([
    ['wss://inside.example', /name points into a private/],
    ['ws://inside.example', /name points into a private/],
    ['wss://169.254.169.254/latest', /address is in a private/],
    ['http://127.0.0.1:8080', /address is in a private/],
    ['ws://127.0.0.1:7881', /address is in a private/],
    ['ws://user@127.0.0.2:7880', /user name|private/],
    ['wss://localhost', /address is in a private/],
    ['wss://[::ffff:10.0.0.1]', /address is in a private/],
    ['ws://public.example', /Without TLS/],
    ['http://8.8.8.8', /Without TLS/],
  ])('may not be at %s', async (url, why) => {
    expect(await complaints(url)).toEqual([expect.stringMatching(why)]);
    expect((await complaints(url))?.[0]).toMatch(/^body\.room\.url: /);
  });

  test('at the operator’s media server needs a token that it accepts', async () => {
    for (const url of ['ws://10.9.9.9:7880', 'wss://media.own.example/path'])
      expect(await complaints(url)).toEqual([
        expect.stringMatching(/^body\.room\.token: .*signature is wrong/),
      ]);
  });

  test('is joined at the operator’s address, or within the allowed networks', () => {
    expect(rooms.addressOf('https://media.own.example/path')).toEqual({ url: ownServer.url });
    expect(rooms.addressOf('ws://localhost:7880/path')).toEqual({ url: 'ws://127.0.0.1:7880' });
    expect(rooms.addressOf('wss://public.example/a')).toEqual({
      url: 'wss://public.example/a',
      networks: '192.168.0.0/16',
    });
  });

  test('is resolved once for many sessions, and again later', async () => {
    let lookups = 0;
    const outgoing = createOutgoing('', (_name, _options, answer) => {
      lookups += 1;
      answer(null, [{ address: lookups === 1 ? '8.8.8.8' : '10.0.0.1', family: 4 }]);
    });
    const counted = createCallerRooms({ servers: [], addresses: [], clock, outgoing });
    const check = () => counted.check({ url: 'wss://rebinds.example', token }, names);
    await Promise.all([check(), check()]);
    expect(lookups).toBe(1);

    clock.advance(5_000);

    await expect(check()).rejects.toMatchObject({ status: 422 });
    expect(lookups).toBe(2);
  });

  test('does not wait for a slow name server', async () => {
    const slow = createCallerRooms({
      servers: [],
      addresses: [],
      clock,
      outgoing: createOutgoing('', () => {}),
    });
    const checked = slow.check({ url: 'wss://slow.example', token }, names);

    clock.advance(2_000);

    expect(await checked).toBeUndefined();
  });
});
