import './room-page.css';
import { useEffect, useRef } from 'react';
import { Conversation } from './conversation/conversation.tsx';
import { EndScreen } from './end-screen.tsx';
import { Lobby } from './lobby/lobby.tsx';
import { RefusedCard } from './refused-card.tsx';
import { isInCall, type RoomState } from '../call/state/call-state.ts';
import { Stage } from './stage/stage.tsx';
import { useCall } from './use-call.ts';

type RoomPageProps = { agentId: string; linkToken: string | null };

export function RoomPage({ agentId, linkToken }: RoomPageProps) {
  const call = useCall(agentId, linkToken);
  const { phase } = call.state;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(phase);
  const agent = phase.type === 'looking' ? null : phase.agent;
  const isCalling = isInCall(phase);

  useEffect(() => {
    document.title = agent ? `Call with ${agent.name}` : 'Call';
  }, [agent]);

  useEffect(() => {
    const before = shown.current;
    shown.current = phase;
    // The pressed button is gone, so move the focus to the new view.
    if (before.type !== 'looking' && isInCall(before) !== isInCall(phase)) main.current?.focus();
  }, [phase]);

  return (
    <main
      ref={main}
      id="main"
      className="room"
      data-view={isCalling ? 'call' : phase.type}
      tabIndex={-1}
    >
      {phase.type === 'looking' && <p className="room-looking soft">One moment…</p>}
      {phase.type === 'lobby' && <Lobby agent={phase.agent} onJoin={call.join} />}
      {/* Always rendered: a call needs its media elements from the start. */}
      <div className="call" hidden={!isCalling}>
        <Stage call={call} />
        {isCalling && <Conversation call={call} />}
      </div>
      {phase.type === 'over' && (
        <EndScreen
          agent={phase.agent}
          reason={phase.reason}
          lines={call.state.lines}
          onAgain={call.again}
        />
      )}
      {phase.type === 'refused' && <RefusedCard phase={phase} onRetry={call.look} />}
      {/* Captions for screen readers: each sentence once, when it is complete. */}
      <p className="unseen" aria-live="polite">
        {phase.type === 'live' && lastSentence(call.state)}
      </p>
    </main>
  );
}

const lastSentence = ({ lines }: RoomState): string =>
  lines.findLast(({ sender, isFinal }) => sender === 'ai' && isFinal)?.text ?? '';
