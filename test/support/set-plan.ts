import type { PlanName } from '../../src/accounts/plan.ts';
import type { Place } from './database.ts';

/** In the records, before a service has looked a key up. */
export async function setPlan(place: Place, plan: PlanName): Promise<void> {
  const records = place.open();
  await records.updateTable('accounts').set({ plan }).execute();
  await records.destroy();
}
