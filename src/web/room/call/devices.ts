import type { DeviceKind, DeviceProblem } from './room-state.ts';

/** Why a browser did not open a microphone or a camera. */
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

/** What it is, and what to do about it. */
export function deviceWords(kind: DeviceKind, problem: DeviceProblem): string {
  switch (problem) {
    case 'denied':
      return `The ${kind} is not allowed on this page. Allow it beside the address above, then turn it on again.`;
    case 'missing':
      return `No ${kind} was found. Plug one in, then turn it on again.`;
    case 'in_use':
      return `The ${kind} cannot be opened: another program may be using it.`;
    case 'not_secure':
      return `A browser gives its ${kind} only to https pages.`;
    case 'failed':
      return `The ${kind} did not open. Turn it on again.`;
  }
}
