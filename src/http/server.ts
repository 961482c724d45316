/* The public API as one fastify instance. It opens nothing itself: `app.ts` makes and closes what is passed in. */
import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Usage } from '../accounts/usage.ts';
import type { Avatars } from '../avatars/avatars.ts';
import { Fault } from '../errors.ts';
import type { DeliveryEvents } from '../events/deliveries.ts';
import type { FleetEvents } from '../fleet/fleet.ts';
import type { ReplyRecords } from '../records/replies.ts';
import type { MediaServer } from '../rooms/media-servers.ts';
import type { Calls } from '../calls/calls.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { AdminPassword } from './auth/admin-password.ts';
import { requireCaller, type Callers } from './auth/api-key.ts';
import { VendorAvatars, type VendorAvatarOptions } from './compat/avatars.ts';
import { VendorPictures, type VendorPicturesParts } from './compat/pictures.ts';
import { vendorRoutes } from './compat/routes.ts';
import { vendorTokens } from './compat/tokens.ts';
import { replyToError, replyToUnreadable } from './fault-replies.ts';
import { Idempotency } from './limits/idempotency.ts';
import { serveMetrics } from './metrics/metrics.ts';
import { olderPaths } from './older-paths.ts';
import { serveDocument } from './openapi.ts';
import { allowOrigins, isForAnyPage } from './auth/origins.ts';
import { pageTokenRoutes } from './auth/page-token.ts';
import { pageRoutes } from './pages.ts';
import { addRateLimits, type SharedRateCounter } from './limits/rate-limit.ts';
import { documentRefusals, keepErrorAnswers } from './refusals.ts';
import { RequestLog } from './request-log.ts';
import { adminRoutes, type AdminParts } from './routes/admin.ts';
import { agentRoutes, type AgentParts } from './routes/agents.ts';
import { authRoutes } from './routes/auth.ts';
import { pictureRoutes } from './routes/avatar-pictures.ts';
import { avatarRoutes, type AvatarParts } from './routes/avatars.ts';
import { blobRoutes, type BlobParts } from './routes/workers/blobs.ts';
import { chatRoutes, type ChatParts } from './routes/chat.ts';
import { callRoutes } from './routes/calls.ts';
import { conversationRoutes } from './routes/older/conversations.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { externalApiRoutes, type ExternalApiParts } from './routes/external-apis.ts';
import { fleetRoutes, type FleetParts } from './routes/fleet.ts';
import { healthRoutes, type HealthParts } from './routes/health.ts';
import { knowledgeFileRoutes, type KnowledgeFileParts } from './routes/knowledge-files.ts';
import { olderAgentRoutes } from './routes/older/older-agents.ts';
import { olderExternalApiRoutes } from './routes/older/older-external-apis.ts';
import { olderNameRoutes } from './routes/older/older-names.ts';
import { roomRoutes } from './routes/rooms.ts';
import { sessionEventRoutes } from './routes/session-events.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { timelineRoutes, type TimelineParts } from './routes/timeline.ts';
import { usageRoutes } from './routes/usage.ts';
import { webhookRoutes, type WebhookParts } from './routes/webhooks.ts';
import { workerCallRoutes, type WorkerCallParts } from './routes/workers/worker-calls.ts';
import { adminSchemas } from './schemas/admin.ts';
import { agentSchemas } from './schemas/agents.ts';
import { avatarSchemas } from './schemas/avatars.ts';
import { callSchemas } from './schemas/calls.ts';
import { chatSchemas } from './schemas/chat.ts';
import { ErrorBody, ValidationErrorBody } from './schemas/common.ts';
import { eventSchemas } from './schemas/events.ts';
import { externalApiSchemas } from './schemas/external-apis.ts';
import { fleetSchemas } from './schemas/fleet.ts';
import { knowledgeFileSchemas } from './schemas/knowledge-files.ts';
import { sessionSchemas } from './schemas/sessions.ts';
import { TimelineBody } from './schemas/timeline.ts';
import { webhookSchemas } from './schemas/webhooks.ts';
import { UsageBody } from './schemas/usage.ts';
import { lazySerializers } from './serialization.ts';
import { replyToUnknownPath } from './unknown-path.ts';
import { refuseDeepBodies, validatorFactory } from './validation.ts';

export type ServerParts = {
  log: Log;
  clock: Clock;
  /** What callers see; without it, the address that each caller used. */
  publicUrl: string | undefined;
  /** The media server as pages reach it. */
  mediaServerUrl: string | undefined;
  callers: Callers;
  /** Opens the admin API; without it there is none. */
  adminPassword: string | undefined;
  /** Where the room page is served under another name: it may call what it needs from there. */
  chatOrigin: string | null;
  /** Of one key. */
  requestsPerMinute: number;
  /** Of all control planes; null: this is the only one. */
  sharedRateCounter: SharedRateCounter | null;
  sessions: Pick<Sessions, 'open' | 'find' | 'page' | 'end'>;
  timelines: TimelineParts['timelines'];
  calls: Calls;
  usage: Usage;
  avatars: Avatars;
  doors: VendorAvatarOptions & { secret: Buffer; mediaServers: readonly MediaServer[] };
  replies: ReplyRecords;
  /** Of the sessions of all control planes. */
  events: SessionEvents;
  ownEvents: SessionEvents;
  fleetEvents: FleetEvents;
  deliveryEvents: DeliveryEvents;
} & Pick<ChatParts, 'chatCallsPerHour' | 'recognizesSpeech' | 'hasAiLabel'> &
  AdminParts &
  HealthParts &
  FleetParts &
  Omit<BlobParts & WorkerCallParts, 'limits'> &
  Omit<AvatarParts, 'idempotency' | 'baseUrl'> &
  VendorPicturesParts &
  Omit<
    AgentParts & KnowledgeFileParts & ExternalApiParts & WebhookParts,
    'idempotency' | 'chatBase'
  >;

/** Rooms' tokens are the largest thing in a body. */
const BODY_LIMIT = 64 * 1024;

/** As long as the longest request line: what names nothing is a 404 at any length. */
const MAX_PATH_PART = 16_384;

const V1_REFUSALS = {
  401: 'The key is missing or unknown.',
  403: "Not permitted: kept for other accounts, not part of the plan, or an operator's key.",
  429: 'Too many requests or sessions: try again after the time in Retry-After.',
};
const CHAT_REFUSALS = {
  429: 'Too many requests, calls from this address, or sessions of the owner: try again after the time in Retry-After.',
};
const ADMIN_REFUSALS = {
  401: 'The admin password is missing or wrong.',
  429: 'Too many wrong passwords: try again after the time in Retry-After.',
};

const named = [
  ErrorBody,
  ValidationErrorBody,
  ...avatarSchemas,
  ...sessionSchemas,
  TimelineBody,
  UsageBody,
  ...callSchemas,
  ...chatSchemas,
  ...eventSchemas,
  ...webhookSchemas,
  ...agentSchemas,
  ...knowledgeFileSchemas,
  ...externalApiSchemas,
  ...fleetSchemas,
];

export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { log, clock, publicUrl, avatars } = parts;
  const baseUrl = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;
  const chatBase = (request: FastifyRequest) => parts.chatOrigin ?? baseUrl(request);
  const older = olderPaths(clock);
  // Else the logger's own type would be part of the app's.
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    // Many at a time come from one piece of randomness: every request has one.
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    // A request that never comes to its end.
    requestTimeout: 30_000,
    logController: new RequestLog(),
    schemaController: {
      compilersFactory: { buildValidator: validatorFactory(), buildSerializer: lazySerializers() },
    },
    routerOptions: { maxParamLength: MAX_PATH_PART },
    // A path that does not decode is refused before any hook runs.
    frameworkErrors(error, request, reply) {
      if (isForAnyPage(request)) reply.header('access-control-allow-origin', '*');
      older.mark(request, reply, baseUrl(request));
      replyToError(error, request, reply);
    },
    clientErrorHandler: replyToUnreadable,
    // A stopping service ends the connections that only wait for a next request, and refuses others in our own words.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();

  // Routes take the handlers that are set when they are registered.
  app.decorateRequest('rejectedFor', null);
  app.setErrorHandler(replyToError);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    older.mark(request, reply, baseUrl(request));
  });
  await app.register(cors, { delegator: allowOrigins(parts.chatOrigin) });
  // After CORS: a page asks first whether it may call, and reads the refusal.
  app.addHook('onRequest', async (request) => older.check(request));
  refuseWhenStopping(app);
  replyToUnknownPath(app);
  keepErrorAnswers(app);
  refuseDeepBodies(app);
  const { adminPassword } = parts;
  const admin = adminPassword === undefined ? null : new AdminPassword(adminPassword, clock);
  for (const schema of [...named, ...(admin ? adminSchemas : [])]) app.addSchema(schema);
  const limits = await addRateLimits(app, parts);
  serveMetrics(app, parts, limits);
  await serveDocument(app, { publicUrl, hasAdmin: admin !== null });

  await app.register(healthRoutes(parts));
  await app.register(pictureRoutes(avatars));
  await app.register(blobRoutes({ ...parts, limits }));
  await app.register(workerCallRoutes({ ...parts, limits }));
  await app.register(pageTokenRoutes(parts.callers.pageTokens, admin));
  await app.register(pageRoutes({ mediaServerUrl: parts.mediaServerUrl }));
  const idempotency = new Idempotency(parts);
  app.addHook('onClose', () => idempotency.close());
  await app.register(async (v1) => {
    const all = { ...parts, idempotency, baseUrl, chatBase };
    documentRefusals(v1, V1_REFUSALS);
    requireCaller(v1, parts.callers, limits);
    await v1.register(authRoutes);
    await v1.register(avatarRoutes(all));
    await v1.register(sessionRoutes(all));
    await v1.register(sessionEventRoutes(parts));
    await v1.register(timelineRoutes(parts));
    await v1.register(usageRoutes(all));
    await v1.register(callRoutes(all));
    await v1.register(conversationRoutes(all));
    await v1.register(roomRoutes(all));
    await v1.register(olderNameRoutes(all));
    await v1.register(agentRoutes(all));
    await v1.register(olderAgentRoutes(all));
    await v1.register(knowledgeFileRoutes(all));
    await v1.register(externalApiRoutes(all));
    await v1.register(olderExternalApiRoutes(all));
    await v1.register(webhookRoutes(all));
    await v1.register(deliveryRoutes(all));
    await v1.register(fleetRoutes(parts));
  });
  await app.register(async (chat) => {
    documentRefusals(chat, CHAT_REFUSALS);
    await chat.register(chatRoutes({ ...parts, baseUrl, limits }));
  });
  await app.register(
    vendorRoutes({
      ...parts,
      idempotency,
      limits,
      mediaServers: parts.doors.mediaServers,
      tokens: vendorTokens(parts.doors.secret, clock),
      vendorAvatars: new VendorAvatars(avatars, parts.doors),
      vendorPictures: new VendorPictures(parts),
    }),
  );
  if (admin) {
    await app.register(async (scope) => {
      documentRefusals(scope, ADMIN_REFUSALS);
      await scope.register(adminRoutes(parts, admin));
    });
  }
  await app.ready();
  return app;
}

function refuseWhenStopping(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', async () => {
    if (!isStopping) return;
    const detail = 'The service is stopping. Please try again shortly.';
    throw new Fault('at_capacity', { detail, retryAfterSeconds: 2 });
  });
}
