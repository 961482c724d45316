import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delay, systemClock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { Agent } from '../bench/agent.ts';
import { risingTone } from '../support/rising-tone.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Witness } from '../support/witness.ts';
import { startWorker } from '../support/worker-process.ts';

const AVATAR = 'avatar';
const RATE = 24_000;
/** Long enough for the media server to give the seat of a client up that says nothing, and within the search for another worker. */
const SILENT_MS = 23_000;
const env = { ...NO_AGENTS, WORKER_TOKEN: 'a token that all workers know', LOG_LEVEL: 'info' };

let service: RunningService;
beforeAll(async () => {
  service = await startService({ env });
});
afterAll(() => service?.stop());

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

describe('a worker that stood still until its session went on elsewhere', () => {
  test('is turned away when it goes on, and the session has one face', async () => {
    const room = newName('room');
    const { url } = service.mediaServer;
    const agent = new Agent(AVATAR);
    const witness = new Witness(AVATAR);
    await agent.join(url, await token(room, 'agent', 'agent'));
    await witness.join(url, await token(room, 'viewer'));
    const body = { avatar_id: 'nora', url, token: await token(room, AVATAR, 'agent') };
    const session = await service.make<Session>('/v1/sessions', body);
    await witness.sees(25);
    const before = await find(session.id);
    const pid = await service.pid('worker');

    process.kill(pid, 'SIGSTOP');
    await delay(systemClock, SILENT_MS);
    const other = await startWorker(service, env);
    await witness.sees(50);
    process.kill(pid, 'SIGCONT');
    await until(async () => (await service.logOf('worker')).includes('session dropped'), 20_000);
    // Should it have taken the seat on its way, that is over now, or soon.
    await witness.sees(100);
    const finished = agent.nextFinished();
    await agent.say(risingTone(RATE, 2), RATE);

    await witness.hears(1.5);
    expect(await finished).toMatchObject({
      playback_position: expect.closeTo(2, 2),
      interrupted: false,
    });
    expect(before.status.type).toBe('ongoing');
    expect(await find(session.id)).toEqual(before);
    await witness.leave();
    await agent.leave();
    await other.kill();
  });
});
