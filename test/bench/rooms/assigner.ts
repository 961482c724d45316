import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { parseWorkerMessage, writeMessage } from '#protocol/codec.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import { GATEWAY_PATH } from '#protocol/gateway-path.ts';

/** A gateway for a single worker, to measure workers outside the service's fleet. */
export class Assigner {
  readonly #server = createServer();
  readonly #sockets: WebSocketServer;
  readonly #worker = Promise.withResolvers<WebSocket>();

  constructor() {
    this.#sockets = new WebSocketServer({ server: this.#server, path: GATEWAY_PATH });
    this.#sockets.on('connection', (socket) => {
      socket.on('message', (data) => {
        const message = parseWorkerMessage((data as Buffer).toString());
        if (message.type === 'register') {
          socket.send(writeMessage({ type: 'registered', pingEveryMs: 60_000 }));
          this.#worker.resolve(socket);
        }
        if (message.type === 'started' || message.type === 'ended') {
          socket.send(writeMessage({ type: 'ack', id: message.id }));
        }
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async assign(assign: Omit<Assign, 'type' | 'transport' | 'video'>): Promise<void> {
    const worker = await this.#worker.promise;
    const video = { width: 512, height: 512, fps: 25 };
    worker.send(writeMessage({ type: 'assign', transport: 'mediaserver', video, ...assign }));
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.close();
  }
}
