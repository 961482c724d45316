/* Pure: the budgets that the costs of a call count against, and what they leave. */
import { UNIT_KEYS, type Amounts, type Budget, type Unit } from '#protocol/budgets.ts';
import { DEFAULT_LIMITS } from '#protocol/agent-limits.ts';
import type { AgentSettings } from '../../records/agents/agent-settings.ts';
import type { SpendingKey, Spent } from '../../records/calls/spending.ts';

const DAY_MS = 86_400_000;
export const TEXTS_MS = 600_000;

/** A unit without a limit is absent. */
type Limits = Partial<Amounts>;

export type Scope = {
  budget: Budget;
  key: SpendingKey;
  limits: Limits;
  /** When it begins again; null: never. */
  resetsAt: number | null;
};

export type Payer = {
  /** Null: the call is not open yet. */
  callId: string | null;
  agentId: string;
  accountId: string;
  /** Keyed hash of the visitor's address; null: the call was opened with a key. */
  visitor: string | null;
};

/** Limits that are not the agent's. */
export type OuterLimits = { account: Limits; address: Limits };

/** Absent from what an older version stored. */
export const limitsOf = ({ limits }: Partial<Pick<AgentSettings, 'limits'>>) =>
  limits ?? DEFAULT_LIMITS;

/** In the order in which they are locked. */
export function scopesOf(
  { callId, agentId, accountId, visitor }: Payer,
  agent: Partial<Pick<AgentSettings, 'limits'>>,
  { account, address }: OuterLimits,
  now: number,
): Scope[] {
  const limits = limitsOf(agent);
  const period = now - (now % DAY_MS);
  const today = (budget: Budget, name: string, limits: Limits): Scope => ({
    budget,
    key: { name, period },
    limits,
    resetsAt: period + DAY_MS,
  });
  return [
    ...(callId === null
      ? []
      : [
          {
            budget: 'call' as const,
            key: callKey(callId),
            limits: limits.call,
            resetsAt: null,
          },
        ]),
    today('day', `agent ${agentId}`, limits.day),
    ...(visitor === null ? [] : [today('link_day', `link ${agentId}`, limits.linkDay)]),
    today('account_day', `account ${accountId}`, account),
    ...(visitor === null ? [] : [today('address_day', `address ${visitor}`, address)]),
  ];
}

export const callKey = (callId: string): SpendingKey => ({ name: `call ${callId}`, period: 0 });

/** Typed texts of one visitor of an agent, in a fixed window. */
export const textsKey = (visitor: string, agentId: string, now: number): SpendingKey => ({
  name: `texts ${visitor} ${agentId}`,
  period: now - (now % TEXTS_MS),
});

/** The units of a scope that are used up. */
export const usedUp = ({ limits }: Scope, spent: Spent): Unit[] =>
  UNIT_KEYS.filter((unit) => spent[unit] >= (limits[unit] ?? Infinity));

/** The units that this charge used up: those that were not before it. */
export const newlyUsedUp = (scope: Scope, spent: Spent, addition: Spent): Unit[] =>
  usedUp(scope, spent).filter((unit) => spent[unit] - addition[unit] < scope.limits[unit]!);

/** The least that any scope leaves, in each unit; negative beyond a limit. */
export function leftOf(scopes: readonly Scope[], spent: readonly Spent[]): Amounts {
  const remainder = (unit: Unit) =>
    Math.min(
      ...scopes.map(({ limits }, at) => (limits[unit] ?? Infinity) - (spent[at]?.[unit] ?? 0)),
    );
  return Object.fromEntries(UNIT_KEYS.map((unit) => [unit, remainder(unit)])) as Amounts;
}
