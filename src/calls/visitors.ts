/*
 * Limits how many calls visitors of room pages have at the same time. Without it one of them could
 * take all sessions of an agent's owner. Addresses are stored as keyed hashes: until the call ends,
 * and for two days to count its costs (`budgets/`).
 */
import { createHmac } from 'node:crypto';
import { Fault } from '../errors.ts';
import type { CallRecords } from '../records/calls/calls.ts';
import type { Transaction } from '../records/engine/database.ts';

export type VisitorLimits = { callsPerAddress: number; callsPerAgent: number };

export interface Visitors {
  /** The form in which an address is stored. */
  hash(address: string): string;
  /** Throws `concurrency_limit` if the address or the agent has as many calls as it may have. */
  check(call: { agentId: string; openedFrom: string }, trx?: Transaction): Promise<void>;
}

export const visitors = (
  calls: Pick<CallRecords, 'countOfVisitors'>,
  { callsPerAddress, callsPerAgent }: VisitorLimits,
  secret: Buffer,
): Visitors => ({
  hash: (address) =>
    createHmac('sha256', secret).update(`visitor ${address}`).digest('base64url').slice(0, 22),

  async check({ agentId, openedFrom }, trx) {
    if ((await calls.countOfVisitors({ openedFrom }, trx)) >= callsPerAddress) {
      const detail = `At most ${callsPerAddress} calls may be open from one address at the same time. End one of them first.`;
      throw new Fault('concurrency_limit', { detail });
    }
    if ((await calls.countOfVisitors({ agentId }, trx)) >= callsPerAgent) {
      const detail = `At most ${callsPerAgent} visitors may call one agent at the same time. Please try again later.`;
      throw new Fault('concurrency_limit', { detail });
    }
  },
});
