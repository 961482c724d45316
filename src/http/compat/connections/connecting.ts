/*
 * Websockets that open their own session. Refusals are sent on the socket, because published
 * clients show at most the status of a refused handshake, and only after several attempts.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import type { BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import { Fault } from '../../../errors.ts';
import { relayOf } from '../../../sessions/creation/relayed-room.ts';
import type { NewSession } from '../../../sessions/creation/new-session.ts';
import { answerTo, textOfDetail } from '../../errors/fault-replies.ts';
import { openInTime } from '../../sessions/open-session.ts';
import { checkRoom, sessionFields, type CallOf, type VendorHandler } from '../opening.ts';
import type { VendorAdapter } from '../vendor-adapter.ts';
import { readConnection } from './connection-request.ts';
import { PROTOCOLS } from './protocols.ts';
import type { VendorServices } from '../vendor-services.ts';

type Connection = CallOf<'connect'>;

export const connectForVendor =
  (services: VendorServices, adapter: VendorAdapter, call: Connection): VendorHandler =>
  async (request, reply) => {
    const { handshakes, relay, callerRooms, vendorAvatars } = services;
    if (!handshakes.has(request)) {
      throw new Fault('not_found', { detail: 'Connect to this path with a websocket.' });
    }
    const { log, vendorCaller } = request;
    const connection = readConnection(call, request);
    const { room, sampleRate, unused } = connection;
    await checkRoom(call, connection, callerRooms);
    const chosen = await vendorAvatars.choose(
      vendorCaller.account,
      adapter.word,
      connection.avatars,
    );
    const { avatar, isFallback } = chosen;

    const fields = sessionFields(adapter, connection, avatar);
    const session: NewSession = room
      ? { ...fields, transport: 'mediaserver', room, speech: 'new_botroom' }
      : { ...fields, transport: 'botroom', botroom: { publicUrl: services.baseUrl(request) } };
    const { account } = vendorCaller;
    const isGone = () => handshakes.isGone(request);
    const opening = {
      account,
      log,
      wanted: session,
      idempotencyKey: undefined,
      same: null,
      isGone,
    };
    const { body: record } = await openInTime(services, opening, (opened) => opened);
    const seat = relayOf(record);
    if (!seat) throw new Fault('conflict', { detail: OTHER_SESSION });
    const upgrade = handshakes.take(request, reply, 101);
    const notes = { avatar_id: avatar.id, is_default_avatar: isFallback, unused };
    log.info({ vendor: adapter.word, sessionId: record.id, ...notes }, 'vendor client connected');
    const identity = room ? (decodeJwt(room.token).sub ?? '') : null;
    const client = { sessionId: record.id, sampleRate, identity, notes };
    const { connected } = PROTOCOLS[call.protocol];
    await relay.seatClient(seat.token, upgrade, connected(client));
  };

const OTHER_SESSION =
  'A session whose speech comes from its room uses this room token. End that session first, or make a new token.';

/** Answers failed requests of a `connect` call. Those without a websocket are left to the API. */
export const refuseConnection =
  ({ handshakes, relay }: VendorServices, { protocol }: Connection) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    if (!handshakes.has(request)) throw error;
    const { status, body } = answerTo(error, request);
    const message = textOfDetail(body.detail);
    request.log.info({ status, message }, 'vendor client refused');
    const codec = PROTOCOLS[protocol].refused(status);
    const upgrade = handshakes.take(request, reply, status);
    relay.turnAway(upgrade, codec, CLOSES[status] ?? 'no_room', message);
  };

const CLOSES: Record<number, BotroomCloseName> = {
  401: 'wrong_token',
  403: 'wrong_token',
  429: 'too_much',
};
