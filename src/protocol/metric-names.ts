/* What operators can measure, by its public name: for the metrics themselves, and for the page that explains them. */

export const FLEET_METRICS = {
  troupe_workers: 'Connected workers, by kind (avatar or agent), state, pool and version.',
  troupe_slots:
    'Slots of workers, by kind and pool: free, taken, or withheld by workers that drain, run late or rest.',
  troupe_queue_depth: 'Requests that wait for a slot, by the kind and pool of the worker.',
  troupe_queue_oldest_seconds: 'How long the one that waits longest has waited.',
  troupe_wanted_workers:
    'How many workers there should be, by kind and pool, as /v1/fleet/pressure says it.',
  troupe_frame_rate:
    'Frames a second of each session that is performed, on average over all of them.',
} as const;

export const SESSION_METRICS = {
  troupe_session_start_seconds:
    'How long a session took: until it had a slot (slot), from then to the answer of its worker (assign), and from its record to its first frame (face). For the conversation of a managed agent: from its record until the agent was in the room (agent).',
  troupe_sessions_total: 'Sessions that ended, by reason, since this process began.',
  troupe_rejections_total: 'Sessions that were refused, by reason, since this process began.',
  troupe_failovers_total:
    'Sessions that lost their worker, since this process began, by its kind: an agent loses a conversation.',
  troupe_failover_seconds:
    'How long such a session took from the moment its worker was given up, a second after its connection broke, until another one showed its face.',
  troupe_av_offset_seconds:
    'How much later than its sound the pictures of a session that spoke left its worker, on average since the last report: of each session, every few seconds. 0 is in time: that viewers hold sound back longer than pictures is allowed for. What the network adds is not in it.',
  troupe_webhook_deliveries_total:
    'Tries to deliver to a webhook: delivered, to be tried again (retry), or given up (failed).',
} as const;
