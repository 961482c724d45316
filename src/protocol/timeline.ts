/* Entries of a session's timeline, as used by workers, records, API and docs. */

import { QUALITY_NAMES } from './qualities.ts';

type Field = { type: 'text' | 'number' | 'boolean'; meaning: string };

const qualities = `${QUALITY_NAMES.map((name) => `\`${name}\``).join(', ')}.`;

export const TIMELINE_FIELDS = {
  epoch: { type: 'number', meaning: 'Number of the placement; rises with each new placement.' },
  workerId: { type: 'text', meaning: 'The worker concerned.' },
  fromWorkerId: { type: 'text', meaning: 'The previous worker.' },
  toWorkerId: { type: 'text', meaning: 'The new worker.' },
  waitedMs: { type: 'number', meaning: 'Waiting time in milliseconds.' },
  tookMs: { type: 'number', meaning: 'Duration in milliseconds.' },
  gapMs: {
    type: 'number',
    meaning:
      'Time without a face in milliseconds: from the loss or silence of the previous worker to the first frame.',
  },
  segment: {
    type: 'number',
    meaning: 'Number of the utterance; each worker counts from 1 in each session.',
  },
  segments: { type: 'number', meaning: 'Number of open utterances.' },
  positionSeconds: { type: 'number', meaning: 'Playback position in seconds.' },
  interrupted: { type: 'boolean', meaning: 'Whether the utterance stopped before its end.' },
  frameRate: { type: 'number', meaning: 'Frames per second.' },
  missedFrames: { type: 'number', meaning: 'Frames that were due but not shown.' },
  quality: { type: 'text', meaning: 'The quality of the picture: ' + qualities },
  cause: {
    type: 'text',
    meaning: '`failover`: the worker was lost. `hand_over`: the worker was about to exit.',
  },
  reason: { type: 'text', meaning: 'The end reason.' },
  detail: { type: 'text', meaning: 'More about it, in a sentence.' },
} as const satisfies Record<string, Field>;

export type TimelineField = keyof typeof TIMELINE_FIELDS;

type Kind = {
  meaning: string;
  fields: readonly TimelineField[];
  /** Not in every entry. */
  optional?: readonly TimelineField[];
  isRoutine?: true;
};

/** Entries that workers send. `isRoutine`: a session may have thousands of them. */
const WORKER_TIMELINE = {
  joined: {
    meaning: 'The worker joined the room; the face is not visible yet.',
    fields: ['epoch'],
  },
  agent_missing: {
    meaning: 'The agent has not joined the room within ten seconds. The face waits for it.',
    fields: ['epoch', 'detail'],
  },
  speech_received: {
    meaning: 'The agent started to send an utterance.',
    fields: ['epoch', 'segment'],
    isRoutine: true,
  },
  speech_refused: {
    meaning: 'The utterance has a format that cannot be played. It is skipped.',
    fields: ['epoch', 'segment', 'detail'],
  },
  speech_started: {
    meaning: 'Playback of the utterance started.',
    fields: ['epoch', 'segment'],
    isRoutine: true,
  },
  speech_finished: {
    meaning: 'Playback of the utterance ended, and the agent was notified.',
    fields: ['epoch', 'segment', 'positionSeconds', 'interrupted'],
    isRoutine: true,
  },
  interrupted: {
    meaning: 'The agent interrupted its speech.',
    fields: ['epoch', 'segments'],
    isRoutine: true,
  },
  frames: {
    meaning:
      'Frame timing over the last ten seconds, or up to the end. Sent when it differs from the last report.',
    fields: ['epoch', 'frameRate', 'missedFrames'],
    isRoutine: true,
  },
  quality: {
    meaning:
      'The worker has too little CPU time and lowered the quality, or raised it again. Also sent at the start, unless it is full.',
    fields: ['epoch', 'quality'],
  },
} as const satisfies Record<string, Kind>;

export const TIMELINE = {
  created: { meaning: 'The session was created.', fields: [] },
  queued: { meaning: 'The session waited for a slot and got one.', fields: ['waitedMs'] },
  assigned: {
    meaning: 'A worker accepted the session.',
    fields: ['epoch', 'workerId', 'tookMs'],
  },
  declined: {
    meaning: 'A worker refused the session or did not answer in time. The next worker is asked.',
    fields: ['epoch', 'workerId', 'tookMs'],
  },
  unanswered: {
    meaning: 'The connection to a worker broke before it answered.',
    fields: ['epoch', 'workerId', 'tookMs'],
  },
  given_up: {
    meaning: 'A worker accepted the session but cannot show the face. The next worker is asked.',
    fields: ['epoch', 'workerId'],
  },
  first_frame: { meaning: 'The face is visible in the room.', fields: ['epoch'] },
  ...WORKER_TIMELINE,
  token_renewed: {
    meaning: 'The media server renewed the room token.',
    fields: ['epoch'],
  },
  lost: {
    meaning: 'The worker no longer performs the session. Another worker is needed.',
    fields: ['epoch', 'workerId'],
  },
  moved: {
    meaning: 'Another worker now shows the face.',
    fields: ['epoch', 'cause', 'fromWorkerId', 'toWorkerId', 'gapMs'],
  },
  ended: { meaning: 'The session ended.', fields: ['reason'], optional: ['detail'] },
} as const satisfies Record<string, Kind>;

export type TimelineKind = keyof typeof TIMELINE;
type WorkerTimelineKind = keyof typeof WORKER_TIMELINE;

type Values = { text: string; number: number; boolean: boolean };
type FieldsOf<Name extends TimelineField> = {
  [Key in Name]: Values[(typeof TIMELINE_FIELDS)[Key]['type']];
};

type OptionalOf<Key extends TimelineKind> = (typeof TIMELINE)[Key] extends {
  optional: readonly (infer Name extends TimelineField)[];
}
  ? Name
  : never;

/** An event of any kind, with the fields of its kind. */
export type TimelineEvent<Name extends TimelineKind = TimelineKind> = {
  [Key in Name]: { kind: Key } & FieldsOf<(typeof TIMELINE)[Key]['fields'][number]> &
    Partial<FieldsOf<OptionalOf<Key>>>;
}[Name];

/** All fields of a kind; the optional ones last. */
export function fieldsOfKind(kind: TimelineKind): { name: TimelineField; isOptional: boolean }[] {
  const { fields, optional = [] }: Kind = TIMELINE[kind];
  return [
    ...fields.map((name) => ({ name, isOptional: false })),
    ...optional.map((name) => ({ name, isOptional: true })),
  ];
}

/** `at` in milliseconds since the epoch. */
export type TimelineEntry = { at: number } & TimelineEvent;

/** Without the epoch, which is part of every worker message. */
export type WorkerTimelineEvent = {
  [Key in WorkerTimelineKind]: { kind: Key } & FieldsOf<
    Exclude<(typeof WORKER_TIMELINE)[Key]['fields'][number], 'epoch'>
  >;
}[WorkerTimelineKind];

export const isRoutine = (kind: TimelineKind): boolean => 'isRoutine' in TIMELINE[kind];

/** Null: a newer worker sent an unknown kind, or different fields. */
export function readTimelineEvent(
  message: object,
  epoch: number,
): TimelineEvent<WorkerTimelineKind> | null {
  const values = { ...message, epoch } as Record<string, unknown>;
  const { kind } = values;
  if (typeof kind !== 'string' || !Object.hasOwn(WORKER_TIMELINE, kind)) return null;
  const { fields } = WORKER_TIMELINE[kind as WorkerTimelineKind];
  if (fields.some((name) => typeof values[name] !== typeNames[TIMELINE_FIELDS[name].type]))
    return null;
  const knownValues = Object.fromEntries(fields.map((name) => [name, values[name]]));
  return { kind, ...knownValues } as TimelineEvent<WorkerTimelineKind>;
}

const typeNames = { text: 'string', number: 'number', boolean: 'boolean' } as const;
