/* Limits by an account's plan. Its usage is in `usage.ts`. */
import { Fault, type FaultName } from '../errors.ts';
import type { StorageLimits } from '../records/engine/account-limits.ts';
import type { Account } from './account.ts';
import { PLANS, type Feature, type Plan } from './plan.ts';

/** 403 for a feature of a higher plan, 501 for one unavailable to this type of account. */
const missing: Record<Feature, FaultName> = {
  mediaserver_rooms: 'not_in_plan',
  external_apis: 'not_available',
};

export const planOf = ({ plan }: Pick<Account, 'plan'>): Plan => PLANS[plan];

export function requireFeature(account: Pick<Account, 'plan'>, feature: Feature): void {
  if (!planOf(account).features.includes(feature)) throw new Fault(missing[feature]);
}

/** Live sessions allowed at once; null: unlimited. */
export const maxLive = (account: Pick<Account, 'plan'>): number | null =>
  planOf(account).concurrentSessions;

const MIB = 1024 ** 2;

/** Storage limits of the account's plan. */
export function storageOf(account: Pick<Account, 'plan'>): StorageLimits {
  const { ownAvatars, storedMiB, ...counts } = planOf(account);
  const { agents, externalApis, knowledgeFiles } = counts;
  const bytes = storedMiB === null ? null : storedMiB * MIB;
  return { bytes, avatars: ownAvatars, agents, externalApis, knowledgeFiles };
}
