import { systemClock } from '#shared/clock.ts';
import type { GuardMessage } from './guard.ts';
import { endGroup, isAlive } from './process-group.ts';

/*
 * Process entry of the guard. Runs beside the supervisor, in a session of its own, and outlives it by moments: when the supervisor is gone without having
 * stopped what it runs (kill -9, out of memory), those process groups are ended here. The media server is not ours to teach this.
 */
const GRACE_MS = 2_000;
const POLL_MS = 50;

const leaders = new Set<number>();

process.on('message', ({ type, leader }: GuardMessage) => {
  if (type === 'watch') leaders.add(leader);
  else leaders.delete(leader);
});

process.on('disconnect', () => {
  for (const leader of leaders) endGroup(leader, 'SIGINT');
  const deadline = systemClock.elapsed() + GRACE_MS;
  const poll = setInterval(() => {
    const left = [...leaders].filter(isAlive);
    if (systemClock.elapsed() > deadline) for (const leader of left) endGroup(leader, 'SIGKILL');
    // One that is dead but not reaped (a container without an init) still answers: do not wait for it for ever.
    if (left.length === 0 || systemClock.elapsed() > deadline + GRACE_MS) clearInterval(poll);
  }, POLL_MS);
});

// Only the supervisor's end ends it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
