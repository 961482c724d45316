import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isoTime } from '#shared/iso-time.ts';
import { TIMELINE } from '#protocol/timeline.ts';
import type { Placement } from '#protocol/placement.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';

type Entry = { at: string; kind: string } & Record<string, unknown>;

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0 });
});
afterEach(() => service.close());

async function open(): Promise<string> {
  const payload = { avatar_id: NORA };
  return (await service.call('POST', '/v1/sessions', { payload })).json().id;
}

const timeline = async (id: string): Promise<{ data: Entry[]; left_out: number }> =>
  (await service.call('GET', `/v1/sessions/${id}/timeline`)).json();
/** Milliseconds after the start of the clock. */
const at = (ms: number) => isoTime(Date.UTC(2026, 0, 1, 12) + ms);
const kinds = async (id: string) => (await timeline(id)).data.map(({ kind }) => kind);

const noted = (worker: SimulatedWorker, placement: Placement, happenings: object[]) =>
  worker.say({ type: 'noted', placement, happenings: happenings as never });

describe('the timeline of a session', () => {
  test('covers the session from request to end', async () => {
    const worker = await service.join({ workerId: 'first', slots: 1 });
    const id = await open();
    const { placement } = await worker.next('assign');
    await worker.atRest();
    service.clock.advance(400);
    noted(worker, placement, [{ kind: 'joined', agoMs: 200 }]);
    await worker.started(placement, 100);
    noted(worker, placement, [
      { kind: 'speech_received', agoMs: 0, segment: 1 },
      { kind: 'of_a_later_version', agoMs: 0 },
      {
        kind: 'speech_finished',
        agoMs: 0,
        segment: 1,
        positionSeconds: 1.5,
        interrupted: false,
      },
    ]);
    await worker.ended(placement, 'agent_left');

    const { data, left_out } = await timeline(id);

    expect(left_out).toBe(0);
    expect(data).toEqual([
      { at: at(0), kind: 'created' },
      { at: at(0), kind: 'queued', waited_ms: 0 },
      { at: at(0), kind: 'assigned', epoch: 1, worker_id: 'first', took_ms: 0 },
      { at: at(200), kind: 'joined', epoch: 1 },
      { at: at(300), kind: 'first_frame', epoch: 1 },
      { at: at(400), kind: 'speech_received', epoch: 1, segment: 1 },
      {
        at: at(400),
        kind: 'speech_finished',
        epoch: 1,
        segment: 1,
        position_seconds: 1.5,
        interrupted: false,
      },
      { at: at(400), kind: 'ended', reason: 'agent_left' },
    ]);
  });

  test('keeps the worker’s order of events, however late each message was read', async () => {
    const worker = await service.join({ slots: 1 });
    const id = await open();
    const { placement } = await worker.next('assign');
    await worker.atRest();
    const segment = { agoMs: 0, segment: 1 };
    // The age is measured on sending, so a message read late gets a late time.
    service.clock.advance(400);
    noted(worker, placement, [{ kind: 'joined', agoMs: 0 }]);
    await worker.started(placement, 150);
    noted(worker, placement, [{ kind: 'speech_received', ...segment }]);
    await worker.atRest();
    service.clock.advance(100);
    noted(worker, placement, [{ kind: 'speech_started', ...segment, agoMs: 120 }]);
    await worker.ended(placement, 'agent_left');

    const { data } = await timeline(id);

    expect(data.slice(3)).toEqual([
      { at: at(400), kind: 'joined', epoch: 1 },
      { at: at(400), kind: 'first_frame', epoch: 1 },
      { at: at(400), kind: 'speech_received', epoch: 1, segment: 1 },
      { at: at(400), kind: 'speech_started', epoch: 1, segment: 1 },
      { at: at(500), kind: 'ended', reason: 'agent_left' },
    ]);
  });

  test('records declines, and ignores a former worker', async () => {
    const refusing = await service.join({ workerId: 'refusing', slots: 1 });
    refusing.mood = 'refuses';
    const id = await open();
    await refusing.next('assign');
    const worker = await service.join({ workerId: 'second', slots: 1 });
    const { placement } = await worker.next('assign');
    await worker.started(placement);
    await worker.ended(placement, 'room_closed');

    const { data } = await timeline(id);

    expect(data.map(({ kind, worker_id }) => [kind, worker_id])).toEqual([
      ['created', undefined],
      ['queued', undefined],
      ['declined', 'refusing'],
      ['queued', undefined],
      ['assigned', 'second'],
      ['first_frame', undefined],
      ['ended', undefined],
    ]);
  });

  test('records a failover with both workers and its duration', async () => {
    const firstWorker = await service.join({ workerId: 'first', slots: 1 });
    const id = await open();
    const { placement } = await firstWorker.next('assign');
    await firstWorker.started(placement);
    const second = await service.join({ workerId: 'second', slots: 1 });

    await firstWorker.close();
    const { placement: nextPlacement } = await second.next('assign');
    await second.atRest();
    service.clock.advance(700);
    noted(second, placement, [{ kind: 'joined', agoMs: 0 }]);
    await second.started(nextPlacement);

    const { data } = await timeline(id);
    expect(data.slice(4)).toMatchObject([
      { kind: 'lost', epoch: 1, worker_id: 'first' },
      { kind: 'queued' },
      { kind: 'assigned', epoch: 2, worker_id: 'second' },
      { kind: 'first_frame', epoch: 2 },
      {
        kind: 'moved',
        epoch: 2,
        cause: 'failover',
        from_worker_id: 'first',
        to_worker_id: 'second',
        gap_ms: 700,
      },
    ]);
  });

  test('records a handover, and a repeated token event once', async () => {
    const firstWorker = await service.join({ workerId: 'first', slots: 1 });
    const id = await open();
    const { placement } = await firstWorker.next('assign');
    await firstWorker.started(placement);
    firstWorker.say({ type: 'renewed', placement, token: 'a longer one' });
    firstWorker.say({ type: 'renewed', placement, token: 'a longer one' });
    await firstWorker.atRest();
    const second = await service.join({ workerId: 'second', slots: 1 });
    const load = { performing: 1, lateFrames: 0, draining: true, drainLeftMs: 0 };
    firstWorker.say({ type: 'load', ...load });
    await firstWorker.next('release');

    firstWorker.say({ type: 'released', placement });
    const { placement: nextPlacement } = await second.next('assign');
    await second.atRest();
    service.clock.advance(90);
    await second.started(nextPlacement);
    await until(async () => (await kinds(id)).includes('moved'));

    const { data } = await timeline(id);
    expect(data.filter(({ kind }) => kind === 'token_renewed')).toHaveLength(1);
    expect(data.at(-1)).toMatchObject({
      kind: 'moved',
      cause: 'hand_over',
      from_worker_id: 'first',
      to_worker_id: 'second',
      gap_ms: 90,
    });
  });

  test('is limited to the account’s own sessions', async () => {
    await service.join({ slots: 1 });
    const id = await open();
    const headers = { 'x-api-key': await service.strangerKey() };

    const foreign = await service.call('GET', `/v1/sessions/${id}/timeline`, { headers });

    expect(foreign.statusCode).toBe(404);
  });

  test('has every kind documented', async () => {
    const document = (await service.app.server.inject({ url: '/openapi.json' })).json();
    const { anyOf } = document.components.schemas.Timeline.properties.data.items;

    const described = anyOf.map(
      ({ description, properties }: { description: string; properties: Entry }) =>
        [(properties.kind as unknown as { enum: string[] }).enum[0], description] as const,
    );
    expect(described).toEqual(
      Object.entries(TIMELINE).map(([kind, { meaning }]) => [kind, meaning]),
    );
  });
});
