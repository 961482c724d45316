/*
 * A program that is started again loads for a second with all the processor time it can get, and frames beside it are late. It stands behind the
 * others until it is ready, but only where it may be brought forward again, which takes a privilege: otherwise it would starve beside busy workers.
 *
 * Linux may share the processors among sessions first (autogroup). A priority then counts only within its session, so the session gets it too.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';

const BEHIND = os.constants.priority.PRIORITY_BELOW_NORMAL;
/** Two fifths of the weight of others: enough beside a machine's other work. */
const A_LITTLE_BEHIND = 4;

/** False when it was left where it is. */
export function standBehind(pid: number): boolean {
  return mayComeForward() && place(pid, BEHIND);
}

export function comeForward(pid: number): void {
  place(pid, os.getPriority());
}

/** For good, with all that it starts in its session. */
export function leaveBehind(pid: number): void {
  place(pid, A_LITTLE_BEHIND);
}

/** The first thread first: those that it starts from now on stand where it does. */
function place(pid: number, priority: number): boolean {
  const isThere = setPriority(pid, priority);
  for (const thread of threadsOf(pid)) setPriority(thread, priority);
  if (leadsSession(pid)) setSessionPriority(pid, priority);
  return isThere;
}

/** Otherwise its session has other programs in it. */
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
    // The kernel has no autogroups, or the program is gone.
  }
}

function mayComeForward(): boolean {
  const own = os.getPriority();
  return setPriority(0, own - 1) && setPriority(0, own);
}

/** False when it is gone, or may not. */
function setPriority(id: number, priority: number): boolean {
  try {
    os.setPriority(id, priority);
    return true;
  } catch {
    return false;
  }
}

/** Linux keeps a priority of each. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
