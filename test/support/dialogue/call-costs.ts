/* Calls of managed agents that cost something, as visitors open them and workers report them. */
import { expect } from 'vitest';
import { DEFAULT_LIMITS, type AgentLimits } from '#protocol/agent-limits.ts';
import { spendingPath, type CallAllowance, type CallSpending } from '#protocol/call-brief.ts';
import type { Placement } from '#protocol/placement.ts';
import { placeOf } from '../../../src/records/keys/encrypted-columns.ts';
import type { BuiltApp } from '../api/build-app.ts';
import { encryptorAt } from '../records/encryptor.ts';

type Changes = { [Scope in 'call' | 'day' | 'linkDay']?: Partial<AgentLimits[Scope]> };

/** The default limits with these changes. */
export const limited = ({ call, day, linkDay }: Changes): { limits: AgentLimits } => ({
  limits: {
    ...DEFAULT_LIMITS,
    call: { ...DEFAULT_LIMITS.call, ...call },
    day: { ...DEFAULT_LIMITS.day, ...day },
    linkDay: { ...DEFAULT_LIMITS.linkDay, ...linkDay },
  },
});

/** A call with the placements of its two sessions. */
export type OpenedCall = { id: string; conversation: Placement; face: Placement };

/** Opens a call by the link of the agent. */
export const visit = (
  { app }: Pick<BuiltApp, 'app'>,
  agentId: string,
  remoteAddress = '203.0.113.1',
) =>
  app.server.inject({
    method: 'POST',
    url: `/v1/chat/${agentId}/calls`,
    payload: {},
    remoteAddress,
  });

/** Its workers, which joined `service` first, show the call. */
export async function startCall(
  { agents, workers }: Pick<BuiltApp, 'agents' | 'workers'>,
  id: string,
): Promise<OpenedCall> {
  const conversation = (await agents[0]!.next('assign')).placement;
  const face = (await workers[0]!.next('assign')).placement;
  await agents[0]!.started(conversation);
  await workers[0]!.started(face);
  return { id, conversation, face };
}

type Reporting = { app: BuiltApp['app']; headers: Record<string, string> };

/** The worker with these headers reports what the call has cost in all. */
export async function reportCosts(
  { app, headers }: Reporting,
  callId: string,
  totals: Partial<CallSpending>,
): Promise<CallAllowance> {
  const payload = { modelTokens: 0, speechCharacters: 0, texts: 0, ...totals };
  const url = spendingPath(callId);
  const reply = await app.server.inject({ method: 'PUT', url, headers, payload });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

/** The parts of an answer that a caller reads. */
export const answerOf = (reply: Awaited<ReturnType<typeof visit>>) => ({
  statusCode: reply.statusCode,
  code: reply.json().code,
  retryAfter: Number(reply.headers['retry-after']),
});

export const refusedBudget = (hours: number) => ({
  statusCode: 429,
  code: 'budget_reached',
  retryAfter: hours * 3_600,
});

/** Data of the events about budgets that were written, oldest first. */
export async function budgetEvents({ place }: Pick<BuiltApp, 'place'>) {
  const records = place.open();
  const rows = await records
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'agent.budget_reached')
    .orderBy('id')
    .execute();
  const encryptor = await encryptorAt(place, records);
  await records.destroy();
  return rows
    .map(({ id, payload }) => encryptor.decrypt(payload, placeOf('events', 'payload', id)))
    .map((payload) => (JSON.parse(payload) as { data: Record<string, unknown> }).data);
}
