import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import type { ProtocolRange } from '#protocol/worker/protocol-version.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { UpgradeRouter } from '#shared/network/upgrade-router.ts';
import type { FleetEvents } from '../../../src/fleet/fleet.ts';
import { WorkerTokens } from '../../../src/accounts/worker-tokens.ts';
import type { SessionOwnership } from '../../../src/cluster/session-ownership.ts';
import { LocalFleet } from '../../../src/fleet/local/local-fleet.ts';
import { Builds } from '../../../src/avatars/builds.ts';
import { Gateway } from '../../../src/gateway/gateway.ts';
import type { GatewayTimes } from '../../../src/gateway/times.ts';
import { refusedHandshakes } from '../../../src/http/limits/refused-handshakes.ts';
import { avatarBuildRecords } from '../../../src/records/avatars/avatar-builds.ts';
import { avatarRecords } from '../../../src/records/avatars/avatars.ts';
import { blobRecords } from '../../../src/records/blobs.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { createOutbox } from '../../../src/records/webhooks/outbox.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import type { Encryptor } from '../../../src/records/engine/encryption/encryptor.ts';
import {
  sessionRecords,
  type SessionRecords,
  type SessionWatcher,
} from '../../../src/records/sessions/sessions.ts';
import type { NewSession } from '../../../src/sessions/creation/new-session.ts';
import { SessionRooms } from '../../../src/sessions/creation/session-rooms.ts';
import { endTogether } from '../../../src/sessions/ending/linked-sessions.ts';
import { openOwnSessions } from '../../../src/sessions/own-sessions.ts';
import { SessionSlots } from '../../../src/sessions/placement/slots.ts';
import type { LiveSessionParts } from '../../../src/sessions/live/live-session.ts';
import type { SessionEventMap } from '../../../src/sessions/session-events.ts';
import { usualTimes } from '../../../src/sessions/session-times.ts';
import { workerTokenRecords } from '../../../src/records/worker-tokens.ts';
import { newDatabase } from '../records/database.ts';
import { keptLog } from '../kept-logs.ts';
import { FakeBotrooms } from './fake-botrooms.ts';
import { FakeRooms } from './fake-rooms.ts';
import { SimulatedWorker, type SimulatedWorkerOptions } from '../simulated-worker.ts';
import { TestClock } from '../test-clock.ts';
import { until } from '../until.ts';
import { testEncryptor } from '../records/encryptor.ts';
import { listen } from '../loopback.ts';

export const WORKER_TOKEN = 'a token that workers know';
export const ACCOUNT = { id: 'account-1' };

export const quietLog = keptLog('test');

export type ControlPlane = Awaited<ReturnType<typeof startControlPlane>>;

/** Records that may outlive a control plane, like a database. */
export type Store = {
  db: Database;
  records: SessionRecords;
  encryptor: Encryptor;
  lists: Lists;
  /** Resolves when no call is pending. Only SQLite completes within a turn of the event loop. */
  atRest(): Promise<void>;
};

/** `watch` creates the session watchers over the same records. */
export async function openRecords(
  watch: (db: Database, encryptor: Encryptor, lists: Lists) => SessionWatcher[] = () => [],
): Promise<Store> {
  const db = await newDatabase();
  await addAccount(db, ACCOUNT.id);
  const encryptor = testEncryptor();
  const lists = new Lists(randomBytes(32));
  return {
    db,
    encryptor,
    lists,
    ...countCalls(sessionRecords(db, encryptor, lists, watch(db, encryptor, lists))),
  };
}

type ControlPlaneOptions = {
  clock?: TestClock;
  /** The owner closes it; without one the control plane makes and closes its own. */
  store?: Store;
  rooms?: FakeRooms;
  ownership?: SessionOwnership;
  port?: number;
  gatewayTimes?: Partial<GatewayTimes>;
  protocols?: ProtocolRange;
};

/** Sessions, fleet and gateway as in the app, with real sockets and records. Time stands still. */
export async function startControlPlane(options: ControlPlaneOptions = {}) {
  const store = options.store ?? (await openRecords());
  const { records } = store;
  const clock = options.clock ?? new TestClock();
  const rooms = options.rooms ?? new FakeRooms();
  const botrooms = new FakeBotrooms();
  const events = new TypedEvents<SessionEventMap>((error) => {
    throw error;
  });
  const eventNames: string[] = [];
  events.on('session.started', () => eventNames.push('session.started'));
  events.on('session.ended', ({ session }) =>
    eventNames.push(`session.ended ${session.endReason}`),
  );
  const fleetEvents: FleetEvents = new TypedEvents((error) => {
    throw error;
  });
  const fleet = new LocalFleet({ clock, log: quietLog, events: fleetEvents });
  const { ownership } = options;
  const sessions = openTestSessions({ records, fleet, ownership, events, clock, rooms, botrooms });
  endTogether({ events, records, ending: sessions.ending, log: quietLog });
  await sessions.recovery.recover();
  const { db: database, encryptor, lists } = store;
  const avatars = { ...avatarRecords(database, lists), ...avatarBuildRecords(database) };
  const blobs = blobRecords(database, encryptor);
  const outbox = createOutbox({ database, encryptor, lists, clock, onQueued: () => {} });
  // Without polling every second: tests of builds start it themselves.
  const builds = new Builds({ records: avatars, blobs, outbox, clock, log: quietLog });

  const workerTokens = new WorkerTokens({
    configuredToken: WORKER_TOKEN,
    records: workerTokenRecords(database, lists),
    clock,
    log: quietLog,
  });

  const server = createServer((_request, response) => response.end('the API'));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  const upgrades = new UpgradeRouter(quietLog);
  upgrades.serve(server);
  const gateway = new Gateway({
    handshakes: { upgrades, tokens: workerTokens, refused: refusedHandshakes(clock, null) },
    fleet,
    reports: sessions.reports,
    builds,
    clock,
    log: quietLog,
    ...(options.gatewayTimes ? { times: options.gatewayTimes } : {}),
    protocols: options.protocols,
  });
  const port = await listen(server, options.port);
  const url = `http://127.0.0.1:${port}`;
  const workers: SimulatedWorker[] = [];
  let isStopped = false;

  /** As when the process exits: workers lose their connections and keep their sessions. */
  async function stop(): Promise<void> {
    if (isStopped) return;
    isStopped = true;
    await gateway.close();
    // Waiting requests are answered now, as when the app closes.
    await fleet.close();
    await sessions.close();
    await builds.close();
    await workerTokens.close();
    server.close();
    await once(server, 'close');
  }

  return {
    url,
    port,
    clock,
    records,
    rooms,
    botrooms,
    events,
    /** Names of the events, in order. */
    eventNames,
    fleet,
    ...sessions,
    closeSessions: () => sessions.close(),
    avatars,
    blobs,
    builds,
    workerTokens,
    gateway,
    stop,
    worker(overrides: Partial<SimulatedWorkerOptions> = {}): SimulatedWorker {
      const worker = new SimulatedWorker({ url, token: WORKER_TOKEN, ...overrides });
      workers.push(worker);
      return worker;
    },
    /** Open connections of workers and callers. */
    connections: () => [...sockets].filter((socket) => !socket.destroyed).length,
    /** Breaks the network for all workers at once. */
    cutConnections(): void {
      for (const socket of sockets) socket.destroy();
    },
    addAccount: (id: string) => addAccount(store.db, id),
    /** Advances time in steps that connected workers survive: each answers its pings. */
    async stayFor(ms: number, connected: SimulatedWorker[] = workers): Promise<void> {
      for (let remainingMs = ms; remainingMs > 0; remainingMs -= 1_000) {
        clock.advance(Math.min(remainingMs, 1_000));
        await store.atRest();
        await Promise.all(connected.map((worker) => worker.atRest()));
      }
    },
    /** Stops everything. Fails when anything is left open. */
    async close(): Promise<void> {
      await stop();
      await Promise.all(workers.map((worker) => worker.close()));
      if (!options.store) await store.db.destroy();
      expect(clock.waiting, 'timers left').toBe(0);
    },
  };
}

type TestSessionsOptions = Pick<LiveSessionParts, 'records' | 'fleet' | 'events' | 'clock'> & {
  ownership?: SessionOwnership | undefined;
  rooms: FakeRooms;
  botrooms: FakeBotrooms;
};

/** The sessions of one control plane. Workers reach what callers bring by its own URL. */
export function openTestSessions({ rooms, botrooms, ...parts }: TestSessionsOptions) {
  const times = usualTimes;
  const log = quietLog;
  const anyAddress = { addressOf: (url: string) => ({ url }) };
  const jobSources = { callerRooms: anyAddress, callerBots: anyAddress };
  return openOwnSessions({
    parts: { ...parts, jobSources, times, log },
    slots: new SessionSlots({ ...parts, reserveMs: times.reserveMs }),
    rooms: new SessionRooms({ ...parts, rooms, botrooms, log }),
  });
}

function countCalls(records: SessionRecords): Pick<Store, 'records' | 'atRest'> {
  let running = 0;
  const counted = Object.entries(records).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      running += 1;
      try {
        return await (call as (...args: unknown[]) => Promise<unknown>)(...args);
      } finally {
        running -= 1;
      }
    },
  ]);
  return {
    records: Object.fromEntries(counted) as SessionRecords,
    atRest: () => until(() => running === 0),
  };
}

async function addAccount(db: Database, id: string): Promise<void> {
  await db.insertInto('accounts').values({ id, name: id, created_at: 0 }).execute();
}

export const request = (fields: Partial<NewSession> = {}): NewSession => ({
  transport: 'mediaserver',
  avatarId: 'mira',
  bundleHash: null,
  room: { url: 'wss://rooms.example', token: 'a token' },
  video: { width: 512, height: 512, fps: 25 },
  metadata: {},
  ...fields,
});
