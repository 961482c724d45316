import Type, { type Static } from 'typebox';
import { END_REASONS } from './end-reasons.ts';
import { RoomSignal } from './room-signals.ts';
import { BlobHash, BuildPlacement, OpenSegments, Placement, Transport } from './worker-messages.ts';

/** The answer to `register`: from now on the worker may be assigned sessions. */
const Registered = Type.Object({
  type: Type.Literal('registered'),
  /** A worker that hears nothing for three of these takes the connection for dead. */
  pingEveryMs: Type.Integer({ minimum: 1 }),
  /** The interval of `beat`; absent: the gateway does not know the message, or does not want it of this worker. */
  beatEveryMs: Type.Optional(Type.Integer({ minimum: 1 })),
  /** It keeps flight records: what happens in sessions may be `noted`. A gateway from before there were any does not know the message. */
  keepsTimelines: Type.Optional(Type.Boolean()),
});

export const Video = Type.Object({
  width: Type.Integer(),
  height: Type.Integer(),
  fps: Type.Integer(),
});
export type Video = Static<typeof Video>;

/** Perform this session. Answered by `accepted` or `refused`; what is assigned twice is performed once. */
export const Assign = Type.Object({
  type: Type.Literal('assign'),
  placement: Placement,
  transport: Transport,
  room: Type.Object({ url: Type.String(), token: Type.String() }),
  avatarId: Type.String(),
  /** The blob to fetch and open for it; absent: the worker has the face. */
  bundle: Type.Optional(BlobHash),
  video: Video,
  /** What the agent may tell the face; absent: nothing. */
  signals: Type.Optional(Type.Array(RoomSignal)),
  /**
   * What the worker before took with it: the agent is told that all of it was interrupted. Absent: this agent is not known to send streams. A
   * worker from before there was any tells it of one segment, of which nothing was heard.
   */
  unanswered: Type.Optional(OpenSegments),
  /** Hold the conversation of this call instead of showing a face: only for workers of the kind `agent`. */
  callId: Type.Optional(Type.String()),
});
export type Assign = Static<typeof Assign>;

/** Leave the room and report `ended` with this reason. A placement that the worker does not know is answered by an `ended` all the same. */
export const End = Type.Object({
  type: Type.Literal('end'),
  placement: Placement,
  reason: Type.Enum([...END_REASONS]),
});
export type End = Static<typeof End>;

/**
 * Another worker has a slot for the session: fall silent where no speech is cut, at the latest after `withinMs`, and say `released`. Only for
 * workers that say for how long they drain.
 */
export const Release = Type.Object({
  type: Type.Literal('release'),
  placement: Placement,
  withinMs: Type.Number({ minimum: 0 }),
});
export type Release = Static<typeof Release>;

/** Leave at once and report nothing: the placement is of an older epoch, the session is performed elsewhere. */
const Drop = Type.Object({ type: Type.Literal('drop'), placement: Placement });

/**
 * Make a bundle of this picture, after the sessions' needs. Answered by `build_refused`, or in the end by `built` or `build_failed`; what is
 * asked twice is built once.
 */
export const Build = Type.Object({
  type: Type.Literal('build'),
  placement: BuildPlacement,
  name: Type.String(),
  picture: BlobHash,
  /** `blur`, or a colour as `#rrggbb`. */
  background: Type.String(),
  /** Shown in its place; a worker from before there were any shows `background`. */
  backgroundPicture: Type.Optional(BlobHash),
});
export type Build = Static<typeof Build>;

/** Stop it and report nothing: the avatar is deleted, or built elsewhere. */
const DropBuild = Type.Object({ type: Type.Literal('drop_build'), placement: BuildPlacement });

/** Take nothing new, finish what runs, hand over what takes too long, then exit. */
const Drain = Type.Object({ type: Type.Literal('drain') });

/** The report `id` is recorded, or refused for good: forget it. */
const Ack = Type.Object({ type: Type.Literal('ack'), id: Type.String() });

const Ping = Type.Object({ type: Type.Literal('ping') });

/** Everything that the gateway may say. */
export const GatewayMessage = Type.Union([
  Registered,
  Assign,
  End,
  Release,
  Drop,
  Build,
  DropBuild,
  Drain,
  Ack,
  Ping,
]);
export type GatewayMessage = Static<typeof GatewayMessage>;
