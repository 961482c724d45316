import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { RequestOutgoing } from '../../egress/outgoing-request.ts';
import type { AgentRecords } from '../../records/agents/agents.ts';
import type { CallMessage } from '../../records/calls/call-messages.ts';
import type { CallRecord } from '../../records/calls/calls.ts';
import type { CallBudgets } from '../budgets/call-budgets.ts';
import { agentOfCall } from '../call-agent.ts';
import type { ModelsOf } from '../models/models.ts';
import { NO_EVALUATION, type Evaluation } from './evaluation.ts';
import { evaluateByModel } from './model-evaluation.ts';
import type { RulesEvaluator } from './rules-evaluator.ts';

type TranscriptEvaluatorParts = {
  agents: Pick<AgentRecords, 'find'>;
  budgets: Pick<CallBudgets, 'spend'>;
  modelsOf: ModelsOf;
  /** `own` checks the addresses of account owners; `service` posts to configured endpoints. */
  post: { own: RequestOutgoing; service: RequestOutgoing };
  rules: Pick<RulesEvaluator, 'evaluate' | 'close'>;
  clock: Clock;
  log: Log;
};

/** Evaluates the transcript of a call by its agent's model, or by rules. */
export class TranscriptEvaluator {
  readonly #parts: TranscriptEvaluatorParts;

  constructor(parts: TranscriptEvaluatorParts) {
    this.#parts = parts;
  }

  /** `stop`: the service stops, and does not wait for a model. */
  async evaluate(
    call: CallRecord,
    messages: CallMessage[],
    stop: AbortSignal,
  ): Promise<Evaluation> {
    const userTexts = messages
      .filter(({ sender }) => sender === 'user')
      .map(({ message }) => message);
    if (userTexts.length === 0) return NO_EVALUATION;
    const evaluation = await this.#evaluateByModel(call, messages, stop);
    return evaluation ?? this.#evaluateByRules(call, userTexts, stop);
  }

  close(): Promise<void> {
    return this.#parts.rules.close();
  }

  async #evaluateByModel(
    call: CallRecord,
    messages: CallMessage[],
    stop: AbortSignal,
  ): Promise<Evaluation | null> {
    const { agents, budgets, modelsOf, post, clock, log } = this.#parts;
    const agent = await agentOfCall(call, agents);
    const llm = agent && (await modelsOf(agent)).llm;
    if (!llm) return null;
    const isOwn = agent.llm?.type === 'openai_compatible';
    const abortable = withSignal(isOwn ? post.own : post.service, stop);
    const mayAsk = (tokens: number) => budgets.spend(call, agent, tokens);
    return evaluateByModel({ post: abortable, mayAsk, clock, log }, llm, messages);
  }

  async #evaluateByRules(
    { id: callId }: CallRecord,
    userTexts: string[],
    stop: AbortSignal,
  ): Promise<Evaluation> {
    const { rules, log } = this.#parts;
    try {
      return await rules.evaluate(userTexts);
    } catch (err) {
      // The call is reported anyway: a retry would take as long.
      if (!stop.aborted) log.warn({ callId, err }, 'evaluation of a call by rules failed');
      return NO_EVALUATION;
    }
  }
}

const withSignal =
  (post: RequestOutgoing, stop: AbortSignal): RequestOutgoing =>
  (request) =>
    post({ ...request, signal: AbortSignal.any([request.signal, stop]) });
