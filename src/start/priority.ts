/*
 * A program that is started again loads for a second with all that it can get, and frames beside it come late. It stands behind the others until
 * it is ready: only where it may be brought forward again, which takes a privilege, as one that stays there would starve beside busy workers.
 */
import { readdirSync } from 'node:fs';
import os from 'node:os';

const BEHIND = os.constants.priority.PRIORITY_BELOW_NORMAL;

/** False when it was left where it is. */
export function standBehind(pid: number): boolean {
  return mayComeForward() && place(pid, BEHIND);
}

export function comeForward(pid: number): void {
  place(pid, os.getPriority());
}

/** The first thread first: those that it starts from now on stand where it does. */
function place(pid: number, priority: number): boolean {
  const isThere = setPriority(pid, priority);
  for (const thread of threadsOf(pid)) setPriority(thread, priority);
  return isThere;
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
