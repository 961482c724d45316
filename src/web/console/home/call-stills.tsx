import { useState } from 'react';
import { CheckField } from '../parts/fields.tsx';
import { Problem } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useRead, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { OwnAccount } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.home;

const PATH = '/v1/account';

/** Whether the account shows pictures of its live calls. */
export const useCallStills = (): boolean =>
  useRead<OwnAccount>(useMay('account:read') ? PATH : null).data?.call_stills ?? false;

/** The owner decides; others learn why there is no picture. */
export function CallStills({ areShown, hasCalls }: { areShown: boolean; hasCalls: boolean }) {
  const canWrite = useMay('account:write');
  /** While it is saved. */
  const [choice, setChoice] = useState<boolean | null>(null);
  const change = useWrite((call_stills: boolean) => call('PATCH', PATH, { call_stills }), [PATH]);
  if (!canWrite)
    return hasCalls && !areShown && <p className="soft call-stills">{t.callsHidden}</p>;
  return (
    <div className="call-stills">
      <CheckField
        label={
          <>
            {t.showCalls} <span className="soft">{t.showCallsHint}</span>
          </>
        }
        isChecked={choice ?? areShown}
        change={(isOn) => {
          setChoice(isOn);
          change.mutate(isOn, { onSettled: () => setChoice(null) });
        }}
      />
      {change.error && <Problem error={change.error} />}
    </div>
  );
}
