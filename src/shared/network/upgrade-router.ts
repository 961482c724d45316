/*
 * Shares the upgrades of one HTTP server by path. Upgrades that no route takes stay with the API:
 * Java's HTTP client offers h2c with every request.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../log.ts';
import { withoutExtraSlashes } from './extra-slashes.ts';

/** A request for a websocket. `isForwarded`: another control plane has let the client in. */
export type Upgrade = {
  request: IncomingMessage;
  stream: Duplex;
  head: Buffer;
  isForwarded: boolean;
};

export type UpgradeRoute = {
  /** `path` has no query. */
  matches(path: string): boolean;
  /** Owns the stream from here on. A rejection is logged and answered 503. */
  admit(upgrade: Upgrade): Promise<void>;
};

/** The address of a client whose handshake another control plane passes on; null for any other. */
type ForwardedFrom = (request: IncomingMessage) => string | null;

export class UpgradeRouter {
  readonly #routes = new Set<UpgradeRoute>();
  readonly #log: Log;
  readonly #forwardedFrom: ForwardedFrom;

  constructor(log: Log, forwardedFrom: ForwardedFrom = () => null) {
    this.#log = log;
    this.#forwardedFrom = forwardedFrom;
  }

  /** Returns a function that removes the route. */
  add(route: UpgradeRoute): () => void {
    this.#routes.add(route);
    return () => this.#routes.delete(route);
  }

  serve(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) =>
      this.#upgrade(request, stream, head),
    );
    const shouldUpgradeCallback = (request: IncomingMessage) => this.#find(request) !== undefined;
    Object.assign(server, { shouldUpgradeCallback });
  }

  #find(request: IncomingMessage): UpgradeRoute | undefined {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
    // Routes read it again.
    request.url = withoutExtraSlashes(request.url ?? '/');
    const [path = ''] = request.url.split('?');
    return [...this.#routes].find((route) => route.matches(path));
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy());
    const route = this.#find(request);
    if (!route) return refuseUpgrade(stream, '404 Not Found');
    const client = this.#forwardedFrom(request);
    // As a proxy protocol does: the connection serves this client only.
    if (client !== null) Object.defineProperty(request.socket, 'remoteAddress', { value: client });
    route.admit({ request, stream, head, isForwarded: client !== null }).catch((error: unknown) => {
      this.#log.error({ err: error }, 'upgrade failed');
      refuseUpgrade(stream, '503 Service Unavailable');
    });
  }
}

/** `status` such as `401 Unauthorized`. */
export function refuseUpgrade(
  stream: Duplex,
  status: string,
  more: Record<string, number> = {},
): void {
  // Destroyed here: the server's timeouts no longer apply to an upgraded connection.
  stream.once('finish', () => stream.destroy());
  const headers = { Connection: 'close', 'Content-Length': 0, ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  stream.end(`${[`HTTP/1.1 ${status}`, ...lines].join('\r\n')}\r\n\r\n`);
}
