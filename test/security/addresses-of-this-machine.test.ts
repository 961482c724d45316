import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, roomToken, type BuiltApp } from '../support/api/build-app.ts';

/** As `npm start` sets it where no one else reaches the service. */
const DEVELOPMENT_SERVER = 'ws://127.0.0.1:7880';

let service: BuiltApp;
let token: string;
beforeAll(async () => {
  service = await buildApp({
    env: { ALLOWED_NETWORKS: '', ALLOWED_MEDIA_SERVERS: DEVELOPMENT_SERVER },
  });
  token = await roomToken();
});
afterAll(() => service.close());

/** The problems of the answer, each as its place and text; none for an accepted request. */
async function problemsOf(url: string, payload: object): Promise<string[]> {
  const reply = await service.call('POST', url, { payload });
  if (reply.statusCode < 300) return [];
  const { detail } = reply.json<{ detail: { loc: string[]; msg: string }[] | string }>();
  if (typeof detail === 'string') return [detail];
  return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
}

const ADDRESSES = [
  '127.0.0.1:6379',
  'localhost:7881',
  '[::1]:7881',
  '10.0.0.1:7880',
  '169.254.169.254',
  '0.0.0.0:7880',
  '[::ffff:127.0.0.1]:22',
];

describe('by default, an address of this machine or a private network is refused', () => {
  test.each(ADDRESSES)('as a room: %s', async (host) => {
    const payload = { avatar_id: NORA, url: `ws://${host}`, token };

    expect(await problemsOf('/v1/sessions', payload)).toEqual([
      expect.stringMatching(/^body\.url: .*ALLOWED_NETWORKS/),
    ]);
  });

  test.each(ADDRESSES)('as a webhook: %s', async (host) => {
    const payload = { url: `https://${host}/hook`, events: ['session.started'] };

    expect(await problemsOf('/v1/webhooks', payload)).toEqual([
      expect.stringMatching(/ALLOWED_NETWORKS/),
    ]);
  });

  test.each(ADDRESSES)('as a model: %s', async (host) => {
    const payload = {
      name: 'a model',
      type: 'openai_compatible_llm',
      url: `http://${host}/v1`,
      api_key: 'sk-of-somebody',
    };

    expect(await problemsOf('/v1/external-apis', payload)).toEqual([
      expect.stringMatching(/ALLOWED_NETWORKS/),
    ]);
  });

  test.each(ADDRESSES)('as a bot: %s', async (host) => {
    const payload = { avatar_id: NORA, transport: 'botroom', url: `ws://${host}/bot` };

    expect(await problemsOf('/v1/sessions', payload)).toEqual([
      expect.stringMatching(/^body\.url: .*ALLOWED_NETWORKS/),
    ]);
  });
});

describe('a media server that the operator permits', () => {
  test.each([DEVELOPMENT_SERVER, 'ws://localhost:7880/rtc', 'http://127.0.0.1:7880'])(
    'may have the room: %s',
    async (url) => {
      const room = await roomToken({ roomJoin: true, room: url });

      expect(await problemsOf('/v1/sessions', { avatar_id: NORA, url, token: room })).toEqual([]);
      const { room: assigned } = await service.workers[0]!.next('assign');
      expect(assigned).toEqual({ url: DEVELOPMENT_SERVER, token: room });
    },
  );
});
