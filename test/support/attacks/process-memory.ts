/* Memory of other processes, as Linux reports it; 0 elsewhere. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Resident megabytes at the peak since the last reset. */
export const peakMb = (pid: number): number => megabytesOf(pid, 'VmHWM');

/** Resident megabytes of the process and its children together. */
export const withChildrenMb = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, id) => sum + megabytesOf(id, 'VmRSS'), 0);

export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Not Linux.
  }
}

function childrenOf(pid: number): number[] {
  const threads = orIfGone([], () => readdirSync(`/proc/${pid}/task`));
  return threads.flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

const megabytesOf = (pid: number, field: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) /
  1024;

const textOf = (file: string): string => orIfGone('', () => readFileSync(file, 'utf8'));

/** A process may end while it is looked at. */
function orIfGone<Value>(fallback: Value, look: () => Value): Value {
  try {
    return look();
  } catch {
    return fallback;
  }
}
