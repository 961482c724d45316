import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault, problem } from '../../errors.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import { faceRelayOf } from '../../sessions/creation/relayed-room.ts';
import type { NewSession } from '../../sessions/creation/new-session.ts';
import { videoFor } from '../../sessions/video.ts';
import { openInTime } from '../sessions/open-session.ts';
import { readVendorRequest, textOf, type VendorRequest } from './vendor-request.ts';
import type { Avatar } from '../../avatars/avatars.ts';
import type { Chosen } from './avatars.ts';
import { keyFormsOf, type VendorCaller } from './caller.ts';
import type { Call, VendorAdapter, FieldPath } from './vendor-adapter.ts';
import type { VendorServices } from './vendor-services.ts';
import { valueAt, locOf } from './field-paths.ts';

export type VendorHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export type CallOf<Does extends Call['does']> = Extract<Call, { does: Does }>;

export const openForVendor =
  (services: VendorServices, adapter: VendorAdapter, call: CallOf<'open'>): VendorHandler =>
  async (request, reply) => {
    const { log, vendorCaller } = request;
    const { account, pass } = vendorCaller;
    const { transport = 'mediaserver' } = call;
    const callRequest = readVendorRequest(call, request, {
      isRoomKnown: pass?.asked.room !== undefined,
      keyFields: keyFieldsOf(adapter, call),
    });
    const vendorRequest = pass ? mergeRequests(pass.asked, callRequest) : callRequest;
    const room = await findRoom(call, vendorRequest, vendorCaller, services.callerRooms);
    const { avatar, isFallback } = await chooseAvatar(
      services,
      adapter,
      call,
      vendorRequest,
      request,
      reply,
    );
    reply.header('x-troupe-avatar', isFallback ? `${avatar.id}; default` : avatar.id);
    if (isFallback) {
      log.info(
        { vendor: adapter.word, wanted: vendorRequest.avatars, avatarId: avatar.id },
        'fallback avatar used',
      );
    }

    const session: NewSession = {
      ...sessionFields(adapter, vendorRequest, avatar),
      transport,
      ...(room && { room }),
      ...(transport === 'botroom' && { botroom: { publicUrl: services.baseUrl(request) } }),
    };
    const opening = {
      account,
      log,
      wanted: session,
      idempotencyKey: idempotencyKeyOf(request, vendorRequest),
      same: [request.method, request.routeOptions.url, request.body, pass?.asked],
    };
    const { status, body } = await openInTime(services, opening, async (record) => {
      const { id } = record;
      const proof = await services.vendorTokens.proof(adapter.word, id);
      const botroom = await botroomOf(record, services);
      return call.answer({
        id,
        proof,
        field: (path) => textOf(request, path),
        ...(botroom && { botroom }),
      });
    });
    return reply.code(status).send(body);
  };

/** Fields of a session that do not depend on its transport. */
export const sessionFields = (
  { signals }: VendorAdapter,
  { maxSeconds, size }: VendorRequest,
  avatar: Avatar,
): Omit<NewSession, 'transport'> => ({
  avatarId: avatar.id,
  bundleHash: avatar.bundleHash,
  video: videoFor(size && { size }),
  ...(maxSeconds !== undefined && { maxLengthMinutes: maxSeconds / 60 }),
  metadata: {},
  takesAnyAvatar: true,
  ...(signals && { signals }),
});

async function botroomOf(record: SessionRecord, { botrooms }: VendorServices) {
  const relay = faceRelayOf(record);
  return relay && { url: record.roomUrl, token: await botrooms.clientToken(relay.token) };
}

export const prepareForVendor =
  (
    { vendorTokens, callerRooms }: VendorServices,
    adapter: VendorAdapter,
    call: CallOf<'prepare'>,
  ): VendorHandler =>
  async (request, reply) => {
    const { keyId } = request.vendorCaller;
    const keyFields = keyFieldsOf(adapter, call);
    const vendorRequest = readVendorRequest(call, request, { isRoomKnown: false, keyFields });
    await checkRoom(call, vendorRequest, callerRooms);
    reportUnused(adapter, vendorRequest.unused, request, reply);
    if (keyId === null) throw new Fault('forbidden');
    const pass = await vendorTokens.pass(adapter.word, { keyId, asked: vendorRequest });
    return call.answer({ pass, field: (path) => textOf(request, path) });
  };

/** The named avatar, else the avatar of the request's picture, else the fallback. */
async function chooseAvatar(
  { vendorAvatars, vendorPictures }: VendorServices,
  adapter: VendorAdapter,
  call: CallOf<'open'>,
  vendorRequest: VendorRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Chosen> {
  const { account } = request.vendorCaller;
  const chosen = await vendorAvatars.choose(account, adapter.word, vendorRequest.avatars);
  const path = call.picture?.find((path) => valueAt(request.body, path) !== undefined);
  if (!chosen.isFallback || path === undefined) {
    reportUnused(adapter, vendorRequest.unused, request, reply);
    return chosen;
  }
  const { avatar, outcome } = await vendorPictures.find(
    account,
    adapter.name,
    valueAt(request.body, path),
  );
  reply.header('x-troupe-picture', outcome);
  request.log.info({ vendor: adapter.word, avatarId: avatar?.id, outcome }, 'picture received');
  reportUnused(
    adapter,
    vendorRequest.unused.filter((name) => name !== path),
    request,
    reply,
  );
  return avatar ? { avatar, isFallback: false } : chosen;
}

function keyFieldsOf(adapter: VendorAdapter, call: CallOf<'open' | 'prepare'>): FieldPath[] {
  const forms = [...keyFormsOf(adapter, call)];
  if (call.does === 'open' && call.pass) forms.push(call.pass);
  return forms.flatMap((form) => ('field' in form ? [form.field] : []));
}

const mergeRequests = (earlier: VendorRequest, now: VendorRequest): VendorRequest => ({
  ...earlier,
  ...now,
  avatars: [...now.avatars, ...earlier.avatars],
  unused: [...earlier.unused, ...now.unused],
});

/** The caller's own room, or a seat in a room of a media server whose key the caller holds. */
async function findRoom(
  call: CallOf<'open'>,
  vendorRequest: VendorRequest,
  { mediaServers }: VendorCaller,
  callerRooms: VendorServices['callerRooms'],
): Promise<NewSession['room']> {
  await checkRoom(call, vendorRequest, callerRooms);
  const { seat } = vendorRequest;
  if (!seat) return vendorRequest.room;
  const server = mediaServers.find((each) => each.isAt(seat.url));
  if (server) return { url: server.url, token: await server.avatarToken(seat) };
  const text =
    'The key that signed this request is not configured for this media server. Add it to INFERENCE_MEDIA_SERVERS with this address.';
  throw problem('value_error', locOf(call.room?.url ?? ''), text, seat.url);
}

export async function checkRoom(
  { room: paths }: CallOf<'open' | 'prepare' | 'connect'>,
  vendorRequest: VendorRequest,
  callerRooms: VendorServices['callerRooms'],
): Promise<void> {
  if (vendorRequest.room && paths && 'token' in paths)
    await callerRooms.check(vendorRequest.room, paths);
}

/** Includes the room token: some plugins reuse one key for several sessions of a job. */
function idempotencyKeyOf(
  { headers }: FastifyRequest,
  { room }: VendorRequest,
): string | undefined {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !room) return key as string | undefined;
  return createHash('sha256').update(`${key}\n${room.token}`).digest('hex');
}

/** Names come from callers; only plain ones are safe in a header. */
const PLAIN_NAME = /^[\w.-]{1,64}$/;
const MAX_NAMES = 20;

function reportUnused(
  adapter: VendorAdapter,
  unused: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const names = unused.filter((name) => PLAIN_NAME.test(name)).slice(0, MAX_NAMES);
  if (names.length === 0) return;
  reply.header('x-troupe-unused', names.join(', '));
  request.log.info({ vendor: adapter.word, unused: names }, 'unused fields');
}
