/*
 * Indexes and searches knowledge files for the control plane, which started it. Texts come piece by
 * piece, and vectors a few runs at a time.
 */
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { boundChild } from '#shared/process/bounded-child.ts';
import { dropRoot } from '#shared/process/decoder-process.ts';
import { ProcessCalls } from '../../work/process-calls.ts';
import { PASSAGE_CHARS } from '../chunks.ts';
import { TextsRefused, type Embedder, type EmbeddingModel } from '../embedder.ts';
import { vectorsIn } from '../embeddings-answer.ts';
import { Knowledge, type KnowledgeOptions } from '../passages.ts';
import { ReportedTurns } from './reported-turns.ts';
import {
  OUT_OF_MEMORY,
  type RecordVerbs,
  type SearchLimits,
  type SearchVerbs,
} from './search-messages.ts';

const limits = JSON.parse(process.argv[2] ?? '') as SearchLimits;

boundChild(limits.memoryMiB, () => process.exit(OUT_OF_MEMORY));
dropRoot();

const verbs: SearchVerbs = {
  find: ({ of, question, model }, signal) =>
    knowledge.find(of, question, embedderOf(of.accountId, model), signal),
  prepare: async ({ of, model }) => knowledge.prepare(of, embedderOf(of.accountId, model)),
  ping: async () => {},
};
const control = new ProcessCalls<RecordVerbs>(process, verbs);

const log = createLog(
  { name: 'knowledge' },
  {
    write(line) {
      void control.call('log', { line: JSON.parse(line) });
    },
  },
);

const files: KnowledgeOptions['files'] = {
  available: (accountId, ids) => control.call('available', { accountId, ids }),
  async read(accountId, id) {
    const source = await control.call('open', { accountId, id });
    if (!source) return null;
    const { name, textId } = source;
    let content = '';
    // Further pieces could not be indexed.
    for (let number = 0; content.length < limits.maxPassages * PASSAGE_CHARS; number += 1) {
      const piece = await control.call('piece', { textId, number });
      if (piece === null) break;
      content += piece;
    }
    return { name, content };
  },
};

const vectors: KnowledgeOptions['vectors'] = {
  list: (fileId, space, range) => control.call('vectors', { fileId, space, ...range }),
  keep: (fileId, space, run) => control.call('keepVectors', { fileId, space, run }),
  forget: (fileIds, space) => control.call('forgetVectors', { fileIds, space }),
};

const knowledge = new Knowledge({
  files,
  vectors,
  clock: systemClock,
  log,
  turns: new ReportedTurns(systemClock, limits.buildMs, (accountIds) => {
    void control.call('building', { accountIds });
  }),
  limits,
});

function embedderOf(accountId: string, model: EmbeddingModel | null): Embedder | null {
  if (!model) return null;
  return {
    ...model,
    async embed(texts, withinMs, stop) {
      const answer = await control.call('embed', { accountId, model, texts, withinMs }, stop);
      if (answer.type === 'refused') throw new TextsRefused(answer.why);
      return vectorsIn(answer.body, texts.length);
    },
  };
}
