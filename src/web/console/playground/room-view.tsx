import { Card } from '../parts/page.tsx';
import { playground as t } from '../texts/playground.ts';
import { Conversation } from './conversation.tsx';
import { faultsIn, progressOf } from './diagnosis.ts';
import { FaultCard } from './fault-card.tsx';
import { LatencyCard } from './latency-card.tsx';
import { Participants } from './participants.tsx';
import type { Place } from './room-choice.tsx';
import { Stage } from './stage.tsx';
import { useFacts } from './use-facts.ts';
import { useRoom } from './use-room.ts';

/** A room that the visitor has joined, until they leave. */
export function RoomView({ place, leave }: { place: Place; leave: () => void }) {
  const { state, room, video, canvas, audio } = useRoom(place);
  const facts = useFacts(state, place.own?.name ?? null);
  const { phase } = state;
  const isIn = phase.type === 'joined';
  return (
    <div className="playground">
      <Stage
        video={video}
        canvas={canvas}
        audio={audio}
        status={isIn ? t.progress[progressOf(facts)] : t.phases[phase.type]}
        state={state}
        room={room}
        leave={leave}
      />
      <div className="playground-side">
        <FaultCard
          phase={phase}
          faults={isIn ? faultsIn(facts) : []}
          isDone={facts.isSeen}
          own={place.own}
        />
        <Conversation lines={state.lines} isOpen={isIn} say={(text) => room.current?.say(text)} />
      </div>
      <LatencyCard state={state} />
      {state.seats.length > 0 && (
        <Card title={t.participants}>
          <Participants seats={state.seats} />
        </Card>
      )}
    </div>
  );
}
