/* Mounts every door under /compat. What is opened, ended and listed there is so by the same functions as under /v1. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Avatars } from '../../avatars/avatars.ts';
import { MAX_PICTURE_BYTES } from '../../avatars/enrolment.ts';
import { Fault, problem, type Problem } from '../../errors.ts';
import { IdempotencyHeader } from '../schemas/common.ts';
import { textOf } from './asked.ts';
import { readVendorBodies } from './bodies.ts';
import { findVendorCaller, keyFormsOf, type CallerParts, type VendorCaller } from './caller.ts';
import type { Call, VendorAdapter, Place } from './vendor-adapter.ts';
import {
  openForVendor,
  prepareForVendor,
  type VendorHandler,
  type VendorOpeningParts,
} from './opening.ts';
import { locOf } from './places.ts';
import { VENDOR_ADAPTERS } from './vendor-adapters.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler under /compat runs. */
    doorCaller: VendorCaller;
  }
}

export type VendorRoutesParts = VendorOpeningParts &
  CallerParts & { avatars: Pick<Avatars, 'allPerforming'> };

/** The largest picture, also in base64, and the fields beside it. */
const PICTURE_BODY_LIMIT = Math.ceil((MAX_PICTURE_BYTES * 4) / 3) + 64 * 1024;

export const vendorRoutes =
  (parts: VendorRoutesParts): FastifyPluginAsync =>
  async (app) => {
    app.decorateRequest('doorCaller');
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

  // No body is read of somebody unknown, unless the key is in it.
  const stage = isKeyInBody(adapter, call) ? 'preValidation' : 'onRequest';
  scope.addHook(stage, async (request: FastifyRequest) => {
    request.doorCaller = await findVendorCaller(parts, adapter, call, request);
    request.limitedAs = request.doorCaller.limitedAs;
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
      return endAtDoor(parts, adapter, call);
    case 'list':
      return async ({ doorCaller }) =>
        call.answer(await parts.avatars.allPerforming(doorCaller.account.id));
  }
}

const endAtDoor =
  (
    { sessions, tokens }: VendorRoutesParts,
    adapter: VendorAdapter,
    call: Extract<Call, { does: 'end' }>,
  ): VendorHandler =>
  async (request, reply) => {
    const text = (place: Place) => {
      const found = textOf(request, place);
      if (found === '') throw problem('missing', locOf(place), 'Field required', null);
      return found;
    };
    const id = text(call.session);
    if (call.proof && !(await tokens.isProof(adapter.word, id, text(call.proof)))) {
      throw new Fault('forbidden');
    }
    const session = await sessions.end(request.doorCaller.account.id, id);
    if (!session) throw new Fault('not_found');
    request.log.info({ sessionId: session.id, door: adapter.word }, 'session ended by client');
    if (!call.answer) return reply.code(204).send();
    return call.answer({ id: session.id });
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
