import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import {
  avatarBuildRecords,
  type AvatarBuildRecords,
} from '../../../src/records/avatars/avatar-builds.ts';
import {
  avatarRecords,
  type AvatarRecords,
  type NewAvatar,
} from '../../../src/records/avatars/avatars.ts';
import { blobRecords } from '../../../src/records/blobs.ts';
import { NO_LIMITS, type StorageLimits } from '../../../src/records/engine/account-limits.ts';
import { isBrokenReference, type Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { newDatabase } from '../../support/records/database.ts';
import { newAvatar } from '../../support/api/new-avatar.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let avatars: AvatarRecords & AvatarBuildRecords;
let accountId: string;
let pictureHash: string;
let backgroundHash: string;
let builtFiles: { bundleHash: string; portraitHash: string };

beforeEach(async () => {
  db = await newDatabase();
  const lists = new Lists(randomBytes(32));
  avatars = { ...avatarRecords(db, lists), ...avatarBuildRecords(db) };
  accountId = (await accountRecords(db).first(0)).id;
  const blobs = blobRecords(db, testEncryptor());
  pictureHash = await blobs.put(Buffer.from('picture'), 0);
  backgroundHash = await blobs.put(Buffer.from('background'), 0);
  builtFiles = {
    bundleHash: await blobs.put(Buffer.from('bundle'), 0),
    portraitHash: await blobs.put(Buffer.from('portrait'), 0),
  };
});
afterEach(() => db.destroy());

const insert = async (fields: Partial<NewAvatar> = {}, limits: Partial<StorageLimits> = {}) =>
  (await avatars.insert(newAvatar({ accountId, pictureHash, ...fields }), {
    ...NO_LIMITS,
    ...limits,
  }))!;

const begin = async (fields: Partial<NewAvatar> = {}) => {
  const avatar = await insert(fields);
  await avatars.claim(avatar, 'worker', 10);
  return { avatarId: avatar.id, epoch: 1, workerId: 'worker' };
};

describe('avatar records', () => {
  test('are building at first, then ready with their blobs', async () => {
    const { id } = await insert({ createdAt: 5 });
    expect(await avatars.find(accountId, id)).toMatchObject({
      status: 'building',
      progress: 0,
      consent: { statement: 'She agrees.', at: 0, keyId: null },
      queuedAt: 5,
    });

    await avatars.claim((await avatars.get(id))!, 'worker', 10);
    expect(
      await avatars.settle({ avatarId: id, epoch: 1, workerId: 'worker' }, builtFiles, 7),
    ).toBe(true);

    expect(await avatars.find(accountId, id)).toMatchObject({
      status: 'ready',
      progress: 100,
      settledAt: 7,
      ...builtFiles,
    });
    expect(await avatars.ready(accountId)).toHaveLength(1);
  });

  test('are visible to their account only', async () => {
    const { id } = await insert();

    expect(await avatars.find('another', id)).toBeNull();
    expect((await avatars.page('another', { limit: 10 })).data).toEqual([]);
    expect(await avatars.delete('another', id)).toBeNull();
  });

  test('are limited per account, also when inserted concurrently', async () => {
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => insert({}, { avatars: 2 })));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(insert({}, { avatars: 2 })).rejects.toMatchObject({ fault: 'conflict' });
  });

  test('are kept within the bytes of the account, with all their blobs', async () => {
    // Their blobs: 7 bytes of the picture, 10 of the background, 6 of the bundle, 8 of the
    // portrait.
    const firstAvatar = await insert({ backgroundHash }, { bytes: 17 });
    await avatars.claim(firstAvatar, 'worker', 10);
    await avatars.settle({ avatarId: firstAvatar.id, epoch: 1, workerId: 'worker' }, builtFiles, 7);
    const beyond = { fault: 'conflict', message: expect.stringContaining('custom avatars') };

    await expect(insert({}, { bytes: 37 })).rejects.toMatchObject(beyond);
    await expect(
      avatars.checkRoom(accountId, 7, { ...NO_LIMITS, bytes: 37 }),
    ).rejects.toMatchObject(beyond);

    expect((await avatars.page(accountId, { limit: 10 })).data).toHaveLength(1);
    await avatars.checkRoom(accountId, 7, { ...NO_LIMITS, bytes: 38 });
    await insert({}, { bytes: 38 });
  });

  test('are claimed once', async () => {
    const avatar = await insert();

    const claims = await Promise.all(['a', 'b', 'c'].map((name) => avatars.claim(avatar, name, 9)));

    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await avatars.get(avatar.id)).toMatchObject({ epoch: 1, tries: 1 });
  });

  test('wait again when the claim has expired, oldest first', async () => {
    const firstClaim = await begin({ createdAt: 1 });
    const secondAvatar = await insert({ createdAt: 2 });

    expect((await avatars.waiting(9))?.id).toBe(secondAvatar.id);
    expect((await avatars.waiting(10))?.id).toBe(firstClaim.avatarId);
  });

  test('wait again after a release, which counts as a try only if begun', async () => {
    const placement = await begin();

    await avatars.release(placement, false);
    expect(await avatars.waiting(0)).toMatchObject({ tries: 0, epoch: 1 });
    await avatars.claim((await avatars.waiting(0))!, 'worker', 10);
    await avatars.release({ ...placement, epoch: 2 }, true);

    expect(await avatars.waiting(0)).toMatchObject({ tries: 1, epoch: 2 });
  });

  test('accept changes by the newest claim only', async () => {
    const placement = await begin();
    await avatars.claim((await avatars.get(placement.avatarId))!, 'another worker', 20);

    expect(await avatars.renewClaim(placement, 30, 50)).toBe(false);
    expect(await avatars.settle(placement, builtFiles, 5)).toBe(false);
    await avatars.release(placement, true);

    expect(await avatars.get(placement.avatarId)).toMatchObject({
      status: 'building',
      progress: 0,
      epoch: 2,
      claimedUntil: 20,
      workerId: 'another worker',
    });
  });

  test('never change once settled', async () => {
    const placement = await begin();
    await avatars.settle(placement, { reason: 'no_face' }, 5);

    expect(await avatars.settle(placement, builtFiles, 6)).toBe(false);
    expect(await avatars.renewClaim(placement, 30, 50)).toBe(false);

    expect(await avatars.get(placement.avatarId)).toMatchObject({
      status: 'failed',
      reason: 'no_face',
    });
  });

  test('are not ready with missing blobs', async () => {
    const placement = await begin();

    const settling = avatars.settle(placement, { ...builtFiles, bundleHash: 'f'.repeat(64) }, 5);

    await expect(settling).rejects.toSatisfy(isBrokenReference);
    expect(await avatars.get(placement.avatarId)).toMatchObject({ status: 'building' });
  });

  test('are settled together with the alongside writes, or not at all', async () => {
    const placement = await begin();

    const settling = avatars.settle(placement, builtFiles, 5, async () => {
      throw new Error('the outbox is full');
    });

    await expect(settling).rejects.toThrow('the outbox is full');
    expect(await avatars.get(placement.avatarId)).toMatchObject({ status: 'building' });
  });

  test('are overdue when requested long ago', async () => {
    const { id } = await insert({ createdAt: 5 });
    await insert({ createdAt: 6 });

    expect((await avatars.overdue(5)).map((avatar) => avatar.id)).toEqual([id]);
  });
});

describe('the avatar of a session’s picture', () => {
  test('is one per picture and account', async () => {
    const { id } = await insert({ isFromSession: true });

    expect(
      await avatars.insert(newAvatar({ accountId, pictureHash, isFromSession: true })),
    ).toBeNull();
    await insert();

    expect(await avatars.findByPicture(accountId, pictureHash)).toMatchObject({ id });
    expect(await avatars.findByPicture('another', pictureHash)).toBeNull();
  });

  test("is the account's own avatar of the picture, once that is ready", async () => {
    const ownClaim = await begin();
    expect(await avatars.findByPicture(accountId, pictureHash)).toBeNull();

    await avatars.settle(ownClaim, builtFiles, 5);

    expect(await avatars.findByPicture(accountId, pictureHash)).toMatchObject({
      id: ownClaim.avatarId,
    });
  });

  test('is built again after a failure', async () => {
    const placement = await begin({ isFromSession: true });
    await avatars.settle(placement, { reason: 'no_face' }, 5);

    await avatars.queueAgain(placement.avatarId, 100);

    expect(await avatars.waiting(100)).toMatchObject({
      id: placement.avatarId,
      reason: null,
      tries: 0,
      queuedAt: 100,
    });
  });
});

describe('deleting an avatar', () => {
  test('returns the hashes of its blobs', async () => {
    const placement = await begin({ backgroundHash });
    await avatars.settle(placement, builtFiles, 5);

    const blobs = await avatars.delete(accountId, placement.avatarId);

    expect(blobs).toEqual([
      pictureHash,
      backgroundHash,
      builtFiles.bundleHash,
      builtFiles.portraitHash,
    ]);
    expect(await avatars.get(placement.avatarId)).toBeNull();
  });

  test('is refused while an agent refers to it', async () => {
    const { id } = await insert();
    const agent = { id: newRecordId(), account_id: accountId, avatar_id: id };
    await db
      .insertInto('agents')
      .values({
        ...agent,
        name: 'a',
        settings: '{}',
        external_api_id: null,
        created_at: 0,
        listed_at: 0,
      })
      .execute();

    await expect(avatars.delete(accountId, id)).rejects.toMatchObject({
      fault: 'conflict',
      about: { agent_id: [agent.id] },
    });
  });
});
