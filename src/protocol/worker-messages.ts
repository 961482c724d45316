import Type, { type Static } from 'typebox';
import { END_REASONS } from '#shared/end-reasons.ts';

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

export const WorkerKind = Type.Enum(['avatar', 'agent']);
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
  /** The software's version: for people. */
  version: Type.String(),
  /** What this worker still performs when it comes back after a lost connection. */
  performing: Type.Array(Placement),
});

/** Sent every few seconds and whenever it changes. */
const Load = Type.Object({
  type: Type.Literal('load'),
  performing: Type.Integer({ minimum: 0 }),
  /** Share of frames in the last interval that left late, 0..1. */
  lateFrames: Type.Number({ minimum: 0, maximum: 1 }),
  draining: Type.Boolean(),
});

/** The answer to `assign`: the worker performs the session from now on, or cannot take it. */
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
  Pong,
]);
export type WorkerMessage = Static<typeof WorkerMessage>;
export type Register = Static<typeof Register>;
export type Load = Static<typeof Load>;
