import { PATIENCE_MS } from '../../support/patience.ts';
import { Agent, request, type IncomingMessage } from 'node:http';

export type RawRequest = {
  method: string;
  /** As sent on the wire. */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
};
export type RawAnswer = {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
};

/** Sends requests that normal clients refuse to send. Closes an event stream once it starts. */
export class HttpClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  send({ method, path, headers, body }: RawRequest): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url;
      const outgoing = request({ agent: this.#agent, hostname, port, method, path, headers });
      outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const answer = (text: string) =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
          answer('');
          return void outgoing.destroy();
        }
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => answer(Buffer.concat(chunks).toString()));
        incoming.on('error', reject);
      });
      outgoing.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
