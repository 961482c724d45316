/* A service without workers shows the face of another service. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FACE } from '#protocol/room-terms.ts';
import { newOperatorKey } from '../../support/api/operator-key.ts';
import { noteSecrets } from '../../support/kept-logs.ts';
import {
  startControlProcess,
  type ControlProcess,
} from '../../support/processes/control-process.ts';
import { mediaServerEnv } from '../../support/processes/media-server.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { startWorker, type WorkerProcess } from '../../support/processes/worker-process.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const API_KEY = 'key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';
const PASSWORD = 'a password of the operator';
const PRICE_PER_MINUTE = 0.1;
let outside: RunningService;
let home: ControlProcess;
let dataDir: string;
let operator: string;
let agentWorker: WorkerProcess;
let viewer: AvatarViewer;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-overflow-'));
  outside = await shareService();
  const env = {
    TROUPE_API_KEY: API_KEY,
    TROUPE_ADMIN_PASSWORD: PASSWORD,
    WORKER_TOKEN,
  };
  noteSecrets(env);
  home = await startControlProcess({
    ...env,
    DATA_DIR: dataDir,
    ...mediaServerEnv(outside.mediaServer),
  });
  operator = await newOperatorKey(home.url, PASSWORD);
  await call('PUT', '/v1/fleet/overflow', operator, {
    url: outside.address,
    api_key: outside.apiKey,
    price_per_minute: PRICE_PER_MINUTE,
    ceiling: 20,
    period: 'month',
    max_sessions: 1,
  });
});
afterEach(() => viewer?.leave());
afterAll(async () => {
  await agentWorker?.kill();
  await home?.stop();
  await outside?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function call<Body>(
  method: string,
  pathname: string,
  key: string,
  body?: object,
): Promise<Body> {
  const answer = await fetch(new URL(pathname, home.url), {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${pathname} answered ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

type Outside = { outside_id: string; state: string; cost: number };

/** The newest session at the outside service. */
const outsideSession = async () =>
  (await call<{ data: Outside[] }>('GET', '/v1/fleet/overflow/sessions', operator)).data[0]!;

test('a pool without workers shows the face of an outside service, and ends it there', async () => {
  const { id, room } = await call<{ id: string; room: Record<string, string> }>(
    'POST',
    '/v1/sessions',
    API_KEY,
    { avatar_id: FIRST_AVATAR.alias },
  );
  viewer = new AvatarViewer('troupe-avatar');
  await viewer.join(room['url']!, room['viewer_token']!);
  await viewer.sees(50);
  const find = () => call<{ status: { type: string } }>('GET', `/v1/sessions/${id}`, API_KEY);
  await until(async () => (await find()).status.type === 'ongoing');

  await call('POST', `/v1/sessions/${id}/end`, API_KEY);
  await until(async () => (await outsideSession()).state === 'closed');

  const { outside_id, cost } = await outsideSession();
  const answer = await outside.api(`/v1/sessions/${outside_id}`);
  const { end_reason, status } = (await answer.json()) as {
    end_reason: string;
    status: { started_at: string };
  };
  // The header has whole seconds.
  const lastedMs = Date.parse(answer.headers.get('date')!) + 1_000 - Date.parse(status.started_at);
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThan((PRICE_PER_MINUTE * lastedMs) / 60_000);
  // Our room is closed at the same time as the session there is ended: the first one counts.
  expect(['ended_by_client', 'room_closed']).toContain(end_reason);
});

test('a call whose agent is here speaks with the face of an outside service', async () => {
  const env = { WORKER_TOKEN, VOICE: 'flite', HEARING: 'off' };
  const program = 'workers/agent/main.ts';
  agentWorker = await startWorker({ address: home.url, dataDir }, env, { program });
  const agent = {
    name: 'Receptionist',
    avatar_id: FIRST_AVATAR.alias,
    greeting: 'Hello, what can I do?',
  };
  const { id: agent_id } = await call<{ id: string }>('POST', '/v1/agents', API_KEY, agent);

  const opened = await call<Record<string, string>>('POST', '/v1/calls', API_KEY, { agent_id });
  viewer = new AvatarViewer(FACE);
  await viewer.join(opened['livekit_url']!, opened['livekit_token']!);
  await viewer.sees(25);
  await viewer.hearsSpeech(0.5);
  const moves = viewer.mouthMoves;
  await call('POST', `/v1/calls/${opened['id']}/end`, API_KEY);
  await until(async () => (await outsideSession()).state === 'closed');

  expect(moves).toBeGreaterThan(2);
});
