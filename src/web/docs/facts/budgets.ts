import { BUDGETS, UNIT_KEYS, UNITS } from '#protocol/budgets.ts';
import { DEFAULT_LIMITS } from '#protocol/agent-limits.ts';
import { amount, code, meanings, table } from './tables.ts';

export const budgetKinds = (): string => meanings(['Budget', 'Covers'], BUDGETS);

/** The limits of an agent that names none. */
export const defaultLimits = (): string =>
  table(
    ['Unit', 'A call', 'A day', 'The link in a day', 'Counts'],
    UNIT_KEYS.map((unit) => [
      code(UNITS[unit].name),
      amount(DEFAULT_LIMITS.call[unit]),
      amount(DEFAULT_LIMITS.day[unit]),
      amount(DEFAULT_LIMITS.linkDay[unit]),
      UNITS[unit].meaning,
    ]),
  );
