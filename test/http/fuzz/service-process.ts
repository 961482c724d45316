/*
 * The fuzzed service, its workers and a webhook receiver, in a separate process: the fuzzer computes for
 * seconds at a time, and workers in its process would miss their deadlines.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blobPath } from '#protocol/blob-path.ts';
import { DRAWS_SHEETS } from '#protocol/sheets.ts';
import { TAKES_STILLS } from '#protocol/stills.ts';
import type { Placement } from '#protocol/worker-messages.ts';
import { createLog } from '#shared/log.ts';
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import { answer } from '../../bench/rpc.ts';
import { FakeRooms } from '../../support/fleet/fake-rooms.ts';
import { SimulatedWorker, type SimulatedWorkerOptions } from '../../support/simulated-worker.ts';

/** `spared`: the ids of the avatar worker and of the agent worker. */
export type Opened = { url: string; webhookUrl: string; spared: string[] };

const SLOTS = 1_000;
const ABILITIES = ['bundles', 'builds', 'speech_sources', TAKES_STILLS, DRAWS_SHEETS];
const WORKER_TOKEN = 'a token that workers know';

let worker: SimulatedWorker;
let mayBeFull = false;
const unstarted: Placement[] = [];
let close = async (): Promise<void> => {};

answer({
  open,
  /** As the worker counts them once all pending messages have arrived. */
  async freeSlots(): Promise<number> {
    await worker.atRest();
    return SLOTS - worker.performing.size;
  },
  /** Ends no more sessions and starts the waiting ones, which would time out and free their slots. */
  async fill(): Promise<void> {
    mayBeFull = true;
    await Promise.all(unstarted.splice(0).map((placement) => worker.started(placement)));
  },
  endOldest: () => endOldest(),
  close: () => close(),
});

async function open(env: Record<string, string>): Promise<Opened> {
  const app = await createApp(
    loadConfig({ PORT: '0', WORKER_TOKEN, REQUESTS_PER_MINUTE: '1000000000', ...env }),
    {
      rooms: new FakeRooms(),
      // A sign-in would take a tenth of a second.
      passwordCost: { N: 2 ** 6, r: 8, p: 1 },
      log: createLog({ name: 'fuzz', level: 'silent' }),
      // Do not wait for a slot when all are taken.
      times: { sessions: { reserveMs: 1 }, agentWaitMs: 0 },
    },
  );
  await app.listen();
  const url = addressOf(app.server.server);
  const join = (options: Partial<SimulatedWorkerOptions>) =>
    new SimulatedWorker({ url, token: WORKER_TOKEN, ...options }).join();
  const avatars = builtInAvatars()
    .all()
    .map(({ id }) => id);
  worker = await join({ avatars, slots: SLOTS, abilities: ABILITIES });
  const agent = await join({ kind: 'agent', slots: SLOTS });
  // It has no avatar and gets no session, so it may be drained.
  const drained = await join({ slots: 1, avatars: [] });
  const performing = [perform(), buildAvatars(url)];

  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');

  close = async () => {
    await app.close();
    await Promise.all([worker, agent, drained].map((each) => each.close()));
    await Promise.all(performing);
    receiver.close();
  };
  return {
    url,
    webhookUrl: addressOf(receiver),
    spared: [worker.workerId, agent.workerId],
  };
}

const addressOf = (server: { address(): unknown }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Some sessions start at once, some never; old ones end before the last slot is taken. */
async function perform(): Promise<void> {
  await whileConnected(async (i) => {
    const { placement } = await worker.next('assign');
    if (i % 3 || mayBeFull) await worker.started(placement);
    else unstarted.push(placement);
    if (worker.performing.size > SLOTS * 0.9 && !mayBeFull) await endOldest();
  });
}

async function endOldest(): Promise<void> {
  const [oldest] = worker.performing.values();
  if (!oldest) throw new Error('the worker performs nothing');
  await worker.ended(oldest.placement, 'agent_left');
}

/** Builds avatars as soon as they are assigned. */
async function buildAvatars(url: string): Promise<void> {
  const put = async (text: string): Promise<string> => {
    const bytes = Buffer.from(text);
    const hash = hashOf(bytes);
    const reply = await fetch(url + blobPath(hash), {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${WORKER_TOKEN}`,
        'content-type': 'application/octet-stream',
      },
      body: bytes,
    });
    if (!reply.ok) throw new Error(`a blob was answered with ${reply.status}`);
    return hash;
  };
  await whileConnected(async () => {
    const { placement } = await worker.next('build');
    const bundle = await put(`the bundle of ${placement.avatarId}`);
    const portrait = await put(`the portrait of ${placement.avatarId}`);
    await worker.built(placement, bundle, portrait);
  });
}

async function whileConnected(next: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; worker.isConnected; i++) {
    try {
      await next(i);
    } catch (error) {
      if (worker.isConnected) throw error;
    }
  }
}
