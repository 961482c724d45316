/** Explains the API's `end_reason`, or `left` and `elsewhere` for the user's own actions. */
export function endText(reason: string, name: string): string {
  return endings[reason]?.(name) ?? 'The call has ended.';
}

const endings: Record<string, (name: string) => string> = {
  elsewhere: () => 'The call continues in another window.',
  left: () => 'You left the call.',
  ended_by_client: () => 'The call was ended.',
  room_empty: () => 'The call ended because you were away for too long.',
  agent_left: (name) => `${name} left the call.`,
  time_limit: (name) => `The call reached the time limit for ${name}.`,
  budget_reached: (name) => `${name} has no more time for this call.`,
  worker_lost: (name) => `The machine running ${name} failed, and no other machine was free.`,
  service_stopped: () => 'The call ended because the service was stopped.',
  never_started: (name) => `${name} did not join the call.`,
  room_closed: () => 'The media server closed the room.',
};
