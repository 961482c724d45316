import type { EndReason } from '#protocol/end-reasons.ts';

/** For people: what an end reason means, and what to do about it. */
export const END_REASON_TEXTS: Record<EndReason, readonly [meaning: string, advice: string]> = {
  agent_left: [
    'The voice agent left the room and did not return.',
    'Nothing, if it was done. Else look at the log of the agent.',
  ],
  room_empty: ['Everyone left the room.', 'Nothing.'],
  room_closed: [
    'The room was closed.',
    'Nothing, if you closed it. Else look at the media server.',
  ],
  room_refused: [
    'The room rejected the avatar.',
    'Read `end_detail`. Often the token is wrong or expired, or its key is not that of the media server.',
  ],
  removed: ['The avatar was removed from the room.', 'See who removed the participant.'],
  replaced: [
    'Another participant joined with the avatar’s identity.',
    'Give each avatar of a room an identity of its own.',
  ],
  ended_by_client: ['The session was ended through the API.', 'Nothing.'],
  time_limit: [
    'The session reached its maximum length.',
    'Raise `max_session_length_minutes`, or the limit of the key.',
  ],
  budget_reached: [
    'A budget of the agent was used up. The agent said so first.',
    'Nothing, if the limit is right. Else raise the `limits` of the agent; the event `agent.budget_reached` says which.',
  ],
  never_started: [
    'The avatar did not appear within a minute.',
    'Check that the worker reaches the room: `end_detail`, and the log of the worker.',
  ],
  token_expired: [
    'The session needed another worker, but its room token had expired.',
    'Give tokens that are valid as long as the session.',
  ],
  worker_lost: [
    'The worker was lost, and no other slot became free within 15 seconds.',
    'Keep free slots: `WARM_SLOTS`, or one more worker.',
  ],
  service_stopped: ['The worker was stopped at once.', 'Let workers drain: `DRAIN_SECONDS`.'],
};
