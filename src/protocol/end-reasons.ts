/** Why a session ended: the closed list, as stored, sent between processes and answered by the API. */
export const END_REASONS = [
  'agent_left',
  'room_empty',
  'room_closed',
  'room_refused',
  'removed',
  'replaced',
  'ended_by_client',
  'time_limit',
  'never_started',
  'token_expired',
  'worker_lost',
  'service_stopped',
] as const;

export type EndReason = (typeof END_REASONS)[number];
