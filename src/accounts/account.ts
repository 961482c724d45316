import type { AccountRecord } from '../records/accounts/accounts.ts';
import { isPlanName, type PlanName } from './plan.ts';

/** An authenticated caller. Owns everything created with its keys. */
export type Account = Pick<AccountRecord, 'id' | 'name' | 'pictureConsent' | 'pool'> & {
  plan: PlanName;
};

export function toAccount({ id, name, plan, pictureConsent, pool }: AccountRecord): Account {
  if (!isPlanName(plan)) throw new Error(`Account ${id} has an unknown plan: ${plan}`);
  return { id, name, plan, pictureConsent, pool };
}
