import { createHash } from 'node:crypto';
import { lookup } from 'node:dns';
import type { AddressInfo } from 'node:net';
import type { InjectOptions } from 'fastify';
import { SignJWT } from 'jose';
import { expect } from 'vitest';
import type { Log } from '#shared/log.ts';
import { LOOPBACK_NETWORKS, type Resolve } from '#shared/network/address-policy.ts';
import type { TraceIds } from '#shared/tracing/trace-ids.ts';
import { createApp, type AppOptions } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { apiKeyRecords } from '../../../src/records/accounts/api-keys.ts';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import { quietLog } from '../fleet/control-plane.ts';
import { noteSecrets, noteSecretsOf } from '../kept-logs.ts';
import { newPlace, type Place } from '../records/database.ts';
import { FakeRooms } from '../fleet/fake-rooms.ts';
import { SimulatedWorker, type SimulatedWorkerOptions } from '../simulated-worker.ts';
import { TestClock } from '../test-clock.ts';
import { FIRST_AVATAR, SECOND_AVATAR } from '../cast.ts';

export const API_KEY = 'key-of-the-first-account';
export const NORA = FIRST_AVATAR.id;
export const THEO = SECOND_AVATAR.id;
/** Ids of built-in avatars. */
export const BUILT_IN = builtInAvatars()
  .all()
  .map(({ id }) => id);
export const WORKER_TOKEN = 'a token that workers know';

/** A thousandth of the cost in production. */
const CHEAP_PASSWORDS = { N: 2 ** 6, r: 8, p: 1 };

export type BuiltApp = Awaited<ReturnType<typeof buildApp>>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type BuildOptions = Omit<AppOptions, 'logging'> & {
  log?: Log;
  traceIds?: TraceIds;
  env?: Record<string, string>;
  slots?: number;
  /** Slots of the agent worker, which calls need. */
  agentSlots?: number;
  /** A given place is removed by its owner; without one the app makes and removes its own. */
  place?: Place;
  /** As with `npm start`. */
  sharesDataDir?: boolean;
};

/** No `.example` name exists, so tests do not ask the network for it. */
const resolve: Resolve = (hostname, options, answer) =>
  hostname.endsWith('.example')
    ? answer(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
    : lookup(hostname, options, answer);

/**
 * The control plane as `npm start` runs it, on a free port, with a simulated worker. Time stands
 * still and the media server is a double. Close it after every test: that fails when a timer is
 * left.
 */
export async function buildApp({
  env,
  slots = 20,
  agentSlots = slots,
  place: existingPlace,
  log = quietLog,
  traceIds,
  sharesDataDir = false,
  ...options
}: BuildOptions = {}) {
  const place = existingPlace ?? (await newPlace());
  const clock = new TestClock();
  const rooms = new FakeRooms();
  noteSecrets({ API_KEY, WORKER_TOKEN, ...env });
  const app = await createApp(
    loadConfig({
      PORT: '0',
      ...place.env,
      TROUPE_API_KEY: API_KEY,
      WORKER_TOKEN,
      // Doubles of what callers name listen on this machine.
      ALLOWED_NETWORKS: LOOPBACK_NETWORKS,
      // Time stands still, so the rate limit's minute never ends.
      REQUESTS_PER_MINUTE: '1000000',
      ...env,
    }),
    {
      clock,
      rooms,
      logging: { log, traceIds },
      resolve,
      passwordCost: CHEAP_PASSWORDS,
      // A test that advances time would make a worker look silent, and simulated agents start when
      // the test says so.
      ...options,
      times: { gateway: { pingEveryMs: 86_400_000 }, agentWaitMs: 0, ...options.times },
    },
    { sharesDataDir },
  );
  await app.listen();
  const { port } = app.server.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const workers: SimulatedWorker[] = [];

  const agents: SimulatedWorker[] = [];
  const join = async (overrides: Partial<SimulatedWorkerOptions> = {}) => {
    const avatars = BUILT_IN;
    const worker = new SimulatedWorker({ url, token: WORKER_TOKEN, avatars, slots, ...overrides });
    workers.push(worker);
    return worker.join();
  };
  const joinAgent = async (overrides: Partial<SimulatedWorkerOptions> = {}) => {
    const agent = new SimulatedWorker({
      url,
      token: WORKER_TOKEN,
      kind: 'agent',
      slots,
      ...overrides,
    });
    agents.push(agent);
    return agent.join();
  };
  if (slots > 0) await join();
  if (agentSlots > 0) await joinAgent({ slots: agentSlots });

  return {
    app,
    url,
    place,
    clock,
    rooms,
    workers,
    /** Agent workers; the first one joined at the start. */
    agents,
    join,
    joinAgent,
    /** Sends a request with the account's key. An empty header removes it. */
    call: async (
      method: Method,
      url: string,
      request: Omit<InjectOptions, 'method' | 'url'> = {},
    ) => {
      const headers = { 'x-api-key': API_KEY, ...request.headers };
      const reply = await app.server.inject({ method, url, ...request, headers });
      noteSecretsOf(request.payload, reply);
      return reply;
    },
    /** The key of another account, written straight to the records. */
    async strangerKey(): Promise<string> {
      const key = 'key-of-another-account';
      const database = place.open();
      const account = { id: 'another-account', name: 'another', created_at: clock.now() + 1 };
      await database.insertInto('accounts').values(account).execute();
      const hash = createHash('sha256').update(key).digest('hex');
      await apiKeyRecords(database).add({
        accountId: account.id,
        name: 'another',
        scope: 'all',
        hash,
        createdAt: clock.now(),
      });
      await database.destroy();
      return key;
    },
    async close() {
      await app.close();
      await Promise.all([...workers, ...agents].map((worker) => worker.close()));
      if (!existingPlace) await place.remove();
      expect(clock.waiting, 'timers left').toBe(0);
    },
  };
}

const mediaServerSecret = new TextEncoder().encode('a secret of somebody else, 32 letters');

/** A room token as published plugins make it, from another media server. */
export function roomToken(
  grant: Record<string, unknown> = { roomJoin: true, room: 'their-room' },
  claims: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT({
    sub: 'bey-avatar-agent',
    name: 'bey-avatar-agent',
    kind: 'agent',
    iss: 'their-key',
    exp: Math.floor(new TestClock().now() / 1000) + 3600,
    attributes: { 'lk.publish_on_behalf': 'their-agent' },
    video: grant,
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(mediaServerSecret);
}
