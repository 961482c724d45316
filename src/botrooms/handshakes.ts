import type { IncomingMessage } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { countRefused, type RefusedHandshakes } from '#shared/network/refused-handshakes.ts';
import { refuseUpgrade, type Upgrade, type UpgradeRouter } from '#shared/network/upgrade-router.ts';
import { BOTROOM_CLOSE, type BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import { botroomOf } from '#protocol/botroom/path.ts';
import { BOTROOM_PROTOCOL, MAX_RECORD_BYTES } from '#protocol/botroom/records.ts';
import type { Botroom } from './botroom.ts';
import { recordCodec, type ClientCodec } from './client-codec.ts';
import type { ForwardedHandshakes } from './forwarded-handshakes.ts';
import { Forwarder } from './forwarder.ts';
import { Peer } from './peer.ts';
import type { SeatClaims, SeatTokens } from './tokens.ts';

type HandshakeParts = {
  upgrades: UpgradeRouter;
  refused: RefusedHandshakes;
  forwarded: ForwardedHandshakes;
  tokens: SeatTokens;
  isElsewhere: (node: string) => boolean;
  /** The room, or why there is none. */
  find: (claims: SeatClaims) => Botroom | BotroomCloseName;
  clock: Clock;
  log: Log;
};

const nothing = () => {};
const UNSEATED = { read: nothing, listener: { onSent: nothing, onLeft: nothing } };

/** Lets clients and workers in by their token, or forwards them to the room's control plane. */
export class Handshakes {
  readonly #parts: HandshakeParts;
  readonly #forwarder: Forwarder;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_RECORD_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => offered.has(BOTROOM_PROTOCOL) && BOTROOM_PROTOCOL,
  });
  readonly #removeRoute: () => void;
  #isClosed = false;

  constructor(parts: HandshakeParts) {
    this.#parts = parts;
    this.#forwarder = new Forwarder(parts);
    this.#removeRoute = parts.upgrades.add({
      matches: (path) => botroomOf(path) !== null,
      admit: (upgrade) => this.#admit(upgrade),
    });
  }

  /** Completes the handshake. */
  accept({ request, stream, head }: Upgrade, onSocket: (socket: WebSocket) => void): void {
    if (this.#isClosed || stream.destroyed) return void stream.destroy();
    this.#sockets.handleUpgrade(request, stream, head, onSocket);
  }

  /** Forwards the handshake if the room is elsewhere. */
  seatClient(upgrade: Upgrade, claims: SeatClaims, codec: ClientCodec): void {
    this.#enter(upgrade, claims, codec, (room, socket) => room.seatClient(socket, codec));
  }

  /** Tells the reason and closes. */
  turnAway(
    socket: WebSocket,
    name: BotroomCloseName,
    codec: ClientCodec = recordCodec,
    message?: string,
  ): void {
    const write: ClientCodec['write'] = (record) => codec.write(record);
    const peer = new Peer({ ...this.#parts, ...UNSEATED, socket, write });
    peer.close(name, message);
  }

  /**
   * Refuses all handshakes from now on. Resolves when every socket is closed; the rooms close
   * theirs.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#removeRoute();
    this.#forwarder.close();
    await Promise.all(
      [...this.#sockets.clients].map(
        (socket) => new Promise((resolve) => socket.once('close', resolve)),
      ),
    );
  }

  async #admit(upgrade: Upgrade): Promise<void> {
    const { request, stream } = upgrade;
    const { tokens } = this.#parts;
    const url = new URL(request.url ?? '', 'http://relay');
    const token = tokenOf(request);
    const claims = token === null ? null : await tokens.read(token);
    const room = botroomOf(url.pathname);
    if (claims === null || typeof claims === 'string' || claims.room !== room)
      return this.#refuse(upgrade, problemOf(claims));

    const epoch = Number(url.searchParams.get('epoch'));
    const isWorker = claims.seat === 'avatar';
    if (isWorker && !(Number.isSafeInteger(epoch) && epoch > 0))
      return refuseUpgrade(stream, '400 Bad Request');
    if (!isWorker) return this.seatClient(upgrade, claims, recordCodec);
    this.#enter(upgrade, claims, recordCodec, (room, socket) => room.seatWorker(socket, epoch));
  }

  #enter(
    upgrade: Upgrade,
    claims: SeatClaims,
    codec: ClientCodec,
    seat: (room: Botroom, socket: WebSocket) => void,
  ): void {
    const { isElsewhere, find } = this.#parts;
    // The token was checked meanwhile.
    if (this.#isClosed) return void upgrade.stream.destroy();
    if (isElsewhere(claims.node)) {
      // One hop: two control planes that disagree on their addresses must not play ball.
      if (upgrade.isForwarded) return refuseUpgrade(upgrade.stream, '421 Misdirected Request');
      return this.#forwarder.forward(upgrade, claims.node);
    }
    this.accept(upgrade, (socket) => {
      const room = find(claims);
      if (typeof room === 'string') this.turnAway(socket, room, codec);
      else seat(room, socket);
    });
  }

  /**
   * Browsers see no status of a refused handshake, so the socket opens first and then closes with
   * the reason.
   */
  #refuse(upgrade: Upgrade, problem: string | null): void {
    const retrySeconds = countRefused(upgrade.request, this.#parts, 'botroom');
    if (retrySeconds !== null)
      return refuseUpgrade(upgrade.stream, '429 Too Many Requests', {
        'Retry-After': retrySeconds,
      });
    if (problem === null) return refuseUpgrade(upgrade.stream, '401 Unauthorized');
    this.accept(upgrade, (socket) => this.turnAway(socket, 'wrong_token', recordCodec, problem));
  }
}

/** Null without a token. */
function problemOf(claims: SeatClaims | 'expired' | 'invalid' | null): string | null {
  if (claims === null) return null;
  if (claims === 'expired') return 'The token has expired.';
  return BOTROOM_CLOSE.wrong_token.message;
}

/** From the Authorization header, or else the subprotocol beside ours. Null for different ones. */
function tokenOf({ headers }: IncomingMessage): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  const offeredToken = offered?.find((name) => name !== BOTROOM_PROTOCOL);
  if (bearer !== undefined && offeredToken !== undefined && bearer !== offeredToken) return null;
  return bearer ?? offeredToken ?? null;
}
