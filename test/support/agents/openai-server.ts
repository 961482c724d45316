/*
 * An OpenAI-compatible server with answers written by the test: chat completions, streamed or
 * whole; transcriptions of uploaded WAV files; speech as raw samples; embeddings. It records each
 * request with its API key.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { delay, systemClock } from '#shared/clock.ts';
import { listen, portOf } from '../loopback.ts';

export const SPEECH_RATE = 24_000;

type Message = { role: string; content: string | { type: string; text?: string }[] };

export type ChatRequest = {
  key: string;
  model: string;
  temperature?: number;
  stream?: boolean;
  messages: Message[];
};
type TranscriptionRequest = {
  key: string;
  model: string;
  language: string | null;
  seconds: number;
  /** 16-bit samples. */
  loudest: number;
};
type SpeechRequest = {
  key: string;
  model: string;
  voice: string;
  input: string;
  response_format: string;
};

type EmbeddingsRequest = { key: string; model: string; input: string | string[] };

export type Script = {
  keys: readonly string[];
  answer(request: ChatRequest): string;
  transcribe?(request: TranscriptionRequest): string;
  /** At SPEECH_RATE. */
  speak?(request: SpeechRequest): Int16Array;
  /** The vector for one text. */
  embed?(text: string): number[];
};

/** Separate endpoints for all four. Close it after the test. */
export class OpenAiServer {
  readonly chats: ChatRequest[] = [];
  readonly transcriptions: TranscriptionRequest[] = [];
  readonly speeches: SpeechRequest[] = [];
  readonly embeddings: EmbeddingsRequest[] = [];
  /** The status of answers to chats. Another one than 200 is an error. */
  chatStatus = 200;
  /** Delay of the answers to chats. */
  answerMs = 0;
  readonly #script: Script;
  readonly #server: Server;

  static async open(script: Script): Promise<OpenAiServer> {
    const server = createServer();
    await listen(server);
    return new OpenAiServer(server, script);
  }

  private constructor(server: Server, script: Script) {
    this.#server = server;
    this.#script = script;
    server.on('request', (request, response) => {
      this.#take(request, response).catch((error: unknown) => refuse(response, 400, String(error)));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!this.#script.keys.includes(key)) return refuse(response, 401, 'Incorrect API key');
    switch (`${request.method} ${request.url}`) {
      // Clients open a connection ahead of time.
      case 'GET /v1/models':
        return sendJson(response, 200, { object: 'list', data: [] });
      case 'POST /v1/chat/completions':
        await delay(systemClock, this.answerMs);
        return this.#chat(response, { key, ...JSON.parse(body.toString()) });
      case 'POST /v1/audio/transcriptions':
        return this.#transcribe(response, key, await formOf(request, body));
      case 'POST /v1/audio/speech':
        return this.#speak(response, { key, ...JSON.parse(body.toString()) });
      case 'POST /v1/embeddings':
        return this.#embed(response, { key, ...JSON.parse(body.toString()) });
      default:
        return refuse(response, 404, `Unknown request URL: ${request.method} ${request.url}`);
    }
  }

  #chat(response: ServerResponse, request: ChatRequest): void {
    this.chats.push(request);
    if (this.chatStatus !== 200) return refuse(response, this.chatStatus, 'Overloaded');
    const content = this.#script.answer(request);
    const facts = { id: 'chatcmpl-1', created: 0, model: request.model };
    if (!request.stream) {
      const message = { role: 'assistant', content };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return sendJson(response, 200, { ...facts, object: 'chat.completion', choices });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish_reason: string | null) => {
      const choices = [{ index: 0, delta, finish_reason }];
      const chunk = { ...facts, object: 'chat.completion.chunk', choices };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    send({ role: 'assistant', content: '' }, null);
    for (const word of content.split(/(?<= )/)) send({ content: word }, null);
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  }

  async #transcribe(response: ServerResponse, key: string, form: FormData): Promise<void> {
    const file = form.get('file');
    const model = form.get('model');
    const language = form.get('language');
    if (!(file instanceof Blob) || typeof model !== 'string')
      return refuse(response, 400, 'file and model are required');
    const { samples, rate } = samplesOf(Buffer.from(await file.arrayBuffer()));
    const request = {
      key,
      model,
      language: typeof language === 'string' ? language : null,
      seconds: samples.length / rate,
      loudest: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
    };
    this.transcriptions.push(request);
    sendJson(response, 200, { text: this.#script.transcribe?.(request) ?? '' });
  }

  #speak(response: ServerResponse, request: SpeechRequest): void {
    this.speeches.push(request);
    if (request.response_format !== 'pcm') return refuse(response, 400, 'only pcm is spoken here');
    const samples = this.#script.speak?.(request) ?? new Int16Array();
    response.writeHead(200, { 'content-type': 'audio/pcm' });
    response.end(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  }

  #embed(response: ServerResponse, request: EmbeddingsRequest): void {
    this.embeddings.push(request);
    const script = this.#script;
    if (!script.embed) return refuse(response, 404, 'The model does not exist');
    const data = [request.input].flat().map((text, index) => ({
      object: 'embedding',
      index,
      embedding: script.embed?.(text),
    }));
    sendJson(response, 200, { object: 'list', model: request.model, data });
  }
}

/** All texts sent to a model. */
export const textsIn = ({ messages }: ChatRequest): string => messages.map(textOf).join('\n');

export const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');

export const lastQuestionIn = ({ messages }: ChatRequest): string => {
  const question = messages.findLast(({ role }) => role === 'user');
  return question ? textOf(question) : '';
};

const formOf = (request: IncomingMessage, body: Buffer): Promise<FormData> =>
  new Response(new Uint8Array(body), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();

/** The samples of a mono 16-bit WAV file with the usual header. */
function samplesOf(file: Buffer): { samples: Int16Array; rate: number } {
  if (file.toString('latin1', 0, 4) !== 'RIFF') throw new Error('not a WAV file');
  const bytes = new Uint8Array(file.subarray(44));
  return {
    samples: new Int16Array(bytes.buffer, 0, bytes.length >> 1),
    rate: file.readUInt32LE(24),
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { message, type: 'invalid_request_error' } });
