import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { KnowledgeFileRecords } from '../../records/knowledge/knowledge-files.ts';
import type { PassageVectorRecords } from '../../records/knowledge/passage-vectors.ts';
import { TextsRefused, type EmbeddingEndpoint, type EmbeddingModel } from '../embedder.ts';
import type { RecordVerbs } from './search-messages.ts';

type RecordVerbsParts = {
  files: Pick<KnowledgeFileRecords, 'available' | 'find' | 'textOf' | 'piece'>;
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now'>;
  log: Log;
  stop: AbortSignal;
  endpointOf: (model: EmbeddingModel) => EmbeddingEndpoint | null;
  onBuilding: (accountIds: string[]) => void;
};

/** Runs of vectors in a message: at most a megabyte. */
const RUNS_PER_MESSAGE = 8;

/** Number of the level in a line. */
const ERROR = 50;

/** Answers the search process from the records and the endpoints of models. */
export const recordVerbs = (parts: RecordVerbsParts): RecordVerbs => {
  const { files, vectors, clock, log, stop, endpointOf, onBuilding } = parts;
  return {
    available: ({ accountId, ids }) => files.available(accountId, ids),

    async open({ accountId, id }) {
      const file = await files.find(accountId, id);
      const text = file && (await files.textOf(accountId, id));
      return text ? { name: file.name, textId: text.id } : null;
    },

    piece: ({ textId, number }) => files.piece(textId, number),

    vectors: ({ fileId, space, from }) =>
      vectors.list(fileId, space, { from, limit: RUNS_PER_MESSAGE }),

    keepVectors: ({ fileId, space, run }) => vectors.keep(fileId, space, run, clock.now()),

    forgetVectors: ({ fileIds, space }) => vectors.forget(fileIds, space),

    async embed({ model, texts, withinMs }) {
      const endpoint = endpointOf(model);
      if (!endpoint) throw new Error('the embedding model is no longer known');
      try {
        return { type: 'answer', body: await endpoint.request(texts, withinMs, stop) };
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
