/* Published Pipecat video services in real pipelines, against the whole service. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { newName } from '#shared/ids.ts';
import { API_KEY, buildApp, type BuiltApp } from '../support/api/build-app.ts';
import {
  documentedLine,
  isPipecatThere,
  PipecatPipeline,
  type Heard,
  type Step,
} from '../support/agents/pipecat-pipeline.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { startWorker, type WorkerProcess } from '../support/processes/worker-process.ts';
import { utterancesIn } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';

const AVATAR = 'ojin-avatar';
const VENDORS = ['protoface', 'ojin'];
const WHOLE = [2, 3, 1.5];
const CONVERSATION: Step[] = [
  ...WHOLE.map((say) => ({ say })),
  { say: 8, cut: 1.5 },
  { say: 1 },
  { say: 6, leave: 1 },
];
/** From a worker's death to the first picture of another. */
const FACE_BACK_MS = 2_000;
/** Time for the last records of a dead worker to arrive. */
const IN_FLIGHT_MS = 200;

/** Results, for a person to read. */
const rows: Record<string, string>[] = [];

type Context = Pick<TestContext, 'onTestFinished'>;

async function start(
  { onTestFinished }: Context,
  line: string,
  steps: Step[] = [],
): Promise<PipecatPipeline> {
  const pipeline = await PipecatPipeline.start({ line, steps });
  onTestFinished(() => pipeline.close());
  return pipeline;
}

type Session = { id: string; avatar_id: string; status: { type: string }; end_reason?: string };

/** Milliseconds from `at` to the first sound. */
const soundAfter = ({ sounds }: Heard, at: number): number =>
  sounds.find(([heardAt, , isLoud]) => isLoud && heardAt > at)![0] - at;

function picturesPerSecond({ pictures }: Heard, from: number, to: number): number {
  const shown = pictures.filter(([at]) => at >= from && at < to);
  return (shown.length * 1_000) / (to - from);
}

const read = async <Body>(service: RunningService, path: string): Promise<Body> =>
  (await (await service.api(path)).json()) as Body;

/** The session that is on its way or ongoing with this avatar. */
async function sessionOf(service: RunningService, avatar: string): Promise<Session> {
  const path = `/v1/sessions?avatar_id=${avatar}&limit=1`;
  const { data } = await read<{ data: Session[] }>(service, path);
  return data[0]!;
}

const completed = (service: RunningService, { id }: Session) =>
  until(async () => {
    const { status } = await read<Session>(service, `/v1/sessions/${id}`);
    return status.type === 'completed';
  }, 30_000);

const withPython = describe.skipIf(!isPipecatThere); // Python is optional outside CI.

withPython.concurrent('a Pipecat pipeline', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ env: NO_AGENTS });
  });
  afterAll(async () => {
    console.table(rows);
    await service?.stop();
  });

  test.for([
    { vendor: 'protoface', avatar: 'nora', silentMs: 150, ends: 'ended_by_client' },
    // It fades its own copy of the speech out, and says nothing when it leaves.
    { vendor: 'ojin', avatar: 'theo', silentMs: 1_000, ends: 'agent_left' },
  ])('with $vendor speaks, is interrupted and leaves', async (given, context) => {
    const { vendor, avatar, silentMs, ends } = given;
    const host = new HostWatch(context);
    await service.hasFreeSlot();
    const line = documentedLine(vendor, service.address, service.apiKey).replace('nora', avatar);

    const pipeline = await start(context, line, CONVERSATION);
    const begins = await pipeline.next('begins');
    const seen = await pipeline.next('seen');
    const session = await sessionOf(service, avatar);
    const says = [];
    for (const _ of CONVERSATION) says.push((await pipeline.next('says')).at);
    const cut = await pipeline.next<{ after: number }>('cut');
    await pipeline.next('left');
    await completed(service, session);

    const heard = await pipeline.heard();
    const utterances = utterancesIn(heard.sound);
    const [first, next] = says as [number, number];
    rows.push({
      vendor,
      'seen after ms': (seen.at - begins.at).toFixed(0),
      'heard after ms': says.map((at) => soundAfter(heard, at).toFixed(0)).join(' '),
      'silent after ms': cut.after.toFixed(0),
      'pictures a second': picturesPerSecond(heard, first, next).toFixed(1),
      utterances: utterances.map(({ seconds }) => seconds.toFixed(2)).join(' '),
    });
    expect(utterances).toHaveLength(CONVERSATION.length);
    const { end_reason } = await read<Session>(service, `/v1/sessions/${session.id}`);
    expect(end_reason).toBe(ends);
    host.judgeTime(() => {
      for (const [i, seconds] of [...WHOLE, undefined, 1].entries()) {
        const utterance = utterances[i]!;
        expect(Math.abs(utterance.first)).toBeLessThan(HEARD_WITHIN_S);
        if (seconds === undefined) continue;
        expect(Math.abs(utterance.last - seconds)).toBeLessThan(HEARD_WITHIN_S);
        expect(Math.abs(utterance.seconds - seconds)).toBeLessThan(HEARD_WITHIN_S);
      }
      expect(cut.after).toBeLessThan(silentMs);
      expect(utterances[3]!.last).toBeLessThan(1.5 + silentMs / 1_000 + 0.5);
    });
  });

  test('with ojin speaks in a LiveKit room', async (context) => {
    const host = new HostWatch(context);
    await service.hasFreeSlot();
    const { url } = service.mediaServer;
    const room = tokens(service);
    const witness = new Witness(AVATAR);
    context.onTestFinished(() => witness.leave());
    await witness.join(url, await room.for('viewer'));
    const webrtc = `webrtc=WebRTCSettings(provider="livekit", room_url="${url}", token="${await room.for(AVATAR)}")`;
    const line = documentedLine('ojin', service.address, service.apiKey)
      .replace('nora', 'ines')
      .replace('config_id', `${webrtc}, config_id`);

    // The client sends at most eight seconds ahead of the reported playback.
    const steps = [{ say: 2 }, { say: 12 }, { say: 8, cut: 1.5 }, { say: 1 }];
    const pipeline = await start(context, line, steps);
    await pipeline.next('seen');
    for (const _ of steps) await pipeline.next('said');
    const { utterances } = witness;
    await pipeline.next('left');

    rows.push({
      vendor: 'ojin in LiveKit',
      utterances: utterances.map(({ seconds }) => seconds.toFixed(2)).join(' '),
    });
    expect(utterances).toHaveLength(steps.length);
    expect(pipeline.process.left('error')).toEqual([]);
    host.judgeTime(() => {
      for (const [i, { say, cut }] of steps.entries()) {
        if (cut !== undefined) expect(utterances[i]!.last).toBeLessThan(cut + 1);
        else expect(Math.abs(utterances[i]!.last - say)).toBeLessThan(HEARD_WITHIN_S);
      }
      expect(Math.abs(utterances[1]!.seconds - 12)).toBeLessThan(HEARD_WITHIN_S);
    });
  });

  test.for(VENDORS)(
    'with %s shows the fallback avatar for an unknown one',
    async (vendor, context) => {
      await service.hasFreeSlot();
      const line = documentedLine(vendor, service.address, service.apiKey).replace(
        'nora',
        'theirs',
      );

      const pipeline = await start(context, line);
      await pipeline.next('seen');
      await pipeline.next('left');

      expect((await pipeline.heard()).pictures.length).toBeGreaterThan(0);
    },
  );

  test.for([
    { vendor: 'protoface', text: /Protoface API returned 401: .*Invalid API key/ },
    // Pipecat hides the word before "API key".
    { vendor: 'ojin', text: /^AUTH_FAILED: \S+ API key\.$/ },
  ])('with $vendor and a wrong key fails with the reason', async ({ vendor, text }, context) => {
    const pipeline = await start(context, documentedLine(vendor, service.address, 'wrong'));

    const error = await pipeline.next<{ text: string; fatal: boolean }>('error');

    expect(error.text).toMatch(text);
    expect(error.fatal).toBe(true);
  });
});

/** For participants of a new room. */
function tokens({ mediaServer: { apiKey, apiSecret } }: RunningService) {
  const room = newName('room');
  return {
    for(identity: string): Promise<string> {
      const made = new AccessToken(apiKey, apiSecret, { identity });
      made.addGrant({ roomJoin: true, room });
      return made.toJwt();
    },
  };
}

/** Refusals that a control plane by itself can be made to give. */
withPython.concurrent('a Pipecat pipeline that is refused', () => {
  test.for([
    { vendor: 'protoface', text: /Protoface API returned 503: .*avatar worker/ },
    { vendor: 'ojin', text: /^NO_BACKEND_SERVER_AVAILABLE: .*avatar worker/ },
  ])('by $vendor for want of a slot fails with the reason', async ({ vendor, text }, context) => {
    const app = await buildApp({ slots: 0, env: { SLOT_WAIT_MS: '0' } });
    context.onTestFinished(() => app.close());

    const pipeline = await start(context, documentedLine(vendor, app.url, API_KEY));

    expect((await pipeline.next<{ text: string }>('error')).text).toMatch(text);
    await pipeline.next('left');
  });

  test('by protoface for an expired token fails with the reason', async (context) => {
    const app = await buildApp();
    context.onTestFinished(() => app.close());
    const slow = await delayed(app, 11 * 60_000);
    context.onTestFinished(() => void slow.close());
    const { port } = slow.address() as AddressInfo;

    const address = `http://127.0.0.1:${port}`;
    const pipeline = await start(context, documentedLine('protoface', address, API_KEY));

    const { text } = await pipeline.next<{ text: string }>('error');
    expect(text).toBe('Protoface avatar media stream failed: The token has expired.');
    await pipeline.next('left');
  });
});

/** A proxy whose answers take `ms` of the app's time. */
async function delayed(app: BuiltApp, ms: number): Promise<Server> {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '' } = request.headers;
    const answer = await fetch(new URL(request.url!, app.url), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    });
    const body = await answer.text();
    await app.clock.pass(ms);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

withPython('a Pipecat pipeline whose worker is killed in mid-speech', () => {
  const env = { WORKER_TOKEN: 'a token that all workers know', LOG_LEVEL: 'info' };
  let service: RunningService;
  let workers: WorkerProcess[] = [];
  beforeAll(async () => {
    // The service's own worker gets no session, so that the test decides which of two performs.
    service = await startService({ env: { ...NO_AGENTS, ...env, WORKER_POOL: 'nobody' } });
  });
  afterAll(() => service?.stop());

  test.for(VENDORS)('with %s goes on with the face of another', async (vendor, context) => {
    const host = new HostWatch(context);
    workers = [await startWorker(service, env)];
    context.onTestFinished(async () => {
      for (const worker of workers) await worker.kill();
    });
    const line = documentedLine(vendor, service.address, service.apiKey);

    const pipeline = await start(context, line, [{ say: 8, lose: 3 }, { say: 2 }]);
    await pipeline.next('seen');
    workers.push(await startWorker(service, env));
    await pipeline.next('heard');
    const killedAt = Date.now();
    await workers[0]!.kill();
    await pipeline.next('left');

    const heard = await pipeline.heard();
    const backAfter = faceAfter(heard, killedAt + IN_FLIGHT_MS) - killedAt;
    rows.push({ vendor, 'face back after ms': backAfter.toFixed(0) });
    console.table(rows.slice(-1));
    const last = utterancesIn(heard.sound).at(-1)!;
    expect(pipeline.process.left('error')).toEqual([]);
    host.judgeTime(() => {
      expect(backAfter).toBeLessThan(FACE_BACK_MS);
      expect(Math.abs(last.seconds - 2)).toBeLessThan(HEARD_WITHIN_S);
    });
  });
});

/** When a picture came that was not the one before: Ojin's client repeats pictures. */
function faceAfter({ pictures }: Heard, at: number): number {
  const after = pictures.findIndex(([shownAt], i) => shownAt > at && isNew(pictures, i));
  return pictures[after]?.[0] ?? Infinity;
}

const isNew = (pictures: Heard['pictures'], i: number) => pictures[i]![1] !== pictures[i - 1]?.[1];
