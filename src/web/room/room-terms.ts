/*
 * The names that managed agents and their faces use in the media room. The same stand in src/protocol/room-terms.ts; pages import nothing
 * of the service, they are clients like any other.
 */
/** The identity of the agent's face. */
export const FACE = 'avatar_worker';
export const CHAT_TOPIC = 'lk.chat';
export const TRANSCRIPTION_TOPIC = 'lk.transcription';
/** Attributes of a transcription. */
export const SEGMENT_ID = 'lk.segment_id';
export const TRANSCRIPTION_FINAL = 'lk.transcription_final';
/** Attribute of the agent: whether it understands speech, `yes` or `no`. */
export const HEARS = 'troupe.hears';
/** Another one: the epoch under which it talks. */
export const AGENT_EPOCH = 'troupe.epoch';
/** Topic of data from the agent, empty: what is buffered of its face need not be played, it was told to fall silent. */
export const HUSH = 'troupe.hush';
/** In the room's metadata, which is JSON: under which epoch its agent was lost. */
export const AGENT_LOST = 'troupe.agent_lost';
