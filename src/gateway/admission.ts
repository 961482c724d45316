/* Admits workers: checks tokens, upgrades connections, closes them when their token is revoked. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { GATEWAY_PATH } from '#protocol/gateway-path.ts';
import { MAX_MESSAGE_BYTES } from '#protocol/worker-messages.ts';
import type { WorkerGrant, WorkerTokens } from '../accounts/worker-tokens.ts';
import { closeSocket } from './worker-link.ts';

/** Counts refused handshakes by client address, for a minute. */
export type RefusedHandshakes = {
  addressOf(request: IncomingMessage): string;
  /** `ttl`: milliseconds until the count starts again. */
  add(address: string): { current: number; ttl: number };
};

/** A connection whose token is valid. */
export type Admitted = {
  socket: WebSocket;
  /** The socket's TCP stream. */
  stream: Duplex;
  grant: WorkerGrant;
};

type AdmissionParts = {
  server: Server;
  tokens: Pick<WorkerTokens, 'check' | 'onRevoked'>;
  refused: RefusedHandshakes;
  clock: Clock;
  log: Log;
  onAdmitted: (admitted: Admitted) => void;
};

/** Refused handshakes of one address in a minute that are answered 401 and logged. */
const MAX_REFUSED = 60;

export class Admission {
  readonly #parts: AdmissionParts;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  /** Connections with a revocable token. */
  readonly #revocable = new Map<WebSocket, { tokenId: string; onRevoked: () => void }>();
  readonly #stopListening: () => void;
  #isClosed = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#stopListening = parts.tokens.onRevoked((tokenId) => this.#revoke(tokenId));
    parts.server.on('upgrade', this.#upgrade);
    // Other upgrade offers go to the API: Java's HTTP client offers h2c with every request.
    Object.assign(parts.server, { shouldUpgradeCallback: isForGateway });
  }

  /** Replaces what happens to the connection when its token is revoked. */
  onRevoked(socket: WebSocket, run: () => void): void {
    const revocable = this.#revocable.get(socket);
    if (revocable) revocable.onRevoked = run;
  }

  /** Resolves when every socket is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    const { server, clock } = this.#parts;
    server.off('upgrade', this.#upgrade);
    const gone = [...this.#sockets.clients].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    for (const socket of this.#sockets.clients) closeSocket(socket, 'service_stopping', clock);
    await Promise.all(gone);
  }

  readonly #upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    stream.on('error', () => stream.destroy());
    if (!isForGateway(request)) return refuse(stream, '404 Not Found');
    this.#admit(request, stream, head).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'worker token not checked');
      refuse(stream, '503 Service Unavailable');
    });
  };

  async #admit(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const { tokens, clock, onAdmitted } = this.#parts;
    const grant = await tokens.check(request.headers.authorization);
    // A valid token passes, whatever else comes from its address.
    if (!grant) return this.#turnAway(request, stream);
    // Checked again: the service or the worker may have stopped during the token lookup.
    if (this.#isClosed || stream.destroyed) return void stream.destroy();
    const { tokenId } = grant;
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      if (tokenId !== null) {
        const onRevoked = () => closeSocket(socket, 'token_revoked', clock);
        this.#revocable.set(socket, { tokenId, onRevoked });
        socket.once('close', () => this.#revocable.delete(socket));
      }
      onAdmitted({ socket, stream, grant });
    });
  }

  #turnAway(request: IncomingMessage, stream: Duplex): void {
    const { refused, log } = this.#parts;
    const from = refused.addressOf(request);
    const { current, ttl } = refused.add(from);
    if (current <= MAX_REFUSED) {
      log.warn({ from }, 'invalid worker token');
      return refuse(stream, '401 Unauthorized');
    }
    // Logged once: a flood must not fill the log.
    if (current === MAX_REFUSED + 1) log.warn({ from }, 'too many invalid worker tokens');
    refuse(stream, '429 Too Many Requests', { 'Retry-After': Math.ceil(ttl / 1000) });
  }

  #revoke(tokenId: string): void {
    for (const connection of this.#revocable.values())
      if (connection.tokenId === tokenId) connection.onRevoked();
  }
}

const isForGateway = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' &&
  request.url?.split('?')[0] === GATEWAY_PATH;

function refuse(stream: Duplex, status: string, more: Record<string, number> = {}): void {
  // Destroyed here: the server's timeouts no longer apply to an upgraded connection.
  stream.once('finish', () => stream.destroy());
  const headers = { Connection: 'close', 'Content-Length': 0, ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  stream.end(`${[`HTTP/1.1 ${status}`, ...lines].join('\r\n')}\r\n\r\n`);
}
