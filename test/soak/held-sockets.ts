/*
 * Sockets that cost the server something and give it nothing, until the server closes them. Each
 * is replaced by a new one until `end`.
 */
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
  readonly #sockets = new Set<Socket>();
  readonly #url: string;
  readonly #how: Idleness;
  #count = 0;
  #closed = 0;
  #longestMs = 0;
  #isEnding = false;
  #hasEnded = false;

  static async open(url: string, count: number, how: Idleness): Promise<HeldSockets> {
    const sockets = new HeldSockets(url, how);
    let unopened = count;
    const inTurn = async () => {
      while (unopened-- > 0) await sockets.#connect();
    };
    await Promise.all(Array.from({ length: CONNECTED_AT_ONCE }, inTurn));
    return sockets;
  }

  private constructor(url: string, how: Idleness) {
    this.#url = url;
    this.#how = how;
  }

  /** All so far, also those that could not be opened. */
  get count(): number {
    return this.#count;
  }

  /** Those that the server has closed. */
  get closed(): number {
    return this.#closed;
  }

  /** Since the last byte that the server answered, or the connection. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** Resolves when the server has closed all, or after `patienceMs`. Closes the rest. */
  async end(patienceMs: number): Promise<void> {
    this.#isEnding = true;
    await until(() => this.#sockets.size === 0, patienceMs).catch(() => {});
    this.#hasEnded = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async #connect(): Promise<void> {
    const how = this.#how;
    const { hostname, port } = new URL(this.#url);
    this.#count += 1;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    try {
      await once(socket, 'connect');
      if (how === 'kept alive') {
        socket.write(`${REQUEST}\r\n`);
        await once(socket, 'data');
      }
    } catch {
      // It is in the count, and never closed.
      return;
    }
    const sinceMs = performance.now();
    this.#sockets.add(socket);
    const stop = how === 'slow' ? sendSlowly(socket) : () => {};
    socket.resume().once('close', () => {
      stop();
      this.#sockets.delete(socket);
      if (this.#hasEnded) return;
      this.#closed += 1;
      this.#longestMs = Math.max(this.#longestMs, performance.now() - sinceMs);
      if (!this.#isEnding) void this.#connect();
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
