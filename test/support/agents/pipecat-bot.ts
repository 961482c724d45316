import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { readFrame, writeFrame, type PipecatFrame } from '#protocol/pipecat/frames.ts';
import { listen, portOf } from '../loopback.ts';

/** A Pipecat websocket bot in this process: says what a test sends, and records what it hears. */
export class PipecatBot {
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #port: number;
  /** Headers and paths of all handshakes. */
  readonly requests: IncomingMessage[] = [];
  /** Frames of all connections. */
  readonly frames: PipecatFrame[] = [];
  readonly connections: WebSocket[] = [];
  /** Upgraded sockets, which the server does not close. */
  readonly #handshakes = new Set<Duplex>();
  /** Answers each handshake with this status. */
  refusal: { status: number; headers?: Record<string, string> } | null = null;
  /** Completes no handshake. */
  isSilent = false;

  /** `port` 0: any. A bot that restarts keeps its port. */
  static async open(port = 0): Promise<PipecatBot> {
    const server = createServer();
    await listen(server, port);
    return new PipecatBot(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    this.#port = portOf(server);
    this.#sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      this.requests.push(request);
      socket.on('error', () => {});
      this.#handshakes.add(socket);
      socket.on('close', () => this.#handshakes.delete(socket));
      if (this.isSilent) return;
      if (this.refusal) {
        const { status, headers = {} } = this.refusal;
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(`HTTP/1.1 ${status} No\r\n${lines.join('')}connection: close\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket));
    });
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}/ws`;
  }

  /** The newest connection. */
  get socket(): WebSocket {
    return this.connections.at(-1)!;
  }

  send(frame: PipecatFrame): void {
    this.socket.send(writeFrame(frame));
  }

  /** Like a killed process. */
  async close(): Promise<void> {
    for (const socket of this.#handshakes) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(webSocket: WebSocket): void {
    this.connections.push(webSocket);
    webSocket.on('message', (data: Buffer) => void this.frames.push(readFrame(data)!));
  }
}
