/*
 * Calls that are over are evaluated, and only then told of: by their agent's model where it has one, else by rules. That it is to be done is
 * written with a call's end, and taken back in the transaction that keeps the evaluation and tells of it: a control plane that dies in
 * between leaves it to the next start or to another one, and however many try, one tells.
 *
 * Closed by the app before the records.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { PostOutgoing } from '../../egress/outgoing-post.ts';
import { callEnded } from '../../events/events.ts';
import type { AgentRecords } from '../../records/agents.ts';
import type { CallMessage, CallMessageRecords } from '../../records/call-messages.ts';
import type { CallRecord, CallRecords } from '../../records/calls.ts';
import type { Outbox } from '../../records/outbox.ts';
import { agentOfCall } from '../call-agent.ts';
import { evaluationOf, evaluateByRules, type Evaluation } from './evaluation.ts';
import { evaluateByModel } from './model-evaluation.ts';
import type { ModelsOf } from '../models/models.ts';
import type { SessionEvents } from '../../sessions/session-events.ts';

/** What was said last may still be on its way. */
const SETTLE_MS = 2_000;
/** How often calls are looked for that nobody has evaluated, and how long a call's own control plane has for it first. */
const SWEEP_MS = 60_000;

export type CallEvaluatorParts = {
  /** Of the sessions that live here. */
  events: SessionEvents;
  calls: Pick<CallRecords, 'findAny' | 'toEvaluate' | 'keepEvaluation'>;
  messages: Pick<CallMessageRecords, 'list'>;
  agents: Pick<AgentRecords, 'find'>;
  modelsOf: ModelsOf;
  /** To an owner's address, which is checked, and to that which the service is set up with. */
  post: { own: PostOutgoing; service: PostOutgoing };
  outbox: Pick<Outbox, 'tell'>;
  clock: Clock;
  log: Log;
};

export class CallEvaluator {
  readonly #parts: CallEvaluatorParts;
  /** By call. */
  readonly #running = new Map<string, Promise<void>>();
  /** Each cancels the wait for one call, or for the next look. */
  readonly #waits = new Map<string, () => void>();
  readonly #stop = new AbortController();

  constructor(parts: CallEvaluatorParts) {
    this.#parts = parts;
    parts.events.on('session.ended', ({ session: { kind, callId } }) => {
      if (kind === 'avatar' && callId !== null)
        this.#after(SETTLE_MS, callId, () => this.#begin(callId));
    });
  }

  /** Takes up what was left. */
  start(): void {
    this.#inBackground(this.#sweep(0));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const cancel of this.#waits.values()) cancel();
    this.#waits.clear();
    await Promise.allSettled(this.#running.values());
  }

  async #sweep(leastAgeMs: number): Promise<void> {
    const { calls, clock } = this.#parts;
    this.#after(SWEEP_MS, 'sweep', () => this.#inBackground(this.#sweep(SWEEP_MS)));
    for (const id of await calls.toEvaluate(clock.now() - leastAgeMs)) this.#begin(id);
  }

  #begin(callId: string): void {
    if (this.#stop.signal.aborted || this.#running.has(callId)) return;
    const running = this.#evaluate(callId)
      .catch((err: unknown) => this.#parts.log.error({ callId, err }, 'call not evaluated'))
      .finally(() => this.#running.delete(callId));
    this.#running.set(callId, running);
  }

  async #evaluate(callId: string): Promise<void> {
    const { calls, messages, outbox } = this.#parts;
    const call = await calls.findAny(callId);
    if (!call) return;
    const judgement = await this.#judge(call, await messages.list(callId));
    if (this.#stop.signal.aborted) return;
    // Read again: what came meanwhile is told too.
    const said = await messages.list(callId);
    const evaluation = evaluationOf(call, said, judgement);
    await calls.keepEvaluation(callId, evaluation, (trx, ended) =>
      outbox.tell(trx, callEnded(ended, said, evaluation, ended.endedAt ?? ended.createdAt)),
    );
  }

  async #judge(call: CallRecord, messages: CallMessage[]): Promise<Evaluation> {
    const byRules = evaluateByRules(messages);
    // Nobody has said anything that a model could judge.
    if (!messages.some(({ sender }) => sender === 'user')) return byRules;
    const { agents, modelsOf, post, clock, log } = this.#parts;
    const agent = await agentOfCall(call, agents);
    const llm = agent && (await modelsOf(agent)).llm;
    if (!llm) return byRules;
    const isOwn = agent.llm?.type === 'openai_compatible';
    const asked = stoppable(isOwn ? post.own : post.service, this.#stop.signal);
    return (await evaluateByModel({ post: asked, clock, log }, llm, messages)) ?? byRules;
  }

  #after(ms: number, name: string, run: () => void): void {
    if (this.#stop.signal.aborted) return;
    this.#waits.get(name)?.();
    const cancel = this.#parts.clock.after(ms, () => {
      this.#waits.delete(name);
      run();
    });
    this.#waits.set(name, cancel);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((err: unknown) => this.#parts.log.error({ err }, 'calls to evaluate not found'));
  }
}

/** A service that stops does not wait for a model. */
const stoppable =
  (post: PostOutgoing, stop: AbortSignal): PostOutgoing =>
  (request) =>
    post({ ...request, signal: AbortSignal.any([request.signal, stop]) });
