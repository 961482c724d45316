/*
 * Finds passages of knowledge files in a process of its own: what accounts upload is neither
 * indexed nor searched on the event loop of the control plane. The process starts with the first
 * question. If it exceeds its memory, or does not answer, it is killed; the accounts whose files
 * were being indexed rest for a minute, and the next question starts another one.
 *
 * Closed by the app before the records.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { DECODER_FLAGS } from '#shared/process/decoder-process.ts';
import { Fault } from '../../errors.ts';
import type { KnowledgeFileRecords } from '../../records/knowledge/knowledge-files.ts';
import type { PassageVectorRecords } from '../../records/knowledge/passage-vectors.ts';
import { stopping } from '../../work/fair-turns.ts';
import { Places } from '../../work/places.ts';
import { ProcessCalls } from '../../work/process-calls.ts';
import type { Passage } from '../chunks.ts';
import type { EmbeddingEndpoint } from '../embedder.ts';
import { recordVerbs, spaceNameOf } from './record-verbs.ts';
import {
  OUT_OF_MEMORY,
  type KnowledgeOf,
  type SearchLimits,
  type SearchVerbs,
} from './search-messages.ts';

type KnowledgeSearchParts = {
  files: Pick<KnowledgeFileRecords, 'available' | 'find' | 'textOf' | 'piece'>;
  vectors: PassageVectorRecords;
  /** Real time: it supervises a process. */
  clock: Clock;
  log: Log;
};

/** `deploy/helm/README.md` adds up what a control plane and its children take. */
export const SEARCH_LIMITS: SearchLimits = {
  maxPassages: 30_000,
  maxKept: 40_000,
  maxVectorBytes: 64 * 1024 ** 2,
  buildMs: 60_000,
  memoryMiB: 288,
};
/** Share of the heap; the rest is for vectors, postings and code. */
const HEAP_SHARE = 0.75;

/** Questions of one account at a time. */
const PER_ACCOUNT = 8;
const QUESTION_MS = 30_000;
export const PING_EVERY_MS = 5_000;
export const REST_MS = 60_000;
/** Endpoints by which the process may request embeddings. */
const MAX_ENDPOINTS = 1_000;

const MAIN = fileURLToPath(new URL('./search-process.ts', import.meta.url));

type Running = { child: ChildProcess; calls: ProcessCalls<SearchVerbs>; exit: Promise<unknown> };

export class KnowledgeSearch {
  readonly #parts: KnowledgeSearchParts;
  readonly #limits: SearchLimits;
  readonly #places = new Places({
    perAccount: PER_ACCOUNT,
    refusal: `${PER_ACCOUNT} questions to knowledge files of this account are being answered.`,
    retryAfterSeconds: 5,
  });
  readonly #endpoints = new Map<string, EmbeddingEndpoint>();
  readonly #stop = new AbortController();
  /** When accounts may use the process again. */
  readonly #resting = new Map<string, number>();
  #building: string[] = [];
  #running: Running | null = null;
  #exited: Promise<unknown> = Promise.resolve();

  constructor(parts: KnowledgeSearchParts, limits: SearchLimits = SEARCH_LIMITS) {
    this.#parts = parts;
    this.#limits = limits;
  }

  /**
   * `endpoint` null: word search only. `signal`: the answer is no longer wanted. Throws
   * `at_capacity` while the files cannot be searched.
   */
  find(
    of: KnowledgeOf,
    question: string,
    endpoint: EmbeddingEndpoint | null,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    return this.#places.hold(of.accountId, async () => {
      const model = this.#keep(endpoint);
      const late = new AbortController();
      const cancel = this.#parts.clock.after(QUESTION_MS, () => late.abort(away()));
      const end = AbortSignal.any([late.signal, signal]);
      try {
        return await this.#callsFor(of.accountId).call('find', { of, question, model }, end);
      } finally {
        cancel();
      }
    });
  }

  /** Builds the index in the background, before the first question. */
  prepare(of: KnowledgeOf, endpoint: EmbeddingEndpoint | null): void {
    const { accountId } = of;
    const request = async () => {
      const model = this.#keep(endpoint);
      await this.#callsFor(accountId).call('prepare', { of, model });
    };
    request().catch((err: unknown) =>
      this.#parts.log.warn({ accountId, err }, 'knowledge not indexed'),
    );
  }

  async close(): Promise<void> {
    this.#stop.abort(stopping());
    this.#running?.child.kill('SIGKILL');
    await this.#exited;
  }

  /** For tests and logs; null: it does not run. */
  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  #callsFor(accountId: string): ProcessCalls<SearchVerbs> {
    if (this.#stop.signal.aborted) throw stopping();
    const restsUntil = this.#resting.get(accountId);
    if (restsUntil !== undefined && this.#parts.clock.elapsed() < restsUntil) throw away();
    this.#resting.delete(accountId);
    this.#running ??= this.#start();
    return this.#running.calls;
  }

  /** Kept for requests of the process, which has no keys. */
  #keep(endpoint: EmbeddingEndpoint | null) {
    if (!endpoint) return null;
    const name = spaceNameOf(endpoint);
    this.#endpoints.delete(name);
    this.#endpoints.set(name, endpoint);
    const [oldest] = this.#endpoints.keys();
    if (this.#endpoints.size > MAX_ENDPOINTS) this.#endpoints.delete(oldest!);
    const { space, externalApiId } = endpoint;
    return { space, externalApiId };
  }

  #start(): Running {
    const { memoryMiB } = this.#limits;
    const child = fork(MAIN, [JSON.stringify(this.#limits)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: [
        ...DECODER_FLAGS,
        '--max-semi-space-size=4',
        `--max-old-space-size=${Math.round(memoryMiB * HEAP_SHARE)}`,
      ],
      env: {},
    });
    const calls = new ProcessCalls<SearchVerbs>(
      child,
      recordVerbs({
        ...this.#parts,
        endpointOf: (model) => this.#endpoints.get(spaceNameOf(model)) ?? null,
        onBuilding: (accountIds) => (this.#building = accountIds),
      }),
    );
    const unwatch = watch(child, calls, this.#parts.clock);
    const exit = new Promise<void>((resolve) => {
      const end = async (reason: string) => {
        unwatch();
        if (this.#running === running) this.#ended(reason);
        await calls.end(this.#stop.signal.aborted ? stopping() : away());
        resolve();
      };
      child.once('error', (error) => void end(error.message));
      child.once('exit', (code, signal) => void end(reasonOf(code, signal)));
    });
    const running = { child, calls, exit };
    this.#exited = Promise.all([this.#exited, exit]);
    return running;
  }

  #ended(reason: string): void {
    this.#running = null;
    const accountIds = this.#building.splice(0);
    if (this.#stop.signal.aborted) return;
    const until = this.#parts.clock.elapsed() + REST_MS;
    for (const accountId of accountIds) this.#resting.set(accountId, until);
    this.#parts.log.error(
      { reason, accountIds },
      'knowledge search ended; its indexes are built again. Give the named accounts fewer or smaller knowledge files',
    );
  }
}

/** Kills a process that does not answer. Returns what stops the watch. */
function watch(
  child: ChildProcess,
  calls: ProcessCalls<SearchVerbs>,
  clock: Pick<Clock, 'every'>,
): () => void {
  let isAnswered = true;
  return clock.every(PING_EVERY_MS, () => {
    if (!isAnswered) return void child.kill('SIGKILL');
    isAnswered = false;
    calls.call('ping', null).then(
      () => (isAnswered = true),
      () => {},
    );
  });
}

function reasonOf(code: number | null, signal: string | null): string {
  if (code === OUT_OF_MEMORY || signal === 'SIGABRT') return 'out of memory';
  return signal === 'SIGKILL' ? 'killed' : `exit ${code ?? signal}`;
}

const away = (): Fault =>
  new Fault('at_capacity', {
    detail: 'The knowledge files cannot be searched now. Please try again shortly.',
    retryAfterSeconds: 10,
  });
