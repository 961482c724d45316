/*
 * The names that agents and avatars use in the media room, as LiveKit's agent frameworks spell them. The same stand in
 * src/protocol/room-terms.ts; pages import nothing of the service, they are clients like any other.
 */
export const SPEECH_TOPIC = 'lk.audio_stream';
export const CLEAR_BUFFER = 'lk.clear_buffer';
export const PLAYBACK_STARTED = 'lk.playback_started';
export const PLAYBACK_FINISHED = 'lk.playback_finished';
export const PUBLISH_ON_BEHALF = 'lk.publish_on_behalf';
