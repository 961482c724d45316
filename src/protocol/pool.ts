/** The pool of workers and accounts without one of their own. */
export const DEFAULT_POOL = 'default';
