/*
 * Tests an external API with a minimal request like an agent worker's, and explains what is wrong.
 * Answers are shown only in part and never contain the key.
 */
import type { Clock } from '#shared/clock.ts';
import { withoutReasoning } from '#shared/reasoning-filter.ts';
import { SoundReader, UnreadableSound } from '#shared/sound/sound-reader.ts';
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
  /** Like those of an agent worker, which tries the next one if the server misunderstands. */
  requests: ((model: string, voice: string) => Promise<EncodedRequest> | EncodedRequest)[];
  /** Problem of an answer with status 2xx. Null: it is right. */
  problemIn: (answer: OutgoingAnswer) => string | null;
  /** More about a right answer. */
  describe?: (answer: OutgoingAnswer) => string;
};

type EncodedRequest = { type: string; body: string | Uint8Array };

const json = (body: object): EncodedRequest => ({
  type: 'application/json',
  body: JSON.stringify(body),
});

const TESTS: Record<ExternalApiCredentials['type'], Trial> = {
  openai_compatible_llm: {
    path: '/chat/completions',
    usualModel: 'gpt-4.1-mini',
    requests: [
      (model) =>
        json({ model, messages: [{ role: 'user', content: 'Answer with the word: yes' }] }),
    ],
    problemIn({ body }) {
      const choices = read(body)['choices'] as Choices;
      const content = choices?.[0]?.message?.content;
      const hasText = typeof content === 'string' && withoutReasoning(content).trim() !== '';
      return hasText ? null : 'The answer is not a chat completion: `choices` has no text.';
    },
  },
  openai_compatible_stt: {
    path: '/audio/transcriptions',
    usualModel: 'gpt-4o-mini-transcribe',
    requests: [
      async (model) => {
        const form = new FormData();
        form.set('file', new Blob([silence()], { type: 'audio/wav' }), 'silence.wav');
        form.set('model', model);
        const encoded = new Response(form);
        const type = encoded.headers.get('content-type') ?? '';
        return { type, body: Buffer.from(await encoded.arrayBuffer()) };
      },
    ],
    problemIn: ({ body }) =>
      typeof read(body)['text'] === 'string'
        ? null
        : 'The answer is not a transcription: it has no `text`.',
  },
  openai_compatible_tts: {
    path: '/audio/speech',
    usualModel: 'gpt-4o-mini-tts',
    requests: ['pcm', 'wav'].map(
      (format) => (model, voice) => json({ model, voice, input: 'Hello', response_format: format }),
    ),
    problemIn: (answer) => soundIn(answer).problem,
    describe: (answer) => `Its sound is read as ${soundIn(answer).format}.`,
  },
  openai_compatible_embeddings: {
    path: '/embeddings',
    usualModel: 'text-embedding-3-small',
    requests: [(model) => json({ model, input: ['Hello'] })],
    problemIn: ({ body }) =>
      isVector(body) ? null : 'The answer has no embedding: `data` has no vector of numbers.',
  },
};

const USUAL_VOICE = 'alloy';

export async function checkExternalApi(
  parts: CheckParts,
  { type, url, apiKey }: ExternalApiCredentials,
  { model, voice = USUAL_VOICE }: CheckWith,
): Promise<Checked> {
  const { clock } = parts;
  const trial = TESTS[type];
  const from = clock.elapsed();
  let result: Result | null = null;
  for (const request of trial.requests) {
    const encoded = await request(model ?? trial.usualModel, voice);
    const nextResult = await tryOnce(
      parts,
      {
        url: `${url.replace(/\/+$/, '')}${trial.path}`,
        headers: { 'content-type': encoded.type, authorization: `Bearer ${apiKey}` },
        body: encoded.body,
        maxBytes: MAX_ANSWER_BYTES,
      },
      trial,
    );
    // The problem of an answer says more than a refusal.
    if (!result || isAccepted(nextResult)) result = nextResult;
    if (!isMisunderstood(nextResult)) break;
  }
  const { isRight, status, detail } = result!;
  return {
    ok: isRight,
    status,
    detail: detail.replaceAll(apiKey, '***'),
    tookMs: Math.round(clock.elapsed() - from),
  };
}

type Result = { isRight: boolean; status: number | null; detail: string };

const isAccepted = ({ status }: Result): boolean =>
  status !== null && status >= 200 && status < 300;

const isMisunderstood = (result: Result): boolean =>
  !result.isRight && (isAccepted(result) || [400, 415, 422].includes(result.status ?? 0));

async function tryOnce(
  { post, clock }: CheckParts,
  request: Omit<OutgoingRequest, 'signal'>,
  trial: Trial,
): Promise<Result> {
  const tooLate = new AbortController();
  const cancel = clock.after(WITHIN_MS, () => tooLate.abort());
  try {
    const answer = await post({ ...request, signal: tooLate.signal });
    return resultOf(answer, trial);
  } catch (error) {
    const problem = tooLate.signal.aborted
      ? `It did not answer within ${WITHIN_MS / 1_000} s.`
      : explain(error);
    const detail = error instanceof AddressRefused ? error.message : problem;
    return { isRight: false, status: null, detail };
  } finally {
    cancel();
  }
}

function resultOf(answer: OutgoingAnswer, trial: Trial): Result {
  const { status } = answer;
  if (status < 200 || status >= 300) {
    const message = messageOf(answer);
    const detail = `${sentenceOf(status, trial)}${message && ` It says: ${message}`}`;
    return { isRight: false, status, detail };
  }
  const problem = trial.problemIn(answer);
  const description = problem === null ? trial.describe?.(answer) : undefined;
  const praise = ['It works.', ...(description ? [description] : [])].join(' ');
  return { isRight: problem === null, status, detail: problem ?? praise };
}

/** `format` is for people. */
function soundIn({ body, contentType }: OutgoingAnswer): {
  problem: string | null;
  format: string;
} {
  const reader = new SoundReader(contentType);
  try {
    const samples = [...reader.push(body), ...reader.end()];
    const silence = samples.length === 0 ? 'The answer has no sound.' : 'The sound is silent.';
    return { problem: samples.some(Boolean) ? null : silence, format: reader.formatName };
  } catch (error) {
    if (!(error instanceof UnreadableSound)) throw error;
    return {
      problem: `The answer is not audio that can be played: ${error.message}. Another voice speaks instead of it.`,
      format: '',
    };
  }
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
