/*
 * Mounts every vendor adapter under /compat. Sessions and avatars use the same functions as under
 * /v1.
 */
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from 'fastify';
import { MAX_PICTURE_BYTES } from '../../avatars/enrolment.ts';
import { Fault, problem } from '../../errors.ts';
import { textOfDetail, type ErrorDetail } from '../errors/fault-replies.ts';
import { IdempotencyHeader } from '../resource/schema-parts.ts';
import { textOf } from './vendor-request.ts';
import { readVendorBodies } from './bodies.ts';
import { endedBy } from '../audit/auditor.ts';
import { findVendorCaller, keyFormsOf, type VendorCaller } from './caller.ts';
import type { Call, VendorAdapter, FieldPath } from './vendor-adapter.ts';
import { connectForVendor, refuseConnection } from './connections/connecting.ts';
import { createVendorServices, type VendorServices } from './vendor-services.ts';
import type { Services } from '../services.ts';
import { openForVendor, prepareForVendor, type VendorHandler } from './opening.ts';
import { locOf } from './field-paths.ts';
import { VENDOR_ADAPTERS } from './vendor-adapters.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler under /compat runs. */
    vendorCaller: VendorCaller;
  }
}

/** The largest picture in base64, plus the other fields. */
const PICTURE_BODY_LIMIT = Math.ceil((MAX_PICTURE_BYTES * 4) / 3) + 64 * 1024;

export const vendorRoutes =
  (services: Services): FastifyPluginAsync =>
  async (app) => {
    app.decorateRequest('vendorCaller');
    const vendorServices = createVendorServices(services, VENDOR_ADAPTERS.flatMap(connectionPaths));
    vendorServices.handshakes.serve(app, services.upgrades);
    for (const adapter of VENDOR_ADAPTERS) {
      for (const call of adapter.calls) {
        const mount = async (scope: FastifyInstance) =>
          addCall(scope, vendorServices, adapter, call);
        await app.register(mount, { prefix: `/compat/${adapter.word}` });
      }
    }
  };

const connectionPaths = ({ word, calls }: VendorAdapter): string[] =>
  calls.flatMap(({ does, path }) => (does === 'connect' ? [`/compat/${word}${path}`] : []));

function addCall(
  scope: FastifyInstance,
  services: VendorServices,
  adapter: VendorAdapter,
  call: Call,
): void {
  readVendorBodies(scope, services.bodies, call);
  if (adapter.error) addToErrors(scope, adapter.error);
  if (call.does === 'connect') scope.setErrorHandler(refuseConnection(services, call));

  // Authenticate before reading the body, unless the key is in the body.
  const stage = isKeyInBody(adapter, call) ? 'preValidation' : 'onRequest';
  scope.addHook(stage, async (request: FastifyRequest) => {
    request.vendorCaller = await findVendorCaller(services, adapter, call, request);
    request.limitedAs = request.vendorCaller.limitedAs;
    request.actor = request.vendorCaller.actor;
  });
  const limit = scope.rateLimit();
  scope.addHook(stage, async (request: FastifyRequest, reply: FastifyReply) => {
    if (!services.handshakes.isForwarded(request)) await limit.call(scope, request, reply);
  });

  scope.route({
    method: methodOf(call),
    url: call.path,
    schema: { hide: true, headers: IdempotencyHeader },
    config: { stores: call.does === 'connect' },
    ...(call.does === 'open' && call.picture && { bodyLimit: PICTURE_BODY_LIMIT }),
    handler: handlerOf(services, adapter, call),
  });
}

function methodOf(call: Call): HTTPMethods {
  switch (call.does) {
    case 'list':
    case 'connect':
      return 'GET';
    case 'end':
      return call.method;
    case 'open':
    case 'prepare':
      return 'POST';
  }
}

function isKeyInBody(adapter: VendorAdapter, call: Call): boolean {
  const pass = call.does === 'open' && call.pass ? [call.pass] : [];
  return [...keyFormsOf(adapter, call), ...pass].some((form) => 'field' in form);
}

function handlerOf(services: VendorServices, adapter: VendorAdapter, call: Call): VendorHandler {
  switch (call.does) {
    case 'open':
      return openForVendor(services, adapter, call);
    case 'connect':
      return connectForVendor(services, adapter, call);
    case 'prepare':
      return prepareForVendor(services, adapter, call);
    case 'end':
      return endForVendor(services, adapter, call);
    case 'list':
      return async ({ vendorCaller }) =>
        call.answer(await services.avatars.allPerforming(vendorCaller.account.id));
  }
}

const endForVendor =
  (
    { sessionEnding, vendorTokens }: VendorServices,
    adapter: VendorAdapter,
    call: Extract<Call, { does: 'end' }>,
  ): VendorHandler =>
  async (request, reply) => {
    const text = (path: FieldPath) => {
      const value = textOf(request, path);
      if (value === '') throw problem('missing', locOf(path), 'Field required', null);
      return value;
    };
    const id = text(call.session);
    if (call.proof && !(await vendorTokens.isProof(adapter.word, id, text(call.proof)))) {
      throw new Fault('forbidden');
    }
    const ended = await sessionEnding.end(
      request.vendorCaller.account.id,
      id,
      endedBy(request, 'session.ended', id),
    );
    if (!ended) throw new Fault('not_found');
    request.log.info({ sessionId: id, vendor: adapter.word }, 'session ended by client');
    if (!call.answer) return reply.code(204).send();
    return call.answer({ id });
  };

function addToErrors(
  scope: FastifyInstance,
  vendorError: NonNullable<VendorAdapter['error']>,
): void {
  scope.addHook('preSerialization', async (_request, { statusCode }, answer: unknown) => {
    if (statusCode < 400) return answer;
    const { detail, ...otherFields } = answer as { detail: ErrorDetail };
    return { detail, ...otherFields, ...vendorError(statusCode, textOfDetail(detail)) };
  });
}
