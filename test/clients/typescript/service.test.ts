import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  Troupe,
  ValidationError,
} from '../../../src/clients/typescript/src/index.ts';
import { API_KEY, BUILT_IN, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { FIRST_AVATAR, SECOND_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
let troupe: Troupe;
beforeAll(async () => {
  service = await buildApp({ clock: systemClock });
  troupe = new Troupe({ apiKey: API_KEY, baseUrl: service.url });
});
afterAll(() => service.close());

describe('the TypeScript client', () => {
  test('checks its key', async () => {
    await expect(troupe.auth.verify()).resolves.toBeUndefined();

    const stranger = new Troupe({ apiKey: 'not-a-key-of-ours', baseUrl: `${service.url}/` });
    const error = await stranger.auth.verify().catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, message: '401 Invalid API key.', problems: [] });
    expect((error as AuthenticationError).requestId).toMatch(/^[\da-f-]{36}$/);
  });

  test('needs a key', () => {
    expect(() => new Troupe({ baseUrl: service.url })).toThrow(
      'pass `apiKey`, or set TROUPE_API_KEY',
    );
  });

  test('opens, finds, lists and ends sessions', async () => {
    const opened = await troupe.sessions.create({
      avatar_id: FIRST_AVATAR.alias,
      metadata: { order: '7' },
    });

    expect(opened).toMatchObject({ avatar_id: NORA, transport: 'mediaserver' });
    expect(opened.status).toEqual({ type: 'to_start' });
    expect(opened.transport === 'mediaserver' && opened.room?.viewer_token).toBeTruthy();
    const session = await troupe.sessions.retrieve(opened.id);
    expect(session.metadata).toEqual({ order: '7' });
    expect((await troupe.sessions.list({ limit: 1 })).data).toEqual([session]);
    await troupe.sessions.end(opened.id);
    expect((await troupe.sessions.retrieve(opened.id)).status.type).toBe('completed');
  });

  test('sends one request once, however often it is repeated', async () => {
    const options = { idempotencyKey: randomBytes(8).toString('hex') };

    const firstSession = await troupe.sessions.create({ avatar_id: SECOND_AVATAR.alias }, options);
    const second = await troupe.sessions.create({ avatar_id: SECOND_AVATAR.alias }, options);

    expect(second.id).toBe(firstSession.id);
    await expect(
      troupe.sessions.create({ avatar_id: FIRST_AVATAR.alias }, options),
    ).rejects.toThrow(ConflictError);
  });

  test('says what is wrong with a request', async () => {
    const error = await troupe.calls
      .create({ agent_id: '', user_email: 'nobody' })
      .catch((failure: unknown) => failure);

    expect(error).toBeInstanceOf(ValidationError);
    const { problems, message } = error as ValidationError;
    expect(problems.map(({ loc }) => loc)).toContainEqual(['body', 'user_email']);
    expect(message).toMatch(/^422 body\./);
    await expect(troupe.agents.retrieve('none')).rejects.toThrow(NotFoundError);
  });

  test('does not turn an empty id into another request', async () => {
    await expect(async () => troupe.sessions.delete('')).rejects.toThrow('The id is empty.');
  });

  test('keeps ids inside their part of the path', async () => {
    await expect(troupe.sessions.retrieve('../avatars')).rejects.toThrow(NotFoundError);
  });

  test('iterates lists over all their pages', async () => {
    const agentIds: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      agentIds.unshift((await troupe.agents.create({ name: `Agent ${at}`, avatar_id: NORA })).id);
    }

    const listedIds: string[] = [];
    for await (const agent of troupe.agents.list({ limit: 2 })) listedIds.push(agent.id);
    const sizes: number[] = [];
    for await (const page of troupe.agents.list({ limit: 2 }).pages()) sizes.push(page.data.length);
    const firstThree = await troupe.agents.list({ limit: 2 }).toArray({ max: 3 });

    expect(listedIds).toEqual(agentIds);
    expect(sizes).toEqual([2, 2, 1]);
    expect(firstThree.map(({ id }) => id)).toEqual(agentIds.slice(0, 3));
    expect((await troupe.avatars.list({ limit: 50 })).data.map(({ id }) => id)).toEqual(BUILT_IN);
  });

  test('uploads a knowledge file in chunks', async () => {
    const { id } = await troupe.knowledgeFiles.create({ name: 'Prices', format: 'text' });
    const text = new TextEncoder().encode('Eggs are two dollars.');

    await troupe.knowledgeFiles.upload(id, text.slice(0, 9), { chunk_number: 1 });
    await troupe.knowledgeFiles.upload(id, text.slice(9), { chunk_number: 2 });
    const file = await troupe.knowledgeFiles.submit(id, { chunks: 2, size: text.length });

    expect(file).toMatchObject({ status: 'available', content: 'Eggs are two dollars.' });
    await troupe.knowledgeFiles.delete(id);
  });

  test('sends a photo as a form', async () => {
    const failed = await troupe.avatars
      .create({ name: 'Me', consent: 'I agree.', picture: new Blob(['no picture']) })
      .catch((failure: unknown) => failure);

    // The form arrived whole; only the picture is none.
    expect(failed).toMatchObject({ status: expect.toBeOneOf([400, 422]) });
    expect((failed as Error).message).toContain('picture');
  });

  test('gives bodies that are not JSON as they are', async () => {
    const response = await troupe.export.create();

    expect(response.headers.get('content-type')).toBe('application/gzip');
    const hash = createHash('sha256');
    for await (const bytes of response.body!) hash.update(bytes);
    expect(hash.digest('hex')).toHaveLength(64);
  });
});
