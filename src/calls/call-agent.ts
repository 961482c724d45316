import type { Agent, AgentRecords } from '../records/agents/agents.ts';
import type { CallRecord } from '../records/calls/calls.ts';

export type CallAgent = Omit<Agent, 'createdAt' | 'isPrivate'>;

/**
 * The agent as it was when the call began. Null if it was deleted and the row is from an older
 * version.
 */
export async function agentOfCall(
  { accountId, agentId, agent }: Pick<CallRecord, 'accountId' | 'agentId' | 'agent'>,
  agents: Pick<AgentRecords, 'find'>,
): Promise<CallAgent | null> {
  return agent ? { ...agent, accountId, id: agentId } : agents.find(accountId, agentId);
}
