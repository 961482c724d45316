/*
 * Builds every part once, along the steps of a session. Parts close in the reverse order, but the
 * gateway first, so that no worker is taken for lost, and the records last.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DefaultModels } from '#shared/process/default-models.ts';
import { mediaServerLog, readRefusedJobs } from '#shared/agent-jobs.ts';
import { createOutgoing, type Resolve } from '#shared/network/address-policy.ts';
import { systemClock, type Clock } from '#shared/clock.ts';
import { createLog, type Log } from '#shared/log.ts';
import { parseNetworks } from '#shared/network/networks.ts';
import type { TraceIds } from '#shared/tracing/trace-ids.ts';
import { openTracer, traceIdsFor } from '#shared/tracing/tracer.ts';
import { UpgradeRouter } from '#shared/network/upgrade-router.ts';
import type { PasswordCost } from './accounts/people/password-hash.ts';
import { parseRetentionDays } from './accounts/erasure/retention-days.ts';
import { openErasure } from './accounts/erasure/open-erasure.ts';
import { openAccounts, type AccountNotices } from './accounts/open-accounts.ts';
import type { BuiltInAvatars } from './avatars/built-in-avatars.ts';
import { httpFetchPicture } from './avatars/fetch-picture.ts';
import { openAvatars } from './avatars/open-avatars.ts';
import type { BotroomRooms } from './botrooms/botroom-rooms.ts';
import { ForwardedHandshakes } from './botrooms/forwarded-handshakes.ts';
import { nodeAddress } from './botrooms/node-address.ts';
import { Relay, type BotroomNotices } from './botrooms/relay.ts';
import { callWatcher } from './calls/calls.ts';
import { serviceModels } from './calls/models/models.ts';
import { makeFirstAgent } from './calls/first-agent.ts';
import { openCalls } from './calls/open-calls.ts';
import { openCluster } from './cluster/open-cluster.ts';
import {
  bodySettings,
  chatOrigin,
  minFreeBytes,
  ollamaAddress,
  openidSettings,
  allowedMediaServers,
  isBehindProxy,
  isForThisMachine,
  ownMediaServer,
  recordsPlace,
  required,
  unreadBytes,
  type Config,
} from './config.ts';
import { openWebhooks } from './events/open-webhooks.ts';
import { publishQuality, publishSessionEvents } from './events/sessions.ts';
import { openFleet } from './fleet/open-fleet.ts';
import type { FleetNotices, FleetRequests } from './fleet/redis/messages.ts';
import { readInstalling } from '#shared/process/speech-installs.ts';
import { canRecognizeSpeech } from './fleet/speech-recognition.ts';
import { Gateway } from './gateway/gateway.ts';
import type { GatewayTimes } from './gateway/times.ts';
import { PageCode } from './http/auth/page-code.ts';
import { recordEnds } from './http/audit/recorded-ends.ts';
import { refusedHandshakes } from './http/limits/refused-handshakes.ts';
import { RequestJournal, type JournalRequests } from './http/requests/request-journal.ts';
import { toSessionBody } from './http/sessions/session-schemas.ts';
import { createHttp } from './http/server.ts';
import type { ArrivalLimits } from './http/services.ts';
import { openOverflow } from './overflow/open-overflow.ts';
import { openKnowledge } from './knowledge/open-knowledge.ts';
import { keySource } from './records/keys/key-source.ts';
import { openRecords } from './records/open-records.ts';
import { knownMediaServers, openRooms } from './rooms/configured-rooms.ts';
import { openAgentRooms, type AgentRooms } from './rooms/agent-rooms.ts';
import { createCallerBots } from './rooms/caller-bots.ts';
import { createCallerRooms } from './rooms/caller-rooms.ts';
import type { Rooms } from './rooms/rooms.ts';
import type { SessionNotices, SessionRequests } from './sessions/cluster/messages.ts';
import { endAccountSessions } from './sessions/ending/end-account-sessions.ts';
import { openSessions } from './sessions/open-sessions.ts';
import { Installations } from './speech-models/installations.ts';
import type { SessionTimes } from './sessions/session-times.ts';

type ClusterRequests = FleetRequests & SessionRequests & JournalRequests;
type ClusterNotices = FleetNotices & SessionNotices & AccountNotices & BotroomNotices;

export type App = {
  server: FastifyInstance;
  /** The generated first API key, to be shown once; else null. */
  newKey: string | null;
  /** Opens the try page in one browser, once. */
  pageCode: string;
  /** The code of a link that opens the console as owner once. Null if a person has a password. */
  newConsoleCode: () => Promise<string | null>;
  /** Models of agents without their own. */
  defaultModels: () => Promise<DefaultModels>;
  /** Makes the first agent, if this start has created the records. */
  welcome(): Promise<void>;
  /** Listens and returns the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
};

/** Replacements for tests. */
export type AppOptions = {
  clock?: Clock;
  logging?: {
    log: Log;
    /** Trace ids that `log` adds to its lines. */
    traceIds?: TraceIds | null | undefined;
  };
  resolve?: Resolve;
  rooms?: Rooms;
  otherRooms?: { agentRooms?: AgentRooms; botrooms?: BotroomRooms };
  builtIn?: BuiltInAvatars;
  /** Default: the cost for production. */
  passwordCost?: PasswordCost | undefined;
  times?: {
    sessions?: Partial<SessionTimes>;
    gateway?: Partial<GatewayTimes>;
    agentWaitMs?: number;
    arrival?: Partial<ArrivalLimits>;
  };
};

/** `sharesDataDir`: the workers of this service run beside it, with the same DATA_DIR. */
export async function createApp(
  config: Config,
  options: AppOptions = {},
  { sharesDataDir = false } = {},
): Promise<App> {
  const clock = options.clock ?? systemClock;
  const traceIds = options.logging?.traceIds ?? traceIdsFor(config);
  const log = options.logging?.log ?? createLog({ name: 'control', level: config.LOG_LEVEL });
  const shared = { clock, log };
  const tracer = await openTracer({ settings: config, process: 'control', ...shared });
  const workerToken = required(config, 'WORKER_TOKEN');
  const mediaServer = ownMediaServer(config);
  const outgoing = createOutgoing(config.ALLOWED_NETWORKS ?? '', options.resolve);
  const mediaServers = knownMediaServers(mediaServer, config.INFERENCE_MEDIA_SERVERS);
  const callerRooms = createCallerRooms({
    servers: mediaServers,
    addresses: allowedMediaServers(config),
    outgoing,
    clock,
  });
  const callerBots = createCallerBots({ outgoing, clock });
  const days = parseRetentionDays(config.RETENTION_DAYS);

  const place = recordsPlace(config);
  const records = await openRecords({
    place,
    keys: keySource(config),
    minFreeBytes: minFreeBytes(config),
    ...shared,
  });
  const rooms = options.rooms ?? openRooms(mediaServer, records.signingSecret);
  const agentRooms =
    options.otherRooms?.agentRooms ??
    (mediaServer && openAgentRooms(mediaServer, records.signingSecret));
  const cluster = config.REDIS_URL
    ? await openCluster<ClusterRequests, ClusterNotices>({ url: config.REDIS_URL, ...shared })
    : null;
  const bus = cluster?.bus ?? null;
  const trustedProxies = config.TRUSTED_PROXIES ? parseNetworks(config.TRUSTED_PROXIES) : null;
  const refused = refusedHandshakes(clock, trustedProxies);
  const forwarded = new ForwardedHandshakes({
    secret: records.signingSecret,
    proxies: trustedProxies,
    clock,
  });
  const upgrades = new UpgradeRouter(log, (request) => forwarded.addressOf(request));
  const relay = new Relay({
    upgrades,
    refused,
    forwarded,
    bus,
    // The port may be chosen on listening.
    nodeUrl: () =>
      nodeAddress({
        configuredUrl: config.NODE_URL,
        host: config.HOST,
        port: portOf(server.server),
      }),
    secret: records.signingSecret,
    ...shared,
  });
  const botrooms = options.otherRooms?.botrooms ?? relay;
  const accounts = await openAccounts({
    records,
    bus,
    apiKey: config.TROUPE_API_KEY,
    workerToken,
    passwordCost: options.passwordCost,
    openid: openidSettings(config),
    ...shared,
  });
  const { fleet, events: fleetEvents } = await openFleet({
    cluster,
    rules: {
      policy: config.PLACEMENT,
      maxWaiting: config.MAX_WAITING,
      lateFramesLimit: config.LATE_FRAMES_LIMIT,
    },
    ...shared,
  });
  const overflow = openOverflow({ fleet, records, outgoing, mediaServer, ...shared });
  const webhooks = openWebhooks({ records, outgoing, ...shared });
  const { outbox } = webhooks;
  const sessionRecords = records.createSessions([
    publishSessionEvents(outbox, toSessionBody),
    callWatcher({ records, outbox }),
    recordEnds({ ...records, clock }),
  ]);
  const sessions = openSessions({
    records: { ...records, sessions: sessionRecords },
    fleet: overflow.fleet,
    media: { rooms, botrooms, callerRooms, callerBots },
    cluster,
    tracing: tracer && traceIds && { tracer, traceIds },
    times: { reserveMs: config.SLOT_WAIT_MS, ...options.times?.sessions },
    ...shared,
  });
  const { sessionCreation, sessionEnding, workerReports } = sessions;
  sessions.ownEvents.on('session.quality_changed', publishQuality(outbox, log));
  const avatars = openAvatars({ records, outbox, builtIn: options.builtIn, ...shared });
  const knowledge = openKnowledge({ records, ...shared });
  const installing = () => readInstalling(config.DATA_DIR);
  const calls = openCalls({
    records,
    sessions: {
      records: sessionRecords,
      events: sessions.ownEvents,
      creation: sessionCreation,
      ending: sessionEnding,
      rooms,
    },
    outbox,
    agents: {
      avatars: avatars.avatars,
      knowledge: knowledge.knowledge,
      service: serviceModels(config),
      ollamaAt: ollamaAddress(config),
      canRecognize: canRecognizeSpeech({ fleet, clock, keptMs: cluster ? 1_000 : 0 }),
      installing,
      outgoing,
    },
    limits: {
      callsPerAddress: config.CHAT_CALLS_PER_ADDRESS,
      callsPerAgent: config.CHAT_CALLS_PER_AGENT,
      perAddress: {
        modelTokens: config.CHAT_TOKENS_PER_ADDRESS,
        speechCharacters: config.CHAT_SPEECH_PER_ADDRESS,
        seconds: config.CHAT_SECONDS_PER_ADDRESS,
      },
      agentWaitMs: options.times?.agentWaitMs,
    },
    tracer,
    ...shared,
  });
  const erasure = openErasure({
    records,
    keys: accounts.keys,
    endSessions: (accountId) =>
      endAccountSessions({ records: sessionRecords, ending: sessionEnding }, accountId),
    days,
    ...shared,
  });
  const pageCode = new PageCode();
  const { DATA_DIR: dataDir, SPEECH_MODELS_MIRROR: mirror } = config;
  const installations = sharesDataDir ? new Installations({ dataDir, mirror, log }) : null;
  const server = await createHttp({
    ...shared,
    ...accounts,
    ...sessions,
    ...avatars,
    ...calls,
    settings: {
      publicUrl: config.PUBLIC_URL?.replace(/\/+$/, ''),
      mediaServerUrl: config.LIVEKIT_PUBLIC_URL ?? config.LIVEKIT_URL,
      chatOrigin: chatOrigin(config),
      trustedProxies,
      trustsThisMachine: !isBehindProxy(config),
      opensForThisMachine: isForThisMachine(config),
      adminPassword: config.TROUPE_ADMIN_PASSWORD,
      retentionDays: days,
      requestsPerMinute: config.REQUESTS_PER_MINUTE,
      chatCallsPerHour: config.CHAT_CALLS_PER_HOUR,
      eventStreamsPerKey: config.EVENT_STREAMS_PER_KEY,
      bodies: bodySettings(config),
      unreadBytes: unreadBytes(config),
      arrival: options.times?.arrival,
      warmSlots: config.WARM_SLOTS,
      hasAiLabel: config.CHAT_AI_LABEL === 'on',
      vendorAvatars: { mapped: config.DOOR_AVATARS, usual: config.DOOR_DEFAULT_AVATAR },
    },
    outgoing,
    records,
    sessions: sessionRecords,
    rooms,
    agentRooms,
    installing,
    refusedJobs: () => readRefusedJobs(mediaServerLog(config.DATA_DIR), clock.now()),
    callerRooms,
    callerBots,
    mediaServers,
    botrooms,
    relay,
    upgrades,
    fleet,
    fleetEvents,
    overflow,
    fetchPicture: httpFetchPicture(outgoing, clock),
    uploads: knowledge.uploads,
    deletions: erasure.deletions,
    webhooks,
    pageCode,
    journal: new RequestJournal(clock, bus),
    sharedRateCounter: cluster?.redis ?? null,
    sharedGuessCounts: cluster?.guessCounts ?? null,
    dependencies: {
      ...records.checks,
      redis: cluster && (() => cluster.redis.check()),
      gateway: () => gateway.check(),
    },
    installations,
    tracer,
  });

  records.start();
  await sessions.start();
  await overflow.start(workerReports);
  avatars.start();
  knowledge.start();
  calls.start();
  webhooks.start();
  erasure.start();
  const gateway = new Gateway({
    handshakes: { upgrades, tokens: accounts.workerTokens, refused },
    fleet,
    reports: workerReports,
    builds: avatars.builds,
    ...shared,
    ...(options.times?.gateway && { times: options.times.gateway }),
  });
  upgrades.serve(server.server);

  let closing: Promise<void> | null = null;
  const close = async () => {
    await gateway.close();
    await relay.close();
    // Answers the requests that wait for a slot.
    await fleet.close();
    await knowledge.stopReading();
    await server.close();
    await installations?.close();
    await erasure.close();
    await sessions.close();
    await overflow.close();
    await avatars.close();
    await calls.close();
    await knowledge.close();
    await webhooks.close();
    await accounts.close();
    await cluster?.close();
    await records.close();
    await tracer?.close();
  };
  return {
    server,
    newKey: accounts.newKey,
    pageCode: pageCode.text,
    newConsoleCode: () => accounts.newConsoleCode(),
    defaultModels: () => calls.defaultModels(),
    async welcome() {
      const { id: accountId } = accounts.firstAccount;
      const avatar = avatars.avatars.usual(accountId);
      if (!accounts.isNewInstallation || !avatar) return;
      await makeFirstAgent({ agents: records.agents, avatar, clock }, accountId);
    },
    listen: () => server.listen({ host: config.HOST, port: config.PORT, backlog: BACKLOG }),
    close: () => (closing ??= close()),
  };
}

/** Most connections that wait to be accepted. The client of any other tries again in a second. */
const BACKLOG = 4_096;

/** 0 before the server listens. */
const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;
