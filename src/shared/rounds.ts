/*
 * Work that runs one round at a time. Requests during a round are served by one more round.
 *
 * idle       no round runs
 * running    a round runs
 * requested  a round runs, and another one follows
 */
export type Rounds = 'idle' | 'running' | 'requested';

/** Start a round if the state was `idle`. */
export const requestRound = (rounds: Rounds): Rounds =>
  rounds === 'idle' ? 'running' : 'requested';

/** Run another round unless the state is `idle`. */
export const endRound = (rounds: Rounds): Rounds => (rounds === 'requested' ? 'running' : 'idle');
