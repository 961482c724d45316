/*
 * Requests embeddings from an OpenAI-compatible endpoint. An owner's address is checked at each
 * request, like a webhook's. Answers are read elsewhere, because they may be long.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { TextsRefused, type EmbeddingEndpoint } from '../../knowledge/embedder.ts';
import { maxAnswerBytes } from '../../knowledge/embeddings-answer.ts';
import type { RequestOutgoing } from '../../egress/outgoing-request.ts';
import type { ExternalApiRecords } from '../../records/agents/external-apis.ts';
import type { CallAgent } from '../call-agent.ts';
import type { ServiceModels } from './models.ts';

/** Null if the agent has no embedding model. */
export type EmbedderOf = (agent: CallAgent) => Promise<EmbeddingEndpoint | null>;

export type EmbedderParts = {
  externalApis: Pick<ExternalApiRecords, 'credentials'>;
  service: Pick<ServiceModels, 'embeddings'>;
  /** `own` checks the addresses of account owners; `service` posts to configured endpoints. */
  post: { own: RequestOutgoing; service: RequestOutgoing };
  clock: Clock;
};

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
): Pick<EmbeddingEndpoint, 'space' | 'request'> => ({
  // Includes the address: models of the same name on two servers may differ.
  space: createHash('sha256')
    .update(JSON.stringify([url, model]))
    .digest('hex'),
  async request(texts, withinMs, stop) {
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
        maxBytes: maxAnswerBytes(texts.length),
      });
      if (REFUSALS.has(status)) throw new TextsRefused(`the server answered ${status}`);
      if (status !== 200) throw new Error(`the server answered ${status}`);
      return body;
    } finally {
      cancel();
    }
  },
});
