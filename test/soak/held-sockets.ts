/* Sockets that cost the server something and give it nothing, until the server closes them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { systemClock } from '#shared/clock.ts';
import { until } from '../support/until.ts';

/**
 * `silent`: sends nothing. `kept alive`: silent after an answered request. `slow`: sends a header,
 * one byte a second.
 */
export type Idleness = 'silent' | 'kept alive' | 'slow';

const CONNECTED_AT_ONCE = 50;
const BYTE_EVERY_MS = 1_000;
const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: soak\r\n';

export class HeldSockets {
  readonly #sockets: Socket[] = [];
  readonly #lastedMs: number[] = [];
  #hasEnded = false;

  static async open(url: string, count: number, how: Idleness): Promise<HeldSockets> {
    const sockets = new HeldSockets();
    let unopened = count;
    const inTurn = async () => {
      while (unopened-- > 0) await sockets.#connect(url, how);
    };
    await Promise.all(Array.from({ length: CONNECTED_AT_ONCE }, inTurn));
    return sockets;
  }

  get count(): number {
    return this.#sockets.length;
  }

  /** Those that the server has closed. */
  get closed(): number {
    return this.#lastedMs.length;
  }

  /** Since the last byte that the server answered, or the connection. */
  get longestMs(): number {
    return Math.max(0, ...this.#lastedMs);
  }

  /** Resolves when the server has closed all, or after `patienceMs`. Closes the rest. */
  async end(patienceMs: number): Promise<void> {
    await until(() => this.closed === this.count, patienceMs).catch(() => {});
    this.#hasEnded = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async #connect(url: string, how: Idleness): Promise<void> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (how === 'kept alive') {
      socket.write(`${REQUEST}\r\n`);
      await once(socket, 'data');
    }
    const sinceMs = performance.now();
    this.#sockets.push(socket);
    const stop = how === 'slow' ? sendSlowly(socket) : () => {};
    socket.resume().once('close', () => {
      stop();
      if (!this.#hasEnded) this.#lastedMs.push(performance.now() - sinceMs);
    });
  }
}

function sendSlowly(socket: Socket): () => void {
  const bytes = `${REQUEST}x-slow: ${'a'.repeat(1_000)}`;
  let sentBytes = 0;
  return systemClock.every(BYTE_EVERY_MS, () => {
    if (socket.writable) socket.write(bytes[sentBytes++ % bytes.length]!);
  });
}
