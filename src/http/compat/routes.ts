/* Mounts every door under /compat. What is opened, ended and listed there is so by the same functions as under /v1. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Avatars } from '../../avatars/avatars.ts';
import { MAX_PICTURE_BYTES } from '../../avatars/enrolment.ts';
import { Fault, problem, type Problem } from '../../errors.ts';
import { IdempotencyHeader } from '../schemas/common.ts';
import { textOf } from './asked.ts';
import { readDoorBodies } from './bodies.ts';
import { findDoorCaller, keyFormsOf, type CallerParts, type DoorCaller } from './caller.ts';
import type { Call, Door, Place } from './door.ts';
import { openAtDoor, prepareAtDoor, type DoorHandler, type OpeningDoorParts } from './opening.ts';
import { locOf } from './places.ts';
import { DOORS } from './table.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler under /compat runs. */
    doorCaller: DoorCaller;
  }
}

export type DoorParts = OpeningDoorParts &
  CallerParts & { avatars: Pick<Avatars, 'allPerforming'> };

/** The largest picture, also in base64, and the fields beside it. */
const PICTURE_BODY_LIMIT = Math.ceil((MAX_PICTURE_BYTES * 4) / 3) + 64 * 1024;

export const doorRoutes =
  (parts: DoorParts): FastifyPluginAsync =>
  async (app) => {
    app.decorateRequest('doorCaller');
    for (const door of DOORS) {
      for (const call of door.calls) {
        const mount = async (scope: FastifyInstance) => addCall(scope, parts, door, call);
        await app.register(mount, { prefix: `/compat/${door.word}` });
      }
    }
  };

function addCall(scope: FastifyInstance, parts: DoorParts, door: Door, call: Call): void {
  readDoorBodies(scope, call);
  if (door.error) addToErrors(scope, door.error);

  // No body is read of somebody unknown, unless the key is in it.
  const stage = isKeyInBody(door, call) ? 'preValidation' : 'onRequest';
  scope.addHook(stage, async (request: FastifyRequest) => {
    request.doorCaller = await findDoorCaller(parts, door, call, request);
    request.limitedAs = request.doorCaller.limitedAs;
  });
  scope.addHook(stage, scope.rateLimit());

  scope.route({
    method: call.does === 'list' ? 'GET' : call.does === 'end' ? call.method : 'POST',
    url: call.path,
    schema: { hide: true, headers: IdempotencyHeader },
    ...(call.does === 'open' && call.picture && { bodyLimit: PICTURE_BODY_LIMIT }),
    handler: handlerOf(parts, door, call),
  });
}

function isKeyInBody(door: Door, call: Call): boolean {
  const pass = call.does === 'open' && call.pass ? [call.pass] : [];
  return [...keyFormsOf(door, call), ...pass].some((form) => 'field' in form);
}

function handlerOf(parts: DoorParts, door: Door, call: Call): DoorHandler {
  switch (call.does) {
    case 'open':
      return openAtDoor(parts, door, call);
    case 'prepare':
      return prepareAtDoor(parts, door, call);
    case 'end':
      return endAtDoor(parts, door, call);
    case 'list':
      return async ({ doorCaller }) =>
        call.answer(await parts.avatars.allPerforming(doorCaller.account.id));
  }
}

const endAtDoor =
  (
    { sessions, tokens }: DoorParts,
    door: Door,
    call: Extract<Call, { does: 'end' }>,
  ): DoorHandler =>
  async (request, reply) => {
    const text = (place: Place) => {
      const found = textOf(request, place);
      if (found === '') throw problem('missing', locOf(place), 'Field required', null);
      return found;
    };
    const id = text(call.session);
    if (call.proof && !(await tokens.isProof(door.word, id, text(call.proof)))) {
      throw new Fault('forbidden');
    }
    const session = await sessions.end(request.doorCaller.account.id, id);
    if (!session) throw new Fault('not_found');
    request.log.info({ sessionId: session.id, door: door.word }, 'session ended by client');
    if (!call.answer) return reply.code(204).send();
    return call.answer({ id: session.id });
  };

type ErrorAnswer = { detail: string | Problem[] };

function addToErrors(scope: FastifyInstance, more: NonNullable<Door['error']>): void {
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
