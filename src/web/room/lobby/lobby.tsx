import './lobby.css';
import { useId, useState, type FormEvent } from 'react';
import { AgentTitle } from '../agent-title.tsx';
import type { Agent } from '../../call/connection/chat-service.ts';
import type { Wishes } from '../../call/connection/live-call.ts';
import { MicrophoneChoice } from './microphone-choice.tsx';
import { useMicrophoneCheck } from './use-microphone-check.ts';
import { wayToTalk, wayWords } from '../../call/texts/ways-to-talk.ts';

type Props = { agent: Agent; onJoin: (wishes: Wishes) => void };

export function Lobby({ agent, onJoin }: Props) {
  const [userName, setUserName] = useState('');
  const way = wayToTalk(agent, window);
  const { lede, note } = wayWords[way](agent.name);
  const [wantsMicrophone, setWantsMicrophone] = useState(way === 'speak');
  const check = useMicrophoneCheck(wantsMicrophone);
  const id = useId();

  const join = (event: FormEvent) => {
    event.preventDefault();
    check.close();
    onJoin({
      userName: userName.trim(),
      microphone: wantsMicrophone,
      microphoneId: check.deviceId,
    });
  };

  return (
    <section className="lobby" aria-label={`Call with ${agent.name}`}>
      <div className="lobby-face">
        {agent.picture && <img src={agent.picture} alt={`Picture of ${agent.name}`} />}
      </div>
      <form className="lobby-form" onSubmit={join}>
        <AgentTitle agent={agent} />
        <p className="lede">{lede}</p>

        <label className="field" htmlFor={`${id}-name`}>
          <span>
            Your name <span className="soft">(optional)</span>
          </span>
          <input
            id={`${id}-name`}
            type="text"
            autoComplete="given-name"
            maxLength={200}
            value={userName}
            onChange={({ target }) => setUserName(target.value)}
          />
        </label>

        {note ? (
          <p className="lobby-note">{note}</p>
        ) : (
          <MicrophoneChoice
            isWanted={wantsMicrophone}
            onWanted={setWantsMicrophone}
            check={check}
          />
        )}

        <button type="submit" className="button button-lit lobby-join">
          Join
        </button>
        <p className="soft lobby-small">
          Your camera stays off until you turn it on. {agent.name}’s operator keeps a transcript of
          the call.
        </p>
      </form>
    </section>
  );
}
