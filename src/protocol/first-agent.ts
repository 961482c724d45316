/** The first agent of an installation has instructions that begin so, until they are changed. */
export const FIRST_AGENT_ROLE = 'You welcome people who see Troupe for the first time.';
