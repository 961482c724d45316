import type { DeviceKind, DeviceProblem } from '../state/call-state.ts';

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
