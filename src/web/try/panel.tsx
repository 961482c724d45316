import './panel.css';
import { useId, useState } from 'react';
import { builtInVoice } from '#protocol/voice/built-in-voices.ts';
import { Composer } from './composer.tsx';
import { MicrophonePanel } from './speech/microphone-panel.tsx';
import { NoticeCard } from './notice-card.tsx';
import type { Avatar, Transport } from './service.ts';
import { SessionFacts } from './session-facts.tsx';
import { SoundFilePanel } from './speech/sound-file-panel.tsx';
import { Transcript } from './transcript.tsx';
import type { useOwnSpeech } from './speech/use-own-speech.ts';
import type { useSession } from './session/use-session.ts';
import { TransportTabs } from './transport-tabs.tsx';
import type { useVoice } from './speech/use-voice.ts';
import { Ways, type Way } from './ways.tsx';

type Props = {
  avatar: Avatar;
  session: ReturnType<typeof useSession>;
  own: ReturnType<typeof useOwnSpeech>;
  voice: ReturnType<typeof useVoice>;
  onPick: (avatar: Avatar, transport?: Transport) => void;
  onLeave: () => void;
};

export function Panel({ avatar, session, own, voice, onPick, onLeave }: Props) {
  const { state } = session;
  const { phase } = state;
  const [voiceId, setVoiceId] = useState(() => builtInVoice(avatar.voice).id);
  const [way, setWay] = useState<Way>('text');
  const giveId = useId();
  const say = (text: string) => {
    own.stop();
    session.say(text, voiceId);
  };
  const choose = (chosenWay: Way) => {
    own.stop();
    setWay(chosenWay);
  };
  // An avatar in a LiveKit room takes no tracks after typed text.
  const startsNewSession = state.transport === 'mediaserver' && state.utterances.length > 0;
  const ownProps = { avatar, own, startsNewSession };

  return (
    <div className="panel">
      <div className="panel-head">
        <h1>{avatar.name}</h1>
        {phase.type !== 'over' && (
          <button type="button" className="button button-small" onClick={onLeave}>
            New session
          </button>
        )}
      </div>
      <TransportTabs
        transport={state.transport}
        panelId={giveId}
        onTransport={(transport) => onPick(avatar, transport)}
      />
      <div
        className="give"
        id={giveId}
        role="tabpanel"
        aria-labelledby={`${giveId}-${state.transport}`}
      >
        {phase.type === 'over' ? (
          <NoticeCard notice={phase.notice} onRetry={() => onPick(avatar)} onLeave={onLeave} />
        ) : (
          <>
            <Ways way={way} onWay={choose} />
            {/* Hidden, not removed, so that typed text stays. */}
            <div hidden={way !== 'text'}>
              <Composer
                avatar={avatar}
                session={session}
                voice={voice}
                voiceId={voiceId}
                onVoiceId={setVoiceId}
                onSay={say}
              />
            </div>
            {way === 'microphone' && <MicrophonePanel {...ownProps} />}
            {way === 'file' && <SoundFilePanel {...ownProps} />}
          </>
        )}
      </div>
      <Transcript utterances={state.utterances} onAgain={phase.type === 'over' ? null : say} />
      <SessionFacts state={state} />
    </div>
  );
}
