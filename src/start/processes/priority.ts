/*
 * A restarting program uses all available CPU for a second while it loads, which delays frames of other processes. It runs at a lower
 * priority until it is ready, but only if the priority can be raised again, which takes a privilege; otherwise busy workers would starve it.
 *
 * Linux may first divide the CPU between sessions (autogroup). A priority then counts only within its session, so the session gets it too.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';

const BEHIND = os.constants.priority.PRIORITY_BELOW_NORMAL;
/** Leaves two fifths of the weight of others, enough beside a machine's other work. */
const A_LITTLE = 4;

/** Lowers the priority. False when it is unchanged. */
export function standBehind(pid: number): boolean {
  return mayComeForward() && place(pid, BEHIND);
}

export function comeForward(pid: number): void {
  place(pid, os.getPriority());
}

/** Permanently, for the process and everything it starts in its session. */
export function leaveBehind(pid: number): void {
  place(pid, Math.min(os.constants.priority.PRIORITY_LOW, os.getPriority() + A_LITTLE));
}

/** The main thread comes first: threads it starts later inherit its priority. */
function place(pid: number, priority: number): boolean {
  const isThere = setPriority(pid, priority);
  for (const thread of threadsOf(pid)) setPriority(thread, priority);
  if (leadsSession(pid)) setSessionPriority(pid, priority);
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
