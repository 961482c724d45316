/*
 * How a worker that performs sessions shows that it is alive. A beat is missed when the gateway has looked once and none came since its last
 * look. Four missed in a row are 1.5 to 2 s of silence: garbage collection and a busy machine delay a beat by tenths of a second, so a live
 * worker is not given up for them, and its face is back elsewhere within 4 s.
 */
export const BEAT_EVERY_MS = 500;

/** A worker is given up after so many missed beats; a session, after so many beats without a new picture. */
export const MISSED_BEATS = 4;
