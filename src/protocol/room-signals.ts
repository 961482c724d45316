import Type, { type Static } from 'typebox';

/** A place inside JSON: names joined by dots. */
const JsonPath = Type.String({ minLength: 1 });

/**
 * What the agent may tell the face by a data packet in the room, as plain data: whoever opens a session knows what its agent says, the worker
 * only compares. A packet that fits none of the session's signals means nothing.
 */
export const RoomSignal = Type.Object({
  /** The packet's topic; null: any. */
  topic: Type.Union([Type.String(), Type.Null()]),
  /** end: the session is over. emotion: the face feels what the packet names. */
  means: Type.Enum(['end', 'emotion']),
  how: Type.Union([
    Type.Object({
      format: Type.Literal('json'),
      /** Path to value: the packet has all of these. */
      match: Type.Record(JsonPath, Type.String()),
      /** Where the emotion's name is. */
      value: Type.Optional(JsonPath),
    }),
    /** What follows the prefix is the emotion's name. */
    Type.Object({ format: Type.Literal('text'), prefix: Type.String() }),
  ]),
});
export type RoomSignal = Static<typeof RoomSignal>;
