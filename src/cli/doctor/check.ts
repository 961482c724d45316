export type Check = {
  name: string;
  /** A `warning` matters in some uses only; a `problem` must be solved. */
  state: 'ok' | 'warning' | 'problem';
  /** The finding, in a sentence. */
  says: string;
  /** The fix, in a sentence. */
  fix?: string;
};

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says });
export const warning = (name: string, says: string, fix: string): Check => ({
  name,
  state: 'warning',
  says,
  fix,
});
export const problem = (name: string, says: string, fix: string): Check => ({
  name,
  state: 'problem',
  says,
  fix,
});
