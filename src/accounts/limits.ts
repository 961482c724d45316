/* What an account's plan allows, asked before anything is done for it. What it has used is in `usage.ts`. */
import { Fault, type FaultName } from '../errors.ts';
import type { Account } from './account.ts';
import { PLANS, type Feature, type Plan } from './plan.ts';

/** A feature of another plan is 403; what only other types of account have at all is 501. */
const missing: Record<Feature, FaultName> = {
  mediaserver_rooms: 'not_in_plan',
  external_apis: 'not_available',
};

export const planOf = ({ plan }: Pick<Account, 'plan'>): Plan => PLANS[plan];

export function requireFeature(account: Pick<Account, 'plan'>, feature: Feature): void {
  if (!planOf(account).features.includes(feature)) throw new Fault(missing[feature]);
}

/** How many sessions may be live at once; null: any number. */
export const maxLive = (account: Pick<Account, 'plan'>): number | null =>
  planOf(account).concurrentSessions;

/** How many avatars of its own it may have; null: any number. */
export const maxAvatars = (account: Pick<Account, 'plan'>): number | null =>
  planOf(account).ownAvatars;
