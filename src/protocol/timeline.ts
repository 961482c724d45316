/* What a session's flight record tells: the kinds of entries as workers say them, records keep them, the API answers them and the docs explain them. */

type Field = { type: 'text' | 'number' | 'boolean'; meaning: string };

export const TIMELINE_FIELDS = {
  epoch: { type: 'number', meaning: 'Which placement of the session: each has a higher one.' },
  workerId: { type: 'text', meaning: 'The worker that it is about.' },
  fromWorkerId: { type: 'text', meaning: 'The worker that performed it before.' },
  toWorkerId: { type: 'text', meaning: 'The worker that performs it now.' },
  waitedMs: { type: 'number', meaning: 'How long it waited, in milliseconds.' },
  tookMs: { type: 'number', meaning: 'How long that took, in milliseconds.' },
  gapMs: {
    type: 'number',
    meaning:
      'From the moment when the worker before was known to be lost, or had fallen silent, to the first frame, in milliseconds.',
  },
  segment: {
    type: 'number',
    meaning: 'Which utterance: each worker counts them from 1 in each session.',
  },
  segments: { type: 'number', meaning: 'How many utterances were open.' },
  positionSeconds: { type: 'number', meaning: 'How much of it was heard, in seconds.' },
  interrupted: { type: 'boolean', meaning: 'It was not heard to its end.' },
  frameRate: { type: 'number', meaning: 'Frames a second.' },
  missedFrames: { type: 'number', meaning: 'Frames that were due and not shown.' },
  cause: {
    type: 'text',
    meaning: '`failover`: its worker was lost. `hand_over`: its worker was about to exit.',
  },
  reason: { type: 'text', meaning: 'Its end reason.' },
} as const satisfies Record<string, Field>;

export type TimelineField = keyof typeof TIMELINE_FIELDS;

type Kind = { meaning: string; fields: readonly TimelineField[]; isRoutine?: true };

/** What its worker says. `isRoutine`: there may be thousands of them in one session. */
export const WORKER_TIMELINE = {
  joined: { meaning: 'Its worker is in the room; the face is not seen yet.', fields: ['epoch'] },
  speech_received: {
    meaning: 'The agent began to send an utterance.',
    fields: ['epoch', 'segment'],
    isRoutine: true,
  },
  speech_started: {
    meaning: 'The utterance began to sound.',
    fields: ['epoch', 'segment'],
    isRoutine: true,
  },
  speech_finished: {
    meaning: 'Nothing of the utterance sounds any more, and the agent is told so.',
    fields: ['epoch', 'segment', 'positionSeconds', 'interrupted'],
    isRoutine: true,
  },
  interrupted: {
    meaning: 'The agent called back what it had sent.',
    fields: ['epoch', 'segments'],
    isRoutine: true,
  },
  frames: {
    meaning:
      'How frames have kept time in the last ten seconds, or until the end: said when it is not as the last time.',
    fields: ['epoch', 'frameRate', 'missedFrames'],
    isRoutine: true,
  },
} as const satisfies Record<string, Kind>;

export const TIMELINE = {
  created: { meaning: 'The session was recorded.', fields: [] },
  queued: { meaning: 'It has waited for a slot, and has one.', fields: ['waitedMs'] },
  assigned: {
    meaning: 'A worker has taken it.',
    fields: ['epoch', 'workerId', 'tookMs'],
  },
  declined: {
    meaning: 'A worker refused it, or did not answer in time: the next one is asked.',
    fields: ['epoch', 'workerId', 'tookMs'],
  },
  unanswered: {
    meaning: 'The connection to a worker broke before it answered.',
    fields: ['epoch', 'workerId', 'tookMs'],
  },
  given_up: {
    meaning: 'A worker that had taken it cannot show its face: the next one is asked.',
    fields: ['epoch', 'workerId'],
  },
  first_frame: { meaning: 'The face is in the room.', fields: ['epoch'] },
  ...WORKER_TIMELINE,
  token_renewed: {
    meaning: 'The media server gave the face a token that lasts longer.',
    fields: ['epoch'],
  },
  lost: {
    meaning: 'Its worker does not perform it any more: another one is looked for.',
    fields: ['epoch', 'workerId'],
  },
  moved: {
    meaning: 'Another worker shows the face.',
    fields: ['epoch', 'cause', 'fromWorkerId', 'toWorkerId', 'gapMs'],
  },
  ended: { meaning: 'The session is completed.', fields: ['reason'] },
} as const satisfies Record<string, Kind>;

export type TimelineKind = keyof typeof TIMELINE;
export type WorkerTimelineKind = keyof typeof WORKER_TIMELINE;

type Values = { text: string; number: number; boolean: boolean };
type FieldsOf<Name extends TimelineField> = {
  [Key in Name]: Values[(typeof TIMELINE_FIELDS)[Key]['type']];
};

/** What happened, of whatever kind. */
export type TimelineEvent<Name extends TimelineKind = TimelineKind> = {
  [Key in Name]: { kind: Key } & FieldsOf<(typeof TIMELINE)[Key]['fields'][number]>;
}[Name];

/** `at` in milliseconds since the epoch. */
export type TimelineEntry = { at: number } & TimelineEvent;

/** Without the placement's epoch, which every message of a worker carries. */
export type WorkerTimelineEvent = {
  [Key in WorkerTimelineKind]: { kind: Key } & FieldsOf<
    Exclude<(typeof WORKER_TIMELINE)[Key]['fields'][number], 'epoch'>
  >;
}[WorkerTimelineKind];

export const isRoutine = (kind: TimelineKind): boolean => 'isRoutine' in TIMELINE[kind];

/** Null: a later worker says what is not known here, or says it in another way. */
export function readTimelineEvent(
  said: object,
  epoch: number,
): TimelineEvent<WorkerTimelineKind> | null {
  const given = { ...said, epoch } as Record<string, unknown>;
  const { kind } = given;
  if (typeof kind !== 'string' || !Object.hasOwn(WORKER_TIMELINE, kind)) return null;
  const { fields } = WORKER_TIMELINE[kind as WorkerTimelineKind];
  if (fields.some((name) => typeof given[name] !== typeNames[TIMELINE_FIELDS[name].type]))
    return null;
  const known = Object.fromEntries(fields.map((name) => [name, given[name]]));
  return { kind, ...known } as TimelineEvent<WorkerTimelineKind>;
}

const typeNames = { text: 'string', number: 'number', boolean: 'boolean' } as const;
