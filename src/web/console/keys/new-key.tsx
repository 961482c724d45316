import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, CheckGroup, SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { may, useMe, type Me } from '../service/me.ts';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.keys;

/** Resources of an account, as in the scopes of keys. */
const RESOURCES = [
  'account',
  'agents',
  'audit_log',
  'avatars',
  'calls',
  'external_apis',
  'knowledge_files',
  'sessions',
  'usage',
  'webhooks',
] as const;

type Access = keyof typeof t.access;
type Chosen = Partial<Record<(typeof RESOURCES)[number], Access>>;

const DAY_MS = 86_400_000;

export function NewKey({ close }: { close: () => void }) {
  const me = useMe();
  const [name, setName] = useState('');
  const [isLimited, setLimited] = useState(false);
  const [chosen, setChosen] = useState<Chosen>({});
  const [days, setDays] = useState('never');
  const make = useWrite(() => {
    const expires = days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS);
    return call<{ key: string }>('POST', '/v1/api-keys', {
      name,
      // A key does no more than the person who makes it.
      scopes: isLimited ? scopesOf(chosen) : me.scopes,
      expires_at: expires?.toISOString() ?? null,
    });
  }, ['/v1/api-keys']);

  if (make.data) {
    return <SecretDialog title={t.made} secret={make.data.key} note={t.madeNote} close={close} />;
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
          label={t.name}
          hint={t.nameHint}
          value={name}
          change={setName}
          maxLength={100}
          required
        />
        <SelectField
          name="expires_at"
          label={t.expiry}
          value={days}
          choices={Object.entries(t.expiries).map(([value, label]) => ({ value, label }))}
          change={setDays}
        />
        <CheckGroup name="scopes" label={t.permissions}>
          <CheckField
            label={me.scopes === null ? t.everything : t.everythingOfRole}
            isChecked={!isLimited}
            change={(isChecked) => setLimited(!isChecked)}
          />
        </CheckGroup>
        {isLimited && (
          <div className="scopes">
            {RESOURCES.map((resource) => (
              <SelectField
                key={resource}
                label={t.scope(resource)}
                value={chosen[resource] ?? 'none'}
                choices={choicesOf(me, resource)}
                change={(value) => setChosen({ ...chosen, [resource]: value as Access })}
              />
            ))}
          </div>
        )}
      </Form>
    </Dialog>
  );
}

const choicesOf = (me: Me, resource: string) =>
  Object.entries(t.access)
    .filter(([access]) => access === 'none' || may(me, `${resource}:${access}`))
    .map(([value, label]) => ({ value, label }));

const scopesOf = (chosen: Chosen): string[] =>
  Object.entries(chosen).flatMap(([resource, access]) =>
    access === 'none' ? [] : [`${resource}:${access}`],
  );
