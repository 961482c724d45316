import type { Kit } from './kit.ts';

export type Finding = {
  /** Empty: the worker conforms. */
  problems: string[];
  /** Figures for the table. */
  facts: string;
};

/** One requirement of the protocol. `what` is a sentence for the table and the documentation. */
export type Check = {
  name: string;
  what: string;
  run(kit: Kit): Promise<Finding>;
};
