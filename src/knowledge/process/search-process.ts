/*
 * Indexes and searches knowledge files for the control plane, which started it. Texts come piece by
 * piece, and vectors run by run. Small sets of files do not wait for large ones.
 */
import { constants, getPriority, setPriority } from 'node:os';
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { dropRoot } from '#shared/process/decoder-process.ts';
import { FairTurns } from '../../work/fair-turns.ts';
import { ProcessCalls } from '../../work/process-calls.ts';
import { PASSAGE_CHARS } from '../chunks.ts';
import { TextsRefused, type Embedder, type EmbeddingModel } from '../embedder.ts';
import { vectorsIn } from '../embeddings-answer.ts';
import { Knowledge, type KnowledgeOptions } from '../passages.ts';
import {
  OUT_OF_MEMORY,
  type RecordVerbs,
  type SearchLimits,
  type SearchVerbs,
  type VectorRun,
} from './search-messages.ts';

const WATCH_EVERY_MS = 20;
const MIB = 1024 ** 2;

/** UTF-8 of the files of an index that is built beside a large one. */
const SMALL_BYTES = MIB;

const limits = JSON.parse(process.argv[2] ?? '') as SearchLimits;

// Running sessions have priority.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
dropRoot();
process.on('disconnect', () => process.exit());
setInterval(() => {
  if (process.memoryUsage.rss() > limits.memoryMiB * MIB) process.exit(OUT_OF_MEMORY);
}, WATCH_EVERY_MS);

const verbs: SearchVerbs = {
  find: ({ of, question, model }) => knowledge.find(of, question, embedderOf(model)),
  prepare: async ({ of, model }) => knowledge.prepare(of, embedderOf(model)),
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

const turnLimits = { waitMs: limits.buildMs, refusal: 'Other knowledge files are being indexed.' };
const smallTurns = new FairTurns(systemClock, { running: 2, ...turnLimits });
const largeTurns = new FairTurns(systemClock, { running: 1, ...turnLimits });
const building: string[] = [];

const files: KnowledgeOptions['files'] = {
  available: (accountId, ids) => control.call('available', { accountId, ids }),
  async read(accountId, id) {
    const opened = await control.call('open', { accountId, id });
    if (!opened) return null;
    const { name, textId } = opened;
    let content = '';
    // The rest could not be indexed.
    for (let number = 0; content.length < limits.maxPassages * PASSAGE_CHARS; number += 1) {
      const piece = await control.call('piece', { textId, number });
      if (piece === null) break;
      content += piece;
    }
    return { name, content };
  },
};

const vectors: KnowledgeOptions['vectors'] = {
  async list(fileId, space) {
    const runs: VectorRun[] = [];
    for (;;) {
      const from = (runs.at(-1)?.number ?? -1) + 1;
      const part = await control.call('vectors', { fileId, space, from });
      if (part.length === 0) return runs;
      runs.push(...part);
    }
  },
  keep: (fileId, space, run) => control.call('keepVectors', { fileId, space, run }),
  forget: (fileIds, space) => control.call('forgetVectors', { fileIds, space }),
};

const knowledge = new Knowledge({
  files,
  vectors,
  clock: systemClock,
  log,
  ...limits,
  inTurn: (accountId, bytes, build) =>
    (bytes > SMALL_BYTES ? largeTurns : smallTurns).take(accountId, async () => {
      building.push(accountId);
      void control.call('building', { accountIds: building });
      try {
        return await build();
      } finally {
        building.splice(building.indexOf(accountId), 1);
        void control.call('building', { accountIds: building });
      }
    }),
});

function embedderOf(model: EmbeddingModel | null): Embedder | null {
  if (!model) return null;
  return {
    ...model,
    async embed(texts, withinMs) {
      const answer = await control.call('embed', { model, texts, withinMs });
      if (answer.type === 'refused') throw new TextsRefused(answer.why);
      return vectorsIn(answer.body, texts.length);
    },
  };
}
