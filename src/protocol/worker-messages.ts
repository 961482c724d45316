import Type, { type Static } from 'typebox';
import { END_REASONS } from './end-reasons.ts';
import { PICTURE_PROBLEMS, type PictureProblem } from './picture-problems.ts';

/** Bump when a message changes meaning. The gateway rejects other versions. */
export const PROTOCOL_VERSION = 1;

/** Limit for socket messages in both directions, in bytes. Room tokens are the largest part. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

/** Identifies one placement of a session. The gateway rejects stale epochs. */
export const Placement = Type.Object({
  sessionId: Type.String(),
  epoch: Type.Integer({ minimum: 1 }),
});
export type Placement = Static<typeof Placement>;

/** Identifies one attempt to build an avatar. The control plane rejects stale epochs. */
export const BuildPlacement = Type.Object({
  avatarId: Type.String(),
  epoch: Type.Integer({ minimum: 1 }),
});
export type BuildPlacement = Static<typeof BuildPlacement>;

/** Playback positions of an agent's unfinished speech segments, in order, in seconds. */
export const OpenSegments = Type.Array(Type.Number({ minimum: 0 }));
export type OpenSegments = Static<typeof OpenSegments>;

/** SHA-256 in hex. */
export const BlobHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** `avatar` workers show faces; `agent` workers hold the conversations of managed agents. */
export const WORKER_KINDS = ['avatar', 'agent'] as const;
export const WorkerKind = Type.Enum([...WORKER_KINDS]);
export type WorkerKind = Static<typeof WorkerKind>;

export const Transport = Type.Enum(['mediaserver', 'botroom']);
export type Transport = Static<typeof Transport>;

/** The first message on every connection. */
const Register = Type.Object({
  type: Type.Literal('register'),
  protocol: Type.Integer(),
  /** Stable for the life of the process, across reconnects. */
  workerId: Type.String({ minLength: 1, maxLength: 100 }),
  /** Proves that the id is the worker's (`worker-id.ts`). Absent on older workers. */
  secret: Type.Optional(Type.String({ maxLength: 100 })),
  kind: WorkerKind,
  slots: Type.Integer({ minimum: 1 }),
  transports: Type.Array(Transport),
  /** Ids of the avatars that the worker has. */
  avatars: Type.Array(Type.String()),
  /**
   * `bundles`: performs other avatars by fetching their bundles. `builds`: builds bundles from
   * pictures. `hears`: an agent worker with its own speech recognition. `speech_sources`: takes
   * speech from elsewhere than the room's agent. Older workers send none; newer ones may send more.
   */
  abilities: Type.Optional(Type.Array(Type.String())),
  /** Label that sessions can require. Absent on older workers: the default pool. */
  pool: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Software version, for people. */
  version: Type.String(),
  /** Sessions still running on this worker after a reconnect. */
  performing: Type.Array(Placement),
  /** Builds in progress, or finished but not acknowledged. */
  building: Type.Optional(Type.Array(BuildPlacement)),
});

/** Sent every few seconds and on every change. */
const Load = Type.Object({
  type: Type.Literal('load'),
  performing: Type.Integer({ minimum: 0 }),
  /** Share of frames that were late in the last interval, 0..1. */
  lateFrames: Type.Number({ minimum: 0, maximum: 1 }),
  draining: Type.Boolean(),
  /**
   * While draining: remaining time for its sessions in milliseconds; at 0 they are handed over.
   * Absent on older workers without handover.
   */
  drainLeftMs: Type.Optional(Type.Number({ minimum: 0 })),
  /** Frames per second per session, averaged over the last interval. Absent without frames. */
  frameRate: Type.Optional(Type.Number({ minimum: 0 })),
  /**
   * For each session that spoke in the last interval: average delay of video behind audio in
   * milliseconds. Excludes the offset that makes up for the longer audio buffer of viewers.
   */
  avOffsetsMs: Type.Optional(Type.Array(Type.Number(), { maxItems: 1_000 })),
  /** All running sessions. Not in every report. */
  sessions: Type.Optional(Type.Array(Placement)),
});

/**
 * Answers to `assign`. `refused` may follow `accepted` when the avatar cannot be loaded; the worker
 * has not joined a room then.
 */
const Accepted = Type.Object({ type: Type.Literal('accepted'), placement: Placement });
const Refused = Type.Object({
  type: Type.Literal('refused'),
  placement: Placement,
  why: Type.String(),
});

/** Stays in the outbox until acknowledged. May arrive late, twice, or at another gateway. */
const Report = {
  id: Type.String(),
  placement: Placement,
  /** Age of the event in milliseconds, by the worker's clock. */
  agoMs: Type.Number({ minimum: 0 }),
};

/** The first frame was sent to the room. */
export const Started = Type.Object({ type: Type.Literal('started'), ...Report });
export type Started = Static<typeof Started>;

export const Ended = Type.Object({
  type: Type.Literal('ended'),
  ...Report,
  reason: Type.Enum([...END_REASONS]),
  /** More about it, for the session's owner. Absent on older workers. */
  detail: Type.Optional(Type.String()),
});
export type Ended = Static<typeof Ended>;

/** The media server renewed the room token. The next worker of the session joins with it. */
const Renewed = Type.Object({
  type: Type.Literal('renewed'),
  placement: Placement,
  token: Type.String(),
});

/**
 * Progress of the agent's speech: sent when a segment begins or ends, every 100 ms in between, and
 * after each reconnect. Never acknowledged. The first one shows that the agent sends streams.
 */
const Speech = Type.Object({
  type: Type.Literal('speech'),
  placement: Placement,
  open: OpenSegments,
});

/**
 * Answers `release`: the session is silent and stays so until another worker takes over. A `speech`
 * message with the open segments precedes it.
 */
const Released = Type.Object({ type: Type.Literal('released'), placement: Placement });

/** Sent on every change and every few seconds. Without it the build counts as lost. */
const BuildProgress = Type.Object({
  type: Type.Literal('build_progress'),
  placement: BuildPlacement,
  /** In percent. */
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
});

/**
 * The worker is draining or busy with another build. `wasBegun`: the build started, but failed for a
 * reason other than the picture.
 */
const BuildRefused = Type.Object({
  type: Type.Literal('build_refused'),
  placement: BuildPlacement,
  wasBegun: Type.Boolean(),
});

const BuildReport = { id: Type.String(), placement: BuildPlacement, agoMs: Report.agoMs };

/** Bundle and portrait are already uploaded. */
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

/** Timeline events, in order. Never acknowledged. Only for gateways with `keepsTimelines`. */
const Noted = Type.Object({
  type: Type.Literal('noted'),
  placement: Placement,
  /** Kinds and fields are listed in `timeline.ts`. Newer workers may send more. */
  happenings: Type.Array(Type.Object({ kind: Type.String(), agoMs: Report.agoMs }), {
    maxItems: 100,
  }),
});

/**
 * Sent at `beatEveryMs` while the worker has sessions: at once for the first session, and a last
 * time with 0. Only for gateways that ask for it.
 */
const Beat = Type.Object({
  type: Type.Literal('beat'),
  performing: Type.Integer({ minimum: 0 }),
  /** Sessions without a new picture for `MISSED_BEATS` beats. They are placed again. */
  stalled: Type.Optional(Type.Array(Placement)),
});

const Pong = Type.Object({ type: Type.Literal('pong') });

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
  Beat,
  Pong,
]);
export type WorkerMessage = Static<typeof WorkerMessage>;
export type Register = Static<typeof Register>;
export type Load = Static<typeof Load>;
export type Beat = Static<typeof Beat>;
export type Noted = Static<typeof Noted>;
