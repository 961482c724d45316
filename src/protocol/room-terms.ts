/** Topics, calls and attributes used inside the media room, as LiveKit's agent frameworks spell them. */

/** Byte-stream topic of speech from the agent to the avatar: 16-bit little-endian PCM, one stream a segment. */
export const SPEECH_TOPIC = 'lk.audio_stream';
/** Byte-stream attributes (strings) that say the PCM's form. */
export const SPEECH_RATE = 'sample_rate';
export const SPEECH_CHANNELS = 'num_channels';

/** Call from the agent: drop all speech now. */
export const CLEAR_BUFFER = 'lk.clear_buffer';
/** Calls to the agent: a segment began to sound; a segment was played out or cut. */
export const PLAYBACK_STARTED = 'lk.playback_started';
export const PLAYBACK_FINISHED = 'lk.playback_finished';

/** Participant attribute of the avatar: identity of the agent that it speaks for. */
export const PUBLISH_ON_BEHALF = 'lk.publish_on_behalf';

/** Participant attribute of the agent: what it is about; and its value while it hears somebody out. */
export const AGENT_STATE = 'lk.agent.state';
export const AGENT_LISTENING = 'listening';

/** Answers of a call's handler. */
export const RPC_OK = 'ok';
export const RPC_REJECT = 'reject';

/** An attribute of a managed agent's participant: whether it understands speech, `yes` or `no`. Text it always takes. */
export const HEARS = 'troupe.hears';

/** Another one: the epoch under which it talks. */
export const AGENT_EPOCH = 'troupe.epoch';

/** Data from a managed agent to its user, empty: its face was told to fall silent, so what is buffered of it need not be played. */
export const HUSH = 'troupe.hush';

/** Text to a managed agent, as LiveKit's components send it. */
export const CHAT_TOPIC = 'lk.chat';

/** Metadata of a room whose agent is a machine, for software that must know: JSON with this key, `true`. */
export const AI_MARK = 'troupe.ai_agent';
/** In the same JSON: under which epoch its agent was lost. One of a higher epoch is another one, and there. */
export const AGENT_LOST = 'troupe.agent_lost';

/** What is said in a room, as text streams. */
export const TRANSCRIPTION_TOPIC = 'lk.transcription';

/** Identity of the participant that shows a managed agent's face. */
export const FACE = 'avatar_worker';

/** Attributes of a transcription. */
export const SEGMENT_ID = 'lk.segment_id';
export const TRANSCRIPTION_FINAL = 'lk.transcription_final';
