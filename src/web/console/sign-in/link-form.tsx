import { useState } from 'react';
import { Refusal } from '../../api/answers.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Loading, Problem } from '../parts/states.tsx';
import type { Me } from '../service/me.ts';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';
import { Heading } from './heading.tsx';
import { OpenidButton } from './openid-button.tsx';
import { useLook } from './use-look.ts';
import { useWays } from './use-ways.ts';

const t = texts.signIn;

type LinkFormProps = { code: string; enter: (me: Me) => void; leave: () => void };

/**
 * A link of an invitation asks for a name and a password, or for an identity at the OpenID
 * provider. The other kind opens the console, sets a new password for those who forgot theirs, or
 * changes to the OpenID provider.
 */
export function LinkForm({ code, enter, leave }: LinkFormProps) {
  const { link, error } = useLook(code);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const openid = useWays().data?.openid;
  const isInvitation = link?.kind === 'invitation';
  const use = useWrite(async () => {
    const body = {
      code,
      ...(isInvitation && { name: link.name ?? name }),
      ...(password && { password }),
    };
    enter(await call<Me>('POST', '/console/api/links/use', body));
  }, []);

  if (error) {
    const isDead = error instanceof Refusal && error.status === 404;
    return (
      <>
        <Problem error={isDead ? new Error(t.deadLink) : error} />
        <button type="button" className="button" onClick={leave}>
          {t.title}
        </button>
      </>
    );
  }
  if (!link) return <Loading />;
  const role = texts.shell.role[link.role ?? (link.is_operator ? 'operator' : 'viewer')];
  return (
    <Form
      submit={() => use.mutate()}
      error={use.error}
      isBusy={use.isPending}
      action={isInvitation ? t.join : t.openLink}
    >
      {isInvitation ? (
        <Heading title={t.invited(link.account?.name ?? texts.shell.brand)}>
          {t.invitedText(role)}
        </Heading>
      ) : (
        <Heading title={t.welcome}>{t.welcomeText}</Heading>
      )}
      {openid && (
        <OpenidButton
          label={isInvitation ? t.joinWith(openid.name) : t.changeTo(openid.name)}
          link={code}
        />
      )}
      {!isInvitation && openid && <p className="soft">{t.changeToHint}</p>}
      {isInvitation && (
        <TextField
          name="name"
          label={t.name}
          value={link.name ?? name}
          change={setName}
          readOnly={link.name !== null}
          autoComplete="username"
          maxLength={100}
          required
        />
      )}
      <TextField
        name="password"
        label={isInvitation ? t.newPassword : t.orNewPassword}
        hint={isInvitation ? t.passwordHint : t.orNewPasswordHint}
        type="password"
        minLength={12}
        maxLength={200}
        value={password}
        change={setPassword}
        autoComplete="new-password"
        required={isInvitation}
      />
    </Form>
  );
}
