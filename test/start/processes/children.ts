import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PATIENCE_MS } from '../../support/patience.ts';
import { until } from '../../support/until.ts';

/** The first line that a child prints. */
export async function lineFrom(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no standard output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the child exited without output');
}

/** Resolves when a process that is not our child is gone. Polls, because no event reports it. */
export const gone = (pid: number, patienceMs = PATIENCE_MS): Promise<void> =>
  until(() => !isRunning(pid), patienceMs);

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
