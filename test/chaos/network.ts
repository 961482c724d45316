import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen, portOf } from '../support/loopback.ts';

/**
 * The network between one worker and the control planes. Like a load balancer, it sends each
 * connection to the next available one.
 */
export class Network {
  readonly #targets: () => string[];
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #turn: number;
  #isPaused = false;
  /** Delay of the worker's messages. */
  delayMs = 0;

  private constructor(targets: () => string[], turn: number) {
    this.#targets = targets;
    this.#turn = turn;
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#join(socket));
  }

  static async open(targets: () => string[], turn: number): Promise<Network> {
    const network = new Network(targets, turn);
    await listen(network.#server);
    return network;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Drops all traffic without closing connections. */
  pause(): void {
    this.#isPaused = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #join(near: Socket): void {
    const targets = this.#targets();
    const target = targets[this.#turn++ % Math.max(1, targets.length)];
    if (target === undefined) return void near.destroy();
    const { hostname, port } = new URL(target);
    const far = connect(Number(port), hostname);
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('error', () => {});
      // Not `pipe`, which would resume a paused stream.
      const write = from === near ? this.#late(to) : (bytes: Buffer) => to.write(bytes);
      from.on('data', write);
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
    if (this.#isPaused) return;
    near.resume();
  }

  /** Writes in order, each chunk `delayMs` after its arrival. */
  #late(to: Socket): (bytes: Buffer) => void {
    const waiting: Buffer[] = [];
    let dueMs = 0;
    return (bytes) => {
      const nowMs = performance.now();
      dueMs = Math.max(dueMs, nowMs + this.delayMs);
      if (waiting.length === 0 && dueMs <= nowMs) return void to.write(bytes);
      waiting.push(bytes);
      setTimeout(() => to.write(waiting.shift()!), dueMs - nowMs);
    };
  }
}
