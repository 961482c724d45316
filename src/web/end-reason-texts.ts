import type { EndReason } from '#protocol/end-reasons.ts';

/** For people: what an end reason means, and what to do about it. */
export const END_REASON_TEXTS: Record<EndReason, readonly [meaning: string, advice: string]> = {
  agent_left: [
    'The voice agent left the room and did not return.',
    'If this was not intended, check the log of the agent.',
  ],
  room_empty: ['Everyone left the room.', 'No action is needed.'],
  room_closed: [
    'The room was closed.',
    'If you did not close it, check the log of the media server.',
  ],
  room_refused: [
    'The room rejected the avatar.',
    'Read `end_detail`. Often the token is wrong or expired, or its key is not that of the media server.',
  ],
  removed: [
    'The avatar was removed from the room.',
    'Find out which of your programs removed the participant.',
  ],
  replaced: [
    'Another participant joined with the avatar’s identity.',
    'Give each avatar in a room its own identity.',
  ],
  ended_by_client: ['The session was ended through the API.', 'No action is needed.'],
  time_limit: [
    'The session reached its maximum length.',
    'Raise `max_session_length_minutes`, or the limit of the key.',
  ],
  budget_reached: [
    'A budget of the agent was used up. The agent said so first.',
    'To allow more, raise the `limits` of the agent; the event `agent.budget_reached` says which one.',
  ],
  never_started: [
    'The avatar did not appear within a minute.',
    'Check that the worker can reach the room: see `end_detail` and the log of the worker.',
  ],
  token_expired: [
    'The session needed another worker, but its room token had expired.',
    'Issue tokens that stay valid for the whole session.',
  ],
  worker_lost: [
    'The worker was lost, and no other slot became free within 15 seconds.',
    'Keep slots free with `WARM_SLOTS`, or add a worker.',
  ],
  service_stopped: [
    'The worker was stopped without draining.',
    'Give workers time to drain: `DRAIN_SECONDS`.',
  ],
};
