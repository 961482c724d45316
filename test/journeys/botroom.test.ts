import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readWave } from '../../workers/studio/wave-file.ts';
import { BotroomClient } from '../support/botrooms/botroom-client.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { decoded } from '../support/picture/i420.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { startWorker, type WorkerProcess } from '../support/processes/worker-process.ts';
import { risingTone, utterancesIn } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';

const RATE = 16_000;
const FRAME_MS = 40;
const VOICE = path.join(import.meta.dirname, '../fixtures/lipsync/audio/hibari-heart_en_00.flac');
const VOICE_S = 5;
/** Longest time without a new picture while a session moves to another worker. */
const LONGEST_GAP_MS = 120;
const BACK_MS = 2_000;
const SILENT_MS = 150;

const env = {
  ...NO_AGENTS,
  WORKER_TOKEN: 'a token that all workers know',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'info',
};

let service: RunningService;
let clients: BotroomClient[] = [];
let workers: WorkerProcess[] = [];

beforeAll(async () => {
  service = await startService({ env });
});
afterEach(async () => {
  await service.endSessions();
  for (const client of clients.splice(0)) await client.leave();
  for (const worker of workers.splice(0)) await worker.kill();
});
afterAll(() => service?.stop());

type Session = {
  id: string;
  url: string;
  token: string;
  status: { type: string };
  end_reason?: string;
};

async function join() {
  const body = { transport: 'botroom', avatar_id: 'nora' };
  const { id, url, token } = await service.make<Session>('/v1/sessions', body);
  const client = new BotroomClient(url, token);
  clients.push(client);
  await client.ready();
  return { id, client };
}

const find = async (id: string): Promise<Session> =>
  (await (await service.api(`/v1/sessions/${id}`)).json()) as Session;

const secondWorker = async (): Promise<WorkerProcess> => {
  const worker = await startWorker(service, env);
  workers.push(worker);
  return worker;
};

describe('a bot in a botroom', () => {
  test('gets its speech back in full', async () => {
    const { id, client } = await join();

    await client.speak(risingTone(RATE, 3), RATE);
    await client.speak(risingTone(RATE, 2), RATE);
    await client.untilSilent();

    expect(utterancesIn(client.heard())).toEqual([
      { seconds: expect.closeTo(3, 1), first: expect.closeTo(0, 1), last: expect.closeTo(3, 1) },
      { seconds: expect.closeTo(2, 1), first: expect.closeTo(0, 1), last: expect.closeTo(2, 1) },
    ]);
    expect(await find(id)).toMatchObject({ status: { type: 'ongoing' } });
  });

  test('sees the avatar speak', async (context) => {
    const host = new HostWatch(context);
    const { client } = await join();
    const { pcm, sampleRate } = readWave(VOICE);
    const speech = new Int16Array(new Uint8Array(pcm).buffer).slice(0, VOICE_S * sampleRate);

    const from = performance.now();
    await client.speak(speech, sampleRate);
    await client.untilSilent();

    const shown = client.pictures.filter(({ atMs }) => atMs >= from && atMs < client.lastLoudAt);
    const sizes = await Promise.all(shown.slice(0, 5).map(({ jpeg }) => decoded(jpeg)));
    const steps = shown.slice(1).map(({ mediaMs }, i) => mediaMs - shown[i]!.mediaMs);
    for (const { width, height } of sizes) expect([width, height]).toEqual([512, 512]);
    host.judgeTime(() => {
      // All but those that a busy machine skips: this client said no hello.
      expect(steps.filter((ms) => ms === FRAME_MS).length).toBeGreaterThan(steps.length / 2);
      expect(Math.max(...steps)).toBeLessThanOrEqual(1_000);
    });
  });

  test('hears nothing more soon after it has interrupted', async (context) => {
    const host = new HostWatch(context);
    const { client } = await join();
    // Sent in about a second. What a client sends after its interruption is another utterance.
    await client.speak(risingTone(RATE, 3), RATE);
    await client.untilLoud();
    await until(() => client.heard().length > 48_000, 10_000);

    client.send('interrupt');
    const interruptedAt = performance.now();
    await until(() => performance.now() - interruptedAt > 1_500, 5_000);

    const silentAfterMs = client.lastLoudAt - interruptedAt;
    process.stdout.write(`silent ${silentAfterMs.toFixed(0)} ms after the interruption\n`);
    expect(client.pictures.at(-1)!.atMs).toBeGreaterThan(interruptedAt + 1_000);
    host.judgeTime(() => expect(silentAfterMs).toBeLessThan(SILENT_MS));
  });

  test('ends the session by its close record', async () => {
    const { id, client } = await join();

    client.send('close');
    await until(async () => (await find(id)).status.type === 'completed');

    expect(await find(id)).toMatchObject({ end_reason: 'ended_by_client' });
    expect(client.closed?.code).toBe(1000);
  });
});

describe('a botroom that moves to another worker', () => {
  test('keeps its client when the first one is killed in mid-speech', async (context) => {
    const host = new HostWatch(context);
    const { id, client } = await join();
    await secondWorker();
    const speaking = client.speak(risingTone(RATE, 3), RATE);
    await client.untilLoud();

    const killedAt = performance.now();
    process.kill(await service.pid('worker'), 'SIGKILL');
    await until(() => client.takeovers.length > 0);
    const backMs = client.takeovers[0]! - killedAt;
    await speaking;
    await client.untilSilent();
    await client.speak(risingTone(RATE, 1), RATE);
    const saidAt = performance.now();
    await client.untilLoud(saidAt);
    await client.untilSilent();

    process.stdout.write(`the face was away for ${backMs.toFixed(0)} ms\n`);
    expect(utterancesIn(client.heard()).at(-1)).toMatchObject({ seconds: expect.closeTo(1, 1) });
    expect(client.closed).toBeNull();
    expect(await find(id)).toMatchObject({ status: { type: 'ongoing' } });
    host.judgeTime(() => expect(backMs).toBeLessThan(BACK_MS));
  });

  test('shows no gap when the first one drains', async (context) => {
    const host = new HostWatch(context);
    const { id, client } = await join();
    await secondWorker();
    await client.speak(risingTone(RATE, 2), RATE);
    await client.untilLoud();
    const from = performance.now();

    process.kill(await service.pid('worker'), 'SIGTERM');
    await until(() => client.takeovers.length > 0);
    const saidAt = performance.now();
    await client.speak(risingTone(RATE, 1), RATE);
    await client.untilLoud(saidAt);
    await client.untilSilent();

    const gapMs = client.longestGapMs(from);
    process.stdout.write(`no record came for ${gapMs.toFixed(0)} ms\n`);
    expect(client.takeovers).toHaveLength(1);
    expect(utterancesIn(client.heard())).toMatchObject([
      { seconds: expect.closeTo(2, 1) },
      { seconds: expect.closeTo(1, 1) },
    ]);
    expect(client.closed).toBeNull();
    expect(await find(id)).toMatchObject({ status: { type: 'ongoing' } });
    host.judgeTime(() => expect(gapMs).toBeLessThan(LONGEST_GAP_MS));
  });
});
