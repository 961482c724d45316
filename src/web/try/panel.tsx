import './panel.css';
import { useState } from 'react';
import { Composer } from './composer.tsx';
import { NoticeCard } from './notice-card.tsx';
import type { Avatar } from './service.ts';
import { SessionFacts } from './session-facts.tsx';
import { Transcript } from './transcript.tsx';
import type { useSession } from './use-session.ts';
import { voiceFor, type useVoice } from './use-voice.ts';

type Props = {
  avatar: Avatar;
  session: ReturnType<typeof useSession>;
  voice: ReturnType<typeof useVoice>;
  onPick: (avatar: Avatar) => void;
  onLeave: () => void;
};

export function Panel({ avatar, session, voice, onPick, onLeave }: Props) {
  const { state } = session;
  const { phase } = state;
  const [voiceName, setVoiceName] = useState(() => voiceFor(avatar));
  const say = (text: string) => {
    // The avatar may not be here yet, or loading has failed before: asking again costs nothing.
    voice.load();
    session.say(text, voiceName);
  };

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
      {phase.type === 'over' ? (
        <NoticeCard notice={phase.notice} onRetry={() => onPick(avatar)} onLeave={onLeave} />
      ) : (
        <Composer
          avatar={avatar}
          session={session}
          voice={voice}
          voiceName={voiceName}
          onVoiceName={setVoiceName}
          onSay={say}
        />
      )}
      <Transcript utterances={state.utterances} onAgain={phase.type === 'over' ? null : say} />
      <SessionFacts state={state} />
    </div>
  );
}
