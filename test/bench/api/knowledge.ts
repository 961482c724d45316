import { Knowledge } from '../../../src/knowledge/passages.ts';
import { SEARCH_LIMITS } from '../../../src/knowledge/process/knowledge-search.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { Embedder } from '../../../src/knowledge/embedder.ts';
import { createLog } from '../../../src/shared/log.ts';
import type { KnowledgeFile } from '../../../src/records/knowledge/knowledge-files.ts';
import { noTurns } from '../../support/knowledge/no-turns.ts';
import { machineMs } from '../rpc.ts';
import { quantile, row, type Row } from '../report/row.ts';

const FILES = 1_000;
const FILE_CHARS = 8_000;
const QUESTIONS = 500;
const MOST_MS = 20;
const MOST_TURN_MS = 50;
/** As in OpenAI's small model. */
const DIMENSIONS = 1_536;

/** One agent with a thousand files: delay of the first question, cost of later ones, and memory. */
export async function knowledge(): Promise<Row[]> {
  const text = pseudoTexts();
  const contents = Array.from({ length: FILES }, () => text.file());
  const files: KnowledgeFile[] = contents.map((_, at) => ({
    id: `${at}`,
    accountId: 'account',
    name: `file ${at}`,
    format: 'text',
    status: 'available',
    createdAt: 0,
  }));
  const records = {
    available: async () => files,
    read: async (_: string, id: string) => ({
      ...files[Number(id)]!,
      content: contents[Number(id)]!,
    }),
  };
  const passages = new Knowledge({
    files: records,
    vectors: { list: async () => [], keep: async () => {}, forget: async () => {} },
    clock: systemClock,
    log: createLog({ name: 'bench', level: 'silent' }),
    turns: noTurns,
    limits: SEARCH_LIMITS,
  });
  const of = { accountId: 'account', knowledgeFileIds: files.map(({ id }) => id) };
  const ask = (question: string, embedder: Embedder | null = null) =>
    passages.find(of, question, embedder);

  const heapBeforeMb = heapMb();
  const watch = watchTurns();
  const from = machineMs();
  await ask(text.sentence());
  const buildMs = machineMs() - from;
  const longestMs = watch.stop();
  const size = `${FILES} files of ${FILE_CHARS / 1_000} kB (${passages.size} passages)`;
  const byWords = await timesOf(text.sentence, ask);
  const indexedMb = heapMb() - heapBeforeMb;
  await ask(text.sentence(), noiseModel);
  await passages.filled();
  const byMeaning = await timesOf(text.sentence, (question) => ask(question, noiseModel));
  await passages.close();
  return [
    ...questionRows('a question by words', byWords, size),
    ...questionRows(
      `a question by words and vectors of ${DIMENSIONS} dimensions`,
      byMeaning,
      "the model's own time is left out",
    ),
    row({ what: 'to index them', unit: 's', values: buildMs / 1_000 }),
    row({ what: 'memory that the index keeps', unit: 'MB', values: indexedMb, calmBy: 'always' }),
    row({
      what: 'longest time that other work waited for the indexing',
      unit: 'ms',
      values: longestMs,
      goal: { of: 'worst', atMost: MOST_TURN_MS },
    }),
  ];
}

async function timesOf(
  question: () => string,
  ask: (question: string) => Promise<unknown>,
): Promise<number[]> {
  const tookMs: number[] = [];
  for (let round = 0; round < QUESTIONS; round += 1) {
    const text = question();
    const askedAt = machineMs();
    await ask(text);
    tookMs.push(machineMs() - askedAt);
  }
  return tookMs;
}

const questionRows = (subject: string, tookMs: number[], note: string): Row[] => [
  row({ what: subject, unit: 'ms', values: tookMs, note }),
  row({
    what: `${subject}, 99th percentile`,
    unit: 'ms',
    values: quantile(tookMs, 0.99),
    goal: { of: 'median', atMost: MOST_MS },
  }),
];

/** A model that answers at once, with noise. */
const noiseModel = {
  space: 'made up',
  externalApiId: null,
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map((text) => {
      let seed = text.length;
      const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31 - 0.5;
      const vector = Float32Array.from({ length: DIMENSIONS }, random);
      const length = Math.hypot(...vector);
      return vector.map((each) => each / length);
    });
  },
};

/** Pseudo-words, with common and rare ones as in a real language; the same in every run. */
function pseudoTexts() {
  let seed = 1;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const syllables = 'bdfgklmnprstvz'.split('').flatMap((b) => 'aeiou'.split('').map((v) => b + v));
  const syllable = () => syllables[Math.floor(random() * syllables.length)]!;
  const word = () => Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join('');
  const words = Array.from({ length: 20_000 }, word);
  const anyWord = () => words[Math.floor(words.length ** random()) - 1]!;
  const sentence = () => `${Array.from({ length: 12 }, anyWord).join(' ')}.`;
  const file = () => {
    let text = '';
    while (text.length < FILE_CHARS) text += `${sentence()}${random() < 0.2 ? '\n\n' : ' '}`;
    return text;
  };
  return { sentence, file };
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Longest blocking of the event loop. */
function watchTurns() {
  let [longestMs, lastTurnAt, isWatching] = [0, machineMs(), true];
  const look = () => {
    longestMs = Math.max(longestMs, machineMs() - lastTurnAt);
    lastTurnAt = machineMs();
    if (isWatching) setImmediate(look);
  };
  look();
  return {
    stop(): number {
      isWatching = false;
      return longestMs;
    },
  };
}
