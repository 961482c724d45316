import { describe, expect, test } from 'vitest';
import { AddressRefused } from '#shared/network/address-policy.ts';
import type { OutgoingRequest } from '../../src/egress/outgoing-request.ts';
import { OutsideService } from '../../src/overflow/outside-service.ts';
import { TestClock } from '../support/test-clock.ts';

const target = { url: 'https://avatars.example/', apiKey: 'their-key' };
const order = {
  name: 'ours-1',
  avatarId: 'mira',
  room: { url: 'wss://media.example', token: 'a-room-token' },
  maxMinutes: 10,
};
const session = { id: 'theirs', status: { type: 'to_start' } };

const publicUrl = (roomUrl: string) => roomUrl;

/** Answers each request in turn, and the last one again. */
function serviceWith(...answers: { status: number; body: unknown }[]) {
  const clock = new TestClock();
  const requests: OutgoingRequest[] = [];
  const service = new OutsideService({
    clock,
    publicUrl,
    async request(request) {
      const { status, body } = answers[Math.min(requests.length, answers.length - 1)]!;
      requests.push(request);
      return { status, contentType: '', body: Buffer.from(JSON.stringify(body)) };
    },
  });
  return { service, requests, clock };
}

/** Never answers. */
function silentService() {
  const clock = new TestClock();
  const signals: AbortSignal[] = [];
  const service = new OutsideService({
    clock,
    publicUrl,
    request: ({ signal }) =>
      new Promise((_, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  });
  return { service, clock, signals };
}

const askedAt = Date.UTC(2026, 0, 1, 12);
const listed = (name: string, at: number) => ({
  ...session,
  id: name,
  created_at: new Date(at).toISOString(),
  metadata: { troupe_overflow: name },
});
const page = (cursor: string | null, ...data: object[]) => ({
  status: 200,
  body: { data, has_more: cursor !== null, ...(cursor !== null && { next_cursor: cursor }) },
});

describe('an outside service', () => {
  test('is asked by its public interface, with a key for repeated requests', async () => {
    const { service, requests } = serviceWith({ status: 201, body: session });

    expect(await service.create(target, order)).toMatchObject({
      type: 'seen',
      session: { id: 'theirs', status: 'to_start', startedAt: null },
    });

    expect(requests[0]).toMatchObject({
      url: 'https://avatars.example/v1/sessions',
      method: 'POST',
      headers: { 'x-api-key': 'their-key', 'idempotency-key': 'ours-1' },
    });
    expect(JSON.parse(String(requests[0]!.body))).toEqual({
      avatar_id: 'mira',
      url: 'wss://media.example',
      token: 'a-room-token',
      max_session_length_minutes: 10,
      metadata: { troupe_overflow: 'ours-1' },
    });
  });

  test('that repeats its key or the room token does not show them', async () => {
    const detail = 'Wrong: their-key and a-room-token';
    const { service } = serviceWith({ status: 422, body: { detail } });

    expect(await service.create(target, order)).toEqual({
      type: 'refused',
      problem: 'It refuses the session (422). It says: Wrong: *** and ***',
      isUnknown: false,
    });
  });

  test.each([
    [401, {}, 'refused'],
    [503, { reason: 'full' }, 'refused'],
    // The request may go on there.
    [503, { detail: 'Please try again.' }, 'silent'],
    [502, 'a page', 'silent'],
    [201, { id: 'theirs' }, 'silent'],
    [201, null, 'silent'],
  ])('that answers %i %j to a creation counts as %3$s', async (status, body, type) => {
    const { service } = serviceWith({ status, body });

    expect(await service.create(target, order)).toMatchObject({ type });
  });

  test.each([
    [404, {}, 'absent'],
    [500, {}, 'silent'],
    [403, {}, 'silent'],
    [200, { ...session, status: { type: 'asleep' } }, 'silent'],
  ])('that answers %i %j about a session counts as %3$s', async (status, body, type) => {
    const { service } = serviceWith({ status, body });

    expect(await service.retrieve(target, 'theirs')).toMatchObject({ type });
    expect(await service.end(target, 'theirs')).toMatchObject({ type });
  });

  test('is silent after ten seconds, and the request is ended', async () => {
    const { service, clock, signals } = silentService();
    const answer = service.retrieve(target, 'theirs');

    clock.advance(10_000);

    expect(await answer).toEqual({
      type: 'silent',
      problem: 'It did not answer within 10 s.',
    });
    expect(signals[0]!.aborted).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('is asked no longer when this service stops', async () => {
    const { service, clock } = silentService();
    const answer = service.create(target, order);

    service.close();

    expect(await answer).toMatchObject({ type: 'silent' });
    expect(clock.waiting).toBe(0);
  });

  test('at a refused address is not asked', async () => {
    const service = new OutsideService({
      clock: new TestClock(),
      publicUrl,
      request: () => Promise.reject(new AddressRefused('The name points into a private network.')),
    });

    expect(await service.retrieve(target, 'theirs')).toEqual({
      type: 'silent',
      problem: 'The name points into a private network.',
    });
  });

  describe('with a session whose creation was not answered', () => {
    test('is searched page by page', async () => {
      const { service, requests } = serviceWith(
        page('a b', listed('another', askedAt)),
        page(null, listed('ours-1', askedAt)),
      );

      expect(await service.find(target, 'ours-1', askedAt)).toMatchObject({
        type: 'seen',
        session: { id: 'ours-1' },
      });
      expect(requests[1]!.url).toBe('https://avatars.example/v1/sessions?limit=50&cursor=a%20b');
    });

    test('is searched back to ten minutes before, and to the end', async () => {
      const older = serviceWith(page('more', listed('another', askedAt - 600_001)));
      const short = serviceWith(page(null, listed('another', askedAt)));

      expect(await older.service.find(target, 'ours-1', askedAt)).toEqual({ type: 'absent' });
      expect(older.requests).toHaveLength(1);
      expect(await short.service.find(target, 'ours-1', askedAt)).toEqual({ type: 'absent' });
    });

    test('says nothing if there are too many to look through', async () => {
      const { service, requests } = serviceWith(page('more', listed('another', askedAt)));

      expect(await service.find(target, 'ours-1', askedAt)).toMatchObject({ type: 'silent' });
      expect(requests).toHaveLength(20);
    });

    test('says nothing if it does not answer with a list', async () => {
      const { service } = serviceWith({ status: 429, body: { detail: 'Later.' } });

      expect(await service.find(target, 'ours-1', askedAt)).toMatchObject({ type: 'silent' });
    });
  });
});
