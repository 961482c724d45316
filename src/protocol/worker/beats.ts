/*
 * Heartbeat of workers that perform sessions. The gateway counts a missed beat at each check
 * without a new beat. Four in a row mean 1.5 to 2 s of silence: garbage collection and a busy
 * machine delay a beat by tenths of a second only, and a lost face is back elsewhere within 4 s.
 */
export const BEAT_EVERY_MS = 500;

/** Missed beats before a worker is lost, or beats without a picture before a session is stalled. */
export const MISSED_BEATS = 4;
