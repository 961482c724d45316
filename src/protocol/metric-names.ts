/* Public metric names and help texts, used by `/metrics` and the docs. */

export const FLEET_METRICS = {
  troupe_workers: 'Connected workers by kind (avatar or agent), state, pool and version.',
  troupe_slots:
    'Worker slots by kind and pool: free, taken, or withheld by cordoned, draining, late or resting workers.',
  troupe_queue_depth: 'Requests waiting for a slot, by worker kind and pool.',
  troupe_queue_oldest_seconds: 'Age of the oldest request waiting for a slot.',
  troupe_wanted_workers:
    'Number of workers needed, by kind and pool; the same value as in /v1/fleet/pressure.',
  troupe_drain_seconds:
    'Time until all draining workers of a kind and pool are empty, at the latest; +Inf if a session has no limit. Absent while none drains.',
  troupe_worker_quality:
    'Avatar workers by pool and by the quality that they show; below full while they have too little CPU time. Workers without sessions show full.',
  troupe_frame_rate: 'Frames per second per session, averaged over all running sessions.',
} as const;

export const CANARY_METRICS = {
  troupe_canary_share: 'Share of new sessions that try the pool on trial, 0 to 0.5; 0 without one.',
  troupe_canary_stopped: '1 after the canary stopped because more of its sessions failed; else 0.',
  troupe_canary_sessions:
    'Sessions of this trial by arm: canary (the pool on trial) or stable, at all control planes.',
  troupe_canary_failures:
    'Of these: declined by their first worker, never started, or lost their worker.',
} as const;

export const OVERFLOW_METRICS = {
  troupe_overflow_sessions:
    'Open sessions at the outside service of a pool, of all control planes.',
  troupe_overflow_spent:
    'Cost of the ended sessions of this period at the outside service of a pool, in its currency.',
  troupe_overflow_reserved:
    'The most that the open sessions at the outside service of a pool may cost, in its currency.',
  troupe_overflow_ceiling: 'Cost ceiling of the outside service of a pool for each period.',
  troupe_overflow_results_total:
    'Sessions that found no free slot in a pool, by what became of them at its outside service since this process started: placed, refused, unanswered, or lost later.',
} as const;

export const SESSION_METRICS = {
  troupe_session_start_seconds:
    'Time to start a session, by stage: until a slot was reserved (slot), from then until the worker answered (assign), from the record to the first frame (face), and from the request to the first frame, including the wait for a slot (total). For a managed agent: from the record until the agent joined the room (agent).',
  troupe_sessions_total: 'Ended sessions by reason, since this process started.',
  troupe_rejections_total: 'Refused sessions by reason, since this process started.',
  troupe_failovers_total:
    'Sessions that lost their worker since this process started, by worker kind: avatar (the face) or agent (the conversation).',
  troupe_handovers_total:
    'Sessions that moved on purpose since this process started, off a draining or relieved worker, by worker kind: avatar (the face) or agent (the conversation).',
  troupe_failover_seconds:
    'Time from the loss of a worker, declared up to 0.4 s after its connection broke, until another worker showed the face.',
  troupe_quality_changes_total:
    'How often a session began to be shown at this quality because its worker had less or more CPU time, since this process started.',
  troupe_av_offset_seconds:
    'How far the video left the worker behind its audio, for each session that spoke, averaged over a few seconds. 0 is in sync. Viewers buffer audio longer than video; the value accounts for this. Network delay is not included.',
  troupe_webhook_deliveries_total:
    'Webhook delivery attempts by outcome: delivered, retry (will be tried again) or failed (given up).',
} as const;

export const CALL_METRICS = {
  troupe_answer_seconds:
    'Time of managed agents to answer, by stage: from the end of the user’s speech or text until the transcript, the first token, the first sound (first_audio) and the first picture of the answer (first_frame).',
  troupe_call_spending_total:
    'What calls with managed agents have cost since this process started, by unit: model_tokens (estimated), speech_characters, seconds.',
  troupe_budgets_reached_total:
    'Budgets of agents that were used up since this process started, by budget (call, day, link_day, account_day, address_day) and unit.',
} as const;

export const BOTROOM_METRICS = {
  troupe_botrooms: 'Open botrooms of this control plane.',
  troupe_botroom_bytes_total:
    "Bytes on the sockets of botrooms' clients since this process started: in (speech) or out (pictures and sound).",
  troupe_botroom_pictures_dropped_total:
    'Pictures that were not sent because the client of a botroom read too slowly.',
} as const;
