/** Why a call is over, by the API's `end_reason`, or by the person's own doing. */
export function endingWords(reason: string, who: string): string {
  return endings[reason]?.(who) ?? 'The call has ended.';
}

const endings: Record<string, (who: string) => string> = {
  elsewhere: () => 'The call goes on in another window.',
  left: () => 'You have left the call.',
  ended_by_client: () => 'The call was ended.',
  room_empty: () => 'You were away for longer than a call waits.',
  agent_left: (who) => `${who} has left the call.`,
  time_limit: (who) => `The time that ${who} may talk is up.`,
  worker_lost: (who) => `The machine that performed ${who} was lost, and no other was free.`,
  service_stopped: () => 'The service was stopped, and the call with it.',
  never_started: (who) => `${who} did not arrive.`,
  room_closed: () => 'The media server closed the room.',
};
