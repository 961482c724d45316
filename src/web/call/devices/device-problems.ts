import type { DeviceKind, DeviceProblem } from '../state/call-state.ts';

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

/** Explains the problem and what to do. */
export function deviceProblemText(kind: DeviceKind, problem: DeviceProblem): string {
  switch (problem) {
    case 'denied':
      return `Your ${kind} is blocked on this page. Allow it next to the address bar, then turn it on again.`;
    case 'missing':
      return `No ${kind} was found. Plug one in, then turn it on again.`;
    case 'in_use':
      return `The ${kind} could not be opened. Another program may be using it.`;
    case 'not_secure':
      return `Browsers allow the ${kind} on https pages only.`;
    case 'failed':
      return `The ${kind} could not be opened. Turn it on again.`;
  }
}
