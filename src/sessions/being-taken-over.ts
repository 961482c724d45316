import { Fault } from '../errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** For a session whose owner is gone, or has just given it up. */
export const beingTakenOver = () =>
  new Fault('at_capacity', {
    detail: 'The session is being taken over. Please try again shortly.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
