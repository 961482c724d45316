import { Badge, type Tone } from '../parts/badge.tsx';
import { Facts } from '../parts/facts.tsx';
import { Ago } from '../parts/time.tsx';
import type { Worker } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { ResumeButton, WithdrawButton } from './worker-actions.tsx';

const t = texts.operate;

const tones: Record<Worker['state'], Tone> = {
  ready: 'good',
  late: 'bad',
  resting: 'waiting',
  cordoned: 'waiting',
  draining: 'waiting',
};

type WorkerCardProps = { worker: Worker; others: Worker[]; keptFree: number };

export function WorkerCard({ worker, others, keptFree }: WorkerCardProps) {
  const { id, host, kind, state, cordoned, drain } = worker;
  const f = t.facts;
  return (
    <article className="worker card">
      <header className="worker-head">
        <div>
          <h3>{host ?? id}</h3>
          <p className="soft">
            {t.kinds[kind]} <code className="worker-id">{id}</code>
          </p>
        </div>
        <div className="worker-badges">
          {cordoned && state !== 'cordoned' && <Badge tone="waiting">{t.states.cordoned}</Badge>}
          <Badge tone={tones[state]}>{t.states[state]}</Badge>
        </div>
      </header>
      <Slots worker={worker} />
      <Facts
        facts={[
          { name: f.version, value: worker.version },
          { name: f.connected, value: <Ago at={worker.since} /> },
          ...(kind === 'avatar'
            ? [
                { name: f.frames, value: worker.frame_rate?.toFixed(1) ?? '–' },
                { name: f.late, value: `${(worker.late_share * 100).toFixed(1)}%` },
                { name: f.quality, value: worker.quality },
              ]
            : []),
          ...(drain
            ? [{ name: f.emptyBy, value: drain.done_by ? <Ago at={drain.done_by} /> : t.unlimited }]
            : []),
        ]}
      />
      {state !== 'draining' && (
        <div className="actions">
          {cordoned ? (
            <ResumeButton worker={worker} />
          ) : (
            <WithdrawButton action="cordon" {...{ worker, others, keptFree }} />
          )}
          <WithdrawButton action="drain" {...{ worker, others, keptFree }} />
        </div>
      )}
    </article>
  );
}

/** Each slot as a box. */
function Slots({ worker: { slots, taken } }: { worker: Worker }) {
  return (
    <div className="slots" role="img" aria-label={t.slots(taken, slots)}>
      {Array.from({ length: slots }, (_, index) => (
        <i key={index} data-taken={index < taken} />
      ))}
    </div>
  );
}
