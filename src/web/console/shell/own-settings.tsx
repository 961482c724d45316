import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Problem } from '../parts/states.tsx';
import { useMe } from '../service/me.ts';
import { forgetOthers, keyOf, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { NewPasswordForm } from '../sign-in/new-password-form.tsx';
import { texts } from '../texts/texts.ts';
import { OwnBrowsers } from './own-browsers.tsx';
import { chooseLook, chosenLook, LOOKS, type Look } from './look.ts';

const t = texts.shell;

/** Appearance, password, signed-in browsers and the way out. */
export function OwnSettings({ close }: { close: () => void }) {
  const me = useMe();
  const client = useQueryClient();
  const [look, setLook] = useState(chosenLook);
  const signOut = useWrite(async () => {
    await call('POST', '/console/api/sign-out', {});
    forgetOthers(client);
    await client.resetQueries({ queryKey: keyOf('/console/api') });
  }, []);
  return (
    <Dialog title={me.name} close={close}>
      <div className="stack-large">
        <SelectField
          label={t.look}
          value={look}
          choices={LOOKS.map((value) => ({ value, label: t.looks[value] }))}
          change={(value) => {
            setLook(value as Look);
            chooseLook(value as Look);
          }}
        />
        <section className="stack">
          <h3>{t.setPassword}</h3>
          {!me.has_password && <p className="warning">{t.noPassword}</p>}
          <NewPasswordForm />
        </section>
        <OwnBrowsers />
        {signOut.error && <Problem error={signOut.error} />}
        <div className="actions own-end">
          <span className="soft">{t.version(me.version)}</span>
          <button type="button" className="button" onClick={() => signOut.mutate()}>
            {t.signOut}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
