import type { Kit } from './kit.ts';

export type Finding = {
  /** Empty: the worker conforms. */
  problems: string[];
  /** Figures for the table. */
  facts: string;
};

/** One requirement of the protocol. `what` says which, where it is not met. */
export type Check = {
  name: string;
  what: string;
  run(kit: Kit): Promise<Finding>;
};
