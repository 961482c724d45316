/*
 * Builds every part once, in the order of the way: records, accounts, rooms, fleet, sessions, http, gateway. Closes them the other way round:
 * first the gateway, so that no worker is declared lost, then whoever still answers requests, and the records last.
 */
import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '#shared/clock.ts';
import { createLog, type Log } from '#shared/log.ts';
import { allowedNetworks, createOutgoing } from './egress/outgoing.ts';
import { postOutgoing } from './egress/outgoing-post.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { SOFTWARE_VERSION } from '#shared/version.ts';
import { toAccount } from './accounts/account.ts';
import { KeyUse } from './accounts/key-use.ts';
import { apiKeys } from './accounts/keys.ts';
import { accountUsage } from './accounts/usage.ts';
import { WorkerTokens } from './accounts/worker-tokens.ts';
import { createAvatars } from './avatars/avatars.ts';
import { Builds } from './avatars/builds.ts';
import { Enrolments } from './avatars/enrolment.ts';
import { httpFetchPicture } from './avatars/fetch-picture.ts';
import { chatOrigin, recordsPlace, required, type Config } from './config.ts';
import { Deliveries, type DeliveryEvents } from './events/deliveries.ts';
import { httpPost } from './egress/post.ts';
import { tellOfSessions } from './events/sessions.ts';
import type { FleetEvents } from './fleet/fleet.ts';
import { LocalFleet } from './fleet/local/local-fleet.ts';
import { openSharedFleet } from './fleet/redis/shared-fleet.ts';
import { Gateway } from './gateway/gateway.ts';
import type { GatewayTimes } from './gateway/times.ts';
import { PageTokens } from './http/auth/page-token.ts';
import { toSessionBody } from './http/schemas/sessions.ts';
import { buildServer } from './http/server.ts';
import { Knowledge } from './knowledge/passages.ts';
import { PdfReader } from './knowledge/pdf-reader.ts';
import { Uploads } from './knowledge/upload.ts';
import { knownMediaServers, openRooms } from './rooms/configured-rooms.ts';
import { accountLists } from './records/account-lists.ts';
import { accountRecords } from './records/accounts.ts';
import { agentRecords } from './records/agents.ts';
import { apiKeyRecords } from './records/api-keys.ts';
import { avatarBuildRecords } from './records/avatar-builds.ts';
import { avatarRecords } from './records/avatars.ts';
import { openBlobs } from './records/blobs.ts';
import { builtInAvatars, type BuiltInAvatars } from './avatars/built-in-avatars.ts';
import { callMessageRecords } from './records/call-messages.ts';
import { callRecords } from './records/calls.ts';
import { openDatabase } from './records/engine/database.ts';
import { deliveryRecords } from './records/deliveries.ts';
import { deliveryQueue } from './records/delivery-queue.ts';
import { externalApiRecords } from './records/external-apis.ts';
import { knowledgeFileRecords } from './records/knowledge-files.ts';
import { migrate } from './records/migrations/migrate.ts';
import { createOutbox } from './records/outbox.ts';
import { Lists } from './records/engine/pages.ts';
import { passageVectorRecords } from './records/passage-vectors.ts';
import { replyRecords } from './records/replies.ts';
import { createEncryptor, secretKey } from './records/engine/encryptor.ts';
import { timelineRecords } from './records/sessions/timelines.ts';
import { sessionRecords } from './records/sessions/sessions.ts';
import { webhookRecords } from './records/webhooks.ts';
import { workerTokenRecords as workerTokenTable } from './records/worker-tokens.ts';
import { usageRecords } from './records/sessions/usage.ts';
import type { Rooms } from './rooms/rooms.ts';
import { tellOfLostAgents } from './calls/agent-losses.ts';
import { Reconciler } from './sessions/reconciliation/reconciler.ts';
import { callWatcher, createCalls } from './calls/calls.ts';
import { embedderOf } from './calls/models/embeddings.ts';
import { CallEvaluator } from './calls/evaluation/call-evaluator.ts';
import { recognizesSpeech } from './calls/speech-recognition.ts';
import { modelsOf, serviceModels } from './calls/models/models.ts';
import { endTogether } from './sessions/linked-sessions.ts';
import type { SessionEventMap } from './sessions/session-events.ts';
import { Sessions, type SessionTimes } from './sessions/sessions.ts';
import { eventsOfAll } from './sessions/cluster/shared-events.ts';
import { SessionRouter } from './sessions/cluster/session-router.ts';
import { createWorkerCalls } from './calls/worker-calls.ts';
import { Timelines } from './sessions/timelines.ts';

export type App = {
  server: FastifyInstance;
  /** The first API key, when it was made just now: it is shown once and never again. */
  newKey: string | null;
  /** Begins to answer; returns the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
};

/** What tests put in the place of the real thing. */
export type AppOptions = {
  clock?: Clock;
  log?: Log;
  rooms?: Rooms;
  builtIn?: BuiltInAvatars;
  times?: { sessions?: Partial<SessionTimes>; gateway?: Partial<GatewayTimes> };
};

export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog({ name: 'control', level: config.LOG_LEVEL });
  const givenWorkerToken = required(config, 'WORKER_TOKEN');
  const outgoing = createOutgoing(allowedNetworks(config));

  const database = openDatabase(recordsPlace(config));
  const migrations = await migrate(database);
  if (migrations.length > 0) log.info({ migrations }, 'records migrated');
  const secret = secretKey(config.TROUPE_SECRET_KEY, config.DATA_DIR);
  const rooms = options.rooms ?? openRooms(config, secret);
  const encryptor = createEncryptor(secret);
  const lists = new Lists(secret);
  const accounts = accountRecords(database);
  const keyRecords = apiKeyRecords(database);
  const keys = apiKeys({ accounts, keys: keyRecords, clock });
  const workerTokenRecords = workerTokenTable(database, lists);
  const keyUse = new KeyUse({ keys: keyRecords, clock, log });
  const { account: firstAccount, newKey } = await keys.first(config.TROUPE_API_KEY);

  const onError = (err: unknown) => log.error({ err }, 'listener failed');
  const fleetEvents: FleetEvents = new TypedEvents(onError);
  const fleetOptions = {
    clock,
    log,
    events: fleetEvents,
    policy: config.PLACEMENT,
    maxWaiting: config.MAX_WAITING,
  };
  const shared = config.REDIS_URL
    ? await openSharedFleet({ url: config.REDIS_URL, ...fleetOptions })
    : null;
  const fleet = shared?.fleet ?? new LocalFleet(fleetOptions);
  const tellOthers = (tokenId: string) =>
    void shared?.bus
      .publish(null, 'token_revoked', { tokenId })
      .catch((err: unknown) => log.error({ err }, 'others not told of a revoked token'));
  const workerTokens = new WorkerTokens({
    given: givenWorkerToken,
    records: workerTokenRecords,
    clock,
    log,
    tellOthers,
  });
  shared?.bus.onNotice('token_revoked', ({ tokenId }) => workerTokens.wasRevoked(tokenId));
  const events = new TypedEvents<SessionEventMap>(onError);
  const timelines = new Timelines({ events, records: timelineRecords(database), clock, log });
  const deliveryEvents: DeliveryEvents = new TypedEvents(onError);
  const deliveries = new Deliveries({
    events: deliveryEvents,
    queue: deliveryQueue(database, encryptor),
    post: httpPost(outgoing),
    clock,
    log,
    random: Math.random,
    userAgent: `Troupe/${SOFTWARE_VERSION}`,
  });
  const wakeDeliveries = (webhookIds: string[]) => deliveries.wake(webhookIds);
  const outbox = createOutbox({ database, lists, clock, onTold: wakeDeliveries });
  const callParts = {
    calls: callRecords(database, encryptor, lists),
    messages: callMessageRecords(database, lists),
    outbox,
  };
  const records = sessionRecords(database, encryptor, lists, [
    tellOfSessions(outbox, toSessionBody),
    callWatcher(callParts),
  ]);
  // Says so now, not at some request, when the secret key is not the one that sealed the records.
  const [newest] = (await records.page(firstAccount.id, { limit: 1 })).data;
  void newest?.roomToken;
  const ownSessions = new Sessions({
    records,
    fleet,
    ownership: shared?.ownership,
    rooms,
    events,
    clock,
    log,
    times: { reserveMs: config.SLOT_WAIT_MS, ...options.times?.sessions },
  });

  const sessions = shared
    ? new SessionRouter({ ...shared, sessions: ownSessions, clock, log })
    : ownSessions;
  endTogether({ events, records, sessions, log });
  tellOfLostAgents({ events, calls: callParts.calls, rooms, log });
  const reconciler = new Reconciler({ sessions, records, fleet, rooms, clock, log });

  const agents = agentRecords(database, lists);
  const blobs = openBlobs(database, recordsPlace(config));
  const ownAvatars = avatarRecords(database, lists);
  const avatars = createAvatars({
    builtIn: options.builtIn ?? builtInAvatars(),
    records: ownAvatars,
    blobs,
  });
  const buildRecords = avatarBuildRecords(database);
  const builds = new Builds({ records: buildRecords, blobs, outbox, clock, log });
  const enrolments = new Enrolments({
    records: { ...ownAvatars, ...buildRecords },
    blobs,
    clock,
    onQueued: () => builds.wake(),
  });
  const knowledgeFiles = knowledgeFileRecords(database, lists);
  const externalApis = externalApiRecords(database, encryptor, lists);
  const calls = createCalls({ ...callParts, agents, avatars, sessions });
  const post = postOutgoing(outgoing);
  const service = serviceModels(config);
  const models = modelsOf({ externalApis, service, outgoing, log });
  const posts = { own: post, service: postOutgoing(null) };
  const evaluator = new CallEvaluator({
    ...callParts,
    events,
    agents,
    modelsOf: models,
    post: posts,
    clock,
    log,
  });
  const vectors = passageVectorRecords(database);
  const knowledge = new Knowledge({ files: knowledgeFiles, vectors, clock, log });
  const workerCalls = createWorkerCalls({
    ...callParts,
    agents,
    knowledgeFiles,
    knowledge,
    sessions: records,
    lines: calls,
    modelsOf: models,
    embedderOf: embedderOf({ externalApis, service, post: posts, clock }),
    clock,
  });
  const pdfReader = new PdfReader(clock);
  const server = await buildServer({
    log,
    clock,
    publicUrl: config.PUBLIC_URL?.replace(/\/+$/, ''),
    mediaServerUrl: config.LIVEKIT_PUBLIC_URL ?? config.LIVEKIT_URL,
    callers: {
      keys,
      keyUse,
      pageTokens: new PageTokens(clock),
      pageAccount: async () => toAccount(await accounts.first(clock.now())),
    },
    chatOrigin: chatOrigin(config),
    chatCallsPerHour: config.CHAT_CALLS_PER_HOUR,
    recognizesSpeech: recognizesSpeech({ service, fleet, log }),
    hasAiLabel: config.CHAT_AI_LABEL === 'on',
    adminPassword: config.TROUPE_ADMIN_PASSWORD,
    requestsPerMinute: config.REQUESTS_PER_MINUTE,
    sharedRateCounter: shared?.counts ?? null,
    accounts,
    accountLists: accountLists(database, lists),
    keys,
    keyRecords,
    sessions,
    timelines,
    calls,
    workerCalls,
    agents,
    knowledgeFiles,
    uploads: new Uploads(knowledgeFiles, pdfReader),
    externalApis,
    post,
    usage: accountUsage(usageRecords(database), clock),
    avatars,
    avatarRecords: ownAvatars,
    enrolments,
    blobs,
    fetchPicture: httpFetchPicture(outgoing, clock),
    workerTokens,
    workerTokenRecords,
    reconciler,
    warmSlots: config.WARM_SLOTS,
    ownEvents: events,
    fleetEvents,
    deliveryEvents,
    doors: {
      secret,
      mediaServers: knownMediaServers(config),
      mapped: config.DOOR_AVATARS,
      usual: config.DOOR_DEFAULT_AVATAR,
    },
    replies: replyRecords(database, encryptor),
    webhooks: webhookRecords(database, encryptor, lists),
    deliveries: deliveryRecords(database, lists),
    wakeDeliveries,
    outgoing,
    rooms,
    fleet,
    events: shared ? eventsOfAll({ ...shared, events, records, log }) : events,
  });

  await ownSessions.recover();
  builds.start();
  evaluator.start();
  deliveries.start();
  reconciler.start();
  const gateway = new Gateway({
    server: server.server,
    tokens: workerTokens,
    fleet,
    sessions,
    builds,
    clock,
    log,
    ...(options.times?.gateway && { times: options.times.gateway }),
  });

  let closing: Promise<void> | null = null;
  const close = async () => {
    await gateway.close();
    // Requests that wait for a slot get their answer now.
    await fleet.close();
    await pdfReader.close();
    await server.close();
    await reconciler.close();
    await ownSessions.close();
    await timelines.close();
    await builds.close();
    await evaluator.close();
    await knowledge.close();
    await deliveries.close();
    await keyUse.close();
    await workerTokens.close();
    await shared?.close();
    await database.destroy();
  };
  return {
    server,
    newKey,
    listen: () => server.listen({ host: config.HOST, port: config.PORT }),
    close: () => (closing ??= close()),
  };
}
