import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { parseWorkerMessage, writeMessage } from '#protocol/codec.ts';
import type { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import { listen } from '../loopback.ts';

/** A hand-driven gateway: the test sends each message. */
export class HandGateway {
  readonly http = createServer();
  readonly sockets: WebSocket[] = [];
  readonly messages: WorkerMessage[] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** Answers the upgrade with this status instead. */
  refuseWith: string | null = null;
  /** Leaves the upgrade unanswered. */
  isStuck = false;
  readonly #streams: Duplex[] = [];
  readonly #accept = new WebSocketServer({ noServer: true });

  constructor() {
    this.http.on('upgrade', (request, stream, head) => {
      stream.on('error', () => {});
      this.#streams.push(stream);
      this.authorizations.push(request.headers.authorization);
      if (this.isStuck) return;
      if (this.refuseWith) return stream.end(`HTTP/1.1 ${this.refuseWith}\r\n\r\n`);
      this.#accept.handleUpgrade(request, stream, head, (socket) => {
        this.sockets.push(socket);
        socket.on('error', () => {});
        socket.on('message', (data) =>
          this.messages.push(parseWorkerMessage((data as Buffer).toString())),
        );
      });
    });
  }

  listen(port = 0): Promise<number> {
    return listen(this.http, port);
  }

  messagesOf<Type extends WorkerMessage['type']>(type: Type) {
    return this.messages.filter(
      (message): message is Extract<WorkerMessage, { type: Type }> => message.type === type,
    );
  }

  say(message: GatewayMessage): void {
    this.sockets.at(-1)?.send(writeMessage(message));
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    this.http.close();
    await once(this.http, 'close');
  }
}
