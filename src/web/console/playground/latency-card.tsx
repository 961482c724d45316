import { Figure } from '../parts/facts.tsx';
import { formatMs } from '../parts/format.ts';
import { Card } from '../parts/page.tsx';
import { playground as t } from '../texts/playground.ts';
import { figuresOf } from './latency.ts';
import type { RoomState } from './playground-room.ts';

type Props = { state: Pick<RoomState, 'latency' | 'faceAfterMs' | 'roundTripMs'> };

const known = (ms: number | null): string => (ms === null ? t.figures.unknown : formatMs(ms));

export function LatencyCard({ state: { latency, faceAfterMs, roundTripMs } }: Props) {
  return (
    <Card title={t.latency} note={t.latencyNote}>
      <div className="figures figures-small">
        <Figure name={t.figures.face} value={known(faceAfterMs)} note={t.figures.faceNote} />
        {(['sound', 'line'] as const).map((name) => {
          const figures = figuresOf(latency.turns, `${name}Ms`);
          return (
            <Figure
              key={name}
              name={t.figures[name]}
              value={known(figures?.last ?? null)}
              note={
                figures ? t.figures.median(formatMs(figures.median), figures.count) : t.figures.none
              }
            />
          );
        })}
        <Figure
          name={t.figures.roundTrip}
          value={known(roundTripMs)}
          note={t.figures.roundTripNote}
        />
      </div>
    </Card>
  );
}
