import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, THEO, type BuiltApp } from '../support/build-app.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const unknownId = '00000000-0000-4000-8000-000000000000';

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  service.call('POST', path, { payload, headers });
const create = (more: object = {}) =>
  post('/v1/agents', { name: 'Jarvis', avatar_id: NORA, ...more });
const createOne = async (more: object = {}) => (await create(more)).json<{ id: string }>();
const get = (id: string) => service.call('GET', `/v1/agents/${id}`);
const patch = (id: string, payload: object) =>
  service.call('PATCH', `/v1/agents/${id}`, { payload });

const newFile = async (name = 'Prices') => {
  const payload = { name, format: 'text', content: 'Eggs are two dollars.' };
  return (await post('/v1/knowledge-files', payload)).json<{ id: string }>().id;
};
const newApi = async () => {
  const payload = {
    type: 'openai_compatible_llm',
    name: 'Model',
    url: 'https://llm.example/v1',
    api_key: 'sk-1',
  };
  return (await post('/v1/external-apis', payload)).json<{ id: string }>().id;
};

const full = {
  system_prompt: 'You are a helpful assistant.',
  language: 'pt-BR',
  greeting: 'Olá!',
  max_session_length_minutes: 12.5,
  capabilities: [{ type: 'webcam_vision' }, { type: 'wakeup_mode', triggers: ['hey agent'] }],
  llm: { type: 'openai' },
};

describe('agents', () => {
  test('need a name and an avatar, and have sensible settings', async () => {
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
      knowledge_files: [],
      created_at: '2026-01-01T12:00:00.000000+00:00',
    });
  });

  test('keep all that is said of them', async () => {
    const knowledge_files = [await newFile(), await newFile()];

    const created = await create({ ...full, knowledge_files });

    expect(created.json()).toMatchObject({ ...full, knowledge_files });
    expect((await get(created.json().id)).json()).toEqual(created.json());
  });

  test('take null for what may be left out', async () => {
    const nothing = Object.fromEntries(
      [...Object.keys(full), 'knowledge_files'].map((k) => [k, null]),
    );

    const created = await create(nothing);

    expect(created.json()).toMatchObject({ language: 'en', capabilities: [], knowledge_files: [] });
  });

  test.each(['nora', 'NORA', 'b9be11b8-89fb-4227-8f86-4a881393cbdb'])(
    "know their avatar by the avatar's own id, given as %s",
    async (avatar_id) => {
      const { avatar_id: kept } = (await create({ avatar_id })).json();

      expect([NORA, THEO]).toContain(kept);
    },
  );

  test('are listed most recent first, in pages', async () => {
    const ids = [];
    for (let made = 0; made < 3; made += 1) ids.push((await createOne()).id);

    const first = (await service.call('GET', '/v1/agents?limit=2')).json();
    const second = (
      await service.call('GET', `/v1/agents?limit=1&cursor=${first.next_cursor}`)
    ).json();

    const listed = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(listed).toEqual(ids.toReversed());
    expect(first.data[0]).toEqual((await get(ids[2]!)).json());
  });

  test('know the words that older clients say for capabilities', async () => {
    const { capabilities } = (await create({ capabilities: ['webcam_vision'] })).json();

    expect(capabilities).toEqual([{ type: 'webcam_vision' }]);
  });

  test.each([0.7, '0.7', '2', 0])(
    'speak with an external model at temperature %o',
    async (temperature) => {
      const api_id = await newApi();
      const llm = { type: 'openai_compatible', api_id, model: 'gpt-oss', temperature };

      const created = await create({ llm });

      expect(created.json().llm).toEqual({ ...llm, temperature: Number(temperature) });
      expect((await get(created.json().id)).json().llm).toEqual(created.json().llm);
    },
  );

  test('may have a prompt of ten thousand letters, however JSON writes them', async () => {
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

  test('are made once under an Idempotency-Key', async () => {
    const payload = { name: 'Once', avatar_id: NORA };
    const first = await post('/v1/agents', payload, { 'idempotency-key': 'agent-1' });

    const again = await post('/v1/agents', payload, { 'idempotency-key': 'agent-1' });
    const other = await post(
      '/v1/agents',
      { ...payload, name: 'Twice' },
      { 'idempotency-key': 'agent-1' },
    );

    expect(again.json()).toEqual(first.json());
    expect(other.statusCode).toBe(409);
  });
});

describe('a change of an agent', () => {
  test('leaves alone what it does not name', async () => {
    const knowledge_files = [await newFile()];
    const before = await createOne({ ...full, knowledge_files });

    const changed = await patch(before.id, { greeting: 'Hi!' });

    expect([changed.statusCode, changed.body]).toEqual([204, '']);
    expect((await get(before.id)).json()).toEqual({ ...before, greeting: 'Hi!' });
  });

  test('changes everything that it names', async () => {
    const { id } = await createOne(full);
    const changes = {
      name: 'Friday',
      avatar_id: THEO,
      system_prompt: 'Be brief.',
      language: 'de',
      greeting: 'Hallo!',
      max_session_length_minutes: 90,
      capabilities: [],
      llm: { type: 'openai_compatible', api_id: await newApi(), model: 'm', temperature: 1 },
      knowledge_files: [await newFile()],
    };

    await patch(id, changes);

    expect((await get(id)).json()).toMatchObject(changes);
  });

  test('takes back what it names as null', async () => {
    const { id } = await createOne({ ...full, knowledge_files: [await newFile()] });
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

  test('may name nothing', async () => {
    const before = await createOne(full);

    const changed = await patch(before.id, {});

    expect(changed.statusCode).toBe(204);
    expect((await get(before.id)).json()).toEqual(before);
  });

  test('is lost with none that comes at the same time', async () => {
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

  test('that is refused changes nothing', async () => {
    const before = await createOne(full);

    const refused = await patch(before.id, { greeting: 'Hi!', knowledge_files: [unknownId] });

    expect(refused.statusCode).toBe(404);
    expect((await get(before.id)).json()).toEqual(before);
  });
});

describe('a deleted agent', () => {
  test('is gone, and holds on to nothing', async () => {
    const file = await newFile();
    const { id } = await createOne({ knowledge_files: [file] });

    const deleted = await service.call('DELETE', `/v1/agents/${id}`);

    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect((await get(id)).statusCode).toBe(404);
    expect((await patch(id, {})).statusCode).toBe(404);
    expect((await service.call('DELETE', `/v1/agents/${id}`)).statusCode).toBe(404);
    expect((await service.call('DELETE', `/v1/knowledge-files/${file}`)).statusCode).toBe(204);
  });
});

describe('what an agent refers to', () => {
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
  ])('must be there: $what', async ({ more, about }) => {
    const created = await create(more);

    expect(created.statusCode).toBe(404);
    expect(created.json()).toEqual({ detail: 'The requested resource was not found.', ...about });
  });

  test("must be the account's own", async () => {
    const stranger = { 'x-api-key': await service.strangerKey() };
    const knowledge_files = [await newFile()];
    const llm = { type: 'openai_compatible', api_id: await newApi(), model: 'm', temperature: 1 };
    const { id } = await createOne();
    const mine = { name: 'Mine', avatar_id: NORA };

    const replies = await Promise.all([
      post('/v1/agents', { ...mine, knowledge_files }, stranger),
      post('/v1/agents', { ...mine, llm }, stranger),
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

type Bad = { wrong: string; more: object; loc: (string | number)[]; says?: RegExp };

const llm = { type: 'openai_compatible', api_id: 'a', model: 'm', temperature: 1 };

const bad: Bad[] = [
  { wrong: 'no name', more: { name: undefined }, loc: ['name'], says: /Field required/ },
  { wrong: 'an empty name', more: { name: '' }, loc: ['name'] },
  { wrong: 'a name of 101 letters', more: { name: 'x'.repeat(101) }, loc: ['name'] },
  { wrong: 'a NUL in the name', more: { name: 'a\0b' }, loc: ['name'] },
  { wrong: 'a name null', more: { name: null }, loc: ['name'] },
  { wrong: 'no avatar', more: { avatar_id: undefined }, loc: ['avatar_id'] },
  { wrong: 'an empty prompt', more: { system_prompt: '' }, loc: ['system_prompt'] },
  {
    wrong: 'an endless prompt',
    more: { system_prompt: 'x'.repeat(10_001) },
    loc: ['system_prompt'],
  },
  {
    wrong: 'a prompt by number',
    more: { system_prompt: 5 },
    loc: ['system_prompt'],
    says: /string/,
  },
  { wrong: 'an unknown language', more: { language: 'tlh' }, loc: ['language'], says: /'pt-BR'/ },
  { wrong: 'a long greeting', more: { greeting: 'x'.repeat(1001) }, loc: ['greeting'] },
  {
    wrong: 'no time at all',
    more: { max_session_length_minutes: 0 },
    loc: ['max_session_length_minutes'],
  },
  {
    wrong: 'too much time',
    more: { max_session_length_minutes: 90.5 },
    loc: ['max_session_length_minutes'],
  },
  {
    wrong: 'time as text',
    more: { max_session_length_minutes: '30' },
    loc: ['max_session_length_minutes'],
  },
  {
    wrong: 'a file twice',
    more: { knowledge_files: ['a', 'a'] },
    loc: ['knowledge_files'],
    says: /duplicate/,
  },
  { wrong: 'a file by number', more: { knowledge_files: [5] }, loc: ['knowledge_files', 0] },
  {
    wrong: 'an unknown capability',
    more: { capabilities: [{ type: 'x_ray' }] },
    loc: ['capabilities', 0, 'type'],
    says: /'webcam_vision' or 'wakeup_mode'/,
  },
  { wrong: 'an unknown word', more: { capabilities: ['x_ray'] }, loc: ['capabilities', 0] },
  {
    wrong: 'a wakeup without triggers',
    more: { capabilities: [{ type: 'wakeup_mode' }] },
    loc: ['capabilities', 0, 'triggers'],
    says: /Field required/,
  },
  {
    wrong: 'a capability twice',
    more: { capabilities: ['webcam_vision', { type: 'webcam_vision' }] },
    loc: ['capabilities', 1],
    says: /once/,
  },
  {
    wrong: 'an unknown model type',
    more: { llm: { type: 'abacus' } },
    loc: ['llm', 'type'],
    says: /'openai' or 'openai_compatible'/,
  },
  {
    wrong: 'an external model without its API',
    more: { llm: { ...llm, api_id: undefined } },
    loc: ['llm', 'api_id'],
    says: /Field required/,
  },
  { wrong: 'a model as text', more: { llm: 'openai' }, loc: ['llm'], says: /object/ },
  { wrong: 'a fever', more: { llm: { ...llm, temperature: 2.1 } }, loc: ['llm', 'temperature'] },
  {
    wrong: 'a fever as text',
    more: { llm: { ...llm, temperature: '2.1' } },
    loc: ['llm', 'temperature'],
  },
  {
    wrong: 'a temperature in words',
    more: { llm: { ...llm, temperature: 'warm' } },
    loc: ['llm', 'temperature'],
  },
];

describe('an agent that cannot be', () => {
  test.each(bad)('has $wrong', async ({ more, loc, says }) => {
    const created = await create(more);

    expect(created.statusCode).toBe(422);
    const problem = { type: expect.any(String), msg: expect.any(String), loc: ['body', ...loc] };
    expect(created.json().detail).toEqual([expect.objectContaining(problem)]);
    if (says) expect(created.json().detail[0].msg).toMatch(says);
  });

  test.each(bad.filter(({ more }) => !Object.values(more).includes(undefined)))(
    'is not made of one either: $wrong',
    async ({ more, loc }) => {
      const { id } = await createOne();

      const changed = await patch(id, more);

      expect(changed.statusCode).toBe(422);
      expect(changed.json().detail[0].loc).toEqual(['body', ...loc]);
    },
  );
});

describe('older agents', () => {
  const older = (payload: object) => post('/v1/agent', payload);

  test('are made by avatar and prompt, named after their avatar', async () => {
    const created = await older({ avatar_id: 'nora', system_prompt: 'Be kind.' });

    expect(created.statusCode).toBe(201);
    expect(created.json()).toMatchObject({
      id: expect.any(String),
      name: 'Nora',
      avatar_id: NORA,
      system_prompt: 'Be kind.',
      language: 'en',
      greeting: null,
      max_session_length_minutes: 30,
      capabilities: [],
    });
  });

  test('have capabilities in words, whichever way they were made', async () => {
    const one = await older({
      avatar_id: NORA,
      system_prompt: 'x',
      capabilities: ['webcam_vision'],
    });
    const { id } = await createOne(full);

    const found = await service.call('GET', `/v1/agent/${id}`);

    expect(one.json().capabilities).toEqual(['webcam_vision']);
    expect(found.json().capabilities).toEqual(['webcam_vision', 'wakeup_mode']);
  });

  test('take a temperature as text, as the published example sends it', async () => {
    const api_id = await newApi();
    const llm = { type: 'openai_compatible', api_id, model: 'm', temperature: '0.7' };

    const created = await older({ name: 'LLM', avatar_id: NORA, system_prompt: 'x', llm });

    expect(created.statusCode).toBe(201);
    expect(created.json().llm).toEqual({ ...llm, temperature: 0.7 });
  });

  test('are the same agents: listed in a bare array, changed and deleted', async () => {
    const { id } = (await older({ avatar_id: NORA, system_prompt: 'x' })).json();

    const listed = (await service.call('GET', '/v1/agent')).json();
    const changed = await service.call('PATCH', `/v1/agent/${id}`, { payload: { name: 'Second' } });
    const found = (await get(id)).json();
    const deleted = await service.call('DELETE', `/v1/agent/${id}`);

    expect(listed[0]).toMatchObject({ id, name: 'Nora' });
    expect(changed.statusCode).toBe(204);
    expect(found.name).toBe('Second');
    expect([deleted.statusCode, (await get(id)).statusCode]).toEqual([204, 404]);
  });

  test('say what took their place', async () => {
    const { headers } = await service.call('DELETE', '/v1/agent/nobody');

    expect(headers.deprecation).toMatch(/^@\d+$/);
    expect(headers.link).toMatch(/\/v1\/agents>; rel="successor-version"$/);
  });
});
