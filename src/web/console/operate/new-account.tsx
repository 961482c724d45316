import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.accounts;

type NewAccountProps = { path: string; plans: readonly string[]; close: () => void };

/** Makes an account, and invites its first owner. */
export function NewAccount({ path, plans, close }: NewAccountProps) {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState('free');
  const [account, setAccount] = useState<{ id: string } | null>(null);
  const make = useWrite(async () => {
    // After a failed invitation, the account exists already.
    const madeAccount = account ?? (await call<{ id: string }>('POST', path, { name, plan }));
    setAccount(madeAccount);
    const invitation = { account_id: madeAccount.id, role: 'owner' };
    return call<{ link: string }>('POST', '/admin/invitations', invitation);
  }, [path]);
  if (make.data) {
    const { link } = make.data;
    return <SecretDialog title={t.ownerLink} secret={link} note={t.ownerLinkNote} close={close} />;
  }
  return (
    <Dialog title={t.make} close={close}>
      <Form
        submit={() => make.mutate()}
        error={make.error}
        isBusy={make.isPending}
        action={texts.states.create}
        cancel={close}
      >
        <TextField
          name="name"
          label={t.columns.name}
          value={name}
          change={setName}
          maxLength={100}
          required
        />
        <SelectField
          name="plan"
          label={t.columns.plan}
          value={plan}
          choices={plans.map((value) => ({ value, label: value }))}
          change={setPlan}
        />
      </Form>
    </Dialog>
  );
}
