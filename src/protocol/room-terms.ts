/* Topics, RPC names and attributes in the media room. LiveKit's agent frameworks define `lk.*`. */

/** Byte-stream topic for the agent's speech: 16-bit little-endian PCM, one stream per segment. */
export const SPEECH_TOPIC = 'lk.audio_stream';
/** Byte-stream attributes (strings) that describe the PCM. */
export const SPEECH_RATE = 'sample_rate';
export const SPEECH_CHANNELS = 'num_channels';

/** RPC from the agent: drop all speech now. */
export const CLEAR_BUFFER = 'lk.clear_buffer';
/** RPCs to the agent: playback of a segment started; it finished or was interrupted. */
export const PLAYBACK_STARTED = 'lk.playback_started';
export const PLAYBACK_FINISHED = 'lk.playback_finished';

/** Attribute of the avatar: identity of the agent that it speaks for. */
export const PUBLISH_ON_BEHALF = 'lk.publish_on_behalf';

/** Attribute of the agent: its current activity; and the value while it listens to the user. */
export const AGENT_STATE = 'lk.agent.state';
export const AGENT_LISTENING = 'listening';

/** Responses of an RPC handler. */
export const RPC_OK = 'ok';
export const RPC_REJECT = 'reject';

/** Attribute of a managed agent: `yes` if it understands speech, else `no` (text only). */
export const HEARS = 'troupe.hears';

/** Attribute of a managed agent: `yes` if its model gets pictures of the camera, else `no`. */
export const SEES = 'troupe.sees';

/** Attribute of a managed agent: the epoch of its placement. */
export const AGENT_EPOCH = 'troupe.epoch';

/** Empty data from a managed agent to its user: drop the buffered audio of the face. */
export const HUSH = 'troupe.hush';

/** Data from a managed agent to its user: it ignored a typed text. The payload is the reason. */
export const TEXT_IGNORED = 'troupe.text_ignored';
/**
 * `too_fast`: too many in a minute. `too_often`: too many in ten minutes. `too_many`: too many in
 * the call. `incomplete`: no end came.
 */
export type IgnoreReason = 'too_fast' | 'too_often' | 'too_many' | 'incomplete';

/** Text topic for messages to a managed agent, as sent by LiveKit's components. */
export const CHAT_TOPIC = 'lk.chat';

/** Key in the room's JSON metadata: `true` tells software that the agent is an AI. */
export const AI_MARK = 'troupe.ai_agent';
/** Key in the room's JSON metadata: epoch of the lost agent. Its successor has a higher epoch. */
export const AGENT_LOST = 'troupe.agent_lost';

/** Text-stream topic for transcriptions. */
export const TRANSCRIPTION_TOPIC = 'lk.transcription';

/**
 * RPC from the user to a managed agent: send the line that is being said, from its start. Rejected
 * if there is none.
 */
export const CURRENT_LINE = 'troupe.current_line';

/** Identity of the participant that shows a managed agent's face. */
export const FACE = 'avatar_worker';

/** Name of a video track twice as wide as its picture, with the opacity on its right. */
export const OPACITY_TRACK = 'avatar_video_with_opacity';

/** Text-stream attributes of a transcription. */
export const SEGMENT_ID = 'lk.segment_id';
export const TRANSCRIPTION_FINAL = 'lk.transcription_final';
