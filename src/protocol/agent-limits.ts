import type { Amounts } from './budgets.ts';

/** The most that calls of an agent may cost. Days are UTC. */
export type AgentLimits = {
  call: Amounts;
  day: Amounts;
  /** Calls that visitors open by the agent's link, in a day. */
  linkDay: Amounts;
  /** Typed by one visitor. */
  textsPerTenMinutes: number;
};

/**
 * Far above what people use, and low enough that a stranger with the link costs little. A call of
 * half an hour with three questions a minute takes some 300,000 tokens.
 */
export const DEFAULT_LIMITS: AgentLimits = {
  call: { modelTokens: 500_000, speechCharacters: 100_000, seconds: 5_400 },
  day: { modelTokens: 10_000_000, speechCharacters: 2_000_000, seconds: 360_000 },
  linkDay: { modelTokens: 2_000_000, speechCharacters: 500_000, seconds: 72_000 },
  textsPerTenMinutes: 60,
};
