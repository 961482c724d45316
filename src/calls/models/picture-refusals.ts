/*
 * Ollama says which of its models see. Others are taken to see until one refuses a picture in a
 * call, which is known until this control plane stops.
 */
import type { Agent } from '../../records/agents/agents.ts';

/** The oldest are forgotten, and refuse again. */
const MAX_MODELS = 10_000;

type AgentLlm = Agent['llm'];

export class PictureRefusals {
  readonly #models = new Set<string>();

  /** `llm`: of the agent; null: it uses the default model. */
  add(llm: AgentLlm, model: string): void {
    this.#models.add(keyOf(llm, model));
    const [oldest] = this.#models;
    if (this.#models.size > MAX_MODELS && oldest !== undefined) this.#models.delete(oldest);
  }

  has(llm: AgentLlm, model: string): boolean {
    return this.#models.has(keyOf(llm, model));
  }
}

const keyOf = (llm: AgentLlm, model: string): string =>
  JSON.stringify([llm?.type === 'openai_compatible' ? llm.apiId : null, model]);

export const wantsToSee = ({ capabilities }: Pick<Agent, 'capabilities'>): boolean =>
  capabilities.some(({ type }) => type === 'webcam_vision');
