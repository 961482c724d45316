/*
 * The part of RTVI, the protocol between a Pipecat bot and its client, that a face needs. Its
 * messages are JSON in `message` frames.
 */
import Type from 'typebox';
import { Compile } from 'typebox/compile';

const LABEL = 'rtvi-ai';
/**
 * Bots of both versions of the protocol accept it. Those of 2.x rename only what is not used here.
 */
const VERSION = '1.0.0';

/** Tells the bot that its client is ready to play: many bots greet then. */
export const clientReady = (id: string, softwareVersion: string): string =>
  JSON.stringify({
    label: LABEL,
    type: 'client-ready',
    id,
    data: { version: VERSION, about: { library: 'troupe', library_version: softwareVersion } },
  });

const Message = Compile(Type.Object({ label: Type.Literal(LABEL), type: Type.String() }));

/** Longer messages carry data for browsers. */
const MAX_LENGTH = 16 * 1024;

/** The type of the bot's message; null if it is of another protocol. */
export function rtviTypeOf(data: string): string | null {
  if (data.length > MAX_LENGTH) return null;
  try {
    const message: unknown = JSON.parse(data);
    return Message.Check(message) ? message.type : null;
  } catch {
    return null;
  }
}
