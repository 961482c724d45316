import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, THEO, type BuiltApp } from '../../support/api/build-app.ts';
import { newApi, newFile } from '../../support/api/resources.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());
const unknownId = '00000000-0000-4000-8000-000000000000';
const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  service.call('POST', path, { payload, headers });
const create = (fields: object = {}) =>
  post('/v1/agents', { name: 'Jarvis', avatar_id: NORA, ...fields });
const createOne = async (fields: object = {}) => (await create(fields)).json<{ id: string }>();
const get = (id: string) => service.call('GET', `/v1/agents/${id}`);
const patch = (id: string, payload: object) =>
  service.call('PATCH', `/v1/agents/${id}`, { payload });

const full = {
  system_prompt: 'You are a helpful assistant.',
  language: 'pt-BR',
  greeting: 'Olá!',
  max_session_length_minutes: 12.5,
  capabilities: [{ type: 'webcam_vision' }, { type: 'wakeup_mode', triggers: ['hey agent'] }],
  llm: { type: 'openai' },
};

describe('agents', () => {
  test('require a name and an avatar, and have defaults', async () => {
    const created = await create();

    expect(created.statusCode).toBe(201);
    expect(created.json()).toEqual({
      id: expect.any(String),
      name: 'Jarvis',
      avatar_id: NORA,
      system_prompt: null,
      language: 'en',
      greeting: null,
      max_session_length_minutes: 30,
      capabilities: [],
      llm: null,
      stt: null,
      tts: null,
      embeddings: null,
      voice: null,
      turn_taking: { patience: 'medium', interruptibility: 'medium' },
      video: null,
      knowledge_files: [],
      allowed_origins: [],
      limits: {
        call: { model_tokens: 500_000, speech_characters: 100_000, seconds: 5_400 },
        day: { model_tokens: 10_000_000, speech_characters: 2_000_000, seconds: 360_000 },
        link_day: { model_tokens: 2_000_000, speech_characters: 500_000, seconds: 72_000 },
        texts_per_ten_minutes: 60,
      },
      appearance: { accent_color: null, logo: null, welcome_text: null },
      abilities: { hears: false, sees: null, thinks_with: null, speaks_with: 'built-in voice' },
      created_at: '2026-01-01T12:00:00.000000+00:00',
      is_private: false,
      chat_url: expect.stringMatching(/^http:.*\/[0-9a-f-]{36}$/),
    });
  });

  test('have limits, whose omitted parts are the defaults', async () => {
    const limits = { call: { model_tokens: 1_000 }, day: null, texts_per_ten_minutes: 5 };
    const { id, limits: defaults } = (await create()).json();

    const changed = await service.call('PATCH', `/v1/agents/${id}`, { payload: { limits } });
    const agent = (await service.call('GET', `/v1/agents/${id}`)).json();
    await service.call('PATCH', `/v1/agents/${id}`, { payload: { limits: null } });
    const restored = (await service.call('GET', `/v1/agents/${id}`)).json();

    expect(changed.statusCode).toBeLessThan(300);
    expect(agent.limits).toEqual({
      ...defaults,
      call: { ...defaults.call, model_tokens: 1_000 },
      texts_per_ten_minutes: 5,
    });
    expect(restored.limits).toEqual(defaults);
  });

  test.each([0, -1, 1.5, 1_000_000_001, 'many'])('refuse %s as a limit', async (value) => {
    const { id } = (await create()).json();
    const payload = { limits: { link_day: { model_tokens: value } } };

    const { statusCode } = await service.call('PATCH', `/v1/agents/${id}`, { payload });

    expect(statusCode).toBe(422);
  });

  test('have a chat_url under CHAT_URL', async () => {
    const { id, chat_url } = (await create()).json();
    const elsewhere = await buildApp({
      env: { PUBLIC_URL: 'https://api.example', CHAT_URL: 'https://chat.example/' },
    });
    const payload = { name: 'Jarvis', avatar_id: NORA };
    const otherBody = (await elsewhere.call('POST', '/v1/agents', { payload })).json();
    const listed = (await elsewhere.call('GET', '/v1/agents')).json();
    await elsewhere.close();

    expect(chat_url.endsWith(`/${id}`)).toBe(true);
    expect(otherBody.chat_url).toBe(`https://chat.example/${otherBody.id}`);
    expect(listed.data).toEqual([otherBody]);
  });

  test('keep all settings', async () => {
    const knowledge_files = [await newFile(service), await newFile(service)];

    const created = await create({ ...full, knowledge_files });

    expect(created.json()).toMatchObject({ ...full, knowledge_files });
    expect((await get(created.json().id)).json()).toEqual(created.json());
  });

  test('accept null for optional fields', async () => {
    const nothing = Object.fromEntries(
      [...Object.keys(full), 'knowledge_files'].map((k) => [k, null]),
    );

    const created = await create(nothing);

    expect(created.json()).toMatchObject({ language: 'en', capabilities: [], knowledge_files: [] });
  });

  test.each([
    FIRST_AVATAR.alias,
    FIRST_AVATAR.alias.toUpperCase(),
    'b9be11b8-89fb-4227-8f86-4a881393cbdb',
  ])("know their avatar by the avatar's own id, given as %s", async (avatar_id) => {
    const { avatar_id: chosenAvatar } = (await create({ avatar_id })).json();

    expect([NORA, THEO]).toContain(chosenAvatar);
  });

  test('are listed most recent first, in pages', async () => {
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await createOne()).id);

    const firstBody = (await service.call('GET', '/v1/agents?limit=2')).json();
    const secondPage = (
      await service.call('GET', `/v1/agents?limit=1&cursor=${firstBody.next_cursor}`)
    ).json();

    const listed = [...firstBody.data, ...secondPage.data].map(({ id }: { id: string }) => id);
    expect(listed).toEqual(ids.toReversed());
    expect(firstBody.data[0]).toEqual((await get(ids[2]!)).json());
  });

  test('accept capabilities as strings from older clients', async () => {
    const { capabilities } = (await create({ capabilities: ['webcam_vision'] })).json();

    expect(capabilities).toEqual([{ type: 'webcam_vision' }]);
  });

  test.each([0.7, '0.7', '2', 0])(
    'speak with an external model at temperature %o',
    async (temperature) => {
      const api_id = await newApi(service);
      const llm = { type: 'openai_compatible', api_id, model: 'gpt-oss', temperature };

      const created = await create({ llm });

      expect(created.json().llm).toEqual({ ...llm, temperature: Number(temperature) });
      expect((await get(created.json().id)).json().llm).toEqual(created.json().llm);
    },
  );

  test('accept a prompt of ten thousand characters in any JSON escaping', async () => {
    const system_prompt = '🙂'.repeat(10_000);
    const payload = JSON.stringify({ name: 'Jarvis', avatar_id: NORA, system_prompt }).replace(
      /[\ud800-\udfff]/g,
      (half) => `\\u${half.charCodeAt(0).toString(16)}`,
    );

    const created = await service.call('POST', '/v1/agents', {
      payload,
      headers: { 'content-type': 'application/json' },
    });

    expect(created.statusCode).toBe(201);
    expect(created.json().system_prompt).toBe(system_prompt);
  });

  test('are created once per Idempotency-Key', async () => {
    const payload = { name: 'Once', avatar_id: NORA };
    const firstReply = await post('/v1/agents', payload, { 'idempotency-key': 'agent-1' });

    const repeatReply = await post('/v1/agents', payload, { 'idempotency-key': 'agent-1' });
    const otherReply = await post(
      '/v1/agents',
      { ...payload, name: 'Twice' },
      { 'idempotency-key': 'agent-1' },
    );

    expect(repeatReply.json()).toEqual(firstReply.json());
    expect(otherReply.statusCode).toBe(409);
  });
});

describe('an agent update', () => {
  test('keeps omitted fields', async () => {
    const knowledge_files = [await newFile(service)];
    const resourceBefore = await createOne({ ...full, knowledge_files });

    const changed = await patch(resourceBefore.id, { greeting: 'Hi!' });

    expect([changed.statusCode, changed.body]).toEqual([204, '']);
    expect((await get(resourceBefore.id)).json()).toEqual({ ...resourceBefore, greeting: 'Hi!' });
  });

  test('changes every given field', async () => {
    const { id } = await createOne(full);
    const changes = {
      name: 'Friday',
      avatar_id: THEO,
      system_prompt: 'Be brief.',
      language: 'de',
      greeting: 'Hallo!',
      max_session_length_minutes: 90,
      capabilities: [],
      llm: { type: 'openai_compatible', api_id: await newApi(service), model: 'm', temperature: 1 },
      knowledge_files: [await newFile(service)],
    };

    await patch(id, changes);

    expect((await get(id)).json()).toMatchObject(changes);
  });

  test('resets null fields to their defaults', async () => {
    const { id } = await createOne({ ...full, knowledge_files: [await newFile(service)] });
    const names = [...Object.keys(full), 'knowledge_files'];

    await patch(id, Object.fromEntries(names.map((name) => [name, null])));

    expect((await get(id)).json()).toMatchObject({
      system_prompt: null,
      language: 'en',
      greeting: null,
      max_session_length_minutes: 30,
      capabilities: [],
      llm: null,
      knowledge_files: [],
    });
  });

  test('may be empty', async () => {
    const resourceBefore = await createOne(full);

    const changed = await patch(resourceBefore.id, {});

    expect(changed.statusCode).toBe(204);
    expect((await get(resourceBefore.id)).json()).toEqual(resourceBefore);
  });

  test('does not lose concurrent updates', async () => {
    const { id } = await createOne(full);

    await Promise.all([
      patch(id, { greeting: 'Hi!' }),
      patch(id, { language: 'fr' }),
      patch(id, { system_prompt: 'Be brief.' }),
    ]);

    expect((await get(id)).json()).toMatchObject({
      greeting: 'Hi!',
      language: 'fr',
      system_prompt: 'Be brief.',
    });
  });

  test('changes nothing when refused', async () => {
    const resourceBefore = await createOne(full);

    const refused = await patch(resourceBefore.id, {
      greeting: 'Hi!',
      knowledge_files: [unknownId],
    });

    expect(refused.statusCode).toBe(404);
    expect((await get(resourceBefore.id)).json()).toEqual(resourceBefore);
  });
});

describe('a deleted agent', () => {
  test('is not found, and no longer references other resources', async () => {
    const file = await newFile(service);
    const { id } = await createOne({ knowledge_files: [file] });

    const deleted = await service.call('DELETE', `/v1/agents/${id}`);

    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect((await get(id)).statusCode).toBe(404);
    expect((await patch(id, {})).statusCode).toBe(404);
    expect((await service.call('DELETE', `/v1/agents/${id}`)).statusCode).toBe(404);
    expect((await service.call('DELETE', `/v1/knowledge-files/${file}`)).statusCode).toBe(204);
  });
});

const addApi = async (type: string): Promise<string> => {
  const payload = { type, name: type, url: 'https://models.example/v1', api_key: 'k' };
  return (await service.call('POST', '/v1/external-apis', { payload })).json().id;
};

describe('a resource that an agent references', () => {
  test.each([
    { what: 'avatar', more: { avatar_id: 'nobody' }, about: { avatar_id: 'nobody' } },
    {
      what: 'external API',
      more: { llm: { type: 'openai_compatible', api_id: 'none', model: 'm', temperature: 1 } },
      about: { api_id: 'none' },
    },
    {
      what: 'knowledge file',
      more: { knowledge_files: [unknownId] },
      about: { knowledge_files: [unknownId] },
    },
  ])('must exist: $what', async ({ more, about }) => {
    const created = await create(more);

    expect(created.statusCode).toBe(404);
    expect(created.json()).toMatchObject({
      detail: 'The requested resource was not found.',
      ...about,
    });
  });

  test('must be an external API of the matching type, and cannot be deleted', async () => {
    const ears = await addApi('openai_compatible_stt');
    const mouth = await addApi('openai_compatible_tts');
    const sense = await addApi('openai_compatible_embeddings');
    const speech = { type: 'openai_compatible', model: 'm' };

    const wrong = [
      await create({ llm: { ...speech, api_id: ears, temperature: 1 } }),
      await create({ stt: { ...speech, api_id: mouth } }),
      await create({ tts: { ...speech, api_id: ears } }),
      await create({ embeddings: { ...speech, api_id: ears } }),
    ];
    const stt = { ...speech, api_id: ears };
    const tts = { ...speech, api_id: mouth, voice: 'nova' };
    const embeddings = { ...speech, api_id: sense };
    const right = await create({ stt, tts, embeddings });

    expect(wrong.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422]);
    expect(wrong[0]?.json().detail).toMatchObject([
      { type: 'external_api_type', loc: ['body', 'llm', 'api_id'], input: ears },
    ]);
    expect(right.json()).toMatchObject({ stt, tts, embeddings });
    for (const api of [ears, mouth, sense]) {
      expect((await service.call('DELETE', `/v1/external-apis/${api}`)).statusCode).toBe(409);
    }
    await patch(right.json().id, { stt: null, tts: null, embeddings: null });
    for (const api of [ears, mouth, sense]) {
      expect((await service.call('DELETE', `/v1/external-apis/${api}`)).statusCode).toBe(204);
    }
  });

  test('have one of the built-in voices, or that of their face', async () => {
    const { id } = (await create({ voice: 'samuel' })).json();

    expect((await get(id)).json()).toMatchObject({ voice: 'samuel' });
    expect((await patch(id, { voice: 'nobody' })).statusCode).toBe(422);
    await patch(id, { name: 'Sam' });
    expect((await get(id)).json()).toMatchObject({ name: 'Sam', voice: 'samuel' });
    await patch(id, { voice: null });
    expect((await get(id)).json()).toMatchObject({ voice: null });
  });

  test('must belong to the account', async () => {
    const stranger = { 'x-api-key': await service.strangerKey() };
    const knowledge_files = [await newFile(service)];
    const llm = {
      type: 'openai_compatible',
      api_id: await newApi(service),
      model: 'm',
      temperature: 1,
    };
    const { id } = await createOne();
    const baseAgent = { name: 'Mine', avatar_id: NORA };

    const replies = await Promise.all([
      post('/v1/agents', { ...baseAgent, knowledge_files }, stranger),
      post('/v1/agents', { ...baseAgent, llm }, stranger),
      service.call('GET', `/v1/agents/${id}`, { headers: stranger }),
      service.call('PATCH', `/v1/agents/${id}`, { headers: stranger, payload: {} }),
      service.call('DELETE', `/v1/agents/${id}`, { headers: stranger }),
      service.call('GET', `/v1/agent/${id}`, { headers: stranger }),
    ]);

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await service.call('GET', '/v1/agents', { headers: stranger })).json().data).toEqual(
      [],
    );
    expect((await get(id)).statusCode).toBe(200);
  });
});
