/** Events that a webhook may ask for. */
export const EVENTS = [
  'session.started',
  'session.ended',
  'session.quality_changed',
  'call.started',
  'call.ended',
  'call.rated',
  'message',
  'agent.budget_reached',
  'avatar.ready',
] as const;
