import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { fastify, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { withoutExtraSlashes } from '#shared/network/extra-slashes.ts';
import { Fault } from '../../errors.ts';
import { decorateActor } from '../audit/auditor.ts';
import { answerOneAtATime } from '../answers/one-at-a-time.ts';
import { boundUnreadAnswers } from '../answers/unread-answers.ts';
import { readJson, refuseOthers } from '../bodies/parsers.ts';
import { allowOrigins, isForAnyPage, originsOfAgents } from '../auth/origins.ts';
import { refuseAmbiguousKeys } from '../auth/credentials.ts';
import { replyToError, replyToUnreadable, replyToUnsupported } from '../errors/fault-replies.ts';
import { keepErrorAnswers } from '../errors/refusals.ts';
import { replyToUnknownPath } from '../errors/unknown-path.ts';
import { olderPaths } from '../older/older-paths.ts';
import { RequestTurns } from '../limits/request-turns.ts';
import type { ArrivalLimits, Services } from '../services.ts';
import { keepClientAddress } from './client-address.ts';
import { answerHead } from './head-answers.ts';
import { namePlugins } from './plugin-names.ts';
import { RequestLog, withRequests } from './request-log.ts';
import { oneSchemaStore } from './schema-store.ts';
import { lazySerializers } from './serialization.ts';
import { refuseUnsafeBodies } from './validation/unsafe-bodies.ts';
import { validatorFactory } from './validation/validators.ts';

/** In bytes. Room tokens are the largest fields. */
const BODY_LIMIT = 64 * 1024;

/** As long as the longest request line, so that a long unknown path is still a 404. */
const MAX_PATH_PART = 16_384;

/** All servers of the process share what is compiled: tests create hundreds of them. */
const compilersFactory = { buildValidator: validatorFactory(), buildSerializer: lazySerializers() };

/** Without routes: they keep the hooks and handlers of the moment of their registration. */
export async function createFastify(services: Services): Promise<FastifyInstance> {
  const { log, clock, settings, baseUrl } = services;
  const { trustedProxies, chatOrigin, arrival } = settings;
  const older = olderPaths(clock);
  // The annotation keeps pino's types out of the app's type.
  const loggerInstance: FastifyBaseLogger = withRequests(log);
  const app = fastify({
    loggerInstance,
    // randomUUID caches entropy, which makes it cheap per request.
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    ...arrivalLimits({ ...ARRIVAL, ...arrival }),
    trustProxy: trustedProxies ? (address) => trustedProxies.contains(address) : false,
    logController: new RequestLog(),
    schemaController: { bucket: oneSchemaStore(), compilersFactory },
    rewriteUrl: ({ url = '/' }) => withoutExtraSlashes(url),
    routerOptions: { maxParamLength: MAX_PATH_PART, ignoreTrailingSlash: true },
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
  app.decorateRequest('rejectedFor', null);
  decorateActor(app);
  app.setErrorHandler(replyToError);
  keepClientAddress(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    older.mark(request, reply, baseUrl(request));
  });
  await app.register(cors, { delegator: allowOrigins(chatOrigin, originsOfAgents(services)) });
  // After CORS, so that pages can read the refusal.
  app.addHook('onRequest', async (request) => older.check(request));
  refuseWhenStopping(app);
  requireHost(app);
  refuseAmbiguousKeys(app);
  replyToUnsupported(app.server);
  const turns = new RequestTurns(clock);
  turns.serve(app);
  const { takenWithinMs } = { ...ARRIVAL, ...arrival };
  answerOneAtATime(app.server, { turns, takenWithinMs });
  replyToUnknownPath(app);
  answerHead(app);
  keepErrorAnswers(app);
  services.bodies.serve(app);
  boundUnreadAnswers(app, settings.unreadBytes, clock);
  app.removeAllContentTypeParsers();
  readJson(app, services.bodies);
  refuseOthers(app);
  refuseUnsafeBodies(app);
  return app;
}

const ARRIVAL: ArrivalLimits = { withinMs: 30_000, checkEveryMs: 1_000, takenWithinMs: 30_000 };

/**
 * Ends half-sent requests. Node takes the larger of the two limits for the body, so both are set;
 * and it looks every 30 seconds by default, so a request could last twice as long.
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
