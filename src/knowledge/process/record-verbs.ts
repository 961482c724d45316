import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { KnowledgeFileRecords } from '../../records/knowledge/knowledge-files.ts';
import type { PassageVectorRecords } from '../../records/knowledge/passage-vectors.ts';
import { Places } from '../../work/places.ts';
import { TextsRefused, type EmbeddingEndpoint, type EmbeddingModel } from '../embedder.ts';
import { FILLS } from './reported-turns.ts';
import type { RecordVerbs } from './search-messages.ts';

type RecordVerbsParts = {
  files: Pick<KnowledgeFileRecords, 'available' | 'find' | 'textOf' | 'piece'>;
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now'>;
  log: Log;
  endpointOf: (model: EmbeddingModel) => EmbeddingEndpoint | null;
  onBuilding: (accountIds: string[]) => void;
};

/**
 * Answers for the texts of a batch may have megabytes. A few more than the process requests at a
 * time: those that it cancels end a moment later.
 */
export const BATCHES = { perAccount: FILLS.perAccount + 1, total: FILLS.running + 2 };
/** Answers for a single text are small. */
export const SINGLE_TEXTS = { perAccount: 10, total: 100 };

const REFUSAL = 'Other embeddings are being computed. Please try again shortly.';

/** Number of the level in a line. */
const ERROR = 50;

/** Answers the search process from the records and the endpoints of models. */
export const recordVerbs = (parts: RecordVerbsParts): RecordVerbs => {
  const { files, vectors, clock, log, endpointOf, onBuilding } = parts;
  const limits = { refusal: REFUSAL, totalRefusal: REFUSAL, retryAfterSeconds: 5 };
  const batches = new Places({ ...BATCHES, ...limits });
  const singleTexts = new Places({ ...SINGLE_TEXTS, ...limits });
  return {
    available: ({ accountId, ids }) => files.available(accountId, ids),

    async open({ accountId, id }) {
      const file = await files.find(accountId, id);
      const text = file && (await files.textOf(accountId, id));
      return text ? { name: file.name, textId: text.id } : null;
    },

    piece: ({ textId, number }) => files.piece(textId, number),

    vectors: ({ fileId, space, ...range }) => vectors.list(fileId, space, range),

    keepVectors: ({ fileId, space, run }) => vectors.keep(fileId, space, run, clock.now()),

    forgetVectors: ({ fileIds, space }) => vectors.forget(fileIds, space),

    async embed({ accountId, model, texts, withinMs }, signal) {
      const endpoint = endpointOf(model);
      if (!endpoint) throw new Error('the embedding model is no longer known');
      const places = texts.length > 1 ? batches : singleTexts;
      const request = () => endpoint.request(texts, withinMs, signal);
      try {
        return { type: 'answer', body: await places.hold(accountId, request) };
      } catch (error) {
        if (error instanceof TextsRefused) return { type: 'refused', why: error.message };
        throw error;
      }
    },

    building: async ({ accountIds }) => onBuilding(accountIds),

    async log({ line: { level, msg, ...fields } }) {
      // They are those of the control plane.
      for (const field of ['time', 'pid', 'hostname', 'name']) delete fields[field];
      if (level >= ERROR) log.error(fields, msg);
      else log.warn(fields, msg);
    },
  };
};

/** Two endpoints may serve the same space, with other keys. */
export const spaceNameOf = ({ space, externalApiId }: EmbeddingModel): string =>
  `${externalApiId} ${space}`;
