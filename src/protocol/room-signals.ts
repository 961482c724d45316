import Type, { type Static } from 'typebox';

/** Property names joined by dots. */
const JsonPath = Type.String({ minLength: 1 });

/**
 * A data packet by which the agent controls the face. The opener of a session describes its
 * agent's packets; the worker only compares. Packets that match no signal are ignored.
 */
export const RoomSignal = Type.Object({
  /** Topic of the packet; null matches any. */
  topic: Type.Union([Type.String(), Type.Null()]),
  /** end: end the session. emotion: show the named emotion. */
  means: Type.Enum(['end', 'emotion']),
  how: Type.Union([
    Type.Object({
      format: Type.Literal('json'),
      /** Required values by path. */
      match: Type.Record(JsonPath, Type.String()),
      /** Path of the emotion's name. */
      value: Type.Optional(JsonPath),
    }),
    /** The emotion's name follows the prefix. */
    Type.Object({ format: Type.Literal('text'), prefix: Type.String() }),
  ]),
});
export type RoomSignal = Static<typeof RoomSignal>;
