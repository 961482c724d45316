import Type, { type Static } from 'typebox';
import { END_REASONS } from '../end-reasons.ts';
import {
  Built,
  BuildFailed,
  BuildPlacement,
  BuildProgress,
  BuildRefused,
} from './build-messages.ts';
import { Placement } from '../placement.ts';
import { QUALITY_NAMES } from '../qualities.ts';
import { ANSWERS } from './questions.ts';
import { reportFields } from './report-fields.ts';
import { TOO_SLOW_TO_HEAR } from './speech-abilities.ts';
import { DRAWS_FRAMES } from '../pictures/frames.ts';
import { DRAWS_SHEETS } from '../pictures/sheets.ts';
import { TAKES_STILLS } from '../pictures/stills.ts';

/** Raise it when a message changes its meaning. A new optional field changes none. */
export const PROTOCOL_VERSION = 1;

/** Limit for socket messages in both directions, in bytes. Room tokens are the largest part. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

export const OpenSegments = Type.Array(Type.Number({ minimum: 0 }), {
  description: 'Playback positions of an agent’s unfinished segments, in order, in seconds.',
});
export type OpenSegments = Static<typeof OpenSegments>;

/** `avatar` workers show faces; `agent` workers hold the conversations of managed agents. */
export const WORKER_KINDS = ['avatar', 'agent'] as const;
export const WorkerKind = Type.Enum([...WORKER_KINDS]);
export type WorkerKind = Static<typeof WorkerKind>;

export const Transport = Type.Enum(['mediaserver', 'botroom']);
export type Transport = Static<typeof Transport>;

const Register = Type.Object(
  {
    type: Type.Literal('register'),
    protocol: Type.Integer({ description: 'Oldest protocol version that the worker speaks.' }),
    newestProtocol: Type.Optional(
      Type.Integer({ description: 'Newest one. Absent: the worker speaks no other.' }),
    ),
    workerId: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Stable for the life of the process. `avatar-` or `agent-`, and the first 22 characters of HMAC-SHA256 in base64url; the key is `secret`, the message is the SHA-256 of the token in hex.',
    }),
    secret: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Random, made at the start. Proves that the id is the worker’s. Without it, the id must have another form.',
      }),
    ),
    kind: WorkerKind,
    slots: Type.Integer({ minimum: 1 }),
    transports: Type.Array(Transport),
    avatars: Type.Array(Type.String(), { description: 'Ids of the avatars that the worker has.' }),
    abilities: Type.Optional(
      Type.Array(Type.String(), {
        description: `\`bundles\`: performs other avatars by fetching their bundles. \`builds\`: builds bundles from pictures. \`hears\`: an agent worker with its own speech recognition; \`hears:en\`: of one language. \`${TOO_SLOW_TO_HEAR}\`: its machine is too slow for it. \`speech_sources\`: takes speech from elsewhere than the room’s agent. \`${TAKES_STILLS}\`: answers \`take_still\`. \`${DRAWS_SHEETS}\`: answers \`draw_sheet\`. \`${DRAWS_FRAMES}\`: draws frames of any size, framing and background, and obeys \`change_picture\`. Older workers send none; newer ones may send more.`,
      }),
    ),
    pool: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Label that sessions can require. Absent on older workers: the default pool.',
      }),
    ),
    version: Type.String({ description: 'Software version, for people.' }),
    host: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Name of its machine; in Kubernetes, of its pod. Older workers send none.',
      }),
    ),
    performing: Type.Array(Placement, {
      description: 'Sessions still running on this worker after a reconnect.',
    }),
    building: Type.Optional(
      Type.Array(BuildPlacement, {
        description: 'Builds in progress, or finished but not acknowledged.',
      }),
    ),
  },
  { description: 'The first message on every connection.' },
);

const Load = Type.Object(
  {
    type: Type.Literal('load'),
    performing: Type.Integer({ minimum: 0 }),
    lateFrames: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Share of frames that were late in the last interval, or left out for want of CPU time; 0..1.',
    }),
    draining: Type.Boolean(),
    drainLeftMs: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'While draining: remaining time for its sessions in milliseconds; at 0 they are handed over. Absent on older workers without handover.',
      }),
    ),
    frameRate: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'Frames per second per session, averaged over the last interval. Absent without frames.',
      }),
    ),
    quality: Type.Optional(
      Type.Enum([...QUALITY_NAMES], {
        description:
          'What the worker shows; below `full` while it has too little CPU time. Older workers send none, and always show everything.',
      }),
    ),
    avOffsetsMs: Type.Optional(
      Type.Array(Type.Number(), {
        maxItems: 1_000,
        description:
          'For each session that spoke in the last interval: average delay of video behind audio in milliseconds. Excludes the offset that makes up for the longer audio buffer of viewers.',
      }),
    ),
    sessions: Type.Optional(
      Type.Array(Placement, { description: 'All running sessions. Not in every report.' }),
    ),
  },
  { description: 'Sent every few seconds and on every change.' },
);

const Accepted = Type.Object(
  { type: Type.Literal('accepted'), placement: Placement },
  { description: 'Answers `assign`: the worker joins the room.' },
);

const Refused = Type.Object(
  { type: Type.Literal('refused'), placement: Placement, why: Type.String() },
  {
    description:
      'Answers `assign`: the session goes to another worker. May follow `accepted` when the avatar cannot be loaded; the worker has not joined a room then.',
  },
);

const Report = { ...reportFields, placement: Placement };

export const Started = Type.Object(
  { type: Type.Literal('started'), ...Report },
  { description: 'The first frame was sent to the room.' },
);
export type Started = Static<typeof Started>;

export const Ended = Type.Object(
  {
    type: Type.Literal('ended'),
    ...Report,
    reason: Type.Enum([...END_REASONS]),
    detail: Type.Optional(Type.String({ description: 'More about it, for the owner.' })),
  },
  { description: 'The worker has left the room for good.' },
);
export type Ended = Static<typeof Ended>;

const Renewed = Type.Object(
  { type: Type.Literal('renewed'), placement: Placement, token: Type.String() },
  {
    description:
      'The media server renewed the room token. The next worker of the session joins with it.',
  },
);

const Speech = Type.Object(
  { type: Type.Literal('speech'), placement: Placement, open: OpenSegments },
  {
    description:
      'Progress of the agent’s speech: sent when a segment begins or ends, every 100 ms in between, and after each reconnect. Never acknowledged. The first one shows that the agent sends streams.',
  },
);

const Released = Type.Object(
  { type: Type.Literal('released'), placement: Placement },
  {
    description:
      'Answers `release`: the session is silent and stays so until another worker takes over. A `speech` message with the open segments precedes it.',
  },
);

const Noted = Type.Object(
  {
    type: Type.Literal('noted'),
    placement: Placement,
    happenings: Type.Array(Type.Object({ kind: Type.String(), agoMs: reportFields.agoMs }), {
      maxItems: 100,
      description: 'Kinds and fields are listed at `/docs/fleet`. Newer workers may send more.',
    }),
  },
  {
    description:
      'Timeline events, in order. Never acknowledged. Only for gateways with `keepsTimelines`.',
  },
);

const Beat = Type.Object(
  {
    type: Type.Literal('beat'),
    performing: Type.Integer({ minimum: 0 }),
    stalled: Type.Optional(
      Type.Array(Placement, {
        description: 'Sessions without a new picture for four beats. They are placed again.',
      }),
    ),
  },
  {
    description:
      'Sent at `beatEveryMs` while the worker has sessions: at once for the first session, and a last time with 0. Only for gateways that ask for it.',
  },
);

const Abilities = Type.Object(
  {
    type: Type.Literal('abilities'),
    abilities: Type.Array(Type.String(), { description: 'All of them, as in `register`.' }),
  },
  {
    description:
      'The abilities of the worker have changed. Only for gateways with `takesAbilities`.',
  },
);

const Pong = Type.Object({ type: Type.Literal('pong') }, { description: 'Answers `ping`.' });

/** All messages from a worker. */
export const WorkerMessage = Type.Union([
  Register,
  Load,
  Accepted,
  Refused,
  Started,
  Ended,
  Renewed,
  Speech,
  Released,
  Noted,
  BuildProgress,
  BuildRefused,
  Built,
  BuildFailed,
  ...ANSWERS,
  Beat,
  Abilities,
  Pong,
]);
export type WorkerMessage = Static<typeof WorkerMessage>;
export type Register = Static<typeof Register>;
export type Load = Static<typeof Load>;
export type Beat = Static<typeof Beat>;
export type Noted = Static<typeof Noted>;
