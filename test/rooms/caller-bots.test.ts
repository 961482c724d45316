import { describe, expect, test } from 'vitest';
import { createOutgoing } from '#shared/network/address-policy.ts';
import type { Fault } from '../../src/errors.ts';
import { createCallerBots, type CallerBot } from '../../src/rooms/caller-bots.ts';
import { TestClock } from '../support/test-clock.ts';

const addresses: Record<string, string> = {
  'public.example': '8.8.8.8',
  'inside.example': '10.1.2.3',
  'allowed.example': '192.168.1.5',
};
const bots = createCallerBots({
  clock: new TestClock(),
  outgoing: createOutgoing('192.168.0.0/16', (name, _options, answer) => {
    const address = addresses[name];
    if (address) answer(null, [{ address, family: 4 }]);
    else answer(new Error('unknown'), []);
  }),
});

const complaints = (bot: CallerBot) =>
  bots.check(bot).then(
    () => [],
    ({ problems }: Fault) => problems?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`),
  );

describe('the bot of a caller', () => {
  test.each([
    'wss://public.example/ws?agent=7',
    'wss://allowed.example:7860',
    'ws://192.168.7.7:8765/ws',
    'wss://not-resolved.example',
  ])('may be at %s', async (url) => {
    expect(await complaints({ url, token: 'sk-1~!' })).toEqual([]);
  });

  test.each([
    ['wss://inside.example', /name points into a private/],
    ['wss://169.254.169.254/latest', /address is in a private/],
    ['ws://127.0.0.1:8080', /address is in a private/],
    ['ws://public.example', /Without TLS/],
    ['https://public.example', /must begin with ws or wss/],
    ['wss://me:secret@public.example', /user name or password/],
    ['wss://public.example/#part', /fragment/],
    ['public.example', /not a URL/],
  ])('may not be at %s', async (url, why) => {
    expect(await complaints({ url })).toEqual([
      expect.stringMatching(new RegExp(`^body.url: .*${why.source}`)),
    ]);
  });

  test('is dialled under the address policy', () => {
    expect(bots.addressOf('wss://public.example')).toEqual({
      url: 'wss://public.example',
      networks: '192.168.0.0/16',
    });
  });

  test('may not have a token that fits no header, which is not repeated', async () => {
    const fault: Fault = await bots.check({ url: 'wss://public.example', token: 'a\r\nb' }).then(
      () => expect.unreachable(),
      (error: Fault) => error,
    );

    expect(fault.problems).toEqual([
      {
        type: 'value_error',
        loc: ['body', 'token'],
        msg: 'The token may hold visible ASCII characters only.',
        input: null,
      },
    ]);
  });
});
