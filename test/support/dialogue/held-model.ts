import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { listen, portOf } from '../loopback.ts';
import { until } from '../until.ts';

/** A language model that says each piece of its answers when the test wants it. */
export class HeldModel {
  readonly #server: Server;
  readonly #answers: ServerResponse[] = [];

  static async open(): Promise<HeldModel> {
    const server = createServer();
    await listen(server);
    return new HeldModel(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => {
      if (request.method !== 'POST') return void response.end('{"data":[]}');
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        this.#answers.push(response);
      });
    });
  }

  get llm() {
    const url = `http://127.0.0.1:${portOf(this.#server)}/v1`;
    return { url, key: null, model: 'm', temperature: null };
  }

  get requests(): number {
    return this.#answers.length;
  }

  /** Waits for the request of that number, counted from 1. */
  asked(request: number): Promise<void> {
    return until(() => this.#answers.length >= request);
  }

  /** Continues the last answer. */
  say(...pieces: string[]): void {
    for (const content of pieces) this.#send({ content }, null);
  }

  end(): void {
    this.#send({}, 'stop');
    this.#answers.at(-1)!.end('data: [DONE]\n\n');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #send(delta: object, finish_reason: string | null): void {
    const choices = [{ index: 0, delta, finish_reason }];
    this.#answers.at(-1)!.write(`data: ${JSON.stringify({ id: 'c', choices })}\n\n`);
  }
}
