import {
  AudioSource,
  LocalAudioTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Viewer } from '../../bench/rooms/viewers/viewer.ts';
import { startService, type RunningService } from '../../support/processes/service.ts';
import { startWorker } from '../../support/processes/worker-process.ts';
import { until } from '../../support/until.ts';
import { leave } from '../../support/leave.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

/** The only participant that the published browser example shows. */
const FACE = 'avatar_worker';
const FPS = 25;
const WORKER_TOKEN = 'a token that workers know';
const USER_GRACE_SECONDS = 4;

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    env: { USER_GRACE_SECONDS: String(USER_GRACE_SECONDS), WORKER_TOKEN },
  });
});
afterEach(() => service.endSessions());
afterAll(() => service?.stop());

type Call = {
  id: string;
  status: { type: string };
  livekit_url: string;
  livekit_token: string;
  started_at: string;
  ended_at: string | null;
};

const find = async ({ id }: Call): Promise<Call> =>
  (await (await service.api(`/v1/calls/${id}`)).json()) as Call;

/** The remaining events of the only session. */
async function untilOver(): Promise<string> {
  const { data } = (await (await service.api('/v1/sessions')).json()) as { data: Call[] };
  return (await service.api(`/v1/sessions/${data[0]?.id}/events`)).text();
}

/** With a microphone: a participant without tracks is missed up to 3 s late. */
async function join(call: Call): Promise<Viewer> {
  const viewer = new Viewer(FACE);
  await viewer.join(call.livekit_url, call.livekit_token);
  const microphone = LocalAudioTrack.createAudioTrack('microphone', new AudioSource(48_000, 1));
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  await viewer.room.localParticipant!.publishTrack(microphone, options);
  return viewer;
}

describe('a user in a call', () => {
  test('sees the avatar until leaving, also after a reload of the page', async () => {
    const agent = await service.make<{ id: string }>('/v1/agents', {
      name: 'Receptionist',
      avatar_id: FIRST_AVATAR.alias,
    });
    const call = await service.make<Call>('/v1/calls', { agent_id: agent.id });

    const firstVisit = await join(call);
    await until(() => firstVisit.recording.frames.length > 25);
    const face = firstVisit.room.remoteParticipants.get(FACE);
    const sources = [...(face?.trackPublications.values() ?? [])].map(({ source }) => source);
    await firstVisit.room.localParticipant?.sendText('Hello?', { topic: 'lk.chat' });
    const ongoing = await find(call);
    await firstVisit.leave();

    const secondVisit = await join(call);
    await until(() => secondVisit.recording.frames.length > 0);
    // The grace period of the first visit is over, and the call continues.
    await until(() => secondVisit.recording.frames.length > (USER_GRACE_SECONDS + 1) * FPS);
    const still = await find(call);
    await secondVisit.leave();
    const events = await untilOver();
    const answer = await service.api(`/v1/calls/${call.id}`);
    const overAt = Date.parse(answer.headers.get('date')!);
    const completed = (await answer.json()) as Call;

    expect(new Set(sources)).toEqual(
      new Set([TrackSource.SOURCE_CAMERA, TrackSource.SOURCE_MICROPHONE]),
    );
    expect(ongoing.status).toMatchObject({ type: 'ongoing', started_at: ongoing.started_at });
    expect(still).toEqual(ongoing);
    expect(events).toMatch(/^event: session\n[^]*\n\nevent: session.ended\n/);
    expect(completed.status.type).toBe('completed');
    // The call ended when its user left, not at the end of the grace period.
    const endedAt = Date.parse(completed.ended_at ?? '');
    expect(overAt - endedAt).toBeGreaterThan((USER_GRACE_SECONDS * 1_000) / 2);
  });
});

describe('a managed agent', () => {
  test('continues its sentence when the avatar’s worker is killed', async ({ onTestFinished }) => {
    const greeting =
      'One is the first number. Two is the second number. Three is the third number. Four is the fourth number.';
    const agent = await service.make<{ id: string }>('/v1/agents', {
      name: FIRST_AVATAR.name,
      avatar_id: FIRST_AVATAR.alias,
      greeting,
    });
    const call = await service.make<Call>('/v1/calls', { agent_id: agent.id });
    const user = new Room();
    // Each worker sends its own captions, which may begin within a sentence.
    const streams: string[] = [];
    user.registerTextStreamHandler('lk.transcription', async (reader) => {
      const index = streams.push('') - 1;
      for await (const piece of reader) streams[index] += piece;
    });
    const captions = () => streams.join(' ').replaceAll(/\s+/g, ' ');
    await user.connect(call.livekit_url, call.livekit_token, {
      autoSubscribe: false,
      dynacast: false,
    });
    await until(() => captions().includes('Two'));

    // A call waits 15 s for another worker, and a busy machine takes longer to start one.
    const secondWorker = await startWorker(service, { WORKER_TOKEN });
    onTestFinished(() => secondWorker.kill());
    await service.killProgram('worker');

    const messages = async () =>
      (await (await service.api(`/v1/calls/${call.id}/messages`)).json()) as { message: string }[];
    await until(async () => (await messages()).length === 2);
    const texts = (await messages()).map(({ message }) => message);
    expect(texts.join(' ')).toBe(greeting);
    expect(captions()).toContain('Four is the fourth number.');
    await leave(user);
  });
});

test('a room token that is left after its call opens an empty room, and nothing else', async () => {
  const agent = await service.make<{ id: string }>('/v1/agents', {
    name: 'Receptionist',
    avatar_id: FIRST_AVATAR.alias,
  });
  const call = await service.make<Call>('/v1/calls', { agent_id: agent.id });
  const { exp, nbf, video } = decodeJwt<{ video: { room: string } }>(call.livekit_token);
  const user = await join(call);
  await until(() => user.recording.frames.length > 0);
  const events = untilOver();
  await service.api(`/v1/calls/${call.id}/end`, { method: 'POST' });
  await events;
  await user.leave();

  const renewed = await service.api(`/v1/calls/${call.id}/token`, { method: 'POST' });
  const late = new Viewer(FACE);
  await late.join(call.livekit_url, call.livekit_token);
  await until(() => late.room.remoteParticipants.size === 0);

  expect(renewed.status).toBe(409);
  expect(exp! - nbf!).toBeLessThanOrEqual(600);
  expect(video).toEqual({ roomJoin: true, room: video.room });
  const admin = `${call.livekit_url.replace(/^ws/, 'http')}/twirp/livekit.RoomService`;
  const statuses = await Promise.all(
    ['CreateRoom', 'ListRooms', 'ListParticipants', 'DeleteRoom'].map(async (method) => {
      const reply = await fetch(`${admin}/${method}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${call.livekit_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ room: video.room, name: video.room }),
      });
      return reply.status;
    }),
  );
  expect(statuses).toEqual([401, 401, 401, 401]);
  await late.leave();
});
