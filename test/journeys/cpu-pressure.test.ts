/* A worker that gets too little CPU time: it shows less, its sound stays whole, and later it shows everything again. */
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { QUALITY_NAMES } from '#protocol/qualities.ts';
import { Agent } from '../bench/rooms/agent.ts';
import { Witness } from '../support/picture/witness.ts';
import { limitCpu } from '../support/processes/cpu-quota.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { startWorker, type WorkerProcess } from '../support/processes/worker-process.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';

const AVATAR = 'avatar';
const RATE = 24_000;
const SPEECH_S = 4;
/** Of one core. A session needs several times as much at full quality. */
const SHARE = 0.06;
/** From still to full: four climbs, and time for two that fail. */
const CLIMB_MS = 90_000;
const env = { WORKER_TOKEN: 'a token that all workers know', LOWEST_QUALITY: 'still_picture' };

let service: RunningService;
let worker: WorkerProcess;
let agent: Agent;
let witness: Witness;
beforeAll(async () => {
  service = await startService({ env: { ...NO_AGENTS, ...env, WORKER_POOL: 'nobody' } });
  worker = await startWorker(service, env);
  agent = new Agent(AVATAR);
  witness = new Witness(AVATAR);
});
afterAll(async () => {
  await witness?.leave();
  await agent?.leave();
  await worker?.kill();
  await service?.stop();
});

function token(room: string, identity: string, kind?: 'agent'): Promise<string> {
  const { apiKey, apiSecret } = service.mediaServer;
  const made = new AccessToken(apiKey, apiSecret, { identity });
  made.addGrant({ roomJoin: true, room });
  if (kind) made.kind = kind;
  return made.toJwt();
}

type Entry = { kind: string; quality?: string };

async function qualities(id: string): Promise<string[]> {
  const answer = await service.api(`/v1/sessions/${id}/timeline`);
  const { data } = (await answer.json()) as { data: Entry[] };
  return data.flatMap(({ kind, quality }) => (kind === 'quality' && quality ? [quality] : []));
}

async function gauge(quality: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', service.address))).text();
  const name = `troupe_worker_quality{pool="default",quality="${quality}"}`;
  const line = text.split('\n').find((each) => each.startsWith(name));
  return Number(line?.slice(name.length));
}

/** Says the tone and checks that the viewer heard all of it. */
async function saysWhole(): Promise<void> {
  witness.forget();
  const finished = agent.nextFinished();
  await agent.say(risingTone(RATE, SPEECH_S), RATE);
  expect(await finished).toMatchObject({
    playback_position: expect.closeTo(SPEECH_S, 2),
    interrupted: false,
  });
  await witness.hearsNothingFor(0.5);
  expect(witness.utterances).toMatchObject([
    { seconds: expect.closeTo(SPEECH_S, 1), last: expect.closeTo(SPEECH_S, 1) },
  ]);
}

test('a worker shows less while CPU time is short, with whole sound, and more again later', async () => {
  const room = newName('room');
  const { url } = service.mediaServer;
  await agent.join(url, await token(room, 'agent', 'agent'));
  await witness.join(url, await token(room, 'viewer'));
  const { id } = await service.make('/v1/sessions', {
    avatar_id: 'nora',
    url,
    token: await token(room, AVATAR, 'agent'),
  });
  await witness.sees(50);
  await saysWhole();

  const giveBack = limitCpu(worker.pid, SHARE);
  const limitedAt = performance.now();
  await until(async () => (await qualities(id)).includes('still_picture'), 60_000);
  const downMs = Math.round(performance.now() - limitedAt);
  await until(async () => (await gauge('still_picture')) === 1, 10_000);
  const before = witness.frames;
  await saysWhole();
  await witness.sees(4);
  const still = witness.frames - before;
  const down = await qualities(id);
  await giveBack();

  const freedAt = performance.now();
  await until(async () => (await qualities(id)).at(-1) === 'full', CLIMB_MS);
  const upMs = Math.round(performance.now() - freedAt);
  await until(async () => (await gauge('full')) === 1, 10_000);
  await witness.sees(50);
  await saysWhole();

  process.stdout.write(`down to a still picture after ${downMs} ms, up again after ${upMs} ms\n`);
  expect(down.slice(0, 4)).toEqual(QUALITY_NAMES.slice(1));
  // Two frames a second while it spoke.
  expect(still).toBeLessThan(6 * (SPEECH_S + 3));
}, 240_000);
