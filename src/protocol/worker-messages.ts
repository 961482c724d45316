import Type, { type Static } from 'typebox';
import { END_REASONS } from './end-reasons.ts';
import { PICTURE_PROBLEMS, type PictureProblem } from './picture-problems.ts';

/** Raise it when a message changes meaning: the gateway turns away any other version. */
export const PROTOCOL_VERSION = 1;

/** Longest socket message either side accepts, in bytes: room tokens are the largest thing in it. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

/** Says which placement is meant; the gateway refuses an older epoch. */
export const Placement = Type.Object({
  sessionId: Type.String(),
  epoch: Type.Integer({ minimum: 1 }),
});
export type Placement = Static<typeof Placement>;

/** Says which try to build which avatar is meant; the control plane refuses an older epoch. */
export const BuildPlacement = Type.Object({
  avatarId: Type.String(),
  epoch: Type.Integer({ minimum: 1 }),
});
export type BuildPlacement = Static<typeof BuildPlacement>;

/** Segments of speech that an agent waits for, in order: how much of each was heard, in seconds. */
export const OpenSegments = Type.Array(Type.Number({ minimum: 0 }));
export type OpenSegments = Static<typeof OpenSegments>;

/** The name of a blob: SHA-256, in hex. */
export const BlobHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/**
 * What a worker can do beside performing the avatars that it names: `bundles`, fetch and open the bundle of any other one; `builds`, make one
 * of a picture. Of a worker that holds conversations: `hears`, understand speech without an endpoint for it.
 */
export const ABILITIES = ['bundles', 'builds', 'hears'] as const;
export type Ability = (typeof ABILITIES)[number];

/** `avatar`: shows faces. `agent`: holds the conversations of managed agents. */
export const WORKER_KINDS = ['avatar', 'agent'] as const;
export const WorkerKind = Type.Enum([...WORKER_KINDS]);
export type WorkerKind = Static<typeof WorkerKind>;

export const Transport = Type.Enum(['mediaserver', 'botroom']);
export type Transport = Static<typeof Transport>;

/** The first message on every connection. */
const Register = Type.Object({
  type: Type.Literal('register'),
  protocol: Type.Integer(),
  /** Stable for the life of the process, also when it connects again. */
  workerId: Type.String({ minLength: 1, maxLength: 100 }),
  kind: WorkerKind,
  slots: Type.Integer({ minimum: 1 }),
  transports: Type.Array(Transport),
  /** Ids of the avatars that this worker can show. */
  avatars: Type.Array(Type.String()),
  /** Names of `ABILITIES`; a worker from before there were any says nothing. A later version may know more of them. */
  abilities: Type.Optional(Type.Array(Type.String())),
  /** Sessions may want workers of one label; a worker from before there were any is of the usual one. */
  pool: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** The software's version: for people. */
  version: Type.String(),
  /** What this worker still performs when it comes back after a lost connection. */
  performing: Type.Array(Placement),
  /** What it is building, or has built without being acknowledged. */
  building: Type.Optional(Type.Array(BuildPlacement)),
});

/** Sent every few seconds and whenever it changes. */
const Load = Type.Object({
  type: Type.Literal('load'),
  performing: Type.Integer({ minimum: 0 }),
  /** Share of frames in the last interval that left late, 0..1. */
  lateFrames: Type.Number({ minimum: 0, maximum: 1 }),
  draining: Type.Boolean(),
  /**
   * While draining: how much longer its sessions may go on here, in milliseconds; 0: they are to be handed over now. A worker from before
   * there was handing over does not say it.
   */
  drainLeftMs: Type.Optional(Type.Number({ minimum: 0 })),
  /** Frames a second of each session in the last interval, on average; absent when nothing was shown. */
  frameRate: Type.Optional(Type.Number({ minimum: 0 })),
  /**
   * Of each session that spoke in the last interval: how much later than its sound its pictures left, on average, in milliseconds. Viewers hold
   * sound back longer than pictures: what makes up for that is left out.
   */
  avOffsetsMs: Type.Optional(Type.Array(Type.Number(), { maxItems: 1_000 })),
  /** What it performs, in full; not in every report. */
  sessions: Type.Optional(Type.Array(Placement)),
});

/**
 * The answer to `assign`: the worker performs the session from now on, or cannot take it. A refusal may follow `accepted`, when the face could
 * not be had: it was in no room yet.
 */
const Accepted = Type.Object({ type: Type.Literal('accepted'), placement: Placement });
const Refused = Type.Object({
  type: Type.Literal('refused'),
  placement: Placement,
  why: Type.String(),
});

/** Kept in the worker's outbox until the gateway acknowledges `id`; it may arrive late, more than once, or at another gateway. */
const Report = {
  id: Type.String(),
  placement: Placement,
  /** How long ago it happened, in milliseconds by the worker's own clock: the receiver subtracts it from its own time. */
  agoMs: Type.Number({ minimum: 0 }),
};

/** The face is in the room: its first frame was sent. */
export const Started = Type.Object({ type: Type.Literal('started'), ...Report });
export type Started = Static<typeof Started>;

export const Ended = Type.Object({
  type: Type.Literal('ended'),
  ...Report,
  reason: Type.Enum([...END_REASONS]),
});
export type Ended = Static<typeof Ended>;

/** The media server gave the face a token that lasts longer than the one it came with: a worker that takes the session over joins with it. */
const Renewed = Type.Object({
  type: Type.Literal('renewed'),
  placement: Placement,
  token: Type.String(),
});

/**
 * How far the agent's speech has come: said at once when a segment begins or ends, every 100 ms while there is one, and on every new connection.
 * Of the moment, so never acknowledged. The first one says that this agent sends streams.
 */
const Speech = Type.Object({
  type: Type.Literal('speech'),
  placement: Placement,
  open: OpenSegments,
});

/**
 * The answer to `release`: nothing of the session sounds any more, and nothing will until another worker has taken the face's place. What is
 * open was said just before.
 */
const Released = Type.Object({ type: Type.Literal('released'), placement: Placement });

/** Said whenever it rises, and every few seconds: a worker that says nothing is taken to have lost the build. */
const BuildProgress = Type.Object({
  type: Type.Literal('build_progress'),
  placement: BuildPlacement,
  /** In percent. */
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
});

/** The worker is at work on another one, or draining; or, `wasBegun`, something that is not the picture's fault stood in its way. */
const BuildRefused = Type.Object({
  type: Type.Literal('build_refused'),
  placement: BuildPlacement,
  wasBegun: Type.Boolean(),
});

const BuildReport = { id: Type.String(), placement: BuildPlacement, agoMs: Report.agoMs };

/** Bundle and portrait were put into the control plane's blobs before. */
export const Built = Type.Object({
  type: Type.Literal('built'),
  ...BuildReport,
  bundle: BlobHash,
  portrait: BlobHash,
});
export type Built = Static<typeof Built>;

export const BuildFailed = Type.Object({
  type: Type.Literal('build_failed'),
  ...BuildReport,
  reason: Type.Enum(Object.keys(PICTURE_PROBLEMS) as PictureProblem[]),
});
export type BuildFailed = Static<typeof BuildFailed>;

/** For its flight record, in the order in which it happened: never acknowledged. Only said to a gateway that keeps one. */
const Noted = Type.Object({
  type: Type.Literal('noted'),
  placement: Placement,
  /** `shared/timeline.ts` knows the kinds and their fields; a later worker may know more of them. */
  happenings: Type.Array(Type.Object({ kind: Type.String(), agoMs: Report.agoMs }), {
    maxItems: 100,
  }),
});

/**
 * Sent as often as `registered` says while the worker holds sessions, at once with the first one, and once more, with 0, when none is left. Only
 * to a gateway that asks for it.
 */
const Beat = Type.Object({
  type: Type.Literal('beat'),
  performing: Type.Integer({ minimum: 0 }),
  /** Sessions without a new picture for `MISSED_BEATS` beats; they are placed again. */
  stalled: Type.Optional(Type.Array(Placement)),
});

const Pong = Type.Object({ type: Type.Literal('pong') });

/** Everything that a worker may say. */
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
  Beat,
  Pong,
]);
export type WorkerMessage = Static<typeof WorkerMessage>;
export type Register = Static<typeof Register>;
export type Load = Static<typeof Load>;
export type Beat = Static<typeof Beat>;
export type Noted = Static<typeof Noted>;
