import type { IndexTurns } from '../../../src/knowledge/passages.ts';

/** For a knowledge of one account: all work begins at once. */
export const noTurns: IndexTurns = {
  build: (_accountId, _bytes, build) => build(),
  fill: (_accountId, step) => step(),
};
