/* A worker that is silent while it still runs: its sessions move within 4 s, and it is rejected when it returns. */
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { Agent } from '../bench/rooms/agent.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { SignalProxy } from '../support/processes/signal-proxy.ts';
import { Witness } from '../support/picture/witness.ts';
import { startWorker, type WorkerProcess } from '../support/processes/worker-process.ts';

const AVATAR = 'avatar';
const RATE = 24_000;
/** From the fault to the first frame of the worker that takes over. */
const BACK_MS = 4_000;
const env = { WORKER_TOKEN: 'a token that all workers know', LOG_LEVEL: 'info' };

let service: RunningService;
let control: SignalProxy;
let signals: SignalProxy;
beforeAll(async () => {
  // The service's own worker gets no session, so that the test decides which of two workers performs.
  service = await startService({ env: { ...NO_AGENTS, ...env, WORKER_POOL: 'nobody' } });
  control = await SignalProxy.open(service.address);
  signals = await SignalProxy.open(service.mediaServer.url);
});
afterAll(async () => {
  control?.close();
  signals?.close();
  await service?.stop();
});

let agent: Agent;
let witness: Witness;
let session: Session;
let before: Session;
const workers: WorkerProcess[] = [];
beforeEach(async () => {
  const room = newName('room');
  const { url } = service.mediaServer;
  agent = new Agent(AVATAR);
  witness = new Witness(AVATAR);
  workers.push(await startWorker(service, { ...env, CONTROL_URL: control.url }));
  await agent.join(url, await token(room, 'agent', 'agent'));
  await witness.join(url, await token(room, 'viewer'));
  session = await service.make<Session>('/v1/sessions', {
    avatar_id: 'nora',
    url: signals.url,
    token: await token(room, AVATAR, 'agent'),
  });
  await witness.sees(25);
  before = await find(session.id);
  workers.push(await startWorker(service, env));
});
afterEach(async () => {
  await witness.leave();
  await agent.leave();
  await service.endSessions();
  for (const worker of workers.splice(0)) await worker.kill();
});

function token(room: string, identity: string, kind?: 'agent'): Promise<string> {
  const { apiKey, apiSecret } = service.mediaServer;
  const made = new AccessToken(apiKey, apiSecret, { identity });
  made.addGrant({ roomJoin: true, room });
  if (kind) made.kind = kind;
  return made.toJwt();
}

type Session = { id: string; status: { type: string } };

const find = async (id: string): Promise<Session> =>
  (await (await service.api(`/v1/sessions/${id}`)).json()) as Session;

describe('a performing worker beside an idle one', () => {
  test.for([
    {
      name: 'stands still',
      breakOff: () => {
        process.kill(workers[0]!.pid, 'SIGSTOP');
        return () => process.kill(workers[0]!.pid, 'SIGCONT');
      },
    },
    {
      name: 'is cut off from the control plane and from the room',
      breakOff: () => {
        const goOn = [control.hold(), signals.hold()];
        return () => goOn.forEach((resume) => resume());
      },
    },
  ])('$name: the avatar is back in time, once, and stays', async ({ name, breakOff }, context) => {
    const host = new HostWatch(context);
    const first = witness.faces.current!;

    const brokenAt = performance.now();
    const heal = breakOff();
    await witness.seesOther(first);
    const next = witness.faces.firstOfOther(first)!;
    await witness.sees(25);
    heal();
    await workers[0]!.says(/session (ended|dropped)/);
    // If it was about to take the seat, it has done so by then.
    await witness.sees(50);
    const finished = agent.nextFinished();
    await agent.say(risingTone(RATE, 2), RATE);
    await witness.hears(1.5);

    const { faces } = witness;
    const backMs = Math.round(next.atMs - brokenAt);
    const stillMs = Math.round(faces.longestGapMs(brokenAt - 1_000));
    process.stdout.write(`${name}: back after ${backMs} ms, still for ${stillMs} ms\n`);
    expect(await finished).toMatchObject({
      playback_position: expect.closeTo(2, 2),
      interrupted: false,
    });
    // From the first frame of the next worker, only that one shows.
    const since = faces.sights.slice(faces.sights.indexOf(next));
    expect(new Set(since.map(({ sid }) => sid))).toEqual(new Set([next.sid]));
    expect(Math.max(...faces.counts.map(({ present }) => present))).toBe(1);
    expect(Math.max(...faces.counts.map(({ shown }) => shown))).toBe(1);
    expect(faces.changes).toEqual(['came', 'left', 'came']);
    expect(before.status.type).toBe('ongoing');
    expect(await find(session.id)).toEqual(before);
    host.judgeTime(() => expect(backMs).toBeLessThan(BACK_MS));
  });
});
