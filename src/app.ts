/*
 * Builds every part once, in the order of the way: records, accounts, rooms, fleet, sessions, http, gateway. Closes them the other way round:
 * first the gateway, so that no worker is declared lost, then whoever still answers requests, and the records last.
 */
import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '#shared/clock.ts';
import { createLog, type Log } from '#shared/log.ts';
import { allowedNetworks, createOutgoing } from '#shared/outgoing.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { SOFTWARE_VERSION } from '#shared/version.ts';
import { toAccount } from './accounts/account.ts';
import { KeyUse } from './accounts/key-use.ts';
import { apiKeys } from './accounts/keys.ts';
import { accountUsage } from './accounts/usage.ts';
import { recordsPlace, type Config } from './config.ts';
import { Deliveries } from './events/deliveries.ts';
import { httpPost } from './events/post.ts';
import { tellOfSessions } from './events/sessions.ts';
import { LocalFleet } from './fleet/local-fleet.ts';
import { Gateway, type GatewayTimes } from './gateway/gateway.ts';
import { PageTokens } from './http/page-token.ts';
import { toSessionBody } from './http/schemas/sessions.ts';
import { buildServer } from './http/server.ts';
import { PdfReader } from './knowledge/pdf-reader.ts';
import { Uploads } from './knowledge/upload.ts';
import { accountLists } from './records/account-lists.ts';
import { accountRecords } from './records/accounts.ts';
import { agentRecords } from './records/agents.ts';
import { apiKeyRecords } from './records/api-keys.ts';
import { avatarRecords, type AvatarRecords } from './records/avatars.ts';
import { callMessageRecords } from './records/call-messages.ts';
import { callRecords } from './records/calls.ts';
import { openDatabase } from './records/database.ts';
import { deliveryRecords } from './records/deliveries.ts';
import { deliveryQueue } from './records/delivery-queue.ts';
import { externalApiRecords } from './records/external-apis.ts';
import { knowledgeFileRecords } from './records/knowledge-files.ts';
import { migrate } from './records/migrate.ts';
import { createOutbox } from './records/outbox.ts';
import { Lists } from './records/pages.ts';
import { replyRecords } from './records/replies.ts';
import { createSeal, secretKey } from './records/sealed.ts';
import { sessionRecords } from './records/sessions.ts';
import { webhookRecords } from './records/webhooks.ts';
import { usageRecords } from './records/usage.ts';
import { liveKitRooms } from './rooms/livekit-rooms.ts';
import { MediaServer, readMediaServers } from './rooms/media-servers.ts';
import { noRooms } from './rooms/no-rooms.ts';
import type { Rooms } from './rooms/rooms.ts';
import { callWatcher, createCalls } from './sessions/calls.ts';
import type { SessionEventMap } from './sessions/session-events.ts';
import { Sessions, type SessionTimes } from './sessions/sessions.ts';

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
  avatars?: AvatarRecords;
  times?: { sessions?: Partial<SessionTimes>; gateway?: Partial<GatewayTimes> };
};

export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog({ name: 'control', level: config.LOG_LEVEL });
  const workerToken = required(config, 'WORKER_TOKEN');
  const rooms = options.rooms ?? openRooms(config);
  const outgoing = createOutgoing(allowedNetworks(config));

  const database = openDatabase(recordsPlace(config));
  const migrations = await migrate(database);
  if (migrations.length > 0) log.info({ migrations }, 'records migrated');
  const secret = secretKey(config.TROUPE_SECRET_KEY, config.DATA_DIR);
  const seal = createSeal(secret);
  const lists = new Lists(secret);
  const accounts = accountRecords(database);
  const keyRecords = apiKeyRecords(database);
  const keys = apiKeys({ accounts, keys: keyRecords, clock });
  const keyUse = new KeyUse({ keys: keyRecords, clock, log });
  const { account: firstAccount, newKey } = await keys.first(config.TROUPE_API_KEY);

  const fleet = new LocalFleet({ clock, log });
  const events = new TypedEvents<SessionEventMap>((err) => log.error({ err }, 'listener failed'));
  const deliveries = new Deliveries({
    queue: deliveryQueue(database, seal),
    post: httpPost(outgoing),
    clock,
    log,
    random: Math.random,
    userAgent: `Troupe/${SOFTWARE_VERSION}`,
  });
  const wakeDeliveries = (webhookIds: string[]) => deliveries.wake(webhookIds);
  const outbox = createOutbox({ database, lists, clock, onTold: wakeDeliveries });
  const callParts = {
    calls: callRecords(database, seal, lists),
    messages: callMessageRecords(database, lists),
    outbox,
  };
  const records = sessionRecords(database, seal, lists, [
    tellOfSessions(outbox, toSessionBody),
    callWatcher(callParts),
  ]);
  // Says so now, not at some request, when the secret key is not the one that sealed the records.
  const [newest] = (await records.page(firstAccount.id, { limit: 1 })).data;
  void newest?.roomToken;
  const sessions = new Sessions({
    records,
    fleet,
    rooms,
    events,
    clock,
    log,
    ...(options.times?.sessions && { times: options.times.sessions }),
  });

  const agents = agentRecords(database, lists);
  const avatars = options.avatars ?? avatarRecords();
  const knowledgeFiles = knowledgeFileRecords(database, lists);
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
    adminPassword: config.TROUPE_ADMIN_PASSWORD,
    requestsPerMinute: config.REQUESTS_PER_MINUTE,
    accounts,
    accountLists: accountLists(database, lists),
    keys,
    keyRecords,
    sessions,
    calls: createCalls({ ...callParts, agents, avatars, sessions }),
    agents,
    knowledgeFiles,
    uploads: new Uploads(knowledgeFiles, pdfReader),
    externalApis: externalApiRecords(database, seal, lists),
    usage: accountUsage(usageRecords(database), clock),
    avatars,
    doors: {
      secret,
      mediaServers: knownMediaServers(config),
      mapped: config.DOOR_AVATARS,
      usual: config.DOOR_DEFAULT_AVATAR,
    },
    replies: replyRecords(database, seal),
    webhooks: webhookRecords(database, seal, lists),
    deliveries: deliveryRecords(database, lists),
    wakeDeliveries,
    outgoing,
    rooms,
    fleet,
    events,
  });

  await sessions.recover();
  deliveries.start();
  const gateway = new Gateway({
    server: server.server,
    token: workerToken,
    fleet,
    sessions,
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
    await sessions.close();
    await deliveries.close();
    await keyUse.close();
    await database.destroy();
  };
  return {
    server,
    newKey,
    listen: () => server.listen({ host: config.HOST, port: config.PORT }),
    close: () => (closing ??= close()),
  };
}

/** Those whose key and secret we hold: our own one first. */
function knownMediaServers(config: Config): MediaServer[] {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = config;
  const own = url && apiKey && apiSecret ? [{ url, apiKey, apiSecret }] : [];
  const others = config.DOOR_MEDIA_SERVERS ? readMediaServers(config.DOOR_MEDIA_SERVERS) : [];
  const publicUrl = config.LIVEKIT_PUBLIC_URL;
  return [...own.map((server) => ({ ...server, publicUrl })), ...others].map(
    (options) => new MediaServer(options),
  );
}

function openRooms(config: Config): Rooms {
  if (!config.LIVEKIT_URL) return noRooms;
  return liveKitRooms({
    url: config.LIVEKIT_URL,
    publicUrl: config.LIVEKIT_PUBLIC_URL ?? config.LIVEKIT_URL,
    apiKey: required(config, 'LIVEKIT_API_KEY'),
    apiSecret: required(config, 'LIVEKIT_API_SECRET'),
  });
}

/** `npm start` makes these and passes them on; a control plane that runs by itself must be given them. */
function required(
  config: Config,
  name: 'WORKER_TOKEN' | 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET',
): string {
  const value = config[name];
  if (!value) throw new Error(`Configuration: ${name} must be set`);
  return value;
}
