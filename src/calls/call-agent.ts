import type { Agent, AgentRecords } from '../records/agents.ts';
import type { CallRecord } from '../records/calls.ts';

export type CallAgent = Omit<Agent, 'createdAt'>;

/** As it was when the call began, whatever became of it since. Null: it is deleted, and the call from before that was kept. */
export async function agentOfCall(
  { accountId, agentId, agent }: Pick<CallRecord, 'accountId' | 'agentId' | 'agent'>,
  agents: Pick<AgentRecords, 'find'>,
): Promise<CallAgent | null> {
  return agent ? { ...agent, accountId, id: agentId } : agents.find(accountId, agentId);
}
