import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../src/records/accounts.ts';
import { avatarBuildRecords, type AvatarBuildRecords } from '../../src/records/avatar-builds.ts';
import { avatarRecords, type AvatarRecords, type NewAvatar } from '../../src/records/avatars.ts';
import { blobRecords } from '../../src/records/blobs.ts';
import { isBrokenReference, type Database } from '../../src/records/engine/database.ts';
import { Lists } from '../../src/records/engine/pages.ts';
import { newDatabase } from '../support/records/database.ts';
import { newAvatar } from '../support/api/new-avatar.ts';

let db: Database;
let avatars: AvatarRecords & AvatarBuildRecords;
let accountId: string;
let pictureHash: string;
let backgroundHash: string;
let made: { bundleHash: string; portraitHash: string };

beforeEach(async () => {
  db = await newDatabase();
  const lists = new Lists(randomBytes(32));
  avatars = { ...avatarRecords(db, lists), ...avatarBuildRecords(db) };
  accountId = (await accountRecords(db).first(0)).id;
  const blobs = blobRecords(db);
  pictureHash = await blobs.put(Buffer.from('picture'), 0);
  backgroundHash = await blobs.put(Buffer.from('background'), 0);
  made = {
    bundleHash: await blobs.put(Buffer.from('bundle'), 0),
    portraitHash: await blobs.put(Buffer.from('portrait'), 0),
  };
});
afterEach(() => db.destroy());

const insert = async (given: Partial<NewAvatar> = {}, max: number | null = null) =>
  (await avatars.insert(newAvatar({ accountId, pictureHash, ...given }), max))!;

const begin = async (given: Partial<NewAvatar> = {}) => {
  const avatar = await insert(given);
  await avatars.claim(avatar, 'worker', 10);
  return { avatarId: avatar.id, epoch: 1 };
};

describe('avatar records', () => {
  test('are building at first, and ready with what was made', async () => {
    const { id } = await insert({ createdAt: 5 });
    expect(await avatars.find(accountId, id)).toMatchObject({
      status: 'building',
      progress: 0,
      consent: { statement: 'She agrees.', at: 0, keyId: null },
      queuedAt: 5,
    });

    await avatars.claim((await avatars.get(id))!, 'worker', 10);
    expect(await avatars.settle({ avatarId: id, epoch: 1 }, made, 7)).toBe(true);

    expect(await avatars.find(accountId, id)).toMatchObject({
      status: 'ready',
      progress: 100,
      settledAt: 7,
      ...made,
    });
    expect(await avatars.ready(accountId)).toHaveLength(1);
  });

  test('are there for their account only', async () => {
    const { id } = await insert();

    expect(await avatars.find('another', id)).toBeNull();
    expect((await avatars.page('another', { limit: 10 })).data).toEqual([]);
    expect(await avatars.delete('another', id)).toBeNull();
  });

  test('are as many as the account may have, also when they come at the same time', async () => {
    const some = await Promise.allSettled([1, 2, 3, 4].map(() => insert({}, 2)));

    expect(some.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(insert({}, 2)).rejects.toMatchObject({ fault: 'conflict' });
  });

  test('are claimed once', async () => {
    const avatar = await insert();

    const claims = await Promise.all(['a', 'b', 'c'].map((name) => avatars.claim(avatar, name, 9)));

    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await avatars.get(avatar.id)).toMatchObject({ epoch: 1, tries: 1 });
  });

  test('wait again when the claim has run out, the oldest first', async () => {
    const first = await begin({ createdAt: 1 });
    const second = await insert({ createdAt: 2 });

    expect((await avatars.waiting(9))?.id).toBe(second.id);
    expect((await avatars.waiting(10))?.id).toBe(first.avatarId);
  });

  test('wait again when the try is given up, which counts only if it was begun', async () => {
    const placement = await begin();

    await avatars.release(placement, false);
    expect(await avatars.waiting(0)).toMatchObject({ tries: 0, epoch: 1 });
    await avatars.claim((await avatars.waiting(0))!, 'worker', 10);
    await avatars.release({ ...placement, epoch: 2 }, true);

    expect(await avatars.waiting(0)).toMatchObject({ tries: 1, epoch: 2 });
  });

  test('listen to the newest try only', async () => {
    const placement = await begin();
    await avatars.claim((await avatars.get(placement.avatarId))!, 'another worker', 20);

    expect(await avatars.proceed(placement, 30, 50)).toBe(false);
    expect(await avatars.settle(placement, made, 5)).toBe(false);
    await avatars.release(placement, true);

    expect(await avatars.get(placement.avatarId)).toMatchObject({
      status: 'building',
      progress: 0,
      epoch: 2,
      claimedUntil: 20,
      workerId: 'another worker',
    });
  });

  test('change no more once they are settled', async () => {
    const placement = await begin();
    await avatars.settle(placement, { reason: 'no_face' }, 5);

    expect(await avatars.settle(placement, made, 6)).toBe(false);
    expect(await avatars.proceed(placement, 30, 50)).toBe(false);

    expect(await avatars.get(placement.avatarId)).toMatchObject({
      status: 'failed',
      reason: 'no_face',
    });
  });

  test('are not ready of what is not there', async () => {
    const placement = await begin();

    const settling = avatars.settle(placement, { ...made, bundleHash: 'f'.repeat(64) }, 5);

    await expect(settling).rejects.toSatisfy(isBrokenReference);
    expect(await avatars.get(placement.avatarId)).toMatchObject({ status: 'building' });
  });

  test('are settled with what is written beside it, or not at all', async () => {
    const placement = await begin();

    const settling = avatars.settle(placement, made, 5, async () => {
      throw new Error('the outbox is full');
    });

    await expect(settling).rejects.toThrow('the outbox is full');
    expect(await avatars.get(placement.avatarId)).toMatchObject({ status: 'building' });
  });

  test('are overdue when they were asked for long ago', async () => {
    const { id } = await insert({ createdAt: 5 });
    await insert({ createdAt: 6 });

    expect((await avatars.overdue(5)).map((avatar) => avatar.id)).toEqual([id]);
  });
});

describe('the avatar of a session’s picture', () => {
  test('is one for each picture of an account', async () => {
    const { id } = await insert({ isFromSession: true });

    expect(
      await avatars.insert(newAvatar({ accountId, pictureHash, isFromSession: true }), null),
    ).toBeNull();
    await insert();

    expect(await avatars.findByPicture(accountId, pictureHash)).toMatchObject({ id });
    expect(await avatars.findByPicture('another', pictureHash)).toBeNull();
  });

  test('is one that the account had made of it, once that is ready', async () => {
    const own = await begin();
    expect(await avatars.findByPicture(accountId, pictureHash)).toBeNull();

    await avatars.settle(own, made, 5);

    expect(await avatars.findByPicture(accountId, pictureHash)).toMatchObject({ id: own.avatarId });
  });

  test('is built once more when it failed', async () => {
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
  test('says what it was made of and from', async () => {
    const placement = await begin({ backgroundHash });
    await avatars.settle(placement, made, 5);

    const blobs = await avatars.delete(accountId, placement.avatarId);

    expect(blobs).toEqual([pictureHash, backgroundHash, made.bundleHash, made.portraitHash]);
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
