const publish = `from livekit import rtc

# The token is room.agent_token of the answer to POST /v1/sessions.
room = rtc.Room()
await room.connect(url, agent_token)

# Nobody but the avatar hears the agent's own track.
room.local_participant.set_track_subscription_permissions(
    allow_all_participants=False,
    participant_permissions=[
        rtc.ParticipantTrackPermission(participant_identity="troupe-avatar", allow_all=True)
    ],
)
source = rtc.AudioSource(48000, 1)
track = rtc.LocalAudioTrack.create_audio_track("voice", source)
await room.local_participant.publish_track(
    track, rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
)`;

const differences = [
  [
    'Pages',
    'They play the sound of the avatar only: the participant with the attribute `lk.publish_on_behalf`. Whoever plays the agent’s track as well hears everything twice.',
  ],
  [
    'Which track',
    'The agent’s first microphone that is not muted; if it has none, a track that names no source. Tracks called `background_audio` and the sounds of shared screens are left alone, and so is everybody else in the room.',
  ],
  [
    'What was heard',
    'A track has no utterances, so the agent is told nothing: no `playback_started`, no `playback_finished`, no position.',
  ],
  [
    'Interruption',
    'The agent stops sending sound, or mutes its track, and the avatar is silent a moment later. `lk.clear_buffer` drops what still waits in the avatar, and no position comes back.',
  ],
  [
    'Delay and lips',
    'Some 150 ms behind the track itself, for one more jitter buffer and 60 ms that the mouth hears ahead. A stream that is sent faster than it sounds needs neither.',
  ],
  [
    'Streams go first',
    'From the agent’s first `lk.audio_stream` on, its track is not used in that session any more.',
  ],
] as const;

/** For an agent that cannot send its speech as streams. */
export function PlainSound() {
  return (
    <section id="sound" aria-labelledby="sound-title">
      <h2 id="sound-title">No plugin? Just publish sound</h2>
      <p>
        An agent that only publishes an audio track, as any participant can, gets a face too: the
        avatar hears the track and says it again from its own, with its mouth in time. It listens to
        the agent that its token names, else to the first participant of the kind agent.
      </p>
      <pre className="docs-code" tabIndex={0} aria-label="Publish sound for an avatar">
        <code>{publish}</code>
      </pre>
      <dl className="docs-states">
        {differences.map(([what, how]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{withCode(how)}</dd>
          </div>
        ))}
      </dl>
      <p>
        That is how the <a href="/">try page</a> speaks by microphone and by sound file.
      </p>
    </section>
  );
}

const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
