import '../../look/caption.css';
import './stage.css';
import { useState } from 'react';
import { Caption } from './caption.tsx';
import { LevelBars } from '../../sound/level-bars.tsx';
import type { OwnSpeech } from '../speech/own-speech.ts';
import type { TryState } from '../session/try-state.ts';
import type { useSession } from '../session/use-session.ts';

type Props = { session: ReturnType<typeof useSession>; speech: OwnSpeech };

/** Where the avatar is seen. Always there, though hidden while nobody is picked: a session needs its elements from the first moment. */
export function Stage({ session, speech }: Props) {
  const { state, stage, allowSound } = session;
  const { phase } = state;
  const [isMuted, setIsMuted] = useState(false);
  const isLive = phase.type === 'live';
  const speaking = state.utterances.find(({ status }) => status === 'speaking');
  const avatar = phase.type === 'picking' ? null : phase.avatar;

  return (
    <div className="stage" data-phase={phase.type}>
      {avatar?.picture && !isLive && <img className="stage-poster" src={avatar.picture} alt="" />}
      <video
        ref={stage.video}
        className="stage-video"
        data-shown={isLive}
        aria-label={avatar ? `${avatar.name}, live` : 'Nobody yet'}
        muted
        playsInline
        autoPlay
      />
      {/* No captions file: what is said is shown as text below, as it is said. */}
      <audio ref={stage.audio} autoPlay muted={isMuted} />

      <div className="stage-top">
        <p className="status" role="status" data-lit={isLive && phase.presence === 'here'}>
          <span className="status-dot" aria-hidden="true" />
          {statusWords(state, speech)}
          {isLive && <LevelBars level={stage.level} isListening={isSpeaking(state, speech)} />}
        </p>
        {isLive && (
          <button
            type="button"
            className="stage-button"
            aria-pressed={isMuted}
            onClick={() => setIsMuted(!isMuted)}
          >
            {isMuted ? 'Unmute' : 'Mute'}
          </button>
        )}
      </div>

      {isLive && state.isSoundBlocked && (
        <button type="button" className="button button-lit stage-sound" onClick={allowSound}>
          Turn the sound on
        </button>
      )}
      {speaking && <Caption key={speaking.id} utterance={speaking} />}
    </div>
  );
}

/** By a track of the person's own: as long as that is open. */
const isSpeaking = ({ utterances }: TryState, speech: OwnSpeech): boolean =>
  speech.type === 'speaking' || utterances.some(({ status }) => status === 'speaking');

function statusWords(state: TryState, speech: OwnSpeech): string {
  const { phase } = state;
  switch (phase.type) {
    case 'picking':
      return 'Nobody yet';
    case 'connecting':
      return {
        asking: 'Asking for a worker',
        joining: 'Joining the room',
        waiting: `${phase.avatar.name} is coming`,
      }[phase.step];
    case 'live':
      if (phase.presence === 'away') return `${phase.avatar.name} was lost and is coming back`;
      if (phase.presence === 'rejoining') return 'Looking for the media server';
      return isSpeaking(state, speech) ? 'Speaking' : 'Ready';
    case 'over':
      return 'Not connected';
  }
}
