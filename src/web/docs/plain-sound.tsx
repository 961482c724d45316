const publish = `from livekit import rtc

# The token is room.agent_token of the answer to POST /v1/sessions.
room = rtc.Room()
await room.connect(url, agent_token)

# Only the avatar may subscribe to the agent's track.
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
    'Play only the audio of the avatar, the participant with the attribute `lk.publish_on_behalf`. A page that also plays the agent’s track plays everything twice.',
  ],
  [
    'Which track',
    'The avatar uses the agent’s first unmuted microphone track or, without one, a track without a source. It ignores tracks named `background_audio`, the audio of shared screens, and all other participants.',
  ],
  [
    'Playback reports',
    'A track has no utterances, so the agent receives no `playback_started`, no `playback_finished` and no position.',
  ],
  [
    'Interruption',
    'When the agent stops sending audio or mutes its track, the avatar falls silent a moment later. `lk.clear_buffer` drops the audio buffered in the avatar, but returns no position.',
  ],
  [
    'Delay and lips',
    'The avatar is about 150 ms behind the track, because of a second jitter buffer and 60 ms of look-ahead for the mouth. Streams sent faster than real time need neither.',
  ],
  [
    'Streams go first',
    'After the agent’s first `lk.audio_stream`, the avatar ignores its track for the rest of the session.',
  ],
] as const;

/** For agents that cannot send speech as streams. */
export function PlainSound() {
  return (
    <section id="sound" aria-labelledby="sound-title">
      <h2 id="sound-title">No plugin? Just publish audio</h2>
      <p>
        An agent that only publishes an audio track gets a face too: the avatar subscribes to the
        track and publishes the audio again, with lips in sync. It listens to the agent that its
        token names, or else to the first participant of the kind agent.
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
        The <a href="/">try page</a> uses this for microphone and audio file.
      </p>
    </section>
  );
}

const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
