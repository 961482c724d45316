import { existsSync, readFileSync } from 'node:fs';

/** Whether the kernel divides the CPU between sessions. */
export const hasAutogroups = existsSync('/proc/self/autogroup');

/** Priority of a process's session; `null` without autogroups and in the first session. */
export function sessionPriorityOf(pid: number): number | null {
  if (!hasAutogroups) return null;
  const priority = /nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1];
  return priority === undefined ? null : Number(priority);
}
