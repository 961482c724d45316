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

/** Answers of a call's handler. */
export const RPC_OK = 'ok';
export const RPC_REJECT = 'reject';
