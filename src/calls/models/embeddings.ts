/*
 * Requests embeddings from an OpenAI-compatible endpoint. An owner's address is checked at each
 * request, like a webhook's. Answers are untrusted: anything but one vector per text, all of equal
 * dimensions, is an error.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { TextsRefused, type Embedder } from '../../knowledge/embedder.ts';
import type { RequestOutgoing } from '../../egress/outgoing-request.ts';
import type { ExternalApiRecords } from '../../records/agents/external-apis.ts';
import type { CallAgent } from '../call-agent.ts';
import type { ServiceModels } from './models.ts';

/** Null if the agent has no embedding model. */
export type EmbedderOf = (agent: CallAgent) => Promise<Embedder | null>;

export type EmbedderParts = {
  externalApis: Pick<ExternalApiRecords, 'credentials'>;
  service: Pick<ServiceModels, 'embeddings'>;
  /** `own` checks the addresses of account owners; `service` posts to configured endpoints. */
  post: { own: RequestOutgoing; service: RequestOutgoing };
  clock: Clock;
};

/** Upper bound, to limit memory. No model exceeds it. */
const MAX_DIMENSIONS = 4_096;
/** Fits the largest batch at `MAX_DIMENSIONS` with all digits. */
const MAX_ANSWER_BYTES = 8 * 1024 ** 2;
/** Statuses by which servers reject texts that are too long; some answer 500. */
const REFUSALS = new Set([400, 413, 422, 500]);

export const embedderOf =
  ({ externalApis, service, post, clock }: EmbedderParts): EmbedderOf =>
  async ({ accountId, embeddings }) => {
    if (embeddings === null) {
      const endpoint = service.embeddings;
      if (!endpoint) return null;
      return { externalApiId: null, ...embedderAt({ post: post.service, clock }, endpoint) };
    }
    const { apiId, model } = embeddings;
    const api = await externalApis.credentials(accountId, apiId);
    if (!api) return null;
    const endpoint = { url: api.url, key: api.apiKey, model };
    return { externalApiId: apiId, ...embedderAt({ post: post.own, clock }, endpoint) };
  };

type Endpoint = { url: string; key: string | null; model: string };

const embedderAt = (
  { post, clock }: { post: RequestOutgoing; clock: Clock },
  { url, key, model }: Endpoint,
): Pick<Embedder, 'space' | 'embed'> => ({
  // Includes the address: models of the same name on two servers may differ.
  space: createHash('sha256')
    .update(JSON.stringify([url, model]))
    .digest('hex'),
  async embed(texts, withinMs, stop) {
    const tooLate = new AbortController();
    const cancel = clock.after(withinMs, () =>
      tooLate.abort(new Error('embeddings request timed out')),
    );
    try {
      const { status, body } = await post({
        url: `${url.replace(/\/+$/, '')}/embeddings`,
        headers: {
          'content-type': 'application/json',
          ...(key !== null && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model, input: texts }),
        signal: AbortSignal.any([stop, tooLate.signal]),
        maxBytes: MAX_ANSWER_BYTES,
      });
      if (REFUSALS.has(status)) throw new TextsRefused(`the server answered ${status}`);
      if (status !== 200) throw new Error(`the server answered ${status}`);
      return vectorsIn(body, texts.length);
    } finally {
      cancel();
    }
  },
});

/** Vectors in the order of the texts. Throws on any other answer. */
export function vectorsIn(body: Buffer, count: number): Float32Array[] {
  const rows = (JSON.parse(body.toString('utf8')) as { data?: unknown } | null)?.data;
  if (!Array.isArray(rows) || rows.length !== count)
    throw new Error('the answer does not have one vector per text');
  const vectors = new Map<unknown, Float32Array>();
  for (const [at, row] of rows.entries()) {
    const { index = at, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    vectors.set(index, vectorOf(embedding));
  }
  return rows.map((_, at) => {
    const vector = vectors.get(at);
    if (!vector) throw new Error('the answer has wrong indices');
    if (vector.length !== vectors.get(0)?.length)
      throw new Error('the answer has vectors of different dimensions');
    return vector;
  });
}

function vectorOf(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS)
    throw new Error('the answer has an invalid embedding');
  const vector = Float32Array.from(embedding as unknown[], (each) =>
    typeof each === 'number' ? each : Number.NaN,
  );
  // Numbers too large for 32 bits became infinite.
  const length = Math.hypot(...vector);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    throw new Error('the answer has a vector of invalid length');
  return vector.map((each) => each / length);
}
