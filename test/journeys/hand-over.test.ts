import { RoomEvent, TrackKind } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { Agent } from '../bench/rooms/agent.ts';
import { Viewer } from '../bench/rooms/viewer.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { until } from '../support/until.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';
import { startWorker } from '../support/processes/worker-process.ts';

const AVATAR = 'avatar';
const RATE = 24_000;
/** Maximum time without a new frame at the viewer while its session moves to another worker. */
const LONGEST_GAP_MS = 120;

// A stopping worker hands its sessions over at once.
const env = {
  ...NO_AGENTS,
  WORKER_TOKEN: 'a token that all workers know',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'info',
};

let service: RunningService;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await startService({ env });
});
afterEach(async () => {
  for (const leave of leaving.splice(0).toReversed()) await leave();
});
afterAll(() => service?.stop());

function token(room: string, identity: string, kind?: 'agent'): Promise<string> {
  const { apiKey, apiSecret } = service.mediaServer;
  const made = new AccessToken(apiKey, apiSecret, { identity });
  made.addGrant({ roomJoin: true, room });
  if (kind) made.kind = kind;
  return made.toJwt();
}

type Session = {
  id: string;
  status: { type: string; started_at?: string };
  end_reason?: string;
};

const find = async (id: string): Promise<Session> =>
  (await (await service.api(`/v1/sessions/${id}`)).json()) as Session;

/** A session on the service's own worker, and a second, idle worker. */
async function given(watcher: Viewer | Witness) {
  const room = newName('room');
  const { url } = service.mediaServer;
  const agent = new Agent(AVATAR);
  await agent.join(url, await token(room, 'agent', 'agent'));
  leaving.push(() => agent.leave());
  await watcher.join(url, await token(room, 'viewer'));
  leaving.push(() => watcher.leave());
  const body = { avatar_id: 'nora', url, token: await token(room, AVATAR, 'agent') };
  const { id } = await service.make('/v1/sessions', body);
  await until(async () => (await find(id)).status.type === 'ongoing', 20_000);
  const other = await startWorker(service, env);
  leaving.push(() => other.kill());
  return { id, agent, other };
}

/** Stops the worker. Resolves with how long the picture stood still during the handover. */
async function drained(viewer: Viewer, pid: number): Promise<number> {
  viewer.forget();
  const moved = new Promise<void>((resolve) => {
    viewer.room.on(RoomEvent.TrackSubscribed, ({ kind }) => {
      if (kind === TrackKind.KIND_VIDEO) resolve();
    });
  });
  process.kill(pid, 'SIGTERM');
  await moved;
  const { frames } = viewer.seen;
  const count = frames.length;
  await until(() => frames.length > count + 50, 20_000);
  return Math.max(...frames.slice(1).map(({ atMs }, i) => atMs - frames[i]!.atMs));
}

describe('a stopping worker', () => {
  test('hands its session over between two utterances and exits', async () => {
    const viewer = new Viewer(AVATAR);
    const { id, agent, other } = await given(viewer);
    const before = await find(id);
    await agent.say(risingTone(RATE, 3), RATE);
    await viewer.untilLoud();

    const gaps = [await drained(viewer, await service.pid('worker'))];
    const first = [...agent.finished];
    const second = agent.nextFinished();
    await agent.say(risingTone(RATE, 1), RATE);
    const later = await second;
    gaps.push(await drained(viewer, other.pid));

    process.stdout.write(`the picture stood still for ${gaps.map(Math.round).join(' and ')} ms\n`);
    expect(first[0]).toMatchObject({
      playback_position: expect.closeTo(3, 2),
      interrupted: false,
    });
    expect(later).toMatchObject({ playback_position: expect.closeTo(1, 2), interrupted: false });
    expect(await find(id)).toEqual(before);
    expect(await other.exited).toBe(0);
    expect(Math.max(...gaps)).toBeLessThan(LONGEST_GAP_MS);
  });

  test('cuts a long utterance at the deadline and reports where', async () => {
    const witness = new Witness(AVATAR);
    const { id, agent } = await given(witness);
    const finished = agent.nextFinished();
    await agent.say(risingTone(RATE, 30), RATE);
    await witness.hears(1);

    process.kill(await service.pid('worker'), 'SIGTERM');
    const { playback_position: position, interrupted } = await finished;
    await witness.hearsNothingFor(0.5);

    expect(interrupted).toBe(true);
    expect(position).toBeGreaterThan(8);
    const ahead = position - witness.lastHeard()!;
    console.log(`interruption: reported ${Math.round(1000 * ahead)} ms more than was heard`);
    expect(Math.abs(ahead)).toBeLessThan(HEARD_WITHIN_S);
    expect((await find(id)).status.type).toBe('ongoing');
  });

  test('ends its sessions at once at the second signal', async () => {
    const viewer = new Viewer(AVATAR);
    const { id, agent } = await given(viewer);
    await agent.say(risingTone(RATE, 30), RATE);
    await viewer.untilLoud();
    const pid = await service.pid('worker');

    const drains = async () => (await service.logOf('worker')).split('handing over').length;
    const before = await drains();
    process.kill(pid, 'SIGTERM');
    await until(async () => (await drains()) > before, 5_000);
    process.kill(pid, 'SIGTERM');
    await until(async () => (await find(id)).status.type === 'completed', 5_000);

    expect((await find(id)).end_reason).toBe('service_stopped');
  });
});
