import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import type { Certificate } from './certificates.ts';
import { listen, portOf } from '../../loopback.ts';

/** Serves TLS in front of a plain HTTP server, as a reverse proxy does. Close it after the test. */
export class TlsProxy {
  /** First lines of the proxied requests, upgrades included. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async open(to: string, certificate: Certificate, port = 0): Promise<TlsProxy> {
    const proxy = new TlsProxy(new URL(to), certificate);
    await listen(proxy.#server, port);
    return proxy;
  }

  private constructor({ hostname, port }: URL, certificate: Certificate) {
    this.#server = createServer(certificate, (near) => {
      const far = connect(Number(port), hostname);
      this.#keep(near);
      this.#keep(far);
      near.on('data', (data) => {
        const line = /^[A-Z]+ \S+(?= HTTP\/1\.1\r\n)/.exec(data.toString('latin1'));
        if (line) this.requests.push(line[0]);
      });
      near.pipe(far).pipe(near);
    });
    // A client that rejects the certificate aborts the handshake.
    this.#server.on('tlsClientError', () => {});
  }

  get url(): string {
    return `https://localhost:${portOf(this.#server)}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
