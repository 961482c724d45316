/** Explains the API's `end_reason`, or `left` and `elsewhere` for the user's own actions. */
export function endingWords(reason: string, who: string): string {
  return endings[reason]?.(who) ?? 'The call has ended.';
}

const endings: Record<string, (who: string) => string> = {
  elsewhere: () => 'The call continues in another window.',
  left: () => 'You left the call.',
  ended_by_client: () => 'The call was ended.',
  room_empty: () => 'The call ended because you were away for too long.',
  agent_left: (who) => `${who} left the call.`,
  time_limit: (who) => `The call reached the time limit for ${who}.`,
  worker_lost: (who) => `The machine running ${who} failed, and no other machine was free.`,
  service_stopped: () => 'The call ended because the service was stopped.',
  never_started: (who) => `${who} did not join the call.`,
  room_closed: () => 'The media server closed the room.',
};
