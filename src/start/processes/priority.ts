/*
 * A restarting program uses all available CPU for a second while it loads, which delays frames of other processes. It runs at a lower
 * priority until it is ready, but only if the priority can be raised again, which takes a privilege; otherwise busy workers would starve it.
 * For the same reason it is raised after a few seconds at the latest.
 *
 * Linux may first divide the CPU between sessions (autogroup). A priority then counts only within its session, so the session gets one too.
 * A new session has priority 0, whatever the priority of its programs.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { Clock } from '#shared/clock.ts';

/** Leaves a tenth of the weight of others. */
const FAR = 10;
/** Leaves two fifths of the weight of others, enough beside a machine's other work. */
const A_LITTLE = 4;

/** Two to three times what a control plane needs to load beside a few sessions. */
export const LONGEST_BEHIND_MS = 4_000;

/** Lowers the priority for a while. Returns a function that raises it earlier; null when it is unchanged. */
export function standBehind(pid: number, clock: Pick<Clock, 'after'>): (() => void) | null {
  if (!mayComeForward() || !lower(pid, FAR)) return null;
  const comeForward = () => void lower(pid, 0);
  const cancel = clock.after(LONGEST_BEHIND_MS, comeForward);
  return () => {
    cancel();
    comeForward();
  };
}

/** Permanently, for the process and everything it starts in its session. */
export function leaveBehind(pid: number): void {
  lower(pid, A_LITTLE);
}

/** Below this process and below other sessions. The main thread comes first: threads it starts later inherit its priority. */
function lower(pid: number, steps: number): boolean {
  const priority = Math.min(os.constants.priority.PRIORITY_LOW, os.getPriority() + steps);
  const isThere = setPriority(pid, priority);
  for (const thread of threadsOf(pid)) setPriority(thread, priority);
  if (leadsSession(pid)) setSessionPriority(pid, steps);
  return isThere;
}

/** Otherwise the session contains other programs. */
function leadsSession(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]) === pid;
  } catch {
    return false;
  }
}

function setSessionPriority(leader: number, priority: number): void {
  try {
    writeFileSync(`/proc/${leader}/autogroup`, String(priority));
  } catch {
    // The kernel has no autogroups, or the program has exited.
  }
}

function mayComeForward(): boolean {
  const own = os.getPriority();
  return setPriority(0, own - 1) && setPriority(0, own);
}

/** False when the process is gone or permission is missing. */
function setPriority(id: number, priority: number): boolean {
  try {
    os.setPriority(id, priority);
    return true;
  } catch {
    return false;
  }
}

/** Linux keeps a priority for each thread. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
