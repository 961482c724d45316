import '../../look/caption.css';
import './stage.css';
import { useEffect, useState } from 'react';
import { AgentTitle } from '../agent-title.tsx';
import { Controls } from './controls.tsx';
import { OwnPicture } from './own-picture.tsx';
import { captionOf, isInCall, type Line } from '../../call/state/call-state.ts';
import { captionText, readMsOf, statusWords } from '../../call/texts/stage-texts.ts';
import type { Call } from '../use-call.ts';
import { WaitingCard } from './waiting-card.tsx';

/** Shows the agent, its captions and the call controls. */
export function Stage({ call }: { call: Call }) {
  const { state, stage } = call;
  const { phase } = state;
  const agent = isInCall(phase) && 'agent' in phase ? phase.agent : null;
  const isLive = phase.type === 'live';
  const caption = captionOf(state);

  return (
    <div className="stage" data-phase={phase.type}>
      {agent?.picture && (
        <>
          <img className="stage-around" src={agent.picture} alt="" />
          <img className="stage-poster" src={agent.picture} alt="" />
        </>
      )}
      <video
        ref={stage.video}
        className="stage-video"
        data-shown={isLive}
        data-away={isLive && phase.presence !== 'here'}
        aria-label={agent ? `Video of ${agent.name}` : 'No video yet'}
        muted
        playsInline
        autoPlay
      />
      {/* No captions track: live captions are shown as text below. */}
      <audio ref={stage.audio} autoPlay />

      <div className="stage-top">
        {agent && <AgentTitle agent={agent} />}
        <p className="status" role="status" data-lit={isLive && phase.presence === 'here'}>
          <span className="status-dot" aria-hidden="true" />
          {statusWords(state)}
        </p>
      </div>

      {phase.type === 'waiting' && (
        <WaitingCard key={phase.tries} phase={phase} onCancel={call.leave} />
      )}
      {isLive && state.isSoundBlocked && (
        <button type="button" className="button button-lit stage-sound" onClick={call.allowSound}>
          Turn on sound
        </button>
      )}
      {isLive && caption && <Caption key={caption.id} line={caption} />}
      {isLive && state.devices.camera.isOn && call.room && <OwnPicture room={call.room} />}
      {phase.type !== 'waiting' && <Controls call={call} />}
    </div>
  );
}

function Caption({ line }: { line: Line }) {
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    if (!line.isFinal) return;
    const timer = setTimeout(() => setIsRead(true), readMsOf(line.text));
    return () => clearTimeout(timer);
  }, [line.isFinal, line.text]);

  if (isRead) return null;
  return (
    <p className="caption" aria-hidden="true">
      <span>{captionText(line.text)}</span>
    </p>
  );
}
