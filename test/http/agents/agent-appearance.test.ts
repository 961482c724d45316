import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import { dataUrlOf, logoBytes } from '../../support/picture/logo.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

type Answer = {
  id: string;
  appearance: { accent_color: string | null; logo: string | null; welcome_text: string | null };
};

const create = (appearance?: object | null) =>
  service.call('POST', '/v1/agents', {
    payload: { name: 'Jarvis', avatar_id: NORA, appearance },
  });
const created = async (appearance?: object) => (await create(appearance)).json<Answer>();
const get = async (id: string) => (await service.call('GET', `/v1/agents/${id}`)).json<Answer>();
const patch = (id: string, appearance: object | null) =>
  service.call('PATCH', `/v1/agents/${id}`, { payload: { appearance } });

/** As a page of a visitor asks, without a key. */
function logoOf({ appearance: { logo } }: Answer) {
  const { pathname, search } = new URL(logo!);
  return service.app.server.inject({ method: 'GET', url: `${pathname}${search}` });
}

const none = { accent_color: null, logo: null, welcome_text: null };

describe('the appearance of an agent', () => {
  test.each([undefined, null, {}, none])('is the default with %o', async (appearance) => {
    const reply = await create(appearance);

    expect(reply.statusCode).toBe(201);
    expect(reply.json().appearance).toEqual(none);
  });

  test('is kept, with the colour in lower case, and shown in the chat room', async () => {
    const bytes = logoBytes();
    const agent = await created({
      accent_color: '#5B3FD6',
      logo: dataUrlOf(bytes),
      welcome_text: 'Welcome!\nAsk me.',
    });

    expect(agent.appearance).toEqual({
      accent_color: '#5b3fd6',
      logo: expect.stringMatching(`/agents/${agent.id}/logo\\?v=[0-9a-f]{12}$`),
      welcome_text: 'Welcome!\nAsk me.',
    });
    expect((await get(agent.id)).appearance).toEqual(agent.appearance);
    const chat = await service.app.server.inject({ url: `/v1/chat/${agent.id}` });
    expect(chat.json().appearance).toEqual(agent.appearance);
  });

  test('keeps what an update omits, and resets what is null', async () => {
    const { id, appearance } = await created({
      accent_color: '#000080',
      logo: dataUrlOf(logoBytes()),
      welcome_text: 'Hello',
    });

    await patch(id, { welcome_text: null });
    expect((await get(id)).appearance).toEqual({ ...appearance, welcome_text: null });

    await patch(id, { accent_color: '#ffd400', logo: null });
    expect((await get(id)).appearance).toEqual({ ...none, accent_color: '#ffd400' });

    await patch(id, null);
    expect((await get(id)).appearance).toEqual(none);
  });

  test.each([
    ['accent_color', 'navy'],
    ['accent_color', '#00f'],
    ['accent_color', '#000080;}'],
    ['welcome_text', ''],
    ['welcome_text', 'a'.repeat(501)],
    ['logo', 'https://www.example.com/logo.png'],
    ['logo', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['logo', dataUrlOf(Buffer.alloc(65 * 1024))],
    ['font', 'Comic Sans'],
  ])('is refused with %s %.40s', async (name, value) => {
    const reply = await create({ [name]: value });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].loc).toEqual(
      expect.arrayContaining(['body', 'appearance', name]),
    );
  });
});

describe('the logo of an agent', () => {
  test.each(['image/png', 'image/jpeg', 'image/webp'] as const)(
    'may be %s, and needs no key',
    async (type) => {
      const bytes = logoBytes({ type });
      const reply = await logoOf(await created({ logo: dataUrlOf(bytes, type) }));

      expect(reply.statusCode).toBe(200);
      expect(reply.headers).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
      });
      expect(reply.rawPayload).toEqual(bytes);
    },
  );

  test.each([
    ['PNG, JPEG or WebP', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['PNG, JPEG or WebP', logoBytes().subarray(0, 18)],
    ['PNG, JPEG or WebP', Buffer.from('GIF89a')],
    ['1024 pixels', logoBytes({ side: 1025 })],
  ])('is refused as no %s', async (words, bytes) => {
    const reply = await create({ logo: dataUrlOf(bytes) });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      {
        type: 'logo',
        loc: ['body', 'appearance', 'logo'],
        msg: expect.stringContaining(words),
        input: null,
      },
    ]);
  });

  test('may have 64 KiB beside the longest prompt in any JSON escaping', async () => {
    const logo = Buffer.concat([logoBytes(), Buffer.alloc(64 * 1024)]).subarray(0, 64 * 1024);
    const system_prompt = '🙂'.repeat(10_000);
    const payload = JSON.stringify({
      name: 'Jarvis',
      avatar_id: NORA,
      system_prompt,
      appearance: { logo: dataUrlOf(logo) },
    }).replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);

    const reply = await service.call('POST', '/v1/agents', {
      payload,
      headers: { 'content-type': 'application/json' },
    });

    expect(reply.statusCode).toBe(201);
    expect((await logoOf(reply.json())).rawPayload).toEqual(logo);
  });

  test('is deleted when it is replaced, and with the agent', async () => {
    const former = await created({ logo: dataUrlOf(logoBytes({ color: 'red' })) });
    const db = service.place.open();
    const stored = async (color: string) => {
      const hash = hashOf(logoBytes({ color }));
      const blobs = await db.selectFrom('blobs').select('size').where('hash', '=', hash).execute();
      return blobs.length > 0;
    };
    expect(await stored('red')).toBe(true);

    await patch(former.id, { logo: dataUrlOf(logoBytes({ color: 'blue' })) });
    const current = await get(former.id);
    expect(await stored('red')).toBe(false);
    expect((await logoOf(current)).rawPayload).toEqual(logoBytes({ color: 'blue' }));
    expect(current.appearance.logo).not.toBe(former.appearance.logo);

    await service.call('DELETE', `/v1/agents/${former.id}`);
    expect(await stored('blue')).toBe(false);
    expect((await logoOf(current)).statusCode).toBe(404);
    await db.destroy();
  });

  test('stays while another agent shows it', async () => {
    const logo = dataUrlOf(logoBytes({ color: 'green' }));
    const [one, other] = [await created({ logo }), await created({ logo })];

    await service.call('DELETE', `/v1/agents/${one.id}`);

    expect((await logoOf(other)).statusCode).toBe(200);
  });
});
