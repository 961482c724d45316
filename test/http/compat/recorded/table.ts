import { ONE_CALL } from './one-call.ts';
import { PICTURES } from './pictures.ts';
import type { Recorded } from './recording.ts';
import { TWO_CALLS } from './two-calls.ts';

export const RECORDED: readonly Recorded[] = [...ONE_CALL, ...TWO_CALLS, ...PICTURES];

export function recordedOf(name: string): Recorded {
  const recorded = RECORDED.find(({ of }) => of === name);
  if (!recorded) throw new Error(`no recording of ${name}`);
  return recorded;
}
