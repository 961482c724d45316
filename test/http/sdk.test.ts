import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import {
  API_KEY,
  BUILT_IN,
  buildApp,
  NORA,
  roomToken,
  THEO,
  type BuiltApp,
} from '../support/api/build-app.ts';

type Session = { id: string; avatar_id: string; livekit_url: string; created_at: string };
type Agent = { id: string; name: string; capabilities: string[] };
type Call = { id: string; agent_id: string; started_at: string; ended_at: string | null };
type Listed<Item> = Promise<Item[]>;

/** The SDK types used here. The SDK's own types may not be installed. */
type Client = {
  auth: { verify(): Promise<unknown> };
  avatar: { list(): Listed<{ id: string; name: string }> };
  session: {
    create(body: Record<string, string>): Promise<Session>;
    retrieve(id: string): Promise<Session>;
    list(): Listed<Session>;
  };
  agent: {
    create(body: Record<string, unknown>): Promise<Agent>;
    list(): Listed<Agent>;
    delete(id: string): Promise<unknown>;
  };
  calls: {
    /** Typed as a plain array; newer clients expect a page. */
    list(): Promise<{ data: Call[] }>;
    listMessages(id: string): Listed<{ message: string; sender: string; sent_at: string }>;
  };
};
type Sdk = new (options: { baseURL: string; apiKey: string; maxRetries?: number }) => Client;

const folder = new URL('../clients/sdk/', import.meta.url);
const isInstalled = existsSync(new URL('node_modules/@bey-dev/sdk', folder));

let service: BuiltApp;
let client: Client;
let stranger: Client;

// `npm test` installs the SDK, and fails under CI if it cannot.
describe.skipIf(!isInstalled)('the published SDK, unmodified', () => {
  beforeAll(async () => {
    service = await buildApp({ clock: systemClock });
    const Sdk = (createRequire(folder)('@bey-dev/sdk') as { default: Sdk }).default;
    client = new Sdk({ baseURL: service.url, apiKey: API_KEY });
    stranger = new Sdk({ baseURL: service.url, apiKey: 'not-a-key-of-ours', maxRetries: 0 });
  });
  afterAll(() => service.close());

  test('checks a key', async () => {
    await client.auth.verify();

    await expect(stranger.auth.verify()).rejects.toMatchObject({
      status: 401,
      error: { detail: 'Invalid API key.' },
    });
  });

  test('lists avatars', async () => {
    expect(await client.avatar.list()).toEqual(
      BUILT_IN.map((id) => expect.objectContaining({ id, name: expect.any(String) })),
    );
  });

  test('creates, retrieves and lists sessions', async () => {
    const room = {
      livekit_url: 'wss://media.their.example',
      livekit_token: await roomToken(undefined, {
        exp: Math.floor(systemClock.now() / 1000) + 3_600,
      }),
    };

    const session = await client.session.create({ avatar_id: NORA, ...room });

    expect(session).toMatchObject({ avatar_id: NORA, ...room, created_at: expect.any(String) });
    expect(await client.session.retrieve(session.id)).toEqual(session);
    expect(await client.session.list()).toEqual([session]);
    await expect(client.session.retrieve('none')).rejects.toMatchObject({ status: 404 });
    await expect(
      client.session.create({ avatar_id: NORA, ...room, livekit_token: 'none' }),
    ).rejects.toMatchObject({
      status: 422,
      error: { detail: [{ loc: ['body', 'livekit_token'] }] },
    });
  });

  test('creates, lists and deletes agents', async () => {
    const agentFields = {
      name: 'Guide',
      avatar_id: NORA,
      system_prompt: 'You show people around.',
      language: 'en-GB',
      greeting: 'Hello!',
      max_session_length_minutes: 10,
      capabilities: ['webcam_vision'],
    };

    const agent = await client.agent.create(agentFields);
    const nameless = await client.agent.create({ avatar_id: THEO, system_prompt: 'Be brief.' });

    expect(agent).toMatchObject(agentFields);
    expect(await client.agent.list()).toEqual([nameless, agent]);
    await client.agent.delete(nameless.id);
    expect(await client.agent.list()).toEqual([agent]);
    await expect(client.agent.delete(nameless.id)).rejects.toMatchObject({ status: 404 });
  });

  test('lists calls and their messages', async () => {
    const { id: agentId } = await client.agent.create({
      name: 'Caller',
      avatar_id: NORA,
      system_prompt: 'You answer calls.',
    });
    const opened = await service.call('POST', '/v1/calls', { payload: { agent_id: agentId } });
    expect(opened.statusCode).toBe(201);
    const { id } = opened.json<{ id: string }>();

    const { data } = await client.calls.list();

    expect(data).toEqual([
      expect.objectContaining({ id, agent_id: agentId, started_at: expect.any(String) }),
    ]);
    expect(data[0]).toHaveProperty('ended_at', null);
    expect(await client.calls.listMessages(id)).toEqual([]);
    await expect(client.calls.listMessages('none')).rejects.toMatchObject({ status: 404 });
  });
});
