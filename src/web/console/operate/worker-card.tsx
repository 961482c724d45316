import { useState } from 'react';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Facts } from '../parts/facts.tsx';
import { useSay } from '../parts/notices.tsx';
import { Ago } from '../parts/time.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Worker } from '../service/types.ts';
import { texts } from '../texts/texts.ts';
import { freeWithout } from './free-without.ts';

const t = texts.operate;

const tones: Record<Worker['state'], Tone> = {
  ready: 'good',
  late: 'bad',
  resting: 'waiting',
  draining: 'waiting',
};

type WorkerCardProps = { worker: Worker; others: Worker[]; keptFree: number };

export function WorkerCard({ worker, others, keptFree }: WorkerCardProps) {
  const { id, host, kind, state, drain } = worker;
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
        <Badge tone={tones[state]}>{t.states[state]}</Badge>
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
          <DrainButton worker={worker} others={others} keptFree={keptFree} />
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

function DrainButton({ worker, others, keptFree }: WorkerCardProps) {
  const { id, host } = worker;
  const say = useSay();
  const [isAsking, setAsking] = useState(false);
  const drain = useWrite(async () => {
    await call('POST', `/v1/fleet/workers/${encodeURIComponent(id)}/drain`);
    setAsking(false);
    say(t.drained);
  }, ['/v1/fleet']);
  const left = freeWithout(worker, others);
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={t.drainTitle(host ?? id).replace(/\?$/, '')}
        onClick={() => setAsking(true)}
      >
        {t.drain}
      </button>
      {isAsking && (
        <Confirm
          title={t.drainTitle(host ?? id)}
          action={t.drain}
          isBusy={drain.isPending}
          error={drain.error}
          act={() => drain.mutate()}
          close={() => setAsking(false)}
        >
          <p>{t.drainText}</p>
          {(left === 0 || left < keptFree) && (
            <p className="warning" role="alert">
              {t.tooFew(left, keptFree)}
            </p>
          )}
        </Confirm>
      )}
    </>
  );
}
