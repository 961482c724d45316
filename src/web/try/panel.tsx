import './panel.css';
import { Composer } from './composer.tsx';
import { NoticeCard } from './notice-card.tsx';
import type { Avatar } from './service.ts';
import { SessionFacts } from './session-facts.tsx';
import { Transcript } from './transcript.tsx';
import type { useSession } from './use-session.ts';
import type { useVoice } from './use-voice.ts';

type Props = {
  avatar: Avatar;
  session: ReturnType<typeof useSession>;
  voice: ReturnType<typeof useVoice>;
  onPick: (avatar: Avatar) => void;
};

export function Panel({ avatar, session, voice, onPick }: Props) {
  const { state, leave } = session;
  const { phase } = state;
  return (
    <div className="panel">
      <div className="panel-head">
        <h2>{avatar.name}</h2>
        {phase.type !== 'over' && (
          <button type="button" className="button button-small" onClick={leave}>
            New session
          </button>
        )}
      </div>
      {phase.type === 'over' ? (
        <NoticeCard notice={phase.notice} onRetry={() => onPick(avatar)} onLeave={leave} />
      ) : (
        <Composer avatar={avatar} session={session} voice={voice} />
      )}
      <Transcript utterances={state.utterances} />
      <SessionFacts state={state} />
    </div>
  );
}
