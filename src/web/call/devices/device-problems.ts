import type { DeviceProblem } from '../state/call-state.ts';

/** Maps an error of `getUserMedia`. */
export function deviceProblemOf(error: unknown): DeviceProblem {
  if (!('mediaDevices' in navigator)) return 'not_secure';
  return problems[error instanceof Error ? error.name : ''] ?? 'failed';
}

const problems: Record<string, DeviceProblem> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'in_use',
};
