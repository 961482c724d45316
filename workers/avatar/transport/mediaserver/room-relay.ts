/*
 * The media server client's way to the network. The native client resolves names, follows redirects
 * and moves to other servers by itself, so no check of a URL beforehand holds. It uses the proxy in
 * HTTP_PROXY and HTTPS_PROXY: this one, on loopback, which applies the address policy to each
 * connection and makes it to the address that it checked. TLS stays end to end. Media does not pass
 * through here: the client sends it itself, by UDP, TCP or TURN.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { createOutgoing, type Outgoing, type Resolve } from '#shared/network/address-policy.ts';
import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { AssignedRoom } from '#protocol/worker/gateway-messages.ts';
import { CONNECT_MS } from '../../../runtime/leave-room.ts';
import { failureOf, targetOf, type Target } from '../connection-failure.ts';
import { joinSockets } from './join-sockets.ts';
import { pinnedTo } from '../pinned-lookup.ts';

/** Lets the client connect to one room's server as the assignment allows, until it is closed. */
export type Admission = {
  /** Why the newest connection failed, for people; null if it did not. */
  readonly failure: string | null;
  close(): void;
};

type AdmittedRoom = { target: Target; networks: string | undefined; failure: string | null };

type RoomRelayParts = { clock: Clock; log: Log; resolve?: Resolve };

/** User names of the proxy's two addresses. */
const TLS = 'tls';
const PLAIN = 'plain';

export class RoomRelay {
  readonly #server: Server;
  readonly #secret: string;
  readonly #parts: RoomRelayParts;
  readonly #admitted = new Set<AdmittedRoom>();
  readonly #policies = new Map<string, Outgoing>();
  /** Client sockets. The server's `close` waits for them; `closeAllConnections` skips them. */
  readonly #tunnels = new Set<Duplex>();

  static async open(parts: RoomRelayParts): Promise<RoomRelay> {
    const server = http.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    return new RoomRelay(server, parts);
  }

  private constructor(server: Server, parts: RoomRelayParts) {
    this.#server = server;
    this.#parts = parts;
    this.#secret = randomBytes(16).toString('hex');
    server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head));
    server.on('request', (request, response) => void this.#forward(request, response));
  }

  /** Environment variables of the process that make the client use the relay. */
  get environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    const proxy = (user: string) => `http://${user}:${this.#secret}@127.0.0.1:${port}`;
    return {
      HTTP_PROXY: proxy(PLAIN),
      http_proxy: proxy(PLAIN),
      HTTPS_PROXY: proxy(TLS),
      https_proxy: proxy(TLS),
      NO_PROXY: '',
      no_proxy: '',
    };
  }

  admit({ url, networks }: Pick<AssignedRoom, 'url' | 'networks'>): Admission {
    const admitted: AdmittedRoom = { target: targetOf(url), networks, failure: null };
    this.#admitted.add(admitted);
    return {
      get failure() {
        return admitted.failure;
      },
      close: () => void this.#admitted.delete(admitted),
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    for (const client of this.#tunnels) client.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A connection to a server with TLS, or for a WebSocket without. */
  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#tunnels.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => this.#tunnels.delete(client));
    const user = this.#userOf(request);
    if (user === null) return refuse(client, '407 Proxy Authentication Required');
    try {
      const server = await this.#connect(targetOf(`http://${request.url}`), user === TLS);
      if (client.destroyed) return void server.destroy();
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.write(head);
      joinSockets(client, server, this.#parts.clock);
    } catch {
      // The client looks for `200` anywhere in this line, so it must hold nothing of the target.
      refuse(client, '502 Bad Gateway');
    }
  }

  /** A request without TLS. The client follows redirects through the relay. */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '');
    if (this.#userOf(request) !== PLAIN || url?.protocol !== 'http:') {
      return void response.writeHead(407).end();
    }
    try {
      const server = await this.#connect(targetOf(url.href), false);
      const { 'proxy-authorization': _, ...headers } = request.headers;
      const { method } = request;
      const path = `${url.pathname}${url.search}`;
      const forwarded = http.request({ method, path, headers, createConnection: () => server });
      forwarded.on('error', () => response.destroy());
      forwarded.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response, () => {});
      });
      response.on('close', () => server.destroy());
      request.pipe(forwarded);
    } catch {
      response.writeHead(502).end();
    }
  }

  #userOf({ headers }: IncomingMessage): typeof TLS | typeof PLAIN | null {
    const [, encoded = ''] = (headers['proxy-authorization'] ?? '').split(' ');
    const [user, secret = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
    const isKnown =
      secret.length === this.#secret.length &&
      timingSafeEqual(Buffer.from(secret, 'latin1'), Buffer.from(this.#secret, 'latin1'));
    return isKnown && (user === TLS || user === PLAIN) ? user : null;
  }

  async #connect(target: Target, hasTls: boolean): Promise<Socket> {
    const admitted = [...this.#admitted].filter((room) => isSame(room.target, target));
    const setFailure = (failure: string | null) => {
      for (const room of admitted) room.failure = failure;
    };
    try {
      const socket = await this.#dial(target, hasTls, admitted);
      setFailure(null);
      return socket;
    } catch (error) {
      setFailure(failureOf(error, target));
      this.#parts.log.warn({ ...target, err: error }, 'media server not reached');
      throw error;
    }
  }

  async #dial(target: Target, hasTls: boolean, admitted: AdmittedRoom[]): Promise<Socket> {
    const { host, port } = target;
    const isOperators = admitted.some(({ networks }) => networks === undefined);
    // Another server, to which a media server redirects, must be public.
    const { networks = '' } = admitted[0] ?? {};
    const lookup = isOperators
      ? undefined
      : pinnedTo(await this.#policyOf(networks).addressesOf(host, hasTls));
    const socket = net.connect({ host, port, noDelay: true, ...(lookup && { lookup }) });
    try {
      await inTime(this.#parts.clock, CONNECT_MS, once(socket, 'connect'), noAnswer);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  #policyOf(networks: string): Outgoing {
    const knownPolicy = this.#policies.get(networks);
    if (knownPolicy) return knownPolicy;
    const policy = createOutgoing(networks, this.#parts.resolve);
    this.#policies.set(networks, policy);
    return policy;
  }
}

const isSame = (a: Target, b: Target): boolean => a.host === b.host && a.port === b.port;

const noAnswer = () => Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });

function refuse(client: Duplex, status: string): void {
  client.once('finish', () => client.destroy());
  client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}
