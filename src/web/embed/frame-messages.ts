/* Messages between the page in a frame and the page around it. */
import type { TroupeAgentEventName, TroupeFrameCommand } from './public-types.ts';

const events: Record<TroupeAgentEventName, true> = {
  'troupe-ready': true,
  'troupe-state': true,
  'troupe-call-started': true,
  'troupe-message': true,
  'troupe-call-ended': true,
  'troupe-error': true,
};

export const AGENT_EVENTS = Object.keys(events) as TroupeAgentEventName[];

export function isCommand(data: unknown): data is TroupeFrameCommand {
  if (typeof data !== 'object' || data === null) return false;
  const { target, type } = data as Partial<TroupeFrameCommand>;
  return target === 'troupe-agent' && (type === 'start' || type === 'end');
}
