import { systemClock } from '#shared/clock.ts';
import type { GuardMessage } from './guard.ts';
import { endGroup, isAlive } from './process-group.ts';

/*
 * Process entry of the guard. It runs beside the supervisor in its own session and outlives it
 * briefly: if the supervisor dies without stopping its children (kill -9, out of memory), the guard
 * ends their process groups. The media server cannot do this itself.
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
    const livingLeaders = [...leaders].filter(isAlive);
    if (systemClock.elapsed() > deadline)
      for (const leader of livingLeaders) endGroup(leader, 'SIGKILL');
    // A dead process that is not reaped (a container without an init) still answers: do not wait
    // for it indefinitely.
    if (livingLeaders.length === 0 || systemClock.elapsed() > deadline + GRACE_MS)
      clearInterval(poll);
  }, POLL_MS);
});

// Only the supervisor's exit ends the guard.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
