import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PLANS } from '../../../src/accounts/plan.ts';
import { GIVE_UP_UPLOAD_MS } from '../../../src/knowledge/stale-uploads.ts';
import { MAX_CHUNK_BYTES } from '../../../src/knowledge/upload.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { pictureBytes } from '../../support/api/form.ts';
import { file, PhotoAvatars, sound } from '../../support/api/photo-avatars.ts';
import { until } from '../../support/until.ts';

const MIB = 1024 ** 2;

let service: BuiltApp;
let headers: Record<string, string>;
beforeEach(async () => {
  service = await buildApp({ agentSlots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  ({ headers } = await makeAccount(service, 'free'));
});
afterEach(() => service.close());

const root = '/v1/knowledge-files';
const create = (payload: object = { name: 'Prices', format: 'text' }) =>
  service.call('POST', root, { headers, payload });
const put = (id: string, number: number, payload: Buffer) =>
  service.call('PUT', `${root}/${id}/upload?chunk_number=${number}`, {
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    payload,
  });

const createAgent = () =>
  service.call('POST', '/v1/agents', { headers, payload: { name: 'a', avatar_id: NORA } });
const newPicture = () => file(pictureBytes(`pixels ${Math.random()}`));

describe("the free plan's storage", () => {
  test('holds a number of agents', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < PLANS.free.agents + 1; index += 1) {
      statuses.push((await createAgent()).statusCode);
    }

    expect(statuses.filter((status) => status === 201)).toHaveLength(PLANS.free.agents);
    expect(statuses.at(-1)).toBe(409);
    expect((await createAgent()).json().detail).toMatch(/^Your plan includes 10 agents\./);
  });

  test('and that of others holds a number of external APIs', async () => {
    const creator = await makeAccount(service, 'creator');
    const create = () =>
      service.call('POST', '/v1/external-apis', {
        headers: creator.headers,
        payload: {
          type: 'openai_compatible_llm',
          name: 'Model',
          url: 'https://llm.example/v1',
          api_key: 'sk-1',
        },
      });
    const replies = await Promise.all(
      Array.from({ length: PLANS.creator.externalApis + 2 }, () => create()),
    );

    const statuses = replies.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(PLANS.creator.externalApis);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
  });

  test('holds a number of knowledge files', async () => {
    const most = PLANS.free.knowledgeFiles;
    for (let index = 0; index < most; index += 1) expect((await create()).statusCode).toBe(201);

    const refused = await create();

    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { detail: `Your plan includes ${most} knowledge files. Delete one or upgrade your plan.` },
    ]);
  });

  test('holds a number of bytes, also of uploads that are never submitted', async () => {
    const chunk = Buffer.alloc(MAX_CHUNK_BYTES, 'x');
    const statuses: number[] = [];
    let id = '';
    let stored = 0;
    for (let number = 0; stored + MAX_CHUNK_BYTES <= PLANS.free.storedMiB * MIB; number += 1) {
      if (number % 8 === 0) id = (await create()).json().id;
      statuses.push((await put(id, number % 8, chunk)).statusCode);
      stored += MAX_CHUNK_BYTES;
    }

    const refused = await put(id, 9, chunk);

    expect(new Set(statuses)).toEqual(new Set([204]));
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        detail:
          'Your plan includes 100 MiB of knowledge files and custom avatars. Delete some or upgrade your plan.',
      },
    ]);
    await service.call('DELETE', `${root}/${id}`, { headers });
    const nextId = (await create()).json<{ id: string }>().id;
    expect((await put(nextId, 0, chunk)).statusCode).toBe(204);
  });

  test('is free again a day after an upload was abandoned', async () => {
    const { id } = (await create()).json();
    await put(id, 0, Buffer.from('x'));

    service.clock.leap(GIVE_UP_UPLOAD_MS + 3_600_000);

    await until(
      async () => (await service.call('GET', `${root}/${id}`, { headers })).statusCode === 404,
    );
  });

  test('keeps no bytes of a refused photo', async () => {
    const photos = await PhotoAvatars.open(service);
    expect((await photos.create({ ...sound(), picture: newPicture() }, headers)).statusCode).toBe(
      201,
    );
    const blobsBefore = await blobs();

    const refused = await photos.create(
      { ...sound(), picture: newPicture(), background: newPicture() },
      headers,
    );

    expect(refused.statusCode).toBe(409);
    expect(blobsBefore.rows).toHaveLength(1);
    expect(await blobs()).toEqual(blobsBefore);
  });

  test('keeps no bytes of photos refused at the same time', async () => {
    const photos = await PhotoAvatars.open(service);
    const pictures = [1, 2, 3, 4].map((n) => file(pictureBytes(`pixels ${n}`)));

    const replies = await Promise.all(
      pictures.map((picture) => photos.create({ ...sound(), picture }, headers)),
    );

    const statuses = replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409]);
    expect((await blobs()).rows).toHaveLength(1);
  });
});

/** Of all accounts: rows, and files in DATA_DIR. */
async function blobs() {
  const database = service.place.open();
  const rows = await database.selectFrom('blobs').select('hash').orderBy('hash').execute();
  await database.destroy();
  const isInFiles = service.place.env.DATABASE_URL === undefined;
  const files = isInFiles ? readdirSync(path.join(service.place.dataDir, 'blobs')).sort() : [];
  return { rows: rows.map(({ hash }) => hash), files };
}
