/*
 * Media keep time, so the programs that carry them come first: where permitted, a busy machine
 * delays everything else before it delays a frame or a word. Measured beside three agents that
 * begin to speak at once on a machine with one core: a worker at equal priority waited up to 330 ms
 * for the CPU.
 *
 * A restarting program uses all available CPU for a second while it loads, which delays frames of
 * other processes. It runs at a lower priority until it is ready, but only if the priority can be
 * raised again, which takes a privilege; otherwise busy workers would starve it. For the same
 * reason it is raised after a few seconds at the latest.
 *
 * Linux may first divide the CPU between sessions (autogroup). A priority then counts only within
 * its session, so the session gets one too. A new session has priority 0, whatever the priority of
 * its programs. On each core a session weighs only as much as its load there. A main thread that is
 * mostly idle, on another core than the threads that draw, therefore needs a higher priority of its
 * session. Measured beside the tests of this repository on two cores: at -10, main threads of
 * workers waited 100 to 500 ms for the CPU some 30 times in six runs of one journey; at -15, three
 * times, up to 155 ms.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { Clock } from '#shared/clock.ts';

/** A tenth of the weight of others, or ten times theirs. */
const FAR = 10;
/** 28 times the weight of other sessions; on each core, a part of it counts. */
const FIRST_OF_SESSIONS = -15;
/** Leaves two fifths of the weight of others, enough beside a machine's other work. */
const A_LITTLE = 4;

/** Two to three times what a control plane needs to load beside a few sessions. */
export const LONGEST_BEHIND_MS = 4_000;

/**
 * Lowers the priority for a while. Returns a function that raises it earlier; null when it is
 * unchanged.
 */
export function standBehind(pid: number, clock: Pick<Clock, 'after'>): (() => void) | null {
  if (!mayComeForward() || !change(pid, FAR)) return null;
  const comeForward = () => void change(pid, 0);
  const cancel = clock.after(LONGEST_BEHIND_MS, comeForward);
  return () => {
    cancel();
    comeForward();
  };
}

/** Permanently, if permitted; otherwise it keeps its priority. */
export function comeFirst(pid: number): void {
  change(pid, -FAR, FIRST_OF_SESSIONS);
}

/**
 * For the process and everything it starts in its session. Returns a function that raises the
 * priority again: that of the session and, where permitted, of the process. Programs that it has
 * started keep theirs within the session.
 */
export function leaveBehind(pid: number): () => void {
  change(pid, A_LITTLE);
  return () => void change(pid, 0);
}

/**
 * Relative to this process and to other sessions. The main thread is first: threads it starts later
 * inherit its priority.
 */
function change(pid: number, steps: number, ofSession = steps): boolean {
  const { PRIORITY_HIGHEST, PRIORITY_LOW } = os.constants.priority;
  const priority = Math.max(PRIORITY_HIGHEST, Math.min(PRIORITY_LOW, os.getPriority() + steps));
  const isChanged = setPriority(pid, priority);
  for (const thread of threadsOf(pid)) setPriority(thread, priority);
  if (leadsSession(pid)) setSessionPriority(pid, ofSession);
  return isChanged;
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
  const ownPriority = os.getPriority();
  return setPriority(0, ownPriority - 1) && setPriority(0, ownPriority);
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
