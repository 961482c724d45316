import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import { Fault } from '../errors.ts';
import { decorateActor } from './audit/auditor.ts';
import { AdminAccess } from './auth/admin-access.ts';
import { AdminPassword } from './auth/admin-password.ts';
import { requireCaller } from './auth/api-key.ts';
import { VendorAvatars } from './compat/avatars.ts';
import { VendorPictures } from './compat/pictures.ts';
import { vendorRoutes } from './compat/routes.ts';
import { vendorTokens } from './compat/tokens.ts';
import { replyToError, replyToUnreadable, replyToUnsupported } from './errors/fault-replies.ts';
import { answerHead } from './plumbing/head-answers.ts';
import { routeParts, type ArrivalLimits, type HttpParts } from './http-parts.ts';
import { Idempotency } from './limits/idempotency.ts';
import { serveMetrics } from './metrics/metrics.ts';
import { olderPaths } from './older/older-paths.ts';
import { serveDocument } from './openapi.ts';
import { allowOrigins, isForAnyPage, type OriginsOfAgent } from './auth/origins.ts';
import { pageTokenRoutes } from './auth/page-token.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { requireDiskSpace } from './limits/disk-space.ts';
import { addRateLimits } from './limits/rate-limit.ts';
import { documentRefusals, keepErrorAnswers } from './errors/refusals.ts';
import { keepJournal } from './requests/request-journal.ts';
import { namePlugins } from './plumbing/plugin-names.ts';
import { RequestLog, withRequests } from './plumbing/request-log.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { signInRoutes } from './admin/sign-in-routes.ts';
import { accountRoutes } from './account/account-routes.ts';
import { ownKeyRoutes } from './keys/own-key-routes.ts';
import { auditLogRoutes } from './audit/audit-log-routes.ts';
import { erasureRoutes } from './account/erasure-routes.ts';
import { exportRoutes } from './export/export-routes.ts';
import { invitationRoutes } from './people/invitation-routes.ts';
import { peopleRoutes } from './people/people-routes.ts';
import { requestLogRoutes } from './requests/request-log-routes.ts';
import { usageRoutes } from './account/usage-routes.ts';
import { agentRoutes } from './agents/agent-routes.ts';
import { authRoutes } from './auth/auth-routes.ts';
import { pictureRoutes } from './avatars/picture-routes.ts';
import { avatarRoutes } from './avatars/avatar-routes.ts';
import { blobRoutes } from './workers/blob-routes.ts';
import { chatRoutes } from './chat/chat-routes.ts';
import { callRoutes } from './calls/call-routes.ts';
import { conversationRoutes } from './older/conversations.ts';
import { deliveryRoutes } from './webhooks/delivery-routes.ts';
import { externalApiRoutes } from './external-apis/external-api-routes.ts';
import { fleetRoutes } from './fleet/fleet-routes.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { healthRoutes, readinessOf } from './health/health-routes.ts';
import { liveEventRoutes } from './events/live-event-routes.ts';
import { historyRoutes } from './fleet/history-routes.ts';
import { knowledgeFileRoutes } from './knowledge/knowledge-file-routes.ts';
import { olderAgentRoutes } from './older/older-agents.ts';
import { olderExternalApiRoutes } from './older/older-external-apis.ts';
import { olderNameRoutes } from './older/older-names.ts';
import { roomRoutes } from './calls/room-routes.ts';
import { sessionEventRoutes } from './sessions/session-event-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { stillRoutes } from './sessions/still-routes.ts';
import { timelineRoutes } from './sessions/timeline-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';
import { workerCallRoutes } from './workers/worker-call-routes.ts';
import { workerProtocolRoutes } from './workers/worker-protocol-routes.ts';
import { ownAccountChanges } from './account/account-schemas.ts';
import { adminSchemas } from './admin/admin-schemas.ts';
import { adminNameSchemas } from './admin/admin-name-schemas.ts';
import { AdminInvitationRequest } from './people/people-schemas.ts';
import { schemas } from './all-schemas.ts';
import { oneSchemaStore } from './plumbing/schema-store.ts';
import { lazySerializers } from './plumbing/serialization.ts';
import { traceRequests } from './plumbing/request-traces.ts';
import { replyToUnknownPath } from './errors/unknown-path.ts';
import { refuseUnsafeBodies } from './plumbing/validation/unsafe-bodies.ts';
import { validatorFactory } from './plumbing/validation/validators.ts';

/** In bytes. Room tokens are the largest fields. */
const BODY_LIMIT = 64 * 1024;

/** As long as the longest request line, so that a long unknown path is still a 404. */
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

/** All servers of the process share what is compiled: tests create hundreds of them. */
const compilersFactory = { buildValidator: validatorFactory(), buildSerializer: lazySerializers() };

/** Creates the public API. Owns nothing that it is given. */
export async function createHttp(given: HttpParts): Promise<FastifyInstance> {
  const { log, clock, vendors } = given;
  const { publicUrl, mediaServerUrl, chatOrigin, trustedProxies } = given.addresses;
  const { callers, adminPassword, pageCode } = given.access;
  const { avatars } = given.avatars;
  const parts = routeParts(given);
  const baseUrl = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;
  const chatBase = (request: FastifyRequest) => chatOrigin ?? baseUrl(request);
  const older = olderPaths(clock);
  // The annotation keeps pino's types out of the app's type.
  const loggerInstance: FastifyBaseLogger = withRequests(log);
  const app = fastify({
    loggerInstance,
    // randomUUID caches entropy, which makes it cheap per request.
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    ...arrivalLimits({ ...ARRIVAL, ...given.limits.arrival }),
    trustProxy: trustedProxies ? (address) => trustedProxies.contains(address) : false,
    logController: new RequestLog(),
    schemaController: { bucket: oneSchemaStore(), compilersFactory },
    routerOptions: { maxParamLength: MAX_PATH_PART, ignoreTrailingSlash: true },
    // `refuseUnsafeBodies` names the field; the parser would only say that the body is not valid.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    // Paths that do not decode are refused before any hook runs.
    frameworkErrors(error, request, reply) {
      if (isForAnyPage(request)) reply.header('access-control-allow-origin', '*');
      older.mark(request, reply, baseUrl(request));
      replyToError(error, request, reply);
    },
    clientErrorHandler: replyToUnreadable,
    // On close, idle connections end; `refuseWhenStopping` answers new requests.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();

  namePlugins(app);
  // Set before routes are registered: a route keeps the handlers of that moment.
  app.decorateRequest('rejectedFor', null);
  decorateActor(app);
  app.setErrorHandler(replyToError);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    older.mark(request, reply, baseUrl(request));
  });
  // Unknown agents are looked up, too, so these requests are limited.
  const originsOf: OriginsOfAgent = async (agentId, request) => {
    limits.countStranger(request);
    return (await parts.agents.get(agentId))?.allowedOrigins ?? [];
  };
  await app.register(cors, { delegator: allowOrigins(chatOrigin, originsOf) });
  // After CORS, so that pages can read the refusal.
  app.addHook('onRequest', async (request) => older.check(request));
  refuseWhenStopping(app);
  requireHost(app);
  replyToUnsupported(app.server);
  replyToUnknownPath(app);
  answerHead(app);
  keepErrorAnswers(app);
  refuseUnsafeBodies(app);
  const admin = adminPassword === undefined ? null : new AdminPassword(adminPassword, clock);
  const ownSchemas = [
    ownAccountChanges(given.access.retentionDays),
    ...adminSchemas,
    ...adminNameSchemas,
    AdminInvitationRequest,
  ];
  for (const schema of [...schemas, ...ownSchemas]) app.addSchema(schema);
  const limits = await addRateLimits(app, parts);
  serveMetrics(app, parts, limits);
  if (given.tracer) traceRequests(app, { ...parts, tracer: given.tracer });
  await serveDocument(app, { publicUrl, hasAdmin: admin !== null });

  const readiness = readinessOf(parts);
  await app.register(healthRoutes(readiness));
  await app.register(pictureRoutes(avatars));
  await app.register(blobRoutes({ ...parts, limits }));
  await app.register(workerCallRoutes({ ...parts, limits }));
  await app.register(workerProtocolRoutes);
  await app.register(
    pageTokenRoutes({ tokens: callers.pageTokens, code: pageCode, admin, limits }),
  );
  await app.register(
    consoleRoutes({ ...parts, access: callers.console, publicUrl, baseUrl, limits }),
    {
      prefix: '/console/api',
    },
  );
  await app.register(pageRoutes({ mediaServerUrl, originsOf }));
  const idempotency = new Idempotency(parts);
  app.addHook('onClose', () => idempotency.close());
  await app.register(async (v1) => {
    const all = { ...parts, idempotency, baseUrl, chatBase };
    documentRefusals(v1, V1_REFUSALS);
    requireCaller(v1, callers, limits);
    await v1.register(authRoutes);
    keepJournal(v1, parts.journal, clock);
    const { checks } = readiness;
    const publicUrls = [publicUrl, mediaServerUrl].filter((url) => url !== undefined);
    await v1.register(fleetRoutes({ ...parts, checks, publicUrls }));
    await v1.register(exportRoutes(all));
    requireDiskSpace(v1, parts.diskSpace);
    await v1.register(avatarRoutes(all));
    await v1.register(sessionRoutes(all));
    await v1.register(sessionEventRoutes(parts));
    await v1.register(liveEventRoutes(parts));
    await v1.register(timelineRoutes(parts));
    await v1.register(stillRoutes(parts));
    await v1.register(accountRoutes(parts));
    await v1.register(usageRoutes(all));
    await v1.register(requestLogRoutes(parts));
    await v1.register(historyRoutes(parts));
    await v1.register(auditLogRoutes(parts));
    await v1.register(ownKeyRoutes(parts));
    await v1.register(peopleRoutes(all));
    await v1.register(invitationRoutes(all));
    await v1.register(erasureRoutes(parts));
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
  });
  await app.register(async (chat) => {
    documentRefusals(chat, CHAT_REFUSALS);
    requireDiskSpace(chat, parts.diskSpace);
    await chat.register(chatRoutes({ ...parts, baseUrl, limits }));
  });
  await app.register(async (compat) => {
    requireDiskSpace(compat, parts.diskSpace);
    await compat.register(
      vendorRoutes({
        ...parts,
        baseUrl,
        idempotency,
        limits,
        mediaServers: vendors.mediaServers,
        tokens: vendorTokens(vendors.secret, clock),
        vendorAvatars: new VendorAvatars(avatars, vendors),
        vendorPictures: new VendorPictures(parts),
      }),
    );
  });
  await app.register(async (scope) => {
    documentRefusals(scope, ADMIN_REFUSALS);
    const { console } = callers;
    const access = new AdminAccess({ ...parts, password: admin, console, limits });
    if (admin) await scope.register(signInRoutes(access, parts));
    await scope.register(adminRoutes({ ...parts, baseUrl }, access));
  });
  await app.ready();
  return app;
}

const ARRIVAL: ArrivalLimits = { withinMs: 30_000, checkEveryMs: 1_000 };

/**
 * Ends half-sent requests. Node takes the larger of the two limits for the body, so both are set; and
 * it looks every 30 seconds by default, so a request could last twice as long.
 */
const arrivalLimits = ({ withinMs, checkEveryMs }: ArrivalLimits) => ({
  requestTimeout: withinMs,
  http: {
    requestTimeout: withinMs,
    headersTimeout: withinMs,
    connectionsCheckingInterval: checkEveryMs,
    // `requireHost` answers with a body.
    requireHostHeader: false,
  },
});

function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers, raw }) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') return;
    throw new Fault('invalid_parameter', { detail: 'The Host header is required.' });
  });
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
