/*
 * Evaluates ended calls by their agent's model, or by rules, and then adds `call.ended`. The end of
 * a call marks it for evaluation, and the transaction that stores the evaluation adds the event and
 * clears the mark. After a crash the next start or another control plane evaluates it, and the
 * event is added once.
 *
 * Closed by the app before the records.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { callEnded } from '../../events/events.ts';
import type { CallMessageRecords } from '../../records/calls/call-messages.ts';
import type { CallRecords } from '../../records/calls/calls.ts';
import type { Outbox } from '../../records/webhooks/outbox.ts';
import type { CallBudgets } from '../budgets/call-budgets.ts';
import { evaluationOf } from './evaluation.ts';
import type { TranscriptEvaluator } from './transcript-evaluator.ts';
import type { SessionEvents } from '../../sessions/session-events.ts';

/** The last lines may arrive after the end of the call. */
const SETTLE_MS = 2_000;
/**
 * Interval of the search for missed calls, and head start of the control plane that owned the call.
 */
const SWEEP_MS = 60_000;
/** Each evaluation has its whole transcript in memory. */
const AT_ONCE = 8;

type CallEvaluatorParts = {
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  calls: Pick<CallRecords, 'findAny' | 'toEvaluate' | 'keepEvaluation'>;
  messages: Pick<CallMessageRecords, 'list'>;
  /** Counts what an ended call has cost. */
  budgets: Pick<CallBudgets, 'settle'>;
  transcripts: Pick<TranscriptEvaluator, 'evaluate' | 'close'>;
  outbox: Pick<Outbox, 'add'>;
  clock: Clock;
  log: Log;
};

export class CallEvaluator {
  readonly #parts: CallEvaluatorParts;
  /** By call id. */
  readonly #running = new Map<string, Promise<void>>();
  /** Ids of calls that wait for a running evaluation. */
  readonly #waiting = new Set<string>();
  /** Cancels the timer of a call, or of the next sweep, by name. */
  readonly #timers = new Map<string, () => void>();
  readonly #stop = new AbortController();

  constructor(parts: CallEvaluatorParts) {
    this.#parts = parts;
    parts.events.on('session.ended', ({ session: { kind, callId } }) => {
      if (kind === 'avatar' && callId !== null)
        this.#after(SETTLE_MS, callId, () => this.#begin(callId));
    });
  }

  /** Evaluates calls left by an earlier process, then sweeps periodically. */
  start(): void {
    this.#inBackground(this.#sweep(0));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    await this.#parts.transcripts.close();
    await Promise.allSettled(this.#running.values());
  }

  async #sweep(minAgeMs: number): Promise<void> {
    const { calls, clock } = this.#parts;
    this.#after(SWEEP_MS, 'sweep', () => this.#inBackground(this.#sweep(SWEEP_MS)));
    for (const id of await calls.toEvaluate(clock.now() - minAgeMs)) this.#begin(id);
  }

  #begin(callId: string): void {
    if (this.#stop.signal.aborted || this.#running.has(callId)) return;
    if (this.#running.size >= AT_ONCE) return void this.#waiting.add(callId);
    const running = this.#evaluate(callId)
      .catch((err: unknown) => this.#parts.log.error({ callId, err }, 'call not evaluated'))
      .finally(() => this.#finish(callId));
    this.#running.set(callId, running);
  }

  #finish(callId: string): void {
    this.#running.delete(callId);
    const [nextCallId] = this.#waiting;
    if (nextCallId === undefined) return;
    this.#waiting.delete(nextCallId);
    this.#begin(nextCallId);
  }

  async #evaluate(callId: string): Promise<void> {
    const { calls, messages, budgets, transcripts, outbox } = this.#parts;
    const call = await calls.findAny(callId);
    if (!call) return;
    const { signal } = this.#stop;
    const lines = await messages.list(callId);
    await budgets.settle(call, lines);
    const result = await transcripts.evaluate(call, lines, signal);
    if (signal.aborted) return;
    // Read again to include messages that arrived meanwhile.
    const allMessages = await messages.list(callId);
    const evaluation = evaluationOf(call, allMessages, result);
    await calls.keepEvaluation(callId, evaluation, (trx, ended) =>
      outbox.add(trx, callEnded(ended, allMessages, evaluation, ended.endedAt ?? ended.createdAt)),
    );
  }

  #after(ms: number, name: string, run: () => void): void {
    if (this.#stop.signal.aborted) return;
    this.#timers.get(name)?.();
    const cancel = this.#parts.clock.after(ms, () => {
      this.#timers.delete(name);
      run();
    });
    this.#timers.set(name, cancel);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((err: unknown) =>
      this.#parts.log.error({ err }, 'search for calls to evaluate failed'),
    );
  }
}
