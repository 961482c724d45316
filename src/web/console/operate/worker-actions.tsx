import { useState } from 'react';
import { Confirm } from '../parts/confirm.tsx';
import { useSay } from '../parts/notices.tsx';
import { Problem } from '../parts/states.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Worker } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { freeWithout } from './free-without.ts';

const t = texts.operate;

const WITHDRAWALS = {
  cordon: { name: t.cordon, title: t.cordonTitle, text: t.cordonText, done: t.cordoned },
  drain: { name: t.drain, title: t.drainTitle, text: t.drainText, done: t.drained },
};

type WithdrawButtonProps = {
  action: keyof typeof WITHDRAWALS;
  worker: Worker;
  others: Worker[];
  /** Free slots to keep. */
  keptFree: number;
};

/** Takes the free slots of the worker away, and says so first if too few stay. */
export function WithdrawButton({ action, worker, others, keptFree }: WithdrawButtonProps) {
  const { name, title, text, done } = WITHDRAWALS[action];
  const say = useSay();
  const [isAsking, setAsking] = useState(false);
  const withdraw = useWrite(async () => {
    await call('POST', pathOf(worker, action));
    setAsking(false);
    say(done);
  }, ['/v1/fleet']);
  const question = title(nameOf(worker));
  const freeSlots = freeWithout(worker, others);
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={question.replace(/\?$/, '')}
        onClick={() => setAsking(true)}
      >
        {name}
      </button>
      {isAsking && (
        <Confirm
          title={question}
          action={name}
          isHarmless={action === 'cordon'}
          isBusy={withdraw.isPending}
          error={withdraw.error}
          act={() => withdraw.mutate()}
          close={() => setAsking(false)}
        >
          <p>{text}</p>
          {(freeSlots === 0 || freeSlots < keptFree) && (
            <p className="warning" role="alert">
              {t.tooFew(freeSlots, keptFree)}
            </p>
          )}
        </Confirm>
      )}
    </>
  );
}

export function ResumeButton({ worker }: { worker: Worker }) {
  const say = useSay();
  const resume = useWrite(async () => {
    await call('POST', pathOf(worker, 'resume'));
    say(t.resumed);
  }, ['/v1/fleet']);
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={t.resumeLabel(nameOf(worker))}
        disabled={resume.isPending}
        onClick={() => resume.mutate()}
      >
        {t.resume}
      </button>
      {resume.error && <Problem error={resume.error} />}
    </>
  );
}

const nameOf = ({ host, id }: Worker): string => host ?? id;

const pathOf = ({ id }: Worker, action: 'cordon' | 'resume' | 'drain'): string =>
  `/v1/fleet/workers/${encodeURIComponent(id)}/${action}`;
