import './lobby.css';
import { useId, useState, type FormEvent } from 'react';
import { LevelMeter } from '../sound/level-meter.tsx';
import { AgentTitle } from './agent-title.tsx';
import type { Agent } from './chat.ts';
import { deviceWords } from './devices.ts';
import type { Wishes } from './live-call.ts';
import { useMicrophoneCheck } from './use-microphone-check.ts';

type Props = { agent: Agent; onJoin: (wishes: Wishes) => void };

export function Lobby({ agent, onJoin }: Props) {
  const [userName, setUserName] = useState('');
  const [wantsMicrophone, setWantsMicrophone] = useState(true);
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
    <section className="lobby" aria-label={`A call with ${agent.name}`}>
      <div className="lobby-face">
        {agent.picture && <img src={agent.picture} alt={`${agent.name}, still`} />}
      </div>
      <form className="lobby-form" onSubmit={join}>
        <AgentTitle agent={agent} />
        <p className="lede">Talk or write, and {agent.name} answers you, face to face.</p>

        <label className="field" htmlFor={`${id}-name`}>
          <span>
            Your name <span className="soft">if you like</span>
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

        <fieldset className="lobby-sound">
          <legend>Microphone</legend>
          <label className="switch">
            <input
              type="checkbox"
              role="switch"
              checked={wantsMicrophone}
              onChange={({ target }) => setWantsMicrophone(target.checked)}
            />
            <span>{wantsMicrophone ? 'On when you join' : 'Off: you write'}</span>
          </label>
          {wantsMicrophone && check.state === 'closed' && (
            <button type="button" className="button button-small" onClick={check.open}>
              Check it
            </button>
          )}
          {check.state === 'open' && (
            <>
              <label className="device-menu">
                <span className="unseen">Which microphone</span>
                <select
                  value={check.deviceId ?? ''}
                  onChange={({ target }) => check.choose(target.value)}
                >
                  {check.devices.map(({ deviceId, label }, index) => (
                    <option key={deviceId} value={deviceId}>
                      {label || `Microphone ${index + 1}`}
                    </option>
                  ))}
                </select>
              </label>
              <LevelMeter level={check.level} isListening />
            </>
          )}
          {wantsMicrophone && check.problem && (
            <p className="lobby-problem" role="alert">
              {deviceWords('microphone', check.problem)} You can write meanwhile.
            </p>
          )}
        </fieldset>

        <button type="submit" className="button button-lit lobby-join">
          Join
        </button>
        <p className="soft lobby-small">
          Your camera stays off until you turn it on. What is said is kept by whoever runs{' '}
          {agent.name}.
        </p>
      </form>
    </section>
  );
}
