/** Begins the instructions of the agent of a new installation, until somebody changes them. */
export const FIRST_AGENT_ROLE = 'You welcome people who see Troupe for the first time.';
