import Type, { type Static } from 'typebox';
import { END_REASONS } from '#shared/end-reasons.ts';
import { RoomSignal } from '#shared/room-signals.ts';
import { Placement, Transport } from './worker-messages.ts';

/** The answer to `register`: from now on the worker may be assigned sessions. */
const Registered = Type.Object({
  type: Type.Literal('registered'),
  /** A worker that hears nothing for three of these takes the connection for dead. */
  pingEveryMs: Type.Integer({ minimum: 1 }),
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
  video: Video,
  /** What the agent may tell the face; absent: nothing. */
  signals: Type.Optional(Type.Array(RoomSignal)),
});
export type Assign = Static<typeof Assign>;

/** Leave the room and report `ended` with this reason. A placement that the worker does not know is answered by an `ended` all the same. */
export const End = Type.Object({
  type: Type.Literal('end'),
  placement: Placement,
  reason: Type.Enum([...END_REASONS]),
});
export type End = Static<typeof End>;

/** Leave at once and report nothing: the placement is of an older epoch, the session is performed elsewhere. */
const Drop = Type.Object({ type: Type.Literal('drop'), placement: Placement });

/** Take nothing new, finish what runs, then exit. */
const Drain = Type.Object({ type: Type.Literal('drain') });

/** The report `id` is recorded, or refused for good: forget it. */
const Ack = Type.Object({ type: Type.Literal('ack'), id: Type.String() });

const Ping = Type.Object({ type: Type.Literal('ping') });

/** Everything that the gateway may say. */
export const GatewayMessage = Type.Union([Registered, Assign, End, Drop, Drain, Ack, Ping]);
export type GatewayMessage = Static<typeof GatewayMessage>;
