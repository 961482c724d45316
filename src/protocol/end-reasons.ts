/** Why a session ended. Stored in records, sent between processes and returned by the API. */
export const END_REASONS = [
  'agent_left',
  'room_empty',
  'room_closed',
  'room_refused',
  'removed',
  'replaced',
  'ended_by_client',
  'time_limit',
  'budget_reached',
  'never_started',
  'token_expired',
  'worker_lost',
  'service_stopped',
] as const;

export type EndReason = (typeof END_REASONS)[number];
