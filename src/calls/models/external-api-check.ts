/*
 * Tests an external API with a minimal request like an agent worker's, and explains what is wrong.
 * Answers are shown only in part and never contain the key.
 */
import type { Clock } from '#shared/clock.ts';
import { withoutReasoning } from '#shared/reasoning-filter.ts';
import { AddressRefused } from '#shared/network/address-policy.ts';
import type {
  OutgoingAnswer,
  OutgoingRequest,
  RequestOutgoing,
} from '../../egress/outgoing-request.ts';
import { explain } from '../../egress/post.ts';
import type { ExternalApiCredentials } from '../../records/agents/external-apis.ts';
import { vectorsIn } from '../../knowledge/embeddings-answer.ts';

type CheckParts = { post: RequestOutgoing; clock: Clock };

/** Defaults: OpenAI's usual model and voice. */
type CheckWith = { model?: string | undefined; voice?: string | undefined };

/** `status` is null without an answer. */
type Checked = { ok: boolean; status: number | null; detail: string; tookMs: number };

/** The caller waits for the result. */
const WITHIN_MS = 8_000;
const MAX_ANSWER_BYTES = 1024 ** 2;
const MAX_SHOWN = 200;

type Trial = {
  path: string;
  usualModel: string;
  request: (model: string, voice: string) => Promise<{ type: string; body: string | Uint8Array }>;
  isRight: (answer: OutgoingAnswer) => boolean;
  wrong: string;
};

const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });

const TESTS: Record<ExternalApiCredentials['type'], Trial> = {
  openai_compatible_llm: {
    path: '/chat/completions',
    usualModel: 'gpt-4.1-mini',
    request: async (model) =>
      json({ model, messages: [{ role: 'user', content: 'Answer with the word: yes' }] }),
    isRight({ body }) {
      const choices = read(body)['choices'] as Choices;
      const content = choices?.[0]?.message?.content;
      return typeof content === 'string' && withoutReasoning(content).trim() !== '';
    },
    wrong: 'The answer is not a chat completion: `choices` has no text.',
  },
  openai_compatible_stt: {
    path: '/audio/transcriptions',
    usualModel: 'gpt-4o-mini-transcribe',
    async request(model) {
      const form = new FormData();
      form.set('file', new Blob([silence()], { type: 'audio/wav' }), 'silence.wav');
      form.set('model', model);
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      return { type, body: Buffer.from(await encoded.arrayBuffer()) };
    },
    isRight: ({ body }) => typeof read(body)['text'] === 'string',
    wrong: 'The answer is not a transcription: it has no `text`.',
  },
  openai_compatible_tts: {
    path: '/audio/speech',
    usualModel: 'gpt-4o-mini-tts',
    request: async (model, voice) => json({ model, voice, input: 'Hello', response_format: 'pcm' }),
    isRight: ({ body, contentType }) => body.length > 0 && !/json|text|html/.test(contentType),
    wrong: 'The answer is not audio.',
  },
  openai_compatible_embeddings: {
    path: '/embeddings',
    usualModel: 'text-embedding-3-small',
    request: async (model) => json({ model, input: ['Hello'] }),
    isRight: ({ body }) => isVector(body),
    wrong: 'The answer has no embedding: `data` has no vector of numbers.',
  },
};

const USUAL_VOICE = 'alloy';

export async function checkExternalApi(
  { post, clock }: CheckParts,
  { type, url, apiKey }: ExternalApiCredentials,
  { model, voice = USUAL_VOICE }: CheckWith,
): Promise<Checked> {
  const trial = TESTS[type];
  const encoded = await trial.request(model ?? trial.usualModel, voice);
  const request = {
    url: `${url.replace(/\/+$/, '')}${trial.path}`,
    headers: { 'content-type': encoded.type, authorization: `Bearer ${apiKey}` },
    body: encoded.body,
    maxBytes: MAX_ANSWER_BYTES,
  };
  const from = clock.elapsed();
  const { status, problem } = await tryOnce({ post, clock }, request, trial);
  return {
    ok: problem === null,
    status,
    detail: (problem ?? 'It works.').replaceAll(apiKey, '***'),
    tookMs: Math.round(clock.elapsed() - from),
  };
}

/** `problem` is null if the answer is right. */
async function tryOnce(
  { post, clock }: CheckParts,
  request: Omit<OutgoingRequest, 'signal'>,
  trial: Trial,
): Promise<{ status: number | null; problem: string | null }> {
  const tooLate = new AbortController();
  const cancel = clock.after(WITHIN_MS, () => tooLate.abort());
  try {
    const answer = await post({ ...request, signal: tooLate.signal });
    return { status: answer.status, problem: problemOf(answer, trial) };
  } catch (error) {
    const problem = tooLate.signal.aborted
      ? `It did not answer within ${WITHIN_MS / 1_000} s.`
      : explain(error);
    return { status: null, problem: error instanceof AddressRefused ? error.message : problem };
  } finally {
    cancel();
  }
}

function problemOf(answer: OutgoingAnswer, trial: Trial): string | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return trial.isRight(answer) ? null : trial.wrong;
  const message = messageOf(answer);
  return `${sentenceOf(status, trial)}${message && ` It says: ${message}`}`;
}

function sentenceOf(status: number, { path }: Trial): string {
  if (status === 401 || status === 403) return `It refuses the key (${status}).`;
  if (status === 404) {
    return `It does not know this address or model (404). The URL must end before ${path}, often with /v1.`;
  }
  if (status === 429)
    return 'It refuses requests for now (429): too many requests, or no credit left.';
  if (status >= 300 && status < 400) {
    return `It redirects (${status}), and redirects are not followed. Use the target address.`;
  }
  if (status >= 500) return `It failed (${status}).`;
  return `It rejects the request (${status}). It may not know the model or the voice.`;
}

/** Reads the error in OpenAI's format or in that of other servers. */
function messageOf({ body }: OutgoingAnswer): string {
  const { error, message, detail } = read(body);
  const nested = (error as { message?: unknown } | null | undefined)?.message;
  const text = [nested, error, message, detail].find((each) => typeof each === 'string') ?? '';
  return text.replaceAll(/\s+/g, ' ').replaceAll('\0', '').slice(0, MAX_SHOWN).toWellFormed();
}

type Choices = { message?: { content?: unknown } | null }[] | null | undefined;

/** Empty if the body is not a JSON object. */
function read(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isVector(body: Buffer): boolean {
  try {
    return vectorsIn(body, 1).length === 1;
  } catch {
    return false;
  }
}

/** Half a second of silence as a 16 kHz WAV file. */
function silence(): ArrayBuffer {
  const [rate, samples, header] = [16_000, 8_000, 44];
  const file = new DataView(new ArrayBuffer(header + samples * 2));
  const write = (at: number, text: string) => {
    for (const [i, byte] of Buffer.from(text).entries()) file.setUint8(at + i, byte);
  };
  write(0, 'RIFF');
  file.setUint32(4, file.byteLength - 8, true);
  write(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, rate, true);
  file.setUint32(28, rate * 2, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  write(36, 'data');
  file.setUint32(40, samples * 2, true);
  return file.buffer;
}
