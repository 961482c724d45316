import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STILL_EVERY_MS } from '#protocol/pictures/stills.ts';
import type { Placement } from '#protocol/placement.ts';
import { createLog } from '../../../src/shared/log.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';

/** The beginning and the end of a JPEG, and something between to look for. */
const PICTURE = Buffer.from([0xff, 0xd8, ...Buffer.from('what the camera saw'), 0xff, 0xd9]);
const jpeg = PICTURE.toString('base64');

let service: BuiltApp;
let worker: SimulatedWorker;
let logged: string;
beforeEach(async () => {
  logged = '';
  const log = createLog({ name: 'test', level: 'trace' }, { write: (line) => (logged += line) });
  service = await buildApp({ slots: 3, log });
  worker = service.workers[0]!;
  worker.still = () => jpeg;
});
afterEach(() => service.close());

const look = (id: string, headers = {}) =>
  service.call('GET', `/v1/sessions/${id}/still`, { headers });
const looked = async (id: string) => (await look(id)).statusCode;
const requestCount = (): number =>
  worker.messages.filter(({ type }) => type === 'take_still').length;

const permit = (call_stills: boolean) =>
  service.call('PATCH', '/v1/account', { payload: { call_stills } });

async function showAvatar(): Promise<Placement> {
  const { placement } = await worker.next('assign');
  await worker.started(placement);
  return placement;
}
async function openSession(): Promise<string> {
  const payload = { avatar_id: NORA };
  return (await service.call('POST', '/v1/sessions', { payload })).json().id;
}
async function liveSession(): Promise<string> {
  const id = await openSession();
  await showAvatar();
  return id;
}

describe('the still of a session', () => {
  test('is what its worker shows, and no cache keeps it', async () => {
    const id = await liveSession();

    const reply = await look(id);

    expect(reply.statusCode).toBe(200);
    expect(reply.rawPayload).toEqual(PICTURE);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is taken only when somebody looks, and once for all who look within four seconds', async () => {
    const id = await liveSession();
    expect(requestCount()).toBe(0);

    const replies = await Promise.all([look(id), look(id), look(id)]);
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    service.clock.advance(STILL_EVERY_MS - 1);
    await look(id);
    expect(requestCount()).toBe(1);

    service.clock.advance(1);
    await look(id);
    expect(requestCount()).toBe(2);
  });

  test('is missing before the first frame and after the end', async () => {
    const id = await openSession();
    const replyBefore = await look(id);
    const placement = await showAvatar();
    await worker.ended(placement, 'agent_left');

    expect([replyBefore.statusCode, await looked(id), requestCount()]).toEqual([409, 409, 0]);
    expect(replyBefore.json()).toMatchObject({ code: 'conflict', advice: expect.any(String) });
  });

  test('is missing while a worker does not answer, which is not asked again at once', async () => {
    const id = await liveSession();
    worker.still = null;
    const looking = look(id);
    await worker.next('take_still');
    service.clock.advance(2_000);

    expect((await looking).statusCode).toBe(409);
    expect([await looked(id), requestCount()]).toEqual([409, 1]);
  });

  test('is missing when the worker goes while it is asked', async () => {
    const id = await liveSession();
    worker.still = null;
    const looking = look(id);
    await worker.next('take_still');
    await worker.close();

    expect((await looking).statusCode).toBe(409);
  });

  test('is not asked of an older worker', async () => {
    await worker.close();
    const older = await service.join({ abilities: ['speech_sources'] });
    const id = await openSession();
    await older.started((await older.next('assign')).placement);

    expect(await looked(id)).toBe(409);
    await older.atRest();
    expect(older.messages.map(({ type }) => type)).not.toContain('take_still');
  });

  test('comes from the worker that has the session now', async () => {
    const id = await liveSession();
    await look(id);
    const second = await service.join({ slots: 1 });
    const picture = Buffer.from('another picture').toString('base64');
    second.still = () => picture;
    await worker.close();
    await second.started((await second.next('assign')).placement);

    expect((await look(id)).body).toBe('another picture');
  });

  test('is for keys that may read sessions of its account, and for no page', async () => {
    const id = await liveSession();
    const make = async (scopes: string[]) => {
      const payload = { name: 'limited', scopes };
      return (await service.call('POST', '/v1/api-keys', { payload })).json().key as string;
    };
    const permitted = await make(['sessions:read']);
    const otherKey = await make(['avatars:write']);
    const stranger = await service.strangerKey();
    const { token } = (
      await service.app.server.inject({
        method: 'POST',
        url: '/page-token',
        payload: { code: service.app.pageCode },
      })
    ).json();

    const statuses = [];
    for (const key of [permitted, otherKey, stranger])
      statuses.push((await look(id, { 'x-api-key': key })).statusCode);
    const page = await look(id, { 'x-api-key': '', 'x-page-token': token });

    expect(statuses).toEqual([200, 403, 404]);
    expect(page.statusCode).toBe(401);
    expect(requestCount()).toBe(1);
  });

  test('is in no file, log line or list of requests', async () => {
    const id = await liveSession();
    expect(await looked(id)).toBe(200);

    const requests = (await service.call('GET', '/v1/request-log')).json();

    const ownRequest = requests.data.find(({ path }: { path: string }) => path.endsWith('/still'));
    expect(ownRequest).toMatchObject({ status: 200, response_body: null });
    const files = readdirSync(service.place.dataDir, { recursive: true, withFileTypes: true });
    const fileTexts = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(path.join(file.parentPath, file.name), 'latin1'));
    expect(fileTexts.length).toBeGreaterThan(0);
    for (const text of [...fileTexts, logged]) {
      expect(text).not.toContain('what the camera saw');
      expect(text).not.toContain(jpeg);
    }
  });
});

describe('the still of a call', () => {
  let call: string;
  beforeEach(async () => {
    const payload = { agent_id: (await addAgent(service)).id };
    call = (await service.call('POST', '/v1/calls', { payload })).json().session_id;
    await showAvatar();
  });

  test('is not taken unless the owner turns it on, and not after it is turned off', async () => {
    const hidden = await look(call);
    expect(hidden.statusCode).toBe(403);
    expect(hidden.json()).toMatchObject({
      detail: 'The session belongs to a call, and the account shows no stills of calls.',
      advice: expect.stringContaining('call_stills'),
    });
    expect(requestCount()).toBe(0);

    await permit(true);
    expect(await looked(call)).toBe(200);
    await permit(false);
    // A still of the last four seconds is hidden, too.
    expect(await looked(call)).toBe(403);
  });

  test('stays hidden for an account that turned on its own', async () => {
    await permit(true);
    const headers = { 'x-api-key': await service.strangerKey() };
    await service.call('PATCH', '/v1/account', { payload: { call_stills: true }, headers });

    expect((await look(call, headers)).statusCode).toBe(404);
    expect(requestCount()).toBe(0);
  });

  test('leaves sessions without a call as they are', async () => {
    const id = await liveSession();

    expect(await looked(id)).toBe(200);
  });
});
