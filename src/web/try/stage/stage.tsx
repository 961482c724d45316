import '../../call/look/stage.css';
import './stage.css';
import { useState } from 'react';
import { Caption } from './caption.tsx';
import { LevelBars } from '../sound/level-bars.tsx';
import type { OwnSpeech } from '../speech/own-speech.ts';
import type { TryState } from '../session/try-state.ts';
import type { useSession } from '../session/use-session.ts';

type Props = { session: ReturnType<typeof useSession>; speech: OwnSpeech };

/** Shows the avatar. Always rendered: a session needs its media elements from the start. */
export function Stage({ session, speech }: Props) {
  const { state, stage, allowSound } = session;
  const { phase, transport } = state;
  const [isMuted, setIsMuted] = useState(false);
  const isLive = phase.type === 'live';
  const isBotroom = transport === 'botroom';
  const speaking = state.utterances.find(({ status }) => status === 'speaking');
  const avatar = phase.type === 'picking' ? null : phase.avatar;
  const label = avatar ? `Video of ${avatar.name}` : 'No video yet';

  return (
    <div className="stage" data-phase={phase.type}>
      {avatar?.picture && !isLive && <img className="stage-poster" src={avatar.picture} alt="" />}
      <video
        ref={stage.video}
        className="stage-video"
        data-shown={isLive && !isBotroom}
        aria-label={label}
        aria-hidden={isBotroom}
        muted
        playsInline
        autoPlay
      />
      <canvas
        ref={stage.canvas}
        className="stage-video"
        data-shown={isLive && isBotroom}
        role="img"
        aria-label={label}
        aria-hidden={!isBotroom}
      />
      {/* No captions track: live captions are shown as text below. */}
      <audio ref={stage.audio} autoPlay muted={isMuted} />

      <div className="stage-top">
        <p className="status" role="status" data-lit={isLive && phase.presence === 'here'}>
          {statusWords(state, speech)}
          {isLive && <LevelBars level={stage.level} isListening={isSpeaking(state, speech)} />}
        </p>
        {isLive && (
          <button type="button" className="stage-button" onClick={() => setIsMuted(!isMuted)}>
            {isMuted ? 'Unmute' : 'Mute'}
          </button>
        )}
      </div>

      {isLive && state.isSoundBlocked && (
        <button type="button" className="button button-lit stage-sound" onClick={allowSound}>
          Turn on sound
        </button>
      )}
      {speaking && <Caption key={speaking.id} utterance={speaking} />}
    </div>
  );
}

/** With the person's own audio, true as long as the track is open. */
const isSpeaking = ({ utterances }: TryState, speech: OwnSpeech): boolean =>
  speech.type === 'speaking' || utterances.some(({ status }) => status === 'speaking');

function statusWords(state: TryState, speech: OwnSpeech): string {
  const { phase } = state;
  switch (phase.type) {
    case 'picking':
      return 'No avatar yet';
    case 'connecting':
      return {
        asking: 'Finding a worker',
        joining: 'Joining the room',
        waiting: `${phase.avatar.name} is joining`,
      }[phase.step];
    case 'live':
      if (phase.presence === 'away') return `${phase.avatar.name} is reconnecting`;
      if (phase.presence === 'rejoining') return 'Connection lost. Reconnecting…';
      return isSpeaking(state, speech) ? 'Speaking' : 'Ready';
    case 'over':
      return 'Not connected';
  }
}
