import { PLANS, type Plan } from '../../../accounts/plan.ts';
import { amount, code, table } from './tables.ts';

const plans: [string, Plan][] = Object.entries(PLANS);

const sizeOf = (mib: number): string => (mib < 1024 ? `${mib} MiB` : `${mib / 1024} GiB`);
const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

/** The limits of each plan: one column for each plan, so that the table fits a phone. */
export function planLimits(): string {
  const limits: [string, (plan: Plan) => string][] = [
    ['Sessions at once', (plan) => plan.concurrentSessions?.toString() ?? 'no limit but the slots'],
    ['Minutes per month', (plan) => amount(plan.minutesPerMonth)],
    ['Beyond that', (plan) => (plan.hasOverage ? 'allowed' : 'refused')],
    ['Own avatars', (plan) => amount(plan.ownAvatars)],
    ['Agents', (plan) => amount(plan.agents)],
    ['Knowledge files', (plan) => amount(plan.knowledgeFiles)],
    [
      'Files and avatars in all',
      (plan) => (plan.storedMiB === null ? 'no limit' : sizeOf(plan.storedMiB)),
    ],
    [
      'External APIs',
      (plan) => (plan.features.includes('external_apis') ? amount(plan.externalApis) : 'no'),
    ],
    ['Model tokens of agents per day', (plan) => amount(plan.modelTokensPerDay)],
    ['Characters of agents’ speech per day', (plan) => amount(plan.speechCharactersPerDay)],
    ['Media server rooms', (plan) => yesOrNo(plan.features.includes('mediaserver_rooms'))],
  ];
  return table(
    ['Limit', ...plans.map(([name]) => code(name))],
    limits.map(([name, of]) => [name, ...plans.map(([, plan]) => of(plan))]),
  );
}
