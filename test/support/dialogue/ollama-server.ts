/*
 * A server that speaks the parts of Ollama's protocol (docs/api.md of ollama/ollama) by which a
 * model is found, kept in memory and asked. The test writes its models and answers.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen, portOf } from '../loopback.ts';

type Model = {
  capabilities: string[];
  /** Newest last. */
  modifiedAt?: string;
  /** Present while it is in memory. */
  loaded?: { size: number; expiresAt: string };
  /** A model of this service. */
  remoteHost?: string;
};

type Asked = { path: string; body: Record<string, unknown> };

const DEFAULT_KEEP_SECONDS = 300;

/** Close it after the test. */
export class OllamaServer {
  /** By name with tag. */
  models: Record<string, Model> = {};
  /** In the order of arrival. */
  readonly asked: Asked[] = [];
  answer = 'It is four.';
  /** False: it answers a chat whole, whatever it was asked for. */
  streams = true;
  /** A model that is not in memory answers after it. */
  coldStart: Promise<void> = Promise.resolve();
  /** Nothing is answered before. */
  busy: Promise<void> = Promise.resolve();
  /** False: another program listens there. */
  isOllama = true;
  now = () => Date.now();
  readonly #server: Server;

  /** `port` 0: any. */
  static async open(port = 0): Promise<OllamaServer> {
    const server = createServer();
    await listen(server, port);
    return new OllamaServer(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  get address(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** For an agent worker. */
  llm(model: string) {
    return { url: `${this.address}/v1`, key: null, model, temperature: null };
  }

  askedAt(path: string): Asked['body'][] {
    return this.asked.filter((asked) => asked.path === path).map(({ body }) => body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Asked['body'];
    const path = request.url ?? '';
    this.asked.push({ path, body });
    await this.busy;
    if (!this.isOllama) return sendJson(response, 200, { data: [] });
    switch (`${request.method} ${path}`) {
      case 'GET /api/version':
        return sendJson(response, 200, { version: '0.40.8' });
      case 'GET /api/tags':
        return sendJson(response, 200, { models: this.#tags() });
      case 'GET /api/ps':
        return sendJson(response, 200, { models: this.#running() });
      case 'GET /v1/models':
        return sendJson(response, 200, { object: 'list', data: [] });
    }
    const name = this.#nameOf(body['model']);
    const model = name === null ? undefined : this.models[name];
    if (name === null || !model) return notFound(response, path, String(body['model']));
    switch (`${request.method} ${path}`) {
      case 'POST /api/show':
        return sendJson(response, 200, {
          details: { format: 'gguf', family: 'llama' },
          model_info: { 'llama.context_length': 8_192 },
          capabilities: model.capabilities,
        });
      case 'POST /api/generate':
        await this.#load(name, body['keep_alive']);
        return sendJson(response, 200, { model: body['model'], response: '', done: true });
      case 'POST /v1/chat/completions':
        await this.#load(name, undefined);
        return this.#chat(response, body);
      default:
        return sendJson(response, 404, { error: 'not found' });
    }
  }

  #nameOf(model: unknown): string | null {
    const names = [String(model), `${String(model)}:latest`];
    return names.find((name) => this.models[name]) ?? null;
  }

  #tags() {
    return Object.entries(this.models).map(([name, { modifiedAt, remoteHost }]) => ({
      name,
      model: name,
      modified_at: modifiedAt ?? '2025-05-04T17:37:44.706015396-07:00',
      size: 2_019_393_189,
      digest: `digest of ${name}`,
      details: { format: 'gguf', family: 'llama', parameter_size: '3.2B' },
      ...(remoteHost && { remote_host: remoteHost, remote_model: name }),
    }));
  }

  #running() {
    return Object.entries(this.models).flatMap(([name, { loaded }]) =>
      loaded
        ? [{ name, model: name, size: loaded.size, expires_at: loaded.expiresAt, size_vram: 0 }]
        : [],
    );
  }

  async #load(name: string, keepAlive: unknown): Promise<void> {
    const model = this.models[name]!;
    if (!model.loaded) await this.coldStart;
    const seconds = typeof keepAlive === 'number' ? keepAlive : DEFAULT_KEEP_SECONDS;
    const expiresAt = new Date(this.now() + seconds * 1_000).toISOString();
    const loaded = { size: 3_000_000_000, ...model.loaded, expiresAt };
    this.models = { ...this.models, [name]: { ...model, loaded } };
  }

  #chat(response: ServerResponse, { model, stream }: Asked['body']): void {
    const facts = { id: 'chatcmpl-1', created: 0, model, system_fingerprint: 'fp_ollama' };
    if (!stream || !this.streams) {
      const message = { role: 'assistant', content: this.answer };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return sendJson(response, 200, { ...facts, object: 'chat.completion', choices });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (content: string, finish_reason: string | null) => {
      const choices = [{ index: 0, delta: { role: 'assistant', content }, finish_reason }];
      const chunk = { ...facts, object: 'chat.completion.chunk', choices };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    for (const word of this.answer.split(/(?<= )/)) send(word, null);
    send('', 'stop');
    response.end('data: [DONE]\n\n');
  }
}

function notFound(response: ServerResponse, path: string, model: string): void {
  const message = `model '${model}' not found`;
  const error = path.startsWith('/v1/') ? { message, type: 'not_found_error' } : message;
  sendJson(response, 404, { error });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
