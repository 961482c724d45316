import { FAULTS, type FaultName } from '../../../errors.ts';
import { code, table } from './tables.ts';

const names = (Object.keys(FAULTS) as FaultName[]).toSorted(
  (a, b) => FAULTS[a].status - FAULTS[b].status,
);

/** Each with an address, to which the answers of the API lead. */
export const faults = (): string =>
  table(
    ['Status', 'Code', 'Meaning'],
    names.map((name) => {
      const { status, detail, advice } = FAULTS[name];
      return [code(String(status)), `{#${name}}${code(name)}`, `${detail} ${advice}`];
    }),
  );

export const faultAdvice = (): string =>
  table(
    ['Status', 'Message', 'What to do'],
    names.map((name) => {
      const { status, detail, advice } = FAULTS[name];
      return [code(String(status)), detail, advice];
    }),
  );
