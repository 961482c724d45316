import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, NORA, THEO, type BuiltApp } from '../../support/api/build-app.ts';
import { SECOND_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
const start = async () => {
  service = await buildApp();
};
const stop = () => service.close();

const MINUTE = 60_000;

const open = async (avatar = NORA): Promise<string> =>
  (await service.call('POST', '/v1/sessions', { payload: { avatar_id: avatar } })).json().id;
const list = (query: Record<string, string>) =>
  service.call('GET', `/v1/sessions?${new URLSearchParams(query)}`);
const idsOf = async (query: Record<string, string>): Promise<string[]> => {
  const { data } = (await list(query)).json();
  return data.map(({ id }: { id: string }) => id);
};

describe('the session list', () => {
  beforeEach(start);
  afterEach(stop);

  test('filters by status', async () => {
    const ended = await open();
    const waiting = await open();
    await service.call('POST', `/v1/sessions/${ended}/end`);

    expect(await idsOf({ status: 'completed' })).toEqual([ended]);
    expect(await idsOf({ status: 'to_start' })).toEqual([waiting]);
    expect(await idsOf({ status: 'ongoing' })).toEqual([]);
  });

  test('filters by avatar id or alias', async () => {
    const theos = await open(THEO);
    await open(NORA);

    expect(await idsOf({ avatar_id: THEO })).toEqual([theos]);
    expect(await idsOf({ avatar_id: SECOND_AVATAR.alias })).toEqual([theos]);
  });

  test('filters by creation time, including `from` and excluding `to`', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push(await open());
      await service.workers[0]?.atRest();
      service.clock.advance(MINUTE / 2);
      await service.workers[0]?.atRest();
      service.clock.advance(MINUTE / 2);
      await service.workers[0]?.atRest();
    }

    expect(await idsOf({ from: '2026-01-01T12:01:00Z' })).toEqual([ids[2], ids[1]]);
    expect(await idsOf({ to: '2026-01-01T12:01:00Z' })).toEqual([ids[0]]);
    const from = '2026-01-01T13:01:00.000000+01:00';
    expect(await idsOf({ from, to: '2026-01-01T12:02:00Z' })).toEqual([ids[1]]);
    expect(await idsOf({ from, to: from })).toEqual([]);
  });

  test('is paged under every filter', async () => {
    const theos: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      theos.unshift(await open(THEO));
      await open(NORA);
    }
    const filter = {
      avatar_id: SECOND_AVATAR.alias,
      status: 'to_start',
      from: '2026-01-01T00:00:00Z',
    };

    const firstPage = (await list({ ...filter, limit: '2' })).json();
    const cursor = firstPage.next_cursor;
    const secondPage = (await list({ ...filter, limit: '2', cursor })).json();

    expect(secondPage.has_more).toBe(false);
    expect([...firstPage.data, ...secondPage.data].map(({ id }: { id: string }) => id)).toEqual(
      theos,
    );
    for (const otherFilter of [
      {},
      { ...filter, avatar_id: NORA },
      { avatar_id: SECOND_AVATAR.alias },
    ]) {
      const reply = await list({ ...otherFilter, cursor });
      expect(reply.statusCode).toBe(422);
      expect(reply.json().detail[0]).toMatchObject({ type: 'invalid_cursor' });
    }
  });
});

describe('an invalid filter', () => {
  beforeAll(start);
  afterAll(stop);

  test('with `from` after `to` is refused', async () => {
    const reply = await list({ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' });

    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ detail: '`from` is after `to`.' });
  });

  test('with an unknown avatar is refused', async () => {
    const reply = await list({ avatar_id: 'nobody' });

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ avatar_id: 'nobody' });
  });

  test.each([
    { name: 'status', value: 'asleep' },
    { name: 'from', value: 'yesterday' },
    { name: 'from', value: '2026-01-01T12:00:00' },
    { name: 'from', value: '2026-02-30T12:00:00Z' },
    { name: 'to', value: '2016-12-31T23:59:60Z' },
    { name: 'to', value: '' },
    { name: 'avatar_id', value: '' },
    { name: 'avatar_id', value: 'a\0b' },
  ])('$name=$value is refused', async ({ name, value }) => {
    const reply = await list({ [name]: value });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0]).toMatchObject({ loc: ['query', name] });
  });
});
