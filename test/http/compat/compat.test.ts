import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import {
  API_KEY,
  buildApp,
  NORA,
  roomToken,
  THEO,
  type BuiltApp,
} from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';
import type { Given, Recorded } from './recorded/recording.ts';
import { RECORDED, recordedOf } from './recorded/table.ts';
import { SECOND_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
let strangerKey: string;
beforeAll(async () => {
  const mapped = `tavus:r4067604db72=${SECOND_AVATAR.alias}, did:v2_agt_9=${SECOND_AVATAR.alias}`;
  service = await buildApp({ slots: 1_000, env: { DOOR_AVATARS: mapped } });
  strangerKey = await service.strangerKey();
});
afterAll(() => service.close());

const url = 'wss://media.their.example';
let rooms = 0;
const newValues = async (changes: Partial<Given> = {}): Promise<Given> => ({
  url,
  token: await roomToken({ roomJoin: true, room: `their-room-${(rooms += 1)}` }),
  key: API_KEY,
  avatar: SECOND_AVATAR.alias,
  earlier: [],
  ...changes,
});

const inject = (request: InjectOptions) =>
  service.app.server.inject({ method: 'POST', ...request });

/** Makes all calls of a session start; returns the last answer. */
async function start({ calls }: Recorded, values: Given) {
  const earlier: Given['earlier'] = [];
  for (const call of calls.slice(0, -1)) {
    const reply = await inject(call({ ...values, earlier }));
    expect(reply.statusCode, reply.body).toBe(200);
    earlier.push(reply.json());
  }
  const [lastCall] = calls.slice(-1);
  if (!lastCall) throw new Error('nothing recorded');
  return inject(lastCall({ ...values, earlier }));
}

const idOf = ({ id }: Recorded, reply: { json(): Record<string, string> }) => reply.json()[id]!;

const find = async (id: string) =>
  (await service.call('GET', `/v1/sessions/${id}`)).json<Record<string, unknown>>();

describe.each(RECORDED)('the start of $of', (recorded) => {
  test('opens a session for the avatar in its room', async () => {
    const values = await newValues();

    const reply = await start(recorded, values);

    expect(reply.statusCode, reply.body).toBe(201);
    const id = idOf(recorded, reply);
    expect(reply.json()).toMatchObject(recorded.answer ?? {});
    expect(await find(id)).toMatchObject({ avatar_id: THEO, url, status: { type: 'to_start' } });
    expect((await find(id))['max_session_length_minutes']).toBe(recorded.maxLengthMinutes);
  });

  test('gives the worker room, token, avatar and signals', async () => {
    const values = await newValues();

    const id = idOf(recorded, await start(recorded, values));

    const [worker] = service.workers;
    await until(() => worker!.performing.has(id));
    const assigned = worker!.performing.get(id);
    expect(assigned).toMatchObject({ room: { url, token: values.token }, avatarId: THEO });
    expect(assigned?.signals).toEqual(recorded.signals);
    expect(assigned?.video).toEqual({ width: 512, height: 512, ...recorded.size, fps: 25 });
  });

  test('reports unused fields', async () => {
    const reply = await start(recorded, await newValues());

    expect(reply.headers['x-troupe-unused']).toBe(recorded.unused?.join(', '));
  });

  test('finds the same session for the same token', async () => {
    const values = await newValues();
    const firstReply = await start(recorded, values);

    const secondReply = await start(recorded, values);

    expect(secondReply.statusCode).toBe(201);
    expect(secondReply.json()).toEqual(firstReply.json());
  });

  test('uses the fallback avatar for an unknown id, and says so', async () => {
    const reply = await start(recorded, await newValues({ avatar: 'theirs_77' }));

    expect(reply.headers['x-troupe-avatar']).toBe(`${NORA}; default`);
    expect(await find(idOf(recorded, reply))).toMatchObject({ avatar_id: NORA });
  });

  test('reports the chosen avatar', async () => {
    const reply = await start(recorded, await newValues({ avatar: THEO.toUpperCase() }));

    expect(reply.headers['x-troupe-avatar']).toBe(THEO);
  });
});

const ending = RECORDED.flatMap((recorded) =>
  recorded.end ? [{ ...recorded, end: recorded.end }] : [],
);

describe.each(ending)('the end call of $of', (recorded) => {
  test('ends the session', async () => {
    const values = await newValues();
    const id = idOf(recorded, await start(recorded, values));

    const ended = await inject(recorded.end(values, id));

    expect(ended.statusCode).toBe(ended.body === '' ? 204 : 200);
    expect(await find(id)).toMatchObject({
      status: { type: 'completed' },
      end_reason: 'ended_by_client',
    });
    expect((await inject(recorded.end(values, id))).statusCode).toBe(ended.statusCode);
  });

  test('has one entry in the audit log', async () => {
    const values = await newValues();
    const id = idOf(recorded, await start(recorded, values));

    await inject(recorded.end(values, id));
    await inject(recorded.end(values, id));

    const { data } = (await service.call('GET', `/v1/audit-log?target_id=${id}`)).json();
    expect(data).toMatchObject([{ action: 'session.ended', actor: { type: 'key' } }]);
  });

  test('ends no session of another account', async () => {
    const values = await newValues();
    const id = idOf(recorded, await start(recorded, values));

    const refused = await inject(recorded.end({ ...values, key: strangerKey }, id));

    expect(refused.statusCode).toBe(404);
    expect(await find(id)).toMatchObject({ status: { type: 'to_start' } });
  });
});

describe('avatars of a vendor adapter', () => {
  test('can be mapped per adapter by configuration', async () => {
    const avatar = 'r4067604db72';

    const mapped = await start(recordedOf('tavus 1.8.9'), await newValues({ avatar }));
    const otherReply = await start(recordedOf('keyframe 1.8.9'), await newValues({ avatar }));

    expect(mapped.headers['x-troupe-avatar']).toBe(THEO);
    expect(otherReply.headers['x-troupe-avatar']).toBe(`${NORA}; default`);
  });

  test('are not found under an invalid name', async () => {
    const avatar = 'data:image/png;base64,'.padEnd(5_000, 'A');

    const reply = await start(recordedOf('keyframe 1.8.9'), await newValues({ avatar }));

    expect(reply.headers['x-troupe-avatar']).toBe(`${NORA}; default`);
  });

  test('are listed for the plugin', async () => {
    const headers = { authorization: `Bearer ${API_KEY}` };

    const reply = await inject({ method: 'GET', url: '/compat/boson_avatar/avatars', headers });

    expect(reply.json()).toEqual({
      object: 'avatar.list',
      data: builtInAvatars()
        .all()
        .map(({ id, name }) => ({ avatar_id: id, name })),
    });
  });
});

describe('a picture for a vendor adapter', () => {
  const PICTURE = 5 * 1024 * 1024;

  test('may have several megabytes as a file', async () => {
    const call = recordedOf('lemonslice 1.8.9 with a picture').calls[0]!(await newValues());
    const payload = Buffer.from(
      call.payload!.toString('latin1').replace('pixels', 'x'.repeat(PICTURE)),
      'latin1',
    );

    const reply = await inject({ ...call, payload });

    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.headers['x-troupe-unused']).toBe('image');
  });

  test('may have several megabytes in base64', async () => {
    const call = recordedOf('bithuman 1.8.10').calls[0]!(await newValues());
    const image = Buffer.alloc(PICTURE, 7).toString('base64');
    const payload = JSON.stringify({ ...JSON.parse(String(call.payload)), image });

    const reply = await inject({ ...call, payload });

    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.headers['x-troupe-unused']).toBe('model, image');
  });
});

describe('an Idempotency-Key for a vendor adapter', () => {
  const boson = recordedOf('boson-avatar 1.8.9');

  test('opens another session with another token', async () => {
    const firstReply = await start(boson, await newValues());

    // The plugin reuses its key for all sessions of a job.
    const secondReply = await start(boson, await newValues());

    expect(secondReply.statusCode).toBe(201);
    expect(idOf(boson, secondReply)).not.toBe(idOf(boson, firstReply));
  });
});

describe('a refused start', () => {
  test('has the error fields that the plugin reads', async () => {
    const synthesia = recordedOf('synthesia 1.8.9');

    const noKey = await start(synthesia, await newValues({ key: 'not-a-key-of-ours' }));
    const noRoom = await start(synthesia, await newValues({ token: 'none' }));

    expect(noKey.json()).toMatchObject({
      detail: 'Invalid API key.',
      error: { code: 'unauthorized', message: 'Invalid API key.' },
    });
    expect(noRoom.json()).toMatchObject({
      error: {
        code: 'validation_error',
        message: 'body.livekitToken: The token is not a JWT.',
      },
    });
  });
});

describe('vendor adapters', () => {
  test('are not in the OpenAPI document', async () => {
    const document = await inject({ method: 'GET', url: '/openapi.json' });

    expect(document.body).not.toContain('/compat');
  });
});

describe('vendor adapters with another configuration', () => {
  let ownService: BuiltApp;
  beforeAll(async () => {
    ownService = await buildApp({
      env: { DOOR_DEFAULT_AVATAR: SECOND_AVATAR.alias, REQUESTS_PER_MINUTE: '2' },
    });
  });
  afterAll(() => ownService.close());

  test('use its fallback avatar and count against the rate limit', async () => {
    const call = recordedOf('did 1.8.9').calls[0]!(await newValues({ avatar: 'theirs' }));
    const open = () => ownService.app.server.inject({ method: 'POST', ...call });

    const replies = [await open(), await open(), await open()];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201, 429]);
    expect(replies[0]?.headers['x-troupe-avatar']).toBe(`${THEO}; default`);
  });
});
