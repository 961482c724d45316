/*
 * Counts what calls cost, and says when a budget is used up. Agent workers report totals of a call,
 * so that a repeated report changes nothing; the growth counts against every budget of the call in
 * one transaction. `settle` counts what a worker did not report.
 *
 * Workers ask before the money is spent, but do not wait: calls that run at the same time may go
 * over a shared budget by one answer each.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { UNITS, type Unit } from '#protocol/budgets.ts';
import type { CallAllowance, CallBudget, CallSpending } from '#protocol/call-brief.ts';
import { toAccount } from '../../accounts/account.ts';
import { planOf } from '../../accounts/limits.ts';
import { Fault } from '../../errors.ts';
import { budgetReached } from '../../events/events.ts';
import type { AccountRecords } from '../../records/accounts/accounts.ts';
import type { AgentRecords } from '../../records/agents/agents.ts';
import type { CallRecord } from '../../records/calls/calls.ts';
import type { CallMessage } from '../../records/calls/call-messages.ts';
import {
  growth,
  NOTHING_SPENT,
  type SpendingRecords,
  type Spent,
} from '../../records/calls/spending.ts';
import type { Transaction } from '../../records/engine/database.ts';
import type { Outbox } from '../../records/webhooks/outbox.ts';
import { agentOfCall, type CallAgent } from '../call-agent.ts';
import type { CallEvents } from '../call-events.ts';
import { estimateSpending } from './estimate-spending.ts';
import {
  callKey,
  leftOf,
  limitsOf,
  newlyUsedUp,
  scopesOf,
  textsKey,
  TEXTS_MS,
  usedUp,
  type Payer,
  type OuterLimits,
  type Scope,
} from './scopes.ts';

const PURGE_EVERY_MS = 3_600_000;
/** Longer than a call and its evaluation last, and than a day. */
const KEEP_MS = 2 * 86_400_000;
export type AddressLimits = OuterLimits['address'];

type CallBudgetsParts = {
  records: {
    spending: SpendingRecords;
    accounts: Pick<AccountRecords, 'find'>;
    agents: Pick<AgentRecords, 'find'>;
  };
  outbox: Pick<Outbox, 'add'>;
  callEvents: CallEvents;
  /** Limits of the visitors of one address in a day. */
  addressLimits: AddressLimits;
  /** Whether agents without a model of their own have one. */
  hasServiceModel: () => boolean;
  clock: Pick<Clock, 'now' | 'every'>;
  log: Log;
};

type Opening = Omit<Payer, 'callId'> & { agent: Pick<CallAgent, 'limits'> };

export class CallBudgets {
  readonly #parts: CallBudgetsParts;
  #stop: () => void = () => {};
  #purging: Promise<void> | null = null;

  constructor(parts: CallBudgetsParts) {
    this.#parts = parts;
  }

  /** Throws `budget_reached` if no call may be opened today. */
  async check({ agent, ...opening }: Opening): Promise<void> {
    const {
      records: { spending },
      clock,
    } = this.#parts;
    const scopes = await this.#scopesOf({ ...opening, callId: null }, agent);
    const spent = await spending.find(scopes.map(({ key }) => key));
    const scope = scopes.find((each, at) => usedUp(each, spent[at]!).length > 0);
    if (!scope) return;
    const waitMs = (scope.resetsAt ?? clock.now()) - clock.now();
    throw new Fault('budget_reached', { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
  }

  /** Begins to count a call, in the transaction that opens it. */
  async open(
    trx: Transaction,
    { id, openedFrom, createdAt }: Pick<CallRecord, 'id' | 'openedFrom' | 'createdAt'>,
  ): Promise<void> {
    const { name } = callKey(id);
    const row = { name, visitor: openedFrom, expiresAt: createdAt + KEEP_MS };
    await this.#parts.records.spending.open(trx, row);
  }

  /** For the worker that begins or continues the conversation. */
  async budgetOf(call: CallRecord, agent: CallAgent): Promise<CallBudget> {
    const {
      records: { spending },
      clock,
    } = this.#parts;
    const payer = await this.#payerOf(call);
    const scopes = await this.#scopesOf(payer, agent);
    const [visitorTexts] = textKeys(payer, clock.now());
    const keys = [...scopes.map(({ key }) => key), ...(visitorTexts ? [visitorTexts] : [])];
    const spent = await spending.find(keys);
    const texts = visitorTexts && spent.at(-1)?.texts;
    const { textsPerTenMinutes } = limitsOf(agent);
    const { modelTokens, speechCharacters, texts: callTexts } = spent[0] ?? NOTHING_SPENT;
    return {
      spent: { modelTokens, speechCharacters, texts: callTexts },
      left: allowanceOf(leftOf(scopes, spent), texts, textsPerTenMinutes),
      textsPerTenMinutes,
    };
  }

  /** Counts what the worker has spent in all, and the length of the call so far. */
  async report(
    call: CallRecord,
    agent: CallAgent,
    totals: CallSpending & { seconds: number },
  ): Promise<CallAllowance> {
    const payer = await this.#payerOf(call);
    return this.#charge(call, payer, agent, (spent) => growth(spent, totals));
  }

  /** Counts the length of an ended call, and estimates the rest if no worker reported it. */
  async settle(call: CallRecord, messages: readonly CallMessage[]): Promise<void> {
    const agent = await agentOfCall(call, this.#parts.records.agents);
    if (!agent) return;
    const payer = await this.#payerOf(call);
    const { startedAt, endedAt } = call;
    const seconds = startedAt === null || endedAt === null ? 0 : secondsBetween(startedAt, endedAt);
    const hasModel = agent.llm?.type === 'openai_compatible' || this.#parts.hasServiceModel();
    const prompt = hasModel ? (agent.systemPrompt ?? '') : null;
    const estimated = { ...estimateSpending(prompt, messages), seconds };
    await this.#charge(call, payer, agent, (spent) => {
      const isReported = spent.modelTokens + spent.speechCharacters > 0;
      return growth(spent, isReported ? { ...spent, seconds } : estimated);
    });
  }

  /**
   * Counts tokens besides the conversation, before they are spent. False: nothing is left, and
   * nothing is counted.
   */
  async spend(call: CallRecord, agent: CallAgent, modelTokens: number): Promise<boolean> {
    const { spending } = this.#parts.records;
    const payer = await this.#payerOf(call);
    const scopes = await this.#scopesOf(payer, agent);
    const spent = await spending.find(scopes.map(({ key }) => key));
    if (leftOf(scopes, spent).modelTokens <= 0) return false;
    await this.#charge(call, payer, agent, () => ({ ...NOTHING_SPENT, modelTokens }));
    return true;
  }

  /** Deletes old rows every hour. */
  start(): void {
    const { clock } = this.#parts;
    this.#stop = clock.every(PURGE_EVERY_MS, () => void (this.#purging ??= this.#purge()));
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#purging;
  }

  async #purge(): Promise<void> {
    const {
      records: { spending },
      clock,
      log,
    } = this.#parts;
    try {
      await spending.purge(clock.now());
    } catch (err) {
      log.error({ err }, 'old spending not deleted');
    }
    this.#purging = null;
  }

  async #charge(
    call: CallRecord,
    payer: Payer,
    agent: CallAgent,
    additionTo: (spent: Spent) => Spent,
  ): Promise<CallAllowance> {
    const {
      records: { spending },
      outbox,
      callEvents,
      clock,
    } = this.#parts;
    const now = clock.now();
    const scopes = await this.#scopesOf(payer, agent);
    const expiresAt = now + KEEP_MS;
    const { textsPerTenMinutes } = limitsOf(agent);
    const charge = await spending.transact(async (trx) => {
      const key = callKey(call.id);
      const addition = additionTo(await spending.add(trx, key, NOTHING_SPENT, expiresAt));
      const spent: Spent[] = [];
      for (const scope of scopes)
        spent.push(await spending.add(trx, scope.key, addition, expiresAt));
      let texts: number | undefined;
      for (const textsOf of textKeys(payer, now))
        texts = (
          await spending.add(
            trx,
            textsOf,
            { ...NOTHING_SPENT, texts: addition.texts },
            now + TEXTS_MS,
          )
        ).texts;
      const usedUpUnits = scopes.flatMap((scope, at) =>
        newlyUsedUp(scope, spent[at]!, addition).map((unit) => ({ scope, unit })),
      );
      for (const each of usedUpUnits) await outbox.add(trx, eventOf(call, each, now));
      return { addition, spent, texts, usedUpUnits };
    });
    callEvents.emit('call.charged', charge.addition);
    for (const { scope, unit } of charge.usedUpUnits)
      callEvents.emit('budget.reached', { budget: scope.budget, unit });
    return allowanceOf(leftOf(scopes, charge.spent), charge.texts, textsPerTenMinutes);
  }

  async #payerOf({ id, agentId, accountId, openedFrom }: CallRecord): Promise<Payer> {
    const { spending } = this.#parts.records;
    // An older control plane opened the call without a row.
    const visitor = (await spending.visitorOf(callKey(id).name)) ?? openedFrom;
    return { callId: id, agentId, accountId, visitor };
  }

  async #scopesOf(payer: Payer, agent: Pick<CallAgent, 'limits'>): Promise<Scope[]> {
    const { records, addressLimits, clock } = this.#parts;
    const account = await records.accounts.find(payer.accountId);
    const plan = account ? planOf(toAccount(account)) : null;
    const { modelTokensPerDay = null, speechCharactersPerDay = null } = plan ?? {};
    const accountLimits = {
      ...(modelTokensPerDay !== null && { modelTokens: modelTokensPerDay }),
      ...(speechCharactersPerDay !== null && { speechCharacters: speechCharactersPerDay }),
    };
    const outer = { account: accountLimits, address: addressLimits };
    return scopesOf(payer, agent, outer, clock.now());
  }
}

const secondsBetween = (from: number, to: number): number =>
  Math.max(0, Math.ceil((to - from) / 1_000));

const textKeys = ({ visitor, agentId }: Payer, now: number) =>
  visitor === null ? [] : [textsKey(visitor, agentId, now)];

/** JSON has no Infinity: what is not limited is absent. */
function allowanceOf(
  left: ReturnType<typeof leftOf>,
  texts: number | undefined,
  textsPerTenMinutes: number,
): CallAllowance {
  const limited = Object.entries(left).filter(([, amount]) => Number.isFinite(amount));
  return {
    ...Object.fromEntries(limited),
    ...(texts !== undefined && { texts: textsPerTenMinutes - texts }),
  };
}

const eventOf = (
  { id: callId, accountId, agentId }: CallRecord,
  { scope, unit }: { scope: Scope; unit: Unit },
  at: number,
) =>
  budgetReached(
    {
      accountId,
      agentId,
      callId,
      budget: scope.budget,
      unit: UNITS[unit].name,
      limit: scope.limits[unit] ?? 0,
      resetsAt: scope.resetsAt,
    },
    at,
  );
