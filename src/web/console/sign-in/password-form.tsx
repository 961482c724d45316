import { useState } from 'react';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import type { Me } from '../service/me.ts';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.signIn;

export function PasswordForm({ enter }: { enter: (me: Me) => void }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useWrite(
    async () => enter(await call<Me>('POST', '/console/api/sign-in', { name, password })),
    [],
  );
  return (
    <Form
      submit={() => signIn.mutate()}
      error={signIn.error}
      isBusy={signIn.isPending}
      action={t.submit}
    >
      <TextField label={t.name} value={name} change={setName} autoComplete="username" required />
      <TextField
        label={t.password}
        type="password"
        value={password}
        change={setPassword}
        autoComplete="current-password"
        required
      />
    </Form>
  );
}
