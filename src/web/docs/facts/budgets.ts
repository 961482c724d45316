import { BUDGETS, UNIT_KEYS, UNITS } from '#protocol/budgets.ts';
import { DEFAULT_LIMITS } from '#protocol/agent-limits.ts';
import { amount, code, meanings, table } from './tables.ts';

export const budgetKinds = (): string => meanings(['Budget', 'Covers'], BUDGETS);

export const budgetUnits = (): string =>
  meanings(
    ['Unit', 'Counts'],
    Object.fromEntries(UNIT_KEYS.map((unit) => [UNITS[unit].name, UNITS[unit].meaning])),
  );

/** The limits of an agent that names none. */
export const defaultLimits = (): string =>
  table(
    ['Default', ...UNIT_KEYS.map((unit) => UNITS[unit].name.replaceAll('_', ' '))],
    Object.entries({
      call: DEFAULT_LIMITS.call,
      day: DEFAULT_LIMITS.day,
      link_day: DEFAULT_LIMITS.linkDay,
    }).map(([budget, amounts]) => [
      code(budget),
      ...UNIT_KEYS.map((unit) => amount(amounts[unit])),
    ]),
  );
