import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen, portOf } from '../loopback.ts';

type ModelRequest = {
  path: string;
  authorization: string | undefined;
  type: string;
  body: Buffer;
};

type Answer = (response: ServerResponse, request: ModelRequest) => void;

/** An OpenAI-compatible server with the answers of the test. Close it in every test. */
export class ModelServer {
  /** In the order of arrival. */
  readonly requests: ModelRequest[] = [];
  answer: Answer = (response) => this.say(response, 'Hello!');
  readonly #server: Server;

  static async open(): Promise<ModelServer> {
    const server = createServer();
    await listen(server);
    return new ModelServer(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}/v1`;
  }

  /** A chat completion with this text. */
  say(response: ServerResponse, content: string): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const modelRequest = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      type: request.headers['content-type'] ?? '',
      body: Buffer.concat(chunks),
    };
    this.requests.push(modelRequest);
    this.answer(response, modelRequest);
  }
}
