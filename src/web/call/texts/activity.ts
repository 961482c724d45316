import type { CallState } from '../state/call-state.ts';

/**
 * What the agent does while its face is silent. It listens to nobody whose microphone is off. Null:
 * nothing that is worth a sign.
 */
export function silentActivity({
  phase,
  activity,
  devices,
}: Pick<CallState, 'phase' | 'activity' | 'devices'>): 'listening' | 'thinking' | null {
  if (phase.type !== 'live' || phase.presence !== 'here') return null;
  if (activity === 'thinking') return 'thinking';
  return activity === 'listening' && devices.microphone.isOn ? 'listening' : null;
}
