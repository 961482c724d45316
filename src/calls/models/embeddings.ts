/*
 * Asks a model what texts mean: for each a vector, such that texts of like meaning have vectors of like direction. The control plane asks it
 * itself; an owner's address is checked with each request, as that of a webhook is. What answers is not trusted: whatever is not as many
 * vectors of one length as there were texts is an error.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { TextsRefused, type Embedder } from '../../knowledge/embedder.ts';
import type { PostOutgoing } from '../../egress/outgoing-post.ts';
import type { ExternalApiRecords } from '../../records/external-apis.ts';
import type { CallAgent } from '../call-agent.ts';
import type { ServiceModels } from './models.ts';

/** Null without one. */
export type EmbedderOf = (agent: CallAgent) => Promise<Embedder | null>;

export type EmbedderParts = {
  externalApis: Pick<ExternalApiRecords, 'credentials'>;
  service: Pick<ServiceModels, 'embeddings'>;
  /** To an owner's address, which is checked, and to that which the service is set up with. */
  post: { own: PostOutgoing; service: PostOutgoing };
  clock: Clock;
};

/** Beyond it no model goes, and memory is not for the asking. */
const MAX_DIMENSIONS = 4_096;
/** Of the longest answer to the most texts that are asked about at once, each number with all its digits. */
const MAX_ANSWER_BYTES = 8 * 1024 ** 2;
/** Too long, by its own measure. Some say so in this way, some as if they had failed. */
const REFUSALS = new Set([400, 413, 422, 500]);

export const embedderOf =
  ({ externalApis, service, post, clock }: EmbedderParts): EmbedderOf =>
  async ({ accountId, embeddings }) => {
    if (embeddings === null) {
      const usual = service.embeddings;
      return usual && { externalApiId: null, ...embedderAt({ post: post.service, clock }, usual) };
    }
    const { apiId, model } = embeddings;
    const api = await externalApis.credentials(accountId, apiId);
    if (!api) return null;
    const endpoint = { url: api.url, key: api.apiKey, model };
    return { externalApiId: apiId, ...embedderAt({ post: post.own, clock }, endpoint) };
  };

type Endpoint = { url: string; key: string | null; model: string };

const embedderAt = (
  { post, clock }: { post: PostOutgoing; clock: Clock },
  { url, key, model }: Endpoint,
): Pick<Embedder, 'space' | 'embed'> => ({
  // The address is part of it: of two servers' models with one name nobody knows that they are the same.
  space: createHash('sha256')
    .update(JSON.stringify([url, model]))
    .digest('hex'),
  async embed(texts, withinMs, stop) {
    const tooLate = new AbortController();
    const cancel = clock.after(withinMs, () => tooLate.abort(new Error('it took too long')));
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
      if (REFUSALS.has(status)) throw new TextsRefused(`it answered ${status}`);
      if (status !== 200) throw new Error(`it answered ${status}`);
      return vectorsIn(body, texts.length);
    } finally {
      cancel();
    }
  },
});

/** In the order of what was asked. Throws when it is anything else. */
export function vectorsIn(body: Buffer, count: number): Float32Array[] {
  const rows = (JSON.parse(body.toString('utf8')) as { data?: unknown } | null)?.data;
  if (!Array.isArray(rows) || rows.length !== count)
    throw new Error('it answered another number of vectors than it was asked for');
  const vectors = new Map<unknown, Float32Array>();
  for (const [at, row] of rows.entries()) {
    const { index = at, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    vectors.set(index, vectorOf(embedding));
  }
  return rows.map((_, at) => {
    const vector = vectors.get(at);
    if (!vector) throw new Error('it answered vectors of something else');
    if (vector.length !== vectors.get(0)?.length)
      throw new Error('it answered vectors of several lengths');
    return vector;
  });
}

function vectorOf(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS)
    throw new Error('it answered no vector');
  const vector = Float32Array.from(embedding as unknown[], (each) =>
    typeof each === 'number' ? each : Number.NaN,
  );
  // Too large for 32 bits is infinite by now.
  const length = Math.hypot(...vector);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    throw new Error('it answered a vector that is none');
  return vector.map((each) => each / length);
}
