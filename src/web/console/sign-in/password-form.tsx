import { useEffect, useRef, useState } from 'react';
import { Refusal } from '../../api/answers.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import type { Me } from '../service/me.ts';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.signIn;

export function PasswordForm({ enter }: { enter: (me: Me) => void }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [choices, setChoices] = useState<Choice[]>([]);
  const [personId, setPersonId] = useState('');
  const accountField = useRef<HTMLSelectElement>(null);
  // The hint, which readers of the screen then hear, says why a field was added.
  useEffect(() => accountField.current?.focus(), [choices]);
  const signIn = useWrite(async () => {
    const choice = personId === '' ? {} : { person_id: personId };
    const body = { name, password, ...choice };
    try {
      enter(await call<Me>('POST', '/console/api/sign-in', body));
    } catch (error) {
      const accounts = accountsIn(error);
      if (accounts.length === 0) throw error;
      setChoices(accounts);
      setPersonId(accounts[0]!.value);
    }
  }, []);
  /** The accounts belong to the name and password before. */
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setChoices([]);
    setPersonId('');
  };
  return (
    <Form
      submit={() => signIn.mutate()}
      error={signIn.error}
      isBusy={signIn.isPending}
      action={t.submit}
    >
      <TextField
        name="name"
        label={t.name}
        value={name}
        change={change(setName)}
        autoComplete="username"
        required
      />
      <TextField
        name="password"
        label={t.password}
        type="password"
        value={password}
        change={change(setPassword)}
        autoComplete="current-password"
        required
      />
      {choices.length > 0 && (
        <SelectField
          name="person_id"
          label={t.account}
          hint={t.accountHint}
          value={personId}
          choices={choices}
          change={setPersonId}
          ref={accountField}
        />
      )}
    </Form>
  );
}

type Choice = { value: string; label: string };

/** Empty unless the service asks which account is meant. */
function accountsIn(error: unknown): Choice[] {
  if (!(error instanceof Refusal) || error.status !== 409) return [];
  const { person_ids: ids, account_names: names } = error.about as {
    person_ids?: string[];
    account_names?: string[];
  };
  return (ids ?? []).map((value, i) => ({ value, label: names?.[i] ?? value }));
}
