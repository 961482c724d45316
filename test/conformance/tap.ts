/*
 * A proxy between one worker and the gateway. It records every message and can inject or hold back
 * some, cut the connection, and change the announced protocol version. Other requests pass through.
 * The owner closes it.
 */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import { parseGatewayMessage, parseWorkerMessage } from '#protocol/codec.ts';
import type { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';

/** `message` is null when it does not match the protocol. */
export type Heard = { atMs: number; connection: number } & (
  | { from: 'worker'; message: WorkerMessage | null }
  | { from: 'gateway'; message: GatewayMessage | null }
);

/** One attempt to connect. `status`: of a refused upgrade. */
export type Connection = {
  atMs: number;
  closedMs: number | null;
  closeCode: number | null;
  status: number | null;
};

type Pair = { near: WebSocket; far: WebSocket; number: number; isHeld: boolean };

/** Codes that only a library may report, never send. */
const UNSENDABLE = new Set([1005, 1006, 1015]);

export class Tap {
  readonly heard: Heard[] = [];
  readonly connections: Connection[] = [];
  /** Replaces the versions in `register`. Null: the worker's own. */
  announcedProtocol: number | null = null;
  /** Acknowledgements of `ended` still to be lost. */
  acksToLose = 0;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #pairs = new Set<Pair>();
  readonly #streams = new Set<Socket>();

  static async open(target: string): Promise<Tap> {
    const tap = new Tap(new URL(target));
    tap.#server.listen(0, '127.0.0.1');
    await once(tap.#server, 'listening');
    return tap;
  }

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((incoming, response) => {
      const { method, url, headers } = incoming;
      const passed = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      incoming.pipe(passed);
    });
    this.#server.on('connection', (socket) => {
      this.#streams.add(socket);
      socket.on('close', () => this.#streams.delete(socket));
    });
    this.#server.on('upgrade', (incoming, stream, head) => this.#join(incoming, stream, head));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All messages of one type, in order. */
  sent<Type extends WorkerMessage['type']>(type: Type) {
    return this.heard.flatMap(({ from, message, ...at }) =>
      from === 'worker' && message?.type === type
        ? [{ ...at, message: message as Extract<WorkerMessage, { type: Type }> }]
        : [],
    );
  }

  received<Type extends GatewayMessage['type']>(type: Type) {
    return this.heard.flatMap(({ from, message, ...at }) =>
      from === 'gateway' && message?.type === type
        ? [{ ...at, message: message as Extract<GatewayMessage, { type: Type }> }]
        : [],
    );
  }

  /** As if the gateway had sent it. */
  inject(text: string): void {
    for (const { near } of this.#pairs) near.send(text);
  }

  cut(): void {
    for (const { near } of this.#pairs) near.terminate();
  }

  /** The present connection carries nothing from now on, and stays open. New ones pass. */
  hold(): void {
    for (const pair of this.#pairs) {
      pair.isHeld = true;
      this.connections[pair.number]!.closedMs = performance.now();
    }
  }

  async close(): Promise<void> {
    this.cut();
    for (const socket of this.#streams) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(incoming: IncomingMessage, stream: Duplex, head: Buffer): void {
    const connection: Connection = {
      atMs: performance.now(),
      closedMs: null,
      closeCode: null,
      status: null,
    };
    const number = this.connections.push(connection) - 1;
    const address = new URL(incoming.url ?? '/', this.#target.href.replace(/^http/, 'ws'));
    const { authorization } = incoming.headers;
    const far = new WebSocket(address, {
      headers: authorization === undefined ? {} : { authorization },
      perMessageDeflate: false,
    });
    stream.on('error', () => far.terminate());
    far.on('error', () => stream.destroy());
    far.on('unexpected-response', (_request, { statusCode = 502 }) => {
      connection.status = statusCode;
      connection.closedMs = performance.now();
      stream.end(
        `HTTP/1.1 ${statusCode} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      far.terminate();
    });
    far.once('open', () =>
      this.#sockets.handleUpgrade(incoming, stream, head, (near) =>
        this.#relay({ near, far, number, isHeld: false }, connection),
      ),
    );
  }

  #relay(pair: Pair, connection: Connection): void {
    const { near, far } = pair;
    this.#pairs.add(pair);
    near.on('message', (data) => {
      if (!pair.isHeld) this.#fromWorker(pair, textOf(data));
    });
    far.on('message', (data) => {
      if (!pair.isHeld) this.#fromGateway(pair, textOf(data));
    });
    near.on('error', () => far.terminate());
    near.on('close', (code) => {
      this.#pairs.delete(pair);
      connection.closedMs ??= performance.now();
      connection.closeCode ??= code;
      shut(far, code);
    });
    far.on('close', (code) => {
      connection.closeCode ??= code;
      connection.closedMs ??= performance.now();
      if (!pair.isHeld) shut(near, code);
    });
  }

  #fromWorker({ far, number }: Pair, text: string): void {
    const message = parsed(parseWorkerMessage, text);
    this.heard.push({ atMs: performance.now(), connection: number, from: 'worker', message });
    const protocol = this.announcedProtocol;
    if (message?.type === 'register' && protocol !== null)
      return far.send(JSON.stringify({ ...message, protocol, newestProtocol: protocol }));
    far.send(text);
  }

  #fromGateway({ near, number }: Pair, text: string): void {
    const message = parsed(parseGatewayMessage, text);
    if (message?.type === 'ack' && this.acksToLose > 0 && this.#isOfEnd(message.id)) {
      this.acksToLose -= 1;
      return;
    }
    this.heard.push({ atMs: performance.now(), connection: number, from: 'gateway', message });
    near.send(text);
  }

  #isOfEnd(id: string): boolean {
    return this.sent('ended').some(({ message }) => message.id === id);
  }
}

/** With the default `binaryType`, each message is one Buffer. */
const textOf = (data: RawData): string => (data as Buffer).toString('utf8');

function shut(socket: WebSocket, code: number): void {
  if (UNSENDABLE.has(code)) socket.terminate();
  else socket.close(code);
}

function parsed<Message>(parse: (text: string) => Message, text: string): Message | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
