import { TrackSource } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Viewer } from '../bench/viewer.ts';
import { startService, type RunningService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The only participant that the published browser example shows. */
const FACE = 'avatar_worker';
/** Longer than a face waits that is alone. */
const BEYOND_GRACE_MS = 12_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

type Call = {
  id: string;
  status: { type: string };
  livekit_url: string;
  livekit_token: string;
  started_at: string;
  ended_at: string | null;
};

const post = async (path: string, body: object): Promise<Call> =>
  (await (await service.api(path, { method: 'POST', body })).json()) as Call;
const find = async ({ id }: Call): Promise<Call> =>
  (await (await service.api(`/v1/calls/${id}`)).json()) as Call;

/** The events of the only session, from now to its end. */
async function untilOver(): Promise<string> {
  const { data } = (await (await service.api('/v1/sessions')).json()) as { data: Call[] };
  return (await service.api(`/v1/sessions/${data[0]?.id}/events`)).text();
}

async function join(call: Call): Promise<Viewer> {
  const viewer = new Viewer(FACE);
  await viewer.join(call.livekit_url, call.livekit_token);
  return viewer;
}

describe('a user in a call', () => {
  test('sees the face until it leaves, also after a reload of its page', async () => {
    const agent = await post('/v1/agents', { name: 'Receptionist', avatar_id: 'nora' });
    const call = await post('/v1/calls', { agent_id: agent.id });

    const first = await join(call);
    await until(() => first.seen.frames.length > 25, 30_000);
    const face = first.room.remoteParticipants.get(FACE);
    const sources = [...(face?.trackPublications.values() ?? [])].map(({ source }) => source);
    await first.room.localParticipant?.sendText('Hello?', { topic: 'lk.chat' });
    const ongoing = await find(call);
    await first.leave();

    const again = await join(call);
    await until(() => again.seen.frames.length > 0, 30_000);
    const from = performance.now();
    await until(() => performance.now() - from > BEYOND_GRACE_MS, BEYOND_GRACE_MS + 5_000);
    const framesThen = again.seen.frames.length;
    await until(() => again.seen.frames.length > framesThen);
    const still = await find(call);
    await again.leave();
    const leftAt = Date.now();
    const events = await untilOver();
    const completed = await find(call);

    expect(new Set(sources)).toEqual(
      new Set([TrackSource.SOURCE_CAMERA, TrackSource.SOURCE_MICROPHONE]),
    );
    expect(ongoing.status).toMatchObject({ type: 'ongoing', started_at: ongoing.started_at });
    expect(still).toEqual(ongoing);
    expect(events).toMatch(/^event: session\n[^]*\n\nevent: session.ended\n/);
    expect(completed.status.type).toBe('completed');
    // It is known a minute later, and was then.
    expect(Math.abs(Date.parse(completed.ended_at ?? '') - leftAt)).toBeLessThan(3_000);
  });
});
