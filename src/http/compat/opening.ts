import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../errors.ts';
import { checkGivenRoom } from '../../rooms/given-room.ts';
import type { OpenSession } from '../../sessions/sessions.ts';
import { VIDEO } from '../../sessions/video.ts';
import { openInTime, type OpeningParts } from '../open-session.ts';
import { readAsked, textOf, type Asked } from './asked.ts';
import type { Chosen, VendorAvatars } from './avatars.ts';
import { keyFormsOf, type VendorCaller } from './caller.ts';
import type { Call, VendorAdapter, Place } from './vendor-adapter.ts';
import type { VendorPictures } from './pictures.ts';
import { at, locOf } from './places.ts';
import type { VendorTokens } from './tokens.ts';

export type VendorOpeningParts = OpeningParts & {
  tokens: VendorTokens;
  vendorAvatars: VendorAvatars;
  vendorPictures: VendorPictures;
};

export type VendorHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

type CallOf<Does extends Call['does']> = Extract<Call, { does: Does }>;

export const openForVendor =
  (parts: VendorOpeningParts, adapter: VendorAdapter, call: CallOf<'open'>): VendorHandler =>
  async (request, reply) => {
    const { log, doorCaller } = request;
    const { account, pass } = doorCaller;
    const own = readAsked(call, request, {
      isRoomKnown: pass?.asked.room !== undefined,
      keyFields: keyFieldsOf(adapter, call),
    });
    const asked = pass ? together(pass.asked, own) : own;
    const room = await findRoom(call, asked, doorCaller, parts.clock.now());
    const { avatar, isUsual } = await chooseFace(parts, adapter, call, asked, request, reply);
    reply.header('x-troupe-avatar', isUsual ? `${avatar.id}; default` : avatar.id);
    if (isUsual) {
      log.info(
        { door: adapter.word, wanted: asked.avatars, avatarId: avatar.id },
        'default avatar taken',
      );
    }

    const wanted: OpenSession = {
      transport: 'mediaserver',
      avatarId: avatar.id,
      bundleHash: avatar.bundleHash,
      ...(room && { room }),
      video: { ...VIDEO },
      ...(asked.maxSeconds !== undefined && { maxLengthMinutes: asked.maxSeconds / 60 }),
      metadata: {},
      ...(adapter.signals && { signals: adapter.signals }),
    };
    const opening = {
      account,
      log,
      wanted,
      idempotencyKey: idempotencyKeyOf(request, asked),
      same: [request.method, request.routeOptions.url, request.body, pass?.asked],
    };
    const { status, body } = await openInTime(parts, opening, async ({ id }) => {
      const proof = await parts.tokens.proof(adapter.word, id);
      return call.answer({ id, proof, asked: (place) => textOf(request, place) });
    });
    return reply.code(status).send(body);
  };

export const prepareForVendor =
  (
    { tokens, clock }: VendorOpeningParts,
    adapter: VendorAdapter,
    call: CallOf<'prepare'>,
  ): VendorHandler =>
  async (request, reply) => {
    const { account, limitedAs } = request.doorCaller;
    const keyFields = keyFieldsOf(adapter, call);
    const asked = readAsked(call, request, { isRoomKnown: false, keyFields });
    checkRoom(call, asked, clock.now());
    sayUnused(adapter, asked.unused, request, reply);
    const pass = await tokens.pass(adapter.word, { account, limitedAs, asked });
    return call.answer({ pass, asked: (place) => textOf(request, place) });
  };

/** One that is named here, else that of the request's picture, else the usual one. */
async function chooseFace(
  { vendorAvatars, vendorPictures }: VendorOpeningParts,
  adapter: VendorAdapter,
  call: CallOf<'open'>,
  asked: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Chosen> {
  const { account } = request.doorCaller;
  const chosen = await vendorAvatars.choose(account, adapter.word, asked.avatars);
  const place = call.picture?.find((place) => at(request.body, place) !== undefined);
  if (!chosen.isUsual || place === undefined) {
    sayUnused(adapter, asked.unused, request, reply);
    return chosen;
  }
  const { avatar, said } = await vendorPictures.find(
    account,
    adapter.name,
    at(request.body, place),
  );
  reply.header('x-troupe-picture', said);
  request.log.info({ door: adapter.word, avatarId: avatar?.id, said }, 'picture given');
  sayUnused(
    adapter,
    asked.unused.filter((name) => name !== place),
    request,
    reply,
  );
  return avatar ? { avatar, isUsual: false } : chosen;
}

function keyFieldsOf(adapter: VendorAdapter, call: CallOf<'open' | 'prepare'>): Place[] {
  const forms = [...keyFormsOf(adapter, call)];
  if (call.does === 'open' && call.pass) forms.push(call.pass);
  return forms.flatMap((form) => ('field' in form ? [form.field] : []));
}

const together = (earlier: Asked, now: Asked): Asked => ({
  ...earlier,
  ...now,
  avatars: [...now.avatars, ...earlier.avatars],
  unused: [...earlier.unused, ...now.unused],
});

/** The caller's own room, or a seat in a room of a media server whose key the caller holds: as our worker reaches it. */
async function findRoom(
  call: CallOf<'open'>,
  asked: Asked,
  { mediaServers }: VendorCaller,
  now: number,
): Promise<OpenSession['room']> {
  checkRoom(call, asked, now);
  const { seat } = asked;
  if (!seat) return asked.room;
  const server = mediaServers.find((one) => one.isAt(seat.url));
  if (server) return { url: server.url, token: await server.avatarToken(seat) };
  const text =
    'The key that signed this request is not known here as this media server’s. Name it in DOOR_MEDIA_SERVERS under this address.';
  throw problem('value_error', locOf(call.room?.url ?? ''), text, seat.url);
}

function checkRoom({ room: places }: CallOf<'open' | 'prepare'>, asked: Asked, now: number): void {
  if (asked.room && places && 'token' in places) checkGivenRoom(asked.room, places, now);
}

/** Some plugins keep their key over several starts in one job, of which each has a room token of its own. */
function idempotencyKeyOf({ headers }: FastifyRequest, { room }: Asked): string | undefined {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !room) return key as string | undefined;
  return createHash('sha256').update(`${key}\n${room.token}`).digest('hex');
}

/** Names come from callers. */
const SAYABLE = /^[\w.-]{1,64}$/;
const MAX_NAMES = 20;

function sayUnused(
  adapter: VendorAdapter,
  unused: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const names = unused.filter((name) => SAYABLE.test(name)).slice(0, MAX_NAMES);
  if (names.length === 0) return;
  reply.header('x-troupe-unused', names.join(', '));
  request.log.info({ door: adapter.word, unused: names }, 'fields not used');
}
