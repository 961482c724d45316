/*
 * Mounts every vendor adapter under /compat. Sessions and avatars use the same functions as under
 * /v1.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Avatars } from '../../avatars/avatars.ts';
import { MAX_PICTURE_BYTES } from '../../avatars/enrolment.ts';
import { Fault, problem, type Problem } from '../../errors.ts';
import { IdempotencyHeader } from '../schemas/common.ts';
import { textOf } from './vendor-request.ts';
import { readVendorBodies } from './bodies.ts';
import { findVendorCaller, keyFormsOf, type CallerParts, type VendorCaller } from './caller.ts';
import type { Call, VendorAdapter, FieldPath } from './vendor-adapter.ts';
import {
  openForVendor,
  prepareForVendor,
  type VendorHandler,
  type VendorOpeningParts,
} from './opening.ts';
import { locOf } from './field-paths.ts';
import { VENDOR_ADAPTERS } from './vendor-adapters.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler under /compat runs. */
    vendorCaller: VendorCaller;
  }
}

type VendorRoutesParts = VendorOpeningParts &
  CallerParts & { avatars: Pick<Avatars, 'allPerforming'> };

/** The largest picture in base64, plus the other fields. */
const PICTURE_BODY_LIMIT = Math.ceil((MAX_PICTURE_BYTES * 4) / 3) + 64 * 1024;

export const vendorRoutes =
  (parts: VendorRoutesParts): FastifyPluginAsync =>
  async (app) => {
    app.decorateRequest('vendorCaller');
    for (const adapter of VENDOR_ADAPTERS) {
      for (const call of adapter.calls) {
        const mount = async (scope: FastifyInstance) => addCall(scope, parts, adapter, call);
        await app.register(mount, { prefix: `/compat/${adapter.word}` });
      }
    }
  };

function addCall(
  scope: FastifyInstance,
  parts: VendorRoutesParts,
  adapter: VendorAdapter,
  call: Call,
): void {
  readVendorBodies(scope, call);
  if (adapter.error) addToErrors(scope, adapter.error);

  // Authenticate before reading the body, unless the key is in the body.
  const stage = isKeyInBody(adapter, call) ? 'preValidation' : 'onRequest';
  scope.addHook(stage, async (request: FastifyRequest) => {
    request.vendorCaller = await findVendorCaller(parts, adapter, call, request);
    request.limitedAs = request.vendorCaller.limitedAs;
  });
  scope.addHook(stage, scope.rateLimit());

  scope.route({
    method: call.does === 'list' ? 'GET' : call.does === 'end' ? call.method : 'POST',
    url: call.path,
    schema: { hide: true, headers: IdempotencyHeader },
    ...(call.does === 'open' && call.picture && { bodyLimit: PICTURE_BODY_LIMIT }),
    handler: handlerOf(parts, adapter, call),
  });
}

function isKeyInBody(adapter: VendorAdapter, call: Call): boolean {
  const pass = call.does === 'open' && call.pass ? [call.pass] : [];
  return [...keyFormsOf(adapter, call), ...pass].some((form) => 'field' in form);
}

function handlerOf(parts: VendorRoutesParts, adapter: VendorAdapter, call: Call): VendorHandler {
  switch (call.does) {
    case 'open':
      return openForVendor(parts, adapter, call);
    case 'prepare':
      return prepareForVendor(parts, adapter, call);
    case 'end':
      return endForVendor(parts, adapter, call);
    case 'list':
      return async ({ vendorCaller }) =>
        call.answer(await parts.avatars.allPerforming(vendorCaller.account.id));
  }
}

const endForVendor =
  (
    { sessions, tokens }: VendorRoutesParts,
    adapter: VendorAdapter,
    call: Extract<Call, { does: 'end' }>,
  ): VendorHandler =>
  async (request, reply) => {
    const text = (path: FieldPath) => {
      const found = textOf(request, path);
      if (found === '') throw problem('missing', locOf(path), 'Field required', null);
      return found;
    };
    const id = text(call.session);
    if (call.proof && !(await tokens.isProof(adapter.word, id, text(call.proof)))) {
      throw new Fault('forbidden');
    }
    const ended = await sessions.end(request.vendorCaller.account.id, id);
    if (!ended) throw new Fault('not_found');
    request.log.info({ sessionId: id, vendor: adapter.word }, 'session ended by client');
    if (!call.answer) return reply.code(204).send();
    return call.answer({ id });
  };

type ErrorAnswer = { detail: string | Problem[] };

function addToErrors(scope: FastifyInstance, more: NonNullable<VendorAdapter['error']>): void {
  scope.addHook('preSerialization', async (_request, { statusCode }, answer: unknown) => {
    if (statusCode < 400) return answer;
    const { detail } = answer as ErrorAnswer;
    const message =
      typeof detail === 'string'
        ? detail
        : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
    return { ...(answer as ErrorAnswer), ...more(statusCode, message) };
  });
}
