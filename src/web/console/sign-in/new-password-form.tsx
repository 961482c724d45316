import { useState } from 'react';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useSay } from '../parts/notices.tsx';
import { useMe } from '../service/me.ts';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.signIn;

/** A new password; the present one, if there is one, proves that its owner sits here. */
export function NewPasswordForm() {
  const { has_password: hasPassword, name: ownName } = useMe();
  const say = useSay();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const save = useWrite(async () => {
    const currently = hasPassword ? { current_password: current } : {};
    await call('PATCH', '/console/api/me', { password, ...currently });
    say(t.passwordSet);
    setCurrent('');
    setPassword('');
  }, ['/console/api/me']);
  return (
    <Form
      submit={() => save.mutate()}
      error={save.error}
      isBusy={save.isPending}
      action={texts.states.save}
    >
      <input
        type="text"
        className="unseen"
        autoComplete="username"
        value={ownName}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {hasPassword && (
        <TextField
          name="current_password"
          label={t.currentPassword}
          type="password"
          value={current}
          change={setCurrent}
          autoComplete="current-password"
          required
        />
      )}
      <TextField
        name="password"
        label={t.newPassword}
        hint={t.passwordHint}
        type="password"
        minLength={12}
        maxLength={200}
        value={password}
        change={setPassword}
        autoComplete="new-password"
        required
      />
    </Form>
  );
}
